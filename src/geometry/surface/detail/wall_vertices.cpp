#include "geometry/surface/detail/wall_vertices.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "geometry/surface/detail/sheet_table.h"
#include "math/sym_eigen.h"

namespace sunder::detail {

namespace {

constexpr uint32_t kOutside = LatticeComponents::kOutside;
constexpr int kMaxSteps = 8;
// A shorter step ends the search: Newton's method leaves an error of the order of its square.
constexpr double kSettled = 1e-3;  // cells
// Walls that meet at a smaller angle (sine) do not fix a line between them.
constexpr double kLeastSine = 0.15;
// Share of the way from its first guess that one of several vertices in a cell may go, so that no two meet.
constexpr double kNearlyAll = 0.98;
// Clear of the neighbours' vertices.
constexpr double kInset = 0.01;

unsigned insideCorners(const CellLabels& labels) {
    unsigned inside = 0;
    for (unsigned c = 0; c < 8; ++c) inside |= (labels[c] != kOutside ? 1U : 0U) << c;
    return inside;
}

/// Of different kinds at the ends of these edges.
int regionCount(const CellLabels& parts, std::span<const CornerPair> edges) {
    std::array<uint32_t, 24> ends{};
    size_t count = 0;
    for (const CornerPair& edge : edges) {
        ends[count++] = parts[edge.from];
        ends[count++] = parts[edge.to];
    }
    std::sort(ends.begin(), ends.begin() + static_cast<std::ptrdiff_t>(count));
    return static_cast<int>(std::unique(ends.begin(), ends.begin() + static_cast<std::ptrdiff_t>(count)) -
                            ends.begin());
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

std::array<CornerPair, 12> makeCellEdges() {
    std::array<CornerPair, 12> edges;
    for (int e = 0; e < 12; ++e) {
        const CellEdge edge = cellEdge(e);
        edges[static_cast<size_t>(e)] = {static_cast<uint8_t>(edge.low), static_cast<uint8_t>(edge.high)};
    }
    return edges;
}

std::span<const CornerPair> cellEdges() {
    static const std::array<CornerPair, 12> edges = makeCellEdges();
    return edges;
}

/// All edges between up to four corners.
class EdgesBetween {
public:
    explicit EdgesBetween(std::span<const uint8_t> corners) {
        for (size_t i = 0; i < corners.size(); ++i) {
            for (size_t j = i + 1; j < corners.size(); ++j) edges_[count_++] = {corners[i], corners[j]};
        }
    }
    std::span<const CornerPair> all() const { return std::span(edges_).first(count_); }

private:
    std::array<CornerPair, 6> edges_;
    size_t count_ = 0;
};

/// Where a straight line between the values at the corners crosses the edge: near enough to begin with.
Vec3 roughCrossing(std::span<const Wall> walls, CornerPair edge) {
    double t = 0.5;
    for (const Wall& wall : walls) {
        if (edge.to == kCentre) break;
        const double from = wall.atCorner[edge.from], to = wall.atCorner[edge.to];
        if (from * to < 0) t = from / (from - to);
    }
    return cornerPoint(edge.from) + t * (cornerPoint(edge.to) - cornerPoint(edge.from));
}

/// Mean of the points where edges cross walls between regions. The middle of the cell when none does.
template <class Crossing>
Vec3 meanOnWalls(const CellLabels& parts, std::span<const CornerPair> edges, const Crossing& crossing) {
    Vec3 sum = Vec3::Zero();
    int count = 0;
    for (const CornerPair& edge : edges) {
        if (parts[edge.from] == parts[edge.to]) continue;
        if (parts[edge.from] == kOutside || parts[edge.to] == kOutside) continue;
        sum += crossing(edge);
        ++count;
    }
    return count > 0 ? Vec3(sum / count) : Vec3::Constant(0.5);
}

}  // namespace

WallPlacer::WallPlacer(const LabelledRegions& regions, const WallField& field, const LabelledOptions& options)
    : solid_{regions.solid},
      reach_(options.creaseReach),
      solidOptions_{.keepCreases = true, .creaseAngle = options.creaseAngle, .normalAt = options.normalAt},
      solidPlacer_(solid_, solidOptions_),
      field_(&field) {}

WallVertex WallPlacer::inCell(const Int3& cell, const CellLabels& parts) const {
    WallVertex vertex = place({cell, parts, cellEdges()}, {});
    // the neighbour it reaches into may have a vertex at the same place
    const Vec3 within = vertex.position.cwiseMax(room().min).cwiseMin(room().max);
    if (regionCount(parts, cellEdges()) > 2) {
        vertex.position = within + kNearlyAll * (vertex.position - within);
    }
    return vertex;
}

WallVertex WallPlacer::between(const Int3& cell, const CellLabels& parts, std::span<const uint8_t> corners) const {
    const EdgesBetween edges(corners);
    const Place at{cell, parts, edges.all()};
    const Vec3 middle = meanCrossing(at);
    WallVertex vertex = place(at, middle);
    const Vec3 way = vertex.position - middle;
    vertex.position = way.norm() < reach_ ? Vec3(middle + kNearlyAll * way) : middle;
    if (vertex.onSolid) vertex.loose = false;
    return vertex;
}

Vec3 WallPlacer::middleOfCell(const Int3& cell, const CellLabels& parts) const {
    return meanCrossing({cell, parts, cellEdges()});
}

Vec3 WallPlacer::middleBetween(const Int3& cell, const CellLabels& parts, std::span<const uint8_t> corners) const {
    const EdgesBetween edges(corners);
    return meanCrossing({cell, parts, edges.all()});
}

Vec3 WallPlacer::meanCrossing(const Place& at) const {
    Vec3 sum = Vec3::Zero();
    int count = 0;
    for (const CornerPair& edge : at.edges) {
        if (at.parts[edge.from] == at.parts[edge.to]) continue;
        sum += field_->crossing(at.cell, at.parts, edge);
        ++count;
    }
    return count > 0 ? Vec3(sum / count) : Vec3::Constant(0.5);
}

Box3 WallPlacer::room() { return {Vec3::Constant(kInset), Vec3::Constant(1 - kInset)}; }

/// Where the solid has several sheets in a cell, those of tets are kept apart by leaving each where it is.
SheetVertex WallPlacer::onSolid(const Place& at, std::optional<VertexPlacer::Wish> wish) const {
    const ActiveCell active{at.cell[0], static_cast<uint8_t>(insideCorners(at.parts)), 0, 0, 0};
    SheetVertex vertex;
    if (SheetTable::instance().sheets(active.inside, active.joined).count > 1) {
        vertex.position = wish ? wish->point : Vec3::Constant(0.5);
        vertex.feature = SurfaceFeature::Corner;
        return vertex;
    }
    if (wish) return solidPlacer_.placeNear(at.cell, active, *wish);
    solidPlacer_.place(at.cell, active, std::span(&vertex, 1));
    return vertex;
}

Vec3 WallPlacer::pulledToSolid(const Int3& cell, const CellLabels& parts, const Vec3& wanted) const {
    return onSolid({cell, parts, {}}, VertexPlacer::Wish{wanted, 0}).position;
}

/// Without a start, of a whole cell.
WallVertex WallPlacer::place(const Place& at, std::optional<Vec3> start) const {
    const auto crossing = [&](CornerPair edge) { return field_->crossing(at.cell, at.parts, edge); };
    WallVertex vertex;
    vertex.onSolid = std::any_of(at.edges.begin(), at.edges.end(), [&](CornerPair edge) {
        return at.parts[edge.from] == kOutside || at.parts[edge.to] == kOutside;
    });
    SheetVertex skin;
    if (vertex.onSolid) {
        skin = onSolid(at, start ? std::optional(VertexPlacer::Wish{*start, 0}) : std::nullopt);
        vertex.position = skin.position;
        vertex.onCrease = skin.feature != SurfaceFeature::Smooth;
    }
    const std::vector<Wall> walls = field_->wallsOn(at.cell, at.parts, at.edges);
    if (walls.empty()) return vertex;

    vertex.loose = !allKnown(walls);
    if (vertex.loose) {
        vertex.position = meanOnWalls(at.parts, at.edges, crossing);
        if (vertex.onSolid) vertex.position = onSolid(at, VertexPlacer::Wish{vertex.position, 0}).position;
    } else if (vertex.onSolid) {
        vertex.position = onSolidAndWalls(at, walls, skin);
    } else if (!start && walls.size() == 1 && isBent(walls[0], solidOptions_.creaseAngle)) {
        const std::optional<Vec3> point = onCreaseOfWall(at, walls[0]);
        vertex.position = point ? *point : onWalls(at, walls, room());
        vertex.onCrease = point.has_value();
    } else {
        vertex.position = onWalls(at, walls, walls.size() > 1 ? room().expanded(reach_) : room());
    }
    vertex.onCrease = vertex.onCrease || regionCount(at.parts, at.edges) > 2;
    return vertex;
}

Vec3 WallPlacer::onSolidAndWalls(const Place& at, std::span<const Wall> walls, SheetVertex vertex) const {
    for (int step = 0; step < kMaxSteps; ++step) {
        std::vector<TangentPlane> planes;
        for (const Wall& wall : walls) {
            const auto plane = field_->planeNear(at.cell, wall, vertex.position);
            const auto slid = plane ? slidPlane(*plane, vertex) : std::nullopt;
            if (slid) planes.push_back(*slid);
        }
        if (planes.empty()) break;
        const SurfaceFeature rank = orientedRank(planes);
        const SheetVertex next = onSolid(at, VertexPlacer::Wish{bestPoint(planes, rank, vertex.position), reach_});
        const double moved = (next.position - vertex.position).norm();
        vertex = next;
        if (moved < kSettled) break;
    }
    return vertex.position;
}

Vec3 WallPlacer::onWalls(const Place& at, std::span<const Wall> walls, const Box3& space) const {
    Vec3 point = meanOnWalls(at.parts, at.edges, [&](CornerPair edge) { return roughCrossing(walls, edge); });
    for (int step = 0; step < kMaxSteps; ++step) {
        std::vector<TangentPlane> planes;
        for (const Wall& wall : walls) {
            if (const auto plane = field_->planeNear(at.cell, wall, point)) planes.push_back(*plane);
        }
        if (planes.empty()) break;
        const SurfaceFeature rank = orientedRank(planes);
        Vec3 next = bestPoint(planes, rank, point);
        if (!space.contains(next)) next = bestPointIn(space, planes, rank, point);
        const double moved = (next - point).norm();
        point = next;
        if (moved < kSettled) break;
    }
    return point;
}

/// As dual contouring does it: where the tangent planes at the cell's edges meet [ju2002]. None when they agree.
std::optional<Vec3> WallPlacer::onCreaseOfWall(const Place& at, const Wall& wall) const {
    std::vector<TangentPlane> planes;
    const Vec3 centre = meanOnWalls(at.parts, at.edges, [&](CornerPair edge) {
        const Vec3 crossing = roughCrossing({&wall, 1}, edge);
        if (const auto plane = field_->planeNear(at.cell, wall, crossing)) planes.push_back(*plane);
        return crossing;
    });
    const SurfaceFeature feature = featureOf(planes, solidOptions_.creaseAngle);
    if (feature == SurfaceFeature::Smooth) return std::nullopt;
    const Vec3 point = bestPoint(planes, feature, centre);
    return room().contains(point) ? point : bestPointIn(room(), planes, feature, centre);
}

}  // namespace sunder::detail
