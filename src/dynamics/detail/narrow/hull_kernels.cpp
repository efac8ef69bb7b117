#include "dynamics/detail/narrow/hull_kernels.h"

namespace sunder::dynamics::detail {

extern const HullKernels kPortableHullKernels;
extern const HullKernels kAvx2HullKernels;

const HullKernels& portableHullKernels() { return kPortableHullKernels; }

const HullKernels& hullKernels() {
#ifdef SUNDER_HAVE_AVX2_KERNELS
    static const HullKernels& best = __builtin_cpu_supports("avx2") ? kAvx2HullKernels : kPortableHullKernels;
    return best;
#else
    return kPortableHullKernels;
#endif
}

}  // namespace sunder::dynamics::detail
