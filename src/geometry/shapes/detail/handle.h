#pragma once

#include <cstdint>

#include "geometry/mesh/tri_mesh.h"

namespace sunder::shapes {

/// A round bar that stands out of the upright side of a turned vessel towards +x, and goes down and back to it.
struct Handle {
    double grip = 0;   // radius of the bar, m
    double reach = 0;  // from the side to the outermost point, m
    double lower = 0;  // heights of its ends, m
    double upper = 0;
    double sideRadius = 0;  // of the vessel's outside, m
    double wall = 0;        // thickness of the side, m

    /// Room that an end takes on the side, above and below its middle, m.
    double halfSeat() const;
};

/// Joins a handle to a vessel that was turned with `around` segments: the side's triangles where its ends sit give way
/// to fillets, point for point, so that a closed manifold stays one, with one more opening. The side needs rows of
/// points at `halfSeat()` above and below the middle of each end, and equally many between these at both ends.
void addHandle(TriMesh& vessel, const Handle& handle, uint32_t around);

}  // namespace sunder::shapes
