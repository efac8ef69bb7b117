#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "dynamics/detail/shapes/convex_core.h"
#include "dynamics/detail/shapes/shape_maker.h"
#include "dynamics/shape.h"

namespace sunder::dynamics {

namespace {

/// A part's, of density 1, in the compound's given frame.
MassProperties massOfPart(const PlacedShape& part) {
    const RigidTransform givenFromPart = part.pose * part.shape->bodyFromGiven().inverse();
    const Mat3 axes = givenFromPart.rotation.toRotationMatrix();
    return {part.shape->volume(), givenFromPart.translation,
            SymMat3::from(axes * part.shape->moments().asDiagonal() * axes.transpose())};
}

MassProperties sumOf(std::span<const MassProperties> solids) {
    MassProperties sum;
    for (const MassProperties& solid : solids) {
        sum.volume += solid.volume;
        sum.centre += solid.volume * solid.centre;
    }
    sum.centre /= sum.volume;
    for (const MassProperties& solid : solids) sum.inertia = sum.inertia + inertiaAbout(solid, sum.centre);
    return sum;
}

/// How deep a point of the part's body frame lies inside it, at least; negative outside.
double depthInside(const Shape& shape, const Vec3& point) {
    const ConvexCore* core = shape.convex();
    if (!core || core->faces.empty()) return shape.innerRadius() - point.norm();
    double depth = std::numeric_limits<double>::infinity();
    for (const ConvexCore::Face& face : core->faces)
        depth = std::min(depth, face.offset - face.normal.cast<double>().dot(point));
    return depth;
}

/// From a solid with joined faces.
ShapePtr hullShape(const ConvexPolytope& solid) {
    const MassProperties mass = massProperties(toTriMesh(solid));
    const detail::BodyFrame frame = detail::bodyFrame(mass);
    ConvexCore core = detail::coreOf(solid, frame.bodyFromGiven);
    ShapeParts parts;
    parts.kind = ShapeKind::Hull;
    parts.volume = mass.volume;
    parts.moments = frame.moments;
    parts.bodyFromGiven = frame.bodyFromGiven;
    parts.radius = core.coreRadius;
    parts.innerRadius = core.innerRadius;
    parts.thickness = 0.5 * detail::smallestWidth(solid);
    parts.geometry = std::move(core);
    return ShapeMaker::make(std::move(parts));
}

}  // namespace

ShapePtr makeHull(std::span<const Vec3> points) { return hullShape(detail::flatHull(points)); }
ShapePtr makeHull(const ConvexPolytope& polytope) { return hullShape(detail::flatHull(polytope)); }

ShapePtr makeCompound(std::span<const PlacedShape> placed) {
    if (placed.empty()) throw std::invalid_argument("compound: needs at least one part");
    // where all parts together have their centre and axes
    std::vector<MassProperties> masses;
    for (size_t i = 0; i < placed.size(); ++i) {
        if (!placed[i].shape) throw std::invalid_argument(fmt::format("compound: part {} has no shape", i));
        const ShapeKind kind = placed[i].shape->kind();
        if (kind == ShapeKind::HalfSpace || kind == ShapeKind::Compound)
            throw std::invalid_argument(
                fmt::format("compound: part {} is a half-space or a compound; place its solids instead", i));
        masses.push_back(massOfPart(placed[i]));
    }
    const MassProperties mass = sumOf(masses);
    const detail::BodyFrame frame = detail::bodyFrame(mass);

    // the parts as seen from there
    ShapeParts parts;
    parts.kind = ShapeKind::Compound;
    parts.volume = mass.volume;
    parts.moments = frame.moments;
    parts.bodyFromGiven = frame.bodyFromGiven;
    parts.thickness = std::numeric_limits<double>::infinity();
    Compound compound;
    for (const PlacedShape& part : placed) {
        const Shape& shape = *part.shape;
        const RigidTransform bodyFromPart = frame.bodyFromGiven * part.pose * shape.bodyFromGiven().inverse();
        compound.parts.push_back({part.shape, bodyFromPart});
        parts.radius = std::max(parts.radius, bodyFromPart.translation.norm() + shape.radius());
        parts.innerRadius = std::max(parts.innerRadius, depthInside(shape, bodyFromPart.inverse().translation));
        parts.thickness = std::min(parts.thickness, shape.thickness());
    }
    parts.geometry = std::move(compound);
    return ShapeMaker::make(std::move(parts));
}

}  // namespace sunder::dynamics
