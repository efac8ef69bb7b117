#include "dynamics/detail/solve/contact_kernels.h"

namespace sunder::dynamics::detail {

extern const ContactKernels kPortableContactKernels;
extern const ContactKernels kAvx2ContactKernels;

const ContactKernels& portableContactKernels() { return kPortableContactKernels; }

const ContactKernels& contactKernels() {
#ifdef SUNDER_HAVE_AVX2_KERNELS
    static const ContactKernels& best = __builtin_cpu_supports("avx2") ? kAvx2ContactKernels : kPortableContactKernels;
    return best;
#else
    return kPortableContactKernels;
#endif
}

}  // namespace sunder::dynamics::detail
