#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "geometry/tree/triangle_tree.h"

namespace sunder::fracture {

/// How strong a body is where, as somebody painted it on the vertices of its mesh. Fragments, which keep the body's
/// coordinates, ask the same field.
class StrengthField {
public:
    /// `percent` per vertex of the mesh: 100 as the material says.
    StrengthField(const TriMesh& mesh, std::vector<uint8_t> percent);

    /// Of the vertex nearest to a point in the mesh's coordinates: 1 as the material says.
    double at(const Vec3& point) const;
    const std::vector<uint8_t>& percent() const { return percent_; }

private:
    PointTree vertices_;
    std::vector<uint8_t> percent_;
};

}  // namespace sunder::fracture
