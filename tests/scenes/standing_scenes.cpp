#include "tests/scenes/scene_parts.h"

namespace sunder::scenes {
namespace {

Scene boxesOnFloor(const std::string& description, const BoxLayout& layout, const dynamics::WorldOptions& options) {
    Scene scene{description, dynamics::World(options), {}, {}, {}};
    addFloor(scene);
    dynamics::ShapePtr shape;
    Vec3 size = Vec3::Zero();
    for (const BoxLayout::Box& box : layout.boxes) {
        if (box.size != size) shape = dynamics::makeBox(size = box.size);
        addPiece(scene, {.shape = shape, .pose = box.pose});
    }
    return scene;
}

}  // namespace

Scene stackOfCubes(size_t count, double side, const dynamics::WorldOptions& options) {
    return boxesOnFloor("a stack of " + std::to_string(count) + " cubes", layOutStack(count, side), options);
}

Scene brickWall(size_t rows, size_t perRow, const dynamics::WorldOptions& options) {
    return boxesOnFloor("a wall of bricks in running bond", layOutBrickWall(rows, perRow), options);
}

Scene heavyOnLight(double ratio, const dynamics::WorldOptions& options) {
    Scene scene{"a heavy box on a light one", dynamics::World(options), {}, {}, {}};
    addFloor(scene);
    const dynamics::ShapePtr box = dynamics::makeBox(Vec3::Constant(0.3));
    scene.named["light"] = addPiece(scene, {.shape = box, .pose = at(Vec3(0, 0.15, 0)), .mass = 10});
    scene.named["heavy"] = addPiece(scene, {.shape = box, .pose = at(Vec3(0, 0.45, 0)), .mass = 10 * ratio});
    return scene;
}

Scene cardHouse(int storeys, const dynamics::WorldOptions& options) {
    constexpr double kLength = 0.15, kWidth = 0.10, kThickness = 0.002;  // m
    constexpr double kLean = 0.3;                                        // rad from upright; tan 0.3 = 0.31 < friction
    constexpr double kFriction = 0.6, kDensity = 800;

    Scene scene{"a card house of " + std::to_string(storeys) + " storeys", dynamics::World(options), {}, {}, {}};
    addFloor(scene, surface(kFriction));
    const auto addCard = [&](const dynamics::ShapePtr& shape, const RigidTransform& pose) {
        addPiece(scene, {.shape = shape, .pose = pose, .density = kDensity, .material = surface(kFriction)});
    };

    // the right card of a pair: leans to the left, its lowest edge the inner one, its upper inner edge on the apex
    const Quat leftward = dynamics::rotationBy(Vec3(0, 0, kLean)), rightward = leftward.conjugate();
    const Vec3 along = leftward * Vec3(0, 0.5 * kLength, 0), out = leftward * Vec3(0.5 * kThickness, 0, 0);
    const double halfHeight = along.y() + out.y();
    const double fromApex = -along.x() + out.x();                             // of the card's centre
    const double pairSpacing = 2 * (fromApex - along.x() + out.x()) + 0.002;  // neighbours' feet 2 mm apart

    const dynamics::ShapePtr card = dynamics::makeBox(Vec3(kThickness, kLength, kWidth));
    double ground = 0;
    for (int storey = 0; storey < storeys; ++storey) {
        const int pairs = storeys - storey;
        const double y = ground + halfHeight;
        for (int pair = 0; pair < pairs; ++pair) {
            const double apex = (pair - 0.5 * (pairs - 1)) * pairSpacing;
            addCard(card, {rightward, Vec3(apex - fromApex, y, 0)});
            addCard(card, {leftward, Vec3(apex + fromApex, y, 0)});
        }
        ground += 2 * halfHeight;
        if (pairs == 1) break;
        const double sheetLength = pairs * pairSpacing;
        addCard(dynamics::makeBox(Vec3(sheetLength, kThickness, kWidth)), at(Vec3(0, ground + 0.5 * kThickness, 0)));
        ground += kThickness;
    }
    return scene;
}

Scene dominoes(int count, const dynamics::WorldOptions& options) {
    const Vec3 size(0.03, 0.2, 0.1);   // m
    constexpr double kSpacing = 0.10;  // m
    Scene scene{"a row of dominoes, the first pushed", dynamics::World(options), {}, {}, {}};
    addFloor(scene);
    const dynamics::ShapePtr domino = dynamics::makeBox(size);
    for (int i = 0; i < count; ++i) {
        dynamics::BodyOptions body{.shape = domino, .pose = at(Vec3(kSpacing * i, 0.5 * size.y(), 0))};
        if (i == 0) {
            // turning about its foot on the far side
            body.angularVelocity = Vec3(0, 0, -4);
            body.velocity = body.angularVelocity.cross(Vec3(-0.5 * size.x(), 0.5 * size.y(), 0));
        }
        addPiece(scene, body);
    }
    scene.named["first"] = scene.pieces.front();
    scene.named["last"] = scene.pieces.back();
    return scene;
}

}  // namespace sunder::scenes
