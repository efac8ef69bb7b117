// Stress by finite elements: factoring, solving and iterating beside Eigen and CHOLMOD on the same matrices, and whole
// fractures.

#include <cmath>
#include <numeric>

#include "bench/peers/sparse_solvers.h"
#include "bench/report.h"
#include "fracture/fem/fem_method.h"
#include "geometry/grid/mesh_to_grid.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/shapes/shapes.h"
#include "geometry/tet/stuffing.h"
#include "material/catalogue.h"
#include "math/sparse/block_cholesky.h"
#include "stress/fem/equilibrium.h"
#include "stress/fem/fem_solver.h"
#include "stress/fem/stiffness.h"

using namespace sunder;
using namespace sunder::bench;

namespace {

constexpr int kRuns = 3;
constexpr double kTetsPerCube = 12;
constexpr double kTolerance = 1e-6;
constexpr size_t kSlowPeer = 30000;  // tets: Eigen's direct solver takes minutes beyond

const ElasticMaterial kConcrete{2400, 30e9, 0.2};

std::string thousands(size_t tets) { return std::to_string((tets + 500) / 1000) + "k tets"; }

/// A cube: of all bodies of so many tets the one that is hardest to factor.
TetMesh cubeOfTets(size_t tets) {
    const TriMesh cube = makeShape("box", {{"width", 1}, {"height", 1}, {"depth", 1}});
    const double cell = 0.5 * std::cbrt(kTetsPerCube / static_cast<double>(tets));
    return stuffIsosurface(gridFromMesh(cube, cell), {.targetTets = tets});
}

/// Pushed at two opposite corners.
std::vector<Vec3> pushes(const stress::FemMesh& mesh) {
    std::vector<Vec3> loads(mesh.nodes.size(), Vec3::Zero());
    const auto along = [&](uint32_t a, uint32_t b) { return mesh.nodes[a].sum() < mesh.nodes[b].sum(); };
    std::vector<uint32_t> nodes(mesh.nodes.size());
    std::iota(nodes.begin(), nodes.end(), 0u);
    loads[*std::min_element(nodes.begin(), nodes.end(), along)] = Vec3(1, 2, 3);
    loads[*std::max_element(nodes.begin(), nodes.end(), along)] = Vec3(-3, -1, -1);
    return loads;
}

/// As our own solver has it: held at six directions, loads in equilibrium.
PeerSystem systemOf(const TetMesh& tets, stress::ElementOrder order) {
    const stress::FemMesh mesh = stress::makeFemMesh(tets, order);
    const std::vector<stress::Component> parts = stress::componentsOf(mesh);
    BlockMatrix matrix = stress::stiffness(mesh, kConcrete);
    std::vector<Vec3> loads = pushes(mesh);
    for (const stress::Component& part : parts) {
        stress::Inertia(mesh, part, kConcrete.density).relieve(loads);
        const stress::Pins pins = stress::choosePins(mesh.nodes, part.nodes);
        stress::applyPins(pins, matrix);
        stress::applyPins(pins, loads);
    }
    PeerSystem system;
    for (uint32_t n = 0; n < matrix.size(); ++n) {
        for (int axis = 0; axis < 3; ++axis) {
            system.first.push_back(static_cast<int>(system.row.size()));
            system.right.push_back(loads[n][axis]);
            const auto add = [&](uint32_t node, int row, double value) {
                system.row.push_back(static_cast<int>(3 * node) + row);
                system.value.push_back(value);
            };
            for (int row = axis; row < 3; ++row) add(n, row, matrix.diagonal[n](row, axis));
            for (size_t i = matrix.graph.first[n]; i < matrix.graph.first[n + 1]; ++i) {
                const uint32_t other = matrix.graph.neighbours[i];
                if (other < n) continue;
                for (int row = 0; row < 3; ++row) add(other, row, matrix.others[i](axis, row));
            }
        }
    }
    system.first.push_back(static_cast<int>(system.row.size()));
    return system;
}

void compareSolvers(const Report& report, size_t wanted, stress::ElementOrder order) {
    const TetMesh tets = cubeOfTets(wanted);
    const std::string name =
        thousands(tets.tetCount()) + (order == stress::ElementOrder::Linear ? "" : ", ten-node") + ", ";
    const PeerSystem system = systemOf(tets, order);
    const std::optional<PeerTimes> cholmod = cholmodDirect(system);
    const std::optional<PeerTimes> eigen = wanted <= kSlowPeer && order == stress::ElementOrder::Linear
                                               ? std::optional(eigenDirect(system))
                                               : std::nullopt;

    std::optional<stress::FemSolver> solver;
    const stress::FemOptions direct{.order = order};
    const Seconds factor = measure(kRuns, [&] {
        solver.reset();
        solver.emplace(tets, kConcrete, direct);
    });
    std::vector<Vec3> answer;
    const std::vector<Vec3> loads = pushes(solver->mesh());
    const Seconds solve = measure(5, [&] { answer = solver->displacements(loads).ofNodes; });
    const auto rows = [&](const std::optional<PeerTimes>& peer, const std::string& peerName) {
        if (!peer) return;
        report.row(name + "assemble and factor, wall", factor.wall, peer->factor, peerName, "s");
        report.row(name + "another load, wall", 1e3 * solve.wall, 1e3 * peer->solve, peerName, "ms");
    };
    rows(cholmod, "CHOLMOD");
    rows(eigen, "Eigen");
    if (!cholmod && !eigen) {
        report.row(name + "assemble and factor, wall", factor.wall, std::nullopt, "", "s");
        report.row(name + "another load, wall", 1e3 * solve.wall, std::nullopt, "", "ms");
    }
    report.row(name + "factor, both cores' CPU", factor.cpu, std::nullopt, "", "s");
    report.row(name + "memory of the factor", 1e-6 * static_cast<double>(solver->bytes()), std::nullopt, "", "MB");
    const double size = std::accumulate(answer.begin(), answer.end(), 0.0,
                                        [](double sum, const Vec3& u) { return sum + u.squaredNorm(); });

    const stress::FemOptions iterative{
        .order = order, .solver = stress::LinearSolver::Iterative, .tolerance = kTolerance};
    stress::Displacements iterated;
    std::optional<stress::FemSolver> byIteration;
    const Seconds preparing = measure(kRuns, [&] {
        byIteration.reset();
        byIteration.emplace(tets, kConcrete, iterative);
    });
    const Seconds iterations = measure(kRuns, [&] { iterated = byIteration->displacements(loads); });
    const PeerIterations theirs = eigenIterative(system, kTolerance);
    report.row(name + "projected CG to 1e-6, wall", iterations.wall, theirs.seconds, "Eigen, incomplete Cholesky", "s");
    report.row(name + "assemble and prepare for it, wall", preparing.wall, std::nullopt, "", "s");
    report.row(name + "iterations", iterated.convergence.iterations, theirs.iterations, "Eigen, incomplete Cholesky",
               "");
    double difference = 0;
    for (size_t n = 0; n < answer.size(); ++n) difference += (answer[n] - iterated.ofNodes[n]).squaredNorm();
    report.row(name + "direct against iterated, relative", std::sqrt(difference / size), std::nullopt, "", "");
}

/// A whole fracture: what prepare() takes once, and plan() for one blow.
void measureEvent(const Report& report, const std::string& name, const char* shape, const ShapeValues& parameters,
                  fracture::FemFractureOptions options, const Vec3& place, const Vec3& velocity, double strikerMass) {
    fracture::Solid solid;
    TriMesh mesh = makeShape(shape, parameters);
    solid.wholeVolume = volume(mesh);
    solid.mass = options.elastic.density * solid.wholeVolume;
    solid.geometry = makeSolid(std::move(mesh));
    solid.seed = 1;
    fracture::Loads loads;
    loads.list.push_back({place, velocity.normalized(), strikerMass * velocity, velocity.norm(), strikerMass});
    const fracture::FemMethod method(std::move(options));
    std::unique_ptr<const fracture::Breakable> breakable;
    const Seconds once = measure(1, [&] { breakable = method.prepare(solid, {}); });
    fracture::FracturePlan plan;
    const Seconds event = measure(kRuns, [&] { plan = breakable->plan(loads, {}); });
    report.row(name + ": prepare, wall", once.wall, std::nullopt, "", "s");
    report.row(name + ": the blow, wall", event.wall, std::nullopt, "", "s");
    report.row(name + ": the blow, both cores' CPU", event.cpu, std::nullopt, "", "s");
    report.row(name + ": pieces", static_cast<double>(plan.fragments.size()), std::nullopt, "", "");
}

fracture::FemFractureOptions readyOptions(const char* material, int tets) {
    fracture::FemFractureOptions options;
    fracture::setMaterial(findMaterial(material)->solid, options);
    options.tets = tets;
    options.maxTets = std::max(60000, 2 * tets);
    return options;
}

}  // namespace

int main(int argc, char** argv) {
    const Report report(argc, argv);
    const auto asked = [&](const char* what) {
        return report.arguments().empty() ||
               std::find(report.arguments().begin(), report.arguments().end(), what) != report.arguments().end();
    };
    if (asked("solvers")) {
        compareSolvers(report, 10000, stress::ElementOrder::Linear);
        compareSolvers(report, 100000, stress::ElementOrder::Linear);
        compareSolvers(report, 10000, stress::ElementOrder::Quadratic);
    }
    if (asked("wall")) {
        measureEvent(report, "wall of 10k tets", "wall", {{"width", 2}, {"height", 2}, {"thickness", 0.2}},
                     readyOptions("concrete", 10000), {0.1, 1.1, 0.1}, {0, 0, -25}, 110);
    }
    if (asked("animal")) {
        measureEvent(report, "animal of 100k tets", "animal", {}, readyOptions("plaster", 100000), {0.36, 0.32, 0.02},
                     {-50, 0.4, 0}, 2.1);
    }
    return 0;
}
