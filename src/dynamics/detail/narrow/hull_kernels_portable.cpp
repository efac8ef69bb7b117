#include "dynamics/detail/narrow/hull_kernels.h"
#include "dynamics/detail/simd/wide.h"

namespace sunder::dynamics::detail {

namespace {
#include "dynamics/detail/narrow/hull_kernels.inl"
}  // namespace

extern const HullKernels kPortableHullKernels;
const HullKernels kPortableHullKernels{"portable", &farthestFace, &edgesTowards, &farthestEdges, &separationAlong};

}  // namespace sunder::dynamics::detail
