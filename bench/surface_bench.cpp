// Isosurfaces beside OpenVDB's volumeToMesh on the same distances. Ours keeps creases and is manifold; theirs does
// neither (adaptivity 0, plain averages of the crossings).

#include "bench/report.h"
#include "geometry/grid/mesh_to_grid.h"
#include "geometry/surface/isosurface.h"
#ifdef SUNDER_PEER_OPENVDB
#include "bench/peers/openvdb_surface.h"
#include "io/mesh/mesh_io.h"
#endif

using namespace sunder;
using namespace sunder::bench;

namespace {

constexpr int kRuns = 5;

void compareWithOpenVdb(const Report& report, const TriMesh& mesh, int cells) {
    const DistanceGrid grid = gridFromMesh(mesh, cellSizeFor(mesh, cells));
    std::optional<double> peerCpu, peerWall;
#ifdef SUNDER_PEER_OPENVDB
    const OpenVdbSurfacePeer peer(grid, 3);
    const Seconds theirs = measure(kRuns, [&] { keep(peer.triangles()); });
    peerCpu = theirs.cpu;
    peerWall = theirs.wall;
#endif
    const Seconds ours = measure(kRuns, [&] { keep(isosurface(grid)); });
    const Seconds plain = measure(kRuns, [&] { keep(isosurface(grid, {.keepCreases = false, .normalAt = {}})); });
    const std::string name = "isosurface, " + std::to_string(cells) + " cells, " +
                             std::to_string(isosurface(grid).triangleCount()) + " triangles";
    report.row(name + ", CPU", ours.cpu, peerCpu, "OpenVDB volumeToMesh", "s");
    report.row(name + ", wall", ours.wall, peerWall, "OpenVDB volumeToMesh", "s");
    report.row(name + ", no creases, CPU", plain.cpu, peerCpu, "OpenVDB volumeToMesh", "s");
}

}  // namespace

int main(int argc, char** argv) {
    const Report report(argc, argv);
    const TriMesh mesh = meshToMeasure(report, "bunny_70k.off");
    compareWithOpenVdb(report, mesh, 128);
    compareWithOpenVdb(report, mesh, 256);
}
