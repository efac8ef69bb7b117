#pragma once

#include <memory>

#include "geometry/mesh/tri_mesh.h"

namespace sunder::bench {

/// OpenVDB's meshToVolume on the same triangles; in a file of its own so that foreign headers stay there.
class OpenVdbPeer {
public:
    OpenVdbPeer(const TriMesh& mesh, double voxelSize);
    ~OpenVdbPeer();
    /// Signed narrow band level set; returns the number of active voxels.
    size_t convert(double halfWidth) const;

private:
    struct Data;
    std::unique_ptr<Data> data_;
};

}  // namespace sunder::bench
