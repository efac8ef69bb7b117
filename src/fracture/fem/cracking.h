#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "fracture/common/contact_forces.h"
#include "fracture/fem/crack_growth.h"
#include "fracture/interface/context.h"
#include "geometry/grid/distance_grid.h"
#include "material/solid_material.h"
#include "stress/fem/fem_solver.h"

namespace sunder::fracture {

/// How much cracking one blow may bring. Lengths in cells of the tets' lattice.
struct CrackingOptions {
    int rounds = 8;          // of growing cracks and solving for the stress anew, at most
    int perRound = 6;        // cracks that begin in a round, at most
    int cracks = 60;         // in all, at most
    double spacing = 3;      // cells: cracks of one round begin no nearer to each other, for a crack relieves what is
                             // around it
    double ligament = 1.5;   // cells: a front so near the end of the material breaks through
    double leastVolume = 0;  // m^3: no crack begins in less
    CrackGrowthOptions growth;  // of each crack
};

/// A body of tets that may crack, and what it is made of.
struct CrackableBody {
    const TetMesh* tets = nullptr;              // uncracked
    double cellSize = 0;                        // m, edge of the lattice's cubes
    ElasticMaterial material;                   // of tets that `share` does not weaken
    const stress::FemSolver* solver = nullptr;  // of the uncracked tets
    std::span<const double> share;              // stiffness of each tet, in parts of the material's; empty: all of it
    const IndexedVector<TetIndex, double>* strength = nullptr;  // Pa
    const IndexedVector<TetIndex, Vec3>* weakPlane = nullptr;   // see CrackDrive; null: nowhere
    double extension = 0.5;                                     // see CrackDrive
    Vec3 grain = Vec3::Zero();                                  // unit, of wood; zero: none
    double acrossGrain = 1;                                     // strength across it, in parts of that along it
    /// Distance from the surface, m, negative inside.
    std::function<double(const Vec3&)> distance;
};

/// The most strained place before anything cracked.
struct WorstPlace {
    double ratio = 0;               // of tension to strength; above 1 a crack begins
    Vec3 place = Vec3::Zero();      // m, in the mesh's coordinates
    double tension = 0;             // Pa
    double strength = 0;            // Pa
    Vec3 direction = Vec3::Zero();  // unit, of the tension
    double least = 0;               // Pa, least principal stress
};

/// What a blow did to a body: the cracks in its tets, and what it felt before them.
struct Cracking {
    CrackedTets tets;  // with all cracks
    WorstPlace worst;  // why it cracked, or how far it was from that
    // of the tets before anything cracked
    IndexedVector<NodeIndex, Vec3> displacement;     // m, without rigid motion
    IndexedVector<NodeIndex, SymMat3> stressAtNode;  // Pa, as the material feels it: with a grain, see cracking.cpp
    double strainEnergy = 0;                         // J

    int cracks = 0;                  // that began
    int rounds = 0;                  // of growing cracks; 0: nothing cracked
    stress::Convergence worstSolve;  // of all rounds, the one with the largest residual
};

/// Stress that modified Rankine looks at: of each tet the mean of what was recovered at its corners.
IndexedVector<TetIndex, SymMat3> averagedStress(const TetMesh& mesh, const stress::StressSolution& solution);

/// What forces do to a body: cracks begin where tension exceeds strength, run as long as it exceeds the share of it
/// that is enough to go on, and stress is solved anew on the cracked tets, until nothing cracks any more.
/// Growth ends where the stress of a cracked body cannot be solved well enough to be believed; the cracks so far stand.
/// Throws Cancelled when the context asks to stop.
Cracking crackBy(std::span<const ContactForce> forces, const CrackableBody& body, const CrackingOptions& options,
                 const Context& context = {});

}  // namespace sunder::fracture
