#include "fracture/fem/detail/fem_body.h"

#include <fmt/format.h>

#include "math/sparse/block_cholesky.h"

namespace sunder::fracture {

FemBody makeFemBody(const Solid& solid, const FemFractureOptions& options, const Context& context) {
    FemBody body;
    context.stage(fmt::format("filling with {} tets or more", options.tets));
    static_cast<TetFilling&>(body) = fillWithTets(solid, options.filling());
    if (body.tets.tetCount() == 0) return body;

    // what it bears, less where it cracked before
    body.scars = scarsIn(solid.inherited);
    static_cast<TetStrength&>(body) =
        strengthOf(solid, body.tets, body.scars,
                   {.tensile = options.strength.tensile, .variation = options.variation, .grains = options.grains});

    // the factor, for any number of blows
    context.stage(fmt::format("factoring the stiffness matrix of {} tets", body.tets.tetCount()));
    try {
        body.solver = std::make_unique<stress::FemSolver>(body.tets, options.elastic,
                                                          stress::FemOptions{.order = body.order}, body.share);
    } catch (const NotPositiveDefinite& error) {
        context.warn(
            fmt::format("a body has tets that its stress cannot be solved in ({}); it stays whole", error.what()));
    }
    return body;
}

}  // namespace sunder::fracture
