#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "geometry/grid/distance_grid.h"
#include "geometry/tree/triangle_tree.h"
#include "math/vec.h"

namespace sunder::fracture {

// Regions with curved walls, in the pattern's frame. A region is where its distance is the smallest; the wall between
// two is where their distances are equal.

/// Voronoi cells seen through a rough glass: the nearest site of a point that noise has moved. Waves are as long as
/// pieces are large and shorter, and as high as `roughness` times their length allows.
struct WarpedSites {
    std::vector<Vec3> sites;                // m
    std::shared_ptr<const PointTree> tree;  // of the sites, when there are many
    double pieceSize = 1;                   // m, far from the centre
    double concentration = 0;               // pieces are 1 - concentration of that at the centre ...
    double farthest = 1;                    // m, ... and full-sized here
    double roughness = 0;                   // 0: planes
    double shortestWave = 0;                // m; what is shorter could not be seen
    uint64_t seed = 0;

    void setSites(std::vector<Vec3> newSites);
    Vec3 warped(const Vec3& point) const;
    size_t count() const { return sites.size(); }
    uint32_t regionAt(const Vec3& point) const;
    /// Distance to a less distance to b, m: negative where a is nearer.
    double difference(uint32_t a, uint32_t b, const Vec3& point) const;
};

/// Distance grids of closed meshes, in the frame and unit of these, scaled about the middle of their box.
struct MeshRegions {
    std::shared_ptr<const std::vector<DistanceGrid>> grids;
    std::vector<Box3> boxes;     // one each, in which the mesh lies: outside it the distance is no less than to it
    Vec3 middle = Vec3::Zero();  // goes to the pattern's centre
    double scale = 1;            // metres of the pattern per unit of the meshes

    size_t count() const { return grids->size(); }
    uint32_t regionAt(const Vec3& point) const;
    double difference(uint32_t a, uint32_t b, const Vec3& point) const;
};

using CurvedRegions = std::variant<WarpedSites, MeshRegions>;

size_t regionCount(const CurvedRegions& regions);
/// The region of each point, in parallel.
std::vector<uint32_t> regionsAt(const CurvedRegions& regions, std::span<const Vec3> points);

}  // namespace sunder::fracture
