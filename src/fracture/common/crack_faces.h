#pragma once

#include <cstdint>
#include <vector>

#include "geometry/tet/cracked_tets.h"

namespace sunder::fracture {

/// Where cracks are, as polygons in the tets they run through.
struct CrackFace {
    uint32_t first = 0, second = 0;  // components on either side, the lower one first
    TetIndex tet{};                  // of the uncut mesh
    std::vector<Vec3> outline;       // m, plane, counter-clockwise seen from `second`
    /// By edge, from outline[i] to the next: the face of the tet that it lies in, 0 to 3; 4 inside the tet, where
    /// another crack ends this one.
    std::vector<uint8_t> inFace;
};
inline constexpr uint8_t kInNoFace = 4;  // in CrackFace::inFace: inside the tet

/// Those between different components, or those with one component on both sides: cracks that end inside.
enum class CrackKind { Through, Partial };
/// The cracks of one kind, polygon by polygon, tets ascending.
std::vector<CrackFace> crackFaces(const CrackedTets& tets, const TetComponents& components, CrackKind kind);
Vec3 areaOf(const std::vector<Vec3>& outline);  // m^2, along the normal of a plane polygon

}  // namespace sunder::fracture
