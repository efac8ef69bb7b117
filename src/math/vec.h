#pragma once

#include <array>
#include <cstdint>

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace sunder {

using Vec2 = Eigen::Vector2d;     // UVs, points of a plane
using Vec3 = Eigen::Vector3d;     // points, directions, linear colours
using Vec4 = Eigen::Vector4d;     // one value for each corner of a tet
using Vec3f = Eigen::Vector3f;    // single precision: distance grids, contacts
using Mat3 = Eigen::Matrix3d;     // rotations, gradients, full tensors
using Quat = Eigen::Quaterniond;  // rotations, of unit length
// the layout that the library was compiled with: link sunder's targets, or define EIGEN_MAX_ALIGN_BYTES=16
static_assert(alignof(Quat) == 16 && alignof(Vec4) == 16, "compile with EIGEN_MAX_ALIGN_BYTES=16, as sunder was");

/// Whole-number coordinates of a grid point or cell.
using Int3 = std::array<int, 3>;

}  // namespace sunder
