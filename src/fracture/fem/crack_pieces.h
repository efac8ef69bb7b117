#pragma once

#include <cstdint>
#include <vector>

#include "geometry/cut/join_pieces.h"
#include "geometry/grid/distance_grid.h"
#include "geometry/tet/cracked_tets.h"

namespace sunder::fracture {

/// Cracks between what has come apart, as polygons in the tets they run through.
struct CrackFace {
    uint32_t first = 0, second = 0;  // components on either side, the lower one first
    std::vector<Vec3> outline;       // m, plane, counter-clockwise seen from `second`
};
/// Those between different components, or, where it asks for them, those with one component on both sides: cracks
/// that end inside.
enum class CrackKind { Through, Partial };
std::vector<CrackFace> crackFaces(const CrackedTets& tets, const TetComponents& components, CrackKind kind);
Vec3 areaOf(const std::vector<Vec3>& outline);  // m^2, along the normal of a plane polygon

/// How the faces of cracks look.
struct CrackRoughness {
    double height = 0;  // m, about the largest displacement
    double length = 1;  // m, of the longest waves
    uint64_t seed = 0;
};

/// The pieces of a solid whose tets came apart. The fine surface itself is cut: walls between the components, taken on
/// the lattice of its distance grid, are carried on beyond the tets, which do not reach everywhere the surface does.
/// Both sides of a crack have the same faces. `unit`: the solid and its grid are stretched by this against the tets.
std::vector<CutPiece> crackPieces(const TriMesh& solid, const DistanceGrid& grid, const TetMesh& whole,
                                  const CrackedTets& tets, const Vec3& unit, const CrackRoughness& roughness);

}  // namespace sunder::fracture
