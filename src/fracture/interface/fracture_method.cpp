#include "fracture/interface/fracture_method.h"

namespace sunder::fracture {

FracturePlan planOnce(const FractureMethod& method, const Solid& solid, const Loads& loads, const Context& context) {
    if (!method.mayBreak(solid, loads)) return {};
    const CancelScope scope(context.progress);
    return method.prepare(solid, context)->plan(loads, context);
}

}  // namespace sunder::fracture
