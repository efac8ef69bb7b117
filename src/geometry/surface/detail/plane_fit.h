#pragma once

#include <span>

#include "math/box.h"
#include "math/vec.h"

namespace sunder::detail {

/// A point of the surface with its tangent plane.
struct TangentPlane {
    Vec3 point;
    Vec3 normal;  // unit, outward
    double weight = 1;
};

/// What the planes near a point say the surface is there.
enum class SurfaceFeature : uint8_t { Smooth = 1, Crease = 2, Corner = 3 };  // = how many directions they fix

/// Smooth when all normals agree within `creaseAngle` per unit of length between their points (at least one unit, the
/// cell); a crease when all are near one plane, else a corner [kobbelt2001, sec. 4, which has no allowance for length].
/// Planes of little weight have no say.
SurfaceFeature featureOf(std::span<const TangentPlane> planes, double creaseAngle);

/// The point that lies best on all planes: on the crease line or the corner where they meet, on the surface itself
/// where they agree. Directions the planes leave open are taken from `centre` [ju2002; lindstrom2000].
Vec3 bestPoint(std::span<const TangentPlane> planes, SurfaceFeature feature, const Vec3& centre);

/// The same with the point kept in a box, by exact minimisation, not by clamping coordinates.
Vec3 bestPointIn(const Box3& box, std::span<const TangentPlane> planes, SurfaceFeature feature, const Vec3& centre);

/// How a point on the feature may still move: across the axis on a smooth surface (it is the normal), along it on a
/// crease, not at all at a corner (zero).
Vec3 axisOf(std::span<const TangentPlane> planes, SurfaceFeature feature);

}  // namespace sunder::detail
