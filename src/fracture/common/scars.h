#pragma once

#include <vector>

#include "fracture/interface/fracture_method.h"

namespace sunder::fracture {

/// A place where an earlier blow left a crack that ends inside.
struct WeakSpot {
    Vec3 place = Vec3::Zero();   // m, in the mesh's coordinates
    Vec3 normal = Vec3::Zero();  // unit, of the crack
    double size = 0;             // m, radius of a disc of its area
};

/// What earlier blows left in a body.
struct Scars {
    std::vector<WeakSpot> spots;  // the stiffness and strength around them is less
    std::vector<TriMesh> gaps;    // of slits, see Slit: positions and triangles alone

    bool empty() const { return spots.empty() && gaps.empty(); }  // whole, or broken clean
};
/// As bytes, for the plan of the body that has them; no bytes when there are none.
Inheritance inheritanceOf(const Scars& scars);
/// The scars that a body inherited; none when the bytes are damaged.
Scars scarsIn(const Inheritance& inherited);

}  // namespace sunder::fracture
