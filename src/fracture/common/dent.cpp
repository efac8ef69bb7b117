#include "fracture/common/dent.h"

#include <algorithm>

namespace sunder::fracture {

Dent::Dent(const TetMesh& tets, const IndexedVector<NodeIndex, Vec3>& displacement, double ductility, double most)
    : tets_(tets), displacement_(displacement), locator_(tets) {
    double largest = 0;
    for (const Vec3& u : displacement) largest = std::max(largest, u.norm());
    scale_ = largest > 0 ? std::min(ductility, most / largest) : 0;
}

void Dent::apply(TriMesh& mesh) const {
    for (Vec3& p : mesh.positions) p += at(p);
    mesh.normals.clear();
}

void Dent::apply(Scars& scars) const {
    for (WeakSpot& spot : scars.spots) spot.place += at(spot.place);
    for (TriMesh& gap : scars.gaps) apply(gap);
}

Vec3 Dent::at(const Vec3& point) const {
    const TetPoint in = locator_.locate(point);
    const Vec4 weights = in.weights.cwiseMax(0.0) / in.weights.cwiseMax(0.0).sum();
    Vec3 u = Vec3::Zero();
    for (size_t k = 0; k < 4; ++k) u += weights[static_cast<int>(k)] * displacement_[tets_.tets[in.tet][k]];
    return scale_ * u;
}

}  // namespace sunder::fracture
