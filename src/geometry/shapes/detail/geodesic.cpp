#include "geometry/shapes/detail/geodesic.h"

#include <cmath>
#include <map>

#include "base/assert.h"
#include "geometry/shapes/detail/angles.h"

namespace sunder::shapes {

namespace {

/// Poles on the y axis, two rings of five between.
std::array<Vec3, 12> icosahedronCorners() {
    std::array<Vec3, 12> corners;
    corners[0] = {0, 1, 0};
    corners[11] = {0, -1, 0};
    const double height = std::sqrt(0.2), radius = std::sqrt(0.8);
    for (size_t i = 0; i < 5; ++i) {
        const Vec2 upper = radius * onUnitCircle(static_cast<double>(i) / 5);
        const Vec2 lower = radius * onUnitCircle((static_cast<double>(i) + 0.5) / 5);
        corners[1 + i] = {upper.x(), height, -upper.y()};
        corners[6 + i] = {lower.x(), -height, -lower.y()};
    }
    return corners;
}

std::array<std::array<uint32_t, 3>, 20> icosahedronFaces() {
    std::array<std::array<uint32_t, 3>, 20> faces;
    for (uint32_t i = 0; i < 5; ++i) {
        const uint32_t next = (i + 1) % 5;
        faces[i] = {0, 1 + i, 1 + next};
        faces[5 + i] = {1 + i, 6 + i, 1 + next};
        faces[10 + i] = {1 + next, 6 + i, 6 + next};
        faces[15 + i] = {11, 6 + next, 6 + i};
    }
    return faces;
}

/// Longitude and latitude; a pole takes the middle longitude of its triangle.
std::array<Vec2, 3> sphereUvs(const std::array<Vec3, 3>& points) {
    std::array<Vec2, 3> uvs;
    std::array<bool, 3> pole;
    for (size_t i = 0; i < 3; ++i) {
        const Vec2 across(points[i].x(), -points[i].z());
        pole[i] = across.norm() < 1e-9;
        const Vec2 upright(points[i].y(), across.norm());
        uvs[i] = {turnsOf(across), 1 - 2 * turnsOf(upright)};
    }
    // across the seam: count on beyond one
    double furthest = 0;
    for (size_t i = 0; i < 3; ++i) furthest = pole[i] ? furthest : std::max(furthest, uvs[i].x());
    for (size_t i = 0; i < 3; ++i) {
        if (!pole[i] && furthest - uvs[i].x() > 0.5) uvs[i].x() += 1;
    }
    // a pole has no longitude
    for (size_t i = 0; i < 3; ++i) {
        if (pole[i]) uvs[i].x() = 0.5 * (uvs[(i + 1) % 3].x() + uvs[(i + 2) % 3].x());
    }
    return uvs;
}

}  // namespace

TriMesh geodesicSphere(int frequency) {
    ASSERT(frequency >= 1);
    const std::array<Vec3, 12> corners = icosahedronCorners();
    TriMesh mesh;
    for (const Vec3& corner : corners) mesh.positions.push_back(corner);

    // points on the edges, shared by two faces, from the smaller corner to the larger
    std::map<std::array<uint32_t, 2>, std::vector<VertexIndex>> edgePoints;
    const auto onEdge = [&](uint32_t from, uint32_t to, int step) {
        if (step == 0) return static_cast<VertexIndex>(from);
        if (step == frequency) return static_cast<VertexIndex>(to);
        if (from > to) std::swap(from, to), step = frequency - step;
        std::vector<VertexIndex>& points = edgePoints[{from, to}];
        if (points.empty()) {
            for (int i = 1; i < frequency; ++i) {
                const double t = static_cast<double>(i) / frequency;
                points.push_back(mesh.positions.push_back(((1 - t) * corners[from] + t * corners[to]).normalized()));
            }
        }
        return points[static_cast<size_t>(step - 1)];
    };

    // each face of the icosahedron as rows of triangles
    for (const auto& [a, b, c] : icosahedronFaces()) {
        // rows of points from corner a to the edge bc
        std::vector<std::vector<VertexIndex>> rows;
        for (int row = 0; row <= frequency; ++row) {
            std::vector<VertexIndex> points;
            for (int i = 0; i <= row; ++i) {
                if (i == 0) {
                    points.push_back(onEdge(a, b, row));
                } else if (i == row) {
                    points.push_back(onEdge(a, c, row));
                } else if (row == frequency) {
                    points.push_back(onEdge(b, c, i));
                } else {
                    const Vec3 sum =
                        (frequency - row) * corners[a] + (row - i) * corners[b] + static_cast<double>(i) * corners[c];
                    points.push_back(mesh.positions.push_back(sum.normalized()));
                }
            }
            rows.push_back(std::move(points));
        }
        for (size_t row = 0; row + 1 < rows.size(); ++row) {
            for (size_t i = 0; i <= row; ++i) {
                mesh.triangles.push_back({rows[row][i], rows[row + 1][i], rows[row + 1][i + 1]});
                if (i < row) mesh.triangles.push_back({rows[row][i], rows[row + 1][i + 1], rows[row][i + 1]});
            }
        }
    }
    // on a unit sphere the position is the normal
    for (const TriangleIndex t : mesh.triangles.indices()) {
        mesh.normals.push_back(mesh.corners(t));
        mesh.uvs.push_back(sphereUvs(mesh.corners(t)));
    }
    return mesh;
}

}  // namespace sunder::shapes
