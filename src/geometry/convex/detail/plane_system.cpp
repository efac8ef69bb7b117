#include "geometry/convex/detail/plane_system.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/assert.h"
#include "base/simd.h"
#include "geometry/convex/detail/exact_number.h"

namespace sunder::detail {

namespace {

/// n . x <= d in some kind of number.
template <class Number>
struct Row {
    std::array<Number, 3> n;
    Number d;
};

template <class Number>
Number determinant(const Row<Number>& a, const Row<Number>& b, const Row<Number>& c) {
    return (a.n[0] * b.n[1] - a.n[1] * b.n[0]) * c.n[2] + (a.n[1] * b.n[2] - a.n[2] * b.n[1]) * c.n[0] +
           (a.n[2] * b.n[0] - a.n[0] * b.n[2]) * c.n[1];
}

/// The factors of the offsets in  height = sum d_g C_g,  the height of the vertex i, j, k beyond plane l times
/// det(n_i, n_j, n_k).
template <class Number>
std::array<Number, 4> cofactors(const Row<Number>& i, const Row<Number>& j, const Row<Number>& k,
                                const Row<Number>& l) {
    return {determinant(j, k, l), determinant(k, i, l), determinant(i, j, l), determinant(i, k, j)};
}

/// The row of another site. Where many sites are equally near, nothing is asked for more often.
SUNDER_FMA
Row<DoubleDouble> bisector(const Vec3& site, const Vec3& other) {
    Row<DoubleDouble> row;
    double sum = 0, lost = 0;
    for (size_t c = 0; c < 3; ++c) {
        const auto axis = static_cast<Eigen::Index>(c);
        const Rounded n = twoSum(other[axis], -site[axis]);
        const Rounded square = twoProduct(n.value, n.value);
        const Rounded next = twoSum(sum, square.value);
        row.n[c] = {n.value, n.error};
        sum = next.value;
        lost += next.error + (square.error + 2 * n.value * n.error);
    }
    const Rounded offset = fastTwoSum(sum, lost);
    row.d = {0.5 * offset.value, 0.5 * offset.error};
    return row;
}

Row<DoubleDouble> doubleDoubleRow(const PlaneSystem& system, Generator site, Generator g) {
    if (system.isSite(g)) return bisector(system.site(site), system.site(g));
    Row<DoubleDouble> row;
    const Plane& wall = system.wall(g);
    row.d.high = wall.offset;
    for (size_t c = 0; c < 3; ++c) {
        const auto axis = static_cast<Eigen::Index>(c);
        row.n[c].high = wall.normal[axis];
        if (site == kNoSite) continue;
        const Rounded product = twoProduct(wall.normal[axis], system.site(site)[axis]);
        row.d = row.d - DoubleDouble{product.value, product.error};
    }
    return row;
}

Row<ExactNumber> exactRow(const PlaneSystem& system, Generator site, Generator g, std::pmr::memory_resource* arena) {
    const auto number = [arena](double x) { return ExactNumber(x, arena); };
    Row<ExactNumber> row{{number(0), number(0), number(0)}, number(0)};
    // another site: the plane half way to it, from this site
    if (system.isSite(g)) {
        for (size_t c = 0; c < 3; ++c) {
            const auto axis = static_cast<Eigen::Index>(c);
            row.n[c] = number(system.site(g)[axis]) - number(system.site(site)[axis]);
            row.d = row.d + row.n[c] * row.n[c];
        }
        row.d = row.d * 0.5;
        return row;
    }
    // a wall: its own plane, seen from this site
    const Plane& wall = system.wall(g);
    row.d = number(wall.offset);
    for (size_t c = 0; c < 3; ++c) {
        const auto axis = static_cast<Eigen::Index>(c);
        row.n[c] = number(wall.normal[axis]);
        if (site != kNoSite) row.d = row.d - number(wall.normal[axis]) * system.site(site)[axis];
    }
    return row;
}

/// All four planes through one point: moves them infinitely little apart. A site's weight w takes w / 2 from its own
/// offset in this cell, and gives it to all other sites' in its own cell; a wall moves inward.
int perturbedSign(const PlaneSystem& system, Generator site, const std::array<Generator, 4>& planes,
                  const std::array<ExactNumber, 4>& factors) {
    // the generators that move, the first ones the most: the first that matters decides
    std::array<Generator, 5> all{planes[0], planes[1], planes[2], planes[3], site};
    std::sort(all.begin(), all.end());
    for (const Generator moved : all) {
        if (moved == kNoSite) break;
        int sign = 0;
        if (moved == site) {
            // moving the cell's own site moves the planes to all others
            std::optional<ExactNumber> sum;
            for (size_t i = 0; i < 4; ++i) {
                if (system.isSite(planes[i])) sum = sum ? *sum + factors[i] : factors[i];
            }
            sign = sum ? sum->sign() : 0;
        } else {
            // moving one of the four moves its plane alone
            const size_t i = static_cast<size_t>(std::find(planes.begin(), planes.end(), moved) - planes.begin());
            sign = -factors[i].sign();
        }
        if (sign != 0) return sign;
    }
    return -1;  // the cut's own factor is the vertex's determinant, which is not zero
}

/// Bounds |height| and everything it is summed from.
double heightSize(const PlaneRow& i, const PlaneRow& j, const PlaneRow& k, const PlaneRow& l) {
    const double ij = i.normalSize * j.normalSize, kl = k.normalSize * l.normalSize;
    return i.offsetSize * j.normalSize * kl + j.offsetSize * i.normalSize * kl + k.offsetSize * ij * l.normalSize +
           l.offsetSize * ij * k.normalSize;
}

/// The point of three planes by Cramer's rule, in some kind of number; times the determinant.
template <class Number>
std::array<Number, 3> cramerPoint(const Row<Number>& a, const Row<Number>& b, const Row<Number>& c) {
    const auto component = [&](size_t u, size_t v) {
        const auto minor = [&](const Row<Number>& p, const Row<Number>& q) {
            return p.n[u] * q.n[v] - p.n[v] * q.n[u];
        };
        return minor(b, c) * a.d + minor(c, a) * b.d + minor(a, b) * c.d;
    };
    return {component(1, 2), component(2, 0), component(0, 1)};
}

SUNDER_FMA
LongVertex meeting(const Row<DoubleDouble>& i, const Row<DoubleDouble>& j, const Row<DoubleDouble>& k) {
    return {cramerPoint(i, j, k), determinant(i, j, k)};
}

/// A wall across an axis holds its points exactly.
void snapToAxis(const Plane& wall, Vec3& point) {
    for (int axis = 0; axis < 3; ++axis) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        if (wall.normal[u] == 0 && wall.normal[v] == 0) point[axis] = wall.offset / wall.normal[axis];
    }
}

}  // namespace

PlaneRow PlaneSystem::row(Generator site, Generator g) const {
    ASSERT(g != site);
    PlaneRow result;
    if (isSite(g)) {
        result.normal = sites_[g] - sites_[site];
        result.offset = 0.5 * result.normal.squaredNorm();
        result.offsetSize = result.offset;
    } else {
        const Plane& plane = wall(g);
        result.normal = plane.normal;
        result.offset = plane.offset;
        result.offsetSize = std::abs(plane.offset);
        if (site != kNoSite) {
            result.offset -= plane.normal.dot(sites_[site]);
            result.offsetSize += plane.normal.cwiseAbs().dot(sites_[site].cwiseAbs());
        }
    }
    result.normalSize = result.normal.cwiseAbs().maxCoeff();
    return result;
}

LongRow PlaneSystem::longRow(Generator site, Generator g) const {
    const Row<DoubleDouble> row = doubleDoubleRow(*this, site, g);
    return {row.n, row.d};
}

LongVertex PlaneSystem::longVertex(Generator site, const std::array<Generator, 3>& ijk) const {
    return meeting(doubleDoubleRow(*this, site, ijk[0]), doubleDoubleRow(*this, site, ijk[1]),
                   doubleDoubleRow(*this, site, ijk[2]));
}

int PlaneSystem::side(Generator site, const std::array<Generator, 3>& ijk, Generator cut) const {
    // twice the digits decide all but true coincidences
    const double height = longHeight(longVertex(site, ijk), longRow(site, cut));
    const double bound =
        kLongError * heightSize(row(site, ijk[0]), row(site, ijk[1]), row(site, ijk[2]), row(site, cut));
    if (std::abs(height) > bound) return height > 0 ? 1 : -1;
    return exactSide(site, ijk, cut);
}

int PlaneSystem::exactSide(Generator site, const std::array<Generator, 3>& ijk, Generator cut) const {
    std::array<std::byte, 32768> buffer;
    std::pmr::monotonic_buffer_resource arena(buffer.data(), buffer.size());
    const Row<ExactNumber> i = exactRow(*this, site, ijk[0], &arena), j = exactRow(*this, site, ijk[1], &arena);
    const Row<ExactNumber> k = exactRow(*this, site, ijk[2], &arena), l = exactRow(*this, site, cut, &arena);
    const auto factors = cofactors(i, j, k, l);
    const int sign = ((i.d * factors[0] + j.d * factors[1]) + (k.d * factors[2] + l.d * factors[3])).sign();
    if (sign != 0) return sign;
    return perturbedSign(*this, site, {ijk[0], ijk[1], ijk[2], cut}, factors);
}

Vec3 PlaneSystem::meetingPoint(Generator site, const std::array<Generator, 3>& ijk) const {
    // longer numbers the flatter the corner is
    const PlaneRow rows[3] = {row(site, ijk[0]), row(site, ijk[1]), row(site, ijk[2])};
    const double size = rows[0].normalSize * rows[1].normalSize * rows[2].normalSize;
    const Vec3 yz = rows[1].normal.cross(rows[2].normal);
    const double det = rows[0].normal.dot(yz);
    // plain doubles do while the three planes stand well apart
    if (std::abs(det) > 0x1p-6 * size) {
        const Vec3 point = rows[0].offset * yz + rows[1].offset * rows[2].normal.cross(rows[0].normal) +
                           rows[2].offset * rows[0].normal.cross(rows[1].normal);
        return point / det;
    }
    // twice the digits do down to here
    if (std::abs(det) > 0x1p-36 * size) {
        const Row<DoubleDouble> long3[3] = {doubleDoubleRow(*this, site, ijk[0]), doubleDoubleRow(*this, site, ijk[1]),
                                            doubleDoubleRow(*this, site, ijk[2])};
        const auto point = cramerPoint(long3[0], long3[1], long3[2]);
        const double exactDet = determinant(long3[0], long3[1], long3[2]).high;
        return Vec3(point[0].high, point[1].high, point[2].high) / exactDet;
    }
    // the exact answer, rounded at the end
    std::pmr::monotonic_buffer_resource arena;
    const Row<ExactNumber> exact[3] = {exactRow(*this, site, ijk[0], &arena), exactRow(*this, site, ijk[1], &arena),
                                       exactRow(*this, site, ijk[2], &arena)};
    const auto point = cramerPoint(exact[0], exact[1], exact[2]);
    const double exactDet = determinant(exact[0], exact[1], exact[2]).approximate();
    return Vec3(point[0].approximate(), point[1].approximate(), point[2].approximate()) / exactDet;
}

Vec3 PlaneSystem::position(Generator site, std::array<Generator, 3> ijk) const {
    // one order for all who ask: by generator, the first site as the origin; three walls need no site
    std::array<Generator, 4> all{ijk[0], ijk[1], ijk[2], site};
    std::sort(all.begin(), all.end());
    const auto firstWall = std::find_if(all.begin(), all.end(), [&](Generator g) { return !isSite(g); });
    const auto walls = static_cast<size_t>(
        std::count_if(all.begin(), all.end(), [&](Generator g) { return g != kNoSite && !isSite(g); }));
    Vec3 point;
    if (walls == 3) {
        point = meetingPoint(kNoSite, {firstWall[0], firstWall[1], firstWall[2]});
    } else {
        point = sites_[all[0]] + meetingPoint(all[0], {all[1], all[2], all[3]});
    }
    for (const Generator g : all) {
        if (g != kNoSite && !isSite(g)) snapToAxis(wall(g), point);
    }
    return point;
}

}  // namespace sunder::detail
