#pragma once

#include "dynamics/detail/state/body.h"
#include "dynamics/detail/state/contact_patch.h"

namespace sunder::dynamics::detail {

/// Puts boxes around all bodies, large enough for this frame; where one left its box, looks for new neighbours and
/// forgets old ones. Throws StepError when there are far too many pairs.
void findPairs(Bodies& bodies, double dt, const Vec3& gravity, PairTable& table);

}  // namespace sunder::dynamics::detail
