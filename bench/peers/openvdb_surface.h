#pragma once

#include <memory>

#include "geometry/grid/distance_grid.h"

namespace sunder::bench {

/// The same distance grid in OpenVDB, dense values copied as far as they lie in the band, and its volumeToMesh.
class OpenVdbSurfacePeer {
public:
    OpenVdbSurfacePeer(const DistanceGrid& grid, double bandCells);
    ~OpenVdbSurfacePeer();

    /// Number of triangles, a quad counted as two.
    size_t triangles() const;

private:
    struct Data;
    std::unique_ptr<Data> data_;
};

}  // namespace sunder::bench
