#include "sim/simulation.h"

#include <functional>
#include <set>

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/parallel.h"
#include "sim/test_shatter.h"

namespace sunder::sim {
namespace {

using namespace test_shatter;

/// Every break of a run, checked: nothing is made or lost.
void expectConserving(const BreakReport& report) {
    EXPECT_LE(report.massError(), 1e-12) << report.name;
    EXPECT_LE(report.momentumError(), 1e-12) << report.name;
    EXPECT_LE(report.angularMomentumError(), 1e-12) << report.name;
    EXPECT_LE(report.volumeError(), 1e-9) << report.name;
    EXPECT_EQ(report.openPieces, 0u) << report.name;
    EXPECT_LE(report.energyTaken, report.energyWanted * (1 + 1e-9) + 1e-12);
    EXPECT_GE(report.energyTaken, 0);
    EXPECT_FALSE(report.reason.empty());
}

struct Motion {
    Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
    double mass = 0, kinetic = 0;
};

/// The motion of all bodies that can move, about the origin; worked out here, not by the loop.
Motion motionOf(const Simulation& simulation) {
    Motion sum;
    for (const BodySerial serial : simulation.bodies()) {
        const dynamics::BodyState body = simulation.state(serial);
        if (body.kind != dynamics::BodyKind::Dynamic) continue;
        sum.mass += body.mass;
        sum.linear += body.mass * body.velocity;
        sum.angular += body.centre.cross(body.mass * body.velocity) + body.angularMomentum;
        sum.kinetic +=
            0.5 * body.mass * body.velocity.squaredNorm() + 0.5 * body.angularVelocity.dot(body.angularMomentum);
    }
    return sum;
}

/// A block that flies and spins is hit by a ball, far from anything else and without weight.
SimulationSetup hitInSpace(double energy) {
    SimulationSetup setup;
    setup.world.gravity = Vec3::Zero();
    BodySetup block = box("block", {1, 0.6, 0.4}, {5, -3, 2});
    block.options.velocity = {1, 2, -3};
    block.options.angularVelocity = {2, -1, 3};
    block.method = std::make_shared<Shatter>(10, 12, 1, energy);
    setup.bodies.push_back(block);
    setup.bodies.push_back(ball("ball", 0.2, {5.1, -3, 3.2}, {1, 2, -25}));
    return setup;
}

TEST(Simulation, ABreakInFlightKeepsMassAndMomentum) {
    for (const double energy : {0.0, 200.0}) {
        Simulation simulation(hitInSpace(energy));
        const Motion before = motionOf(simulation);
        size_t breaks = 0;
        for (int i = 0; i < 5; ++i) {
            const StepReport report = simulation.step();
            breaks += report.breaks.size();
            for (const BreakReport& one : report.breaks) {
                expectConserving(one);
                EXPECT_NEAR(one.energyTaken, energy, 1e-9 * energy);
                EXPECT_EQ(one.fragments.size(), 12u);
            }
        }
        ASSERT_EQ(breaks, 1u);
        const Motion after = motionOf(simulation);
        EXPECT_NEAR(after.mass, before.mass, 1e-12 * before.mass);
        // contacts of the frame are in single precision: momentum of the whole run holds less exactly than of the break
        EXPECT_LE((after.linear - before.linear).norm(), 1e-4 * before.linear.norm());
        EXPECT_LE(after.kinetic, before.kinetic - energy);
    }
}

/// Fragments' centres and inertias that do not add up to the parent's, as those of grids: momentum is kept all the
/// same.
struct Careless : Shatter {
    using Shatter::Shatter;
    fracture::FracturePlan planOf(const fracture::Solid& solid, const fracture::Loads& loads) const override {
        fracture::FracturePlan plan = Shatter::planOf(solid, loads);
        for (fracture::Fragment& fragment : plan.fragments) {
            TriMesh moved = fragment.mesh();
            for (Vec3& p : moved.positions) p = 1.01 * p + Vec3(0.003, -0.002, 0.001);
            fragment.geometry = makeSolid(std::move(moved));
        }
        return plan;
    }
};

TEST(Simulation, MomentumIsKeptAlsoWhenVolumesAreOff) {
    SimulationSetup setup = hitInSpace(0);
    setup.bodies[0].method = std::make_shared<Careless>(10, 12);
    Simulation simulation(setup);
    std::vector<BreakReport> breaks;
    for (int i = 0; i < 5 && breaks.empty(); ++i) breaks = simulation.step().breaks;
    ASSERT_EQ(breaks.size(), 1u);
    EXPECT_GT(breaks[0].volumeError(), 0.01);
    EXPECT_LE(breaks[0].massError(), 1e-12);
    EXPECT_LE(breaks[0].momentumError(), 1e-12);
    EXPECT_LE(breaks[0].angularMomentumError(), 1e-12);
}

TEST(Simulation, ABallThroughAWallLosesOnlyWhatBreakingAndPushingTook) {
    Simulation breaking(ballThroughWall());
    SimulationSetup solid = ballThroughWall();
    solid.bodies[1].method = nullptr;
    Simulation unbroken(solid);
    const BodySerial cannonball{2};
    size_t pieces = 0;
    for (int i = 0; i < 8; ++i) {
        for (const BreakReport& one : breaking.step().breaks) {
            expectConserving(one);
            pieces += one.fragments.size();
        }
        unbroken.step();
    }
    EXPECT_EQ(pieces, 40u);
    EXPECT_GT(unbroken.state(cannonball).velocity.z(), -2);  // all 3000 kg had to be pushed by its 235
    EXPECT_LT(breaking.state(cannonball).velocity.z(), -6);  // some fragments alone
    EXPECT_LT(breaking.state(cannonball).centre.z(), -0.5);  // it is through
}

TEST(Simulation, EnergyNeverGrowsInABreakingRain) {
    Simulation simulation(breakingRain());
    double before = 0, scale = 0;
    size_t breaks = 0;
    int oldest = 0;
    for (int i = 0; i < 60; ++i) {
        const StepReport report = simulation.step();
        const dynamics::EnergyAccount& energy = report.motion.energy;
        scale = std::max(scale, energy.linear + energy.rotational);
        if (i > 0) {
            EXPECT_LE(energy.mechanical() - before, 1e-6 * scale) << "frame " << report.frame;
        }
        before = energy.mechanical();
        for (const BreakReport& one : report.breaks) expectConserving(one);
        for (const BodyFacts& born : report.born) oldest = std::max(oldest, born.generation);
        breaks += report.breaks.size();
    }
    EXPECT_GE(breaks, 12u);  // six boxes, and some of their fragments
    EXPECT_EQ(oldest, 2) << "fragments break again, and those of the second generation do not";
}

TEST(Simulation, NamesAndParentsTellWhereAFragmentCameFrom) {
    Simulation simulation(breakingRain());
    std::set<std::string> names;
    for (int i = 0; i < 40; ++i) {
        for (const BodyFacts& born : simulation.step().born) {
            EXPECT_TRUE(names.insert(born.name).second) << born.name << " twice";
            EXPECT_EQ(std::count(born.name.begin(), born.name.end(), '/'), born.generation);
            EXPECT_LT(raw(born.parent), raw(born.serial));
            EXPECT_EQ(born.born, simulation.frame());
        }
    }
    EXPECT_TRUE(names.contains("box0/p3"));
}

TEST(Simulation, FragmentsFitTogetherWhenTheyAreBorn) {
    SimulationSetup setup = hitInSpace(0);
    setup.reprocessRounds = 0;  // breaks when the next frame begins: look at it before it moves
    Simulation simulation(setup);
    StepReport report;
    for (int i = 0; i < 5 && report.breaks.empty(); ++i) report = simulation.step();
    ASSERT_EQ(report.breaks.size(), 1u);
    // crack faces: every triangle that is not on the box's surface has a partner with the same corners, turned
    std::map<std::array<std::array<double, 3>, 3>, int> faces;
    for (const BodyFacts& born : report.born) {
        for (const Triangle& triangle : born.mesh()->triangles) {
            std::array<std::array<double, 3>, 3> corners;
            for (size_t k = 0; k < 3; ++k) {
                const Vec3& p = born.mesh()->positions[triangle[k]];
                corners[k] = {p.x(), p.y(), p.z()};
            }
            std::sort(corners.begin(), corners.end());
            ++faces[corners];
        }
    }
    const size_t shared =
        static_cast<size_t>(std::count_if(faces.begin(), faces.end(), [](auto& f) { return f.second == 2; }));
    EXPECT_GT(shared, 20u);
}

TEST(Simulation, ABreakIsToldOfWhereTheBodiesMetNotWhereTheFrameBegan) {
    SimulationSetup setup;
    setup.world.gravity = Vec3::Zero();
    BodySetup flying = box("flying", {1, 1, 1}, {0, 0, 0});
    flying.options.velocity = {20, 0, 0};  // m/s: two thirds of a metre in a frame
    flying.method = std::make_shared<Shatter>(1, 8);
    BodySetup post = box("post", {1, 4, 4}, {1.3, 0, 0});  // its face is 0.3 m ahead
    post.options.kind = dynamics::BodyKind::Static;
    setup.bodies = {flying, post};
    Simulation simulation(setup);
    const StepReport report = simulation.step();
    ASSERT_EQ(report.breaks.size(), 1u);
    EXPECT_NEAR(report.breaks[0].point.x(), 0.8, 0.05);
}

TEST(Simulation, AFrameThatIsStoppedInABreakIsAsIfItHadNotBegun) {
    /// Asks to stop while it is asked.
    struct Stopper : Shatter {
        using Shatter::Shatter;
        Progress* progress = nullptr;
        fracture::FracturePlan planOf(const fracture::Solid& solid, const fracture::Loads& loads) const override {
            if (progress != nullptr) progress->cancel();
            cancelPoint();
            return Shatter::planOf(solid, loads);
        }
    };
    auto stopper = std::make_shared<Stopper>(10, 6);
    SimulationSetup setup = hitInSpace(0);
    setup.bodies[0].method = stopper;
    Simulation stopped(setup), straight(setup);
    size_t stops = 0;
    for (int i = 0; i < 5; ++i) {
        Progress progress;
        stopper->progress = &progress;
        const uint64_t before = stopped.stateHash();
        try {
            (void)stopped.step({&progress, nullptr});
        } catch (const Cancelled&) {
            ++stops;
            EXPECT_EQ(stopped.stateHash(), before);
            stopper->progress = nullptr;
            (void)stopped.step();
        }
        stopper->progress = nullptr;
        (void)straight.step();
        EXPECT_EQ(stopped.stateHash(), straight.stateHash()) << "frame " << i;
    }
    EXPECT_EQ(stops, 1u);
}

/// Stays in one piece, a little smaller after every blow.
struct Dents : Shatter {
    using Shatter::Shatter;
    fracture::FracturePlan planOf(const fracture::Solid& solid, const fracture::Loads&) const override {
        fracture::FracturePlan plan;
        plan.outcome = fracture::Outcome::Dented;
        TriMesh smaller = solid.mesh();
        for (Vec3& p : smaller.positions) p *= 0.99;
        plan.fragments = {{makeSolid(std::move(smaller)), solid.mass, {}}};
        return plan;
    }
};

TEST(Simulation, AFrameThatIsStoppedWhileBodiesMoveIsAsIfItHadNotBegun) {
    // boxes that fall and do not break: there is nothing but the world to be stopped in
    SimulationSetup setup = breakingRain(20);
    for (BodySetup& body : setup.bodies) body.method = nullptr;
    Simulation stopped(setup), unbroken(setup);
    for (int frame = 0; frame < 5; ++frame) {
        (void)stopped.step();
        (void)unbroken.step();
    }
    Progress progress;
    progress.cancel();
    EXPECT_THROW((void)stopped.step({&progress, nullptr}), Cancelled);
    EXPECT_EQ(stopped.frame(), 5u);
    EXPECT_EQ(stopped.stateHash(), unbroken.stateHash());
    for (int frame = 0; frame < 10; ++frame) {
        (void)stopped.step();
        (void)unbroken.step();
    }
    EXPECT_EQ(stopped.stateHash(), unbroken.stateHash());
}

TEST(Simulation, ABodyBeyondAllNumbersEndsTheRunAtTheFrameBefore) {
    // two quiet frames, then something throws the ball far too hard
    SimulationSetup setup;
    setup.world.gravity = Vec3::Zero();
    setup.bodies.push_back(box("block", {1, 1, 1}, {9, 0, 0}));
    setup.bodies.push_back(ball("ball", 0.2, {0, 0, 0}, {1, 0, 0}));
    setup.actions.push_back({"ball", PushAction{2.5 * setup.dt, Vec3(1e175, 0, 0), {}}});
    Simulation simulation(setup);
    Progress progress;
    for (int frame = 0; frame < 2; ++frame) (void)simulation.step({&progress, nullptr});
    const uint64_t before = simulation.stateHash();
    try {
        (void)simulation.step({&progress, nullptr});
        FAIL();
    } catch (const InputError& error) {
        EXPECT_EQ(error.where(), "frame 3");
        EXPECT_NE(error.message().find("body \"ball\""), std::string::npos) << error.message();
    }
    EXPECT_EQ(simulation.frame(), 2u);
    EXPECT_EQ(simulation.stateHash(), before);
}

TEST(Simulation, ABlowDentsOnceThoughItsFrameIsDoneAgain) {
    SimulationSetup setup;
    setup.world.gravity = Vec3::Zero();
    setup.bodies = {box("box", {1, 1, 1}, {0, 0, 0}), ball("ball", 0.2, {0, 0, 1.5}, {0, 0, -20})};
    setup.bodies[0].method = std::make_shared<Dents>(50, 2);
    Simulation simulation(std::move(setup));
    size_t dents = 0;
    for (int frame = 0; frame < 10; ++frame) dents += simulation.step().breaks.size();
    EXPECT_EQ(dents, 1u);
}

/// Always stays whole, and says so.
struct Sturdy : Shatter {
    using Shatter::Shatter;
    struct Answer : fracture::Breakable {
        fracture::FracturePlan plan(const fracture::Loads& loads, const fracture::Context& context) const override {
            context.warn(fmt::format("took {} pushes", loads.list.size()));
            return {};
        }
    };
    std::unique_ptr<const fracture::Breakable> prepare(const fracture::Solid&,
                                                       const fracture::Context&) const override {
        return std::make_unique<Answer>();
    }
};

TEST(Simulation, WhatAMethodSaysOfItsPlanIsInTheReport) {
    // the wall breaks, so the frame is done again, and the post is asked twice
    SimulationSetup setup;
    setup.world.gravity = Vec3::Zero();
    setup.bodies = {box("wall", {1, 1, 1}, {0, 0, 0}), ball("ball", 0.2, {0, 0, 1.5}, {0, 0, -20}),
                    box("post", {1, 1, 1}, {10, 0, 0}), ball("other", 0.2, {10, 0, 1.5}, {0, 0, -20})};
    setup.bodies[0].method = std::make_shared<Shatter>(50, 2);
    setup.bodies[2].method = std::make_shared<Sturdy>(50, 2);
    Simulation simulation(std::move(setup));
    std::vector<std::string> messages;
    for (int frame = 0; frame < 10; ++frame) {
        for (std::string& message : simulation.step().messages) messages.push_back(std::move(message));
    }
    ASSERT_EQ(messages.size(), 1u);
    EXPECT_EQ(messages[0], "frame 2: post: took 1 pushes");
}

TEST(Simulation, TheBudgetOfBodiesEndsBreaking) {
    SimulationSetup setup = breakingRain();
    setup.bodyBudget = 25;
    Simulation simulation(setup);
    std::vector<std::string> messages;
    for (int i = 0; i < 60; ++i) {
        const StepReport report = simulation.step();
        messages.insert(messages.end(), report.messages.begin(), report.messages.end());
        ASSERT_LE(simulation.bodies().size(), 25u);
    }
    ASSERT_EQ(messages.size(), 1u);
    EXPECT_NE(messages[0].find("the budget is 25"), std::string::npos) << messages[0];
}

TEST(Simulation, IsTheSameOnOneTwoAndFourThreads) {
    const auto hashes = [](int threads) {
        const ThreadLimit limit(threads);
        Simulation simulation(breakingRain());
        std::vector<uint64_t> all;
        for (int i = 0; i < 40; ++i) {
            simulation.step();
            all.push_back(simulation.stateHash());
        }
        return all;
    };
    const std::vector<uint64_t> one = hashes(1);
    EXPECT_EQ(one, hashes(2));
    EXPECT_EQ(one, hashes(4));
}

TEST(Simulation, GoesOnFromBytesAsIfUnbroken) {
    Simulation simulation(breakingRain());
    std::map<BodySerial, GeometryPtr> geometries;
    const auto step = [&](Simulation& which) {
        for (const BodyFacts& born : which.step().born) geometries[born.serial] = born.geometry;
    };
    for (int i = 0; i < 16; ++i) step(simulation);
    ASSERT_GT(simulation.bodies().size(), 20u);
    Simulation loaded =
        Simulation::load(breakingRain(), simulation.save(), [&](BodySerial s) { return geometries.at(s); });
    ASSERT_EQ(loaded.stateHash(), simulation.stateHash());
    for (int i = 0; i < 30; ++i) {
        step(simulation);
        step(loaded);
        ASSERT_EQ(loaded.stateHash(), simulation.stateHash()) << "frame " << i;
    }
    EXPECT_EQ(loaded.save(), simulation.save());
}

TEST(Simulation, BytesOfAnotherSceneOrDamagedOnesAreRefused) {
    Simulation simulation(ballThroughWall());
    simulation.step();
    const std::vector<std::byte> bytes = simulation.save();
    const auto none = [](BodySerial) { return GeometryPtr(); };
    EXPECT_THROW(Simulation::load(breakingRain(), bytes, none), std::runtime_error);
    for (size_t size = 0; size < bytes.size(); size += 11)
        EXPECT_THROW(Simulation::load(ballThroughWall(), std::span(bytes).first(size), none), std::runtime_error);
}

TEST(Simulation, BytesOfAChangedSetupAreRefusedWithWhatChanged) {
    const auto withExtras = [] {
        SimulationSetup setup = ballThroughWall();
        setup.fields.emplace_back(dynamics::DragField{.linear = 0.1});
        setup.explosions.push_back({0, {.centre = {0, 0, 1}, .radius = 4, .impulse = 10}});
        setup.explosions.push_back({3, {.centre = {0, 0, 1}, .radius = 4, .impulse = 10}});
        setup.bodies.push_back(box("arm", {1, 1, 1}, {9, 9, 9}));
        setup.bodies.back().options.kind = dynamics::BodyKind::Kinematic;
        setup.bodies.back().options.motion =
            dynamics::Motion{dynamics::KeyframePath{}, {Quat::Identity(), Vec3(9, 9, 9)}, {}};
        setup.bodies[1].method = std::make_shared<Shatter>(1e9, 40);  // does not break by its weight
        setup.bodies[1].methodSettings = "pieces 40";
        return setup;
    };
    Simulation simulation(withExtras());
    simulation.step();
    const std::vector<std::byte> bytes = simulation.save();
    const auto complaint = [&](const std::function<void(SimulationSetup&)>& change) -> std::string {
        SimulationSetup setup = withExtras();
        change(setup);
        try {
            Simulation::load(setup, bytes, [](BodySerial) { return GeometryPtr(); });
        } catch (const std::runtime_error& error) {
            const std::string text = error.what();
            return text.substr(text.find(": ") + 2);
        }
        return "";
    };
    EXPECT_EQ(complaint([](SimulationSetup&) {}), "");
    EXPECT_EQ(complaint([](SimulationSetup& s) { s.dt = 0.01; }), "frame rate");
    EXPECT_EQ(complaint([](SimulationSetup& s) { s.seed = 5; }), "seed");
    EXPECT_EQ(complaint([](SimulationSetup& s) { s.world.gravity.y() = -1; }), "gravity or solver settings");
    EXPECT_EQ(complaint([](SimulationSetup& s) { s.world.step.sleeping = false; }), "gravity or solver settings");
    EXPECT_EQ(complaint([](SimulationSetup& s) { std::get<dynamics::DragField>(s.fields[0]).wind.x() = 1; }),
              "force fields");
    EXPECT_EQ(complaint([](SimulationSetup& s) { s.explosions[0].explosion.radius = 5; }), "explosions");
    EXPECT_EQ(complaint([](SimulationSetup& s) { s.explosions[1].explosion.radius = 5; }), "") << "still to come";
    EXPECT_EQ(complaint([](SimulationSetup& s) { s.bodyBudget = 7; }), "limits");
    EXPECT_EQ(complaint([](SimulationSetup& s) { s.bodies[1].name = "w"; }), "bodies");
    EXPECT_EQ(complaint([](SimulationSetup& s) { s.bodies[2].options.velocity.x() = 1; }),
              "places, velocities or motions of bodies");
    EXPECT_EQ(complaint([](SimulationSetup& s) { s.bodies[3].options.motion->path = dynamics::SpinPath{}; }),
              "places, velocities or motions of bodies");
    EXPECT_EQ(complaint([](SimulationSetup& s) {
                  TriMesh mesh = *s.bodies[1].mesh();
                  mesh.positions[VertexIndex{0}].x() += 1e-9;
                  s.bodies[1].geometry = makeSolid(std::move(mesh));
              }),
              "shapes or meshes");
    EXPECT_EQ(complaint([](SimulationSetup& s) { s.bodies[1].options.material.friction = 0.1; }),
              "masses, surfaces, anchors or layers of bodies");
    EXPECT_EQ(complaint([](SimulationSetup& s) { s.bodies[1].methodSettings = "pieces 41"; }), "fracture settings");
    EXPECT_EQ(complaint([](SimulationSetup& s) {
                  s.seed = 5;
                  s.bodies[1].method.reset();
              }),
              "seed, fracture settings");
}

TEST(Simulation, AnExplosionBreaksAndPushesThePieces) {
    SimulationSetup setup;
    setup.world.gravity = Vec3::Zero();
    BodySetup block = box("block", {1, 1, 1}, {0, 0, 0});
    block.method = std::make_shared<Shatter>(100, 20);
    setup.bodies.push_back(block);
    setup.explosions.push_back({0.05, {.centre = {0, 0, 1}, .radius = 4, .impulse = 1000}});
    Simulation simulation(setup);
    EXPECT_TRUE(simulation.step().breaks.empty());
    const StepReport report = simulation.step();
    ASSERT_EQ(report.breaks.size(), 1u);
    EXPECT_GT(report.workOfExplosions, 0);
    std::set<double> speeds;
    for (const BodySerial serial : simulation.bodies()) speeds.insert(simulation.state(serial).velocity.norm());
    EXPECT_EQ(speeds.size(), 20u) << "each piece is pushed by itself";
}

TEST(Simulation, AHeldWallLetsGoOnlyWhatIsHit) {
    SimulationSetup setup = ballThroughWall();
    setup.bodies[1].options.kind = dynamics::BodyKind::Static;
    setup.bodies[1].fragmentAnchor = 1500;
    Simulation simulation(setup);
    for (int i = 0; i < 15; ++i) {
        for (const BreakReport& one : simulation.step().breaks) expectConserving(one);
    }
    size_t held = 0, gone = 0;
    for (const BodySerial serial : simulation.bodies()) {
        if (simulation.facts(serial).generation == 0) continue;
        (simulation.state(serial).anchored ? held : gone) += 1;
    }
    EXPECT_GE(held, 10u);
    EXPECT_GE(gone, 1u);
}

}  // namespace
}  // namespace sunder::sim
