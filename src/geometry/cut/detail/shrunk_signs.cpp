#include "geometry/cut/detail/shrunk_signs.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/expansion.h"
#include "math/predicates.h"

namespace sunder::detail {

namespace {

/// A point (h = 1) or a direction (h = 0).
struct Row {
    Vec3 x;
    double h;
};
using Rows = std::array<Row, 4>;

Expansion<24> exactDeterminant(const Vec3& a, const Vec3& b, const Vec3& c) {
    const auto minor = [&](int i, int j) { return exactProduct(b[i], c[j]) - exactProduct(b[j], c[i]); };
    return minor(1, 2) * a.x() + minor(2, 0) * a.y() + minor(0, 1) * a.z();
}

/// (b - a) x (c - a) . (d - a) for four points; linear in each row, so that rows may be directions too.
Expansion<96> exactOrientation(const Rows& r) {
    Expansion<96> sum;
    for (size_t i = 0; i < 4; ++i) {
        if (r[i].h == 0) continue;
        const auto& a = r[i == 0 ? 1 : 0].x;
        const auto& b = r[i <= 1 ? 2 : 1].x;
        const auto& c = r[i <= 2 ? 3 : 2].x;
        const Expansion<24> part = exactDeterminant(a, b, c);
        Expansion<96> next;
        const auto total = i % 2 == 0 ? sum + part : sum - part;
        for (size_t k = 0; k < total.size(); ++k) next.append(total[k]);
        sum = next;
    }
    return sum;
}

/// A value and how far rounding may have moved it.
struct Estimate {
    double value = 0;
    double error = 0;
};

Estimate estimateOrientation(const Rows& r) {
    // relative to the first point, so that solids far from the origin lose little
    const size_t base = r[0].h != 0 ? 0 : r[1].h != 0 ? 1 : r[2].h != 0 ? 2 : 3;
    std::array<Vec3, 3> d;
    size_t count = 0;
    for (size_t i = 0; i < 4; ++i) {
        if (i != base) d[count++] = r[i].h != 0 ? Vec3(r[i].x - r[base].x) : r[i].x;
    }
    const double sign = base % 2 == 0 ? 1 : -1;
    const Vec3 a = d[0].cwiseAbs(), b = d[1].cwiseAbs(), c = d[2].cwiseAbs();
    const double size = a.x() * (b.y() * c.z() + b.z() * c.y()) + a.y() * (b.z() * c.x() + b.x() * c.z()) +
                        a.z() * (b.x() * c.y() + b.y() * c.x());
    return {sign * d[0].dot(d[1].cross(d[2])), 16 * std::numeric_limits<double>::epsilon() * size};
}

/// The orientation of four rows of which those in `moving` are points of the solid that move along `inward`, as a
/// polynomial in how far they move: its coefficients, lowest first.
class MovingOrientation {
public:
    MovingOrientation(const Rows& rows, std::span<const size_t> moving, std::span<const Vec3> inward)
        : rows_(rows), moving_(moving), inward_(inward) {}

    size_t degree() const { return moving_.size(); }

    int sign(size_t power) const {
        const Estimate fast = estimate(power);
        if (std::abs(fast.value) > fast.error) return fast.value > 0 ? 1 : -1;
        return exact(power).sign();
    }
    Estimate estimate(size_t power) const {
        Estimate sum;
        forEachChoice(power, [&](const Rows& rows) {
            const Estimate part = estimateOrientation(rows);
            sum.value += part.value;
            sum.error += part.error + std::numeric_limits<double>::epsilon() * std::abs(sum.value);
        });
        return sum;
    }
    Expansion<288> exact(size_t power) const {
        Expansion<288> sum;
        forEachChoice(power, [&](const Rows& rows) {
            const auto total = sum + exactOrientation(rows);
            Expansion<288> next;
            for (size_t k = 0; k < total.size(); ++k) next.append(total[k]);
            sum = next;
        });
        return sum;
    }
    double value(size_t power) const {
        constexpr double kGoodEnough = 1e4;  // times the error: where an edge crosses is then known to 1e-4 of it
        const Estimate fast = estimate(power);
        return std::abs(fast.value) > kGoodEnough * fast.error ? fast.value : exact(power).approximate();
    }

private:
    template <class Visit>
    void forEachChoice(size_t power, Visit&& visit) const {
        for (unsigned choice = 0; choice < 1u << moving_.size(); ++choice) {
            if (static_cast<size_t>(__builtin_popcount(choice)) != power) continue;
            Rows rows = rows_;
            for (size_t m = 0; m < moving_.size(); ++m) {
                if (choice >> m & 1) rows[moving_[m]] = {inward_[m], 0};
            }
            visit(rows);
        }
    }

    const Rows& rows_;
    std::span<const size_t> moving_;
    std::span<const Vec3> inward_;
};

/// First sign that is not zero of the components of (b - a) x (d - c).
int signOfCross(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    for (int axis = 0; axis < 3; ++axis) {
        const int i = (axis + 1) % 3, j = (axis + 2) % 3;
        const auto u = [&](int k) { return exactDifference(b[k], a[k]); };
        const auto v = [&](int k) { return exactDifference(d[k], c[k]); };
        const int sign = (u(i) * v(j) - u(j) * v(i)).sign();
        if (sign != 0) return sign;
    }
    return 0;
}

int signOfMove(const Rows& rows, std::span<const size_t> moving, std::span<const Vec3> inward) {
    const MovingOrientation orientation(rows, moving, inward);
    for (size_t power = 1; power <= moving.size(); ++power) {
        const int sign = orientation.sign(power);
        if (sign != 0) return sign;
    }
    return 0;
}

constexpr std::array<size_t, 3> kFirstThree{0, 1, 2};
constexpr std::array<size_t, 1> kLast{3};

constexpr double kShrink = 1e-13;                                               // of the diagonal
constexpr double kShrinkRounding = 8 * std::numeric_limits<double>::epsilon();  // of the coordinates

double fraction(double first, double second) {
    if (first * second > 0) return std::abs(first) < std::abs(second) ? 0 : 1;
    return std::clamp(first / (first - second), 0.0, 1.0);
}

}  // namespace

ShrunkSigns::ShrunkSigns(const TriMesh& solid, std::span<const Vec3> wallVertices)
    : solid_(solid), wall_(wallVertices), inward_(solid.vertexCount(), Vec3::Zero()) {
    // mean normals, each triangle with the same weight
    for (const TriangleIndex t : solid.triangles.indices()) {
        const Vec3 n = solid.areaVector(t);
        const double length = n.norm();
        if (!(length > 0)) continue;
        for (const VertexIndex v : solid.triangles[t]) inward_[raw(v)] -= n / length;
    }
    // far from the origin, coordinates themselves are rounded by more than a share of the size
    const Box3 bounds = boundsOf(solid);
    shrinkage_ = kShrink * bounds.diagonal() +
                 kShrinkRounding * bounds.min.cwiseAbs().cwiseMax(bounds.max.cwiseAbs()).maxCoeff();
    // vertices go inward by a hair, so that no wall lies within the surface
    shrunk_.reserve(inward_.size());
    for (uint32_t v = 0; v < inward_.size(); ++v) {
        const double length = inward_[v].norm();
        if (length > 0) inward_[v] /= length;
        // never out of the container, whatever the mean normal of a sharp corner is
        const Vec3 margin = Vec3::Constant(0.5 * shrinkage_);
        const Vec3 moved = solid.positions[VertexIndex{v}] + shrinkage_ * inward_[v];
        shrunk_.push_back(moved.cwiseMax(bounds.min + margin).cwiseMin(bounds.max - margin));
    }
}

int ShrunkSigns::side(VertexIndex v, const WallTriangle& wall) const {
    const Vec3 &a = wall_[wall[0]], &b = wall_[wall[1]], &c = wall_[wall[2]], &p = shrunk_[raw(v)];
    if (const int sign = orient3d(a, b, c, p); sign != 0) return sign;
    const Rows rows{{{a, 1}, {b, 1}, {c, 1}, {p, 1}}};
    if (const int sign = signOfMove(rows, kLast, {&inward_[raw(v)], 1}); sign != 0) return sign;
    return -signOfCross(a, b, a, c);
}

int ShrunkSigns::side(uint32_t wallVertex, const Triangle& triangle) const {
    const auto at = [&](size_t i) -> const Vec3& { return shrunk_[raw(triangle[i])]; };
    const Vec3& w = wall_[wallVertex];
    if (const int sign = orient3d(at(0), at(1), at(2), w); sign != 0) return sign;
    const Rows rows{{{at(0), 1}, {at(1), 1}, {at(2), 1}, {w, 1}}};
    const std::array<Vec3, 3> inward{inward_[raw(triangle[0])], inward_[raw(triangle[1])], inward_[raw(triangle[2])]};
    if (const int sign = signOfMove(rows, kFirstThree, inward); sign != 0) return sign;
    return signOfCross(at(0), at(1), at(0), at(2));
}

int ShrunkSigns::turn(VertexIndex p, VertexIndex q, uint32_t a, uint32_t b) const {
    const Vec3 &pp = shrunk_[raw(p)], &qq = shrunk_[raw(q)];
    if (const int sign = orient3d(pp, qq, wall_[a], wall_[b]); sign != 0) return sign;
    const Rows rows{{{pp, 1}, {qq, 1}, {wall_[a], 1}, {wall_[b], 1}}};
    const std::array<Vec3, 2> inward{inward_[raw(p)], inward_[raw(q)]};
    if (const int sign = signOfMove(rows, {kFirstThree.data(), 2}, inward); sign != 0) return sign;
    return signOfCross(pp, qq, wall_[b], wall_[a]);
}

double ShrunkSigns::crossing(VertexIndex p, VertexIndex q, const WallTriangle& wall) const {
    const auto height = [&](VertexIndex v, size_t power) {
        const Rows rows{{{wall_[wall[0]], 1}, {wall_[wall[1]], 1}, {wall_[wall[2]], 1}, {solid_.positions[v], 1}}};
        return MovingOrientation(rows, kLast, {&inward_[raw(v)], 1}).value(power);
    };
    for (size_t power = 0; power <= 1; ++power) {
        const double first = height(p, power), second = height(q, power);
        if (first != second) return fraction(first, second);
    }
    return 0.5;
}

double ShrunkSigns::crossing(uint32_t a, uint32_t b, const Triangle& triangle) const {
    const std::array<Vec3, 3> inward{inward_[raw(triangle[0])], inward_[raw(triangle[1])], inward_[raw(triangle[2])]};
    const auto height = [&](uint32_t w, size_t power) {
        const Rows rows{{{solid_.positions[triangle[0]], 1},
                         {solid_.positions[triangle[1]], 1},
                         {solid_.positions[triangle[2]], 1},
                         {wall_[w], 1}}};
        return MovingOrientation(rows, kFirstThree, inward).value(power);
    };
    for (size_t power = 0; power <= 1; ++power) {
        const double first = height(a, power), second = height(b, power);
        if (first != second) return fraction(first, second);
    }
    return 0.5;
}

}  // namespace sunder::detail
