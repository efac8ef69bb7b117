// Piles, stacks and walls beside Bullet, the same bodies at the same places. Ours takes one step per frame of 1/30 s,
// Bullet its default 1/60 s.
//
//   bench_rigid [N...] [--full] [--peer-large] [--plot FILE.svg]
//
// Default: N = 1000, its reference run at 1/240 s, stack and wall. --full: 1000, 3000, 9000, convex and not.
// Bullet needs minutes from 3000 on: it is measured there with --full, at 9000 only with --peer-large and for a short
// while.

#include <cmath>
#include <cstdlib>
#include <cstring>

#include "base/parallel.h"
#include "bench/pile_quality.h"
#include "bench/plot.h"
#include "bench/report.h"
#include "tests/scenes/rigid_scenes.h"
#ifdef SUNDER_PEER_BULLET
#include "bench/peers/bullet_piles.h"
#endif

using namespace sunder;
using namespace sunder::bench;
using scenes::awake;

namespace {

constexpr double kFrame = 1.0 / 30;       // s, ours
constexpr double kPeerStep = 1.0 / 60;    // s, Bullet's default
constexpr double kReference = 1.0 / 240;  // s, for the height a pile should have
constexpr int kWindow = 60;               // steps measured then

/// s, until a pile lies: the deeper, the longer.
double settlingTime(size_t count) { return count <= 1000 ? 6 : count <= 3000 ? 8 : 10; }

struct Options {
    std::vector<size_t> counts;
    bool full = false, peerLarge = false;
    std::string plot;
};

Options parse(const Report& report) {
    Options options;
    const std::vector<std::string>& words = report.arguments();
    for (size_t i = 0; i < words.size(); ++i) {
        if (words[i] == "--full") {
            options.full = true;
        } else if (words[i] == "--peer-large") {
            options.peerLarge = true;
        } else if (words[i] == "--plot" && i + 1 < words.size()) {
            options.plot = words[++i];
        } else if (const int count = std::atoi(words[i].c_str()); count > 0) {
            options.counts.push_back(static_cast<size_t>(count));
        } else {
            std::fprintf(stderr, "bench_rigid: what is '%s'? [N...] [--full] [--peer-large] [--plot FILE.svg]\n",
                         words[i].c_str());
            std::exit(2);
        }
    }
    if (options.counts.empty()) {
        options.counts = options.full ? std::vector<size_t>{1000, 3000, 9000} : std::vector<size_t>{1000};
    }
    return options;
}

double percentile95(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[static_cast<size_t>(0.95 * static_cast<double>(values.size() - 1))];
}

/// Milliseconds of every step.
struct StepTimes {
    std::vector<double> time;  // s, simulated
    std::vector<double> cpu, wall;

    std::vector<double> lastCpu() const { return {cpu.end() - std::min<long>(kWindow, std::ssize(cpu)), cpu.end()}; }
    std::vector<double> lastWall() const {
        return {wall.end() - std::min<long>(kWindow, std::ssize(wall)), wall.end()};
    }
};

/// `engine` has step(dt). Adds to what is there.
template <class Engine>
void run(Engine& engine, double dt, int steps, StepTimes& times) {
    for (int i = 0; i < steps; ++i) {
        const Stopwatch watch;
        engine.step(dt);
        times.cpu.push_back(1e3 * watch.cpuSeconds());
        times.wall.push_back(1e3 * watch.wallSeconds());
        times.time.push_back((times.time.empty() ? 0 : times.time.back()) + dt);
    }
}

/// Our world with what a pile's judge asks for.
struct Ours {
    scenes::Scene scene;
    dynamics::StepResult last;

    void step(double dt) { last = scene.world.step(dt); }
    std::vector<RigidTransform> poses() const {
        std::vector<RigidTransform> poses;
        for (const dynamics::BodyId piece : scene.pieces) poses.push_back(scene.world.state(piece).pose);
        return poses;
    }
    double kineticEnergy() const { return last.energy.linear + last.energy.rotational; }
    size_t contacts() const { return last.counters.points; }
};

/// What is reported of one engine's pile.
struct PileRun {
    StepTimes times;
    PileQuality quality;
    double kineticEnergy = 0;  // J, at the end
    double injected = 0;       // J: rises of the mechanical energy during the window, summed
    size_t contacts = 0;
};

/// Until it has settled, then the window, watching the energy.
template <class Engine>
PileRun settle(Engine& engine, const scenes::ConvexPile& pile, double dt, double settled) {
    PileRun result;
    run(engine, dt, static_cast<int>(std::lround(settled / dt)), result.times);
    double before = engine.kineticEnergy() + potentialEnergy(pile, engine.poses());
    for (int i = 0; i < kWindow; ++i) {
        run(engine, dt, 1, result.times);
        const double after = engine.kineticEnergy() + potentialEnergy(pile, engine.poses());
        result.injected += std::max(0.0, after - before);
        before = after;
    }
    result.quality = judge(pile, engine.poses());
    result.kineticEnergy = engine.kineticEnergy();
    result.contacts = engine.contacts();
    return result;
}

std::optional<PileRun> peerPile(const scenes::ConvexPile& pile, double settled) {
#ifdef SUNDER_PEER_BULLET
    BulletWorld bullet(BulletWorld::Sleeping::Off);
    for (const scenes::PlacedBox& wall : pile.layout.walls) bullet.addStaticBox(wall);
    bullet.addHulls(pile.hulls);
    for (const scenes::PileLayout::Piece& piece : pile.layout.pieces) bullet.addPiece(piece);
    return settle(bullet, pile, kPeerStep, settled);
#else
    (void)pile, (void)settled;
    return std::nullopt;
#endif
}

void reportPile(const Report& report, const std::string& name, const PileRun& ours,
                const std::vector<double>& twoThreads, const std::optional<PileRun>& peer) {
    const auto row = [&](const std::string& what, auto&& value, const std::string& unit) {
        report.row(name + what, value(ours), peer ? std::optional<double>(value(*peer)) : std::nullopt, "Bullet", unit);
    };
    row(
        ", CPU per step", [](const PileRun& r) { return median(r.times.lastCpu()); }, "ms");
    row(
        ", CPU per step, 95th percentile", [](const PileRun& r) { return percentile95(r.times.lastCpu()); }, "ms");
    row(
        ", wall per step", [](const PileRun& r) { return median(r.times.lastWall()); }, "ms");
    report.row(name + ", wall per step, 2 threads", median(twoThreads), {}, "", "ms");
    report.row(name + ", wall, 2 threads, 95th percentile", percentile95(twoThreads), {}, "", "ms");
    row(
        ", overlap, mean", [](const PileRun& r) { return 1e3 * r.quality.meanOverlap; }, "mm");
    row(
        ", overlap, 99th percentile", [](const PileRun& r) { return 1e3 * r.quality.p99Overlap; }, "mm");
    row(
        ", overlap, worst", [](const PileRun& r) { return 1e3 * r.quality.worstOverlap; }, "mm");
    row(
        ", overlapping pairs", [](const PileRun& r) { return static_cast<double>(r.quality.pairs); }, "");
    row(
        ", contact points", [](const PileRun& r) { return static_cast<double>(r.contacts); }, "");
    row(
        ", mean height of centres", [](const PileRun& r) { return r.quality.meanHeight; }, "m");
    row(
        ", kinetic energy left", [](const PileRun& r) { return r.kineticEnergy; }, "J");
    row(
        ", energy injected in 60 steps", [](const PileRun& r) { return r.injected; }, "J");
    row(
        ", escaped pieces", [](const PileRun& r) { return static_cast<double>(r.quality.escaped); }, "");
}

/// Height of the same pile made with small steps.
void reportReference(const Report& report, const scenes::ConvexPile& pile, size_t count, const PileRun& ours) {
    Ours fine{scenes::pile({.count = count, .world = awake()}), {}};
    StepTimes times;
    run(fine, kReference, static_cast<int>(std::lround(settlingTime(count) / kReference)), times);
    const double height = judge(pile, fine.poses()).meanHeight;
    report.row("pile of " + std::to_string(count) + ", mean height of centres", ours.quality.meanHeight, height,
               "ours, 1/240 s", "m");
}

/// How long until all sleep, and what a sleeping pile costs.
void reportAsleep(const Report& report, const std::string& name, scenes::Scene scene) {
    constexpr double kPatience = 15;  // s
    Ours ours{std::move(scene), {}};
    StepTimes times;
    double lastMoving = 0;
    while (ours.scene.world.time() < kPatience) {
        run(ours, kFrame, 1, times);
        if (ours.last.counters.awake > 0) lastMoving = ours.scene.world.time();
        if (ours.scene.world.time() > lastMoving + 1) break;
    }
    const std::vector<double> last(times.wall.end() - 20, times.wall.end());
    if (ours.last.counters.awake == 0) report.row(name + ", all asleep at", lastMoving, {}, "", "s");
    report.row(name + ", wall per step at the end, sleeping on", median(last), {}, "", "ms");
    report.row(name + ", awake at the end, sleeping on", static_cast<double>(ours.last.counters.awake), {}, "", "");
}

void comparePile(const Report& report, const Options& options, size_t count, Plot& plot) {
    const std::string name = "pile of " + std::to_string(count);
    const scenes::ConvexPile pile = scenes::convexPile(count);

    Ours ours{scenes::pile({.count = count, .world = awake()}), {}};
    PileRun oursRun;
    std::vector<double> twoThreads;
    {
        const ThreadLimit one(1);
        run(ours, kFrame, static_cast<int>(std::lround(settlingTime(count) / kFrame)), oursRun.times);
        const Ours settled = ours;
        PileRun window = settle(ours, pile, kFrame, 0);
        oursRun.quality = window.quality;
        oursRun.kineticEnergy = window.kineticEnergy;
        oursRun.injected = window.injected;
        oursRun.contacts = window.contacts;
        for (size_t i = 0; i < window.times.cpu.size(); ++i) {
            oursRun.times.time.push_back(oursRun.times.time.back() + kFrame);
            oursRun.times.cpu.push_back(window.times.cpu[i]);
            oursRun.times.wall.push_back(window.times.wall[i]);
        }
        ours = settled;
    }
    {
        const ThreadLimit two(2);
        StepTimes times;
        run(ours, kFrame, kWindow, times);
        twoThreads = times.wall;
    }

    std::optional<PileRun> peer;
    if (count <= 1000 || (count <= 3000 && options.full) || options.peerLarge) {
        const ThreadLimit one(1);
        peer = peerPile(pile, count > 3000 ? 1.2 : settlingTime(1000));
    }
    reportPile(report, name, oursRun, twoThreads, peer);
    plot.lines.push_back({"ours, " + std::to_string(count), oursRun.times.time, oursRun.times.cpu});
    if (peer) plot.lines.push_back({"Bullet, " + std::to_string(count), peer->times.time, peer->times.cpu});

    if (count <= 3000 || options.full) reportReference(report, pile, count, oursRun);
    reportAsleep(report, name, scenes::pile({.count = count}));
}

void measureConcavePile(const Report& report, size_t count, Plot& plot) {
    const std::string name = "non-convex pile of " + std::to_string(count);
    Ours ours{scenes::concavePile({.count = count, .world = awake()}), {}};
    StepTimes times;
    std::vector<double> twoThreads;
    run(ours, kFrame, static_cast<int>(std::lround(settlingTime(count) / kFrame)), times);
    Ours again = ours;
    {
        const ThreadLimit one(1);
        run(ours, kFrame, kWindow, times);
    }
    {
        const ThreadLimit two(2);
        StepTimes window;
        run(again, kFrame, kWindow, window);
        twoThreads = window.wall;
    }
    double height = 0;
    const std::vector<RigidTransform> poses = ours.poses();
    for (const RigidTransform& pose : poses) height += pose.translation.y() / static_cast<double>(poses.size());
    report.row(name + ", CPU per step", median(times.lastCpu()), {}, "", "ms");
    report.row(name + ", CPU per step, 95th percentile", percentile95(times.lastCpu()), {}, "", "ms");
    report.row(name + ", wall per step, 2 threads", median(twoThreads), {}, "", "ms");
    report.row(name + ", penetration, mean", 1e3 * ours.last.meanPenetration, {}, "", "mm");
    report.row(name + ", penetration, worst", 1e3 * ours.last.worstPenetration, {}, "", "mm");
    report.row(name + ", contact points", static_cast<double>(ours.contacts()), {}, "", "");
    report.row(name + ", mean height of centres", height, {}, "", "m");
    report.row(name + ", kinetic energy left", ours.kineticEnergy(), {}, "", "J");
    plot.lines.push_back({"non-convex, " + std::to_string(count), times.time, times.cpu});
    reportAsleep(report, name, scenes::concavePile({.count = count}));
}

/// Largest way that any centre went from where it was put.
double drift(const scenes::BoxLayout& layout, std::span<const RigidTransform> poses) {
    double farthest = 0;
    for (size_t i = 0; i < poses.size(); ++i) {
        farthest = std::max(farthest, (poses[i].translation - layout.boxes[i].pose.translation).norm());
    }
    return farthest;
}

void compareStanding(const Report& report, const std::string& name, const scenes::BoxLayout& layout,
                     scenes::Scene scene) {
    constexpr double kTime = 10;  // s
    const ThreadLimit one(1);
    Ours ours{std::move(scene), {}};
    StepTimes times;
    run(ours, kFrame, static_cast<int>(std::lround(kTime / kFrame)), times);

    std::optional<double> peerDrift, peerStep;
#ifdef SUNDER_PEER_BULLET
    BulletWorld bullet(BulletWorld::Sleeping::Off);
    bullet.addStaticBox({Vec3(40, 1, 40), {Quat::Identity(), Vec3(0, -0.5, 0)}});
    for (const scenes::BoxLayout::Box& box : layout.boxes) bullet.addBox(box.size, box.pose);
    StepTimes peerTimes;
    run(bullet, kPeerStep, static_cast<int>(std::lround(kTime / kPeerStep)), peerTimes);
    peerDrift = 1e3 * drift(layout, bullet.poses());
    peerStep = median(peerTimes.lastCpu());
#endif
    report.row(name + ", largest drift in 10 s", 1e3 * drift(layout, ours.poses()), peerDrift, "Bullet", "mm");
    report.row(name + ", CPU per step", median(times.lastCpu()), peerStep, "Bullet", "ms");
    report.row(name + ", kinetic energy left", ours.kineticEnergy(), {}, "", "J");
}

}  // namespace

int main(int argc, char** argv) {
    const Report report(argc, argv);
    const Options options = parse(report);
    Plot plot{"CPU time per step (ours 1/30 s, Bullet 1/60 s)", "simulated time, s", "ms", {}, true};
    for (const size_t count : options.counts) comparePile(report, options, count, plot);
    if (options.full) {
        for (const size_t count : options.counts) measureConcavePile(report, count, plot);
    }
    compareStanding(report, "stack of 10 cubes", scenes::layOutStack(10, 0.3), scenes::stackOfCubes(10, 0.3, awake()));
    compareStanding(report, "wall of 20 x 20 bricks", scenes::layOutBrickWall(20, 20),
                    scenes::brickWall(20, 20, awake()));
    if (!options.plot.empty()) writeSvg(plot, options.plot);
}
