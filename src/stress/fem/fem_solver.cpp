#include "stress/fem/fem_solver.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "math/sparse/aggregation.h"
#include "math/sparse/conjugate_gradient.h"
#include "stress/fem/recovery.h"
#include "stress/fem/stiffness.h"

namespace sunder::stress {

struct FemSolver::State {
    FemMesh mesh;
    ElasticMaterial material;
    FemOptions options;
    std::vector<double> share;
    std::vector<Component> components;
    std::vector<Inertia> inertias;  // of the components
    Pins pins;
    BlockMatrix matrix;  // iterative: free
    std::optional<Aggregation> aggregation;
    Preconditioner precondition;
    std::optional<BlockCholesky> factor;  // direct: of the pinned matrix

    void removeRigidMotion(std::span<Vec3> values) const {
        for (const Inertia& inertia : inertias) inertia.removeRigidMotion(values);
    }
    void relieve(std::span<Vec3> loads) const {
        for (const Inertia& inertia : inertias) inertia.relieve(loads);
    }
};

FemSolver::FemSolver(const TetMesh& mesh, const ElasticMaterial& material, const FemOptions& options,
                     std::span<const double> share)
    : state_(std::make_unique<State>()) {
    ASSERT(share.empty() || share.size() == mesh.tetCount());

    // tets that are almost empty keep a little stiffness, so that the matrix can be solved with
    State& s = *state_;
    s.mesh = makeFemMesh(mesh, options.order);
    s.material = material;
    s.options = options;
    s.share.assign(share.begin(), share.end());
    for (double& value : s.share) value = std::max(value, options.leastShare);

    // each component is free by itself, and has its own inertia and pins
    s.components = componentsOf(s.mesh);
    for (const Component& component : s.components) {
        s.inertias.emplace_back(s.mesh, component, material.density, s.share);
        const Pins pins = choosePins(s.mesh.nodes, component.nodes, options.firstPin);
        s.pins.held.insert(s.pins.held.end(), pins.held.begin(), pins.held.end());
    }
    s.matrix = stiffness(s.mesh, material, s.share);

    // iterations leave the body free: residuals are kept in balance instead
    if (options.solver == LinearSolver::Iterative) {
        if (options.preconditioner == PreconditionerKind::Diagonal) {
            s.precondition = byDiagonal(s.matrix);
            return;
        }
        s.aggregation.emplace(s.matrix, s.mesh.nodes);
        s.precondition = [&s](std::span<const Vec3> residual, std::span<Vec3> result) {
            s.aggregation->apply(residual, result);
        };
        return;
    }

    // a factor needs a matrix without rigid motions
    applyPins(s.pins, s.matrix);
    s.factor.emplace(s.matrix, s.mesh.nodes);
    s.matrix = {};
}

FemSolver::~FemSolver() = default;
FemSolver::FemSolver(FemSolver&&) noexcept = default;
FemSolver& FemSolver::operator=(FemSolver&&) noexcept = default;

const FemMesh& FemSolver::mesh() const { return state_->mesh; }

size_t FemSolver::bytes() const { return state_->factor ? state_->factor->bytes() : 0; }

double FemSolver::operations() const { return state_->factor ? state_->factor->operations() : 0; }

const FemOptions& FemSolver::options() const { return state_->options; }

Displacements FemSolver::displacements(std::vector<Vec3> loads, std::vector<Vec3> start) const {
    const State& s = *state_;
    ASSERT(loads.size() == s.mesh.nodes.size() && (start.empty() || start.size() == loads.size()));

    // loads in balance: a free body is strained by these alone
    s.relieve(loads);
    Displacements answer;
    std::vector<Vec3>& found = answer.ofNodes;
    found = std::move(start);
    if (found.empty()) found.assign(loads.size(), Vec3::Zero());

    // any solution in balance will do: solutions differ by a rigid motion alone
    if (s.factor) {
        applyPins(s.pins, loads);
        s.factor->solve(loads);
        found = std::move(loads);
        answer.convergence = {SolveStatus::Converged, 0, 0};
    } else {
        const IterationResult result =
            conjugateGradient(s.matrix, loads, found, {s.options.tolerance, s.options.maxIterations}, s.precondition,
                              [&](std::span<Vec3> residual) { s.relieve(residual); });
        const bool converged = result.residual <= s.options.tolerance;
        answer.convergence = {converged ? SolveStatus::Converged : SolveStatus::NotConverged, result.iterations,
                              result.residual};
    }

    // the one without rigid motion, whichever way it was found
    s.removeRigidMotion(found);
    return answer;
}

StressSolution FemSolver::solve(std::vector<Vec3> loads) const { return stressOf(displacements(std::move(loads))); }

StressSolution FemSolver::stressOf(const Displacements& displacements) const {
    StressSolution solution = recoverStress(state_->mesh, state_->material, displacements.ofNodes, state_->share);
    solution.convergence = displacements.convergence;
    return solution;
}

}  // namespace sunder::stress
