#pragma once

#include "geometry/tet/tet_mesh.h"

namespace sunder {

/// What splitPinches() did.
struct PinchReport {
    size_t doubledNodes = 0;  // nodes added, each at the place of another
    size_t droppedTets = 0;   // where two wedges could not be parted
};

/// Makes the boundary of a face-conforming mesh a closed manifold. Tets that hang together at a node by no chain of
/// faces only touch there: each such group gets a node of its own, at the same place. What is then left are edges at
/// which two wedges touch that are joined through other tets at both ends; of these the smaller wedge is dropped, which
/// costs no angle of any tet. Nodes without tets go. Doubled nodes are numbered after the others.
PinchReport splitPinches(TetMesh& mesh);

}  // namespace sunder
