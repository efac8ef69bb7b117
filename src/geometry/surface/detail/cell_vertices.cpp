#include "geometry/surface/detail/cell_vertices.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "base/assert.h"
#include "geometry/surface/detail/cell_field.h"

namespace sunder::detail {

namespace {

// How far outside the cell a surface point may lie and still be asked whether a crease passes through the cell.
constexpr double kReach = 0.5;  // cells
// A surface point this close to the cell counts as in it.
constexpr double kTouch = 0.03;  // cells
// How far beyond the cell's face a vertex may follow a tip that only this cell knows of.
constexpr double kTipReach = 0.6;  // cells
// How deep in a ball that should be empty the vertex on a crease may be.
constexpr double kOffSurface = 0.05;  // cells
// How far outside another field a point may be and still speak for the crease with it.
constexpr double kCutAway = 0.3;  // cells
// A vertex forced into its cell stays this share of the cell's size away from the walls, clear of its neighbours.
constexpr double kInset = 0.01;

struct Crossing {
    int edge = 0;
    int field = 0;
    Vec3 point;
    Vec3 outward;  // along the edge, from inside to outside
    Vec3 normal;
    bool border = false;  // ended by the grid's border, not by a field
};

struct SheetPlane {
    NearbyPlane nearby;
    int sheet = 0;
};

Box3 shrunk(const Box3& box) {
    const Vec3 inset = kInset * (box.max - box.min);
    return {Vec3(box.min + inset), Vec3(box.max - inset)};
}

/// Root mean square distance from the planes.
double weightedError(std::span<const TangentPlane> planes, const Vec3& point) {
    double squared = 0, weight = 0;
    for (const TangentPlane& plane : planes) {
        squared += plane.weight * std::pow(plane.normal.dot(point - plane.point), 2);
        weight += plane.weight;
    }
    return std::sqrt(squared / weight);
}

/// Planes that belong to one face of the surface.
struct Face {
    std::vector<TangentPlane> planes;
    double weight = 0;  // of the planes that touch the cell
};

/// Groups planes by normal, the face with most say in the cell first.
std::vector<Face> splitIntoFaces(std::span<const TangentPlane> planes, std::span<const double> overhang,
                                 double creaseAngle) {
    ASSERT(overhang.size() == planes.size());
    // the surest planes found the faces, others join the one they agree with
    std::vector<size_t> order(planes.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return planes[a].weight > planes[b].weight; });
    std::vector<Face> faces;
    const double agreement = std::cos(std::min(creaseAngle, 1.5));
    for (const size_t i : order) {
        if (planes[i].weight < 0.1) break;
        auto face = std::find_if(faces.begin(), faces.end(), [&](const Face& f) {
            return f.planes.front().normal.dot(planes[i].normal) > agreement;
        });
        if (face == faces.end()) face = faces.insert(face, Face{});
        face->planes.push_back(planes[i]);
        // beyond the cell's walls a plane soon loses its say
        face->weight += planes[i].weight * std::max(0.0, 1 - overhang[i] / (2 * kTouch));
    }
    std::stable_sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) { return a.weight > b.weight; });
    return faces;
}

/// Does a tip that ends at `point` in a neighbouring cell come in over a face that goes before what is shared with the
/// cell `offset` away: one of lower number, or any if only an edge is shared?
template <class IsInTip>
bool comesOverAnotherFace(const Box3& neighbour, const Int3& offset, const Vec3& point, const IsInTip& isInTip) {
    for (int face = 0; face < 6; ++face) {
        const int axis = face / 2, towards = face % 2 == 0 ? -1 : 1;
        Int3 others = offset;
        others[static_cast<size_t>(axis)] += towards;
        if (others == Int3{0, 0, 0}) return false;  // the shared face, and none before it
        Vec3 entry = point;
        entry[axis] = towards < 0 ? neighbour.min[axis] : neighbour.max[axis];
        if (isInTip(entry)) return true;
    }
    return false;
}

Vec3 cornerPoint(int corner) { return {double(corner & 1), double(corner >> 1 & 1), double(corner >> 2)}; }

}  // namespace

EdgeCrossing edgeCrossing(std::span<const double> insideEnd, std::span<const double> outsideEnd) {
    EdgeCrossing first{2, 0};
    for (size_t f = 0; f < insideEnd.size(); ++f) {
        // below zero at the far end too: this field does not end the solid here
        if (outsideEnd[f] < 0) continue;
        const double drop = outsideEnd[f] - insideEnd[f];
        const double t = drop > 0 ? std::clamp(-insideEnd[f] / drop, 0.0, 1.0) : 0.5;
        if (t < first.t) first = {t, static_cast<int>(f)};
    }
    return first.t <= 1 ? first : EdgeCrossing{1, 0};  // only the grid's border ends the solid
}

struct VertexPlacer::Cell {
    Int3 at{};
    const CellSheets* sheets = nullptr;
    unsigned inside = 0;
    std::array<std::optional<CellField>, kMaxFields> fields;
    std::vector<Crossing> crossings;
    bool bent = false;         // a crease or strong curvature is near
    bool cutByBorder = false;  // some crossing is made by the grid's border
    std::vector<SheetPlane> planes;
};

VertexPlacer::VertexPlacer(std::span<const DistanceGrid* const> fields, const IsosurfaceOptions& options)
    : fields_(fields), options_(&options) {
    ASSERT(!fields.empty() && fields.size() <= kMaxFields);
    // a kink of angle a changes the slope along some axis by 2 sin(a/2) / sqrt(3) at least, and the nearer of the two
    // lattice points around it sees at least half of that
    smoothBending_ = std::sin(0.5 * std::min(options.creaseAngle, 3.0)) / std::sqrt(3.0);
}

void VertexPlacer::place(const Int3& at, const ActiveCell& active, std::span<SheetVertex> vertices) const {
    Cell cell;
    cell.at = at;
    cell.inside = active.inside;
    cell.sheets = &SheetTable::instance().sheets(active.inside, active.joined);
    for (size_t f = 0; f < fields_.size(); ++f) cell.fields[f].emplace(*fields_[f], at);
    findCrossings(cell);
    if (options_->keepCreases) findNearbyPlanes(cell);
    for (int sheet = 0; sheet < cell.sheets->count; ++sheet) {
        vertices[static_cast<size_t>(sheet)] = placeSheet(cell, sheet);
    }
}

Vec3 VertexPlacer::surfaceNormal(const Cell& cell, int field, const Vec3& point, const Vec3& estimate) const {
    if (!options_->normalAt || field != 0) return estimate;
    const GridFrame& frame = fields_.front()->frame();
    const Vec3 normal = options_->normalAt(frame.position(cell.at[0], cell.at[1], cell.at[2]) + frame.cellSize * point);
    const double length = normal.norm();
    return length > 0 && std::isfinite(length) ? Vec3(normal / length) : estimate;
}

bool VertexPlacer::onBorder(const Int3& cell, int corner) const {
    const Int3 points = fields_.front()->frame().points;
    for (size_t axis = 0; axis < 3; ++axis) {
        const int i = cell[axis] + (corner >> axis & 1);
        if (i == 0 || i == points[axis] - 1) return true;
    }
    return false;
}

void VertexPlacer::findCrossings(Cell& cell) const {
    ASSERT(cell.inside != 0 && cell.inside != 255);
    cell.crossings.reserve(12);
    for (int e = 0; e < 12; ++e) {
        if (cell.sheets->ofEdge[static_cast<size_t>(e)] == CellSheets::kNotCrossed) continue;
        // from the inside out
        const CellEdge edge = cellEdge(e);
        const bool lowInside = (cell.inside >> edge.low & 1U) != 0;
        const int in = lowInside ? edge.low : edge.high, out = lowInside ? edge.high : edge.low;
        // several fields: the surface is where the first of them leaves
        std::array<double, kMaxFields> insideEnd{}, outsideEnd{};
        for (size_t f = 0; f < fields_.size(); ++f) {
            insideEnd[f] = cell.fields[f]->corner(in);
            outsideEnd[f] = cell.fields[f]->corner(out);
        }
        const EdgeCrossing at =
            edgeCrossing(std::span(insideEnd).first(fields_.size()), std::span(outsideEnd).first(fields_.size()));
        Crossing crossing;
        crossing.edge = e;
        crossing.field = at.field;
        crossing.outward = cornerPoint(out) - cornerPoint(in);
        crossing.point = cornerPoint(in) + at.t * crossing.outward;
        crossing.border = at.t >= 1 && onBorder(cell.at, out);
        // the normal there, from the field that makes the surface
        const Vec3 gradient = cell.fields[static_cast<size_t>(at.field)]->edgeGradient(in, out, at.t);
        const double length = gradient.norm();
        crossing.normal =
            surfaceNormal(cell, at.field, crossing.point, length > 0 ? Vec3(gradient / length) : crossing.outward);
        cell.crossings.push_back(crossing);
    }
}

void VertexPlacer::findNearbyPlanes(Cell& cell) const {
    // which fields make the surface in and around this cell?
    std::array<bool, kMaxFields> concerned{};
    for (const Crossing& crossing : cell.crossings) concerned[static_cast<size_t>(crossing.field)] = true;
    bool all = true;
    for (size_t f = 0; f < fields_.size(); ++f) all = all && cell.fields[f]->changesSign();
    if (all) std::fill_n(concerned.begin(), fields_.size(), true);
    for (size_t f = 0; f < fields_.size(); ++f) {
        cell.bent = cell.bent || (concerned[f] && cell.fields[f]->bending() > smoothBending_);
    }
    cell.bent = cell.bent || (fields_.size() > 1 && all);
    // where the lattice ends, its border is the face
    for (const Crossing& crossing : cell.crossings) {
        if (!crossing.border) continue;
        cell.bent = cell.cutByBorder = true;
        cell.planes.push_back(
            {{{crossing.point, crossing.outward, 1}, 0}, cell.sheets->ofEdge[static_cast<size_t>(crossing.edge)]});
    }
    if (!cell.bent) return;

    for (size_t f = 0; f < fields_.size(); ++f) {
        if (!concerned[f]) continue;
        for (NearbyPlane& nearby : cell.fields[f]->planesNear(kReach)) {
            TangentPlane& plane = nearby.plane;
            // cut away by another field, well beyond the crease with it?
            bool cutAway = false;
            for (size_t other = 0; other < fields_.size(); ++other) {
                cutAway = cutAway || (other != f && cell.fields[other]->clearSide(plane.point, kCutAway) > 0);
            }
            if (cutAway) continue;
            // the sheet of the nearest crossing that does not face the other way
            const Crossing* nearest = nullptr;
            double least = 0;
            for (const Crossing& crossing : cell.crossings) {
                if (plane.normal.dot(crossing.outward) < -0.2) continue;
                const double squared = (plane.point - crossing.point).squaredNorm();
                if (nearest != nullptr && squared >= least) continue;
                nearest = &crossing;
                least = squared;
            }
            if (nearest == nullptr) continue;
            plane.normal = surfaceNormal(cell, static_cast<int>(f), plane.point, plane.normal);
            cell.planes.push_back({nearby, cell.sheets->ofEdge[static_cast<size_t>(nearest->edge)]});
        }
    }
}

SheetVertex VertexPlacer::placeSheet(const Cell& cell, int sheet) const {
    std::vector<TangentPlane> crossings;
    Vec3 centre = Vec3::Zero();
    Box3 box;
    for (const Crossing& crossing : cell.crossings) {
        if (cell.sheets->ofEdge[static_cast<size_t>(crossing.edge)] != sheet) continue;
        crossings.push_back({crossing.point, crossing.normal, 1});
        centre += crossing.point;
        box.add(crossing.point);
    }
    centre /= static_cast<double>(crossings.size());
    if (!options_->keepCreases) return {centre, SurfaceFeature::Smooth, axisOf(crossings, SurfaceFeature::Smooth)};

    // alone, a sheet has the whole cell; several keep to the room their crossings span, so as not to meet
    if (cell.sheets->count == 1) box = {Vec3::Zero(), Vec3::Ones()};
    if (cell.bent) return placeByNearbyPlanes(cell, sheet, centre, box);
    return placeOnFace(crossings, centre, box);
}

/// Which side of the surface a neighbouring cell lies on, when it has no surface of its own.
std::optional<VertexPlacer::Side> VertexPlacer::sideOf(const Cell& cell, const Int3& offset) const {
    const Int3 points = fields_.front()->frame().points;
    for (size_t axis = 0; axis < 3; ++axis) {
        const int at = cell.at[axis] + offset[axis];
        if (at < 0 || at > points[axis] - 2) return std::nullopt;
    }
    bool inside = true, outside = false;
    for (size_t f = 0; f < fields_.size(); ++f) {
        inside = inside && cell.fields[f]->cellIsAll(true, offset);
        outside = outside || cell.fields[f]->cellIsAll(false, offset);
    }
    if (inside) return Side::Inside;
    return outside ? std::optional(Side::Outside) : std::nullopt;
}

/// The feature as the rim of a tip (or of a dent) that reaches into a neighbouring cell without touching its corners.
/// No other cell knows of that part, so the vertex may go there. Several cells may put vertices on such a crease; a
/// corner goes to one: the cell over whose face, or else whose edge, the tip comes in.
std::optional<Vec3> VertexPlacer::pointOnTip(const Cell& cell, std::span<const TangentPlane> planes,
                                             SurfaceFeature feature, const Vec3& centre) const {
    // the feature's own best point, tried in each neighbouring cell over a face or an edge
    const Box3 own{Vec3::Zero(), Vec3::Ones()};
    const Box3 reach = own.expanded(kTipReach);
    const Vec3 best = bestPoint(planes, feature, centre);
    std::optional<Vec3> nearest;
    for (int n = 0; n < 27; ++n) {
        const Int3 offset{n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
        const int steps = std::abs(offset[0]) + std::abs(offset[1]) + std::abs(offset[2]);
        if (steps != 1 && steps != 2) continue;
        // only a neighbour whose corners are all on one side does not know of the tip
        const std::optional<Side> side = sideOf(cell, offset);
        if (!side) continue;
        const Box3 neighbour{Vec3(offset[0], offset[1], offset[2]), Vec3(offset[0] + 1, offset[1] + 1, offset[2] + 1)};
        const Box3 room{neighbour.min.cwiseMax(reach.min), neighbour.max.cwiseMin(reach.max)};
        // in that neighbour: the best point itself, or for a crease another point of it
        Vec3 point = best;
        if (!room.contains(best)) {
            if (feature == SurfaceFeature::Corner) continue;
            point = bestPointIn(room, planes, feature, centre);
            if (weightedError(planes, point) > weightedError(planes, best) + kTouch) continue;
        }
        const double sign = *side == Side::Outside ? 1 : -1;
        // the way to it from this cell must stay in the tip
        const auto isInTip = [&](const Vec3& at) {
            return std::all_of(planes.begin(), planes.end(), [&](const TangentPlane& plane) {
                return plane.weight < 0.5 || sign * plane.normal.dot(at - plane.point) <= kTouch;
            });
        };
        if (!isInTip(point.cwiseMax(own.min).cwiseMin(own.max))) continue;
        if (feature == SurfaceFeature::Corner && comesOverAnotherFace(neighbour, offset, point, isInTip)) continue;
        if (!nearest || (point - centre).squaredNorm() < (*nearest - centre).squaredNorm()) nearest = point;
    }
    return nearest;
}

SheetVertex VertexPlacer::placeByNearbyPlanes(const Cell& cell, int sheet, const Vec3& centre, const Box3& box) const {
    // planes of this sheet; a sheet without any has its crossings
    std::vector<TangentPlane> planes;
    std::vector<double> overhang;
    for (const SheetPlane& p : cell.planes) {
        if (p.sheet != sheet) continue;
        planes.push_back(p.nearby.plane);
        overhang.push_back(p.nearby.overhang);
    }
    if (planes.empty()) {
        for (const Crossing& crossing : cell.crossings) {
            if (cell.sheets->ofEdge[static_cast<size_t>(crossing.edge)] != sheet) continue;
            planes.push_back({crossing.point, crossing.normal, 1});
        }
        return placeOnFace(planes, centre, box);
    }

    // all faces around: one, or a crease or corner of them that lies here
    const SurfaceFeature feature = featureOf(planes, options_->creaseAngle);
    if (feature == SurfaceFeature::Smooth) return placeOnFace(planes, centre, box);
    if (const auto vertex = placeOnFeature(cell, planes, feature, centre, box)) return *vertex;

    // the corner, or the crease, is not ours: then a crease of two of the faces, or one face alone
    const std::vector<Face> faces = splitIntoFaces(planes, overhang, options_->creaseAngle);
    for (size_t i = 0; i < faces.size(); ++i) {
        for (size_t j = 0; j < i; ++j) {
            std::vector<TangentPlane> both = faces[j].planes;
            both.insert(both.end(), faces[i].planes.begin(), faces[i].planes.end());
            if (const auto vertex = placeOnFeature(cell, both, SurfaceFeature::Crease, centre, box)) return *vertex;
        }
    }
    return placeOnFace(faces.empty() ? planes : faces.front().planes, centre, box);
}

/// Empty when the feature does not pass through the box.
std::optional<SheetVertex> VertexPlacer::placeOnFeature(const Cell& cell, std::span<const TangentPlane> planes,
                                                        SurfaceFeature feature, const Vec3& centre,
                                                        const Box3& box) const {
    // no ball without surface may contain it
    const auto onSurface = [&](const Vec3& point) {
        if (cell.cutByBorder) return true;
        bool met = false;
        for (size_t f = 0; f < fields_.size(); ++f) {
            const int side = cell.fields[f]->clearSide(point, kOffSurface);
            if (side > 0) return false;
            met = met || side == 0;
        }
        return met;
    };
    // within the cell, the feature's best point is the vertex
    const Vec3 point = bestPoint(planes, feature, centre);
    const Vec3 axis = axisOf(planes, feature);
    if (box.contains(point)) return onSurface(point) ? std::optional(SheetVertex{point, feature, axis}) : std::nullopt;
    if (feature == SurfaceFeature::Crease) {
        // its point nearest to the centre lies elsewhere, but another one may be in the box
        const Vec3 within = bestPointIn(box, planes, feature, centre);
        if (weightedError(planes, within) < weightedError(planes, point) + kTouch && onSurface(within)) {
            return SheetVertex{within, feature, axis};
        }
    }
    // beyond the cell it may be the rim of a tip that no other cell sees
    if (cell.sheets->count == 1) {
        const std::optional<Vec3> tip = pointOnTip(cell, planes, feature, centre);
        if (tip && onSurface(*tip)) return SheetVertex{*tip, feature, axis};
    }
    return std::nullopt;
}

SheetVertex VertexPlacer::placeOnFace(std::span<const TangentPlane> planes, const Vec3& centre, const Box3& box) const {
    const Vec3 point = bestPoint(planes, SurfaceFeature::Smooth, centre);
    const Vec3 normal = axisOf(planes, SurfaceFeature::Smooth);
    if (box.contains(point)) return {point, SurfaceFeature::Smooth, normal};
    return {bestPointIn(shrunk(box), planes, SurfaceFeature::Smooth, centre), SurfaceFeature::Smooth, normal};
}

}  // namespace sunder::detail
