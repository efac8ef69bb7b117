#pragma once

#include "fracture/common/tet_filling.h"
#include "fracture/common/tet_strength.h"
#include "fracture/fem/fem_method.h"
#include "stress/fem/fem_solver.h"

namespace sunder::fracture {

/// What fracture from stress works out of a solid once.
struct FemBody : TetFilling, TetStrength {
    Scars scars;  // inherited
    std::unique_ptr<stress::FemSolver> solver;

    bool usable() const { return solver != nullptr; }
};
FemBody makeFemBody(const Solid& solid, const FemFractureOptions& options, const Context& context);

}  // namespace sunder::fracture
