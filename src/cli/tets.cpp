#include <string>

#include <fmt/format.h>

#include "base/error.h"
#include "base/progress.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "geometry/grid/mesh_to_grid.h"
#include "geometry/tet/stuffing.h"
#include "io/mesh_io.h"
#include "io/tet_io.h"

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

void runTets(const TetsArguments& arguments) {
    checkOutput(arguments.output, arguments.force);
    const MeshFile file = readMesh(arguments.input);
    const Diagnosis diagnosis = diagnose(file.mesh);
    if (!diagnosis.solid()) {
        throw InputError(arguments.input, "is not a clean solid, so it cannot be filled; run 'sunder repair' first. " +
                                              describe(diagnosis));
    }

    // a grid as fine as the lattice sees every surface cell of it
    StuffingOptions options{.cellSize = arguments.cellSize, .targetTets = arguments.cellSize > 0 ? 0 : arguments.count};
    const double perCell = 12;  // tets in a cube of the lattice
    const double cell = arguments.cellSize > 0
                            ? arguments.cellSize
                            : std::cbrt(perCell * diagnosis.volume / static_cast<double>(arguments.count));
    const DistanceGrid grid = gridFromMesh(file.mesh, cell / 2, {}, &terminalProgress());
    const TetMesh tets = stuffIsosurface(grid, options, &terminalProgress());
    if (tets.tetCount() == 0) {
        throw InputError(
            arguments.input,
            fmt::format("nothing is left at a cell size of {:.4g}; ask for more tets or smaller cells", cell));
    }
    writeTetMesh(tets, arguments.output);

    const TetQuality quality = qualityOf(tets);
    const double kept = volume(tets) / diagnosis.volume;
    if (arguments.json) {
        printJson({{"output", arguments.output},
                   {"nodes", tets.nodeCount()},
                   {"tets", tets.tetCount()},
                   {"volume", volume(tets)},
                   {"volume_of_mesh", diagnosis.volume},
                   {"dihedral_degrees", {{"min", quality.minDihedral}, {"max", quality.maxDihedral}}}});
        return;
    }
    fmt::print("{} tets, {} nodes, {:.2f} % of the volume, dihedral angles {:.1f} to {:.1f} degrees -> {}\n",
               tets.tetCount(), tets.nodeCount(), 100 * kept, quality.minDihedral, quality.maxDihedral,
               arguments.output);
    if (kept < 0.95) {
        fmt::print(
            stderr,
            "warning: {:.0f} % of the volume is lost because parts are thinner than the cells; ask for more tets\n",
            100 * (1 - kept));
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
    command->add_option("mesh", arguments->input, "a clean closed mesh")->required();
    command->add_option("-o,--output", arguments->output, "msh (Gmsh 4.1), vol (Netgen) or node/ele (TetGen)")
        ->required();
    command->add_option("--count", arguments->count, "wanted number of tets")
        ->check(CLI::Range(size_t{50}, size_t{20'000'000}))
        ->capture_default_str();
    command->add_option("--cell", arguments->cellSize, "cell size instead of a count, in the mesh's unit")
        ->check(CLI::PositiveNumber);
    command->add_flag("--force", arguments->force, "overwrite the output");
    command->add_flag("--json", arguments->json, "one JSON object on stdout");
    command->callback([arguments] { runTets(*arguments); });
}

}  // namespace sunder::cli
