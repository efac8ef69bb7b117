// The frame step beside the reference stepper, on the same few bodies: where contacts only rest, slide and roll the two
// must agree closely; where something hits, a frame step knows the moment to within a frame, so that places may differ
// by the way of that time, and less with smaller frames.
#include <cmath>

#include <gtest/gtest.h>

#include "dynamics/world.h"
#include "tests/reference_stepper.h"

namespace sunder {
namespace {

constexpr double kFrame = 1.0 / 30;  // s

ContactMaterial surface(double friction, double restitution) {
    ContactMaterial material;
    material.friction = friction;
    material.restitution = restitution;
    return material;
}

RigidTransform at(double x, double y, double z) { return {Quat::Identity(), Vec3(x, y, z)}; }

/// The same scene on both roads.
struct Both {
    std::vector<reference::Body> start;
    Vec3 gravity{0, -9.81, 0};

    reference::Stepper byReference(double time) const {
        reference::Stepper stepper(start, {.gravity = gravity});
        stepper.advance(time);
        return stepper;
    }

    std::vector<dynamics::BodyState> byWorld(double time, double dt) const {
        dynamics::WorldOptions options;
        options.gravity = gravity;
        options.step.sleeping = false;
        dynamics::World world(options);
        std::vector<dynamics::BodyId> ids;
        for (const reference::Body& body : start) {
            const bool moves = body.mass > 0 && !std::holds_alternative<reference::HalfSpace>(body.shape);
            dynamics::BodyOptions added{.shape = shapeOf(body),
                                        .pose = body.pose,
                                        .kind = moves ? dynamics::BodyKind::Dynamic : dynamics::BodyKind::Static,
                                        .velocity = body.velocity,
                                        .angularVelocity = body.angularVelocity,
                                        .material = body.material};
            if (moves) added.mass = body.mass;
            ids.push_back(world.add(added));
        }
        const int steps = static_cast<int>(std::lround(time / dt));
        for (int i = 0; i < steps; ++i) world.step(dt);
        std::vector<dynamics::BodyState> states;
        for (const dynamics::BodyId id : ids) states.push_back(world.state(id));
        return states;
    }

    static dynamics::ShapePtr shapeOf(const reference::Body& body) {
        if (const auto* sphere = std::get_if<reference::Sphere>(&body.shape)) {
            return dynamics::makeSphere(sphere->radius);
        }
        if (const auto* box = std::get_if<reference::Box>(&body.shape)) return dynamics::makeBox(box->size);
        return dynamics::makeHalfSpace();
    }
};

double angleBetween(const Quat& a, const Quat& b) {
    return 2 * std::asin(std::min(1.0, (a.conjugate() * b).vec().norm()));
}

/// Largest differences over all bodies.
struct Difference {
    double place = 0, angle = 0, velocity = 0, spin = 0;  // m, rad, m/s, rad/s
};

Difference compare(const Both& scene, double time, double dt) {
    const reference::Stepper expected = scene.byReference(time);
    const std::vector<dynamics::BodyState> found = scene.byWorld(time, dt);
    Difference difference;
    for (size_t i = 0; i < found.size(); ++i) {
        const reference::Body& body = expected.body(i);
        if (!(body.mass > 0)) continue;
        difference.place = std::max(difference.place, (found[i].centre - body.pose.translation).norm());
        difference.angle = std::max(difference.angle, angleBetween(found[i].pose.rotation, body.pose.rotation));
        difference.velocity = std::max(difference.velocity, (found[i].velocity - body.velocity).norm());
        difference.spin = std::max(difference.spin, (found[i].angularVelocity - body.angularVelocity).norm());
    }
    std::printf("at 1/%.0f s: place %.2g m, angle %.2g rad, velocity %.2g m/s, spin %.2g rad/s\n", 1 / dt,
                difference.place, difference.angle, difference.velocity, difference.spin);
    return difference;
}

TEST(RigidOracle, SpinningBoxInFlight) {
    const Both scene{{{.shape = reference::Box{Vec3(0.2, 0.4, 0.7)},
                       .pose = at(0, 10, 0),
                       .mass = 10,
                       .velocity = Vec3(1, 5, 2),
                       .angularVelocity = Vec3(3, 6, 1)}}};
    const Difference difference = compare(scene, 1, kFrame);
    EXPECT_LT(difference.place, 1e-6);
    EXPECT_LT(difference.velocity, 1e-6);
    EXPECT_LT(difference.angle, 0.05);
    EXPECT_LT(compare(scene, 1, kFrame / 4).angle, 0.005);
}

TEST(RigidOracle, BoxSlidesDownASlopeAndStops) {
    const Quat tilt(Eigen::AngleAxisd(-0.26, Vec3::UnitZ()));
    const Vec3 up = tilt * Vec3::UnitY();
    const Both scene{{{.shape = reference::HalfSpace{}, .pose = {tilt, Vec3::Zero()}, .material = surface(0.5, 0)},
                      {.shape = reference::Box{Vec3(0.4, 0.2, 0.3)},
                       .pose = {tilt, 0.1 * up},
                       .mass = 60,
                       .velocity = 3 * (tilt * Vec3(0.8, 0, 0.6)),
                       .material = surface(0.5, 0)}}};
    EXPECT_LT(compare(scene, 0.5, kFrame).place, 0.005);
    const Difference stopped = compare(scene, 2, kFrame);
    EXPECT_LT(stopped.place, 0.01);
    EXPECT_LT(stopped.velocity, 1e-3);
}

TEST(RigidOracle, SlidingBallBeginsToRoll) {
    const Both scene{{{.shape = reference::HalfSpace{}, .material = surface(0.3, 0)},
                      {.shape = reference::Sphere{0.2},
                       .pose = at(0, 0.2, 0),
                       .mass = 30,
                       .velocity = Vec3(2, 0, 0),
                       .angularVelocity = Vec3(4, 0, 6),
                       .material = surface(0.3, 0)}}};
    const Difference difference = compare(scene, 1, kFrame);
    EXPECT_LT(difference.place, 0.03);
    EXPECT_LT(difference.velocity, 0.03);
    EXPECT_LT(difference.spin, 0.15);
}

TEST(RigidOracle, BoxTipsOverItsEdge) {
    const Vec3 size(0.2, 1, 0.4);
    const Quat tilt(Eigen::AngleAxisd(-0.3, Vec3::UnitZ()));
    const Vec3 centre = -(tilt * Vec3(0.5 * size.x(), -0.5 * size.y(), 0));
    const Both scene{{{.shape = reference::HalfSpace{}, .material = surface(5, 0)},
                      {.shape = reference::Box{size}, .pose = {tilt, centre}, .mass = 200, .material = surface(5, 0)}}};
    const Difference difference = compare(scene, 0.5, kFrame);
    EXPECT_LT(difference.place, 0.02);
    EXPECT_LT(difference.angle, 0.04);
}

TEST(RigidOracle, OffsetStackStands) {
    Both scene{{{.shape = reference::HalfSpace{}, .material = surface(0.6, 0)}}};
    for (int i = 0; i < 4; ++i) {
        scene.start.push_back({.shape = reference::Box{Vec3::Constant(0.3)},
                               .pose = at(0.03 * i, 0.15 + 0.3 * i, 0.01 * i),
                               .mass = 67.5,
                               .material = surface(0.6, 0)});
    }
    const Difference difference = compare(scene, 1, kFrame);
    EXPECT_LT(difference.place, 0.003);
    EXPECT_LT(difference.velocity, 0.005);
}

TEST(RigidOracle, PlateOnTwoBalls) {
    const Both scene{
        {{.shape = reference::HalfSpace{}, .material = surface(0.6, 0)},
         {.shape = reference::Sphere{0.1}, .pose = at(-0.3, 0.1, 0), .mass = 10, .material = surface(0.6, 0)},
         {.shape = reference::Sphere{0.1}, .pose = at(0.3, 0.1, 0), .mass = 10, .material = surface(0.6, 0)},
         {.shape = reference::Box{Vec3(1, 0.1, 0.3)},
          .pose = at(0, 0.25, 0),
          .mass = 75,
          .velocity = Vec3(0.2, 0, 0),
          .material = surface(0.6, 0)}}};
    // it rolls along on them: the balls at half its speed
    const Difference difference = compare(scene, 0.5, kFrame);
    EXPECT_LT(difference.place, 0.005);
    EXPECT_LT(difference.velocity, 0.02);
}

TEST(RigidOracle, HeadOnBallsOfDifferentMass) {
    const Both scene{{{.shape = reference::Sphere{0.1},
                       .pose = at(-0.5, 0, 0),
                       .mass = 3,
                       .velocity = Vec3(2, 0, 0),
                       .material = surface(0, 0.7)},
                      {.shape = reference::Sphere{0.1}, .pose = at(0, 0, 0), .mass = 8, .material = surface(0, 0.7)}},
                     Vec3::Zero()};
    const Difference difference = compare(scene, 0.5, kFrame);
    EXPECT_LT(difference.velocity, 1e-3);
    EXPECT_LT(difference.place, 2 * 2 * kFrame);
    EXPECT_LT(compare(scene, 0.5, kFrame / 8).place, 2 * 2 * kFrame / 8);
}

TEST(RigidOracle, ObliqueBallsWithSmallFrames) {
    const Both scene{{{.shape = reference::Sphere{0.1},
                       .pose = at(-0.5, 0, 0),
                       .mass = 4,
                       .velocity = Vec3(2, 0, 0),
                       .material = surface(0, 1)},
                      {.shape = reference::Sphere{0.1}, .pose = at(0, 0.1, 0), .mass = 4, .material = surface(0, 1)}},
                     Vec3::Zero()};
    const Difference coarse = compare(scene, 0.5, kFrame), fine = compare(scene, 0.5, kFrame / 8);
    EXPECT_LT(coarse.velocity, 0.1);
    EXPECT_LT(fine.velocity, 0.02);
    // smooth spheres cannot turn each other
    EXPECT_LT(coarse.spin, 1e-5);
    EXPECT_LT(fine.spin, 1e-5);
}

TEST(RigidOracle, BallStrikesABoxOffCentre) {
    const Both scene{
        {{.shape = reference::Box{Vec3(0.2, 1, 0.4)}, .pose = at(0, 0, 0), .mass = 20, .material = surface(0, 0.5)},
         {.shape = reference::Sphere{0.1},
          .pose = at(-0.5, 0.35, 0),
          .mass = 5,
          .velocity = Vec3(3, 0, 0),
          .material = surface(0, 0.5)}},
        Vec3::Zero()};
    const Difference difference = compare(scene, 0.4, kFrame);
    EXPECT_LT(difference.velocity, 0.02);
    EXPECT_LT(difference.spin, 0.05);
    EXPECT_LT(difference.place, 2 * 3 * kFrame);
}

TEST(RigidOracle, BouncingBall) {
    const Both scene{
        {{.shape = reference::HalfSpace{}, .material = surface(0, 0.8)},
         {.shape = reference::Sphere{0.1}, .pose = at(0, 1.1, 0), .mass = 10, .material = surface(0, 0.8)}}};
    // on its way up: speed at the floor 4.4 m/s, known to within a frame
    const Difference coarse = compare(scene, 0.6, kFrame), fine = compare(scene, 0.6, kFrame / 8);
    EXPECT_LT(coarse.place, 2 * 4.4 * kFrame);
    EXPECT_LT(fine.place, 2 * 4.4 * kFrame / 8);
    EXPECT_LT(fine.velocity, 2 * 9.81 * kFrame / 8);
}

}  // namespace
}  // namespace sunder
