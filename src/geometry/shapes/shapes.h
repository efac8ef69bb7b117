#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "geometry/mesh/tri_mesh.h"

namespace sunder {

/// A number that a shape can be given: its name, meaning, unit, default and range.
struct ShapeParameter {
    std::string name;    // as scenes and flags have it
    std::string help;    // with unit: "height, m"
    double value = 0;    // default
    double min = 0;      // least allowed
    double max = 0;      // most allowed
    bool whole = false;  // counts are whole numbers
};

/// A ready-made model, listed by `sunder shapes`.
struct ShapeInfo {
    std::string name;                        // as scenes and flags have it
    std::string help;                        // one line
    bool open = false;                       // a thin shell rather than a solid
    std::vector<ShapeParameter> parameters;  // all have defaults
    std::string material = {};  // what it is mostly made of, by its name in material/catalogue; empty: no matter
};

/// All shapes, in the order they are listed.
std::span<const ShapeInfo> allShapes();
/// Null when there is none of that name.
const ShapeInfo* findShape(const std::string& name);

/// Parameters of a shape by name; what is left out has its default.
using ShapeValues = std::map<std::string, double>;

/// The least that `resolution` of makeShape() may be.
inline constexpr int kMinShapeResolution = 8;
/// The most that `resolution` of makeShape() may be.
inline constexpr int kMaxShapeResolution = 512;

/// Makes a shape with UVs and per-corner normals. Solids are closed, manifold, outward and free of self-intersections
/// at any resolution; open shells have consistent orientation, outward on the convex side.
///
/// Y is up. Plain forms (box, sphere, torus, star, ...) are centred at the origin; things that stand (walls, vessels,
/// columns, table, mushroom, sculptures) rest on y = 0 with the origin below their middle. Lengths are metres.
///
/// `resolution` is roughly the number of segments around the shape; triangles grow with its square and stay below five
/// million. Where a feature would be lost or its triangles be needles (thin panes, the legs of the animal), more is
/// spent than asked.
///
/// UVs run once around and once along turned and swept shapes, and are projected along the nearest axis, one unit per
/// longest side of the shape, on the others.
///
/// Parameters not given take their defaults. Throws std::invalid_argument, with what is allowed, for an unknown name or
/// parameter, a value out of range, or values that do not go together (a wall thicker than its radius).
TriMesh makeShape(const std::string& name, const ShapeValues& values = {}, int resolution = 48);

}  // namespace sunder
