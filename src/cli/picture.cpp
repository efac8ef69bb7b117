#include <string>

#include <fmt/format.h>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "io/mesh_io.h"
#include "io/pov.h"

namespace sunder::cli {

namespace {

struct PictureArguments {
    std::vector<std::string> meshes;
    std::string output;
    PictureSize size;
    std::vector<double> view;
    bool flat = false;
    bool inRow = false;
    bool force = false;
};

void runPicture(const PictureArguments& arguments) {
    checkOutput(arguments.output, arguments.force);
    PovScene scene;
    if (arguments.view.size() == 3) scene.viewDirection = {arguments.view[0], arguments.view[1], arguments.view[2]};
    double next = 0;  // m, left side of the next object in the row
    for (const std::string& path : arguments.meshes) {
        PovObject object;
        object.mesh = readMesh(path).mesh;
        if (arguments.flat) object.mesh.normals.clear();
        if (!arguments.flat && object.mesh.normals.empty()) computeNormals(object.mesh, 0.6);
        if (arguments.meshes.size() > 1) object.outside = pieceLook(scene.objects.size());
        if (arguments.inRow) {
            const Box3 box = boundsOf(object.mesh);
            object.mesh =
                transformed(object.mesh, {Quat::Identity(), Vec3(next - box.min.x(), -box.min.y(), -box.centre().z())});
            next += 1.15 * box.size().x();
        }
        scene.objects.push_back(std::move(object));
    }
    renderPicture(scene, arguments.output, arguments.size);
    fmt::print("{}\n", arguments.output);
}

}  // namespace

void addPicture(CLI::App& program) {
    auto arguments = std::make_shared<PictureArguments>();
    CLI::App* command = program.add_subcommand("picture",
                                               "A ray-traced still of one or more meshes (needs POV-Ray).\n\n"
                                               "  sunder picture bunny.ply -o bunny.png\n"
                                               "  sunder picture a.obj b.obj c.obj --row -o all.png --width 1200\n");
    command->add_option("meshes", arguments->meshes, "mesh files")->required();
    command->add_option("-o,--output", arguments->output, "the PNG to write")->required();
    command->add_option("--width", arguments->size.width, "pixels")->check(CLI::Range(16, 8192))->capture_default_str();
    command->add_option("--height", arguments->size.height, "pixels")
        ->check(CLI::Range(16, 8192))
        ->capture_default_str();
    command->add_option("--view", arguments->view, "direction of view, as X Y Z (Y is up)")->expected(3);
    command->add_flag("--flat", arguments->flat, "show the triangles instead of smooth normals");
    command->add_flag("--row", arguments->inRow, "stand the meshes side by side");
    command->add_flag("--force", arguments->force, "overwrite the output");
    command->callback([arguments] { runPicture(*arguments); });
}

}  // namespace sunder::cli
