#include "bench/peers/openvdb_grid.h"

#include <openvdb/openvdb.h>
#include <openvdb/tools/MeshToVolume.h>

namespace sunder::bench {

struct OpenVdbPeer::Data {
    openvdb::math::Transform::Ptr transform;
    std::vector<openvdb::Vec3s> points;  // index space
    std::vector<openvdb::Vec3I> triangles;
    std::vector<openvdb::Vec4I> quads;
};

OpenVdbPeer::OpenVdbPeer(const TriMesh& mesh, double voxelSize) : data_(std::make_unique<Data>()) {
    openvdb::initialize();
    data_->transform = openvdb::math::Transform::createLinearTransform(voxelSize);
    for (const Vec3& p : mesh.positions) data_->points.emplace_back(p.x(), p.y(), p.z());
    for (const Triangle& t : mesh.triangles) data_->triangles.emplace_back(raw(t[0]), raw(t[1]), raw(t[2]));
}

OpenVdbPeer::~OpenVdbPeer() = default;

size_t OpenVdbPeer::convert(double halfWidth) const {
    return openvdb::tools::meshToSignedDistanceField<openvdb::FloatGrid>(
               *data_->transform, data_->points, data_->triangles, data_->quads, static_cast<float>(halfWidth),
               static_cast<float>(halfWidth))
        ->activeVoxelCount();
}

}  // namespace sunder::bench
