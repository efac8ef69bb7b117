#include <cmath>
#include <string>

#include <fmt/format.h>

#include "base/error.h"
#include "base/progress.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/ranges.h"
#include "geometry/grid/grid_mass.h"
#include "geometry/grid/mesh_to_grid.h"
#include "io/mesh/mesh_io.h"
#include "io/render/slice.h"

namespace sunder::cli {

namespace {

struct SlicesArguments {
    std::string input;
    std::string output;
    int cells = 128;
    int count = 6;
    std::string axis = "z";
    int width = 320;
    bool force = false;
};

void runSlices(const SlicesArguments& arguments) {
    checkPngOutput(arguments.output, arguments.force);
    const TriMesh mesh = readMesh(arguments.input).mesh;
    const Diagnosis diagnosis = diagnose(mesh);
    if (diagnosis.find(DefectKind::Empty) != nullptr) throw InputError(arguments.input, "has no triangles");
    // anything that is not a clean solid still has a generalised inside
    const GridOptions options{.sign = diagnosis.solid() ? GridSign::ClosedMesh : GridSign::WindingNumber};
    const DistanceGrid grid = gridFromMesh(mesh, cellSizeFor(mesh, arguments.cells), options, &terminalProgress());

    // slices at the middles of equal layers, so that none only touches the body
    std::vector<Image> slices;
    const int axis = arguments.axis[0] - 'x';
    for (int n = 0; n < arguments.count; ++n) {
        slices.push_back(sliceImage(grid, axis, (n + 0.5) / arguments.count, arguments.width));
    }
    // a sheet about half as wide again as high
    const int columns = static_cast<int>(std::ceil(std::sqrt(1.5 * arguments.count)));
    writePng(contactSheet(slices, columns, 6, {255, 255, 255}), arguments.output);
    const Int3& points = grid.frame().points;
    print("{} x {} x {} points, {}, volume inside {:.6g} -> {}\n", points[0], points[1], points[2],
          describeBytes(grid.memoryBytes()), massProperties(grid).volume, arguments.output);
}

}  // namespace

void addSlices(CLI::App& program) {
    auto arguments = std::make_shared<SlicesArguments>();
    CLI::App* command = program.add_subcommand("slices",
                                               "Slices through the signed distance grid of a mesh, as one picture.\n\n"
                                               "  sunder slices bunny.ply -o slices.png\n"
                                               "  sunder slices scan.stl -o slices.png --axis x --cells 256\n");
    // what is cut, and where the picture goes
    command->add_option("mesh", arguments->input, "the mesh")->required();
    command->add_option("-o,--output", arguments->output, "the PNG to write")->required();
    // how finely, where and how large
    command->add_option("--cells", arguments->cells, "cells along the longest side")
        ->check(wholeWithin(8, 1024))
        ->capture_default_str();
    command->add_option("--count", arguments->count, "number of slices")
        ->check(wholeWithin(1, 64))
        ->capture_default_str();
    command->add_option("--axis", arguments->axis, "normal of the slices")
        ->check(CLI::IsMember({"x", "y", "z"}))
        ->capture_default_str();
    command->add_option("--width", arguments->width, "longer side of a slice, pixels")
        ->check(wholeWithin(16, 4096))
        ->capture_default_str();
    command->add_flag("--force", arguments->force, "overwrite the output");
    command->callback([arguments] { runSlices(*arguments); });
}

}  // namespace sunder::cli
