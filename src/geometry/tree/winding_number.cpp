#include "geometry/tree/winding_number.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "base/simd.h"

namespace sunder {

using detail::CornerBlock;

namespace {

constexpr double kPi = 3.14159265358979323846;

/// Angle of the point (x, y), in (-pi, pi]. Own polynomial (a Taylor series after two halvings, error below 1e-15)
/// rather than libm's: the sign of grid points hangs on it and must be the same on every machine.
double angleOf(double y, double x) {
    // fold into the first octant: 0 <= t <= 1
    const double ax = std::abs(x), ay = std::abs(y);
    const double big = std::max(ax, ay), small = std::min(ax, ay);
    if (!(big > 0)) return 0;
    const double t = small / big;
    // atan(t) = 2 atan(t / (1 + sqrt(1 + t^2))), twice: the argument is then at most tan(pi/16)
    const double half = t / (1 + std::sqrt(1 + t * t));
    const double quarter = half / (1 + std::sqrt(1 + half * half));
    const double s = quarter * quarter;
    double series = 1.0 / 21;
    for (int k = 19; k >= 1; k -= 2) series = 1.0 / k - s * series;
    double angle = 4 * quarter * series;
    // unfold
    if (ay > ax) angle = kPi / 2 - angle;
    if (x < 0) angle = kPi - angle;
    return y < 0 ? -angle : angle;
}

/// Half the solid angle of a triangle as the direction of a point in the plane [vanoosterom1983].
struct HalfSolidAngle {
    double x, y;
};

HalfSolidAngle halfSolidAngle(const Vec3& a, const Vec3& b, const Vec3& c) {
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    return {la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb, a.dot(b.cross(c))};
}

/// The same of a block of triangles side by side, seen from `query`.
SUNDER_SIMD void halfSolidAngles(const CornerBlock& block, const double* query, double* __restrict x,
                                 double* __restrict y) {
    for (size_t i = 0; i < CornerBlock::kTriangles; ++i) {
        const double ax = block.at[0][i] - query[0], ay = block.at[1][i] - query[1], az = block.at[2][i] - query[2];
        const double bx = block.at[3][i] - query[0], by = block.at[4][i] - query[1], bz = block.at[5][i] - query[2];
        const double cx = block.at[6][i] - query[0], cy = block.at[7][i] - query[1], cz = block.at[8][i] - query[2];
        const double la = std::sqrt(ax * ax + ay * ay + az * az);
        const double lb = std::sqrt(bx * bx + by * by + bz * bz);
        const double lc = std::sqrt(cx * cx + cy * cy + cz * cz);
        x[i] = la * lb * lc + (ax * bx + ay * by + az * bz) * lc + (bx * cx + by * cy + bz * cz) * la +
               (cx * ax + cy * ay + cz * az) * lb;
        y[i] = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
    }
}

/// Adds up half solid angles by multiplying directions as complex numbers and counting the turns, so that one angle is
/// taken in the end however many triangles there are.
class AngleSum {
public:
    void add(const HalfSolidAngle& half) {
        if (half.y == 0) return;  // seen edge on, or from within: the mean of the two sides
        const bool wasLower = direction_.y < 0;
        direction_ = {direction_.x * half.x - direction_.y * half.y, direction_.x * half.y + direction_.y * half.x};
        // a turn of less than half a circle passes the negative x axis exactly when it leaves the half plane this way
        const bool isLower = direction_.y < 0;
        if (half.y > 0 && !wasLower && isLower) ++turns_;
        if (half.y < 0 && wasLower && !isLower) --turns_;
        if (++sinceScaled_ == kScaleEvery) scale();
    }
    /// As a part of the full solid angle.
    double fraction() const { return angleOf(direction_.y, direction_.x) * (1 / (2 * kPi)) + turns_; }

private:
    // Each factor has the third power of a length: models of 1e-9 m to 1e9 m stay well within range.
    static constexpr int kScaleEvery = 4;

    void scale() {
        const double size = std::max(std::abs(direction_.x), std::abs(direction_.y));
        if (size > 0) direction_ = {direction_.x / size, direction_.y / size};
        sinceScaled_ = 0;
    }

    HalfSolidAngle direction_{1, 0};
    int turns_ = 0;
    int sinceScaled_ = 0;
};

/// Value of the cubic form at r. Its terms: xxx yyy zzz xxy xxz yyx yyz zzx zzy xyz.
double cubicForm(const std::array<double, 10>& c, const Vec3& r) {
    const double x = r.x(), y = r.y(), z = r.z();
    const double xx = x * x, yy = y * y, zz = z * z;
    return xx * (c[0] * x + c[3] * y + c[4] * z) + yy * (c[1] * y + c[5] * x + c[6] * z) +
           zz * (c[2] * z + c[7] * x + c[8] * y) + c[9] * (x * y * z);
}

}  // namespace

/// A node's items are one run of the order: from its leftmost leaf to its rightmost.
WindingNumber::Moments WindingNumber::momentsOf(const Bvh::Node& node, std::span<const Corners> corners) const {
    // the triangles below the node
    const auto nodes = bvh_.nodes();
    const Bvh::Node* leftmost = &node;
    while (!leftmost->isLeaf()) leftmost = &nodes[leftmost->first];
    const Bvh::Node* rightmost = &node;
    while (!rightmost->isLeaf()) rightmost = &nodes[rightmost->first + 1];
    const uint32_t begin = leftmost->first, end = rightmost->first + rightmost->count;

    // the centre: by area, so that the first moments are small
    Moments m{};
    double area = 0;
    Vec3 weighted = Vec3::Zero();
    for (uint32_t i = begin; i < end; ++i) {
        const auto& [a, b, c] = corners[i];
        const double twice = (b - a).cross(c - a).norm();
        area += twice;
        weighted += twice * ((a - node.box.min) + (b - node.box.min) + (c - node.box.min));
    }
    m.centre = area > 0 ? Vec3(node.box.min + weighted / (3 * area)) : node.box.centre();

    // moments up to the third about it, exact for triangles
    double squaredRadius = 0;
    Mat3 first = Mat3::Zero();
    for (uint32_t i = begin; i < end; ++i) {
        const Corners p{corners[i][0] - m.centre, corners[i][1] - m.centre, corners[i][2] - m.centre};
        for (const Vec3& d : p) squaredRadius = std::max(squaredRadius, d.squaredNorm());
        const Vec3 n = 0.5 * (p[1] - p[0]).cross(p[2] - p[0]);
        const Vec3 s = p[0] + p[1] + p[2];
        // mean of d d^T over the triangle
        const Mat3 dd =
            (p[0] * p[0].transpose() + p[1] * p[1].transpose() + p[2] * p[2].transpose() + s * s.transpose()) / 12;
        m.areaVector += n;
        first += (s / 3) * n.transpose();
        m.linear += 2 * (dd * n) + dd.trace() * n;
        m.cubic[0] += dd(0, 0) * n.x();
        m.cubic[1] += dd(1, 1) * n.y();
        m.cubic[2] += dd(2, 2) * n.z();
        m.cubic[3] += dd(0, 0) * n.y() + 2 * dd(0, 1) * n.x();
        m.cubic[4] += dd(0, 0) * n.z() + 2 * dd(0, 2) * n.x();
        m.cubic[5] += dd(1, 1) * n.x() + 2 * dd(0, 1) * n.y();
        m.cubic[6] += dd(1, 1) * n.z() + 2 * dd(1, 2) * n.y();
        m.cubic[7] += dd(2, 2) * n.x() + 2 * dd(0, 2) * n.z();
        m.cubic[8] += dd(2, 2) * n.y() + 2 * dd(1, 2) * n.z();
        m.cubic[9] += 2 * (dd(0, 1) * n.z() + dd(1, 2) * n.x() + dd(0, 2) * n.y());
    }
    // the symmetric part alone counts, since derivatives of F commute
    m.first = {first(0, 0),
               first(1, 1),
               first(2, 2),
               0.5 * (first(0, 1) + first(1, 0)),
               0.5 * (first(1, 2) + first(2, 1)),
               0.5 * (first(2, 0) + first(0, 2))};
    m.squaredReach = accuracy_ * accuracy_ * squaredRadius;
    return m;
}

/// A leaf's triangles in blocks, the last filled up with triangles of no extent, which nobody sees.
uint32_t WindingNumber::addBlocks(std::span<const Corners> triangles) {
    const auto first = static_cast<uint32_t>(blocks_.size());
    for (size_t begin = 0; begin < triangles.size(); begin += CornerBlock::kTriangles) {
        CornerBlock& block = blocks_.emplace_back();
        for (size_t i = 0; i < CornerBlock::kTriangles; ++i) {
            const Corners& corners = triangles[std::min(begin + i, triangles.size() - 1)];
            const bool real = begin + i < triangles.size();
            for (size_t n = 0; n < 9; ++n) block.at[n][i] = corners[real ? n / 3 : 0][static_cast<Eigen::Index>(n % 3)];
        }
    }
    return first;
}

WindingNumber::WindingNumber(const TriMesh& mesh, double accuracy) : accuracy_(accuracy), bvh_(boxesOf(mesh)) {
    std::vector<Corners> corners;  // in the order of bvh_.order()
    corners.reserve(mesh.triangleCount());
    for (const uint32_t i : bvh_.order()) corners.push_back(mesh.corners(static_cast<TriangleIndex>(i)));
    moments_.resize(bvh_.nodes().size());
    parallelFor(moments_.size(), 512, [&](const BlockRange& block) {
        for (size_t i = block.begin; i < block.end; ++i) moments_[i] = momentsOf(bvh_.nodes()[i], corners);
    });
    for (size_t i = 0; i < moments_.size(); ++i) {
        const Bvh::Node& node = bvh_.nodes()[i];
        if (node.isLeaf()) moments_[i].firstBlock = addBlocks(std::span(corners).subspan(node.first, node.count));
    }
}

/// With r from the query to the centre and F(r) = r / |r|^3, a cluster contributes 1/(4 pi) times
///
///     A . F + sum_ij M_ij dF_j/dr_i + 1/2 sum_ijk M_ijk d2F_j/(dr_i dr_k)                [barill2018, eq. 12 ff.]
///   = A . r / r^3 + tr M / r^3 - 3 r.M.r / r^5 - 3/2 linear . r / r^5 + 15/2 cubic(r) / r^7
double WindingNumber::operator()(const Vec3& query) const {
    if (bvh_.empty()) return 0;
    AngleSum near;
    double far = 0;
    // near clusters are opened, far ones stand for their triangles
    std::array<uint32_t, Bvh::kMaxDepth + 1> stack;
    int depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const uint32_t index = stack[--depth];
        const Moments& m = moments_[index];
        const Vec3 r = m.centre - query;
        const double squared = r.squaredNorm();
        // seen from so far away the series is as exact as asked for
        if (squared > m.squaredReach) {
            const auto& M = m.first;
            const double inverse2 = 1 / squared;
            const double inverse3 = inverse2 / std::sqrt(squared);
            const double quadratic = M[0] * r.x() * r.x() + M[1] * r.y() * r.y() + M[2] * r.z() * r.z() +
                                     2 * (M[3] * r.x() * r.y() + M[4] * r.y() * r.z() + M[5] * r.z() * r.x());
            far += inverse3 *
                   (m.areaVector.dot(r) + (M[0] + M[1] + M[2]) +
                    inverse2 * (-3 * quadratic - 1.5 * m.linear.dot(r) + 7.5 * inverse2 * cubicForm(m.cubic, r)));
            continue;
        }
        // what is near is summed as exact solid angles
        const Bvh::Node& node = bvh_.nodes()[index];
        if (node.isLeaf()) {
            for (uint32_t done = 0; done < node.count; done += CornerBlock::kTriangles) {
                std::array<double, CornerBlock::kTriangles> x, y;
                halfSolidAngles(blocks_[m.firstBlock + done / CornerBlock::kTriangles], query.data(), x.data(),
                                y.data());
                for (size_t i = 0; i < x.size(); ++i) near.add({x[i], y[i]});
            }
        } else {
            stack[depth++] = node.first + 1;
            stack[depth++] = node.first;
        }
    }
    return near.fraction() + far * (1 / (4 * kPi));
}

double exactWindingNumber(const TriMesh& mesh, const Vec3& query) {
    AngleSum sum;
    for (const TriangleIndex t : mesh.triangles.indices()) {
        const auto [a, b, c] = mesh.corners(t);
        sum.add(halfSolidAngle(a - query, b - query, c - query));
    }
    return sum.fraction();
}

}  // namespace sunder
