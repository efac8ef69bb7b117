#include <algorithm>
#include <numbers>

#include "geometry/convex/fragment_generator.h"
#include "tests/scenes/scene_parts.h"

namespace sunder::scenes {
namespace {

/// A hollow drum around the z axis, of flat plates, closed at both ends.
dynamics::ShapePtr makeDrum(double radius, double length, int plates) {
    constexpr double kThickness = 0.1;  // m
    std::vector<dynamics::PlacedShape> parts;
    const double turn = 2 * std::numbers::pi / plates;
    // half of a plate's width on the inside: radius * tan(turn / 2), by the rotation itself
    const Vec3 corner = dynamics::rotationBy(Vec3(0, 0, 0.5 * turn)) * Vec3::UnitX();
    const double width = 2 * (radius + kThickness) * corner.y() / corner.x();
    const dynamics::ShapePtr plate = dynamics::makeBox(Vec3(kThickness, width, length));
    for (int i = 0; i < plates; ++i) {
        const Quat rotation = dynamics::rotationBy(Vec3(0, 0, i * turn));
        parts.push_back({plate, {rotation, rotation * Vec3(radius + 0.5 * kThickness, 0, 0)}});
    }
    const double across = 2 * (radius + kThickness) / corner.x();
    const dynamics::ShapePtr lid = dynamics::makeBox(Vec3(across, across, kThickness));
    for (const double end : {-1.0, 1.0}) parts.push_back({lid, at(Vec3(0, 0, end * 0.5 * (length + kThickness)))});
    return dynamics::makeCompound(parts);
}

const Vec3 kDrumCentre(0, 1.5, 0);  // m

Scene emptyDrum(const dynamics::WorldOptions& options) {
    constexpr double kRadius = 1, kLength = 0.8, kSpeed = 1.5;  // m, m, rad/s
    Scene scene{"fragments in a rotating drum", dynamics::World(options), {}, {}, {{"speed", kSpeed}}};
    scene.named["machine"] =
        scene.world.add({.shape = makeDrum(kRadius, kLength, 16),
                         .pose = at(kDrumCentre),
                         .kind = dynamics::BodyKind::Kinematic,
                         .material = surface(kPileFriction),
                         .motion = dynamics::Motion{dynamics::SpinPath{Vec3::UnitZ(), kSpeed}, at(kDrumCentre), {}}});
    return scene;
}

}  // namespace

Scene rotatingDrum(const dynamics::WorldOptions& options) {
    Scene scene = emptyDrum(options);
    // fragments of half the size on a lattice that fills the drum, no ball around one touching another
    constexpr double kSpacing = 0.28;  // m
    uint64_t count = 0;
    for (int x = -3; x <= 3; ++x) {
        for (int y = -3; y <= 3; ++y) {
            if (x * x + y * y > 9) continue;
            for (const double z : {-0.2, 0.2}) {
                std::vector<Vec3> corners = convexFragment(7, count++).vertices;
                for (Vec3& corner : corners) corner *= 0.5;
                addPiece(scene, {.shape = dynamics::makeHull(corners),
                                 .pose = at(kDrumCentre + Vec3(kSpacing * x, kSpacing * y, z)),
                                 .material = surface(kPileFriction)});
            }
        }
    }
    return scene;
}

Scene halfFullDrum(const dynamics::WorldOptions& options) {
    Scene scene = emptyDrum(options);
    const Box3 block{kDrumCentre + Vec3(-0.7, -0.65, -0.38), kDrumCentre + Vec3(0.7, 0.15, 0.38)};
    for (dynamics::BodyOptions piece : voronoiPieces({.box = block, .count = 250})) {
        piece.material = surface(kPileFriction);
        addPiece(scene, piece);
    }
    return scene;
}

Scene elevator(const dynamics::WorldOptions& options) {
    constexpr double kRise = 3, kStart = 1, kDuration = 4;  // m, s, s
    const dynamics::KeyframePath rise{
        .keys = {{kStart, Vec3::Zero(), Quat::Identity()}, {kStart + kDuration, Vec3(0, kRise, 0), Quat::Identity()}}};
    Scene scene{"an elevator lifts five boxes", dynamics::World(options), {}, {}, {{"rise", kRise}}};
    scene.named["machine"] = scene.world.add({.shape = dynamics::makeBox(Vec3(2, 0.1, 2)),
                                              .pose = at(Vec3(0, -0.05, 0)),
                                              .kind = dynamics::BodyKind::Kinematic,
                                              .motion = dynamics::Motion{rise, at(Vec3(0, -0.05, 0)), {}}});
    scene.named["floor"] = scene.world.add({.shape = dynamics::makeHalfSpace(),
                                            .pose = at(Vec3(0, -0.1, 0)),  // where the platform's underside starts
                                            .kind = dynamics::BodyKind::Static});
    const dynamics::ShapePtr box = dynamics::makeBox(Vec3::Constant(0.3));
    for (int i = 0; i < 3; ++i) addPiece(scene, {.shape = box, .pose = at(Vec3(0.6 * (i - 1), 0.15, 0))});
    for (int i = 0; i < 2; ++i) addPiece(scene, {.shape = box, .pose = at(Vec3(0, 0.45 + 0.3 * i, 0))});
    return scene;
}

Scene conveyor(const dynamics::WorldOptions& options) {
    constexpr double kSpeed = 1.5, kLength = 60;  // m/s, m
    const dynamics::KeyframePath run{
        .keys = {{0, Vec3::Zero(), Quat::Identity()}, {1024, Vec3(1024 * kSpeed, 0, 0), Quat::Identity()}},
        .interpolation = dynamics::Interpolation::Linear};
    Scene scene{"a box is set down on a moving belt", dynamics::World(options), {}, {}, {{"speed", kSpeed}}};
    scene.named["machine"] = scene.world.add({.shape = dynamics::makeBox(Vec3(kLength, 0.1, 1)),
                                              .pose = at(Vec3(0, -0.05, 0)),
                                              .kind = dynamics::BodyKind::Kinematic,
                                              .material = surface(0.5),
                                              .motion = dynamics::Motion{run, at(Vec3(0, -0.05, 0)), {}}});
    scene.named["box"] = addPiece(
        scene,
        {.shape = dynamics::makeBox(Vec3::Constant(0.3)), .pose = at(Vec3(0, 0.15, 0)), .material = surface(0.5)});
    return scene;
}

}  // namespace sunder::scenes
