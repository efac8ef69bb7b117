#include "dynamics/detail/narrow/field_kernels.h"

namespace sunder::dynamics::detail {

extern const FieldKernels kPortableFieldKernels;
extern const FieldKernels kAvx2FieldKernels;

const FieldKernels& portableFieldKernels() { return kPortableFieldKernels; }

const FieldKernels& fieldKernels() {
#ifdef SUNDER_HAVE_AVX2_KERNELS
    static const FieldKernels& best = __builtin_cpu_supports("avx2") ? kAvx2FieldKernels : kPortableFieldKernels;
    return best;
#else
    return kPortableFieldKernels;
#endif
}

}  // namespace sunder::dynamics::detail
