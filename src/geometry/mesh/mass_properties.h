#pragma once

#include "geometry/mesh/tri_mesh.h"
#include "math/sym_mat3.h"

namespace sunder {

/// Those of a solid of density 1: multiply volume, and inertia, by the density in kg/m^3 for mass, and kg m^2.
struct MassProperties {
    double volume = 0;           // m^3
    Vec3 centre = Vec3::Zero();  // centre of mass, m
    SymMat3 inertia;             // about the centre, m^5
};

/// The frame in which inertia is diagonal: moments ascending, right-handed, rotation from principal to given axes.
struct PrincipalFrame {
    Vec3 moments = Vec3::Zero();       // m^5 for density 1, ascending
    Quat rotation = Quat::Identity();  // from principal axes to those given
};

/// Exact integrals over the polyhedron that a closed outward surface bounds. Negative volume for an inward one.
/// Summed relative to the bounding box's centre, so a far-away cube loses no digits.
MassProperties massProperties(const TriMesh& mesh);

/// Those of the material along a surface, half of it to each side; h is its thickness, A and n a triangle's area and
/// normal:
///
///     V     = sum h A
///     V C   = sum h A (a + b + c) / 3
///     Sigma = sum h A (aa + bb + cc + ss) / 12 + h^3 A nn / 12      s = a + b + c, xx = x x^T, second moment
///
/// What overlaps or is missing where the surface bends is left as it is: of order h by the radius of the bend. Throws
/// std::invalid_argument for a thickness (m) that is not positive and finite.
MassProperties shellMassProperties(const TriMesh& surface, double thickness);

/// Signed volume alone, m^3.
double volume(const TriMesh& mesh);

/// Where moments are equal many axes would do, and none of them is promised.
PrincipalFrame principalFrame(const SymMat3& inertia);

/// Inertia about another point: parallel axis theorem, for density 1.
SymMat3 inertiaAbout(const MassProperties& body, const Vec3& point);

}  // namespace sunder
