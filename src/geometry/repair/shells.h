#pragma once

#include <utility>
#include <vector>

#include "geometry/mesh/topology.h"
#include "geometry/mesh/tri_mesh.h"

namespace sunder {

/// One connected closed surface of a mesh, and how deep it lies inside the others.
struct NestedShell {
    std::vector<TriangleIndex> triangles;  // ascending
    Box3 box;                              // around its triangles
    double volume = 0;                     // m^3, signed as the triangles turn
    double area = 0;                       // m^2
    int depth = 0;                         // shells around it: even = bounds a solid from outside, odd = a cavity
};

/// Shells of a closed, consistently oriented mesh, by first triangle. Pairs listed in `crossing` (places of shells that
/// cut each other) are not taken as nested.
std::vector<NestedShell> nestedShells(const TriMesh& mesh, const Components& components,
                                      const std::vector<std::pair<uint32_t, uint32_t>>& crossing = {});

/// Solids: shells at even depth; a shell with its cavities counts once.
size_t bodyCount(const std::vector<NestedShell>& shells);

/// Shells that are turned the wrong way.
struct OutwardCounts {
    size_t inward = 0;  // shells around a solid that were inside out
    size_t nested = 0;  // shells inside another that turned outward, taken as cavities
};

/// Turns shells so that solids lie inside: even depth outward, odd depth inward.
OutwardCounts turnOutward(TriMesh& mesh, std::vector<NestedShell>& shells);
/// What turnOutward would do.
OutwardCounts wrongWayShells(const std::vector<NestedShell>& shells);

}  // namespace sunder
