#pragma once

#include <cstdint>
#include <vector>

#include "geometry/cut/join_pieces.h"
#include "geometry/grid/distance_grid.h"
#include "geometry/tet/cracked_tets.h"

namespace sunder::fracture {

/// How the faces of cracks look.
struct CrackRoughness {
    double height = 0;  // m, about the largest displacement
    double length = 1;  // m, of the longest waves
    uint64_t seed = 0;  // of the noise: the same at one place for whoever asks
};
double roughnessAt(const Vec3& point, const CrackRoughness& roughness);  // m, along a crack's normal

/// The pieces of a solid whose tets came apart. The fine surface itself is cut: walls between the components, taken on
/// the lattice of its distance grid, are carried on beyond the tets, which do not reach everywhere the surface does.
/// Both sides of a crack have the same faces. `stretch`: the solid and its grid are stretched by this against the tets.
std::vector<CutPiece> crackPieces(const TriMesh& solid, const DistanceGrid& grid, const TetMesh& whole,
                                  const CrackedTets& tets, const Vec3& stretch, const CrackRoughness& roughness);

}  // namespace sunder::fracture
