#pragma once

#include "fracture/interface/fracture_method.h"
#include "geometry/grid/distance_grid.h"
#include "geometry/tet/tet_mesh.h"
#include "stress/fem/fem_mesh.h"

namespace sunder::fracture {

/// Linear tets are too stiff in bending; quadratic ones take longer.
enum class ElementChoice {
    Auto,  // quadratic for bodies that are thin, linear for others
    Linear,
    Quadratic
};

/// How finely a body is filled.
struct FillingOptions {
    /// About how many tets a whole body gets; more where that is too coarse for its thickness, as many as maxTets.
    int tets = 8000;
    int maxTets = 60000;                           // an upper bound for thin bodies, too
    ElementChoice elements = ElementChoice::Auto;  // fragments have linear ones unless Quadratic is asked for
};

/// A solid filled with tets that hang together, and what was needed for that.
struct TetFilling {
    Vec3 stretch = Vec3::Ones();  // thin bodies are stretched by this before they are filled; powers of two
    TriMesh stretched;            // the solid's mesh, stretched
    DistanceGrid grid;            // of that
    TetMesh tets;                 // m, as they are; none: the solid cannot be filled
    stress::ElementOrder order = stress::ElementOrder::Linear;  // what was chosen for Auto
    double cellSize = 0;                                        // m, of the tets' lattice
    double volume = 0;                                          // m^3
    Vec3 centre = Vec3::Zero();                                 // of mass, m
    Mat3 inverseInertia = Mat3::Zero();                         // 1/(kg m^2), about the centre

    /// From the surface, m, negative inside.
    double distance(const Vec3& point) const { return grid.value(point.cwiseProduct(stretch)); }
};

/// Where tets come out apart, only the largest part is kept.
TetFilling fillWithTets(const Solid& solid, const FillingOptions& options);

}  // namespace sunder::fracture
