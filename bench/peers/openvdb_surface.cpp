#include "bench/peers/openvdb_surface.h"

#include <cmath>
#include <vector>

#include <openvdb/openvdb.h>
#include <openvdb/tools/VolumeToMesh.h>

namespace sunder::bench {

struct OpenVdbSurfacePeer::Data {
    openvdb::FloatGrid::Ptr grid;
};

OpenVdbSurfacePeer::OpenVdbSurfacePeer(const DistanceGrid& grid, double bandCells) : data_(std::make_unique<Data>()) {
    openvdb::initialize();
    const double band = bandCells * grid.frame().cellSize;
    data_->grid = openvdb::FloatGrid::create(static_cast<float>(band));
    data_->grid->setGridClass(openvdb::GRID_LEVEL_SET);
    data_->grid->setTransform(openvdb::math::Transform::createLinearTransform(grid.frame().cellSize));
    auto accessor = data_->grid->getAccessor();
    const Int3 points = grid.frame().points;
    for (int k = 0; k < points[2]; ++k) {
        for (int j = 0; j < points[1]; ++j) {
            for (int i = 0; i < points[0]; ++i) {
                const float value = grid.at(i, j, k);
                if (std::abs(value) < band) {
                    accessor.setValue({i, j, k}, value);
                } else if (value < 0) {
                    accessor.setValueOff({i, j, k}, static_cast<float>(-band));
                }
            }
        }
    }
    data_->grid->pruneGrid();
}

OpenVdbSurfacePeer::~OpenVdbSurfacePeer() = default;

size_t OpenVdbSurfacePeer::triangles() const {
    std::vector<openvdb::Vec3s> points;
    std::vector<openvdb::Vec3I> triangles;
    std::vector<openvdb::Vec4I> quads;
    openvdb::tools::volumeToMesh(*data_->grid, points, triangles, quads, 0.0, 0.0);
    return triangles.size() + 2 * quads.size();
}

}  // namespace sunder::bench
