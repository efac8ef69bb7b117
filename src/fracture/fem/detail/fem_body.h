#pragma once

#include "fracture/fem/detail/scars.h"
#include "fracture/fem/fem_method.h"
#include "geometry/grid/distance_grid.h"
#include "geometry/tet/tet_mesh.h"
#include "stress/fem/fem_solver.h"

namespace sunder::fracture {

/// What fracture from stress works out of a solid once.
struct FemBody : Prepared {
    Vec3 unit = Vec3::Ones();  // thin bodies are stretched by this before they are filled with tets; powers of two
    TriMesh stretched;         // the solid's mesh, stretched
    DistanceGrid grid;         // of that
    TetMesh tets;              // m, as they are
    stress::ElementOrder order = stress::ElementOrder::Linear;
    double cellSize = 0;        // m, of the tets' lattice
    std::vector<double> share;  // of each tet's stiffness that cracks left; empty: all of it
    std::unique_ptr<stress::FemSolver> solver;
    IndexedVector<TetIndex, double> strength;  // Pa
    IndexedVector<TetIndex, Vec3> weakPlane;   // see CrackDrive; empty: nowhere
    Scars scars;                               // inherited
    double volume = 0;                         // m^3
    Vec3 centre = Vec3::Zero();                // of mass, m
    Mat3 inverseInertia = Mat3::Zero();        // 1/(kg m^2), about the centre

    bool usable() const { return solver != nullptr; }
};

/// Tets and what was needed for them alone; none: it cannot be filled.
FemBody fillWithTets(const Solid& solid, const FemFractureOptions& options);
FemBody makeFemBody(const Solid& solid, const FemFractureOptions& options);

}  // namespace sunder::fracture
