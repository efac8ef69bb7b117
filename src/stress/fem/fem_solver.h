#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "material/elastic_material.h"
#include "math/sparse/block_cholesky.h"
#include "stress/fem/equilibrium.h"
#include "stress/fem/fem_mesh.h"
#include "stress/stress_solution.h"

namespace sunder::stress {

/// How the displacements are found.
enum class LinearSolver {
    Direct,     // factors once; every further load takes milliseconds
    Iterative,  // conjugate gradients, rigid motions projected out: less memory, no preparation
};

/// How the iterative solver is preconditioned.
enum class PreconditionerKind {
    Aggregates,  // few iterations, whatever the form and the cracks
    Diagonal,    // no preparation; many iterations for thin bodies and cracked ones
};

/// How exact the answer is, and what it costs. What a solver does not use is ignored.
struct FemOptions {
    ElementOrder order = ElementOrder::Quadratic;  // Linear: quicker, and too stiff in bending
    LinearSolver solver = LinearSolver::Direct;    // Direct: for many loads; Iterative: for large meshes and few loads
    PreconditionerKind preconditioner = PreconditionerKind::Aggregates;  // of the iterative solver
    double tolerance = 1e-8;                                             // relative residual of the iterative solver
    int maxIterations = 5000;                                            // of it
    double leastShare = 1e-3;  // elements filled less than this are as stiff as if they were filled so much
    size_t firstPin = 0;       // which node is held first: no stress depends on it
};

/// Displacements of all nodes, without rigid motion.
struct Displacements {
    std::vector<Vec3> ofNodes;  // m, or m s
    Convergence convergence;    // to be looked at before they are used
};

/// Linear elastostatics of a free body: nothing holds it, so it is strained by its loads and by the inertia of its own
/// mass that they set in motion. Factors once, then answers any number of loads. Tets that do not hang together are
/// bodies of their own.
class FemSolver {
public:
    /// `share`: how much of each tet is filled; empty: all of it. The mesh must have positive tets.
    FemSolver(const TetMesh& mesh, const ElasticMaterial& material, const FemOptions& options = {},
              std::span<const double> share = {});
    ~FemSolver();
    FemSolver(FemSolver&&) noexcept;
    FemSolver& operator=(FemSolver&&) noexcept;

    /// The nodes that loads are given at, those of the tets first.
    const FemMesh& mesh() const;
    size_t bytes() const;               // of the factor; 0: iterative
    double operations() const;          // that factoring took; 0: iterative
    const FemOptions& options() const;  // as they were given

    /// Forces (or impulses) at nodes. They need not be in equilibrium.
    [[nodiscard]] StressSolution solve(std::vector<Vec3> loads) const;
    /// Displacements alone. `start`, if any: iterations begin with these.
    [[nodiscard]] Displacements displacements(std::vector<Vec3> loads, std::vector<Vec3> start = {}) const;
    /// Stress that displacements stand for.
    [[nodiscard]] StressSolution stressOf(const Displacements& displacements) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace sunder::stress
