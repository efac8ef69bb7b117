#include "dynamics/shape.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include <fmt/format.h>

#include "base/simd.h"
#include "dynamics/detail/shapes/convex_core.h"
#include "dynamics/detail/shapes/shape_maker.h"

namespace sunder::dynamics {

using detail::requireLength;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kPi = std::numbers::pi;
constexpr int kCylinderSides = 32;

/// Corners of a regular polygon around y, circumradius 1, by halving a right angle: square roots only, so that a
/// cylinder has the same bits everywhere. `sides` is a power of two, 4 or more.
std::vector<Vec2> unitPolygon(int sides) {
    double c = 0, s = 1;
    for (int n = 4; n < sides; n *= 2) {
        const double half = std::sqrt(0.5 * (1 + c));
        s = s / (2 * half);
        c = half;
    }
    std::vector<Vec2> corners{{1, 0}};
    for (int i = 1; i < sides / 4; ++i) {
        const Vec2& p = corners.back();
        corners.emplace_back(c * p.x() - s * p.y(), s * p.x() + c * p.y());
    }
    // the other quadrants are copies, so the polygon is exactly symmetric
    for (int quadrant = 1; quadrant < 4; ++quadrant) {
        for (int i = 0; i < sides / 4; ++i) {
            const Vec2 p = corners[corners.size() - static_cast<size_t>(sides / 4)];
            corners.emplace_back(-p.y(), p.x());
        }
    }
    return corners;
}

/// A prism with as much volume as the cylinder.
ConvexPolytope cylinderPrism(double radius, double halfLength) {
    const std::vector<Vec2> circle = unitPolygon(kCylinderSides);
    const double grow = std::sqrt(2 * kPi / (kCylinderSides * circle[1].y()));
    std::vector<Vec3> points;
    for (const Vec2& p : circle)
        for (const double y : {-halfLength, halfLength})
            points.emplace_back(grow * radius * p.x(), y, grow * radius * p.y());
    return detail::flatHull(points);
}

/// Least and greatest coordinates of points after a rotation (row by row). Points come in eights, `stride` floats
/// apart.
struct Extents {
    float low[3], high[3];
};
SUNDER_SIMD void findExtents(const float* x, const float* y, const float* z, size_t eights, size_t stride,
                             const float* rotation, Extents* extents) {
    for (int axis = 0; axis < 3; ++axis) {
        const float nx = rotation[3 * axis], ny = rotation[3 * axis + 1], nz = rotation[3 * axis + 2];
        float low[8], high[8];
        for (int k = 0; k < 8; ++k) low[k] = high[k] = nx * x[k] + ny * y[k] + nz * z[k];
        for (size_t i = 1; i < eights; ++i) {
            const float *px = x + i * stride, *py = y + i * stride, *pz = z + i * stride;
            for (int k = 0; k < 8; ++k) {
                const float h = nx * px[k] + ny * py[k] + nz * pz[k];
                low[k] = h < low[k] ? h : low[k];
                high[k] = h > high[k] ? h : high[k];
            }
        }
        float least = low[0], greatest = high[0];
        for (int k = 1; k < 8; ++k) {
            least = low[k] < least ? low[k] : least;
            greatest = high[k] > greatest ? high[k] : greatest;
        }
        extents->low[axis] = least;
        extents->high[axis] = greatest;
    }
}

Box3 boundsOfPoints(const float* x, const float* y, const float* z, size_t eights, size_t stride,
                    const Mat3& rotation) {
    if (eights == 0) return {};
    const Eigen::Matrix<float, 3, 3, Eigen::RowMajor> rows = rotation.cast<float>();
    Extents e;
    findExtents(x, y, z, eights, stride, rows.data(), &e);
    return {{e.low[0], e.low[1], e.low[2]}, {e.high[0], e.high[1], e.high[2]}};
}

Box3 boundsOfPoints(const ConvexCore& core, const Mat3& rotation) {
    return boundsOfPoints(core.x.data(), core.y.data(), core.z.data(), core.x.size() / 8, 8, rotation)
        .expanded(core.radius);
}

Box3 boundsOfPoints(const FieldSolid& solid, const Mat3& rotation) {
    static_assert(sizeof(FieldSolid::Cluster) % sizeof(float) == 0);
    if (solid.clusters.empty()) return {};
    const FieldSolid::Cluster& first = solid.clusters.front();
    return boundsOfPoints(first.x.data(), first.y.data(), first.z.data(), solid.clusters.size(),
                          sizeof(FieldSolid::Cluster) / sizeof(float), rotation)
        .expanded(solid.bulge);
}

/// Everything, unless the surface is exactly across an axis.
Box3 boundsOfHalfSpace(const RigidTransform& worldFromBody) {
    Box3 box{Vec3::Constant(-kInfinity), Vec3::Constant(kInfinity)};
    const Vec3 up = worldFromBody.rotation * Vec3::UnitY();
    for (int axis = 0; axis < 3; ++axis) {
        if (up[(axis + 1) % 3] != 0 || up[(axis + 2) % 3] != 0) continue;
        (up[axis] > 0 ? box.max : box.min)[axis] = worldFromBody.translation[axis];
    }
    return box;
}

struct ProfilePoint {
    double radius, y;  // m
};

/// Turns a profile, from bottom to top, around y; its ends lie on the axis.
TriMesh revolved(const std::vector<ProfilePoint>& profile, int segments) {
    TriMesh mesh;
    const uint32_t around = static_cast<uint32_t>(segments);
    mesh.positions.push_back({0, profile.front().y, 0});
    const uint32_t rings = static_cast<uint32_t>(profile.size()) - 2;
    for (uint32_t r = 0; r < rings; ++r) {
        for (uint32_t i = 0; i < around; ++i) {
            const double angle = 2 * kPi * i / segments;
            mesh.positions.push_back(
                {profile[r + 1].radius * std::sin(angle), profile[r + 1].y, profile[r + 1].radius * std::cos(angle)});
        }
    }
    const VertexIndex bottom{0}, top = mesh.positions.push_back({0, profile.back().y, 0});
    const auto at = [&](uint32_t ring, uint32_t i) { return VertexIndex{1 + ring * around + i % around}; };
    for (uint32_t i = 0; i < around; ++i) {
        mesh.triangles.push_back({bottom, at(0, i + 1), at(0, i)});
        for (uint32_t r = 0; r + 1 < rings; ++r) {
            mesh.triangles.push_back({at(r, i), at(r, i + 1), at(r + 1, i + 1)});
            mesh.triangles.push_back({at(r, i), at(r + 1, i + 1), at(r + 1, i)});
        }
        mesh.triangles.push_back({top, at(rings - 1, i), at(rings - 1, i + 1)});
    }
    return mesh;
}

TriMesh roundMesh(double radius, double halfLength, ShapeKind kind) {
    constexpr int segments = 48, quarter = segments / 4;
    if (kind == ShapeKind::Cylinder)
        return revolved({{0, -halfLength}, {radius, -halfLength}, {radius, halfLength}, {0, halfLength}}, segments);
    std::vector<ProfilePoint> profile;
    for (int i = -quarter; i <= quarter; ++i) {
        const double angle = 0.5 * kPi * i / quarter, r = radius * std::cos(angle), y = radius * std::sin(angle);
        if (i <= 0 && (i < 0 || kind == ShapeKind::Capsule)) profile.push_back({r, y - halfLength});
        if (i >= 0) profile.push_back({r, y + halfLength});
    }
    return revolved(profile, segments);
}

TriMesh meshOf(const ConvexCore& core) {
    TriMesh mesh;
    for (int i = 0; i < core.vertexCount; ++i) mesh.positions.push_back(core.vertex(i).cast<double>());
    for (const ConvexCore::Face& face : core.faces) {
        const uint32_t* loop = core.corners.data() + face.firstCorner;
        for (uint32_t i = 1; i + 1 < face.cornerCount; ++i)
            mesh.triangles.push_back({VertexIndex{loop[0]}, VertexIndex{loop[i]}, VertexIndex{loop[i + 1]}});
    }
    return mesh;
}

TriMesh squareMesh() {
    constexpr double half = 1000;  // m
    TriMesh mesh;
    for (const Vec3& p : {Vec3(-half, 0, -half), Vec3(-half, 0, half), Vec3(half, 0, half), Vec3(half, 0, -half)})
        mesh.positions.push_back(p);
    mesh.triangles.push_back({VertexIndex{0}, VertexIndex{1}, VertexIndex{2}});
    mesh.triangles.push_back({VertexIndex{0}, VertexIndex{2}, VertexIndex{3}});
    return mesh;
}

}  // namespace

namespace detail {

void requireLength(double value, const char* what) {
    if (!(value > 0 && value < kInfinity))
        throw std::invalid_argument(fmt::format("{} must be positive and finite (m), got {}", what, value));
}

BodyFrame bodyFrame(const MassProperties& solid) {
    const SymMat3& inertia = solid.inertia;
    const double skew = std::max({std::abs(inertia.xy), std::abs(inertia.yz), std::abs(inertia.zx)});
    BodyFrame frame;
    frame.moments = {inertia.xx, inertia.yy, inertia.zz};
    Quat givenFromBody = Quat::Identity();
    if (skew > 1e-12 * inertia.trace()) {
        const PrincipalFrame principal = principalFrame(inertia);
        frame.moments = principal.moments;
        givenFromBody = principal.rotation;
    }
    frame.bodyFromGiven = RigidTransform{givenFromBody, solid.centre}.inverse();
    return frame;
}

}  // namespace detail

ShapePtr ShapeMaker::make(ShapeParts parts) {
    auto shape = std::make_shared<Shape>();
    shape->kind_ = parts.kind;
    shape->geometry_ = std::move(parts.geometry);
    shape->volume_ = parts.volume;
    shape->moments_ = parts.moments;
    shape->bodyFromGiven_ = parts.bodyFromGiven;
    shape->radius_ = parts.radius;
    shape->innerRadius_ = parts.innerRadius;
    shape->thickness_ = parts.thickness;
    shape->roundRadius_ = parts.roundRadius;
    shape->halfLength_ = parts.halfLength;
    if (FieldSolid* field = std::get_if<FieldSolid>(&shape->geometry_)) {
        // the surface stays where it is from now on
        field->tree = parts.givenTree != nullptr
                          ? std::make_unique<const TriangleTree>(field->surface, *parts.givenTree)
                          : std::make_unique<const TriangleTree>(field->surface);
    }
    return shape;
}

Box3 Shape::bounds(const RigidTransform& worldFromBody) const {
    if (kind_ == ShapeKind::HalfSpace) return boundsOfHalfSpace(worldFromBody);
    Box3 box;
    const Mat3 rotation = worldFromBody.rotation.toRotationMatrix();
    if (const Compound* parts = compound()) {
        for (const CompoundPart& part : parts->parts) box.add(part.shape->bounds(worldFromBody * part.bodyFromPart));
        return box;
    }
    if (kind_ == ShapeKind::Cylinder) {
        // around the prism's corners, which stand out a little, and the rims of the true one
        const ConvexCore& prism = *convex();
        const double corner =
            std::sqrt(static_cast<double>(prism.x[0]) * prism.x[0] + static_cast<double>(prism.z[0]) * prism.z[0]);
        for (int axis = 0; axis < 3; ++axis) {
            const double along = std::abs(rotation(axis, 1));
            const double half = along * halfLength_ + corner * std::sqrt(std::max(0.0, 1 - along * along));
            box.min[axis] = -half;
            box.max[axis] = half;
        }
    } else if (kind_ == ShapeKind::Sphere) {
        box = {Vec3::Constant(-roundRadius_), Vec3::Constant(roundRadius_)};
    } else if (kind_ == ShapeKind::Box) {
        const Vec3 half = convex()->vertex(0).cast<double>().cwiseAbs();
        box.max = rotation.cwiseAbs() * half;
        box.min = -box.max;
    } else {
        box = field() ? boundsOfPoints(*field(), rotation) : boundsOfPoints(*convex(), rotation);
    }
    const double roundOff = 1e-6 * radius_;
    return {worldFromBody.translation + (box.min.array() - roundOff).matrix(),
            worldFromBody.translation + (box.max.array() + roundOff).matrix()};
}

TriMesh Shape::mesh() const {
    switch (kind_) {
        case ShapeKind::Sphere:
        case ShapeKind::Capsule:
        case ShapeKind::Cylinder:
            return roundMesh(roundRadius_, halfLength_, kind_);
        case ShapeKind::Box:
        case ShapeKind::Hull:
            return meshOf(*convex());
        case ShapeKind::HalfSpace:
            return squareMesh();
        case ShapeKind::Field:
            return field()->surface;
        case ShapeKind::Compound:
            break;
    }
    TriMesh mesh;
    for (const CompoundPart& part : compound()->parts) append(mesh, transformed(part.shape->mesh(), part.bodyFromPart));
    return mesh;
}

ShapePtr makeSphere(double radius) {
    requireLength(radius, "sphere: radius");
    ShapeParts parts;
    parts.kind = ShapeKind::Sphere;
    parts.geometry = detail::roundCore(std::array{Vec3(0, 0, 0)}, radius);
    parts.volume = 4.0 / 3 * kPi * radius * radius * radius;
    parts.moments = Vec3::Constant(0.4 * parts.volume * radius * radius);
    parts.radius = parts.innerRadius = parts.thickness = parts.roundRadius = radius;
    return ShapeMaker::make(std::move(parts));
}

ShapePtr makeBox(const Vec3& size) {
    for (int axis = 0; axis < 3; ++axis) requireLength(size[axis], "box: every side");
    ShapeParts parts;
    parts.kind = ShapeKind::Box;
    parts.geometry = detail::coreOf(polytopeOf(Box3{-0.5 * size, 0.5 * size}));
    parts.volume = size.prod();
    const Vec3 square = size.cwiseProduct(size);
    parts.moments = parts.volume / 12 * (Vec3::Constant(square.sum()) - square);
    parts.radius = 0.5 * size.norm();
    parts.innerRadius = parts.thickness = 0.5 * size.minCoeff();
    return ShapeMaker::make(std::move(parts));
}

ShapePtr makeCapsule(double radius, double length) {
    requireLength(radius, "capsule: radius");
    requireLength(length, "capsule: length");
    const double r2 = radius * radius, half = 0.5 * length;
    const double tube = kPi * r2 * length, ball = 4.0 / 3 * kPi * r2 * radius;
    ShapeParts parts;
    parts.kind = ShapeKind::Capsule;
    parts.geometry = detail::roundCore(std::array{Vec3(0, -half, 0), Vec3(0, half, 0)}, radius);
    parts.volume = tube + ball;
    // across: the tube's, and each half ball's about its own end (2/5 r^2) moved by half with its centre at 3/8 r
    const double along = 0.5 * tube * r2 + 0.4 * ball * r2;
    const double across =
        tube * (r2 / 4 + length * length / 12) + ball * (0.4 * r2 + half * half + 0.75 * radius * half);
    parts.moments = {across, along, across};
    parts.radius = half + radius;
    parts.innerRadius = parts.thickness = parts.roundRadius = radius;
    parts.halfLength = half;
    return ShapeMaker::make(std::move(parts));
}

ShapePtr makeCylinder(double radius, double length) {
    requireLength(radius, "cylinder: radius");
    requireLength(length, "cylinder: length");
    const double r2 = radius * radius, half = 0.5 * length;
    ShapeParts parts;
    parts.kind = ShapeKind::Cylinder;
    ConvexCore core = detail::coreOf(cylinderPrism(radius, half));
    parts.radius = core.coreRadius;
    parts.innerRadius = core.innerRadius;
    parts.geometry = std::move(core);
    parts.volume = kPi * r2 * length;
    const double across = parts.volume * (r2 / 4 + length * length / 12);
    parts.moments = {across, 0.5 * parts.volume * r2, across};
    parts.thickness = std::min(radius, half);
    parts.roundRadius = radius;
    parts.halfLength = half;
    return ShapeMaker::make(std::move(parts));
}

ShapePtr makeHalfSpace() {
    ShapeParts parts;
    parts.kind = ShapeKind::HalfSpace;
    parts.geometry = HalfSpace{};
    parts.radius = parts.thickness = kInfinity;
    return ShapeMaker::make(std::move(parts));
}

}  // namespace sunder::dynamics
