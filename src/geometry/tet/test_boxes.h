#pragma once

#include "geometry/tet/tet_mesh.h"

/// Tet meshes whose nodes are known, for tests.
namespace sunder::test {

/// A box about the origin, each cell cut into six tets along its diagonal.
inline TetMesh boxOfTets(const Int3& cells, const Vec3& size) {
    TetMesh mesh;
    const auto id = [&](int x, int y, int z) {
        return NodeIndex(static_cast<uint32_t>((z * (cells[1] + 1) + y) * (cells[0] + 1) + x));
    };
    for (int z = 0; z <= cells[2]; ++z) {
        for (int y = 0; y <= cells[1]; ++y) {
            for (int x = 0; x <= cells[0]; ++x) {
                const Vec3 share(double(x) / cells[0] - 0.5, double(y) / cells[1] - 0.5, double(z) / cells[2] - 0.5);
                mesh.nodes.push_back(share.cwiseProduct(size));
            }
        }
    }
    constexpr int kWays[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    for (int z = 0; z < cells[2]; ++z) {
        for (int y = 0; y < cells[1]; ++y) {
            for (int x = 0; x < cells[0]; ++x) {
                for (int way = 0; way < 6; ++way) {
                    int at[3] = {x, y, z};
                    Tet tet;
                    tet[0] = id(at[0], at[1], at[2]);
                    for (size_t k = 0; k < 3; ++k) {
                        ++at[kWays[way][k]];
                        tet[k + 1] = id(at[0], at[1], at[2]);
                    }
                    if (way >= 3) std::swap(tet[2], tet[3]);
                    mesh.tets.push_back(tet);
                }
            }
        }
    }
    return mesh;
}

}  // namespace sunder::test
