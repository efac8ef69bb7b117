#pragma once

#include <array>

#include "math/box.h"
#include "math/rigid_transform.h"

namespace sunder {

/// The corners of a mesh's box, where the mesh stands.
inline std::array<Vec3, 8> cornersOf(const Box3& box, const RigidTransform& worldFromMesh) {
    std::array<Vec3, 8> corners;
    for (size_t corner = 0; corner < 8; ++corner) {
        Vec3 p = box.min;
        for (int axis = 0; axis < 3; ++axis) {
            if ((corner >> axis & 1) != 0) p[axis] = box.max[axis];
        }
        corners[corner] = worldFromMesh * p;
    }
    return corners;
}

}  // namespace sunder
