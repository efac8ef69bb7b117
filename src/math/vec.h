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

/// Whole-number coordinates of a grid point or cell.
using Int3 = std::array<int, 3>;

}  // namespace sunder
