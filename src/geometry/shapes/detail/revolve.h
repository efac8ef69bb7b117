#pragma once

#include "geometry/mesh/tri_mesh.h"
#include "geometry/shapes/detail/profile.h"

namespace sunder::shapes {

enum class RingCounts {
    Adapted,  // halved towards the axis, so that triangles stay even on stems and at poles
    Equal,    // the same everywhere: a plain grid
};

/// Turns a profile about the y axis. A profile whose ends lie on the axis, or that ends where it began, gives a closed
/// surface. `resolution` segments go around where the radius is largest.
///
/// With equal counts, the flat quads of the result are a linear image of the profile polygon, so the surface is free of
/// self-intersections exactly when the polygon is. Adapted counts keep that: rings of two walls that stand closer
/// together than the error of their chords get the same count.
TriMesh revolve(const Profile& profile, int resolution, RingCounts counts = RingCounts::Adapted);

}  // namespace sunder::shapes
