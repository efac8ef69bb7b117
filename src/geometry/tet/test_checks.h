#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include <gtest/gtest.h>

#include "geometry/mesh/mass_properties.h"
#include "geometry/mesh/topology.h"
#include "geometry/tet/tet_mesh.h"

/// Laws that every tet mesh of ours must keep, for tests. They do not use the code they check.
namespace sunder::test {

inline double relativeError(double found, double expected) {
    return std::abs(found - expected) / std::max(std::abs(expected), 1e-300);
}

/// Every face belongs to one tet, or to two that see it from opposite sides.
inline void expectConforming(const TetMesh& mesh) {
    struct Face {
        std::array<uint32_t, 3> nodes;
        bool even;
    };
    std::vector<Face> faces;
    for (const TetIndex t : mesh.tets.indices()) {
        for (const auto& corners : kTetFaces) {
            Face face{{}, true};
            for (size_t i = 0; i < 3; ++i) face.nodes[i] = raw(mesh.tets[t][corners[i]]);
            for (const auto& [i, j] : {std::pair(0, 1), std::pair(1, 2), std::pair(0, 1)}) {
                if (face.nodes[static_cast<size_t>(i)] <= face.nodes[static_cast<size_t>(j)]) continue;
                std::swap(face.nodes[static_cast<size_t>(i)], face.nodes[static_cast<size_t>(j)]);
                face.even = !face.even;
            }
            faces.push_back(face);
        }
    }
    std::sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) { return a.nodes < b.nodes; });
    size_t wrong = 0;
    for (size_t i = 0; i < faces.size();) {
        size_t j = i;
        while (j < faces.size() && faces[j].nodes == faces[i].nodes) ++j;
        if (j - i > 2 || (j - i == 2 && faces[i].even == faces[i + 1].even)) ++wrong;
        i = j;
    }
    EXPECT_EQ(wrong, 0u) << "faces that do not fit";
}

struct AngleBounds {
    double min = 8;    // degrees
    double max = 165;  // degrees
};

/// Conforming, positive, well shaped, with a closed manifold outward boundary round the same volume.
inline void expectSound(const TetMesh& mesh, const AngleBounds& angles = {}) {
    ASSERT_GT(mesh.tetCount(), 0u);
    expectConforming(mesh);

    const TetQuality quality = qualityOf(mesh);
    EXPECT_GT(quality.minVolume, 0);
    EXPECT_GE(quality.minDihedral, angles.min);
    EXPECT_LE(quality.maxDihedral, angles.max);

    std::vector<uint8_t> used(mesh.nodeCount(), 0);
    for (const Tet& tet : mesh.tets) {
        for (const NodeIndex n : tet) used[raw(n)] = 1;
    }
    EXPECT_EQ(std::count(used.begin(), used.end(), 0), 0) << "nodes without a tet";

    const TetBoundary boundary = boundaryOf(mesh);
    EXPECT_TRUE(isClosedManifold(boundary.surface));
    long double sum = 0;  // a plain double would lose digits over half a million tets
    for (const TetIndex t : mesh.tets.indices()) sum += static_cast<long double>(volume(mesh, t));
    EXPECT_LT(relativeError(volume(boundary.surface), static_cast<double>(sum)), 1e-12);
    EXPECT_LT(relativeError(volume(mesh), static_cast<double>(sum)), 1e-12);
    for (const VertexIndex v : boundary.surface.positions.indices()) {
        ASSERT_EQ(boundary.surface.positions[v], mesh.nodes[boundary.nodeOfVertex[v]]);
    }
}

}  // namespace sunder::test
