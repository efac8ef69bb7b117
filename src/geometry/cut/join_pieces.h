#pragma once

#include <vector>

#include "geometry/cut/cut_by_cells.h"

namespace sunder {

/// What is too small to be a piece.
struct CrumbLimits {
    double share = 0.01;  // of the volume of the neighbour it shares most crack area with
    double volume = 0;    // m^3
};

/// Gives every piece below one of the limits to the neighbour it shares most crack area with, the smallest first: the
/// faces between them vanish, all others stay as they are, and nothing is lost. A piece without neighbours stays. The
/// others keep their order.
std::vector<CutPiece> withoutCrumbs(std::vector<CutPiece> pieces, const CrumbLimits& limits = {});

}  // namespace sunder
