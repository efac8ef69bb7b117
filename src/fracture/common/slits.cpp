#include "fracture/common/slits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>

#include "base/assert.h"
#include "base/disjoint_sets.h"
#include "base/log.h"
#include "base/parallel.h"
#include "fracture/common/detail/crack_sheets.h"
#include "geometry/cut/cut_by_cells.h"
#include "geometry/mesh/topology.h"
#include "geometry/tree/self_intersections.h"
#include "geometry/tree/triangle_tree.h"

namespace sunder::fracture {

namespace {

constexpr double kShortestMouth = 2;       // cells
constexpr double kBeyond = 0.08;           // cells: how far out of the solid a slit reaches
constexpr double kStep = 0.15;             // cells, in which that is looked for
constexpr int kSteps = 10;                 //
constexpr double kIntoThroughCrack = 0.6;  // cells: its rough face may be that far from the tets' polygons
constexpr double kShortest = 0.6;          // cells: edges that are kept
constexpr double kBlunt = 0.1;             // of the opening: how wide it ends at its front
constexpr int kAttempts = 6;               // to make a gap without what cuts itself
constexpr int kSmoothing = 2;              // of the direction in which it reaches out

/// Makes the gap of one sheet.
class GapMaker {
public:
    GapMaker(std::vector<SheetFace> faces, const std::vector<Vec3>& places, const SlitOptions& options)
        : faces_(std::move(faces)), places_(places), options_(options) {}

    /// Empty: there is nothing to be seen of it, or it cannot be made.
    TriMesh make() {
        if (mouthLength() < kShortestMouth * options_.cell) return {};
        leaveOutWhatIsDeep();
        fillPatch();
        patch_.takeOutShortEdges(kShortest * options_.cell);
        for (int attempt = 0; attempt < kAttempts && !patch_.triangles.empty(); ++attempt) {
            patch_.leaveOutWhatIsHidden();
            takeOver();
            if (rim_.empty()) break;
            widen();
            roughen();
            reachOut();
            TriMesh gap = closedGap();
            const std::vector<uint8_t> bad = troubled(gap);
            if (std::count(bad.begin(), bad.end(), 1) == 0) return isClosedManifold(gap) ? gap : TriMesh();
            patch_.leaveOut(bad);
        }
        return {};
    }

private:
    struct Vertex {
        Vec3 place = Vec3::Zero();
        Vec3 normal = Vec3::Zero();      // while it is made, a sum
        Vec3 outwards = Vec3::Zero();    // at mouths: along the sheet, out of it
        double width = 0;                // m, to either side
        bool front = false;              //
        Beyond at = Beyond::Sheet;       // a mouth's kind
        uint32_t outer = kInvalidIndex;  // the vertex beyond the mouth
    };
    struct Part {
        Patch::Corners corners;
        uint32_t number;  // of the patch's triangle it belongs to
    };
    /// Along it the sheet lies on the left, seen from where its triangles turn counter-clockwise.
    struct RimEdge {
        uint32_t a, b;
        uint32_t number;  // of the patch's triangle it belongs to
        Beyond beyond;
    };

    double mouthLength() const {
        double length = 0;
        for (const SheetFace& face : faces_) {
            for (size_t i = 0; i < face.corners.size(); ++i) {
                if (!isMouth(face.beyond[i])) continue;
                length += (places_[face.corners[(i + 1) % face.corners.size()]] - places_[face.corners[i]]).norm();
            }
        }
        return length;
    }

    void leaveOutWhatIsDeep() {
        // faces stay that have a corner within the depth that can be seen from a mouth
        std::vector<Vec3> mouths;
        for (const SheetFace& face : faces_) {
            for (size_t i = 0; i < face.corners.size(); ++i) {
                if (!isMouth(face.beyond[i])) continue;
                mouths.push_back(places_[face.corners[i]]);
                mouths.push_back(places_[face.corners[(i + 1) % face.corners.size()]]);
            }
        }
        const PointTree tree(mouths);
        std::erase_if(faces_, [&](const SheetFace& face) {
            double nearest = std::numeric_limits<double>::infinity();
            for (const uint32_t corner : face.corners)
                nearest = std::min(nearest, tree.nearest(places_[corner]).squaredDistance);
            return nearest > options_.depth * options_.depth;
        });

        // where a neighbour was left out, the gap ends as at the crack's front
        std::map<uint32_t, int> sides;  // by joint
        for (const SheetFace& face : faces_) {
            for (const uint32_t joint : face.joint) ++sides[joint];
        }
        for (SheetFace& face : faces_) {
            for (size_t i = 0; i < face.corners.size(); ++i) {
                if (face.beyond[i] == Beyond::Sheet && sides.at(face.joint[i]) < 2) face.beyond[i] = Beyond::Front;
            }
        }
    }

    /// Fans around the middles of the faces. Corners are one vertex where faces hang together by edges: what merely
    /// touches stays apart.
    void fillPatch() {
        // corners of joined edges fall together; neighbours run along their edge in opposite directions
        std::vector<uint32_t> first{0};
        for (const SheetFace& face : faces_) first.push_back(first.back() + static_cast<uint32_t>(face.corners.size()));
        DisjointSets sets(first.back());
        std::map<uint32_t, EdgeKey> seen;  // by joint: corners at the lower and the higher place
        for (size_t f = 0; f < faces_.size(); ++f) {
            const SheetFace& face = faces_[f];
            for (size_t i = 0; i < face.corners.size(); ++i) {
                if (face.beyond[i] != Beyond::Sheet) continue;
                const size_t next = (i + 1) % face.corners.size();
                EdgeKey ends{first[f] + static_cast<uint32_t>(i), first[f] + static_cast<uint32_t>(next)};
                if (face.corners[i] > face.corners[next]) std::swap(ends[0], ends[1]);
                const auto [other, fresh] = seen.try_emplace(face.joint[i], ends);
                if (fresh) continue;
                sets.join(ends[0], other->second[0]);
                sets.join(ends[1], other->second[1]);
            }
        }

        // each face as a fan, on one vertex for each set of corners
        std::map<uint32_t, uint32_t> numbers;
        for (size_t f = 0; f < faces_.size(); ++f) {
            const SheetFace& face = faces_[f];
            std::vector<uint32_t> ring;
            Vec3 middle = Vec3::Zero();
            for (size_t i = 0; i < face.corners.size(); ++i) {
                const Vec3& place = places_[face.corners[i]];
                const auto [entry, fresh] = numbers.try_emplace(sets.root(first[f] + static_cast<uint32_t>(i)),
                                                                static_cast<uint32_t>(patch_.places.size()));
                if (fresh) patch_.places.push_back(place);
                ring.push_back(entry->second);
                middle += place / static_cast<double>(face.corners.size());
            }
            // what lies beyond the face's outer edges lies beyond the fan's
            const auto centre = static_cast<uint32_t>(patch_.places.size());
            patch_.places.push_back(middle);
            for (size_t i = 0; i < ring.size(); ++i) {
                const uint32_t a = ring[i], b = ring[(i + 1) % ring.size()];
                patch_.triangles.push_back({a, b, centre});
                if (face.beyond[i] != Beyond::Sheet) patch_.rim[keyOf(a, b)] = face.beyond[i];
            }
        }
    }

    /// Vertices and mouths from the patch.
    void takeOver() {
        // normals are means over the triangles around, by area
        vertices_.clear();
        triangles_.clear();
        rim_.clear();
        for (const Vec3& place : patch_.places) vertices_.push_back({.place = place});
        for (uint32_t number = 0; number < patch_.triangles.size(); ++number) {
            const Patch::Corners& t = patch_.triangles[number];
            triangles_.push_back({t, number});
            const Vec3 area = patch_.areaOf(t);
            for (const uint32_t v : t) vertices_[v].normal += area;
            for (size_t i = 0; i < 3; ++i) {
                const uint32_t a = t[i], b = t[(i + 1) % 3];
                // the gap closes along fronts; at mouths it goes on outwards, along the sheet
                const auto found = patch_.rim.find(keyOf(a, b));
                if (found == patch_.rim.end()) continue;
                rim_.push_back({a, b, number, found->second});
                if (!isMouth(found->second)) {
                    vertices_[a].front = vertices_[b].front = true;
                    continue;
                }
                const Vec3 outwards = (vertices_[b].place - vertices_[a].place).cross(area.normalized());
                for (const uint32_t v : {a, b}) {
                    vertices_[v].outwards += outwards;
                    vertices_[v].at = std::max(vertices_[v].at, found->second);
                }
            }
        }
        for (Vertex& vertex : vertices_) vertex.normal.normalize();
    }

    /// As cracks gape: like the root of the distance from the front.
    void widen() {
        std::vector<Vec3> front;
        for (const Vertex& vertex : vertices_) {
            if (vertex.front) front.push_back(vertex.place);
        }
        const PointTree tree(front);
        for (Vertex& vertex : vertices_) {
            const double distance =
                front.empty() ? options_.depth : std::sqrt(tree.nearest(vertex.place).squaredDistance);
            vertex.width =
                0.5 * options_.opening * std::max(kBlunt, std::sqrt(std::min(1.0, distance / options_.depth)));
        }
    }

    void roughen() {
        for (Vertex& vertex : vertices_) vertex.place += roughnessAt(vertex.place, options_.roughness) * vertex.normal;
    }

    /// One more row of triangles at the mouth, until it is outside.
    void reachOut() {
        // outward directions are smoothed along the mouth, so that the new row does not fold
        for (int pass = 0; pass < kSmoothing; ++pass) {
            std::vector<Vec3> smoothed(vertices_.size(), Vec3::Zero());
            for (const RimEdge& edge : rim_) {
                if (!isMouth(edge.beyond)) continue;
                const Vec3 both = vertices_[edge.a].outwards.normalized() + vertices_[edge.b].outwards.normalized();
                smoothed[edge.a] += both;
                smoothed[edge.b] += both;
            }
            for (size_t v = 0; v < vertices_.size(); ++v) vertices_[v].outwards = smoothed[v];
        }

        // the row's outer edge takes the mouth's place in the rim
        std::vector<RimEdge> beyond;
        for (const RimEdge& edge : rim_) {
            if (!isMouth(edge.beyond)) {
                beyond.push_back(edge);
                continue;
            }
            const uint32_t outerA = outerOf(edge.a), outerB = outerOf(edge.b);
            triangles_.push_back({{edge.b, edge.a, outerA}, edge.number});
            triangles_.push_back({{edge.b, outerA, outerB}, edge.number});
            beyond.push_back({outerA, outerB, edge.number, edge.beyond});
            // where the mouth ends, the row's own side
            if (vertices_[edge.a].front) beyond.push_back({edge.a, outerA, edge.number, Beyond::Front});
            if (vertices_[edge.b].front) beyond.push_back({outerB, edge.b, edge.number, Beyond::Front});
        }
        rim_ = std::move(beyond);
    }

    uint32_t outerOf(uint32_t v) {
        if (vertices_[v].outer == kInvalidIndex) {
            Vertex outer = vertices_[v];
            outer.place += beyondMouth(vertices_[v]);
            vertices_[v].outer = static_cast<uint32_t>(vertices_.size());
            vertices_.push_back(outer);
        }
        return vertices_[v].outer;
    }

    Vec3 beyondMouth(const Vertex& vertex) const {
        const Vec3 direction = vertex.outwards.normalized();
        if (vertex.at == Beyond::Crack) return kIntoThroughCrack * options_.cell * direction;
        double reach = 0;
        for (int step = 1; step <= kSteps; ++step) {
            reach = kStep * step * options_.cell;
            if (options_.distance(vertex.place + reach * direction) > kBeyond * options_.cell) break;
        }
        return reach * direction;
    }

    /// Both sides of it, and what closes it all along its rim.
    TriMesh closedGap() {
        TriMesh gap;
        partOf_.clear();
        // each vertex becomes two, half the opening to either side: 2 v and 2 v + 1
        for (const Vertex& vertex : vertices_) {
            gap.positions.push_back(vertex.place + vertex.width * vertex.normal);
            gap.positions.push_back(vertex.place - vertex.width * vertex.normal);
        }
        const auto add = [&](uint32_t a, uint32_t b, uint32_t c, uint32_t number) {
            gap.triangles.push_back({VertexIndex{a}, VertexIndex{b}, VertexIndex{c}});
            partOf_.push_back(number);
        };

        // both faces, and a band between them along the rim
        for (const auto& [corners, number] : triangles_) {
            const auto [a, b, c] = corners;
            add(2 * a, 2 * b, 2 * c, number);
            add(2 * a + 1, 2 * c + 1, 2 * b + 1, number);
        }
        for (const RimEdge& edge : rim_) {
            add(2 * edge.a, 2 * edge.a + 1, 2 * edge.b + 1, edge.number);
            add(2 * edge.a, 2 * edge.b + 1, 2 * edge.b, edge.number);
        }
        removeUnusedVertices(gap);
        return gap;
    }

    /// The patch's triangles whose part of the gap cuts another, or does not close.
    std::vector<uint8_t> troubled(const TriMesh& gap) const {
        ASSERT(partOf_.size() == gap.triangleCount());
        std::vector<uint8_t> bad(patch_.triangles.size(), 0);
        for (const IntersectingPair& pair : selfIntersections(gap)) {
            for (const TriangleIndex t : {pair.first, pair.second}) bad[partOf_[raw(t)]] = 1;
        }
        const MeshTopology topology(gap);
        for (uint32_t e = 0; e < topology.edgeCount(); ++e) {
            const auto sides = topology.sides(EdgeIndex{e});
            if (sides.size() == 2) continue;
            for (const HalfEdge& side : sides) bad[partOf_[raw(side.triangle)]] = 1;
        }
        return bad;
    }

    std::vector<SheetFace> faces_;
    const std::vector<Vec3>& places_;
    const SlitOptions& options_;
    Patch patch_;
    std::vector<Vertex> vertices_;
    std::vector<Part> triangles_;
    std::vector<RimEdge> rim_;
    std::vector<uint32_t> partOf_;  // by triangle of the gap: the patch's
};

/// Gaps that may be cut out at one time: none cuts another.
std::vector<std::vector<size_t>> batchesOf(std::span<const TriMesh> gaps) {
    // which gaps cut which: each knows of those before it
    TriMesh all;
    std::vector<size_t> gapOf;
    for (size_t g = 0; g < gaps.size(); ++g) {
        append(all, gaps[g]);
        gapOf.resize(all.triangleCount(), g);
    }
    std::vector<std::vector<size_t>> cuts(gaps.size());
    for (const IntersectingPair& pair : selfIntersections(all)) {
        const size_t one = gapOf[raw(pair.first)], two = gapOf[raw(pair.second)];
        if (one != two) cuts[std::max(one, two)].push_back(std::min(one, two));
    }

    // each gap goes to the first batch that has none it cuts
    std::vector<std::vector<size_t>> batches;
    std::vector<size_t> batchOf;
    for (size_t g = 0; g < gaps.size(); ++g) {
        std::vector<uint8_t> taken(batches.size() + 1, 0);
        for (const size_t other : cuts[g]) taken[batchOf[other]] = 1;
        const auto free = static_cast<size_t>(std::find(taken.begin(), taken.end(), 0) - taken.begin());
        if (free == batches.size()) batches.emplace_back();
        batches[free].push_back(g);
        batchOf.push_back(free);
    }
    return batches;
}

/// The solid without these gaps, none of which cuts another; empty when none reaches it.
std::optional<TriMesh> without(const TriMesh& solid, std::span<const TriMesh> gaps, const std::vector<size_t>& chosen) {
    CellWalls walls;
    walls.cellCount = 1;
    for (const size_t g : chosen) {
        const auto first = static_cast<uint32_t>(walls.positions.size());
        walls.positions.insert(walls.positions.end(), gaps[g].positions.begin(), gaps[g].positions.end());
        for (const Triangle& t : gaps[g].triangles)
            walls.walls.push_back({walls.cellCount, 0, {first + raw(t[0]), first + raw(t[1]), first + raw(t[2])}});
        ++walls.cellCount;
    }
    walls.cellAt = [](const Vec3&) { return 0U; };
    TriMesh rest;
    bool any = false;
    for (const CutPiece& piece : cutByWalls(solid, walls)) {
        if (piece.cell == 0) append(rest, piece.mesh);
        any = any || piece.cell != 0;
    }
    return any ? std::optional(std::move(rest)) : std::nullopt;
}

/// Cuts gaps out of a solid, as many at a time as may be.
class Opener {
public:
    Opener(const TriMesh& solid, std::span<const TriMesh> gaps) : solid_(solid), gaps_(gaps) {
        for (const TriMesh& gap : gaps) boxes_.push_back(boundsOf(gap));
    }

    /// None of these cuts another.
    void open(const std::vector<size_t>& chosen) {
        if (chosen.empty()) return;
        // all at one time; if that fails, by halves
        std::optional<TriMesh> made;
        try {
            made = without(current(), gaps_, chosen);
            if (!made) return;
        } catch (const std::runtime_error&) {
            return openApart(chosen);
        }
        if (!isClosedManifold(*made)) return openApart(chosen);
        // the surface may cut itself where it did before, and nowhere else
        const std::vector<Box3> places = crossings(*made, chosen);
        if (places.size() <= (places.empty() ? 0 : crossings(current(), chosen).size())) {
            rest_ = std::move(made);
            return;
        }
        // where a gap runs into another one: without those at fault
        std::vector<size_t> good;
        for (const size_t g : chosen) {
            const bool atFault =
                std::any_of(places.begin(), places.end(), [&](const Box3& place) { return place.overlaps(boxes_[g]); });
            if (!atFault) good.push_back(g);
        }
        if (good.size() == chosen.size()) return openApart(chosen);
        leftOut_ += chosen.size() - good.size();
        open(good);
    }

    size_t leftOut() const { return leftOut_; }
    std::optional<TriMesh> take() && { return std::move(rest_); }

private:
    const TriMesh& current() const { return rest_ ? *rest_ : solid_; }

    void openApart(const std::vector<size_t>& chosen) {
        if (chosen.size() == 1) {
            ++leftOut_;
            return;
        }
        const auto middle = chosen.begin() + static_cast<ptrdiff_t>(chosen.size() / 2);
        open({chosen.begin(), middle});
        open({middle, chosen.end()});
    }

    /// Where a surface cuts itself near some gaps.
    std::vector<Box3> crossings(const TriMesh& mesh, const std::vector<size_t>& chosen) const {
        std::vector<TriangleIndex> near;
        for (const TriangleIndex t : mesh.triangles.indices()) {
            const Box3 box = boxOf(mesh, t);
            if (std::any_of(chosen.begin(), chosen.end(), [&](size_t g) { return boxes_[g].overlaps(box); }))
                near.push_back(t);
        }
        const TriMesh part = subset(mesh, near);
        std::vector<Box3> places;
        for (const IntersectingPair& pair : selfIntersections(part)) {
            const Box3 one = boxOf(part, pair.first), two = boxOf(part, pair.second);
            Box3 both;
            both.min = one.min.cwiseMax(two.min);
            both.max = one.max.cwiseMin(two.max);
            places.push_back(both);
        }
        return places;
    }

    static Box3 boxOf(const TriMesh& mesh, TriangleIndex t) {
        Box3 box;
        for (const Vec3& p : mesh.corners(t)) box.add(p);
        return box;
    }

    const TriMesh& solid_;
    std::span<const TriMesh> gaps_;
    std::vector<Box3> boxes_;  // of the gaps
    std::optional<TriMesh> rest_;
    size_t leftOut_ = 0;
};

}  // namespace

std::vector<Slit> slitsOf(const TetMesh& whole, const CrackedTets& tets, const TetComponents& components,
                          const SlitOptions& options) {
    if (!(options.opening > 0)) return {};
    CrackSheets cracks = crackSheets(whole, tets, components, options.cell);
    std::vector<Slit> slits(cracks.sheets.size());
    parallelFor(cracks.sheets.size(), 1, [&](const BlockRange& block) {
        for (size_t i = block.begin; i < block.end; ++i) {
            slits[i].component = cracks.sheets[i][0].component;
            slits[i].gap = GapMaker(std::move(cracks.sheets[i]), cracks.places, options).make();
        }
    });
    std::erase_if(slits, [](const Slit& slit) { return slit.gap.empty(); });
    return slits;
}

std::optional<TriMesh> opened(const TriMesh& solid, std::span<const TriMesh> gaps) {
    const Box3 bounds = boundsOf(solid);
    std::vector<TriMesh> reaching;
    for (const TriMesh& gap : gaps) {
        if (bounds.overlaps(boundsOf(gap))) reaching.push_back(gap);
    }
    Opener opener(solid, reaching);
    for (const std::vector<size_t>& batch : batchesOf(reaching)) opener.open(batch);
    if (opener.leftOut() > 0)
        logDebug("{} of {} cracks that end inside cannot be opened", opener.leftOut(), reaching.size());
    return std::move(opener).take();
}

}  // namespace sunder::fracture
