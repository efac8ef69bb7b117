// Voronoi pieces of a ball by exact clipping, beside Blender's Cell Fracture (CPU time, volume error, closed pieces),
// with sites at random and on a sphere; a box wall; cells alone beside voro++; whole breaks of a wall and a bunny by
// prescored space. One thread.

#include <cmath>
#include <filesystem>

#include "base/parallel.h"
#include "base/random.h"
#include "bench/peers/blender_fracture.h"
#include "bench/report.h"
#include "fracture/prescored/prescored.h"
#include "geometry/convex/convex_polytope.h"
#include "geometry/cut/cut_by_cells.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/mesh/topology.h"
#include "geometry/shapes/shapes.h"
#include "io/mesh/mesh_io.h"
#include "sim/fragment_shape.h"
#ifdef SUNDER_PEER_VOROPP
#include "bench/peers/voropp_cells.h"
#endif

using namespace sunder;
using namespace sunder::bench;
using namespace sunder::fracture;

namespace {

constexpr int kRuns = 5;
constexpr int kBallResolution = 80;  // 5,120 triangles

/// In the unit ball, so that every site gets a piece.
std::vector<Vec3> sitesInBall(size_t count) {
    std::vector<Vec3> sites;
    for (uint64_t i = 0; sites.size() < count; ++i) {
        Random random(1, i);
        Vec3 p;
        for (double& x : p) x = random.uniform(-1, 1);
        if (p.norm() < 1) sites.push_back(p);
    }
    return sites;
}

std::vector<Vec3> sitesOnSphere(size_t count) {
    std::vector<Vec3> sites = sitesInBall(count);
    for (Vec3& p : sites) p = 0.6 * p.normalized();
    return sites;
}

double cutBall(const Report& report, const TriMesh& ball, const std::vector<Vec3>& sites, const std::string& name,
               bool besideBlender) {
    std::vector<CutPiece> pieces;
    const double ours =
        measure(kRuns, [&] { pieces = cutByCells(ball, voronoi(sites, boundsOf(ball).expanded(0.01))); }).cpu;
    double volumeSum = 0;
    double open = 0;
    for (const CutPiece& piece : pieces) {
        volumeSum += volume(piece.mesh);
        open += isClosedManifold(piece.mesh) ? 0 : 1;
    }
    const double volumeError = std::abs(volumeSum / volume(ball) - 1);
    const auto blender = besideBlender ? blenderCellFracture(sites) : std::nullopt;
    const auto peer = [&](double value) { return blender ? std::optional<double>(value) : std::nullopt; };
    const BlenderFracture theirs = blender.value_or(BlenderFracture{});
    const std::string peerName = "Blender Cell Fracture";
    report.row(name + ", CPU time", 1e3 * ours, peer(1e3 * theirs.cpuSeconds), peerName, "ms");
    report.row(name + ", volume error", volumeError, peer(theirs.volumeError), peerName, "1");
    report.row(name + ", pieces", static_cast<double>(pieces.size()), peer(static_cast<double>(theirs.pieces)),
               peerName, "1");
    report.row(name + ", pieces not closed", open, peer(static_cast<double>(theirs.openPieces)), peerName, "1");
    return ours;
}

void fractureBalls(const Report& report) {
    const TriMesh ball = makeShape("sphere", {{"radius", 1}}, kBallResolution);
    for (const size_t count : {100, 500}) {
        const std::string name = "ball of " + std::to_string(ball.triangleCount()) + " into " + std::to_string(count);
        const double usual = cutBall(report, ball, sitesInBall(count), name, true);
        // Blender needs over a minute for these
        const double cospherical = cutBall(report, ball, sitesOnSphere(count), name + ", cospherical", false);
        report.row(name + ", cospherical to random sites", cospherical, usual, "ours, random sites", "s");
    }
}

void fractureWall(const Report& report) {
    const Box3 box{Vec3::Zero(), Vec3(1.5, 1, 0.1)};
    const TriMesh wall = toTriMesh(polytopeOf(box));
    std::vector<Vec3> sites(25);
    for (size_t i = 0; i < sites.size(); ++i) {
        Random random(2, i);
        for (int k = 0; k < 3; ++k) sites[i][k] = random.uniform() * box.max[k];
    }
    const double ours = measure(20 * kRuns, [&] { keep(cutByCells(wall, voronoi(sites, box))); }).cpu;
    report.row("box wall of 12 triangles into 25, CPU time", 1e3 * ours, {}, "", "ms");
}

/// Everything from a body to its fragments: samples or grid, placing the pattern, cutting.
void breakWhole(const Report& report, const TriMesh& mesh, const std::string& name, int pieces, const Load& push) {
    Solid solid;
    solid.geometry = makeSolid(mesh);
    solid.wholeVolume = solid.mass = volume(mesh);
    for (const PatternKind kind : allPatterns()) {
        if (kind == patternNamed("artist")) continue;  // as realistic, but for the artist's meshes
        PrescoredOptions options;
        options.threshold = 0;
        options.pattern.kind = kind;
        options.pieces = pieces;
        const PrescoredMethod method(options);
        FracturePlan plan;
        const double planning = measure(kRuns, [&] { plan = planOnce(method, solid, Loads{{push}}); }).cpu;
        // what a simulation adds: the shapes of the fragments
        const double applying = measure(kRuns, [&] {
                                    for (const Fragment& fragment : plan.fragments) {
                                        keep(sim::makeFragmentShape(*fragment.geometry, MeshTopology(fragment.mesh())));
                                    }
                                }).cpu;
        const std::string what = name + " into " + std::to_string(pieces) + ", " + nameOf(kind);
        report.row(what + ", plan", 1e3 * planning, {}, "", "ms");
        report.row(what + ", plan and apply", 1e3 * (planning + applying), {}, "", "ms");
    }
}

void breakBodies(const Report& report) {
    const TriMesh wall = makeShape("wall", {{"width", 1.5}, {"height", 1}, {"thickness", 0.1}});
    breakWhole(report, wall, "wall 150 x 10 x 100", 25, {Vec3(0.1, 0.55, 0.05), Vec3(0, 0, -1), Vec3(0, 0, -1)});
    const auto file = std::filesystem::path(SUNDER_SHARED_DATA) / "meshes/models/bunny_5k.obj";
    if (!std::filesystem::exists(file)) return;  // shared meshes are absent
    const TriMesh bunny = readMesh(file).mesh;
    const Box3 box = boundsOf(bunny);
    const Vec3 top(box.centre().x(), box.max.y(), box.centre().z());
    breakWhole(report, bunny, "bunny of " + std::to_string(bunny.triangleCount()), 35,
               {top, Vec3(0, -1, 0), Vec3(0, -1, 0)});
}

void compareCells(const Report& report, size_t count) {
    std::vector<Vec3> sites(count);
    for (size_t i = 0; i < count; ++i) {
        Random random(1, i);
        for (double& x : sites[i]) x = random.uniform();
    }
    const Box3 box{Vec3::Zero(), Vec3::Ones()};
    const double ours = measure(kRuns, [&] { keep(voronoi(sites, box)); }).cpu;
    std::optional<double> peer;
#ifdef SUNDER_PEER_VOROPP
    peer = 1e3 * measure(kRuns, [&] { keep(voroppCells(sites, box)); }).cpu;
#endif
    report.row("voronoi, " + std::to_string(count) + " cells in a box", 1e3 * ours, peer, "voro++", "ms");
}

}  // namespace

int main(int argc, char** argv) {
    const Report report(argc, argv);
    const ThreadLimit one(1);
    fractureBalls(report);
    fractureWall(report);
    breakBodies(report);
    for (const size_t count : {1000, 10000}) compareCells(report, count);
}
