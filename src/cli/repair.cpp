#include "geometry/repair/repair.h"

#include <string>

#include <fmt/format.h>

#include "base/error.h"
#include "base/progress.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/ranges.h"
#include "io/mesh/mesh_io.h"

namespace sunder::cli {

namespace {

struct RepairArguments {
    std::string input;
    std::string output;
    RepairOptions options;
    bool noRebuild = false;
    bool force = false;
    bool json = false;
};

/// No output when nothing was written.
Json resultJson(const RepairArguments& arguments, const RepairResult& result) {
    Json json{{"file", arguments.input}};
    json.update(repairReport(result));
    json["output"] = isSolid(result.verdict) ? Json(arguments.output) : Json(nullptr);
    return json;
}

void printResult(const RepairArguments& arguments, const RepairResult& result) {
    print("{}: {}\n", arguments.input, nameOf(result.verdict));
    for (const RepairAction& action : result.actions) print("  {}\n", action.what);
    for (const std::string& warning : result.warnings) print("  warning: {}\n", warning);
    if (result.reason.empty()) {
        print("  {} {}, volume {:.6g}, {} triangles -> {}\n", result.bodies, result.bodies == 1 ? "body" : "bodies",
              result.volume, result.mesh.triangleCount(), arguments.output);
    }
}

/// Writes only what has become a solid.
void runRepair(RepairArguments& arguments) {
    (void)meshFormatOf(arguments.output);
    checkOutput(arguments.output, arguments.force);
    arguments.options.allowRebuild = !arguments.noRebuild;

    const MeshFile file = readMesh(arguments.input);
    const RepairResult result = repair(file.mesh, arguments.options, &terminalProgress());
    const bool solid = isSolid(result.verdict);
    if (solid) writeMesh(result.mesh, arguments.output);
    arguments.json ? printJson(resultJson(arguments, result)) : printResult(arguments, result);
    if (!solid) throw InputError(arguments.input, result.reason);
}

}  // namespace

void addRepair(CLI::App& program) {
    auto arguments = std::make_shared<RepairArguments>();
    CLI::App* command = program.add_subcommand(
        "repair",
        "Make a mesh a clean solid, and say what was done to it. What cannot be mended in place (self-intersections,\n"
        "overlapping or doubled shells) is rebuilt through a distance grid.\n\n"
        "  sunder repair scan.ply -o solid.ply\n"
        "  sunder repair cad.stl -o solid.obj --cells 320\n"
        "  sunder repair box_without_lid.obj -o box.obj --close-openings\n");
    // what is mended, and where it goes
    command->add_option("mesh", arguments->input, "the mesh to repair")->required();
    command->add_option("-o,--output", arguments->output, "where the repaired mesh goes (obj, ply, stl, off, glb)")
        ->required();
    // how far mending may go
    command
        ->add_option("--cells", arguments->options.rebuildCells,
                     "resolution of a rebuild: cells along the longest side")
        ->check(wholeWithin(16, 1024))
        ->capture_default_str();
    command
        ->add_option("--weld", arguments->options.weldTolerance,
                     "weld open edges closer than this part of the diagonal")
        ->check(within(0, 0.1))
        ->capture_default_str();
    command->add_flag("--close-openings", arguments->options.closeOpenings,
                      "fill holes of any size; without it large ones are taken for part of the shape");
    command->add_flag("--no-rebuild", arguments->noRebuild, "mend in place or refuse");
    // what becomes of files, and who reads the answer
    command->add_flag("--force", arguments->force, "overwrite the output");
    command->add_flag("--json", arguments->json, "one JSON object on stdout");
    command->callback([arguments] { runRepair(*arguments); });
}

}  // namespace sunder::cli
