#pragma once

#include <vector>

#include "dynamics/detail/account/energy.h"
#include "dynamics/detail/solve/contact_solver.h"
#include "dynamics/detail/state/body.h"
#include "dynamics/detail/state/contact_patch.h"

namespace sunder::dynamics::detail {

/// What a patch did in a collision pass that started at `time`, s; placed where the bodies are now.
Impact impactOf(const Bodies& bodies, const MotionBefore& before, const ContactPatch& patch, const PatchResult& result,
                double time);

/// Hits of one pair along about one normal become one; ordered by (a, b).
void mergeImpacts(std::vector<Impact>& impacts);

}  // namespace sunder::dynamics::detail
