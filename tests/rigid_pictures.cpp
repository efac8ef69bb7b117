// rigid_pictures <folder> [name ...]: runs scenes of the rigid body engine and draws chosen frames, to be looked at.
// What the eye may miss is printed beside: overlap, floating, speed. Curves are drawn as <scene>_plot.svg, and
// "switches" prints what each part of the step does. Without names: everything.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <numbers>
#include <set>

#include <fmt/format.h>

#include "base/error.h"
#include "geometry/convex/penetration.h"
#include "io/render/image.h"
#include "io/render/pov.h"
#include "tests/rigid_effects.h"
#include "tests/scenes/rigid_scenes.h"

namespace sunder::scenes {
namespace {

using dynamics::BodyId;
using dynamics::Shape;
using dynamics::World;

constexpr double kFrame = 1.0 / 30;  // s

/// One run of a scene.
struct Variant {
    std::string name;  // empty when there is only one
    std::function<Scene()> build;
    int stepsPerFrame = 1;
};

struct Picture {
    std::string name;
    std::vector<Variant> variants;          // one row each
    std::vector<int> frames;                // what to draw: after so many; one column each
    Vec3 viewDirection{-0.3, -0.25, -0.9};  // when no camera is given: all pieces fit
    std::optional<Camera> camera = {};      // the same for all frames
    PictureSize size{640, 400};
    double frame = kFrame;  // s
    bool together = false;  // all frames in one picture, as with an open shutter
};

/// For a variant: everything as usual, but for what `change` switches off.
template <typename Change>
dynamics::WorldOptions without(Change change) {
    dynamics::WorldOptions options;
    change(options.step);
    return options;
}

void forgetEnergy(dynamics::StepOptions& step) {
    step.conservingRotation = step.clampImpulses = step.energyGuard = false;
}
void forgetSweeping(dynamics::StepOptions& step) { step.continuous = false; }

std::vector<Picture> pictures() {
    const double slope = std::numbers::pi / 12;
    const Vec3 low(-0.4, -0.2, -0.9), high(-0.3, -0.6, -0.8);
    const PictureSize square{320, 320}, small{400, 260};
    const auto one = [](std::function<Scene()> build) { return std::vector<Variant>{{"", std::move(build)}}; };
    return {
        {"struck_stack",
         one([] { return struckStack(); }),
         {11, 16, 30},
         {},
         Camera{{1.2, 2.2, 9}, {1.4, 1.3, 0}, 42},
         small},
        {"incline",
         one([slope] { return incline(slope, 0.5, 5); }),
         {0, 6, 14, 90},
         {},
         Camera{{4.2, 2.1, 7.2}, {2.9, -0.62, 0}, 47},
         {640, 320},
         kFrame,
         true},
        {"stack", one([] { return stackOfCubes(); }), {300}},
        {"heavy_on_light", one([] { return heavyOnLight(); }), {300}},
        {"wall", one([] { return brickWall(); }), {300}},
        {"card_house", one([] { return cardHouse(); }), {300}, low},
        {"dominoes",
         one([] { return dominoes(); }),
         {10, 25, 90},
         {},
         Camera{{0.75, 0.62, 2.6}, {0.98, 0.06, 0}, 46},
         {640, 170}},
        {"pile", one([] { return pile(); }), {45, 300}, high},
        {"concave_pile", one([] { return concavePile({.count = 300}); }), {300}, high},
        {"drum",
         one([] { return halfFullDrum(); }),
         {1, 45, 90, 300},
         {},
         Camera{{0, 1.9, 5}, {0, 1.5, 0}, 30},
         square},
        {"elevator", one([] { return elevator(); }), {0, 90, 180}, {}, Camera{{2.5, 5.2, 9}, {0, 1.7, 0}, 30}, square},
        {"conveyor", one([] { return conveyor(); }), {3, 15, 60}, {}, Camera{{2.5, 1.2, 5}, {1.3, 0.1, 0}, 40}},
        // it flips within about a tenth of a second
        {"wing_nut",
         one([] { return wingNut(); }),
         {0, 8, 12, 14, 16, 18, 20, 24},
         {},
         Camera{{0.09, 0.1, 0.32}, {0, 0.006, 0}, 24},
         {200, 200},
         1.0 / 240},
        {"snug_cube",
         one([] { return snugCube({.floor = true}); }),
         {1, 60, 300},
         {},
         Camera{{1.6, 1.7, 3.4}, {0, 0.4, 0}, 34}},
        {"billiard", one([] { return billiardBreak(); }), {2, 8, 14}, {}, Camera{{0.4, 3, 0.9}, {0.4, 0, 0}, 34}},
        {"pillar",
         {{"with", [] { return shatteredPillar(); }},
          {"without", [] { return shatteredPillar(without(forgetEnergy)); }},
          {"small_steps", [] { return shatteredPillar(); }, 16}},
         {0, 15, 30},
         {},
         Camera{{0.3, 2.4, 11}, {-0.2, 1.8, 0}, 38},
         {360, 270}},
        {"rods", one([] { return rattlingRods(); }), {0, 60}, {}, Camera{{1.2, 2.6, 4.2}, {0, -0.1, 0}, 34}, square},
        {"fast_ball",
         {{"with", [] { return fastBall(Target::StaticWall); }},
          {"without", [] { return fastBall(Target::StaticWall, 100, without(forgetSweeping)); }}},
         {0, 1, 2, 3},
         {},
         Camera{{-2.5, 3.5, 14}, {-0.1, 1, 0}, 46},
         {800, 190},
         kFrame,
         true},
    };
}

RigidTransform worldFromBody(const World& world, BodyId body) {
    return world.state(body).pose * world.shape(body).bodyFromGiven().inverse();
}

TriMesh placedMesh(const World& world, BodyId body) {
    return transformed(world.shape(body).mesh(), worldFromBody(world, body));
}

TriMesh boxMesh(const Box3& box) { return toTriMesh(polytopeOf(box)); }

const Look kGrey{.colour = {0.55, 0.56, 0.58}, .highlight = {0.02, 0.2, 0}};
const Look kExpected{.colour = {0.8, 0.1, 0.08}, .highlight = {0.1, 0.1, 0}};
const Look kFloor{.colour = {0.72, 0.73, 0.75}, .highlight = {0, 0.2, 0}};

bool isDynamic(const World& world, BodyId body) { return world.state(body).kind == dynamics::BodyKind::Dynamic; }

/// Where the cube of incline() should be by now, as half a ball in the slope beside it, as in [su2009] figure 3.
PovObject expectedPlace(const Scene& scene) {
    const World& world = scene.world;
    const RigidTransform slope = world.state(scene.named.at("slope")).pose;
    const double v0 = scene.expected.at("speed"), braking = scene.expected.at("braking");
    const double time = std::min(world.time(), v0 / braking);
    const double way = time * (v0 - 0.5 * braking * time);
    return {transformed(dynamics::makeSphere(0.08)->mesh(), {slope.rotation, slope * Vec3(way, 0, 0.3)}), kExpected};
}

/// What the pieces stand on or in: a floor, and walls that are cut down to where they hide nothing.
void addSurroundings(const Scene& scene, const Box3& things, const Camera& camera, PovScene& drawn) {
    const World& world = scene.world;
    for (const BodyId body : world.bodies()) {
        if (isDynamic(world, body)) continue;
        const Shape& shape = world.shape(body);
        PovObject object{{}, kGrey};
        if (shape.kind() == dynamics::ShapeKind::HalfSpace) {
            // a slab: a floor without end, or a slope as long as the cube may slide
            const double reach = scene.named.contains("slope") ? 8 : 40 * (camera.target - camera.position).norm();
            object.mesh = transformed(boxMesh({Vec3(-reach, -0.01 * reach, -reach), Vec3(reach, 0, reach)}),
                                      worldFromBody(world, body));
            object.outside = kFloor;
        } else if (shape.compound()) {
            // a drum: both lids, its last parts, are left away
            const auto& parts = shape.compound()->parts;
            const RigidTransform pose = worldFromBody(world, body);
            for (size_t i = 0; i + 2 < parts.size(); ++i)
                append(object.mesh, transformed(parts[i].shape->mesh(), pose * parts[i].bodyFromPart));
        } else {
            Box3 box = shape.bounds(worldFromBody(world, body));
            const Vec3 outward = box.centre() - things.centre();
            const bool shown = std::any_of(scene.named.begin(), scene.named.end(),
                                           [&](const auto& named) { return named.second == body; });
            if (!shown && box.min.y() > things.max.y()) continue;  // a lid
            const bool side = !shown && box.max.y() > things.max.y() && box.size().y() > box.size().x() * 0.5;
            if (side && outward.cwiseProduct(Vec3(1, 0, 1)).dot(camera.target - camera.position) < 0) continue;
            if (side) box.max.y() = things.max.y();
            object.mesh = boxMesh(box);
        }
        drawn.objects.push_back(std::move(object));
    }
}

/// Adds what moves; returns the room it takes.
Box3 addPieces(const Scene& scene, PovScene& drawn) {
    Box3 things;
    for (size_t i = 0; i < scene.pieces.size(); ++i) {
        drawn.objects.push_back({placedMesh(scene.world, scene.pieces[i]), pieceLook(i)});
        things.add(boundsOf(drawn.objects.back().mesh));
    }
    if (scene.expected.contains("braking")) drawn.objects.push_back(expectedPlace(scene));
    return things;
}

/// The camera and all that stays where it is.
void finish(const Scene& scene, const Picture& picture, const Box3& things, PovScene& drawn) {
    drawn.viewDirection = picture.viewDirection;
    drawn.ground = false;  // a floor is drawn where it is, so that what sinks into it is seen to
    drawn.camera = picture.camera ? *picture.camera : framedCamera(drawn, picture.size);
    addSurroundings(scene, things, *drawn.camera, drawn);
}

ConvexPolytope polytopeOf(const dynamics::ConvexCore& core) {
    ConvexPolytope polytope;
    for (int i = 0; i < core.vertexCount; ++i) polytope.vertices.push_back(core.vertex(i).cast<double>());
    for (const auto& face : core.faces) {
        polytope.faces.push_back({kInvalidIndex,
                                  face.firstCorner,
                                  face.cornerCount,
                                  {face.normal.cast<double>(), static_cast<double>(face.offset)}});
    }
    polytope.corners = core.corners;
    return polytope;
}

/// How deep two shapes are in each other, m: exact for convex ones and balls, by all corners in the other's distances
/// for fields.
double overlap(const Shape& shapeA, const RigidTransform& poseA, const Shape& shapeB, const RigidTransform& poseB) {
    double deepest = -INFINITY;
    if (shapeA.compound()) {
        for (const dynamics::CompoundPart& part : shapeA.compound()->parts)
            deepest = std::max(deepest, overlap(*part.shape, poseA * part.bodyFromPart, shapeB, poseB));
        return deepest;
    }
    if (shapeB.compound()) return overlap(shapeB, poseB, shapeA, poseA);
    if (shapeA.kind() == dynamics::ShapeKind::Sphere && shapeB.kind() == dynamics::ShapeKind::Sphere)
        return shapeA.radius() + shapeB.radius() - (poseA.translation - poseB.translation).norm();
    if (shapeA.convex() && shapeB.convex() && !shapeA.convex()->faces.empty() && !shapeB.convex()->faces.empty())
        return penetration(polytopeOf(*shapeA.convex()), poseA, polytopeOf(*shapeB.convex()), poseB).depth;
    const auto lookUp = [&](const Shape& points, const RigidTransform& pose, const Shape& field,
                            const RigidTransform& fieldPose) {
        if (!field.field()) return;
        const RigidTransform fieldFromPoints = fieldPose.inverse() * pose;
        for (const Vec3& p : points.mesh().positions)
            deepest = std::max(deepest, -field.field()->field.value(fieldFromPoints * p));
    };
    lookUp(shapeA, poseA, shapeB, poseB);
    lookUp(shapeB, poseB, shapeA, poseA);
    return deepest;
}

void report(const Scene& scene, const std::string& name, int frame) {
    const World& world = scene.world;
    double worst = 0, sum = 0, fastest = 0, lowest = INFINITY, highest = -INFINITY, mean = 0;
    size_t overlapping = 0, asleep = 0, floating = 0;
    std::set<BodyId> touched;
    for (const dynamics::Contact& contact : world.contacts()) {
        const double reach = 0.02 * std::min(world.shape(contact.a).radius(), world.shape(contact.b).radius());
        for (int i = 0; i < contact.count; ++i) {
            if (contact.separation[static_cast<size_t>(i)] < reach)
                touched.insert(contact.a), touched.insert(contact.b);
        }
    }
    const std::vector<BodyId> bodies = world.bodies();
    for (size_t i = 0; i < bodies.size(); ++i) {
        if (world.shape(bodies[i]).kind() == dynamics::ShapeKind::HalfSpace) continue;
        for (size_t j = i + 1; j < bodies.size(); ++j) {
            const Shape& other = world.shape(bodies[j]);
            if (other.kind() == dynamics::ShapeKind::HalfSpace) continue;
            if (!isDynamic(world, bodies[i]) && !isDynamic(world, bodies[j])) continue;
            const double gap = (world.state(bodies[i]).centre - world.state(bodies[j]).centre).norm();
            if (gap > world.shape(bodies[i]).radius() + other.radius()) continue;
            const double depth = overlap(world.shape(bodies[i]), worldFromBody(world, bodies[i]), other,
                                         worldFromBody(world, bodies[j]));
            if (!(depth > 0)) continue;
            worst = std::max(worst, depth);
            sum += depth;
            ++overlapping;
        }
    }
    for (const BodyId piece : scene.pieces) {
        const dynamics::BodyState state = world.state(piece);
        const Box3 box = boundsOf(placedMesh(world, piece));
        lowest = std::min(lowest, box.min.y());
        highest = std::max(highest, box.max.y());
        mean += state.centre.y() / static_cast<double>(scene.pieces.size());
        const double speed = state.velocity.norm() + state.angularVelocity.norm() * world.shape(piece).radius();
        fastest = std::max(fastest, speed);
        asleep += state.asleep;
        // at rest in the air?
        floating += !touched.contains(piece) && speed < 0.05 && world.options().gravity.norm() > 0;
    }
    fmt::print(
        "{:>18} {:4}: overlap worst {:7.3f} mean {:6.3f} mm in {} pairs; lowest {:9.4f} highest {:7.3f} mean {:6.3f} "
        "m; "
        "fastest {:6.3f} m/s; asleep {}/{}, at rest touching nothing {}\n",
        name, frame, 1e3 * worst, overlapping ? 1e3 * sum / static_cast<double>(overlapping) : 0, overlapping, lowest,
        highest, mean, fastest, asleep, scene.pieces.size(), floating);
    std::fflush(stdout);
}

/// Writes every frame, and all of them together as <name>.png.
void make(const Picture& picture, const std::filesystem::path& folder) {
    std::vector<Image> sheet;
    for (const Variant& variant : picture.variants) {
        const std::string name = picture.name + (variant.name.empty() ? "" : "_" + variant.name);
        Scene scene = variant.build();
        PovScene drawn;
        int frame = 0;
        for (const int wanted : picture.frames) {
            for (; frame < wanted; ++frame) {
                for (int i = 0; i < variant.stepsPerFrame; ++i) scene.world.step(picture.frame / variant.stepsPerFrame);
            }
            report(scene, name, frame);
            const Box3 things = addPieces(scene, drawn);
            if (picture.together && wanted != picture.frames.back()) continue;
            finish(scene, picture, things, drawn);
            const std::filesystem::path file = folder / fmt::format("{}_{}.png", name, frame);
            renderPicture(drawn, file, picture.size);
            sheet.push_back(readPng(file));
            drawn = {};
        }
    }
    const int columns = picture.together ? 1 : static_cast<int>(picture.frames.size());
    writePng(contactSheet(sheet, columns, 4, {255, 255, 255}), folder / (picture.name + ".png"));
}

}  // namespace
}  // namespace sunder::scenes

int main(int argc, char** argv) try {
    if (argc < 2) {
        fmt::print(stderr, "usage: rigid_pictures <folder> [scene|scene_plot|switches ...]\n");
        return 2;
    }
    std::filesystem::create_directories(argv[1]);
    const std::set<std::string> chosen(argv + 2, argv + argc);
    for (const auto& picture : sunder::scenes::pictures()) {
        if (chosen.empty() || chosen.contains(picture.name)) sunder::scenes::make(picture, argv[1]);
    }
    sunder::scenes::plotEffects(argv[1], {argv + 2, argv + argc});
    if (chosen.empty() || chosen.contains("switches")) sunder::scenes::printSwitches();
    return 0;
} catch (const std::exception& error) {
    fmt::print(stderr, "rigid_pictures: {}\n", error.what());
    return 1;
}
