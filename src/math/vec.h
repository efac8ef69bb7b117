#pragma once

#include <array>
#include <cstdint>

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace sunder {

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Vec4 = Eigen::Vector4d;
using Vec3f = Eigen::Vector3f;
using Mat3 = Eigen::Matrix3d;
using Quat = Eigen::Quaterniond;
// the layout that the library was compiled with: link sunder's targets, or define EIGEN_MAX_ALIGN_BYTES=16
static_assert(alignof(Quat) == 16 && alignof(Vec4) == 16, "compile with EIGEN_MAX_ALIGN_BYTES=16, as sunder was");

/// Whole-number coordinates of a grid point or cell.
using Int3 = std::array<int, 3>;

}  // namespace sunder
