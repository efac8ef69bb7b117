#include "dynamics/detail/narrow/field_kernels.h"
#include "dynamics/detail/simd/wide.h"

namespace sunder::dynamics::detail {

namespace {
#include "dynamics/detail/narrow/field_kernels.inl"
}  // namespace

extern const FieldKernels kAvx2FieldKernels;
const FieldKernels kAvx2FieldKernels{&inField, &inConvex};

}  // namespace sunder::dynamics::detail
