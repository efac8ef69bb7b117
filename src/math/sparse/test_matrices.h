#pragma once

#include <algorithm>
#include <map>

#include "base/random.h"
#include "math/sparse/block_matrix.h"

/// Matrices with known properties, for tests.
namespace sunder::test {

struct PlacedMatrix {
    BlockMatrix matrix;
    std::vector<Vec3> positions;
};

/// A symmetric matrix from its blocks below the diagonal, keyed (row, column).
inline BlockMatrix fromBlocks(size_t size, const std::map<std::pair<uint32_t, uint32_t>, Mat3>& lower,
                              std::vector<Mat3> diagonal) {
    std::vector<std::map<uint32_t, Mat3>> rows(size);
    for (const auto& [key, block] : lower) {
        rows[key.first][key.second] = block;
        rows[key.second][key.first] = block.transpose();
    }
    BlockMatrix matrix;
    matrix.diagonal = std::move(diagonal);
    matrix.graph.first.push_back(0);
    for (const auto& row : rows) {
        for (const auto& [column, block] : row) {
            matrix.graph.neighbours.push_back(column);
            matrix.others.push_back(block);
        }
        matrix.graph.first.push_back(static_cast<uint32_t>(matrix.graph.neighbours.size()));
    }
    return matrix;
}

/// A box of nodes, each tied to those at most one step away along every axis; dominant on the diagonal, so positive
/// definite.
inline PlacedMatrix randomLattice(Int3 count, uint64_t seed) {
    PlacedMatrix made;
    const auto id = [&](int x, int y, int z) { return static_cast<uint32_t>((z * count[1] + y) * count[0] + x); };
    Random random(seed);
    const auto randomBlock = [&] {
        Mat3 block;
        for (int i = 0; i < 9; ++i) block(i / 3, i % 3) = random.uniform(-1, 1);
        return block;
    };
    std::map<std::pair<uint32_t, uint32_t>, Mat3> lower;
    for (int z = 0; z < count[2]; ++z) {
        for (int y = 0; y < count[1]; ++y) {
            for (int x = 0; x < count[0]; ++x) {
                made.positions.push_back(Vec3(x, y, z) +
                                         0.3 * Vec3(random.uniform(), random.uniform(), random.uniform()));
                for (int dz = -1; dz <= 0; ++dz) {
                    for (int dy = -1; dy <= 1; ++dy) {
                        for (int dx = -1; dx <= 1; ++dx) {
                            const int a = x + dx, b = y + dy, c = z + dz;
                            if (a < 0 || b < 0 || c < 0 || a >= count[0] || b >= count[1]) continue;
                            if (id(a, b, c) < id(x, y, z)) lower[{id(x, y, z), id(a, b, c)}] = randomBlock();
                        }
                    }
                }
            }
        }
    }
    const size_t size = made.positions.size();
    std::vector<Mat3> diagonal(size, 80 * Mat3::Identity());
    for (Mat3& block : diagonal) {
        const Mat3 some = randomBlock();
        block += some + some.transpose();
    }
    made.matrix = fromBlocks(size, lower, std::move(diagonal));
    return made;
}

inline std::vector<Vec3> randomVectors(size_t count, uint64_t seed) {
    Random random(seed);
    std::vector<Vec3> made(count);
    for (Vec3& v : made) v = Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    return made;
}

/// |A x - b| / |b|
inline double residual(const BlockMatrix& matrix, const std::vector<Vec3>& x, const std::vector<Vec3>& b) {
    std::vector<Vec3> product(x.size());
    matrix.times(x, product);
    double error = 0, scale = 0;
    for (size_t i = 0; i < b.size(); ++i) {
        error += (product[i] - b[i]).squaredNorm();
        scale += b[i].squaredNorm();
    }
    return std::sqrt(error / scale);
}

}  // namespace sunder::test
