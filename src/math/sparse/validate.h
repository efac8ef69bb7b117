#pragma once

#include <string>

#include "math/sparse/block_matrix.h"

namespace sunder {

/// The first promise of BlockMatrix that this one breaks, in words; empty when it keeps all: neighbours ascend, are in
/// range, and know each other; blocks across the diagonal are each other's transposes. Looks at everything, so solvers
/// begin with ASSERT(problemWith(matrix).empty()).
std::string problemWith(const BlockMatrix& matrix);

}  // namespace sunder
