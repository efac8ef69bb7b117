#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "geometry/shapes/shapes.h"

namespace sunder::shapes {

/// What a maker is given: every parameter of its shape, checked against its range, and the resolution.
class Arguments {
public:
    Arguments(const ShapeInfo& info, ShapeValues values, int resolution)
        : info_(info), values_(std::move(values)), resolution_(resolution) {}

    double operator[](const std::string& name) const { return values_.at(name); }
    int whole(const std::string& name) const { return static_cast<int>(values_.at(name)); }
    int resolution() const { return resolution_; }

    /// For values that are each allowed but do not go together.
    void require(bool condition, const std::string& rule) const {
        if (!condition) throw std::invalid_argument(info_.name + ": " + rule);
    }

private:
    const ShapeInfo& info_;
    ShapeValues values_;
    int resolution_;
};

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
