#pragma once

#include <string>
#include <vector>

#include "geometry/shapes/detail/arguments.h"
#include "geometry/shapes/shapes.h"

namespace sunder::shapes {

struct CatalogueEntry {
    ShapeInfo info;
    TriMesh (*make)(const Arguments&);
};
using Catalogue = std::vector<CatalogueEntry>;

// in the order they are listed
Catalogue primitiveShapes();
Catalogue blockShapes();
Catalogue vesselShapes();
Catalogue columnShapes();
Catalogue ornamentShapes();
Catalogue sculptureShapes();
Catalogue openShapes();

/// A length parameter in metres.
inline ShapeParameter length(const std::string& name, const std::string& what, double value, double min, double max) {
    return {name, what + ", m", value, min, max, false};
}
inline ShapeParameter count(const std::string& name, const std::string& what, int value, int min, int max) {
    return {name, what, static_cast<double>(value), static_cast<double>(min), static_cast<double>(max), true};
}
inline ShapeParameter ratio(const std::string& name, const std::string& what, double value, double min, double max) {
    return {name, what, value, min, max, false};
}

}  // namespace sunder::shapes
