#pragma once

#include <cstddef>

#include "material/look.h"

namespace sunder {

/// Colours that tell neighbours apart, in a fixed order: pieceLook(0), pieceLook(1), ...
Look pieceLook(size_t number);

/// What a crack laid open, where nobody says how it looks.
inline const Look kFreshBreak{.colour = {0.80, 0.42, 0.28}, .roughness = 0.95, .highlight = {0.03, 0.2, 0}};

}  // namespace sunder
