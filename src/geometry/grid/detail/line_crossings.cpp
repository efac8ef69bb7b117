#include "geometry/grid/detail/line_crossings.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "base/parallel.h"
#include "math/predicates.h"

namespace sunder::detail {

namespace {

using Crossings = std::vector<LineCrossings::Crossing>;
using Corners = std::array<Vec3, 3>;

int signOf(double x) { return (x > 0) - (x < 0); }

/// Side of the moved line (y + e, z + e^2) as seen from the projected edge a -> b; 0 only when the edge projects to a
/// point. Turning the edge round turns the sign.
int sideOf(const Vec3& a, const Vec3& b, double y, double z) {
    const int side = orient2d({a.y(), a.z()}, {b.y(), b.z()}, {y, z});
    if (side != 0) return side;
    return a.z() != b.z() ? signOf(a.z() - b.z()) : signOf(b.y() - a.y());
}

/// The turn of the projected triangle about the line: +1 seen from +x counter-clockwise (the normal points to +x), -1
/// clockwise, 0 when the line misses it.
int turnAbout(const Corners& p, double y, double z) {
    const int side = sideOf(p[0], p[1], y, z);
    if (side == 0 || sideOf(p[1], p[2], y, z) != side || sideOf(p[2], p[0], y, z) != side) return 0;
    return side;
}

/// The first lattice point on the line whose x is greater than the triangle's there, in 0 .. points.
int firstPast(const Corners& p, const Box3& box, int turn, int j, int k, int points) {
    ASSERT(turn != 0 && points > 0);
    // beyond the lattice on either side
    if (box.max.x() < 0) return 0;
    if (box.min.x() >= points - 1) return points;
    const Vec3 n = (p[1] - p[0]).cross(p[2] - p[0]);
    const double x = p[0].x() - (n.y() * (j - p[0].y()) + n.z() * (k - p[0].z())) / n.x();

    // plain arithmetic decides unless the crossing is near a lattice point or the triangle nearly along the line
    constexpr double kDoubt = 1e-6;  // cells
    const double next = std::floor(x) + 1;
    const bool isSteep = std::abs(n.x()) > 1e-4 * (std::abs(n.y()) + std::abs(n.z()));
    if (isSteep && next - x > kDoubt && next - x < 1 - kDoubt && std::abs(x) < 1e8)
        return static_cast<int>(std::clamp(next, 0.0, static_cast<double>(points)));

    // exactly: walk from the estimate, inside the triangle's range of x
    const auto isPast = [&](int i) { return orient3d(p[0], p[1], p[2], Vec3(i, j, k)) * turn > 0; };
    const int low = static_cast<int>(std::clamp(std::floor(box.min.x()), 0.0, static_cast<double>(points)));
    const int high = static_cast<int>(std::clamp(std::floor(box.max.x()) + 1, 0.0, static_cast<double>(points)));
    int i = static_cast<int>(std::isfinite(x) ? std::clamp(next, static_cast<double>(low), static_cast<double>(high))
                                              : low);
    while (i > low && isPast(i - 1)) --i;
    while (i < high && !isPast(i)) ++i;
    return i;
}

/// Range of y that the projected triangle covers at z; empty (min > max) when it does not reach there.
struct Range {
    double min = std::numeric_limits<double>::infinity();
    double max = -std::numeric_limits<double>::infinity();
};
Range rangeAt(const Corners& p, double z) {
    Range range;
    for (size_t c = 0; c < 3; ++c) {
        const Vec3 &a = p[c], &b = p[(c + 1) % 3];
        if (std::min(a.z(), b.z()) > z || std::max(a.z(), b.z()) < z) continue;
        const double t = a.z() == b.z() ? 0 : (z - a.z()) / (b.z() - a.z());
        const double y = a.y() + t * (b.y() - a.y());
        range.min = std::min({range.min, y, a.z() == z ? a.y() : y, b.z() == z ? b.y() : y});
        range.max = std::max({range.max, y, a.z() == z ? a.y() : y, b.z() == z ? b.y() : y});
    }
    return range;
}

void addCrossings(Crossings& found, const Corners& p, const Int3& points) {
    Box3 box;
    for (const Vec3& corner : p) box.add(corner);
    // NaN compares false and is left out; what lies beyond the last point of x changes no point
    if (!(box.min.x() < points[0] - 1 && box.max.y() >= 0 && box.max.z() >= 0)) return;
    if (!(box.min.y() <= points[1] - 1 && box.min.z() <= points[2] - 1)) return;
    // planes and rows of the lattice that the triangle's projection reaches
    const int firstK = static_cast<int>(std::max(std::ceil(box.min.z()), 0.0));
    const int lastK = static_cast<int>(std::min(std::floor(box.max.z()), points[2] - 1.0));
    for (int k = firstK; k <= lastK; ++k) {
        const Range range = rangeAt(p, k);
        constexpr double kSlack = 1e-6;  // cells; the exact test follows
        const int firstJ = static_cast<int>(std::clamp(std::ceil(range.min - kSlack), 0.0, points[1] + 0.0));
        const int lastJ = static_cast<int>(std::clamp(std::floor(range.max + kSlack), -1.0, points[1] - 1.0));
        for (int j = firstJ; j <= lastJ; ++j) {
            // which way it turns about the line; perturbed, so that of the triangles at an edge one meets it
            const int turn = turnAbout(p, j, k);
            if (turn == 0) continue;
            const int first = firstPast(p, box, turn, j, k, points[0]);
            if (first < points[0])
                found.push_back({static_cast<uint32_t>(j) + static_cast<uint32_t>(points[1]) * static_cast<uint32_t>(k),
                                 first, -turn});
        }
    }
}

}  // namespace

LineCrossings::LineCrossings(const TriMesh& mesh, const IndexedVector<VertexIndex, Vec3>& cellPositions,
                             const Int3& points)
    : points_(points) {
    // block by block, then sorted: the order does not depend on the number of threads
    const size_t lines = static_cast<size_t>(points[1]) * static_cast<size_t>(points[2]);
    crossings_ = parallelReduce(
        mesh.triangleCount(), 4096, Crossings(),
        [&](const BlockRange& block) {
            Crossings found;
            for (size_t t = block.begin; t < block.end; ++t) {
                const Triangle& v = mesh.triangles[static_cast<TriangleIndex>(t)];
                addCrossings(found, {cellPositions[v[0]], cellPositions[v[1]], cellPositions[v[2]]}, points);
            }
            return found;
        },
        [](Crossings a, const Crossings& b) {
            a.insert(a.end(), b.begin(), b.end());
            return a;
        });
    std::sort(crossings_.begin(), crossings_.end(), [](const Crossing& a, const Crossing& b) {
        return std::tie(a.line, a.first, a.step) < std::tie(b.line, b.first, b.step);
    });
    // where each line's crossings begin
    start_.assign(lines + 1, 0);
    for (const Crossing& c : crossings_) ++start_[c.line + 1];
    for (size_t line = 0; line < lines; ++line) start_[line + 1] += start_[line];
}

}  // namespace sunder::detail
