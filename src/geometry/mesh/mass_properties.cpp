#include "geometry/mesh/mass_properties.h"

#include <cmath>
#include <stdexcept>
#include <string>

#include "math/sym_eigen.h"

namespace sunder {

namespace {

SymMat3 outer(const Vec3& v) {
    return {v.x() * v.x(), v.y() * v.y(), v.z() * v.z(), v.x() * v.y(), v.y() * v.z(), v.z() * v.x()};
}

/// tr(S) identity - S: the inertia of a distribution with second moment S.
SymMat3 inertiaOfSecondMoment(const SymMat3& s) { return s.trace() * SymMat3::identity() - s; }

}  // namespace

/// Each triangle spans a tetrahedron with the reference point; signed, these add up to the solid.
///
///     V     = sum d / 6                           d = a . (b x c)
///     V C   = sum d (a + b + c) / 24
///     Sigma = sum d (aa + bb + cc + ss) / 120     s = a + b + c, xx = x x^T     second moment about the reference
MassProperties massProperties(const TriMesh& mesh) {
    // about the middle of the box: far from the origin the moments would cancel
    const Vec3 reference = mesh.empty() ? Vec3(Vec3::Zero()) : boundsOf(mesh).centre();

    double sixVolume = 0;
    Vec3 firstMoment = Vec3::Zero();
    SymMat3 secondMoment;
    for (const TriangleIndex t : mesh.triangles.indices()) {
        auto [a, b, c] = mesh.corners(t);
        a -= reference;
        b -= reference;
        c -= reference;
        const double d = a.dot(b.cross(c));
        const Vec3 s = a + b + c;
        sixVolume += d;
        firstMoment += d * s;
        secondMoment = secondMoment + d * (outer(a) + outer(b) + outer(c) + outer(s));
    }

    // from the reference to the centre of mass
    MassProperties result;
    result.volume = sixVolume / 6;
    if (result.volume == 0) return {0, reference, {}};
    const Vec3 offset = firstMoment / (24 * result.volume);
    result.centre = reference + offset;
    result.inertia = inertiaOfSecondMoment((1.0 / 120) * secondMoment - result.volume * outer(offset));
    return result;
}

MassProperties shellMassProperties(const TriMesh& surface, double thickness) {
    const double h = thickness;
    if (!(h > 0) || !std::isfinite(h))
        throw std::invalid_argument("a shell's thickness must be positive and finite (m), got " + std::to_string(h));
    // about the middle of the box, as for solids
    const Vec3 reference = surface.empty() ? Vec3(Vec3::Zero()) : boundsOf(surface).centre();
    double area = 0;
    Vec3 firstMoment = Vec3::Zero();
    SymMat3 secondMoment;  // over the surface
    SymMat3 across;        // of its normals
    for (const TriangleIndex t : surface.triangles.indices()) {
        auto [a, b, c] = surface.corners(t);
        a -= reference;
        b -= reference;
        c -= reference;
        const Vec3 twice = (b - a).cross(c - a);
        const double size = 0.5 * twice.norm();
        if (size == 0) continue;
        const Vec3 s = a + b + c;
        area += size;
        firstMoment += (size / 3) * s;
        secondMoment = secondMoment + (size / 12) * (outer(a) + outer(b) + outer(c) + outer(s));
        across = across + size * outer(twice / (2 * size));
    }

    // from the reference to the centre of mass
    MassProperties result;
    result.volume = h * area;
    if (area == 0) return {0, reference, {}};
    const Vec3 offset = firstMoment / area;
    result.centre = reference + offset;
    result.inertia =
        inertiaOfSecondMoment(h * secondMoment + (h * h * h / 12) * across - result.volume * outer(offset));
    return result;
}

double volume(const TriMesh& mesh) {
    const Vec3 reference = mesh.empty() ? Vec3(Vec3::Zero()) : boundsOf(mesh).centre();
    double sixVolume = 0;
    for (const TriangleIndex t : mesh.triangles.indices()) {
        const auto [a, b, c] = mesh.corners(t);
        sixVolume += (a - reference).dot((b - reference).cross(c - reference));
    }
    return sixVolume / 6;
}

PrincipalFrame principalFrame(const SymMat3& inertia) {
    const SymEigen eigen = symmetricEigen(inertia);
    return {eigen.values, Quat(eigen.vectors).normalized()};
}

SymMat3 inertiaAbout(const MassProperties& body, const Vec3& point) {
    return body.inertia + body.volume * inertiaOfSecondMoment(outer(body.centre - point));
}

}  // namespace sunder
