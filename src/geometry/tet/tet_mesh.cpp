#include "geometry/tet/tet_mesh.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <Eigen/LU>

#include "base/parallel.h"

namespace sunder {

namespace {

constexpr size_t kGrain = 8192;  // tets per block

double volumeOf(const std::array<Vec3, 4>& x) { return (x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0]) / 6.0; }

/// One side of a tet, filed under its smallest node.
struct FaceRecord {
    uint32_t middle = 0;   // node
    uint32_t largest = 0;  // node
    uint32_t face = 0;     // 4 * tet + corner opposite
};

/// Cosines of the six angles between faces, the largest and the smallest.
struct CosineRange {
    double smallest = std::numeric_limits<double>::infinity();
    double largest = -std::numeric_limits<double>::infinity();
    bool undefined = false;

    void add(double cosine) {
        if (!std::isfinite(cosine)) undefined = true;
        smallest = std::min(smallest, cosine);
        largest = std::max(largest, cosine);
    }
};

struct QualityPart {
    CosineRange cosines;
    double minVolume = std::numeric_limits<double>::infinity();
    double maxVolume = -std::numeric_limits<double>::infinity();
};

void addTet(QualityPart& part, const std::array<Vec3, 4>& x) {
    std::array<Vec3, 4> normals;  // outward, unit
    for (size_t face = 0; face < 4; ++face) {
        const auto& [a, b, c] = kTetFaces[face];
        normals[face] = (x[b] - x[a]).cross(x[c] - x[a]);
        normals[face] /= normals[face].norm();
    }
    for (size_t i = 0; i < 4; ++i) {
        for (size_t j = i + 1; j < 4; ++j) part.cosines.add(-normals[i].dot(normals[j]));
    }
    const double v = volumeOf(x);
    part.minVolume = std::min(part.minVolume, v);
    part.maxVolume = std::max(part.maxVolume, v);
}

double degreesOf(double cosine) { return std::acos(std::clamp(cosine, -1.0, 1.0)) * 180.0 / std::numbers::pi; }

}  // namespace

double volume(const TetMesh& mesh, TetIndex t) { return volumeOf(mesh.corners(t)); }

Vec3 middleOf(const TetMesh& mesh, TetIndex t) {
    const auto corner = mesh.corners(t);
    return 0.25 * (corner[0] + corner[1] + corner[2] + corner[3]);
}

Vec3 gradientOf(const TetMesh& mesh, TetIndex t, const Vec4& values) {
    const auto corner = mesh.corners(t);
    Mat3 edges;
    Vec3 rise;
    for (int k = 0; k < 3; ++k) {
        edges.row(k) = corner[static_cast<size_t>(k) + 1] - corner[0];
        rise[k] = values[k + 1] - values[0];
    }
    return edges.inverse() * rise;
}

double volume(const TetMesh& mesh) {
    return parallelReduce(
        mesh.tetCount(), kGrain, 0.0,
        [&](const BlockRange& block) {
            double sum = 0;
            for (size_t t = block.begin; t < block.end; ++t) sum += volume(mesh, static_cast<TetIndex>(t));
            return sum;
        },
        [](double a, double b) { return a + b; });
}

IndexedVector<TetIndex, std::array<TetIndex, 4>> faceNeighbours(const TetMesh& mesh) {
    const size_t tetCount = mesh.tetCount();
    constexpr TetIndex none = kNone<TetIndex>;
    IndexedVector<TetIndex, std::array<TetIndex, 4>> neighbours(tetCount, {none, none, none, none});

    // file every face under its smallest node (counting sort, so in order of tet and face)
    std::vector<uint32_t> start(mesh.nodeCount() + 1, 0);
    const auto sortedFace = [&](TetIndex t, size_t face) {
        const Tet& tet = mesh.tets[t];
        std::array<uint32_t, 3> n{};
        for (size_t i = 0; i < 3; ++i) n[i] = raw(tet[kTetFaces[face][i]]);
        if (n[0] > n[1]) std::swap(n[0], n[1]);
        if (n[1] > n[2]) std::swap(n[1], n[2]);
        if (n[0] > n[1]) std::swap(n[0], n[1]);
        return n;
    };
    for (const TetIndex t : mesh.tets.indices()) {
        for (size_t face = 0; face < 4; ++face) ++start[sortedFace(t, face)[0] + 1];
    }
    for (size_t n = 1; n < start.size(); ++n) start[n] += start[n - 1];
    std::vector<FaceRecord> faces(4 * tetCount);
    std::vector<uint32_t> next(start.begin(), start.end() - 1);
    for (const TetIndex t : mesh.tets.indices()) {
        for (size_t face = 0; face < 4; ++face) {
            const auto n = sortedFace(t, face);
            faces[next[n[0]]++] = {n[1], n[2], 4 * raw(t) + static_cast<uint32_t>(face)};
        }
    }

    // equal faces come together when each node's list is sorted; two of a kind are neighbours
    parallelFor(mesh.nodeCount(), kGrain, [&](const BlockRange& block) {
        for (size_t n = block.begin; n < block.end; ++n) {
            const auto first = faces.begin() + start[n];
            const auto last = faces.begin() + start[n + 1];
            std::sort(first, last, [](const FaceRecord& a, const FaceRecord& b) {
                if (a.middle != b.middle) return a.middle < b.middle;
                if (a.largest != b.largest) return a.largest < b.largest;
                return a.face < b.face;
            });
            for (auto run = first; run != last;) {
                auto runEnd = run;
                while (runEnd != last && runEnd->middle == run->middle && runEnd->largest == run->largest) ++runEnd;
                if (runEnd - run == 2) {
                    const uint32_t a = run[0].face;
                    const uint32_t b = run[1].face;
                    neighbours[static_cast<TetIndex>(a / 4)][a % 4] = static_cast<TetIndex>(b / 4);
                    neighbours[static_cast<TetIndex>(b / 4)][b % 4] = static_cast<TetIndex>(a / 4);
                }
                run = runEnd;
            }
        }
    });
    return neighbours;
}

TetQuality qualityOf(const TetMesh& mesh) {
    if (mesh.tets.empty()) return {};
    // extremes do not depend on the order of blocks
    const QualityPart all = parallelReduce(
        mesh.tetCount(), kGrain, QualityPart(),
        [&](const BlockRange& block) {
            QualityPart part;
            for (size_t t = block.begin; t < block.end; ++t) addTet(part, mesh.corners(static_cast<TetIndex>(t)));
            return part;
        },
        [](QualityPart a, const QualityPart& b) {
            a.cosines.add(b.cosines.smallest);
            a.cosines.add(b.cosines.largest);
            a.cosines.undefined |= b.cosines.undefined;
            a.minVolume = std::min(a.minVolume, b.minVolume);
            a.maxVolume = std::max(a.maxVolume, b.maxVolume);
            return a;
        });
    TetQuality quality{degreesOf(all.cosines.largest), degreesOf(all.cosines.smallest), all.minVolume, all.maxVolume};
    if (all.cosines.undefined) quality.minDihedral = quality.maxDihedral = std::numeric_limits<double>::quiet_NaN();
    return quality;
}

TetMesh subset(const TetMesh& mesh, const std::vector<TetIndex>& chosen) {
    IndexedVector<NodeIndex, NodeIndex> newNode(mesh.nodeCount(), kNone<NodeIndex>);
    for (const TetIndex t : chosen) {
        for (const NodeIndex n : mesh.tets[t]) newNode[n] = n;  // marked as used; numbered below
    }
    TetMesh result;
    for (const NodeIndex n : mesh.nodes.indices()) {
        if (newNode[n] != kNone<NodeIndex>) newNode[n] = result.nodes.push_back(mesh.nodes[n]);
    }
    result.tets.reserve(chosen.size());
    for (const TetIndex t : chosen) {
        const Tet& old = mesh.tets[t];
        result.tets.push_back({newNode[old[0]], newNode[old[1]], newNode[old[2]], newNode[old[3]]});
        if (!mesh.regions.empty()) result.regions.push_back(mesh.regions[t]);
    }
    return result;
}

}  // namespace sunder
