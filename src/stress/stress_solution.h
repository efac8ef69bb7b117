#pragma once

#include <vector>

#include "base/indexed_vector.h"
#include "geometry/tet/tet_mesh.h"
#include "math/sym_mat3.h"

namespace sunder::stress {

/// What loads do inside a body. From forces: displacements in m, stress in Pa. From impulses: both integrated over the
/// time of the blow, m s and Pa s.
struct StressSolution {
    IndexedVector<NodeIndex, Vec3> displacement;  // of the tets' corners, without rigid motion
    IndexedVector<NodeIndex, SymMat3> atNode;     // stress at the tets' corners, recovered from the tets around
    IndexedVector<TetIndex, SymMat3> inTet;       // stress, mean over each tet
    IndexedVector<TetIndex, double> energy;       // J from forces; J s^2 from impulses
};

}  // namespace sunder::stress
