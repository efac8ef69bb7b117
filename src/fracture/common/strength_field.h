#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "fracture/common/strength_volume.h"
#include "geometry/tree/triangle_tree.h"

namespace sunder::fracture {

/// Strength as it was painted on the vertices of a body's mesh.
class PaintedStrength {
public:
    /// `percent` per vertex of the mesh: 100 as the material says.
    PaintedStrength(const TriMesh& mesh, std::vector<uint8_t> percent);

    /// Strength at the vertex nearest to a point in the mesh's coordinates: 1 as the material says.
    double at(const Vec3& point) const;
    const std::vector<uint8_t>& percent() const { return percent_; }  // per vertex of the mesh

private:
    PointTree vertices_;
    std::vector<uint8_t> percent_;
};

/// How strong a body is where: what was painted times what a volume says. Fragments, which keep the body's coordinates,
/// ask the same field.
class StrengthField {
public:
    /// What is absent counts 1 everywhere.
    explicit StrengthField(std::optional<PaintedStrength> paint, std::optional<StrengthVolume> volume = {});

    /// At a point in the mesh's coordinates: 1 as the material says.
    double at(const Vec3& point) const;
    /// Hash of all that it was made from.
    uint64_t contentHash() const { return contentHash_; }

private:
    std::optional<PaintedStrength> paint_;
    std::optional<StrengthVolume> volume_;
    uint64_t contentHash_ = 0;
};

}  // namespace sunder::fracture
