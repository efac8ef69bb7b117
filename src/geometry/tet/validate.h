#pragma once

#include <string>

#include "geometry/tet/cracked_tets.h"
#include "geometry/tet/tet_mesh.h"

namespace sunder {

/// The first promise of TetMesh that this one breaks, in words; empty when it keeps all: indices are in range and
/// places finite, volumes positive, regions there for all tets or none, and no face belongs to more than two tets.
/// Looks at everything, so stages that make tets end with ASSERT(problemWith(mesh).empty()).
std::string problemWith(const TetMesh& mesh);

/// The same for cracked tets, whose copies may share a face among three at a crack's front: arrays of one length,
/// shares of material in 0 to 1 that sum to 1 over the copies of a tet, joints that name the same nodes from both sides
/// and are each in the lists of their two tets.
std::string problemWith(const CrackedTets& tets);

}  // namespace sunder
