#pragma once

#include <array>
#include <span>
#include <vector>

#include "geometry/cut/detail/crossings.h"

namespace sunder::detail {

using FlatTriangle = std::array<Node, 3>;

/// Cuts one polygon, counter-clockwise about `normal`, into triangles; of few corners in the best way there is (the
/// largest smallest height). Always n - 2 triangles on the polygon's edges, so that what is around it stays closed.
void triangulateOutline(std::span<const Node> outline, std::span<const Vec3> positions, const Vec3& normal,
                        std::vector<FlatTriangle>& triangles);

/// The same for outlines in one plane of which clockwise ones are holes: holes are joined to what surrounds them by a
/// slit, then triangles are made better by turning edges.
void triangulateOutlines(std::span<const std::span<const Node>> outlines, std::span<const Vec3> positions,
                         const Vec3& normal, std::vector<FlatTriangle>& triangles);

}  // namespace sunder::detail
