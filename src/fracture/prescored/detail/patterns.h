#pragma once

#include <span>

#include "fracture/prescored/detail/placed_regions.h"
#include "fracture/prescored/detail/site_patterns.h"

namespace sunder::fracture {

/// One way to score space. A pattern is added by a file with its function and a row in patterns.cpp. Its walls are
/// planar (`sites`) or curved (`exact` and `fast`).
struct Pattern {
    const char* name;
    const char* help;
    bool oneSize = false;      // pieces are meant to be of one size: what is far smaller is a crumb
    bool needsMeshes = false;  // regions are PatternOptions::meshes

    SitePattern (*sites)(const SiteWish&) = nullptr;
    CurvedRegions (*exact)(const ExactWish&) = nullptr;
    CurvedRegions (*fast)(const FastWish&) = nullptr;
};
std::span<const Pattern> patterns();

}  // namespace sunder::fracture
