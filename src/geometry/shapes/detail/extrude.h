#pragma once

#include <vector>

#include "geometry/mesh/tri_mesh.h"

namespace sunder::shapes {

struct Extrusion {
    /// Corners in the (x, -z) plane, counter-clockwise seen from above; every point of the outline must be visible from
    /// the origin. May be concave (a star).
    std::vector<Vec2> outline;
    double height = 1;   // along y, centred, m
    double ridge = 0;    // how much higher the middle of each cap is than its rim, m
    double spacing = 1;  // wanted edge length, m
};

/// A straight solid over an outline. Each cap is cut into one triangle per outline edge, from the middle, and these
/// into equal smaller ones of the same form, so that flat faces have no needles. All edges are hard.
TriMesh extruded(const Extrusion& extrusion);

}  // namespace sunder::shapes
