#include "dynamics/detail/kernels.h"
#include "dynamics/detail/wide.h"

namespace sunder::dynamics::detail {

namespace {
#include "dynamics/detail/kernels.inl"
}  // namespace

extern const Kernels kPortableKernels;
const Kernels kPortableKernels{"portable", &sat, &separationAlong, &addToTotals, &sweep};

}  // namespace sunder::dynamics::detail
