#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "base/random.h"
#include "geometry/mesh/tri_mesh.h"
#include "io/mesh/mesh_io.h"

/// Small meshes with known answers, for tests of trees and grids.
namespace sunder::test {

inline TriMesh meshOf(std::vector<Vec3> positions, std::vector<std::array<uint32_t, 3>> triangles) {
    TriMesh mesh;
    for (const Vec3& p : positions) mesh.positions.push_back(p);
    for (const auto& [a, b, c] : triangles)
        mesh.triangles.push_back(
            {static_cast<VertexIndex>(a), static_cast<VertexIndex>(b), static_cast<VertexIndex>(c)});
    return mesh;
}

inline TriMesh box(const Vec3& min, const Vec3& max) {
    std::vector<Vec3> corners;
    for (int n = 0; n < 8; ++n)
        corners.emplace_back((n & 1) ? max.x() : min.x(), (n & 2) ? max.y() : min.y(), (n & 4) ? max.z() : min.z());
    return meshOf(corners, {{0, 2, 3},
                            {0, 3, 1},
                            {4, 5, 7},
                            {4, 7, 6},
                            {0, 1, 5},
                            {0, 5, 4},
                            {2, 6, 7},
                            {2, 7, 3},
                            {0, 4, 6},
                            {0, 6, 2},
                            {1, 3, 7},
                            {1, 7, 5}});
}

/// Octahedron with each triangle split into four, `levels` times, pushed onto the sphere: 8 * 4^levels triangles.
inline TriMesh sphere(const Vec3& centre, double radius, int levels) {
    TriMesh mesh = meshOf({{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}},
                          {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}});
    for (int level = 0; level < levels; ++level) {
        TriMesh finer;
        finer.positions = mesh.positions;
        std::map<std::pair<VertexIndex, VertexIndex>, VertexIndex> middles;
        const auto middle = [&](VertexIndex a, VertexIndex b) {
            const auto [known, isNew] = middles.try_emplace(std::minmax(a, b), kNone<VertexIndex>);
            if (isNew) known->second = finer.positions.push_back((mesh.positions[a] + mesh.positions[b]).normalized());
            return known->second;
        };
        for (const Triangle& t : mesh.triangles) {
            const VertexIndex ab = middle(t[0], t[1]), bc = middle(t[1], t[2]), ca = middle(t[2], t[0]);
            for (const Triangle& part :
                 {Triangle{t[0], ab, ca}, Triangle{ab, t[1], bc}, Triangle{ca, bc, t[2]}, Triangle{ab, bc, ca}})
                finer.triangles.push_back(part);
        }
        mesh = std::move(finer);
    }
    for (Vec3& p : mesh.positions) p = centre + radius * p;
    return mesh;
}

inline Vec3 randomIn(Random& random, const Box3& box) {
    return {random.uniform(box.min.x(), box.max.x()), random.uniform(box.min.y(), box.max.y()),
            random.uniform(box.min.z(), box.max.z())};
}

/// Separate random triangles in the unit cube, up to `size` long.
inline TriMesh soup(uint64_t seed, size_t count, double size) {
    Random random(seed);
    TriMesh mesh;
    const Box3 unit{Vec3::Zero(), Vec3::Ones()}, offset{Vec3::Constant(-size), Vec3::Constant(size)};
    for (size_t i = 0; i < count; ++i) {
        const Vec3 a = randomIn(random, unit);
        Triangle t;
        for (VertexIndex& v : t) v = mesh.positions.push_back(a + randomIn(random, offset));
        mesh.triangles.push_back(t);
    }
    return mesh;
}

/// A model of the shared test data; empty when it is not there.
inline TriMesh model(const std::string& name) {
    const std::filesystem::path path = std::filesystem::path(SUNDER_SHARED_DATA) / "meshes" / name;
    return std::filesystem::exists(path) ? readMesh(path).mesh : TriMesh();
}

}  // namespace sunder::test

/// Skips the running test when the shared models are not there.
#define SUNDER_LOAD_MODEL(mesh, name)                           \
    const ::sunder::TriMesh mesh = ::sunder::test::model(name); \
    if (mesh.empty()) GTEST_SKIP() << "no " << name << " below " << SUNDER_SHARED_DATA
