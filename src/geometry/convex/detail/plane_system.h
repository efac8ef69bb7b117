#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/indexed_vector.h"
#include "geometry/convex/convex_polytope.h"
#include "geometry/convex/detail/exact_number.h"
#include "math/vec.h"

namespace sunder::detail {

/// A generator is a site (0 .. sites - 1) or a wall (from sites on).
using Generator = uint32_t;
inline constexpr Generator kNoSite = kInvalidIndex;

/// The half-space n . x <= d as one cell sees it: relative to the cell's site, rounded.
struct PlaneRow {
    Vec3 normal = Vec3::Zero();
    double offset = 0;
    double normalSize = 0;  // largest component
    double offsetSize = 0;  // bounds what the offset was summed from
};

/// n . x <= d relative to a site, with all four numbers proportional to the true ones within this factor of their
/// sizes. See sideBound().
inline constexpr double kRowError = 0x1p-45;

/// The same with twice the digits.
struct LongRow {
    std::array<DoubleDouble, 3> normal;
    DoubleDouble offset;
};
/// Where three planes meet, with twice the digits: point / weight.
struct LongVertex {
    std::array<DoubleDouble, 3> point;
    DoubleDouble weight;
};
/// The height that LongVertex and LongRow give is off by at most this part of what it was summed from.
inline constexpr double kLongError = 0x1p-94;

/// How far beyond the plane, times the weight. A compensated sum of products [ogita2005]: as good as long additions, at
/// half the work.
inline double longHeight(const LongVertex& vertex, const LongRow& plane) {
    double sum = 0, lost = 0;
    const auto add = [&](const DoubleDouble& a, const DoubleDouble& b) {
        const Rounded product = twoProduct(a.high, b.high);
        const Rounded next = twoSum(sum, product.value);
        sum = next.value;
        lost += next.error + (product.error + (a.high * b.low + a.low * b.high));
    };
    for (size_t c = 0; c < 3; ++c) add(plane.normal[c], vertex.point[c]);
    add(-plane.offset, vertex.weight);
    return sum + lost;
}

/// The planes that bound Voronoi cells, and the one question that decides their shape: does a vertex survive a cut?
/// Answered exactly. Where four planes meet in a point, the answer is that of sites with infinitely small weights and
/// walls moved infinitely little inward (simulation of simplicity [edelsbrunner1990], smaller generators move more):
/// so every vertex has three planes, no answer is ever "on", and all cells that meet in a vertex agree about it.
///
/// Coordinates should be about 1 in size and not finer than 2^-160; see normalising in voronoi.cpp.
class PlaneSystem {
public:
    PlaneSystem(std::span<const Vec3> sites, std::span<const Plane> walls) : sites_(sites), walls_(walls) {}

    bool isSite(Generator g) const { return g < sites_.size(); }
    size_t siteCount() const { return sites_.size(); }
    size_t wallCount() const { return walls_.size(); }
    const Vec3& site(Generator g) const { return sites_[g]; }
    const Plane& wall(Generator g) const { return walls_[g - sites_.size()]; }

    /// The plane of `g` in the cell of `site` (kNoSite: no translation, walls only).
    PlaneRow row(Generator site, Generator g) const;

    LongRow longRow(Generator site, Generator g) const;
    LongVertex longVertex(Generator site, const std::array<Generator, 3>& ijk) const;

    /// +1 when the vertex where i, j, k bound the cell of `site` lies beyond the plane of `cut`, else -1. The three
    /// must be in the order that makes det(n_i, n_j, n_k) > 0.
    int side(Generator site, const std::array<Generator, 3>& ijk, Generator cut) const;
    /// The same for those who know that twice the digits do not decide it.
    int exactSide(Generator site, const std::array<Generator, 3>& ijk, Generator cut) const;

    /// Where the cell of `site` is bounded by i, j, k: the same bits for every order and from every cell around the
    /// vertex, accurate to a few ulps of the cell.
    Vec3 position(Generator site, std::array<Generator, 3> ijk) const;

    /// Where i, j, k meet, relative to the site, to a few ulps however flat the corner is.
    Vec3 meetingPoint(Generator site, const std::array<Generator, 3>& ijk) const;

private:
    std::span<const Vec3> sites_;
    std::span<const Plane> walls_;
};

}  // namespace sunder::detail
