#include "fracture/common/grains.h"

#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "fracture/fem/detail/fem_body.h"
#include "fracture/fem/fem_method.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/shapes/shapes.h"
#include "material/catalogue.h"

namespace sunder::fracture {
namespace {

/// How crack faces lie to the walls between grains.
struct ToWalls {
    double area = 0;    // m^2, of crack faces
    double near = 0;    // share of it within half a cell of a wall
    double cosine = 0;  // mean, of the angle between crack and wall, where a wall is near; 0.5 if they knew nothing of
                        // each other
    size_t pieces = 0;
};

/// The wall of two grains that passes within `reach` of a point, as a normal.
std::optional<Vec3> wallNear(const Grains& grains, const Vec3& point, double reach) {
    const uint32_t own = grains.at(point);
    for (const double x : {-1.0, 0.0, 1.0}) {
        for (const double y : {-1.0, 0.0, 1.0}) {
            for (const double z : {-1.0, 0.0, 1.0}) {
                if (x == 0 && y == 0 && z == 0) continue;
                const uint32_t other = grains.at(point + reach * Vec3(x, y, z).normalized());
                if (other != own) return grains.normalOf(own, other, point).normalized();
            }
        }
    }
    return {};
}

/// A slab of plaster with twenty grains is struck in its middle; `follows`: its cracks know of them.
ToWalls struck(uint64_t seed, bool follows) {
    FemFractureOptions options;
    setMaterial(findMaterial("plaster")->solid, options);
    options.tets = 20000;
    options.roughness = 0;
    options.grains.count = 20;
    const GrainOptions there = options.grains;
    if (!follows) {
        options.grains.bias = 0;
        options.grains.strength = 1;
    }
    Solid solid;
    TriMesh mesh = makeShape("box", {{"width", 0.5}, {"height", 0.05}, {"depth", 0.5}}, 8);
    const Box3 box = boundsOf(mesh);
    solid.wholeVolume = volume(mesh);
    solid.mass = options.elastic.density * solid.wholeVolume;
    solid.geometry = makeSolid(std::move(mesh));
    solid.seed = seed;
    const Vec3 top(box.centre().x(), box.max.y(), box.centre().z());
    Loads loads;
    loads.list.push_back({top, Vec3(0, -1, 0), Vec3(0, -10, 0), 8, 5});

    const FemMethod method(options);
    const FracturePlan plan = planOnce(method, solid, loads);
    const TetFilling body = fillWithTets(solid, options.filling());
    const Grains grains(there, solid.seed, body.tets);
    ToWalls found;
    found.pieces = plan.fragments.size();
    double near = 0, cosine = 0;
    for (const Fragment& fragment : plan.fragments) {
        for (const TriangleIndex t : fragment.mesh().triangles.indices()) {
            if (!fragment.mesh().inside[t]) continue;
            const Vec3 normal = fragment.mesh().areaVector(t);
            const Triangle& corners = fragment.mesh().triangles[t];
            const auto& positions = fragment.mesh().positions;
            const Vec3 middle = (positions[corners[0]] + positions[corners[1]] + positions[corners[2]]) / 3;
            found.area += normal.norm();
            const std::optional<Vec3> wall = wallNear(grains, middle, body.cellSize / 2);
            if (!wall) continue;
            near += normal.norm();
            cosine += std::abs(normal.dot(*wall));
        }
    }
    found.near = near / found.area;
    found.cosine = cosine / near;
    return found;
}

TEST(Grains, CracksRunAlongTheirWalls) {
    ToWalls with, without;
    for (const uint64_t seed : {1, 2}) {
        const ToWalls follows = struck(seed, true), ignores = struck(seed, false);
        ASSERT_GE(follows.pieces, 2u);
        ASSERT_GE(ignores.pieces, 2u);
        fmt::print(
            "grains {}: {:.2f} of the crack area is near walls, cosine {:.2f}, {} pieces; without {:.2f}, {:.2f}, {}\n",
            seed, follows.near, follows.cosine, follows.pieces, ignores.near, ignores.cosine, ignores.pieces);
        with.near += follows.near / 2;
        with.cosine += follows.cosine / 2;
        without.near += ignores.near / 2;
        without.cosine += ignores.cosine / 2;
    }
    EXPECT_GT(with.near, 1.3 * without.near);
    EXPECT_GT(with.cosine, without.cosine + 0.1);
}

}  // namespace
}  // namespace sunder::fracture
