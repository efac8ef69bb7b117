#pragma once

#include "fracture/prescored/detail/site_patterns.h"

namespace sunder::fracture {

/// Bricks in running bond along the axes of the body, courses level (y is up), whole bricks fitted to its box. The
/// space is squeezed along the bricks: cells of sites shifted by half a brick from course to course are hexagons, and
/// squeezed 16 times these are bricks to a thousandth of their height.
SitePattern brickSites(const PatternOptions& options, const InteriorSamples& body, int pieces);

}  // namespace sunder::fracture
