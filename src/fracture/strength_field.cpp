#include "fracture/strength_field.h"

#include "base/assert.h"

namespace sunder::fracture {

StrengthField::StrengthField(const TriMesh& mesh, std::vector<uint8_t> percent)
    : vertices_(std::span<const Vec3>(mesh.positions.begin(), mesh.positions.end())), percent_(std::move(percent)) {
    ASSERT(percent_.size() == mesh.vertexCount());
}

double StrengthField::at(const Vec3& point) const { return percent_[vertices_.nearest(point).index] / 100.0; }

}  // namespace sunder::fracture
