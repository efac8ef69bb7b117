#include <algorithm>

#include "base/random.h"
#include "geometry/convex/fragment_generator.h"
#include "geometry/convex/voronoi.h"
#include "tests/scenes/scene_parts.h"

namespace sunder::scenes {
namespace {

void addWalls(Scene& scene, const PileLayout& layout) {
    for (const PlacedBox& wall : layout.walls) {
        scene.world.add({.shape = dynamics::makeBox(wall.size),
                         .pose = wall.pose,
                         .kind = dynamics::BodyKind::Static,
                         .material = surface(kPileFriction)});
    }
}

void addPieces(Scene& scene, const PileLayout& layout, const std::vector<dynamics::ShapePtr>& shapes) {
    for (const PileLayout::Piece& piece : layout.pieces) {
        addPiece(scene, {.shape = shapes[piece.shape],
                         .pose = piece.pose,
                         .density = kPileDensity,
                         .material = surface(kPileFriction)});
    }
}

}  // namespace

std::vector<dynamics::BodyOptions> voronoiPieces(const VoronoiOptions& options) {
    const Vec3& stretch = options.stretch;
    const Box3 box{options.box.min.cwiseQuotient(stretch), options.box.max.cwiseQuotient(stretch)};
    std::vector<Vec3> sites(options.count);
    for (size_t i = 0; i < sites.size(); ++i) {
        Random random(options.seed, i);
        for (int axis = 0; axis < 3; ++axis) sites[i][axis] = random.uniform(box.min[axis], box.max[axis]);
    }
    const VoronoiDiagram diagram = voronoi(sites, box);

    std::vector<dynamics::BodyOptions> pieces;
    for (size_t i = 0; i < sites.size(); ++i) {
        const ConvexPolytope cell = diagram.cell(SiteIndex(static_cast<uint32_t>(i)));
        const Vec3 centre = centreOf(cell);
        std::vector<Vec3> corners;
        for (const Vec3& corner : cell.vertices)
            corners.push_back((1 + options.inflation) * stretch.cwiseProduct(corner - centre));
        pieces.push_back({.shape = dynamics::makeHull(corners), .pose = at(stretch.cwiseProduct(centre))});
    }
    return pieces;
}

Scene pile(const PileOptions& options) {
    const ConvexPile contents = convexPile(options.count, options.seed, options.distinctShapes);
    Scene scene{std::to_string(options.count) + " convex fragments poured into an open box",
                dynamics::World(options.world),
                {},
                {},
                {}};
    std::vector<dynamics::ShapePtr> shapes;
    for (const ConvexPolytope& hull : contents.hulls) shapes.push_back(dynamics::makeHull(hull));
    addWalls(scene, contents.layout);
    addPieces(scene, contents.layout, shapes);
    return scene;
}

Scene concavePile(const ConcavePileOptions& options) {
    Scene scene{std::to_string(options.count) + " non-convex fragments, all different, poured into an open box",
                dynamics::World(options.world),
                {},
                {},
                {}};
    std::vector<dynamics::ShapePtr> shapes;
    std::vector<std::vector<Vec3>> corners;
    for (size_t i = 0; i < options.count; ++i) {
        const TriMesh mesh = concaveFragment(static_cast<ConcaveKind>(i % 3), options.seed, i);
        shapes.push_back(dynamics::makeFieldSolid(mesh, options.field));
        corners.emplace_back(mesh.positions.begin(), mesh.positions.end());
    }
    const PileLayout layout = layOutPile(options.count, corners, options.seed);
    addWalls(scene, layout);
    addPieces(scene, layout, shapes);
    return scene;
}

Scene snugCube(const SnugCubeOptions& options) {
    dynamics::WorldOptions worldOptions = options.world;
    if (!options.floor) worldOptions.gravity = Vec3::Zero();
    Scene scene{"a cube of 1 m in " + std::to_string(options.count) + " Voronoi pieces",
                dynamics::World(worldOptions),
                {},
                {},
                {}};
    if (options.floor) addFloor(scene);

    const Box3 cube{Vec3(-0.5, 0, -0.5), Vec3(0.5, 1, 0.5)};
    const std::vector<dynamics::BodyOptions> fragments =
        voronoiPieces({.box = cube, .count = options.count, .seed = options.seed, .inflation = options.inflation});
    if (options.replaced) {
        const dynamics::BodyId whole =
            scene.world.add({.shape = dynamics::makeBox(Vec3::Ones()), .pose = at(cube.centre())});
        scene.pieces = scene.world.replace(whole, fragments);
    } else {
        for (const dynamics::BodyOptions& fragment : fragments) addPiece(scene, fragment);
    }
    return scene;
}

Scene shatteredPillar(const dynamics::WorldOptions& options) {
    const ContactMaterial material = surface(0.2, 0.6);
    const Quat tilt = dynamics::rotationBy(Vec3(0, 0, 0.2));
    Scene scene{"a pillar of long shards is dropped", dynamics::World(options), {}, {}, {}};
    addFloor(scene, material);
    for (dynamics::BodyOptions shard : voronoiPieces(
             {.box = {Vec3(-0.25, 0, -0.25), Vec3(0.25, 2, 0.25)}, .count = 120, .stretch = Vec3(1, 16, 1)})) {
        shard.pose = RigidTransform{tilt, Vec3(0, 0.3, 0)} * shard.pose;
        shard.velocity = Vec3(0, -7, 0);
        shard.material = material;
        addPiece(scene, shard);
    }
    return scene;
}

}  // namespace sunder::scenes
