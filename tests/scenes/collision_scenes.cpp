#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "base/random.h"
#include "tests/scenes/scene_parts.h"

namespace sunder::scenes {
namespace {

/// Seconds between two flips of a body that spins nearly about its middle axis [landau-mechanics, section 37]; spin in
/// principal axes, moments ascending.
double flipTime(const Vec3& moments, const Vec3& spin) {
    const double twiceEnergy = moments.dot(spin.cwiseAbs2()), squaredL = moments.cwiseProduct(spin).squaredNorm();
    const double low = (moments.z() - moments.y()) * (squaredL - twiceEnergy * moments.x());
    const double high = (moments.y() - moments.x()) * (twiceEnergy * moments.z() - squaredL);
    const double fast = std::max(low, high), slow = std::min(low, high);
    // complete elliptic integral by the arithmetic-geometric mean
    double a = 1, b = std::sqrt(1 - slow / fast);
    for (int i = 0; i < 40; ++i) {
        const double mean = 0.5 * (a + b);
        b = std::sqrt(a * b);
        a = mean;
    }
    return std::numbers::pi / a / std::sqrt(fast / moments.prod());
}

dynamics::WorldOptions withoutGravity(dynamics::WorldOptions options) {
    options.gravity = Vec3::Zero();
    return options;
}

}  // namespace

Scene incline(double angle, double friction, double v0, const dynamics::WorldOptions& options) {
    constexpr double kSide = 0.3;  // m
    const Quat tilt = dynamics::rotationBy(Vec3(0, 0, -angle));
    const Vec3 downhill = tilt * Vec3::UnitX(), up = tilt * Vec3::UnitY();
    Scene scene{"a cube slides down a slope", dynamics::World(options), {}, {}, {}};
    scene.named["slope"] = scene.world.add({.shape = dynamics::makeHalfSpace(),
                                            .pose = {tilt, Vec3::Zero()},
                                            .kind = dynamics::BodyKind::Static,
                                            .material = surface(friction)});
    scene.named["cube"] = addPiece(scene, {.shape = dynamics::makeBox(Vec3::Constant(kSide)),
                                           .pose = {tilt, 0.5 * kSide * up},
                                           .velocity = v0 * downhill,
                                           .material = surface(friction)});
    const double braking = options.gravity.dot(downhill) + friction * options.gravity.dot(up);  // m/s^2, negative
    scene.expected["distance"] = braking < 0 ? -v0 * v0 / (2 * braking) : 0;
    scene.expected["speed"] = v0;
    scene.expected["braking"] = -braking;
    return scene;
}

Scene struckStack(const dynamics::WorldOptions& options) {
    constexpr double kSide = 0.3, kLarge = 0.9;  // m
    Scene scene{"a stack struck by a larger box", dynamics::World(options), {}, {}, {}};
    addFloor(scene);
    const dynamics::ShapePtr cube = dynamics::makeBox(Vec3::Constant(kSide));
    for (const BoxLayout::Box& box : layOutStack(8, kSide).boxes) addPiece(scene, {.shape = cube, .pose = box.pose});
    scene.named["striker"] = addPiece(scene, {.shape = dynamics::makeBox(Vec3::Constant(kLarge)),
                                              .pose = at(Vec3(-4, 1.5, 0)),
                                              .velocity = Vec3(8, 1.5, 0)});
    return scene;
}

Scene wingNut(double speed, dynamics::WorldOptions options) {
    Scene scene{"a wing nut in free space", dynamics::World(withoutGravity(options)), {}, {}, {}};
    const std::array<dynamics::PlacedShape, 3> parts{
        dynamics::PlacedShape{dynamics::makeCylinder(0.015, 0.04), {}},
        dynamics::PlacedShape{dynamics::makeBox(Vec3(0.05, 0.03, 0.006)), at(Vec3(0.035, 0.015, 0))},
        dynamics::PlacedShape{dynamics::makeBox(Vec3(0.05, 0.03, 0.006)), at(Vec3(-0.035, 0.015, 0))}};
    const dynamics::ShapePtr nut = dynamics::makeCompound(parts);

    std::array<int, 3> axes{0, 1, 2};
    std::sort(axes.begin(), axes.end(), [&](int i, int j) { return nut->moments()[i] < nut->moments()[j]; });
    const Vec3 inOrder(1e-3 * speed, speed, 0);  // about the axes of least, middle and greatest inertia
    Vec3 spin, moments;
    for (int i = 0; i < 3; ++i) {
        spin[axes[i]] = inOrder[i];
        moments[i] = nut->moments()[axes[i]];
    }
    scene.expected["flipTime"] = flipTime(moments, inOrder);
    scene.named["nut"] = addPiece(
        scene, {.shape = nut, .angularVelocity = nut->bodyFromGiven().rotation.conjugate() * spin, .density = 7800});
    return scene;
}

Scene newtonsCradle(dynamics::WorldOptions options) {
    constexpr double kRadius = 0.05, kSpeed = 1, kRun = 0.1;  // m, m/s, m
    Scene scene{
        "a ball runs into four that touch", dynamics::World(withoutGravity(options)), {}, {}, {{"speed", kSpeed}}};
    const dynamics::ShapePtr ball = dynamics::makeSphere(kRadius);
    for (int i = 0; i < 5; ++i) {
        addPiece(scene, {.shape = ball,
                         .pose = at(Vec3(2 * kRadius * i - (i == 0 ? kRun : 0), 0, 0)),
                         .velocity = Vec3(i == 0 ? kSpeed : 0, 0, 0),
                         .material = surface(0, 1)});
    }
    return scene;
}

Scene billiardBreak(dynamics::WorldOptions options) {
    constexpr double kRadius = 0.028575, kSpeed = 8;  // m, m/s
    Scene scene{"a billiard break", dynamics::World(withoutGravity(options)), {}, {}, {}};
    const dynamics::ShapePtr ball = dynamics::makeSphere(kRadius);
    const auto add = [&](const Vec3& place, const Vec3& velocity) {
        return addPiece(
            scene,
            {.shape = ball, .pose = at(place), .velocity = velocity, .density = 1750, .material = surface(0, 1)});
    };
    scene.named["cue"] = add(Vec3(-0.5, 0, 0.003), Vec3(kSpeed, 0, 0));
    const double rowSpacing = std::sqrt(3.0) * kRadius;
    for (int row = 0; row < 5; ++row) {
        for (int i = 0; i <= row; ++i) add(Vec3(row * rowSpacing, 0, (2 * i - row) * kRadius), Vec3::Zero());
    }
    return scene;
}

Scene rattlingRods(dynamics::WorldOptions options) {
    constexpr double kInside = 2, kWall = 0.5, kSpacing = 0.6;  // m
    constexpr double kSpeed = 10, kSpin = 50;                   // m/s, rad/s: at most, along each axis
    Scene scene{"rods in a closed box", dynamics::World(withoutGravity(options)), {}, {}, {}};
    for (int axis = 0; axis < 3; ++axis) {
        Vec3 size = Vec3::Constant(kInside + 2 * kWall), place = Vec3::Zero();
        size[axis] = kWall;
        for (const double side : {-0.5, 0.5}) {
            place[axis] = side * (kInside + kWall);
            scene.world.add({.shape = dynamics::makeBox(size),
                             .pose = at(place),
                             .kind = dynamics::BodyKind::Static,
                             .material = surface(0, 1)});
        }
    }
    const dynamics::ShapePtr rod = dynamics::makeBox(Vec3(0.5, 0.04, 0.04));
    for (int i = 0; i < 27; ++i) {
        Random random(3, static_cast<uint64_t>(i));
        Vec3 velocity, spin;
        for (int axis = 0; axis < 3; ++axis) {
            velocity[axis] = random.uniform(-kSpeed, kSpeed);
            spin[axis] = random.uniform(-kSpin, kSpin);
        }
        addPiece(scene, {.shape = rod,
                         .pose = at(kSpacing * Vec3(i / 9 - 1, i / 3 % 3 - 1, i % 3 - 1)),
                         .velocity = velocity,
                         .angularVelocity = spin,
                         .material = surface(0, 1)});
    }
    return scene;
}

Scene fastBall(Target target, double speed, const dynamics::WorldOptions& options) {
    constexpr double kRadius = 0.1, kThickness = 0.02;  // m
    const bool free = target == Target::FreePlate;
    Scene scene{"a fast ball against a thin wall",
                dynamics::World(free ? withoutGravity(options) : options),
                {},
                {},
                {{"thickness", kThickness}}};
    const dynamics::ShapePtr pane = dynamics::makeBox(Vec3(kThickness, 2, 2));
    dynamics::BodyOptions wall{.shape = pane, .pose = at(Vec3(0, 1, 0))};
    if (free) {
        scene.named["wall"] = addPiece(scene, wall);
    } else {
        wall.kind = dynamics::BodyKind::Static;
        scene.named["wall"] = scene.world.add(wall);
    }
    scene.named["ball"] = addPiece(scene, {.shape = dynamics::makeSphere(kRadius),
                                           .pose = at(Vec3(-5.13, 1.05, 0.02)),
                                           .velocity = Vec3(speed, 0, 0),
                                           .density = 7800});
    return scene;
}

}  // namespace sunder::scenes
