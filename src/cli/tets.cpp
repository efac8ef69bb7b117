#include <cmath>
#include <string>

#include <fmt/format.h>

#include "base/error.h"
#include "base/progress.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/ranges.h"
#include "geometry/grid/mesh_to_grid.h"
#include "geometry/repair/diagnose.h"
#include "geometry/tet/stuffing.h"
#include "io/mesh/mesh_io.h"
#include "io/tet/tet_io.h"

namespace sunder::cli {

namespace {

struct TetsArguments {
    std::string input;
    std::string output;
    size_t count = 20000;
    double cellSize = 0;
    bool force = false;
    bool json = false;
};

/// The lattice has twelve tets in a cube.
double expectedCube(double volume, size_t tets) { return std::cbrt(12 * volume / static_cast<double>(tets)); }

void runTets(const TetsArguments& arguments) {
    // only a solid has an inside to fill
    checkOutput(arguments.output, arguments.force);
    const MeshFile file = readMesh(arguments.input);
    const Diagnosis diagnosis = diagnose(file.mesh);
    if (!diagnosis.solid()) {
        throw InputError(arguments.input, "is not a clean solid, so it cannot be filled; run 'sunder repair' first. " +
                                              describe(diagnosis));
    }

    // a grid twice as fine as the lattice shows it the surface in every cell
    const bool bySize = arguments.cellSize > 0;
    const double cube = bySize ? kCubePerCell * arguments.cellSize : expectedCube(diagnosis.volume, arguments.count);
    const DistanceGrid grid = gridFromMesh(file.mesh, cube / 2, {}, &terminalProgress());
    const Stuffing stuffing = stuffWithReport(
        grid, {.cellSize = arguments.cellSize, .targetTets = bySize ? 0 : arguments.count}, &terminalProgress());
    const TetMesh& tets = stuffing.mesh;
    if (tets.tetCount() == 0) {
        throw InputError(
            arguments.input,
            fmt::format("nothing is left in a lattice of {:.4g}; ask for more tets or smaller cells", cube));
    }
    writeTetMesh(tets, arguments.output);

    // what the solver will find: angles near 0 or 180 degrees make it slow and wrong
    const TetQuality quality = qualityOf(tets);
    if (arguments.json) {
        printJson({{"output", arguments.output},
                   {"nodes", tets.nodeCount()},
                   {"tets", tets.tetCount()},
                   {"volume", volume(tets)},
                   {"volume_of_mesh", diagnosis.volume},
                   {"cell_size", stuffing.report.cellSize},
                   {"lattice_size", stuffing.report.latticeSize},
                   {"lost_fraction", stuffing.report.lostFraction()},
                   {"dihedral_degrees", {{"min", quality.minDihedral}, {"max", quality.maxDihedral}}}});
    } else {
        print("{} tets, {} nodes, {:.2f} % of the volume, dihedral angles {:.1f} to {:.1f} degrees -> {}\n",
              tets.tetCount(), tets.nodeCount(), 100 * volume(tets) / diagnosis.volume, quality.minDihedral,
              quality.maxDihedral, arguments.output);
    }
    // a result that is not what was asked for says so
    if (stuffing.report.lostFraction() > 0.01) {
        print(stderr,
              "warning: parts thinner than the lattice ({:.4g}) are lost, {:.1f} % of the volume; ask for more tets\n",
              stuffing.report.latticeSize, 100 * stuffing.report.lostFraction());
    }
}

}  // namespace

void addTets(CLI::App& program) {
    auto arguments = std::make_shared<TetsArguments>();
    CLI::App* command =
        program.add_subcommand("tets",
                               "Fill a closed mesh with well-shaped tetrahedra (isosurface stuffing).\n\n"
                               "  sunder tets bunny.ply -o bunny.msh\n"
                               "  sunder tets bunny.ply -o bunny.vol --count 100000\n");
    // what is filled, and where it goes
    command->add_option("mesh", arguments->input, "a clean closed mesh")->required();
    command->add_option("-o,--output", arguments->output, "msh (Gmsh 4.1), vol (Netgen) or node/ele (TetGen)")
        ->required();
    // how fine: by count or by size
    command->add_option("--count", arguments->count, "wanted number of tets")
        ->check(wholeWithin(50, 20'000'000))
        ->capture_default_str();
    command
        ->add_option("--cell", arguments->cellSize,
                     "instead of a count: the boundary keeps within half of this of the mesh, in its unit")
        ->check(within(1e-300, 1e300));
    command->add_flag("--force", arguments->force, "overwrite the output");
    command->add_flag("--json", arguments->json, "one JSON object on stdout");
    command->callback([arguments] { runTets(*arguments); });
}

}  // namespace sunder::cli
