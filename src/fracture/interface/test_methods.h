#pragma once

#include <memory>

#include "fracture/interface/fracture_method.h"

namespace sunder::fracture::test {

/// A method that prepares nothing: all it knows is in the answer to one question.
class UnpreparedMethod : public FractureMethod {
public:
    virtual FracturePlan planOf(const Solid& solid, const Loads& loads) const = 0;

    std::unique_ptr<const Breakable> prepare(const Solid& solid, const Context& /*context*/) const override {
        return std::make_unique<Asked>(*this, solid);
    }

private:
    struct Asked : Breakable {
        const UnpreparedMethod& method;
        Solid solid;
        Asked(const UnpreparedMethod& asked, const Solid& about) : method(asked), solid(about) {}
        FracturePlan plan(const Loads& loads, const Context& /*context*/) const override {
            return method.planOf(solid, loads);
        }
    };
};

}  // namespace sunder::fracture::test
