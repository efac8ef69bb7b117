#include "fracture/interface/fracture_method.h"

#include <fmt/format.h>

namespace sunder::fracture {

FracturePlan staysWhole(std::string reason) {
    FracturePlan plan;
    plan.reason = std::move(reason);
    return plan;
}

FracturePlan planOnce(const FractureMethod& method, const Solid& solid, const Loads& loads, const Context& context) {
    // most questions end here
    if (!method.mayBreak(solid, loads)) {
        const Load* load = hardest(loads);
        return staysWhole(
            load == nullptr
                ? "nothing acts on it"
                : fmt::format("a blow of {:.4g} N s is too weak, or it may not break any more", load->impulse.norm()));
    }

    const CancelScope scope(context.progress);
    return method.prepare(solid, context)->plan(loads, context);
}

}  // namespace sunder::fracture
