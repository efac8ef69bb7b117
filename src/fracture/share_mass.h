#pragma once

#include <vector>

#include "fracture/fracture_method.h"

namespace sunder::fracture {

/// Gives fragments (one or more) the mass of what they came of, in proportion to their volumes; the last takes what
/// rounding leaves, so that they sum to the whole.
void shareMass(double mass, std::vector<Fragment>& fragments);

}  // namespace sunder::fracture
