#pragma once

#include <vector>

#include "dynamics/detail/solve/contact_solver.h"
#include "dynamics/detail/state/body.h"
#include "dynamics/detail/state/contact_patch.h"

namespace sunder::dynamics::detail {

// What must hold of a world between the stages of a step. Each stops the program at the first thing that does not, in
// builds with assertions; in others there is nothing to call.

/// Free slots are the dead bodies; the living have a place, a unit rotation with its matrix, and the mass of their
/// kind.
void validateBodies(const Bodies& bodies, const std::vector<uint32_t>& freeSlots);

/// Pairs are sorted, of living bodies that may meet, and own patches of their own, in their order.
void validatePairs(const Bodies& bodies, const PairTable& table);

/// The same, and no patch is left without a pair.
void validatePatches(const Bodies& bodies, const PairTable& table);

/// They are sorted and name living bodies.
void validateImpacts(const Bodies& bodies, const std::vector<Impact>& impacts);

/// It is finite and leaves alone what is not mobile.
void validateSolution(const Bodies& bodies, const PairTable& table, const FrameSolution& solution);

#ifdef NDEBUG
inline constexpr bool kValidates = false;
#else
inline constexpr bool kValidates = true;
#endif

}  // namespace sunder::dynamics::detail
