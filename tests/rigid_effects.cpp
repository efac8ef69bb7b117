#include "tests/rigid_effects.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include <fmt/format.h>

#include "bench/plot.h"
#include "tests/scenes/scene_parts.h"

namespace sunder::scenes {
namespace {

using bench::Plot;
using dynamics::StepOptions;
using dynamics::WorldOptions;

constexpr double kFrame = 1.0 / 30;  // s
constexpr double kSlope = std::numbers::pi / 12;

WorldOptions with(const std::function<void(StepOptions&)>& change) {
    WorldOptions options;
    change(options.step);
    return options;
}
const WorldOptions kWithoutRotation = with([](StepOptions& step) { step.conservingRotation = false; });
const WorldOptions kWithoutClamps = with([](StepOptions& step) { step.clampImpulses = step.energyGuard = false; });
const WorldOptions kWithoutEnergy =
    with([](StepOptions& step) { step.conservingRotation = step.clampImpulses = step.energyGuard = false; });

/// Mechanical energy over time, as a share of what it was at first.
Plot::Line energyOf(const std::string& name, Scene scene, int frames, int stepsPerFrame = 1) {
    Plot::Line line{name, {0}, {1}};
    double first = 0;
    for (int frame = 1; frame <= frames; ++frame) {
        dynamics::EnergyAccount energy;
        for (int i = 0; i < stepsPerFrame; ++i) {
            energy = scene.world.step(kFrame / stepsPerFrame).energy;
            if (first == 0) first = energy.mechanicalBefore;
        }
        line.x.push_back(frame * kFrame);
        line.y.push_back(energy.mechanical() / first);
    }
    return line;
}

/// How far the cube has slid, m; and how far it should have.
double slid(const Scene& scene) {
    const RigidTransform slope = scene.world.state(scene.named.at("slope")).pose;
    return (slope.inverse() * scene.world.state(scene.named.at("cube")).centre).x();
}
double expectedSlide(const Scene& scene, double time) {
    const double v0 = scene.expected.at("speed"), braking = scene.expected.at("braking");
    time = std::min(time, v0 / braking);
    return time * (v0 - 0.5 * braking * time);
}

Plot inclinePlot() {
    Plot plot{"A cube slides down a slope of 15 degrees, from 5 m/s", "time, s", "distance, m", {}};
    for (const double friction : {0.4, 0.5, 0.8}) {
        Scene scene = incline(kSlope, friction, 5);
        Plot::Line exact{fmt::format("formula, {}", friction), {}, {}},
            ours{fmt::format("30 Hz, friction {}", friction), {}, {}, true};
        for (int frame = 0; frame <= 120; ++frame) {
            exact.x.push_back(frame * kFrame);
            exact.y.push_back(expectedSlide(scene, frame * kFrame));
            if (frame % 2 == 0) {
                ours.x.push_back(frame * kFrame);
                ours.y.push_back(slid(scene));
            }
            scene.world.step(kFrame);
        }
        plot.lines.push_back(std::move(exact));
        plot.lines.push_back(std::move(ours));
    }
    return plot;
}

Plot wingNutPlot() {
    return {"A wing nut at 200 rad/s, free, 30 Hz",
            "time, s",
            "energy / first energy",
            {energyOf("conserving", wingNut(), 90), energyOf("without", wingNut(200, kWithoutRotation), 90),
             energyOf("without, 480 Hz", wingNut(200, kWithoutRotation), 90, 16)}};
}

Plot pillarPlot() {
    return {"A pillar falls apart into long shards",
            "time, s",
            "energy / first energy",
            {energyOf("30 Hz", shatteredPillar(), 60), energyOf("30 Hz, without", shatteredPillar(kWithoutEnergy), 60),
             energyOf("480 Hz", shatteredPillar(), 60, 16)},
            true};
}

Plot rodsPlot() {
    return {
        "27 elastic rods in a box, 30 Hz",
        "time, s",
        "energy / first energy",
        {energyOf("all on", rattlingRods(), 300), energyOf("no clamp, no guard", rattlingRods(kWithoutClamps), 300)}};
}

double highestEnergy(const WorldOptions& options) {
    const Plot::Line line = energyOf("", rattlingRods(options), 300);
    return *std::max_element(line.y.begin(), line.y.end());
}

void run(Scene& scene, double seconds) {
    const int frames = static_cast<int>(std::lround(seconds / kFrame));
    for (int frame = 0; frame < frames; ++frame) scene.world.step(kFrame);
}

double largestDrift(Scene scene, double seconds) {
    std::vector<Vec3> start;
    for (const dynamics::BodyId piece : scene.pieces) start.push_back(scene.world.state(piece).centre);
    run(scene, seconds);
    double drift = 0;
    for (size_t i = 0; i < start.size(); ++i)
        drift = std::max(drift, (scene.world.state(scene.pieces[i]).centre - start[i]).norm());
    return drift;
}

double slideError(const WorldOptions& options) {
    Scene scene = incline(kSlope, 0.5, 5, options);
    run(scene, 5);
    return slid(scene) / scene.expected.at("distance") - 1;
}

/// Of a pile of 300 after three seconds, in the mean over touching points, m.
double overlapInPile(const WorldOptions& options) {
    Scene scene = pile({.count = 300, .world = options});
    run(scene, 3);
    return scene.world.step(kFrame).meanPenetration;
}

double speedOfLastBall(const WorldOptions& options) {
    Scene scene = newtonsCradle(options);
    run(scene, 1);
    return scene.world.state(scene.pieces.back()).velocity.x();
}

double ballAfterWall(const WorldOptions& options) {
    Scene scene = fastBall(Target::StaticWall, 100, options);
    run(scene, 0.2);
    return scene.world.state(scene.named.at("ball")).centre.x();
}

double asleepShare(const WorldOptions& options) {
    Scene scene = stackOfCubes(10, 0.3, options);
    run(scene, 3);
    double asleep = 0;
    for (const dynamics::BodyId piece : scene.pieces) asleep += scene.world.state(piece).asleep;
    return asleep / static_cast<double>(scene.pieces.size());
}

struct Switch {
    std::string names;
    std::string measured;
    std::function<void(StepOptions&)> off;
    std::function<double(const WorldOptions&)> measure;
};

std::vector<Switch> switches() {
    return {
        {"conservingRotation", "wing nut, 3 s: energy / first energy",
         [](StepOptions& step) { step.conservingRotation = false; },
         [](const WorldOptions& options) { return energyOf("", wingNut(200, options), 90).y.back(); }},
        {"clampImpulses", "elastic rods, 10 s: highest energy / first energy",
         [](StepOptions& step) { step.clampImpulses = false; }, highestEnergy},
        {"energyGuard", "the same", [](StepOptions& step) { step.energyGuard = false; }, highestEnergy},
        {"clampImpulses, energyGuard", "the same",
         [](StepOptions& step) { step.clampImpulses = step.energyGuard = false; }, highestEnergy},
        {"clampImpulses, energyGuard, conservingRotation", "the same",
         [](StepOptions& step) { step.clampImpulses = step.energyGuard = step.conservingRotation = false; },
         highestEnergy},
        {"restitution", "Newton's cradle: speed of the last ball, m/s",
         [](StepOptions& step) { step.restitution = false; }, speedOfLastBall},
        {"friction", "card house, 10 s: largest drift, m", [](StepOptions& step) { step.friction = false; },
         [](const WorldOptions& options) { return largestDrift(cardHouse(3, options), 10); }},
        {"secondOrder", "incline: error of the stopping distance", [](StepOptions& step) { step.secondOrder = false; },
         slideError},
        {"warmStart", "wall of 20 x 20 bricks, 10 s: largest drift, m",
         [](StepOptions& step) { step.warmStart = false; },
         [](const WorldOptions& options) { return largestDrift(brickWall(20, 20, options), 10); }},
        {"depenetrate", "pile of 300, 3 s: mean overlap, m", [](StepOptions& step) { step.depenetrate = false; },
         overlapInPile},
        {"continuous", "ball of 100 m/s against a wall at x = 0: where it is after 0.2 s, m",
         [](StepOptions& step) { step.continuous = false; }, ballAfterWall},
        {"sleeping", "stack, 3 s: share asleep", [](StepOptions& step) { step.sleeping = false; }, asleepShare},
    };
}

}  // namespace

void plotEffects(const std::filesystem::path& folder, const std::vector<std::string>& chosen) {
    const std::vector<std::pair<std::string, std::function<Plot()>>> plots{{"incline_plot", inclinePlot},
                                                                           {"wing_nut_plot", wingNutPlot},
                                                                           {"pillar_plot", pillarPlot},
                                                                           {"rods_plot", rodsPlot}};
    for (const auto& [name, plot] : plots) {
        if (chosen.empty() || std::find(chosen.begin(), chosen.end(), name) != chosen.end())
            bench::writeSvg(plot(), (folder / (name + ".svg")).string());
    }
}

void printSwitches() {
    for (const Switch& part : switches()) {
        fmt::print("without {}: {}: {:.4g} with, {:.4g} without\n", part.names, part.measured, part.measure({}),
                   part.measure(with(part.off)));
        std::fflush(stdout);
    }
}

}  // namespace sunder::scenes
