#pragma once

#include "dynamics/detail/state/body.h"
#include "dynamics/detail/state/contact_patch.h"

namespace sunder::dynamics::detail {

struct NarrowOptions {
    double dt = 0;
    Vec3 gravity = Vec3::Zero();
    bool continuous = true;
};
struct NarrowCounters {
    size_t tests = 0, swept = 0;
};

/// Brings the patches of all pairs with a moving body up to date. Bodies that sleep and are hit wake up, which may make
/// more pairs active; ends when no more wake. Throws StepError when there are far too many.
NarrowCounters findContacts(Bodies& bodies, const NarrowOptions& options, PairTable& table);

}  // namespace sunder::dynamics::detail
