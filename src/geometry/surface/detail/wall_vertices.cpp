#include "geometry/surface/detail/wall_vertices.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "geometry/surface/detail/kuhn_lattice.h"
#include "math/sym_eigen.h"

namespace sunder::detail {

namespace {

constexpr uint32_t kOutside = LatticeComponents::kOutside;
constexpr int kMaxSteps = 8;
constexpr double kSettled = 1e-7;  // cells; a shorter step ends the search
// Walls that meet at a smaller angle (sine) do not fix a line between them.
constexpr double kLeastSine = 0.15;
// Clear of the neighbours' vertices.
constexpr double kInset = 0.01;

Box3 roomInCell() { return {Vec3::Constant(kInset), Vec3::Constant(1 - kInset)}; }

unsigned insideCorners(const CellLabels& labels) {
    unsigned inside = 0;
    for (unsigned c = 0; c < 8; ++c) inside |= (labels[c] != kOutside ? 1U : 0U) << c;
    return inside;
}

int regionCount(CellLabels labels) {
    std::sort(labels.begin(), labels.end());
    return static_cast<int>(std::unique(labels.begin(), labels.end()) - labels.begin());
}

/// How many directions the planes fix, and all normals to one side, so that nearly equal ones do not cancel.
SurfaceFeature orientedRank(std::vector<TangentPlane>& planes) {
    SymMat3 sum;
    for (TangentPlane& plane : planes) {
        if (plane.normal.dot(planes.front().normal) < 0) plane.normal = -plane.normal;
        const Vec3 &n = plane.normal, w = plane.weight * n;
        sum = sum + SymMat3{w.x() * n.x(), w.y() * n.y(), w.z() * n.z(), w.x() * n.y(), w.y() * n.z(), w.z() * n.x()};
    }
    const Vec3 values = symmetricEigenvalues(sum);
    const double least = kLeastSine * kLeastSine * values[2];
    return values[0] > least   ? SurfaceFeature::Corner
           : values[1] > least ? SurfaceFeature::Crease
                               : SurfaceFeature::Smooth;
}

/// The plane as seen by a point that may only move along the solid's surface or crease.
std::optional<TangentPlane> slidPlane(const TangentPlane& plane, const SheetVertex& vertex) {
    const Vec3 along = plane.normal.dot(vertex.axis) * vertex.axis;
    const Vec3 open = vertex.feature == SurfaceFeature::Smooth   ? Vec3(plane.normal - along)
                      : vertex.feature == SurfaceFeature::Crease ? along
                                                                 : Vec3::Zero();
    const double length = open.norm();
    if (length < kLeastSine) return std::nullopt;
    const Vec3 normal = open / length;
    const double distance = plane.normal.dot(plane.point - vertex.position) / length;
    return TangentPlane{Vec3(vertex.position + distance * normal), normal, length * length};
}

bool allKnown(std::span<const Wall> walls) {
    return std::all_of(walls.begin(), walls.end(), [](const Wall& wall) { return wall.known; });
}

/// Does the difference change its slope within the cell by so much that a crease may be there?
bool isBent(const Wall& wall, double creaseAngle) {
    double squaredSlope = 0, widest = 0;
    for (int axis = 0; axis < 3; ++axis) {
        double low = 1e300, high = -1e300;
        for (int e = 4 * axis; e < 4 * axis + 4; ++e) {
            const CellEdge edge = cellEdge(e);
            const double slope =
                wall.atCorner[static_cast<size_t>(edge.high)] - wall.atCorner[static_cast<size_t>(edge.low)];
            low = std::min(low, slope);
            high = std::max(high, slope);
        }
        squaredSlope += std::pow(0.5 * (low + high), 2);
        widest = std::max(widest, high - low);
    }
    return widest > 0.5 * std::sin(std::min(creaseAngle, 1.5)) * std::sqrt(squaredSlope);
}

/// Mean of the points where edges of the cell change between regions of the solid.
template <class Crossing>
Vec3 meanOnEdges(const CellLabels& labels, const Crossing& crossing) {
    Vec3 sum = Vec3::Zero();
    int count = 0;
    for (int e = 0; e < 12; ++e) {
        const CellEdge edge = cellEdge(e);
        const uint32_t low = labels[static_cast<size_t>(edge.low)], high = labels[static_cast<size_t>(edge.high)];
        if (low == high || low == kOutside || high == kOutside) continue;
        sum += crossing(edge);
        ++count;
    }
    return count > 0 ? Vec3(sum / count) : Vec3::Constant(0.5);
}

}  // namespace

WallPlacer::WallPlacer(const LabelledRegions& regions, const LatticeComponents& parts, const LabelledOptions& options)
    : solid_{regions.solid},
      solidOptions_{.keepCreases = true, .creaseAngle = options.creaseAngle, .normalAt = options.normalAt},
      solidPlacer_(solid_, solidOptions_),
      field_(regions, parts) {}

SheetVertex WallPlacer::onSolid(const Int3& cell, const CellLabels& labels, std::optional<Vec3> wanted) const {
    SheetVertex vertex;
    const ActiveCell active{cell[0], static_cast<uint8_t>(insideCorners(labels)), 0, 0, 0};
    solidPlacer_.place(cell, active, std::span(&vertex, 1), wanted);
    return vertex;
}

Vec3 WallPlacer::pulledToSolid(const Int3& cell, const CellLabels& labels, const Vec3& wanted) const {
    const Box3 room = roomInCell();
    const Vec3 kept = wanted.cwiseMax(room.min).cwiseMin(room.max);
    return insideCorners(labels) == 0xff ? kept : onSolid(cell, labels, kept).position;
}

WallVertex WallPlacer::inCell(const Int3& cell, const CellLabels& labels) const {
    const std::vector<Wall> walls = field_.wallsIn(cell, labels);
    if (walls.empty()) {
        const SheetVertex vertex = onSolid(cell, labels, {});
        return {vertex.position, vertex.feature != SurfaceFeature::Smooth, false};
    }
    WallVertex vertex;
    if (!allKnown(walls)) {
        const Vec3 middle =
            meanOnEdges(labels, [&](const CellEdge& edge) { return onEdge(cell, labels, edge.low, edge.high); });
        vertex = {pulledToSolid(cell, labels, middle), false, true};
    } else if (insideCorners(labels) != 0xff) {
        vertex = onSolidAndWalls(cell, labels, walls);
    } else {
        vertex = onWalls(cell, labels, walls);
    }
    vertex.onCrease = vertex.onCrease || regionCount(labels) > 2;
    return vertex;
}

WallVertex WallPlacer::onSolidAndWalls(const Int3& cell, const CellLabels& labels, std::span<const Wall> walls) const {
    SheetVertex vertex = onSolid(cell, labels, {});
    for (int step = 0; step < kMaxSteps; ++step) {
        std::vector<TangentPlane> planes;
        for (const Wall& wall : walls) {
            const auto plane = field_.planeNear(cell, wall, vertex.position);
            const auto slid = plane ? slidPlane(*plane, vertex) : std::nullopt;
            if (slid) planes.push_back(*slid);
        }
        if (planes.empty()) break;
        const SurfaceFeature rank = orientedRank(planes);
        const SheetVertex next = onSolid(cell, labels, bestPoint(planes, rank, vertex.position));
        const double moved = (next.position - vertex.position).norm();
        vertex = next;
        if (moved < kSettled) break;
    }
    return {vertex.position, true, false};
}

WallVertex WallPlacer::onWalls(const Int3& cell, const CellLabels& labels, std::span<const Wall> walls) const {
    if (walls.size() == 1 && regionCount(labels) == 2 && isBent(walls[0], solidOptions_.creaseAngle)) {
        if (const auto point = onCreaseOfWall(cell, labels, walls[0])) return {*point, true, false};
    }
    // linear along the edges is near enough to begin with
    const Vec3 start = meanOnEdges(labels, [&](const CellEdge& edge) -> Vec3 {
        const auto low = static_cast<size_t>(edge.low), high = static_cast<size_t>(edge.high);
        const std::array<uint32_t, 2> both{std::min(labels[low], labels[high]), std::max(labels[low], labels[high])};
        const auto wall = std::find_if(walls.begin(), walls.end(), [&](const Wall& w) { return w.parts == both; });
        const double drop = wall->atCorner[low] - wall->atCorner[high];
        const double t = drop != 0 ? wall->atCorner[low] / drop : 0.5;
        return cornerPoint(edge.low) + t * (cornerPoint(edge.high) - cornerPoint(edge.low));
    });
    Vec3 point = start;
    for (int step = 0; step < kMaxSteps; ++step) {
        std::vector<TangentPlane> planes;
        for (const Wall& wall : walls) {
            if (const auto plane = field_.planeNear(cell, wall, point)) planes.push_back(*plane);
        }
        if (planes.empty()) break;
        const SurfaceFeature rank = orientedRank(planes);
        Vec3 next = bestPoint(planes, rank, point);
        if (!roomInCell().contains(next)) next = bestPointIn(roomInCell(), planes, rank, point);
        const double moved = (next - point).norm();
        point = next;
        if (moved < kSettled) break;
    }
    return {point, false, false};
}

/// As dual contouring does it: where the tangent planes at the cell's edges meet [ju2002]. None when they agree.
std::optional<Vec3> WallPlacer::onCreaseOfWall(const Int3& cell, const CellLabels& labels, const Wall& wall) const {
    std::vector<TangentPlane> planes;
    const Vec3 centre = meanOnEdges(labels, [&](const CellEdge& edge) {
        const Vec3 crossing = onEdge(cell, labels, edge.low, edge.high);
        if (const auto plane = field_.planeNear(cell, wall, crossing)) {
            planes.push_back({crossing, plane->normal, 1});
        }
        return crossing;
    });
    const SurfaceFeature feature = featureOf(planes, solidOptions_.creaseAngle);
    if (feature == SurfaceFeature::Smooth) return std::nullopt;
    const Vec3 point = bestPoint(planes, feature, centre);
    return roomInCell().contains(point) ? point : bestPointIn(roomInCell(), planes, feature, centre);
}

Vec3 WallPlacer::onEdge(const Int3& cell, const CellLabels& labels, int from, int to) const {
    const double t = std::clamp(field_.crossing(cell, labels, from, to), kInset, 1 - kInset);
    return cornerPoint(from) + t * (cornerPoint(to) - cornerPoint(from));
}

WallVertex WallPlacer::inTet(const Int3& cell, const CellLabels& labels, int tet) const {
    const auto& corners = kKuhnTets[static_cast<size_t>(tet)];
    Vec3 sum = Vec3::Zero();
    int count = 0;
    for (size_t i = 0; i < 4; ++i) {
        for (size_t j = 0; j < i; ++j) {
            if (labels[corners[i]] == labels[corners[j]]) continue;
            sum += onEdge(cell, labels, corners[j], corners[i]);
            ++count;
        }
    }
    return {Vec3(sum / std::max(count, 1)), false, false};
}

}  // namespace sunder::detail
