#include "dynamics/detail/narrow/collide_hulls.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "dynamics/detail/narrow/hull_kernels.h"

namespace sunder::dynamics::detail {

namespace {

using Mat3f = Eigen::Matrix3f;

/// How much better an edge pair must be than a face, as part of the bodies' size.
constexpr float kPreference = 2e-3f;

CornerArrays cornersOf(const ConvexCore& core) {
    return {static_cast<int>(core.x.size()), core.x.data(), core.y.data(), core.z.data()};
}

PlaneArrays planesOf(const ConvexCore& core) {
    static_assert(sizeof(ConvexCore::Face) == 6 * sizeof(float) && offsetof(ConvexCore::Face, normal) == 0 &&
                  offsetof(ConvexCore::Face, offset) == 12);
    return {static_cast<int>(core.faces.size()), core.faces.empty() ? nullptr : core.faces.front().normal.data(), 6};
}

EdgeArrays edgesOf(const ConvexCore& core) {
    const ConvexCore::Edges& e = core.edges;
    return {e.count,      static_cast<int>(e.x.size()),
            e.x.data(),   e.y.data(),
            e.z.data(),   e.dx.data(),
            e.dy.data(),  e.dz.data(),
            e.n1x.data(), e.n1y.data(),
            e.n1z.data(), e.n2x.data(),
            e.n2y.data(), e.n2z.data()};
}

/// One hull's frame seen from the other's.
struct Placement {
    Mat3f rotation;
    Vec3f offset;

    Vec3f operator()(const Vec3f& p) const { return rotation * p + offset; }
};

/// A little smaller than the true one, for rounding. A hull whose centre is outside has a ball of no size at a corner.
InnerBall innerBall(const ConvexCore& core, const Placement& placed) {
    const Vec3f centre = placed(core.innerRadius > 0 ? Vec3f::Zero() : core.vertex(0));
    return {{centre.x(), centre.y(), centre.z()},
            core.innerRadius - 1e-5f * (core.coreRadius + placed.offset.lpNorm<Eigen::Infinity>())};
}

void turn(const Mat3f& rotation, const Vec3f& shift, const float* const from[3], float* const to[3], size_t count) {
    for (size_t i = 0; i < count; ++i) {
        const float x = from[0][i], y = from[1][i], z = from[2][i];
        to[0][i] = rotation(0, 0) * x + rotation(0, 1) * y + rotation(0, 2) * z + shift.x();
        to[1][i] = rotation(1, 0) * x + rotation(1, 1) * y + rotation(1, 2) * z + shift.y();
        to[2][i] = rotation(2, 0) * x + rotation(2, 1) * y + rotation(2, 2) * z + shift.z();
    }
}

/// A hull's corners as seen from the other. Kept per thread, so that a pair costs no allocation.
class MovedCorners {
public:
    const CornerArrays& place(const ConvexCore& core, const Placement& placed) {
        const size_t count = core.x.size();
        floats_.resize(3 * count);
        float* const to[3] = {floats_.data(), floats_.data() + count, floats_.data() + 2 * count};
        const float* const from[3] = {core.x.data(), core.y.data(), core.z.data()};
        turn(placed.rotation, placed.offset, from, to, count);
        arrays_ = {static_cast<int>(count), to[0], to[1], to[2]};
        return arrays_;
    }
    Vec3f operator[](uint32_t i) const { return {arrays_.x[i], arrays_.y[i], arrays_.z[i]}; }

private:
    std::vector<float> floats_;
    CornerArrays arrays_;
};

/// Those edges of a hull that look towards the other one, in a frame of choice. Kept per thread, too.
class ChosenEdges {
public:
    /// Those along which the other solid may lie more than `least` away; its ball as seen from this one.
    const EdgeArrays& choose(const ConvexCore& core, const InnerBall& inOther, float least, const Placement& placed) {
        const EdgeArrays all = edgesOf(core);
        chosen_.resize(static_cast<size_t>(all.count));
        const int count = hullKernels().edgesTowards(all, inOther, least, chosen_.data());
        const size_t padded =
            static_cast<size_t>((count + ConvexCore::kLanes - 1) / ConvexCore::kLanes * ConvexCore::kLanes);
        floats_.resize(12 * padded);
        const float* const from[12] = {all.x,   all.y,   all.z,   all.dx,  all.dy,  all.dz,
                                       all.n1x, all.n1y, all.n1z, all.n2x, all.n2y, all.n2z};
        float* to[12];
        for (size_t k = 0; k < 12; ++k) {
            to[k] = floats_.data() + k * padded;
            for (size_t i = 0; i < padded; ++i) to[k][i] = from[k][chosen_[i < static_cast<size_t>(count) ? i : 0]];
        }
        turn(placed.rotation, placed.offset, to, to, padded);
        for (size_t k = 3; k < 12; k += 3) turn(placed.rotation, Vec3f::Zero(), to + k, to + k, padded);
        arrays_ = {count,  static_cast<int>(padded),
                   to[0],  to[1],
                   to[2],  to[3],
                   to[4],  to[5],
                   to[6],  to[7],
                   to[8],  to[9],
                   to[10], to[11]};
        return arrays_;
    }
    uint32_t indexOf(int i) const { return chosen_[static_cast<size_t>(i)]; }
    const EdgeArrays& arrays() const { return arrays_; }

private:
    std::vector<uint32_t> chosen_;
    std::vector<float> floats_;
    EdgeArrays arrays_;
};

enum class Feature { None, FaceOfA, FaceOfB, Edges };

/// The axis along which two hulls are farthest apart.
struct Farthest {
    Feature feature = Feature::None;
    float separation = -3e38f;        // m; negative: overlap
    Vec3f axis = Vec3f::Zero();       // unit, from A to B, A's frame
    uint32_t indexA = 0, indexB = 0;  // face, or edge of each
    Vec3f point = Vec3f::Zero();      // of edges: in the middle of their shortest connection, A's frame
};

struct ClipPoint {
    Vec3f position;
    uint32_t key;
    float height = 0;
};

/// Keeps what lies inside one plane: normal . p <= offset.
void clip(std::vector<ClipPoint>& polygon, std::vector<ClipPoint>& scratch, const Vec3f& normal, float offset,
          uint32_t edgeKey) {
    scratch.clear();
    const size_t count = polygon.size();
    for (size_t i = 0; i < count; ++i) polygon[i].height = normal.dot(polygon[i].position) - offset;
    for (size_t i = 0; i < count; ++i) {
        const ClipPoint &p = polygon[i], &q = polygon[i + 1 == count ? 0 : i + 1];
        if (p.height <= 0) scratch.push_back(p);
        if ((p.height <= 0) != (q.height <= 0)) {
            const float t = p.height / (p.height - q.height);
            scratch.push_back({p.position + t * (q.position - p.position), edgeKey << 8 | (p.key & 0xff), 0});
        }
    }
    polygon.swap(scratch);
}

/// Four of many points: the deepest, the one farthest from it, and those that span the most area on either side.
void keepFour(std::vector<ClipPoint>& points, const Vec3f& normal) {
    if (points.size() <= 4) return;
    std::array<size_t, 4> chosen{};
    const auto pick = [&](auto&& score) {
        size_t best = 0;
        for (size_t i = 1; i < points.size(); ++i) {
            if (score(points[i]) > score(points[best])) best = i;
        }
        return best;
    };
    chosen[0] = pick([](const ClipPoint& p) { return -p.height; });
    const Vec3f p0 = points[chosen[0]].position;
    chosen[1] = pick([&](const ClipPoint& p) { return (p.position - p0).squaredNorm(); });
    const Vec3f side = normal.cross(points[chosen[1]].position - p0);
    chosen[2] = pick([&](const ClipPoint& p) { return side.dot(p.position - p0); });
    chosen[3] = pick([&](const ClipPoint& p) { return -side.dot(p.position - p0); });
    std::sort(chosen.begin(), chosen.end());
    const auto last = std::unique(chosen.begin(), chosen.end());
    std::vector<ClipPoint>& out = points;
    size_t kept = 0;
    for (auto it = chosen.begin(); it != last; ++it) out[kept++] = points[*it];
    out.resize(kept);
}

/// One solid's face is cut to the other's outline: the points of the incident face that lie above the reference face,
/// in the reference solid's frame.
void faceContact(const ConvexCore& reference, uint32_t referenceFace, const ConvexCore& incident,
                 const MovedCorners& incidentCorners, const Mat3f& incidentFromReference, float reach,
                 std::vector<ClipPoint>& polygon) {
    static thread_local std::vector<ClipPoint> scratch;
    const ConvexCore::Face& out = reference.faces[referenceFace];
    const Vec3f normal = out.normal, seen = incidentFromReference * normal;
    // of the faces that meet in the nearest corner the one that looks most towards the reference face: another one may
    // look more so and yet be out of reach
    uint32_t nearest = 0;
    float lowest = 3e38f;
    for (uint32_t v = 0; v < static_cast<uint32_t>(incident.vertexCount); ++v) {
        const float height = normal.dot(incidentCorners[v]);
        if (height < lowest) lowest = height, nearest = v;
    }
    const ConvexCore::Face* in = &incident.faces.front();
    float least = 2;
    for (const ConvexCore::Face& face : incident.faces) {
        const float along = seen.dot(face.normal);
        if (along >= least) continue;
        const auto first = incident.corners.begin() + face.firstCorner;
        if (std::find(first, first + face.cornerCount, nearest) != first + face.cornerCount) least = along, in = &face;
    }
    polygon.clear();
    for (uint32_t i = 0; i < in->cornerCount; ++i) {
        const uint32_t v = incident.corners[in->firstCorner + i];
        polygon.push_back({incidentCorners[v], v, 0});
    }
    for (uint32_t i = 0; i < out.cornerCount && !polygon.empty(); ++i) {
        const Vec3f p = reference.vertex(static_cast<int>(reference.corners[out.firstCorner + i]));
        const Vec3f q =
            reference.vertex(static_cast<int>(reference.corners[out.firstCorner + (i + 1) % out.cornerCount]));
        const Vec3f side = (q - p).cross(normal);
        clip(polygon, scratch, side, side.dot(p), i + 1);
    }
    size_t kept = 0;
    for (ClipPoint& p : polygon) {
        p.height = normal.dot(p.position) - out.offset;
        if (p.height <= reach) polygon[kept++] = p;
    }
    polygon.resize(kept);
    if (polygon.empty()) {  // nothing of the face lies above the other: the nearest corner does
        const Vec3f p = incidentCorners[nearest];
        polygon.push_back({p, nearest, normal.dot(p) - out.offset});
    }
    keepFour(polygon, normal);
}

/// The middle of the shortest connection of two edges.
Vec3f edgeContact(const EdgeArrays& a, int i, const EdgeArrays& b, int j) {
    const Vec3f p(a.x[i], a.y[i], a.z[i]), d(a.dx[i], a.dy[i], a.dz[i]);
    const Vec3f q(b.x[j], b.y[j], b.z[j]), e(b.dx[j], b.dy[j], b.dz[j]);
    const Vec3f r = p - q;
    const float dd = d.squaredNorm(), ee = e.squaredNorm(), de = d.dot(e), dr = d.dot(r), er = e.dot(r);
    const float determinant = dd * ee - de * de;
    const float s = determinant > 0 ? std::clamp((de * er - ee * dr) / determinant, 0.f, 1.f) : 0.5f;
    const float t = std::clamp((de * s + er) / ee, 0.f, 1.f);
    return 0.5f * (p + s * d + q + t * e);
}

/// Two hulls beside each other, each seen from the other.
class HullPair {
public:
    void place(const ConvexCore& a, const ConvexCore& b, const PairPose& pose) {
        a_ = &a, b_ = &b;
        aFromB_ = {(pose.rotationA.transpose() * pose.rotationB).cast<float>(),
                   (pose.rotationA.transpose() * pose.offset).cast<float>()};
        bFromA_ = {aFromB_.rotation.transpose(), (-(pose.rotationB.transpose() * pose.offset)).cast<float>()};
    }

    float separationAlong(const Vec3f& axis) const {
        const Vec3f axisB = bFromA_.rotation * axis;
        return hullKernels().separationAlong(cornersOf(*a_), cornersOf(*b_), axis.data(), axisB.data(),
                                             axis.dot(aFromB_.offset));
    }

    /// Faces of B must beat faces of A, and edges faces, so that the choice does not flicker. Axes with less than
    /// `floor` are of no interest. The first axis with more than `reach` is as good as any.
    Farthest farthest(float floor, float reach) {
        // faces of A
        const float preference = kPreference * std::min(a_->coreRadius, b_->coreRadius);
        const InnerBall ballB = innerBall(*b_, aFromB_), ballA = innerBall(*a_, bFromA_);
        const HullKernels& kernels = hullKernels();
        Farthest best;
        const FarthestFace faceA =
            kernels.farthestFace(planesOf(*a_), cornersB_.place(*b_, aFromB_), ballB, floor, reach);
        if (faceA.face >= 0) {
            best.feature = Feature::FaceOfA;
            best.separation = faceA.separation;
            best.indexA = static_cast<uint32_t>(faceA.face);
            best.axis = a_->faces[best.indexA].normal;
            if (best.separation > reach) return best;
        }
        // faces of B
        const FarthestFace faceB = kernels.farthestFace(planesOf(*b_), cornersA_.place(*a_, bFromA_), ballA,
                                                        std::max(floor, best.separation + preference), reach);
        if (faceB.face >= 0) {
            best.feature = Feature::FaceOfB;
            best.separation = faceB.separation;
            best.indexB = static_cast<uint32_t>(faceB.face);
            best.axis = -(aFromB_.rotation * b_->faces[best.indexB].normal);
            if (best.separation > reach) return best;
        }
        // pairs of edges, if any could still be better
        const float least = std::max(floor, best.separation + preference);
        const EdgeArrays& edgesA = edgesA_.choose(*a_, ballB, least, {Mat3f::Identity(), Vec3f::Zero()});
        if (edgesA.count == 0) return best;
        const EdgeArrays& edgesB = edgesB_.choose(*b_, ballA, least, aFromB_);
        const FarthestEdges edges = kernels.farthestEdges(edgesA, edgesB, least);
        if (edges.a >= 0) {
            best.feature = Feature::Edges;
            best.separation = edges.separation;
            best.indexA = edgesA_.indexOf(edges.a), best.indexB = edgesB_.indexOf(edges.b);
            best.axis = Vec3f(edges.axis[0], edges.axis[1], edges.axis[2]);
            best.point = edgeContact(edgesA, edges.a, edgesB, edges.b);
        }
        return best;
    }

    /// For the axis just found.
    Manifold manifold(const Farthest& found, const Mat3f& worldFromA, float reach) {
        Manifold manifold;
        manifold.normal = worldFromA * found.axis;
        if (found.feature == Feature::Edges) {
            manifold.count = 1;
            manifold.points[0] = {worldFromA * found.point, found.separation,
                                  0x80000000u | found.indexA << 12 | found.indexB};
            return manifold;
        }
        const bool onA = found.feature == Feature::FaceOfA;
        if (onA) {
            faceContact(*a_, found.indexA, *b_, cornersB_, bFromA_.rotation, reach, points_);
        } else {
            faceContact(*b_, found.indexB, *a_, cornersA_, aFromB_.rotation, reach, points_);
            for (ClipPoint& p : points_) p.position = aFromB_(p.position);
        }
        // a point lies on the incident face; half its height back along the reference normal is the middle
        const Vec3f back = (onA ? -0.5f : 0.5f) * found.axis;
        for (const ClipPoint& p : points_) {
            manifold.points[static_cast<size_t>(manifold.count++)] = {worldFromA * (p.position + p.height * back),
                                                                      p.height, (onA ? 0u : 0x40000000u) | p.key};
        }
        return manifold;
    }

private:
    const ConvexCore *a_ = nullptr, *b_ = nullptr;
    Placement aFromB_, bFromA_;
    MovedCorners cornersA_, cornersB_;
    ChosenEdges edgesA_, edgesB_;
    std::vector<ClipPoint> points_;
};

}  // namespace

void collideHulls(const Shape& first, const Shape& second, const PairPose& pose, float reach, PairMemory& memory,
                  std::vector<Manifold>& manifolds) {
    const ConvexCore &a = *first.convex(), &b = *second.convex();
    ASSERT(!a.faces.empty() && !b.faces.empty());
    static thread_local HullPair pair;
    pair.place(a, b, pose);

    // most pairs are apart along the direction that kept them apart a frame ago, and of those that touch, most touch in
    // about the same direction: what looks elsewhere need not be tried
    constexpr float kNoFloor = -3e38f;
    float floor = kNoFloor;
    if (!memory.axis.isZero()) {
        memory.separation = pair.separationAlong(memory.axis);
        if (memory.separation > reach) return;
        const float size = std::min(a.coreRadius, b.coreRadius);
        floor = memory.separation - (2 * kPreference + 1e-4f) * size;
    }
    Farthest found = pair.farthest(floor, reach);
    // of solids that are apart, the old direction may be better than any face or pair of edges
    if (found.feature == Feature::None) found = pair.farthest(kNoFloor, reach);
    memory.axis = found.axis;
    memory.separation = found.separation;
    if (found.separation > reach) return;
    const Manifold manifold = pair.manifold(found, pose.rotationA.cast<float>(), reach);
    if (manifold.count > 0) manifolds.push_back(manifold);
}

}  // namespace sunder::dynamics::detail
