#pragma once

#include <memory>
#include <vector>

#include "fracture/interface/asset_store.h"
#include "fracture/prescored/detail/curved_regions.h"
#include "geometry/grid/distance_grid.h"

namespace sunder::fracture {

/// The region of every point of a cube of lattice points around the pattern's centre: space, scored beforehand.
struct ScoredSpace {
    int half = 0;                  // points from the centre to the border
    std::vector<uint16_t> labels;  // (2 half + 1)^3, x fastest

    /// Points beyond the border take the nearest label.
    uint16_t at(int i, int j, int k) const;
};

/// What curved patterns take long to make: kept in memory, and in the store if one is given. Any thread may ask.
class CurvedAssets {
public:
    /// Distance grids of closed meshes, `cells` cells along the longest side of the box around them all.
    std::shared_ptr<const std::vector<DistanceGrid>> gridsOf(const std::vector<TriMesh>& meshes, int cells,
                                                             AssetStore* store);
    /// The regions on a lattice of unit cells. `name` is that of all they are made from, and of `half`.
    std::shared_ptr<const ScoredSpace> score(const CurvedRegions& regions, int half, const ContentHash& name,
                                             AssetStore* store);

private:
    AssetCache<std::vector<DistanceGrid>> grids_;
    AssetCache<ScoredSpace> spaces_;
};

/// Assets of a method, and the store that keeps them from run to run; null: they are not kept.
struct AssetsInUse {
    CurvedAssets& assets;
    AssetStore* store = nullptr;
};

}  // namespace sunder::fracture
