#pragma once

#include <optional>
#include <vector>

#include "fracture/common/dent.h"
#include "fracture/common/scars.h"
#include "fracture/interface/fracture_method.h"

namespace sunder::fracture {

/// Fragments of pieces (one or more), which share the mass of what they came of in proportion to their volumes; the
/// last takes what rounding leaves, so that they sum to the whole.
std::vector<Fragment> fragmentsOf(std::vector<TriMesh> pieces, double mass);

/// m^2, of faces between fragments that were not there before, each once.
double newFaceArea(const TriMesh& before, const std::vector<Fragment>& fragments);

/// Dents a fragment, opens its cracks for the eye, and hands on what it inherits.
void finish(Fragment& fragment, Scars scars, const std::optional<Dent>& dent);

}  // namespace sunder::fracture
