#pragma once

#include <functional>

#include "geometry/tet/tet_mesh.h"
#include "stress/fem/fem_mesh.h"

/// Loads on the surfaces of tets, for tests.
namespace sunder::stress::test {

/// Nodal loads of tractions on the surface, Pa; `traction(point, outward normal)` is taken as linear in each face.
inline std::vector<Vec3> surfaceLoads(const TetMesh& mesh, const FemMesh& fem,
                                      const std::function<Vec3(const Vec3&, const Vec3&)>& traction) {
    std::vector<Vec3> loads(fem.nodes.size(), Vec3::Zero());
    const auto neighbours = faceNeighbours(mesh);
    for (const TetIndex t : mesh.tets.indices()) {
        for (size_t f = 0; f < 4; ++f) {
            if (neighbours[t][f] != kNone<TetIndex>) continue;
            const auto& corner = kTetFaces[f];
            Vec3 p[3];
            for (size_t i = 0; i < 3; ++i) p[i] = mesh.nodes[mesh.tets[t][corner[i]]];
            const Vec3 cross = (p[1] - p[0]).cross(p[2] - p[0]);
            const double area = 0.5 * cross.norm();
            Vec3 q[3], sum = Vec3::Zero();
            for (size_t i = 0; i < 3; ++i) sum += q[i] = traction(p[i], cross.normalized());
            const auto& element = fem.elements[raw(t)];
            if (fem.order == ElementOrder::Linear) {
                for (size_t i = 0; i < 3; ++i) loads[element[corner[i]]] += area / 12 * (sum + q[i]);
                continue;
            }
            // integrals of shape functions times L_k over a triangle of area 1
            for (size_t i = 0; i < 3; ++i) {
                for (size_t k = 0; k < 3; ++k)
                    loads[element[corner[i]]] += area * (i == k ? 1.0 / 30 : -1.0 / 60) * q[k];
            }
            for (size_t e = 0; e < 6; ++e) {
                int ends = 0;
                Vec3 weighted = Vec3::Zero();
                for (size_t i = 0; i < 3; ++i) {
                    const bool isEnd = corner[i] == kTetEdges[e][0] || corner[i] == kTetEdges[e][1];
                    ends += isEnd;
                    weighted += (isEnd ? 2.0 / 15 : 1.0 / 15) * q[i];
                }
                if (ends == 2) loads[element[4 + e]] += area * weighted;
            }
        }
    }
    return loads;
}

}  // namespace sunder::stress::test
