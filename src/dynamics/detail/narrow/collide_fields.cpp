#include "dynamics/detail/narrow/collide_fields.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "base/assert.h"
#include "dynamics/detail/narrow/convex_points.h"
#include "dynamics/detail/narrow/field_kernels.h"
#include "dynamics/detail/narrow/manifold_reduction.h"

namespace sunder::dynamics::detail {

namespace {

using Mat3f = Eigen::Matrix3f;

/// Where the field's gradient is shorter than this, two sides of the solid are equally near and its direction means
/// little.
constexpr float kSure = 0.75f;

/// Points kept the last time count as deeper by this share of the smaller radius.
constexpr float kHoldShare = 0.005f;

// Keys: which body the point belongs to, and which of its points it is.
constexpr uint32_t kPointOfB = 0x80000000u;
constexpr uint32_t kRoundPoint = 0x40000000u;

struct Solid {
    const Shape& shape;
    Mat3 rotation;  // world from body
    Vec3 centre;    // from A's centre, m, world axes
    bool isA;
};

Placement placement(const Mat3& rotation, const Vec3& translation) {
    Placement place;
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column)
            place.rotation[3 * row + column] = static_cast<float>(rotation(row, column));
        place.translation[row] = static_cast<float>(translation[row]);
    }
    return place;
}

FieldArrays arraysOf(const CompactField& field) {
    FieldArrays arrays;
    arrays.counts = field.counts();
    for (int axis = 0; axis < 3; ++axis) {
        arrays.points[axis] = field.points()[axis];
        arrays.low[axis] = static_cast<float>(field.solid().min[axis]);
        arrays.high[axis] = static_cast<float>(field.solid().max[axis]);
    }
    arrays.cellSize = static_cast<float>(field.cellSize());
    arrays.unit = static_cast<float>(field.unit());
    return arrays;
}

ConvexArrays arraysOf(const ConvexCore& core) {
    ConvexArrays arrays;
    arrays.radius = core.radius;
    if (!core.faces.empty()) {
        static_assert(sizeof(ConvexCore::Face) % sizeof(float) == 0);
        arrays.planes = core.faces.front().normal.data();
        arrays.planeCount = static_cast<int32_t>(core.faces.size());
        arrays.planeStride = sizeof(ConvexCore::Face) / sizeof(float);
        return arrays;
    }
    const Vec3f end = core.vertex(0), direction = core.vertex(core.vertexCount - 1) - end;
    for (int axis = 0; axis < 3; ++axis) {
        arrays.end[axis] = end[axis];
        arrays.direction[axis] = direction[axis];
    }
    if (direction.squaredNorm() > 0) arrays.inverseSquaredLength = 1 / direction.squaredNorm();
    return arrays;
}

PointArrays pointsOf(const FieldSolid& solid) {
    static_assert(sizeof(FieldSolid::Cluster) == 24 * sizeof(float));
    static_assert(sizeof(FieldSolid::BallGroup) == 32 * sizeof(float));
    PointArrays points;
    points.clusters = solid.clusters.front().x.data();
    points.clusterCount = static_cast<int32_t>(solid.clusters.size());
    points.balls = solid.balls.front().x.data();
    return points;
}

/// What one call gathers; kept by each thread to save allocations.
struct Gathered {
    std::vector<FieldHit> hits;
    std::vector<Candidate> candidates;  // what is passed on
    std::vector<Candidate> unsure;      // used only when there is nothing better
    float bound = 0;                    // m: nothing is nearer
};

/// A direction and the least cosine with it; in 127ths. Without one every direction will do.
struct Outlook {
    Vec3f normal = Vec3f::Zero();
    float least = -1;
};

/// Points of one solid near the other's surface become candidates.
class PointsMeetSurface {
public:
    PointsMeetSurface(const Solid& points, const Solid& surface, float reach, Gathered& gathered)
        : points_(points), surface_(surface), reach_(reach), gathered_(gathered) {}

    void particlesInField() {
        const FieldSolid& solid = *points_.shape.field();
        const CompactField& field = surface_.shape.field()->field;
        const Mat3 lattice = field.latticeFromBody().rotation.toRotationMatrix();
        const Mat3 latticeFromWorld = lattice * surface_.rotation.transpose();
        const Vec3 origin = latticeFromWorld * (points_.centre - surface_.centre) + field.latticeFromBody().translation;
        FieldHits& found = start(solid.clusters.size());
        fieldKernels().inField(arraysOf(field), pointsOf(solid), placement(latticeFromWorld * points_.rotation, origin),
                               reach_, found);
        finish(latticeFromWorld.transpose(), solid);
    }

    void particlesInConvex() {
        const FieldSolid& solid = *points_.shape.field();
        const Mat3 convexFromWorld = surface_.rotation.transpose();
        FieldHits& found = start(solid.clusters.size());
        fieldKernels().inConvex(
            arraysOf(*surface_.shape.convex()), pointsOf(solid),
            placement(convexFromWorld * points_.rotation, convexFromWorld * (points_.centre - surface_.centre)), reach_,
            found);
        finish(surface_.rotation, solid);
    }

    /// Corners, and points along edges as far apart as the field's cells.
    void convexInField() {
        // the points near the field's solid, in the axes of its lattice
        thread_local ConvexPoints placed;
        const CompactField& field = surface_.shape.field()->field;
        const Mat3 lattice = field.latticeFromBody().rotation.toRotationMatrix();
        const Mat3 latticeFromWorld = lattice * surface_.rotation.transpose();
        const Vec3 origin = latticeFromWorld * (points_.centre - surface_.centre) + field.latticeFromBody().translation;
        const ConvexCore& core = *points_.shape.convex();
        const float cell = static_cast<float>(field.cellSize()), margin = reach_ + core.radius + 2 * cell;
        placePoints(
            core, (latticeFromWorld * points_.rotation).cast<float>(), origin.cast<float>(),
            {field.solid().min.cast<float>().array() - margin, field.solid().max.cast<float>().array() + margin}, cell,
            placed);
        // all of them in the field at once
        FieldHits& found = start(placed.clusters.size());
        if (!placed.clusters.empty()) {
            PointArrays arrays;
            arrays.clusters = placed.clusters.front().x.data();
            arrays.clusterCount = static_cast<int32_t>(placed.clusters.size());
            fieldKernels().inField(arraysOf(field), arrays, placement(Mat3::Identity(), Vec3::Zero()),
                                   reach_ + core.radius, found);
        }
        gathered_.bound = std::min({gathered_.bound, found.bound - core.radius, reach_ + 2 * cell});

        // the hits, back in the world
        const Mat3f worldFromLattice = latticeFromWorld.transpose().cast<float>();
        const Vec3f corner =
            (surface_.centre - latticeFromWorld.transpose() * field.latticeFromBody().translation).cast<float>();
        for (const FieldHit& hit : std::span(found.hits, found.count)) {
            if (hit.index >= placed.keys.size()) continue;  // padding
            const ConvexPoints::Cluster& eight = placed.clusters[hit.index / 8];
            const uint32_t lane = hit.index % 8;
            const Vec3f point = corner + worldFromLattice * Vec3f(eight.x[lane], eight.y[lane], eight.z[lane]);
            add(point, hit, worldFromLattice, core.radius, placed.keys[hit.index]);
        }
    }

    /// A ball, or balls along a capsule: from the middle towards the solid until the direction stays.
    void ballsInField() {
        const ConvexCore& core = *points_.shape.convex();
        const CompactField& field = surface_.shape.field()->field;
        const Mat3 bodyFromWorld = surface_.rotation.transpose();
        const Mat3 bodyFromPoints = bodyFromWorld * points_.rotation;
        const Vec3 shift = bodyFromWorld * (points_.centre - surface_.centre);
        const Vec3 from = bodyFromPoints * core.vertex(0).cast<double>() + shift;
        const Vec3 to = bodyFromPoints * core.vertex(core.vertexCount - 1).cast<double>() + shift;
        const double length = (to - from).norm(), spacing = std::max<double>(field.cellSize(), 0.5 * core.radius);
        const int pieces = static_cast<int>(std::ceil(std::min(length / spacing, 1e6)));
        for (int i = 0; i <= pieces; ++i) {
            const Vec3 centre = pieces == 0 ? from : Vec3(from + (to - from) * (static_cast<double>(i) / pieces));
            ballInField(centre, core.radius, static_cast<uint32_t>(i));
        }
    }

private:
    void ballInField(const Vec3& centre, double radius, uint32_t number) {
        // near enough, by the distance at its middle?
        const CompactField& field = surface_.shape.field()->field;
        const CompactField::Sample middle = field.at(centre);
        const double slack = fieldSlack(surface_.shape);
        gathered_.bound = std::min(gathered_.bound, static_cast<float>(middle.value - radius - slack));
        if (middle.value > radius + reach_ + slack) return;
        // the lowest point of the ball's surface
        FieldHit hit;
        Vec3 gradient = middle.gradient, best = centre;
        hit.value = static_cast<float>(middle.value);
        if (middle.value > 0) {
            // halfway between the last direction and the new one: two balls of one size would swing for ever otherwise
            double lowest = std::numeric_limits<double>::infinity();
            Vec3 inward = -gradient.normalized();
            for (int round = 0; round < 6 && inward.allFinite(); ++round) {
                const Vec3 point = centre + radius * inward;
                const CompactField::Sample sample = field.at(point);
                if (!(sample.value < lowest)) break;
                lowest = sample.value;
                best = point;
                gradient = sample.gradient;
                inward = (inward - gradient.normalized()).normalized();
            }
            if (best != centre) {
                hit.value = static_cast<float>(lowest);
                radius = 0;
            }
        }
        if (hit.value - radius > reach_) return;
        // as a hit; where the field has no direction it is not sure
        hit.sureness = static_cast<float>(gradient.norm());
        if (hit.sureness > 1e-3f) {
            gradient /= gradient.norm();
            for (int axis = 0; axis < 3; ++axis) hit.gradient[axis] = static_cast<float>(gradient[axis]);
        }
        const Vec3 point = surface_.centre + surface_.rotation * best;
        add(point.cast<float>(), hit, surface_.rotation.cast<float>(), static_cast<float>(radius),
            kRoundPoint + number);
    }

    FieldHits& start(size_t clusters) {
        if (gathered_.hits.size() < 8 * clusters) gathered_.hits.resize(8 * clusters);
        found_ = {};
        found_.hits = gathered_.hits.data();
        return found_;
    }

    void finish(const Mat3& worldFromSurface, const FieldSolid& solid) {
        gathered_.bound = std::min(gathered_.bound, found_.bound);
        if (found_.count == 0) return;
        const Mat3f worldFromPoints = points_.rotation.cast<float>(), turn = worldFromSurface.cast<float>();
        const Vec3f centre = points_.centre.cast<float>();
        for (const FieldHit& hit : std::span(found_.hits, found_.count)) {
            if (hit.index >= solid.particleCount) continue;  // padding
            const FieldSolid::Cluster& eight = solid.clusters[hit.index / 8];
            const uint32_t lane = hit.index % 8;
            const FieldSolid::Facing& facing = solid.facings[hit.index];
            const Vec3f normal = worldFromPoints * Vec3f(facing.x, facing.y, facing.z);
            add(centre + worldFromPoints * Vec3f(eight.x[lane], eight.y[lane], eight.z[lane]), hit, turn, 0, hit.index,
                {normal, static_cast<float>(facing.least)});
        }
    }

    /// `point` in world axes from A's centre; a point of the solid or, with a radius, the middle of a ball of it.
    void add(const Vec3f& point, const FieldHit& hit, const Mat3f& worldFromSurface, float radius, uint32_t key,
             const Outlook& outlook = {}) {
        Vec3f out = worldFromSurface * Vec3f(hit.gradient[0], hit.gradient[1], hit.gradient[2]);
        if (!(hit.sureness > 1e-3f)) {  // no direction: apart along the line of centres
            const Vec3f apart = (points_.centre - surface_.centre).cast<float>();
            out = apart.squaredNorm() > 0 ? Vec3f(apart.normalized()) : Vec3f(0, points_.isA ? -1.0f : 1.0f, 0);
        }
        Candidate candidate;
        candidate.separation = hit.value - radius;
        candidate.fromA = point - (radius + 0.5f * candidate.separation) * out;
        candidate.normal = points_.isA ? Vec3f(-out) : out;
        candidate.key = points_.isA ? key : key | kPointOfB;
        const bool sure = hit.sureness > kSure && -out.dot(outlook.normal) > outlook.least;
        (sure ? gathered_.candidates : gathered_.unsure).push_back(candidate);
    }

    const Solid &points_, &surface_;
    const float reach_;
    Gathered& gathered_;
    FieldHits found_;
};

/// What a ball touches it touches in one point: particles of the other around that point say the same, less well.
void keepBeyondBalls(Gathered& gathered, size_t balls, float tolerance) {
    std::vector<Candidate>& all = gathered.candidates;
    const auto said = [&](const Candidate& c) {
        return std::any_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(balls), [&](const Candidate& ball) {
            return c.normal.dot(ball.normal) > 0.5f && c.separation > ball.separation - tolerance;
        });
    };
    size_t kept = balls;
    for (size_t i = balls; i < all.size(); ++i) {
        if (!said(all[i])) all[kept++] = all[i];
    }
    all.resize(kept);
}

/// How far apart the boxes of two fields are along the normals of their faces, m: a lower bound of the distance that
/// looks at neither grids nor particles.
double boxesApart(const Solid& a, const Solid& b) {
    struct Oriented {
        Mat3 axes;  // columns, world
        Vec3 centre, half;
    };
    const auto oriented = [](const Solid& solid) {
        const CompactField& field = solid.shape.field()->field;
        const Mat3 axes = solid.rotation * field.latticeFromBody().rotation.toRotationMatrix().transpose();
        return Oriented{axes, solid.centre + axes * (field.solid().centre() - field.latticeFromBody().translation),
                        0.5 * field.solid().size()};
    };
    const Oriented boxA = oriented(a), boxB = oriented(b);
    const Vec3 offset = boxB.centre - boxA.centre;
    const Mat3 cosines = (boxA.axes.transpose() * boxB.axes).cwiseAbs();
    const Vec3 alongA = (boxA.axes.transpose() * offset).cwiseAbs() - boxA.half - cosines * boxB.half;
    const Vec3 alongB = (boxB.axes.transpose() * offset).cwiseAbs() - boxB.half - cosines.transpose() * boxA.half;
    return std::max(alongA.maxCoeff(), alongB.maxCoeff());
}

void meetConvex(const Solid& field, const Solid& convex, float reach, Gathered& gathered) {
    PointsMeetSurface particles(field, convex, reach, gathered), own(convex, field, reach, gathered);
    if (!convex.shape.convex()->faces.empty()) {
        particles.particlesInConvex();
        own.convexInField();
        return;
    }
    own.ballsInField();
    const size_t balls = gathered.candidates.size();
    particles.particlesInConvex();
    keepBeyondBalls(gathered, balls, 0.05f * static_cast<float>(field.shape.field()->field.cellSize()));
}

/// All candidates within reach. Returns how far apart the two are at least, as far as their particles tell, m.
float gather(const Shape& a, const Shape& b, const PairPose& pose, float reach, Gathered& gathered) {
    const Solid solidA{a, pose.rotationA, Vec3::Zero(), true}, solidB{b, pose.rotationB, pose.offset, false};
    gathered.candidates.clear();
    gathered.unsure.clear();
    double apart = pose.offset.norm() - a.radius() - b.radius();
    if (apart <= double{reach} && a.field() != nullptr && b.field() != nullptr)
        apart = std::max(apart, boxesApart(solidA, solidB));
    if (apart > double{reach}) return static_cast<float>(apart);

    gathered.bound = std::numeric_limits<float>::infinity();
    if (a.field() != nullptr && b.field() != nullptr) {
        PointsMeetSurface(solidA, solidB, reach, gathered).particlesInField();
        PointsMeetSurface(solidB, solidA, reach, gathered).particlesInField();
    } else if (a.field() != nullptr) {
        meetConvex(solidA, solidB, reach, gathered);
    } else {
        meetConvex(solidB, solidA, reach, gathered);
    }
    return std::max(static_cast<float>(apart), gathered.bound);
}

thread_local Gathered gatheredHere;

/// Points kept the last time count as deeper.
void favour(const PairMemory& memory, float hold, std::vector<Candidate>& candidates) {
    for (Candidate& c : candidates) {
        if (std::find(memory.kept.begin(), memory.kept.end(), c.key + 1) != memory.kept.end()) c.hold = hold;
    }
}

void remember(std::span<const Manifold> manifolds, PairMemory& memory) {
    memory.kept = {};
    size_t kept = 0;
    for (const Manifold& m : manifolds) {
        for (int i = 0; i < m.count && kept < memory.kept.size(); ++i)
            memory.kept[kept++] = m.points[static_cast<size_t>(i)].key + 1;
    }
}

}  // namespace

double fieldSlack(const Shape& shape) { return shape.field() != nullptr ? 0.25 * shape.field()->field.cellSize() : 0; }

double fieldsApart(const Shape& a, const Shape& b, const PairPose& pose, double reach) {
    const double apart = gather(a, b, pose, static_cast<float>(reach), gatheredHere);
    const bool nothing = gatheredHere.candidates.empty() && gatheredHere.unsure.empty();
    return nothing ? std::max(apart, reach) : apart;
}

void collideFields(const Shape& a, const Shape& b, const PairPose& pose, float reach, PairMemory& memory,
                   std::vector<Manifold>& manifolds) {
    ASSERT(a.field() != nullptr || b.field() != nullptr);
    memory.separation = gather(a, b, pose, reach, gatheredHere);
    std::vector<Candidate>& candidates =
        gatheredHere.candidates.empty() ? gatheredHere.unsure : gatheredHere.candidates;
    favour(memory, kHoldShare * static_cast<float>(std::min(a.radius(), b.radius())), candidates);
    const size_t first = manifolds.size();
    reduceToManifolds(candidates, manifolds);
    remember(std::span(manifolds).subspan(first), memory);
}

}  // namespace sunder::dynamics::detail
