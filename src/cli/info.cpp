#include <cstdio>
#include <string>

#include <fmt/format.h>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/ranges.h"
#include "cli/recording_output.h"
#include "geometry/mesh/topology.h"
#include "io/mesh/mesh_io.h"
#include "io/mesh/reports.h"
#include "io/scene/scene_io.h"
#include "io/tet/tet_io.h"
#include "scene/expand.h"

namespace sunder::cli {

namespace {

struct InfoArguments {
    std::string file;
    int cells = 128;
    bool json = false;
};

/// What `--json` tells with meshReport(), for people.
void printMesh(const InfoArguments& arguments, const MeshFile& file, const Diagnosis& diagnosis) {
    const TriMesh& mesh = file.mesh;
    print("{}: {} mesh, {} vertices, {} triangles\n", arguments.file, nameOf(file.format), mesh.vertexCount(),
          mesh.triangleCount());
    print("size      {}\n", describeSize(boundsOf(mesh).size()));
    print("area      {:.6g}\n", surfaceArea(mesh));
    // what only a solid has
    if (diagnosis.solid()) {
        const Vec3 centre = massProperties(mesh).centre;
        print("volume    {:.6g}\n", diagnosis.volume);
        print("centre    {:.6g}, {:.6g}, {:.6g}\n", centre.x(), centre.y(), centre.z());
    }
    // what its triangles carry
    print("bodies    {}\n", diagnosis.bodies);
    if (!mesh.materialNames.empty()) print("materials {}\n", joined(mesh.materialNames));
    print("has       {}\n", mesh.uvs.empty() ? (mesh.normals.empty() ? "positions only" : "normals")
                                             : (mesh.normals.empty() ? "UVs" : "UVs, normals"));
    // what a grid of it would cost
    if (boundsOf(mesh).diagonal() > 0) {
        const GridFrame frame = gridFrameFor(mesh, arguments.cells);
        print("grid      {} cells along the longest side: {} x {} x {} points, {}\n", arguments.cells, frame.points[0],
              frame.points[1], frame.points[2], describeBytes(frame.pointCount() * sizeof(float)));
    }
    // what reading passed over, and what is wrong with it
    for (const std::string& note : file.notes) print("note      {}\n", note);
    printLines(stdout, describe(diagnosis) + "\n");
}

void infoOfTets(const InfoArguments& arguments) {
    // quality and boundary tell whether a solver can use it
    const TetMesh mesh = readTetMesh(arguments.file);
    const TetQuality quality = qualityOf(mesh);
    Box3 box;
    for (const Vec3& node : mesh.nodes) box.add(node);
    const TetBoundary boundary = boundaryOf(mesh);
    const bool closed = isClosedManifold(boundary.surface);
    if (arguments.json) {
        printJson({{"kind", "tets"},
                   {"nodes", mesh.nodeCount()},
                   {"tets", mesh.tetCount()},
                   {"bounds", toJson(box)},
                   {"volume", volume(mesh)},
                   {"closed", closed},
                   {"surface_triangles", boundary.surface.triangleCount()},
                   {"dihedral_degrees", {{"min", quality.minDihedral}, {"max", quality.maxDihedral}}},
                   {"tet_volume", {{"min", quality.minVolume}, {"max", quality.maxVolume}}},
                   {"defects", Json::array()}});
        return;
    }
    // the same for people, without bounds
    print("{}: tetrahedral mesh, {} nodes, {} tets\n", arguments.file, mesh.nodeCount(), mesh.tetCount());
    print("size      {}\n", describeSize(box.size()));
    print("volume    {:.6g}\n", volume(mesh));
    print("surface   {} triangles, {}\n", boundary.surface.triangleCount(),
          closed ? "closed and manifold" : "not a closed manifold");
    print("dihedral  {:.2f} to {:.2f} degrees\n", quality.minDihedral, quality.maxDihedral);
}

/// Where bodies start, without the size of each.
Box3 startsOf(const std::vector<scene::PlacedBody>& bodies) {
    Box3 box;
    for (const scene::PlacedBody& body : bodies) box.add(body.pose().translation);
    return box;
}

void infoOfScene(const InfoArguments& arguments) {
    // a body breaks by its own settings or by those of its material
    const scene::Scene scene = readScene(arguments.file);
    const std::vector<scene::PlacedBody> bodies = scene::placedBodies(scene);
    size_t breakable = 0;
    for (const scene::PlacedBody& placed : bodies) {
        const scene::Material* material =
            placed.body->material.own ? &*placed.body->material.own : scene.materials.find(placed.body->material.name);
        const std::optional<fracture::MethodSettings>& fracture =
            placed.body->fracture || material == nullptr ? placed.body->fracture : material->fracture;
        breakable += fracture && fracture->breaks();
    }
    // for programs everything, for people what they ask first
    const double seconds = scene.world.frames / scene.world.frameRate;
    if (arguments.json) {
        Json parameters = scene.parameters;
        printJson({{"kind", "scene"},
                   {"title", scene.title},
                   {"description", scene.description},
                   {"bodies", bodies.size()},
                   {"breakable", breakable},
                   {"floor", scene.floor.present},
                   {"frames", scene.world.frames},
                   {"frame_rate", scene.world.frameRate},
                   {"seconds", seconds},
                   {"seed", scene.world.seed},
                   {"materials", scene.materials.names()},
                   {"groups", scene.groups.names()},
                   {"parameters", parameters},
                   {"bounds", bodies.empty() ? Json(nullptr) : toJson(startsOf(bodies))},
                   {"defects", Json::array()}});
        return;
    }
    // what it is, how much there is of it and how long it lasts
    print("{}: scene{}\n", arguments.file, scene.title.empty() ? "" : ", " + scene.title);
    if (!scene.description.empty()) print("{}\n", scene.description);
    print("bodies    {}, {} of them breakable{}\n", bodies.size(), breakable,
          scene.floor.present ? ", and a floor" : "");
    print("time      {} frames at {:g} per second: {:g} s\n", scene.world.frames, scene.world.frameRate, seconds);
    if (!bodies.empty()) print("spread    {}\n", describeSize(startsOf(bodies).size()));
    // what --set can change
    for (const auto& item : scene.parameters.items()) {
        print("parameter {} = {}\n", item.key(), item.value().dump());
    }
}

/// Asks the contents of the file what it is: names mislead.
void runInfo(const InfoArguments& arguments) {
    // a file says by its contents what it is; a recording that is damaged is known by its name
    if (isRecording(arguments.file) || std::filesystem::path(arguments.file).extension() == kRecordingExtension) {
        infoOfRecording(arguments.file, arguments.json);
        return;
    }
    if (isSceneFile(arguments.file)) {
        infoOfScene(arguments);
        return;
    }
    if (isTetFile(arguments.file)) {
        infoOfTets(arguments);
        return;
    }
    // whatever else it is must be a mesh
    const MeshFile file = readMesh(arguments.file);
    const Diagnosis diagnosis = diagnose(file.mesh);
    if (arguments.json) {
        printJson(meshReport(file, diagnosis, arguments.cells));
    } else {
        printMesh(arguments, file, diagnosis);
    }
}

}  // namespace

void addInfo(CLI::App& program) {
    auto arguments = std::make_shared<InfoArguments>();
    CLI::App* command = program.add_subcommand("info",
                                               "Facts and defects of a mesh (obj, ply, stl, off, gltf, glb), of a "
                                               "tetrahedral mesh (msh, vol, node/ele), or what is in a recording or a "
                                               "scene (json).\n\n"
                                               "  sunder info bunny.ply\n"
                                               "  sunder info bunny.ply --json | jq .defects\n");
    command->add_option("file", arguments->file, "the file to look at")->required();
    command
        ->add_option("--cells", arguments->cells, "state the distance grid for this many cells along the longest side")
        ->check(wholeWithin(4, 4096))
        ->capture_default_str();
    command->add_flag("--json", arguments->json, "one JSON object on stdout");
    command->callback([arguments] { runInfo(*arguments); });
}

}  // namespace sunder::cli
