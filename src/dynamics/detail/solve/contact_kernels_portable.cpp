#include "dynamics/detail/simd/wide.h"
#include "dynamics/detail/solve/contact_kernels.h"

namespace sunder::dynamics::detail {

namespace {
#include "dynamics/detail/solve/contact_kernels.inl"
}  // namespace

extern const ContactKernels kPortableContactKernels;
const ContactKernels kPortableContactKernels{"portable", &fill,  &carry,      &kick,  &drift,
                                             &leap,      &sweep, &noteShifts, &finish};

}  // namespace sunder::dynamics::detail
