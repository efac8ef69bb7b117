#pragma once

#include <vector>

#include "base/indexed_vector.h"
#include "geometry/tet/tet_mesh.h"
#include "math/sym_mat3.h"

/// Loads in, stress out: how a body deforms and what pulls at it inside.
namespace sunder::stress {

/// Whether an answer may be used.
enum class SolveStatus {
    NotSolved,
    Converged,    // to the residual asked for; a direct solver's always is
    NotConverged  // iterations ended before: the residual says what the answer is worth
};

/// What solving came to.
struct Convergence {
    SolveStatus status = SolveStatus::NotSolved;  // to be looked at before the answer is used
    int iterations = 0;                           // 0: direct
    double residual = 1;                          // relative; 1: nothing solved; 0: direct, not measured
};

/// What loads do inside a body. From forces: displacements in m, stress in Pa. From impulses: both integrated over the
/// time of the blow, m s and Pa s.
struct StressSolution {
    Convergence convergence;                      // to be looked at before the rest is used
    IndexedVector<NodeIndex, Vec3> displacement;  // of the tets' corners, without rigid motion
    IndexedVector<NodeIndex, SymMat3> atNode;     // stress at the tets' corners, recovered from the tets around
    IndexedVector<TetIndex, SymMat3> inTet;       // stress, mean over each tet
    IndexedVector<TetIndex, double> energy;       // J from forces; J s^2 from impulses
};

}  // namespace sunder::stress
