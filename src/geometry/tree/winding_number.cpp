#include "geometry/tree/winding_number.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"

namespace sunder {

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

/// Half the solid angle of a triangle as the direction of a point in the plane; corners relative to the query
/// [vanoosterom1983].
struct HalfSolidAngle {
    double x, y;
};
HalfSolidAngle halfSolidAngle(const Vec3& a, const Vec3& b, const Vec3& c) {
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    return {la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb, a.dot(b.cross(c))};
}

/// Adds up half solid angles. Small ones are joined four at a time by multiplying directions as complex numbers, which
/// costs one angle instead of four: each is at most pi/4, so their sum stays on the main branch.
class AngleSum {
public:
    void add(const HalfSolidAngle& half) {
        if (half.y == 0) return;  // seen edge on, or from within: the mean of the two sides
        if (std::abs(half.y) > half.x) {
            total_ += angleOf(half.y, half.x);
            return;
        }
        joined_ = {joined_.x * half.x - joined_.y * half.y, joined_.x * half.y + joined_.y * half.x};
        if (++count_ == 4) flush();
    }
    /// As a part of the full solid angle.
    double fraction() {
        flush();
        return total_ * (1 / (2 * kPi));
    }

private:
    void flush() {
        if (count_ > 0) total_ += angleOf(joined_.y, joined_.x);
        joined_ = {1, 0};
        count_ = 0;
    }

    double total_ = 0;
    HalfSolidAngle joined_{1, 0};
    int count_ = 0;
};

std::vector<Box3> boxesOf(const TriMesh& mesh) {
    std::vector<Box3> boxes(mesh.triangleCount());
    for (size_t i = 0; i < boxes.size(); ++i) {
        for (const Vec3& p : mesh.corners(static_cast<TriangleIndex>(i))) boxes[i].add(p);
    }
    return boxes;
}

/// Value of the cubic form at r. Its terms: xxx yyy zzz xxy xxz yyx yyz zzx zzy xyz.
double cubicForm(const std::array<double, 10>& c, const Vec3& r) {
    const double x = r.x(), y = r.y(), z = r.z();
    const double xx = x * x, yy = y * y, zz = z * z;
    return xx * (c[0] * x + c[3] * y + c[4] * z) + yy * (c[1] * y + c[5] * x + c[6] * z) +
           zz * (c[2] * z + c[7] * x + c[8] * y) + c[9] * (x * y * z);
}

}  // namespace

/// A node's items are one run of the order: from its leftmost leaf to its rightmost.
WindingNumber::Moments WindingNumber::momentsOf(const Bvh::Node& node) const {
    const auto nodes = bvh_.nodes();
    const Bvh::Node* leftmost = &node;
    while (!leftmost->isLeaf()) leftmost = &nodes[leftmost->first];
    const Bvh::Node* rightmost = &node;
    while (!rightmost->isLeaf()) rightmost = &nodes[rightmost->first + 1];
    const uint32_t begin = leftmost->first, end = rightmost->first + rightmost->count;

    Moments m{};
    double area = 0;
    Vec3 weighted = Vec3::Zero();
    for (uint32_t i = begin; i < end; ++i) {
        const auto& [a, b, c] = corners_[i];
        const double twice = (b - a).cross(c - a).norm();
        area += twice;
        weighted += twice * ((a - node.box.min) + (b - node.box.min) + (c - node.box.min));
    }
    m.centre = area > 0 ? Vec3(node.box.min + weighted / (3 * area)) : node.box.centre();

    double squaredRadius = 0;
    Mat3 first = Mat3::Zero();
    for (uint32_t i = begin; i < end; ++i) {
        const std::array<Vec3, 3> p{corners_[i][0] - m.centre, corners_[i][1] - m.centre, corners_[i][2] - m.centre};
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
    m.first = {first(0, 0),
               first(1, 1),
               first(2, 2),
               0.5 * (first(0, 1) + first(1, 0)),
               0.5 * (first(1, 2) + first(2, 1)),
               0.5 * (first(2, 0) + first(0, 2))};
    m.squaredReach = accuracy_ * accuracy_ * squaredRadius;
    return m;
}

WindingNumber::WindingNumber(const TriMesh& mesh, double accuracy) : accuracy_(accuracy), bvh_(boxesOf(mesh)) {
    corners_.reserve(mesh.triangleCount());
    for (const uint32_t i : bvh_.order()) corners_.push_back(mesh.corners(static_cast<TriangleIndex>(i)));
    moments_.resize(bvh_.nodes().size());
    parallelFor(moments_.size(), 512, [&](const BlockRange& block) {
        for (size_t i = block.begin; i < block.end; ++i) moments_[i] = momentsOf(bvh_.nodes()[i]);
    });
}

/// With r from the query to the centre and F(r) = r / |r|^3, a cluster contributes 1/(4 pi) times
///
///     A . F + sum_ij M_ij dF_j/dr_i + 1/2 sum_ijk M_ijk d2F_j/(dr_i dr_k)                [barill2018, eq. 12 ff.]
///   = A . r / r^3 + tr M / r^3 - 3 r.M.r / r^5 - 3/2 linear . r / r^5 + 15/2 cubic(r) / r^7
double WindingNumber::operator()(const Vec3& query) const {
    if (bvh_.empty()) return 0;
    AngleSum near;
    double far = 0;
    std::array<uint32_t, Bvh::kMaxDepth + 1> stack;
    int depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const uint32_t index = stack[--depth];
        const Moments& m = moments_[index];
        const Vec3 r = m.centre - query;
        const double squared = r.squaredNorm();
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
        const Bvh::Node& node = bvh_.nodes()[index];
        if (node.isLeaf()) {
            for (uint32_t i = node.first; i < node.first + node.count; ++i) {
                near.add(halfSolidAngle(corners_[i][0] - query, corners_[i][1] - query, corners_[i][2] - query));
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
