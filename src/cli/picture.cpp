#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/ranges.h"
#include "geometry/tet/tet_mesh.h"
#include "io/mesh/mesh_io.h"
#include "io/recording/recording_reader.h"
#include "io/render/pov.h"
#include "io/tet/tet_io.h"

namespace sunder::cli {

namespace {

struct PictureArguments {
    std::vector<std::string> meshes;
    std::string output;
    PictureSize size;
    std::vector<double> view, eye, target;
    bool flat = false;
    bool gallery = false;
    bool force = false;
};

/// Everything brought to one size and stood on a lattice of places, the first at the back left.
void arrangeGallery(std::vector<PovObject>& objects, const PictureSize& size) {
    const double aspect = static_cast<double>(size.width) / size.height;
    const auto columns = static_cast<size_t>(std::ceil(std::sqrt(aspect * static_cast<double>(objects.size()))));
    for (size_t n = 0; n < objects.size(); ++n) {
        TriMesh& mesh = objects[n].mesh;
        const Box3 box = boundsOf(mesh);
        const double factor = 1 / std::max(box.size().maxCoeff(), 1e-300);
        const Vec3 foot(box.centre().x(), box.min.y(), box.centre().z());
        // every other row stands in the gaps of the one behind it
        const size_t row = n / columns;
        const Vec3 place(1.3 * (static_cast<double>(n % columns) + (row % 2 == 1 ? 0.5 : 0)), 0,
                         1.6 * static_cast<double>(row));
        for (Vec3& p : mesh.positions) p = factor * (p - foot) + place;
    }
}

/// A tetrahedral mesh is shown cut open in the middle.
TriMesh readForPicture(const std::string& path) {
    if (!isTetFile(path)) return readMesh(path).mesh;
    const TetMesh tets = readTetMesh(path);
    Box3 box;
    for (const Vec3& node : tets.nodes) box.add(node);
    return cutaway(tets, Vec3(0, 0, 1), box.centre().z());
}

void runPicture(const PictureArguments& arguments) {
    // from where; without that the whole is seen
    checkPngOutput(arguments.output, arguments.force);
    if (arguments.eye.empty() != arguments.target.empty()) throw InputError("--eye", "goes with --target");
    PovScene scene;
    if (arguments.view.size() == 3) scene.viewDirection = {arguments.view[0], arguments.view[1], arguments.view[2]};
    if (arguments.eye.size() == 3 && arguments.target.size() == 3)
        scene.camera = Camera{{arguments.eye[0], arguments.eye[1], arguments.eye[2]},
                              {arguments.target[0], arguments.target[1], arguments.target[2]},
                              Camera{}.fieldOfView};
    if (!hasDirection(scene.viewDirection))
        throw InputError("--view", "has no direction: its three numbers are 0; give where to look, as in 0 -0.5 -1");
    if (scene.camera && !hasDirection(scene.camera->target - scene.camera->position))
        throw InputError("--eye", "is where --target is: there is no direction to look in; move one of them");
    // tets and --flat show their triangles, other meshes look as smooth as they are meant
    for (const std::string& path : arguments.meshes) {
        if (isRecording(path)) throw InputError(path, "is a recording; draw it with: sunder render");
        PovObject object;
        object.mesh = readForPicture(path);
        if (arguments.flat || isTetFile(path)) {
            object.mesh.normals.clear();
        } else if (object.mesh.normals.empty()) {
            computeNormals(object.mesh, 0.6);
        }
        // pieces differ in colour so that they can be told apart
        if (arguments.meshes.size() > 1 && !arguments.gallery) object.outside = pieceLook(scene.objects.size());
        scene.objects.push_back(std::move(object));
    }
    if (arguments.gallery) arrangeGallery(scene.objects, arguments.size);
    renderPicture(scene, arguments.output, arguments.size);
    print("{}\n", arguments.output);
}

}  // namespace

void addPicture(CLI::App& program) {
    auto arguments = std::make_shared<PictureArguments>();
    CLI::App* command = program.add_subcommand("picture",
                                               "A ray-traced still of one or more meshes (needs POV-Ray).\n\n"
                                               "  sunder picture bunny.ply -o bunny.png\n"
                                               "  sunder picture bunny.msh -o tets.png              tets, cut open\n"
                                               "  sunder picture *.obj --gallery -o all.png --width 1200\n");
    // what is drawn, and how large
    command->add_option("meshes", arguments->meshes, "mesh files")->required();
    command->add_option("-o,--output", arguments->output, "the PNG to write")->required();
    command->add_option("--width", arguments->size.width, "pixels")
        ->check(wholeWithin(16, 8192))
        ->capture_default_str();
    command->add_option("--height", arguments->size.height, "pixels")
        ->check(wholeWithin(16, 8192))
        ->capture_default_str();
    // from where, and in which manner
    command->add_option("--view", arguments->view, "direction of view, as X Y Z (Y is up)")
        ->expected(3)
        ->check(finite());
    command->add_option("--eye", arguments->eye, "where to look from, as X Y Z, with --target")
        ->expected(3)
        ->check(finite());
    command->add_option("--target", arguments->target, "where to look at, as X Y Z, with --eye")
        ->expected(3)
        ->check(finite());
    command->add_flag("--flat", arguments->flat, "show the triangles instead of smooth normals");
    command->add_flag("--gallery", arguments->gallery, "stand the meshes side by side, all in one size");
    command->add_flag("--force", arguments->force, "overwrite the output");
    command->callback([arguments] { runPicture(*arguments); });
}

}  // namespace sunder::cli
