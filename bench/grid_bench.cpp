// Distance grids beside OpenVDB's meshToVolume: same mesh, voxel size and band. Ours adds the far field.

#include "bench/refined.h"
#include "bench/report.h"
#include "geometry/grid/grid_mass.h"
#include "geometry/grid/mesh_to_grid.h"
#ifdef SUNDER_PEER_OPENVDB
#include "bench/peers/openvdb_grid.h"
#include "io/mesh_io.h"
#endif

using namespace sunder;
using namespace sunder::bench;

namespace {

constexpr int kRuns = 5;
constexpr double kBand = 3;

void compareWithOpenVdb(const Report& report, const TriMesh& mesh, int cells) {
    const double cellSize = cellSizeFor(mesh, cells);
    std::optional<double> peerCpu, peerWall;
#ifdef SUNDER_PEER_OPENVDB
    const OpenVdbPeer peer(mesh, cellSize);
    const Seconds theirs = measure(kRuns, [&] { keep(peer.convert(kBand)); });
    peerCpu = theirs.cpu;
    peerWall = theirs.wall;
#endif
    const Seconds ours = measure(kRuns, [&] { keep(gridFromMesh(mesh, cellSize, {.bandCells = kBand})); });
    const std::string name =
        "grid of " + std::to_string(mesh.triangleCount()) + " triangles, " + std::to_string(cells) + " cells";
    report.row(name + ", CPU", ours.cpu, peerCpu, "OpenVDB meshToVolume", "s");
    report.row(name + ", wall", ours.wall, peerWall, "OpenVDB meshToVolume", "s");
}

void measureGeneralisedSign(const Report& report, const TriMesh& mesh, int cells) {
    const double cellSize = cellSizeFor(mesh, cells);
    const Seconds closed = measure(3, [&] { keep(gridFromMesh(mesh, cellSize)); });
    const Seconds general = measure(3, [&] { keep(gridFromMesh(mesh, cellSize, {.sign = GridSign::WindingNumber})); });
    report.row("generalised winding sign, " + std::to_string(cells) + " cells, CPU", general.cpu, closed.cpu,
               "our sign for closed meshes", "s");
}

void measureGrowth(const Report& report, const TriMesh& mesh, int cells) {
    const double cellSize = cellSizeFor(mesh, cells);
    const TriMesh finer = refined(mesh);
    const Seconds one = measure(kRuns, [&] { keep(gridFromMesh(mesh, cellSize)); });
    const Seconds four = measure(kRuns, [&] { keep(gridFromMesh(finer, cellSize)); });
    report.row("grid, 4x the triangles, " + std::to_string(cells) + " cells, CPU", four.cpu, one.cpu, "1x (limit 5)",
               "s");
}

void measureSampling(const Report& report, const TriMesh& mesh) {
    const DistanceGrid grid = gridFromMesh(mesh, cellSizeFor(mesh, 128));
    const Box3 box = grid.frame().bounds();
    std::vector<Vec3f> points(1 << 20);
    for (size_t i = 0; i < points.size(); ++i) {
        const Vec3 t(static_cast<double>(i % 101) / 100, static_cast<double>(i % 10007) / 10006,
                     static_cast<double>(i % 1009) / 1008);
        points[i] = (box.min + box.size().cwiseProduct(t)).cast<float>();
    }
    std::vector<DistanceGrid::Sample> samples(points.size());
    const Seconds batched = measure(kRuns, [&] { grid.sample(points, samples); });
    const Seconds single = measure(kRuns, [&] {
        double sum = 0;
        for (const Vec3f& p : points) sum += grid.value(p.cast<double>()) + grid.gradient(p.cast<double>()).x();
        keep(sum);
    });
    const double count = static_cast<double>(points.size());
    report.row("value + gradient, ns of CPU per point", 1e9 * batched.cpu / count, 1e9 * single.cpu / count,
               "ours, one by one", "ns");
    const Seconds mass = measure(kRuns, [&] { keep(massProperties(grid)); });
    report.row("mass properties of a 128 grid, CPU", mass.cpu, std::nullopt, "", "s");
}

}  // namespace

int main(int argc, char** argv) {
    const Report report(argc, argv);
    const TriMesh mesh = meshToMeasure(report, "bunny_70k.off");
    compareWithOpenVdb(report, mesh, 128);
    compareWithOpenVdb(report, mesh, 256);
    measureGeneralisedSign(report, mesh, 128);
    measureGrowth(report, mesh, 128);
    measureSampling(report, mesh);
}
