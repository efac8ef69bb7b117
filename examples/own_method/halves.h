#pragma once

#include <memory>
#include <string_view>
#include <sunder/fracture/interface/method_entry.h>

namespace own {

/// What a scene may say: {"method": "halves", "threshold": 50, "max_generations": 3}.
struct HalvesSettings {
    double threshold = 10;   // N s: a load that is harder breaks a body
    int maxGenerations = 2;  // how often a body and its halves may break in a row
};

/// The settings' description: scenes, their mistakes, help and Studio's panels are made of it.
const sunder::schema::Record<HalvesSettings>& recordFor(sunder::schema::Of<HalvesSettings>);

/// A method of one's own: a body parts in two where it is hit hardest, along the blow and across its longest side.
class Halves : public sunder::fracture::FractureMethod {
public:
    explicit Halves(const HalvesSettings& settings) : settings_(settings) {}

    std::string_view name() const override { return "halves"; }
    bool mayBreak(const sunder::fracture::Solid& solid, const sunder::fracture::Loads& loads) const override;
    std::unique_ptr<const sunder::fracture::Breakable> prepare(const sunder::fracture::Solid& solid,
                                                               const sunder::fracture::Context& context) const override;

private:
    HalvesSettings settings_;
};

/// The row that fracture::addMethod() takes.
sunder::fracture::MethodEntry halvesEntry();

}  // namespace own
