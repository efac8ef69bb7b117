#include "fracture/common/strength_field.h"

#include "base/assert.h"
#include "base/hash.h"

namespace sunder::fracture {

PaintedStrength::PaintedStrength(const TriMesh& mesh, std::vector<uint8_t> percent)
    : vertices_(std::span<const Vec3>(mesh.positions.begin(), mesh.positions.end())), percent_(std::move(percent)) {
    ASSERT(percent_.size() == mesh.vertexCount());
}

double PaintedStrength::at(const Vec3& point) const { return percent_[vertices_.nearest(point).index] / 100.0; }

StrengthField::StrengthField(std::optional<PaintedStrength> paint, std::optional<StrengthVolume> volume)
    : paint_(std::move(paint)), volume_(std::move(volume)) {
    Hasher hash;
    if (paint_) {
        for (const uint8_t percent : paint_->percent()) hash.add(uint64_t{percent});
    }
    if (volume_) hash.add(volume_->contentHash());
    contentHash_ = hash.value();
}

double StrengthField::at(const Vec3& point) const {
    return (paint_ ? paint_->at(point) : 1) * (volume_ ? volume_->at(point) : 1);
}

}  // namespace sunder::fracture
