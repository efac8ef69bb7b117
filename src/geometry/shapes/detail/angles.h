#pragma once

#include "math/vec.h"

namespace sunder::shapes {

/// Angles here are turns: 1 is a full circle. Plain arithmetic instead of libm, so that a shape has the same bits on
/// every machine; exact at multiples of an eighth and symmetric between quadrants.

/// (cosine, sine) of an angle given in turns.
Vec2 onUnitCircle(double turns);

/// The angle of a direction, turns in [0, 1); 0 for the zero vector.
double turnsOf(const Vec2& direction);

}  // namespace sunder::shapes
