// Tets of the armadillo, from triangles to a checked mesh, beside NETGEN on as many tets.

#include <cmath>

#include "base/parallel.h"
#include "bench/report.h"
#include "geometry/grid/mesh_to_grid.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/mesh/topology.h"
#include "geometry/tet/embedding.h"
#include "geometry/tet/netgen_mesher.h"
#include "geometry/tet/stuffing.h"
#include "io/mesh/mesh_io.h"

using namespace sunder;
using namespace sunder::bench;

namespace {

constexpr int kRuns = 3;
constexpr double kTetsPerCube = 12;

/// Grid cells half as large as those of the lattice, as `sunder tets` has them.
double gridCellFor(const TriMesh& mesh, size_t tets) {
    return 0.5 * std::cbrt(kTetsPerCube * volume(mesh) / static_cast<double>(tets));
}

TetMesh stuffed(const TriMesh& mesh, size_t tets) {
    return stuffIsosurface(gridFromMesh(mesh, gridCellFor(mesh, tets)), {.targetTets = tets});
}

std::string thousands(size_t tets) { return std::to_string(tets / 1000) + "k tets"; }

Seconds measureFill(const Report& report, const TriMesh& mesh, size_t tets) {
    ThreadLimit oneCore(1);
    const Seconds whole = measure(kRuns, [&] { keep(stuffed(mesh, tets)); });
    report.row(thousands(tets) + ", mesh to grid to tets, one core, CPU", whole.cpu, std::nullopt, "", "s");
    const DistanceGrid grid = gridFromMesh(mesh, gridCellFor(mesh, tets));
    const Seconds stuffing = measure(kRuns, [&] { keep(stuffIsosurface(grid, {.targetTets = tets})); });
    report.row(thousands(tets) + ", grid to tets, one core, CPU", stuffing.cpu, std::nullopt, "", "s");
    return stuffing;
}

/// NETGEN keeps the surface it is given, so it gets ours: the boundary of a stuffed mesh.
void compareWithNetgen(const Report& report, const TriMesh& mesh, size_t tets) {
    if (!netgenAvailable()) return;
    ThreadLimit oneCore(1);
    const TetMesh ours = stuffed(mesh, tets);
    const TriMesh surface = boundaryOf(ours).surface;
    NetgenResult theirs;
    const double edge = std::cbrt(kTetsPerCube * volume(surface) / static_cast<double>(tets));
    const Stopwatch watch;
    theirs = meshWithNetgen(surface, {.maxEdge = edge});
    const double seconds = watch.cpuSeconds();
    if (!theirs.ok()) {
        std::fprintf(stderr, "NETGEN: %s\n", theirs.reason.c_str());
        return;
    }
    const Seconds time = measure(1, [&] { keep(stuffed(mesh, tets)); });
    const auto perTet = [](double s, const TetMesh& m) { return 1e6 * s / static_cast<double>(m.tetCount()); };
    report.row("CPU time per tet, at " + thousands(tets), perTet(time.cpu, ours), perTet(seconds, theirs.mesh),
               "NETGEN (" + std::to_string(theirs.mesh.tetCount()) + " tets)", "us");
    const TetQuality a = qualityOf(ours), b = qualityOf(theirs.mesh);
    report.row("smallest dihedral angle", a.minDihedral, b.minDihedral, "NETGEN", "deg");
    report.row("largest dihedral angle", a.maxDihedral, b.maxDihedral, "NETGEN", "deg");
}

void measureEmbedding(const Report& report, const TriMesh& mesh, size_t tets) {
    ThreadLimit oneCore(1);
    const TetMesh coarse = stuffed(mesh, tets);
    const Seconds time = measure(kRuns, [&] { keep(embed(mesh, coarse)); });
    report.row("embed " + std::to_string(mesh.triangleCount()) + " triangles in " + thousands(tets) + ", one core, CPU",
               time.cpu, std::nullopt, "", "s");
}

}  // namespace

int main(int argc, char** argv) {
    const Report report(argc, argv);
    const TriMesh mesh = meshToMeasure(report, "armadillo_52k.off");
    measureFill(report, mesh, 10'000);
    const Seconds one = measureFill(report, mesh, 100'000);
    const Seconds four = measureFill(report, mesh, 400'000);
    report.row("grid to tets, 4x the tets, CPU", four.cpu, one.cpu, "1x (limit 5)", "s");
    measureEmbedding(report, mesh, 10'000);
    compareWithNetgen(report, mesh, 10'000);
    return 0;
}
