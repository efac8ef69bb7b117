#include "dynamics/detail/kernels.h"
#include "dynamics/detail/wide.h"

namespace sunder::dynamics::detail {

namespace {
#include "dynamics/detail/kernels.inl"
}  // namespace

extern const Kernels kAvx2Kernels;
const Kernels kAvx2Kernels{"avx2", &sat, &separationAlong, &addToTotals, &sweep};

}  // namespace sunder::dynamics::detail
