#include "dynamics/detail/kernels.h"

namespace sunder::dynamics::detail {

extern const Kernels kPortableKernels;
extern const Kernels kAvx2Kernels;

const Kernels& portableKernels() { return kPortableKernels; }

const Kernels& kernels() {
#ifdef SUNDER_HAVE_AVX2_KERNELS
    static const Kernels& best = __builtin_cpu_supports("avx2") ? kAvx2Kernels : kPortableKernels;
    return best;
#else
    return kPortableKernels;
#endif
}

}  // namespace sunder::dynamics::detail
