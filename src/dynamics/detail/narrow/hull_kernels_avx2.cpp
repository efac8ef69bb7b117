#include "dynamics/detail/narrow/hull_kernels.h"
#include "dynamics/detail/simd/wide.h"

namespace sunder::dynamics::detail {

namespace {
#include "dynamics/detail/narrow/hull_kernels.inl"
}  // namespace

extern const HullKernels kAvx2HullKernels;
const HullKernels kAvx2HullKernels{"avx2", &farthestFace, &edgesTowards, &farthestEdges, &separationAlong};

}  // namespace sunder::dynamics::detail
