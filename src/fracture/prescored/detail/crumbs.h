#pragma once

#include <utility>
#include <vector>

#include "fracture/prescored/detail/patterns.h"
#include "geometry/cut/join_pieces.h"
#include "geometry/mesh/mass_properties.h"

namespace sunder::fracture {

/// Share of the mean piece: what is smaller, in a pattern of regions of one size, is not counted as a piece.
inline constexpr double kLeastShareOfMean = 0.05;

/// What a pattern cuts a solid into. A region may touch a second limb of the body, or graze its surface: what is far
/// smaller than its neighbour is a crumb of that. Where all pieces are meant to be of one size, so is what is far
/// smaller than the mean.
inline std::vector<TriMesh> piecesWithoutCrumbs(std::vector<CutPiece> cut, const TriMesh& solid, int pieces,
                                                PatternKind kind) {
    CrumbLimits limits;
    if (kind->oneSize) limits.volume = kLeastShareOfMean * volume(solid) / pieces;
    std::vector<TriMesh> meshes;
    for (CutPiece& piece : withoutCrumbs(std::move(cut), limits)) meshes.push_back(std::move(piece.mesh));
    return meshes;
}

}  // namespace sunder::fracture
