#pragma once

#include <string>
#include <utility>
#include <vector>

#include "geometry/mesh/topology.h"
#include "geometry/mesh/tri_mesh.h"
#include "geometry/repair/wall_thickness.h"
#include "geometry/tree/self_intersections.h"

/// Questions that diagnosis and repair both ask.
namespace sunder::detail {

/// Welds exactly equal vertices, unless the mesh is a closed manifold already and welding would only glue surfaces that
/// touch: then the mesh stays. Coincident shells are welded, so that their faces show up as copies. Returns how many
/// vertices went.
size_t weldWhereNeeded(TriMesh& mesh);

struct CopyCounts {
    size_t same = 0;      // faces listed again, same orientation
    size_t opposite = 0;  // faces with a copy that turns the other way
    TriangleIndex firstSame{}, firstOpposite{};
};
CopyCounts countCopies(const TriMesh& mesh);

constexpr size_t kMaxCuts = 300000;  // pairs of triangles: nobody mends more

struct Intersections {
    std::vector<IntersectingPair> pairs;  // at most kMaxCuts + 1
    bool tooNear = false;                 // not looked for: nearly every triangle is near nearly every other
    size_t crossing = 0;                  // pairs within one component that cut or touch
    size_t coplanar = 0;                  // pairs that lie on each other
    IntersectingPair firstCrossing, firstCoplanar;
    std::vector<std::pair<uint32_t, uint32_t>> shellPairs;  // components that cut each other, ascending, first < second

    bool tooMany() const { return tooNear || pairs.size() > kMaxCuts; }
    /// A sentence for the user.
    std::string tooManyText() const;
};
Intersections findIntersections(const TriMesh& mesh, const Components& components);

Vec3 placeOf(const TriMesh& mesh, const IntersectingPair& pair);

/// A closed mesh whose volume is more than the rounding of its coordinates.
bool enclosesVolume(const TriMesh& mesh);

/// "0.001 thick at (0, 0, 0): thinner than three cells of 0.005; a cell size of 0.00033 or less would do"
std::string thinWallText(const WallThickness& wall, double cellSize);

}  // namespace sunder::detail
