#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "geometry/mesh/tri_mesh.h"

namespace sunder {

/// A number that a shape can be given: its name, meaning, unit, default and range.
struct ShapeParameter {
    std::string name;
    std::string help;  // with unit: "height, m"
    double value = 0;  // default
    double min = 0;
    double max = 0;
    bool whole = false;  // counts are whole numbers
};

/// A ready-made model, listed by `sunder shapes`.
struct ShapeInfo {
    std::string name;
    std::string help;   // one line
    bool open = false;  // a thin shell rather than a solid
    std::vector<ShapeParameter> parameters;
};

/// All shapes, in the order they are listed.
std::span<const ShapeInfo> allShapes();
/// Null when there is none of that name.
const ShapeInfo* findShape(const std::string& name);

using ShapeValues = std::map<std::string, double>;

/// Makes a shape with UVs and per-corner normals. Solids are closed, manifold, outward and free of self-intersections
/// at any resolution. Parameters not given take their defaults. `resolution` is roughly the number of segments around
/// the shape. Throws std::invalid_argument (with the allowed range) for an unknown name or a value out of range.
TriMesh makeShape(const std::string& name, const ShapeValues& values = {}, int resolution = 48);

}  // namespace sunder
