#pragma once

#include <vector>

#include "geometry/cut/detail/outlines.h"

namespace sunder::detail {

/// For each node the one that stands for it: nodes that an outline joins by less than `shortest` become one, the lowest
/// (so the solid's own vertices stay where they are). Empty when there are none. Where walls go through vertices and
/// edges of the solid, crossings lie at these; without this, faces without area would be left there.
std::vector<Node> fusedNodes(std::span<const Vec3> positions, std::span<const Outlines> outlines, double shortest);

/// The outlines with fused nodes, taken apart where a line touches itself; parts of less than three nodes go.
Outlines withFusedNodes(const Outlines& outlines, std::span<const Node> fused);

}  // namespace sunder::detail
