#include "geometry/grid/detail/surface_band.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "geometry/mesh/topology.h"

namespace sunder::detail {

namespace {

constexpr int kSlabLayers = 16;
// How far edges and vertices reach into the regions of their neighbours, cells. Their distances stay true there; it
// only has to exceed rounding.
constexpr double kOverlap = 1e-3;
// Faces whose height is below this part of their length have no trustworthy normal; their edges stand for them.
constexpr double kFlattest = 1e-11;
constexpr double kAlongLine = 1e-12;  // slopes below this count as constant along a line of x

/// Inclusive ranges of lattice points.
struct IndexBox {
    Int3 min{0, 0, 0};
    Int3 max{-1, -1, -1};
};

/// A set of lattice points: the convex set of a few half-spaces normal . q >= offset, inside a box.
class ConvexRegion {
public:
    void clear() {
        count_ = 0;
        box_ = Box3();
    }
    /// Half-spaces beyond the capacity are left out: the region only grows.
    void addHalfSpace(const Vec3& normal, double offset) {
        if (count_ < kCapacity) halfSpaces_[count_++] = {normal.x(), normal.y(), normal.z(), offset};
    }
    Box3& box() { return box_; }

    /// Calls visitRun(j, k, first, last) for every run of points along x within the limits.
    template <class VisitRun>
    void forEachRun(const IndexBox& limits, VisitRun&& visitRun) const {
        // the box in whole points, within the limits
        IndexBox range;
        for (size_t axis = 0; axis < 3; ++axis) {
            range.min[axis] =
                clampedInt(std::ceil(box_.min[static_cast<int>(axis)]), limits.min[axis], limits.max[axis] + 1);
            range.max[axis] =
                clampedInt(std::floor(box_.max[static_cast<int>(axis)]), limits.min[axis] - 1, limits.max[axis]);
            if (range.min[axis] > range.max[axis]) return;
        }
        // one division per half-space, not one per row
        std::array<double, kCapacity> perSlope;
        for (size_t h = 0; h < count_; ++h)
            perSlope[h] = std::abs(halfSpaces_[h].x) > kAlongLine ? 1 / halfSpaces_[h].x : 0;
        for (int k = range.min[2]; k <= range.max[2]; ++k) {
            for (int j = range.min[1]; j <= range.max[1]; ++j) {
                // along a row each half-space is a bound from below or above, or all or nothing
                double low = range.min[0], high = range.max[0];
                for (size_t h = 0; h < count_; ++h) {
                    const HalfSpace& half = halfSpaces_[h];
                    const double rest = half.offset - half.y * j - half.z * k;  // x * i >= rest
                    const double bound = rest * perSlope[h];
                    if (perSlope[h] > 0) {
                        low = std::max(low, bound);
                    } else if (perSlope[h] < 0) {
                        high = std::min(high, bound);
                    } else if (rest > 0) {
                        high = -1e300;
                    }
                }
                if (low <= high) {
                    const int first = static_cast<int>(std::ceil(low)), last = static_cast<int>(std::floor(high));
                    if (first <= last) visitRun(j, k, first, last);
                }
            }
        }
    }

private:
    static constexpr size_t kCapacity = 16;
    struct HalfSpace {
        double x, y, z, offset;
    };
    static int clampedInt(double value, int low, int high) {
        return value < low ? low : value > high ? high : static_cast<int>(value);
    }

    Box3 box_;
    size_t count_ = 0;
    std::array<HalfSpace, kCapacity> halfSpaces_;
};

/// Extends the box by the ball's part that the directions span: all of the ball unless they lie within 60 degrees of
/// each other, else up to where the tangents at the directions meet.
void addCone(Box3& box, const Vec3& apex, std::span<const Vec3> directions, double reach) {
    Vec3 sum = Vec3::Zero();
    for (const Vec3& d : directions) sum += d;
    const double length = sum.norm();
    double narrowest = length > 0 ? 1 : 0;
    for (const Vec3& d : directions) narrowest = std::min(narrowest, length > 0 ? d.dot(sum) / length : 0);
    if (directions.empty() || narrowest < 0.87) {
        box.add(Box3{apex, apex}.expanded(reach));
        return;
    }
    box.add(apex);
    for (const Vec3& d : directions) {
        box.add(Vec3(apex + (reach / narrowest) * d));
        box.add(Vec3(apex + (reach / narrowest) * sum / length));
    }
}

class BandFiller {
public:
    BandFiller(const TriMesh& mesh, const IndexedVector<VertexIndex, Vec3>& positions, const Int3& points, double reach,
               NearestOffsets& nearest)
        : mesh_(mesh), topology_(mesh), positions_(positions), points_(points), reach_(reach), nearest_(nearest) {
        normals_.resize(mesh.triangleCount());
        parallelFor(mesh.triangleCount(), 4096, [&](const BlockRange& block) {
            for (size_t t = block.begin; t < block.end; ++t) normals_[t] = normalOf(static_cast<TriangleIndex>(t));
        });
        edgesAround();
        faces_ =
            bySlab(mesh.triangleCount(), [&](uint32_t t) { return mesh.triangles[static_cast<TriangleIndex>(t)]; });
        edges_ =
            bySlab(topology_.edgeCount(), [&](uint32_t e) { return topology_.vertices(static_cast<EdgeIndex>(e)); });
        vertices_ = bySlab(mesh.vertexCount(), [&](uint32_t v) { return std::array{static_cast<VertexIndex>(v)}; });
    }

    size_t slabCount() const { return (static_cast<size_t>(points_[2]) + kSlabLayers - 1) / kSlabLayers; }

    /// Fills the layers of one slab. Faces, edges, vertices, each in index order: of equally near ones the first stays.
    void fillSlab(size_t slab) {
        const int first = static_cast<int>(slab) * kSlabLayers;
        const IndexBox limits{{0, 0, first},
                              {points_[0] - 1, points_[1] - 1, std::min(first + kSlabLayers, points_[2]) - 1}};
        for (const uint32_t t : faces_[slab]) fillFace(static_cast<TriangleIndex>(t), limits);
        for (const uint32_t e : edges_[slab]) fillEdge(static_cast<EdgeIndex>(e), limits);
        for (const uint32_t v : vertices_[slab]) fillVertex(static_cast<VertexIndex>(v), limits);
    }

private:
    /// Unit, or zero for a face without a trustworthy one.
    Vec3 normalOf(TriangleIndex t) const {
        const Triangle& v = mesh_.triangles[t];
        const Vec3 ab = positions_[v[1]] - positions_[v[0]], ac = positions_[v[2]] - positions_[v[0]];
        const Vec3 n = ab.cross(ac);
        const double length = n.norm(),
                     longest = std::max({ab.squaredNorm(), ac.squaredNorm(), (ac - ab).squaredNorm()});
        return length > kFlattest * longest ? Vec3(n / length) : Vec3(Vec3::Zero());
    }

    void edgesAround() {
        edgeStart_.assign(mesh_.vertexCount() + 1, 0);
        for (const EdgeIndex e : indexRange<EdgeIndex>(topology_.edgeCount())) {
            for (const VertexIndex v : topology_.vertices(e)) ++edgeStart_[raw(v) + 1];
        }
        for (size_t v = 0; v < mesh_.vertexCount(); ++v) edgeStart_[v + 1] += edgeStart_[v];
        edgesOfVertex_.resize(edgeStart_.back());
        std::vector<uint32_t> next(edgeStart_.begin(), edgeStart_.end() - 1);
        for (const EdgeIndex e : indexRange<EdgeIndex>(topology_.edgeCount())) {
            for (const VertexIndex v : topology_.vertices(e)) edgesOfVertex_[next[raw(v)]++] = e;
        }
    }

    /// For every slab the simplices that may reach it, ascending.
    template <class CornersOf>
    std::vector<std::vector<uint32_t>> bySlab(size_t count, CornersOf&& cornersOf) const {
        std::vector<std::vector<uint32_t>> lists(slabCount());
        for (uint32_t n = 0; n < count; ++n) addToSlabs(lists, n, cornersOf(n));
        return lists;
    }

    /// Into every slab that the simplex may reach; simplices that reach no lattice point go nowhere.
    void addToSlabs(std::vector<std::vector<uint32_t>>& lists, uint32_t simplex,
                    std::span<const VertexIndex> corners) const {
        Box3 box;
        for (const VertexIndex v : corners) box.add(positions_[v]);
        const double margin = reach_ + kOverlap;
        for (int axis = 0; axis < 3; ++axis) {
            if (!(box.max[axis] + margin >= 0 && box.min[axis] - margin <= points_[static_cast<size_t>(axis)] - 1))
                return;
        }
        const double last = static_cast<double>(lists.size()) - 1;
        const auto slabOf = [&](double z) {
            return static_cast<size_t>(std::clamp(std::floor(z / kSlabLayers), 0.0, last));
        };
        for (size_t s = slabOf(box.min.z() - margin); s <= slabOf(box.max.z() + margin); ++s)
            lists[s].push_back(simplex);
    }

    /// The prism over a face: distance and foot come from the plane.
    void fillFace(TriangleIndex t, const IndexBox& limits) {
        // a face without area has edges and vertices only
        const Vec3& n = normals_[raw(t)];
        if (n.isZero(0)) return;
        const Triangle& v = mesh_.triangles[t];
        const Vec3& a = positions_[v[0]];
        // half-spaces of its three sides and two ends, and a box around all
        ConvexRegion region;
        for (size_t corner = 0; corner < 3; ++corner) {
            const Vec3 &p = positions_[v[corner]], &next = positions_[v[(corner + 1) % 3]];
            const Vec3 inward = n.cross(next - p);
            region.addHalfSpace(inward, inward.dot(p));
            region.box().add(Vec3(p + reach_ * n));
            region.box().add(Vec3(p - reach_ * n));
        }
        const double plane = n.dot(a);
        region.addHalfSpace(n, plane - reach_);
        region.addHalfSpace(-n, -plane - reach_);
        // the offset to the plane's foot
        region.forEachRun(limits, [&](int j, int k, int first, int last) {
            const size_t row = nearest_.index(0, j, k);
            for (int i = first; i <= last; ++i) {
                const double height = n.x() * i + n.y() * j + n.z() * k - plane;
                nearest_.offer(row + static_cast<size_t>(i) * nearest_.layout.stride[0], -height * n);
            }
        });
    }

    /// The wedge between the prisms of the faces at an edge.
    void fillEdge(EdgeIndex e, const IndexBox& limits) {
        const auto ends = topology_.vertices(e);
        const Vec3 &a = positions_[ends[0]], &b = positions_[ends[1]];
        const Vec3 along = b - a;
        const double squaredLength = along.squaredNorm();
        if (!(squaredLength > 0)) return;
        const Vec3 direction = along / std::sqrt(squaredLength);

        // between its ends, and beyond all faces that meet there
        ConvexRegion region;
        region.addHalfSpace(direction, direction.dot(a) - kOverlap);
        region.addHalfSpace(-direction, -direction.dot(b) - kOverlap);
        std::array<Vec3, 2> inward;
        size_t faces = 0, soundFaces = 0;
        for (const HalfEdge& side : topology_.sides(e)) {
            ++faces;
            const Vec3& n = normals_[raw(side.triangle)];
            if (n.isZero(0)) continue;
            // in the face, away from the edge; the side runs from its corner to the next
            const bool forward = mesh_.triangles[side.triangle][side.corner] == ends[0];
            const Vec3 into = (forward ? 1 : -1) * n.cross(direction);
            if (soundFaces < 2) inward[soundFaces] = into;
            ++soundFaces;
            region.addHalfSpace(-into, -into.dot(a) - kOverlap);
        }

        // two faces: the wedge lies between their normals on the side where the faces bend away; on both sides when
        // flat
        const bool isWedge = faces == 2 && soundFaces == 2 && inward[0].dot(inward[1]) < 0;
        std::array<Vec3, 2> rays;
        bool isFlat = false;
        for (size_t s = 0; isWedge && s < 2; ++s) {
            const Vec3 ray = direction.cross(inward[s]);
            const double bend = ray.dot(inward[1 - s]);
            rays[s] = bend <= 0 ? ray : Vec3(-ray);
            isFlat = isFlat || std::abs(bend) < 1e-4;
        }
        // the box around what the cone at each end reaches
        for (const Vec3& end : {a, b}) {
            if (isFlat) {
                addCone(region.box(), end, std::array{rays[0]}, reach_);
                addCone(region.box(), end, std::array{Vec3(-rays[0])}, reach_);
            } else {
                addCone(region.box(), end, std::span<const Vec3>(rays.data(), isWedge ? 2 : 0), reach_);
            }
        }
        region.box() = region.box().expanded(kOverlap);

        // the nearest point of the edge
        const double squaredReach = reach_ * reach_;
        region.forEachRun(limits, [&](int j, int k, int first, int last) {
            const size_t row = nearest_.index(0, j, k);
            for (int i = first; i <= last; ++i) {
                const Vec3 q(i, j, k);
                const double t = std::clamp((q - a).dot(along) / squaredLength, 0.0, 1.0);
                const Vec3 offset = a + t * along - q;
                if (offset.squaredNorm() <= squaredReach)
                    nearest_.offer(row + static_cast<size_t>(i) * nearest_.layout.stride[0], offset);
            }
        });
    }

    /// The normal cone of a vertex: the directions that make an obtuse angle with every edge.
    void fillVertex(VertexIndex v, const IndexBox& limits) {
        if (topology_.triangles(v).empty()) return;
        const Vec3& p = positions_[v];
        const std::span<const EdgeIndex> around(edgesOfVertex_.data() + edgeStart_[raw(v)],
                                                edgeStart_[raw(v) + 1] - edgeStart_[raw(v)]);
        // beyond each edge's end, as the vertex sees it
        ConvexRegion region;
        std::array<Vec3, kMaxFan> edges;
        size_t count = 0;
        bool closedFan = true;
        for (const EdgeIndex e : around) {
            const auto ends = topology_.vertices(e);
            const Vec3 along = positions_[ends[0] == v ? ends[1] : ends[0]] - p;
            const double length = along.norm();
            if (!(length > 0)) continue;
            const Vec3 direction = along / length;
            closedFan = closedFan && topology_.sides(e).size() == 2;
            if (count < kMaxFan) edges[count] = direction;
            ++count;
            region.addHalfSpace(-direction, -direction.dot(p) - kOverlap);
        }

        // of a closed fan the cone has corners, and so a smaller box than the whole ball
        std::array<Vec3, kMaxRays> rays;
        size_t rayCount = 0;
        if (closedFan && count >= 3 && count <= kMaxFan) {
            rayCount = coneRays(std::span(edges.data(), count), rays);
            if (rayCount == 0) return;
        }
        addCone(region.box(), p, std::span(rays.data(), rayCount <= kMaxRays ? rayCount : 0), reach_);
        region.box() = region.box().expanded(kOverlap);

        // every point of the cone is nearest to the vertex itself
        const double squaredReach = reach_ * reach_;
        region.forEachRun(limits, [&](int j, int k, int first, int last) {
            const size_t row = nearest_.index(0, j, k);
            for (int i = first; i <= last; ++i) {
                const Vec3 offset = p - Vec3(i, j, k);
                if (offset.squaredNorm() <= squaredReach)
                    nearest_.offer(row + static_cast<size_t>(i) * nearest_.layout.stride[0], offset);
            }
        });
    }

    static constexpr size_t kMaxFan = 12;
    static constexpr size_t kMaxRays = 24;

    /// The extreme rays of the cone {d : d . e <= 0 for all edges e} of a closed fan: each is normal to two edges.
    /// Nothing when the cone is empty or so thin that the neighbours' overlap covers it. More than kMaxRays when the
    /// rays do not describe it (edges along one line, a fan folded flat): the caller then takes the whole ball.
    static size_t coneRays(std::span<const Vec3> edges, std::array<Vec3, kMaxRays>& rays) {
        constexpr double kTolerance = 1e-5;
        constexpr size_t kNoCone = kMaxRays + 1;
        const auto isInside = [&](const Vec3& d, double tolerance) {
            return std::all_of(edges.begin(), edges.end(), [&](const Vec3& e) { return d.dot(e) <= tolerance; });
        };
        // candidates: normal to two edges, either way; those that lie in the cone are its rays
        size_t count = 0;
        bool anyPlane = false;
        for (size_t i = 0; i < edges.size(); ++i) {
            for (size_t j = i + 1; j < edges.size(); ++j) {
                const Vec3 normal = edges[i].cross(edges[j]);
                const double length = normal.norm();
                if (length < 1e-4) continue;
                anyPlane = true;
                for (const double sign : {1 / length, -1 / length}) {
                    const Vec3 ray = sign * normal;
                    if (!isInside(ray, kTolerance)) continue;
                    if (count == kMaxRays) return kNoCone;
                    rays[count++] = ray;
                }
            }
        }
        // edges along one line leave a half-space; an empty cone leaves nothing
        if (!anyPlane) return kNoCone;
        Vec3 away = Vec3::Zero();
        for (const Vec3& e : edges) away -= e;
        if (count == 0) return away.norm() > 0.1 && isInside(away.normalized(), kTolerance) ? kNoCone : 0;
        return count;
    }

    const TriMesh& mesh_;
    MeshTopology topology_;
    const IndexedVector<VertexIndex, Vec3>& positions_;
    Int3 points_;
    double reach_;
    NearestOffsets& nearest_;
    std::vector<Vec3> normals_;  // of triangles
    std::vector<uint32_t> edgeStart_;
    std::vector<EdgeIndex> edgesOfVertex_;
    std::vector<std::vector<uint32_t>> faces_, edges_, vertices_;  // per slab
};

}  // namespace

void fillBand(const TriMesh& mesh, const IndexedVector<VertexIndex, Vec3>& cellPositions, const Int3& points,
              double reach, NearestOffsets& nearest, Progress& progress) {
    BandFiller filler(mesh, cellPositions, points, reach, nearest);
    parallelFor(filler.slabCount(), 1, [&](const BlockRange& slab) {
        filler.fillSlab(slab.begin);
        progress.advance(1.0 / static_cast<double>(filler.slabCount()));
    });
}

}  // namespace sunder::detail
