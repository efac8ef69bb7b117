// The figures of [su2009] as scene files: what should break breaks and nothing else, no break makes or loses anything,
// and nothing explodes, flies away or sinks into the floor.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "geometry/mesh/mass_properties.h"
#include "io/scene/scene_io.h"
#include "sim/simulation.h"
#include "tests/piece_checker.h"
#include "tests/pillar_jump.h"

namespace sunder {
namespace {

using sim::BodySerial;

constexpr double kGravity = 9.81;  // m/s^2

std::filesystem::path sceneFile(const std::string& name) {
    return std::filesystem::path(SUNDER_SOURCE_DIR) / "scenes" / (name + ".json");
}

/// A run of a scene, looked at from outside after every frame.
class WatchedRun {
public:
    explicit WatchedRun(const std::string& name, const std::vector<std::string>& settings = {})
        : simulation_(setupOf(name, settings)) {
        double speed = 0, height = 0;
        for (const BodySerial body : simulation_.bodies()) {
            known_[body] = simulation_.facts(body);
            speed = std::max(speed, simulation_.state(body).velocity.norm());
            height = std::max(height, simulation_.state(body).centre.y());
        }
        fastestPossible_ = std::sqrt(speed * speed + 2 * kGravity * height);
    }

    void run(uint64_t frames) {
        for (uint64_t i = 0; i < frames && !testing::Test::HasFailure(); ++i) step();
    }

    const sim::Simulation& simulation() const { return simulation_; }
    /// How often the bodies broke whose name ends so: "wall" also counts "walls/c1/wall".
    size_t breaksOf(const std::string& end) const {
        return static_cast<size_t>(std::count_if(broken_.begin(), broken_.end(),
                                                 [&](const std::string& name) { return name.ends_with(end); }));
    }
    size_t breaks() const { return broken_.size(); }
    size_t pieces() const {
        const std::vector<BodySerial> bodies = simulation_.bodies();
        return static_cast<size_t>(std::count_if(bodies.begin(), bodies.end(), [&](BodySerial body) {
            return known_.at(body).parent != kNone<BodySerial>;
        }));
    }
    Vec3 centreOf(const std::string& name) const {
        for (const BodySerial body : simulation_.bodies()) {
            if (known_.at(body).name == name) return simulation_.state(body).centre;
        }
        ADD_FAILURE() << "no body is called " << name;
        return Vec3::Zero();
    }

    /// Nobody became faster than falling and what flew at the start could make him, and the floor held: no centre came
    /// below it, no corner by more than `pressed` (m), and at the end by no more than the eye forgives. Times `faster`:
    /// what is squeezed out from under something heavy leaves faster than that comes.
    void expectCalm(double pressed = 0.01, double faster = 1.1) const {
        EXPECT_LE(fastest_, faster * fastestPossible_);
        EXPECT_GE(lowestCentre_, 0);
        EXPECT_GE(lowest_, -pressed);
        EXPECT_GE(lowestNow_, -0.01);
        std::printf("fastest %.2f of %.2f m/s; lowest corner %.1f mm, at the end %.1f mm; %zu breaks, %zu pieces\n",
                    fastest_, fastestPossible_, 1e3 * lowest_, 1e3 * lowestNow_, breaks(), pieces());
    }

private:
    static sim::SimulationSetup setupOf(const std::string& name, const std::vector<std::string>& settings) {
        return setupFrom(readScene(sceneFile(name), settings), sceneFile(name));
    }

    void step() {
        const sim::StepReport report = simulation_.step();
        SCOPED_TRACE("frame " + std::to_string(report.frame));
        for (const sim::BodyFacts& facts : report.born) known_[facts.serial] = facts;
        for (const sim::BreakReport& broken : report.breaks) checkBreak(broken);
        EXPECT_TRUE(report.messages.empty()) << report.messages.front();
        checkEnergy(report);
        lookAtBodies();
    }

    /// By the reports of the loop and, for mass and volume, by the bodies themselves.
    void checkBreak(const sim::BreakReport& report) {
        SCOPED_TRACE(report.name + " breaks");
        broken_.push_back(report.name);
        const sim::BodyFacts& parent = known_.at(report.body);
        double mass = 0;
        std::vector<TriMesh> pieces;
        for (const BodySerial fragment : report.fragments) {
            mass += known_.at(fragment).mass;
            pieces.push_back(*known_.at(fragment).mesh());
        }
        EXPECT_GE(pieces.size(), 2u);
        EXPECT_NEAR(mass / parent.mass, 1, 1e-12);
        EXPECT_LE(report.massError(), 1e-12);
        EXPECT_LE(report.momentumError(), 1e-12);
        EXPECT_LE(report.angularMomentumError(), 1e-12);
        EXPECT_EQ(report.openPieces, 0u);
        checkMeshes(*parent.mesh(), pieces);
    }

    void checkMeshes(const TriMesh& solid, const std::vector<TriMesh>& pieces) const {
        const PieceReport report = checkPieces(solid, pieces);
        EXPECT_TRUE(report.good(1e-9)) << describe(report);
        EXPECT_GT(report.crackTriangles, 0u) << describe(report);
    }

    void checkEnergy(const sim::StepReport& report) {
        const dynamics::EnergyAccount& energy = report.motion.energy;
        mostKinetic_ = std::max(mostKinetic_, energy.linear + energy.rotational);
        const double gain = energy.mechanical() - mechanical_.value_or(energy.mechanicalBefore) -
                            energy.workOfKinematic - report.energyFreed;
        EXPECT_LE(gain, 1e-4 * mostKinetic_);
        mechanical_ = energy.mechanical();
    }

    void lookAtBodies() {
        lowestNow_ = INFINITY;
        for (const BodySerial body : simulation_.bodies()) {
            const dynamics::BodyState state = simulation_.state(body);
            if (state.kind != dynamics::BodyKind::Dynamic) continue;
            fastest_ = std::max(fastest_, state.velocity.norm());
            lowestCentre_ = std::min(lowestCentre_, state.centre.y());
            const sim::BodyFacts& facts = known_.at(body);
            for (const Vec3& corner : facts.mesh()->positions)
                lowestNow_ = std::min(lowestNow_, (state.centre + state.pose.rotation * (corner - facts.centre)).y());
        }
        lowest_ = std::min(lowest_, lowestNow_);
    }

    sim::Simulation simulation_;
    std::map<BodySerial, sim::BodyFacts> known_;  // all that ever lived
    std::vector<std::string> broken_;
    std::optional<double> mechanical_;                                           // J, after the last frame
    double fastestPossible_ = 0, fastest_ = 0;                                   // m/s
    double lowestCentre_ = INFINITY, lowest_ = INFINITY, lowestNow_ = INFINITY;  // m, ever and in the last frame
    double mostKinetic_ = 0;                                                     // J
};

TEST(PaperScenes, PillarComesApartIntoShards) {
    WatchedRun run("su09-fig1-pillar");
    run.run(60);
    run.expectCalm();
    EXPECT_EQ(run.breaksOf("pillar"), 1u);
    EXPECT_EQ(run.pieces(), 120u);
}

TEST(PaperScenes, ShardsJumpOnlyWithoutEnergyConservation) {
    const Jump with = jumpOfShards(sceneFile("su09-fig1-pillar"), {}, 1);
    const Jump without = jumpOfShards(sceneFile("su09-fig1-pillar"), {"conserving=false"}, 1);
    EXPECT_LT(with.height, 2.5);  // the pillar's height
    EXPECT_LT(with.climb, 2);
    EXPECT_GT(without.height, 2 * with.height);
}

TEST(PaperScenes, StackStandsUntilItIsStruckAndThenScatters) {
    WatchedRun run("su09-fig2-stack");
    run.run(24);
    for (int row = 0; row < 8; ++row) {
        const Vec3 centre = run.centreOf("stack/r" + std::to_string(row));
        EXPECT_LT((centre - Vec3(0, 0.15 + 0.3 * row, 0)).norm(), 0.01)
            << "row " << row << " has come to lie on the others";
    }
    run.run(96);
    run.expectCalm();
    EXPECT_EQ(run.breaks(), 0u);
    int scattered = 0;  // the one on top may fall straight down when its support is struck away
    for (int row = 1; row < 8; ++row) {
        const Vec3 centre = run.centreOf("stack/r" + std::to_string(row));
        scattered += std::hypot(centre.x(), centre.z()) > 0.3;
        EXPECT_LT(centre.y(), 1) << "row " << row << " is in the air";
    }
    EXPECT_GE(scattered, 6);
}

TEST(PaperScenes, CubeStopsWhereTheFormulaSays) {
    WatchedRun run("su09-fig3-incline");
    run.run(100);
    const double slope = std::numbers::pi / 12, braking = kGravity * (0.5 * std::cos(slope) - std::sin(slope));
    const double expected = 25 / (2 * braking);  // m
    const Vec3 start(0.25 * std::sin(slope), 0.25 * std::cos(slope), 0);
    const double way = (run.centreOf("slope/cube") - start).norm();
    std::printf("way %.6f of %.6f m\n", way, expected);
    EXPECT_NEAR(way / expected, 1, 2e-3);
}

TEST(PaperScenes, ThreeWallsBreakWhereTheyAreStruckAndTheBallOnTheFourth) {
    WatchedRun run("su09-fig4-wall");
    run.run(90);
    run.expectCalm();
    EXPECT_EQ(run.breaksOf("wall"), 3u);
    EXPECT_EQ(run.breaksOf("weak_ball"), 1u);
    EXPECT_EQ(run.breaks(), 4u);
    EXPECT_EQ(run.pieces(), 100u);
    EXPECT_NEAR(run.centreOf("strong").y(), 1, 0.01) << "it stands";
}

TEST(PaperScenes, CylinderBreaksInto25) {
    WatchedRun run("su09-fig5-cylinder");
    run.run(90);
    run.expectCalm();
    EXPECT_EQ(run.breaks(), 1u);
    EXPECT_EQ(run.pieces(), 25u);
}

TEST(PaperScenes, AnimalBreaksIntoAtLeast35) {
    WatchedRun run("su09-fig6-animal");
    run.run(60);
    run.expectCalm();
    EXPECT_EQ(run.breaksOf("animal"), 1u);
    EXPECT_GE(run.pieces(), 35u);
}

TEST(PaperScenes, SecondBallBreaksOneLargeFragmentOfTheWall) {
    WatchedRun run("su09-fig7-wall-again");
    run.run(30);
    EXPECT_EQ(run.breaks(), 1u);
    EXPECT_EQ(run.pieces(), 25u);
    run.run(90);
    run.expectCalm();
    EXPECT_EQ(run.breaks(), 2u);
    EXPECT_EQ(run.pieces(), 49u);
}

TEST(PaperScenes, SpheresShatterOnTheTableThenTheTableBreaks) {
    WatchedRun run("su09-fig8-table", {"spheres=30"});
    run.run(60);
    EXPECT_EQ(run.breaks(), 30u);
    EXPECT_EQ(run.breaksOf("top"), 0u);
    run.run(40);
    run.expectCalm(0.1, 1.25);  // four tonnes of steel, 0.8 m per frame, land on what lies on the floor
    EXPECT_EQ(run.breaksOf("top"), 1u);
    EXPECT_EQ(run.breaks(), 31u);
}

TEST(PaperScenes, WallBreaksAlongARealisticPattern) {
    WatchedRun run("su09-fig9-realistic");
    run.run(90);
    run.expectCalm();
    EXPECT_EQ(run.breaks(), 1u);
    EXPECT_GE(run.pieces(), 15u);
}

}  // namespace
}  // namespace sunder
