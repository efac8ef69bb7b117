#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "geometry/mesh/tri_mesh.h"

namespace sunder::detail {

/// Walls that overlap by rounding have put a vertex of the solid in two cells, or in none, or walls meet the solid so
/// exactly that a piece would touch itself.
struct Contradiction : std::runtime_error {
    explicit Contradiction(const std::string& what) : std::runtime_error("cutByCells: " + what) {}
};

/// Three vertices of the walls, counter-clockwise seen from the side that the normal points to.
using WallTriangle = std::array<uint32_t, 3>;

/// Which side of what: exact, and never undecided between a solid and the walls that cut it. The solid is taken as
/// shrunk by a distance just above rounding (each vertex moves inward along its normal), so that a wall that lies in a
/// face of the solid, itself rounded, cuts nothing off it. Where they still touch, the solid shrinks by an
/// infinitesimal amount more, and what is undecided then is decided by moving the walls along x, y, z by amounts that
/// are infinitesimal even beside that. All signs are those of one arrangement in general position, so they never
/// contradict each other [edelsbrunner1990]. Zero is left only for triangles and edges without extent, and edges that
/// run side by side, none of which is ever crossed.
class ShrunkSigns {
public:
    ShrunkSigns(const TriMesh& solid, std::span<const Vec3> wallVertices);

    /// How far vertices were moved, m.
    double shrinkage() const { return shrinkage_; }
    /// Where the solid's vertex is taken to be.
    const Vec3& shrunk(VertexIndex v) const { return shrunk_[raw(v)]; }

    /// +1 when the solid's vertex is on the side that the wall's normal points to.
    int side(VertexIndex v, const WallTriangle& wall) const;
    /// +1 when the wall's vertex is outside the solid's triangle.
    int side(uint32_t wallVertex, const Triangle& triangle) const;
    /// Sign of (q - p) x (a - p) . (b - p) for an edge pq of the solid and ab of a wall.
    int turn(VertexIndex p, VertexIndex q, uint32_t a, uint32_t b) const;

    /// Where an edge, whose ends are on different sides, crosses: 0 at the first end, 1 at the second. Of the solid as
    /// it is, not shrunk; an edge that then just fails to cross ends there.
    double crossing(VertexIndex p, VertexIndex q, const WallTriangle& wall) const;
    double crossing(uint32_t a, uint32_t b, const Triangle& triangle) const;

private:
    const TriMesh& solid_;
    std::span<const Vec3> wall_;
    double shrinkage_ = 0;
    std::vector<Vec3> inward_;  // per vertex of the solid; unit
    std::vector<Vec3> shrunk_;  // positions
};

}  // namespace sunder::detail
