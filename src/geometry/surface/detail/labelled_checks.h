#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/mesh/topology.h"
#include "geometry/surface/detail/test_solids.h"
#include "geometry/surface/labelled_surface.h"

// Regions to contour and laws that their pieces must keep. For tests.
namespace sunder::test {

/// Distance to a region, up to a constant that is the same for all: the nearest wins.
using RegionDistance = std::function<double(const Vec3&, uint32_t)>;

struct Labelled {
    DistanceGrid solid;
    std::vector<uint32_t> labels;
    std::function<double(const Vec3&, uint32_t, uint32_t)> difference;

    LabelledRegions regions() const { return {&solid, labels, difference}; }
    std::vector<LabelledPiece> pieces(const LabelledOptions& options = {}) const {
        return labelledSurface(regions(), options);
    }
};

template <class LabelAt>
std::vector<uint32_t> labelsOn(const GridFrame& frame, const LabelAt& labelAt) {
    std::vector<uint32_t> labels;
    for (int k = 0; k < frame.points[2]; ++k) {
        for (int j = 0; j < frame.points[1]; ++j) {
            for (int i = 0; i < frame.points[0]; ++i) labels.push_back(labelAt(frame.position(i, j, k)));
        }
    }
    return labels;
}

inline Labelled labelled(DistanceGrid solid, uint32_t count, const RegionDistance& distance) {
    Labelled made{std::move(solid), {}, [distance](const Vec3& p, uint32_t a, uint32_t b) {
                      return distance(p, a) - distance(p, b);
                  }};
    made.labels = labelsOn(made.solid.frame(), [&](const Vec3& p) {
        uint32_t nearest = 0;
        double least = distance(p, 0);
        for (uint32_t r = 1; r < count; ++r) {
            const double d = distance(p, r);
            if (d < least) {
                least = d;
                nearest = r;
            }
        }
        return nearest;
    });
    return made;
}

/// A smooth bump pattern of about one wave per unit, without trigonometry.
inline double bumps(const Vec3& p) {
    const auto wave = [](double x) {
        const double t = 2 * (x - std::floor(x)) - 1;  // -1 .. 1
        return (x - 2 * std::floor(0.5 * x) < 1 ? 1 : -1) * (1 - t * t);
    };
    return wave(p.x() + 0.7 * p.y()) * wave(p.y() - 0.4 * p.z()) + wave(p.z() + 0.6 * p.x());
}

/// Voronoi regions of random sites in [-size, size]^3, their walls bent by `noise`.
inline RegionDistance noisyVoronoi(uint32_t count, double size, double noise, uint64_t seed) {
    Random random(seed, 0);
    std::vector<Vec3> sites;
    for (uint32_t i = 0; i < count; ++i) {
        const double x = random.uniform(-size, size), y = random.uniform(-size, size), z = random.uniform(-size, size);
        sites.emplace_back(x, y, z);
    }
    return [sites, noise](const Vec3& p, uint32_t r) {
        return (p - sites[r]).norm() + noise * bumps(2 * p + 3.7 * Vec3(r % 5, r % 7, r % 3));
    };
}

/// The three corners, turned so that the smallest comes first.
using Corners = std::array<std::array<double, 3>, 3>;
inline Corners canonical(const std::array<Vec3, 3>& corners) {
    Corners c{};
    for (size_t i = 0; i < 3; ++i) c[i] = {corners[i].x(), corners[i].y(), corners[i].z()};
    std::rotate(c.begin(), std::min_element(c.begin(), c.end()), c.end());
    return c;
}

struct PieceSums {
    double volume = 0;
    size_t triangles = 0;
};

/// Closed, manifold, outward; every wall triangle has its twin in another piece; what is not wall encloses the sum.
inline PieceSums expectPiecesFit(const std::vector<LabelledPiece>& pieces) {
    PieceSums sums;
    std::map<Corners, size_t> walls;  // to the piece
    TriMesh skin;
    for (size_t i = 0; i < pieces.size(); ++i) {
        const TriMesh& mesh = pieces[i].mesh;
        EXPECT_TRUE(isClosedManifold(mesh)) << "piece " << i;
        EXPECT_EQ(mesh.inside.size(), mesh.triangleCount());
        const double own = volume(mesh);
        EXPECT_GT(own, 0) << "piece " << i << " of label " << pieces[i].label;
        sums.volume += own;
        sums.triangles += mesh.triangleCount();
        std::vector<TriangleIndex> outer;
        for (const TriangleIndex t : mesh.triangles.indices()) {
            if (mesh.inside[t] == 0) {
                outer.push_back(t);
            } else {
                EXPECT_TRUE(walls.emplace(canonical(mesh.corners(t)), i).second) << "twice the same wall";
            }
        }
        append(skin, subset(mesh, outer));
    }
    size_t alone = 0;
    for (const auto& [c, piece] : walls) {
        const auto twin = walls.find({c[0], c[2], c[1]});
        if (twin == walls.end() || twin->second == piece) ++alone;
    }
    EXPECT_EQ(alone, 0u) << "walls without a twin";
    EXPECT_NEAR(volume(skin) / sums.volume, 1, 1e-9);
    return sums;
}

}  // namespace sunder::test
