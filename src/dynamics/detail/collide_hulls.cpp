#include <algorithm>
#include <cmath>

#include "dynamics/detail/collide.h"
#include "dynamics/detail/hull_kernels.h"

namespace sunder::dynamics::detail {

namespace {

using Mat3f = Eigen::Matrix3f;

/// How much better an edge pair must be than a face, as part of the bodies' size.
constexpr float kPreference = 2e-3f;

HullArrays arraysOf(const ConvexCore& core) {
    HullArrays hull;
    hull.vertices = static_cast<int>(core.x.size());
    hull.x = core.x.data();
    hull.y = core.y.data();
    hull.z = core.z.data();
    static_assert(sizeof(ConvexCore::Face) == 6 * sizeof(float) && offsetof(ConvexCore::Face, normal) == 0 &&
                  offsetof(ConvexCore::Face, offset) == 12);
    hull.faces = static_cast<int>(core.faces.size());
    hull.planes = core.faces.empty() ? nullptr : core.faces.front().normal.data();
    hull.planeStride = 6;
    const ConvexCore::Edges& e = core.edges;
    hull.edges = e.count;
    hull.paddedEdges = static_cast<int>(e.x.size());
    hull.ex = e.x.data(), hull.ey = e.y.data(), hull.ez = e.z.data();
    hull.dx = e.dx.data(), hull.dy = e.dy.data(), hull.dz = e.dz.data();
    hull.n1x = e.n1x.data(), hull.n1y = e.n1y.data(), hull.n1z = e.n1z.data();
    hull.n2x = e.n2x.data(), hull.n2y = e.n2y.data(), hull.n2z = e.n2z.data();
    return hull;
}

/// B's hull as seen from A. Kept per thread, so that a pair costs no allocation.
class MovedHull {
public:
    const HullArrays& place(const ConvexCore& core, const Mat3f& rotation, const Vec3f& offset) {
        const HullArrays from = arraysOf(core);
        const size_t vertices = static_cast<size_t>(from.vertices), edges = static_cast<size_t>(from.paddedEdges);
        floats_.resize(3 * vertices + 4 * core.faces.size() + 12 * edges);
        float* at = floats_.data();
        hull_ = from;
        const auto move = [&](const float* x, const float* y, const float* z, size_t count, const Vec3f& shift,
                              const float*& toX, const float*& toY, const float*& toZ) {
            float *px = at, *py = at + count, *pz = at + 2 * count;
            at += 3 * count;
            for (size_t i = 0; i < count; ++i) {
                px[i] = rotation(0, 0) * x[i] + rotation(0, 1) * y[i] + rotation(0, 2) * z[i] + shift.x();
                py[i] = rotation(1, 0) * x[i] + rotation(1, 1) * y[i] + rotation(1, 2) * z[i] + shift.y();
                pz[i] = rotation(2, 0) * x[i] + rotation(2, 1) * y[i] + rotation(2, 2) * z[i] + shift.z();
            }
            toX = px, toY = py, toZ = pz;
        };
        const Vec3f none = Vec3f::Zero();
        move(from.x, from.y, from.z, vertices, offset, hull_.x, hull_.y, hull_.z);
        move(from.ex, from.ey, from.ez, edges, offset, hull_.ex, hull_.ey, hull_.ez);
        move(from.dx, from.dy, from.dz, edges, none, hull_.dx, hull_.dy, hull_.dz);
        move(from.n1x, from.n1y, from.n1z, edges, none, hull_.n1x, hull_.n1y, hull_.n1z);
        move(from.n2x, from.n2y, from.n2z, edges, none, hull_.n2x, hull_.n2y, hull_.n2z);
        hull_.planes = at;
        hull_.planeStride = 4;
        for (const ConvexCore::Face& face : core.faces) {
            const Vec3f normal = rotation * face.normal;
            *at++ = normal.x(), *at++ = normal.y(), *at++ = normal.z();
            *at++ = face.offset + normal.dot(offset);
        }
        return hull_;
    }

private:
    std::vector<float> floats_;
    HullArrays hull_;
};

struct ClipPoint {
    Vec3f position;
    uint32_t key;
    float height = 0;
};

Vec3f vertexOf(const HullArrays& hull, uint32_t i) { return {hull.x[i], hull.y[i], hull.z[i]}; }
Vec3f normalOf(const HullArrays& hull, int face) {
    return Vec3f(hull.planes[face * hull.planeStride], hull.planes[face * hull.planeStride + 1],
                 hull.planes[face * hull.planeStride + 2]);
}

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

/// One solid's face is cut to the other's outline: the points of the incident face that lie above the reference face.
void faceContact(const ConvexCore& referenceCore, const HullArrays& reference, int referenceFace,
                 const ConvexCore& incidentCore, const HullArrays& incident, float reach,
                 std::vector<ClipPoint>& polygon) {
    static thread_local std::vector<ClipPoint> scratch;
    const Vec3f normal = normalOf(reference, referenceFace);
    // of the faces that meet in the nearest corner the one that looks most towards the reference face: another one may
    // look more so and yet be out of reach
    uint32_t nearest = 0;
    for (int v = 1; v < incidentCore.vertexCount; ++v) {
        if (normal.dot(vertexOf(incident, static_cast<uint32_t>(v)) - vertexOf(incident, nearest)) < 0)
            nearest = static_cast<uint32_t>(v);
    }
    int incidentFace = 0;
    float least = 2;
    for (int f = 0; f < incident.faces; ++f) {
        const float along = normal.dot(normalOf(incident, f));
        if (along >= least) continue;
        const ConvexCore::Face& face = incidentCore.faces[static_cast<size_t>(f)];
        const auto first = incidentCore.corners.begin() + face.firstCorner;
        if (std::find(first, first + face.cornerCount, nearest) != first + face.cornerCount)
            least = along, incidentFace = f;
    }
    const ConvexCore::Face& in = incidentCore.faces[static_cast<size_t>(incidentFace)];
    polygon.clear();
    for (uint32_t i = 0; i < in.cornerCount; ++i) {
        const uint32_t v = incidentCore.corners[in.firstCorner + i];
        polygon.push_back({vertexOf(incident, v), v, 0});
    }
    const ConvexCore::Face& out = referenceCore.faces[static_cast<size_t>(referenceFace)];
    for (uint32_t i = 0; i < out.cornerCount && !polygon.empty(); ++i) {
        const Vec3f p = vertexOf(reference, referenceCore.corners[out.firstCorner + i]);
        const Vec3f q = vertexOf(reference, referenceCore.corners[out.firstCorner + (i + 1) % out.cornerCount]);
        const Vec3f side = (q - p).cross(normal);
        clip(polygon, scratch, side, side.dot(p), i + 1);
    }
    const float offset = reference.planes[referenceFace * reference.planeStride + 3];
    size_t kept = 0;
    for (ClipPoint& p : polygon) {
        p.height = normal.dot(p.position) - offset;
        if (p.height <= reach) polygon[kept++] = p;
    }
    polygon.resize(kept);
    if (polygon.empty()) {  // nothing of the face lies above the other: the nearest corner does
        const Vec3f p = vertexOf(incident, nearest);
        polygon.push_back({p, nearest, normal.dot(p) - offset});
    }
    keepFour(polygon, normal);
}

/// The middle of the shortest connection of two edges.
Vec3f edgeContact(const HullArrays& a, int i, const HullArrays& b, int j) {
    const Vec3f p(a.ex[i], a.ey[i], a.ez[i]), d(a.dx[i], a.dy[i], a.dz[i]);
    const Vec3f q(b.ex[j], b.ey[j], b.ez[j]), e(b.dx[j], b.dy[j], b.dz[j]);
    const Vec3f r = p - q;
    const float dd = d.squaredNorm(), ee = e.squaredNorm(), de = d.dot(e), dr = d.dot(r), er = e.dot(r);
    const float determinant = dd * ee - de * de;
    const float s = determinant > 0 ? std::clamp((de * er - ee * dr) / determinant, 0.f, 1.f) : 0.5f;
    const float t = std::clamp((de * s + er) / ee, 0.f, 1.f);
    return 0.5f * (p + s * d + q + t * e);
}

}  // namespace

void collideHulls(const ConvexCore& a, const ConvexCore& b, const PairPose& pose, float reach, PairMemory& memory,
                  std::vector<Manifold>& manifolds) {
    const Mat3f worldFromA = pose.rotationA.cast<float>();
    const Mat3f aFromB = (pose.rotationA.transpose() * pose.rotationB).cast<float>();
    const Vec3f offset = (pose.rotationA.transpose() * pose.offset).cast<float>();
    const HullArrays hullA = arraysOf(a);

    // most pairs are apart along the direction that kept them apart a frame ago
    if (!memory.axis.isZero()) {
        const Vec3f axisB = aFromB.transpose() * memory.axis;
        memory.separation = hullKernels().separationAlong(hullA, arraysOf(b), memory.axis.data(), axisB.data(),
                                                          memory.axis.dot(offset));
        if (memory.separation > reach) return;
    }

    static thread_local MovedHull moved;
    const HullArrays& hullB = moved.place(b, aFromB, offset);
    const SatResult found = hullKernels().sat(hullA, hullB, reach, kPreference * std::min(a.coreRadius, b.coreRadius));
    memory.axis = Vec3f(found.axis[0], found.axis[1], found.axis[2]);
    memory.separation = found.separation;
    if (found.separation > reach) return;

    Manifold manifold;
    manifold.normal = worldFromA * memory.axis;
    static thread_local std::vector<ClipPoint> points;
    if (found.feature == SatFeature::Edges) {
        manifold.count = 1;
        manifold.points[0] = {
            worldFromA * edgeContact(hullA, found.indexA, hullB, found.indexB), found.separation,
            0x80000000u | static_cast<uint32_t>(found.indexA) << 12 | static_cast<uint32_t>(found.indexB)};
    } else {
        const bool onA = found.feature == SatFeature::FaceOfA;
        if (onA) {
            faceContact(a, hullA, found.indexA, b, hullB, reach, points);
        } else {
            faceContact(b, hullB, found.indexB, a, hullA, reach, points);
        }
        // a point lies on the incident face; half its height back along the reference normal is the middle
        const Vec3f back = (onA ? -0.5f : 0.5f) * memory.axis;
        for (const ClipPoint& p : points) {
            manifold.points[static_cast<size_t>(manifold.count++)] = {worldFromA * (p.position + p.height * back),
                                                                      p.height, (onA ? 0u : 0x40000000u) | p.key};
        }
    }
    if (manifold.count > 0) manifolds.push_back(manifold);
}

}  // namespace sunder::dynamics::detail
