// Distance grids beside OpenVDB's meshToVolume: same mesh, voxel size and band. Ours adds the far field.

#include <algorithm>
#include <array>

#include "bench/refined.h"
#include "bench/report.h"
#include "geometry/cut/cut_by_cells.h"
#include "geometry/grid/grid_mass.h"
#include "geometry/grid/mesh_to_grid.h"
#include "geometry/grid/searched_grid.h"
#ifdef SUNDER_PEER_OPENVDB
#include "bench/peers/openvdb_grid.h"
#include "io/mesh/mesh_io.h"
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

/// The largest piece of a solid that lost an end: its grid from the whole's, alone, and by the ways that look at every
/// triangle.
void measurePieces(const Report& report, const TriMesh& solid) {
    const Box3 box = boundsOf(solid);
    const Vec3 end(box.max.x(), box.centre().y(), box.centre().z());
    const std::array<Vec3, 2> sites{end, end - Vec3(0.3 * box.size().x(), 0, 0)};
    std::vector<CutPiece> pieces = cutByCells(solid, voronoi(sites, box.expanded(box.diagonal())));
    const TriMesh& piece = std::ranges::max(pieces, {}, [](const CutPiece& p) { return p.mesh.triangleCount(); }).mesh;
    const double cellSize = exactCellSize(box.size().maxCoeff() / 14);
    const GridFrame frame = alignedFrame(boundsOf(piece), cellSize, 1);
    const TriangleTree wholeTree(solid), tree(piece);
    const SearchedGrid whole = searchedGrid(wholeTree, alignedFrame(box, cellSize, 1));
    const Seconds made = measure(kRuns, [&] { keep(searchedGrid(tree, frame, {&solid, &whole.nearest})); });
    const Seconds alone = measure(kRuns, [&] { keep(searchedGrid(tree, frame)); });
    const Seconds band = measure(kRuns, [&] { keep(gridFromMesh(piece, frame, {.bandCells = 4})); });
    const std::string name =
        "grid of a piece of " + std::to_string(piece.triangleCount()) + " triangles from the whole's, CPU";
    report.row(name, made.cpu, alone.cpu, "searched for without the whole", "s");
    report.row(name, made.cpu, band.cpu, "our grid of any mesh", "s");
#ifdef SUNDER_PEER_OPENVDB
    const OpenVdbPeer peer(piece, cellSize);
    report.row(name, made.cpu, measure(kRuns, [&] { keep(peer.convert(4)); }).cpu, "OpenVDB meshToVolume", "s");
#endif
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
    measurePieces(report, mesh);
}
