#include <cstdio>
#include <string>

#include <fmt/format.h>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "geometry/grid/mesh_to_grid.h"
#include "geometry/mesh/topology.h"
#include "io/mesh_io.h"
#include "io/recording_reader.h"
#include "io/tet_io.h"

namespace sunder::cli {

namespace {

struct InfoArguments {
    std::string file;
    int cells = 128;
    bool json = false;
};

/// The lattice a distance grid of this mesh would have.
GridFrame gridFrameFor(const TriMesh& mesh, int cells) {
    return alignedFrame(boundsOf(mesh), cellSizeFor(mesh, cells), static_cast<int>(GridOptions{}.bandCells));
}

Json gridJson(const GridFrame& frame) {
    return {{"cell_size", frame.cellSize},
            {"points", Json::array({frame.points[0], frame.points[1], frame.points[2]})},
            {"memory_bytes", frame.pointCount() * sizeof(float)}};
}

Json meshJson(const MeshFile& file, const Diagnosis& diagnosis, int cells) {
    const TriMesh& mesh = file.mesh;
    Json json{{"kind", "mesh"},
              {"format", nameOf(file.format)},
              {"vertices", mesh.vertexCount()},
              {"triangles", mesh.triangleCount()},
              {"components", diagnosis.components},
              {"bodies", diagnosis.bodies},
              {"bounds", toJson(boundsOf(mesh))},
              {"area", surfaceArea(mesh)},
              {"closed", diagnosis.closed},
              {"manifold", diagnosis.manifold},
              {"oriented", diagnosis.oriented},
              {"solid", diagnosis.solid()}};
    json["volume"] = diagnosis.solid() ? Json(diagnosis.volume) : Json(nullptr);
    if (diagnosis.solid()) json["centre"] = toJson(massProperties(mesh).centre);
    json["uvs"] = !mesh.uvs.empty();
    json["normals"] = !mesh.normals.empty();
    json["materials"] = mesh.materialNames;
    json["defects"] = toJson(diagnosis);
    json["notes"] = file.notes;
    if (boundsOf(mesh).diagonal() > 0) json["grid"] = gridJson(gridFrameFor(mesh, cells));
    return json;
}

void printMesh(const InfoArguments& arguments, const MeshFile& file, const Diagnosis& diagnosis) {
    const TriMesh& mesh = file.mesh;
    fmt::print("{}: {} mesh, {} vertices, {} triangles\n", arguments.file, nameOf(file.format), mesh.vertexCount(),
               mesh.triangleCount());
    fmt::print("size      {}\n", describeSize(boundsOf(mesh).size()));
    fmt::print("area      {:.6g}\n", surfaceArea(mesh));
    if (diagnosis.solid()) {
        const Vec3 centre = massProperties(mesh).centre;
        fmt::print("volume    {:.6g}\n", diagnosis.volume);
        fmt::print("centre    {:.6g}, {:.6g}, {:.6g}\n", centre.x(), centre.y(), centre.z());
    }
    fmt::print("bodies    {}\n", diagnosis.bodies);
    if (!mesh.materialNames.empty()) fmt::print("materials {}\n", fmt::join(mesh.materialNames, ", "));
    fmt::print("has       {}\n", mesh.uvs.empty() ? (mesh.normals.empty() ? "positions only" : "normals")
                                                  : (mesh.normals.empty() ? "UVs" : "UVs, normals"));
    if (boundsOf(mesh).diagonal() > 0) {
        const GridFrame frame = gridFrameFor(mesh, arguments.cells);
        fmt::print("grid      {} cells along the longest side: {} x {} x {} points, {}\n", arguments.cells,
                   frame.points[0], frame.points[1], frame.points[2],
                   describeBytes(frame.pointCount() * sizeof(float)));
    }
    for (const std::string& note : file.notes) fmt::print("note      {}\n", note);
    fmt::print("{}\n", describe(diagnosis));
}

void infoOfTets(const InfoArguments& arguments) {
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
    fmt::print("{}: tetrahedral mesh, {} nodes, {} tets\n", arguments.file, mesh.nodeCount(), mesh.tetCount());
    fmt::print("size      {}\n", describeSize(box.size()));
    fmt::print("volume    {:.6g}\n", volume(mesh));
    fmt::print("surface   {} triangles, {}\n", boundary.surface.triangleCount(),
               closed ? "closed and manifold" : "not a closed manifold");
    fmt::print("dihedral  {:.2f} to {:.2f} degrees\n", quality.minDihedral, quality.maxDihedral);
}

void infoOfRecording(const InfoArguments& arguments) {
    RecordingReader recording(arguments.file);
    const uint64_t last = recording.lastFrame();
    const std::vector<RecordedBody> bodies = recording.bodies();
    size_t living = 0, pieces = 0, moved = 0, poseBytes = 0;
    for (const RecordedBody& body : bodies) {
        living += !body.died.has_value();
        pieces += body.generation > 0;
    }
    for (const RecordedFrame& frame : recording.frames()) {
        moved += frame.moved;
        poseBytes += frame.poseBytes;
    }
    const double seconds = recording.frame(last).time;
    const double perPose = moved > 0 ? static_cast<double>(poseBytes) / static_cast<double>(moved) : 0;
    if (arguments.json) {
        printJson({{"kind", "recording"},
                   {"scene", recording.meta("scene_name")},
                   {"settings", recording.meta("settings")},
                   {"seed", recording.meta("seed")},
                   {"program", recording.meta("program")},
                   {"frames", last},
                   {"dt", recording.dt()},
                   {"seconds", seconds},
                   {"bodies", bodies.size()},
                   {"bodies_at_end", living},
                   {"pieces", pieces},
                   {"events", recording.events().size()},
                   {"position_quantum", recording.positionQuantum()},
                   {"bytes_per_moving_body_and_frame", perPose},
                   {"digest", recording.digest()},
                   {"defects", Json::array()}});
        return;
    }
    fmt::print("{}: recording of {}, {}\n", arguments.file,
               recording.meta("scene_name").empty() ? "a scene without a name" : recording.meta("scene_name"),
               describeBytes(std::filesystem::file_size(arguments.file)));
    fmt::print("frames    {} of {:.4g} s: {:.4g} s\n", last, recording.dt(), seconds);
    fmt::print("bodies    {} in all, {} at the end; {} were made by breaking\n", bodies.size(), living, pieces);
    fmt::print("events    {}\n", recording.events().size());
    fmt::print("poses     {:.1f} bytes per moving body and frame\n", perPose);
    fmt::print("made by   sunder {}, seed {}, settings {}\n", recording.meta("program"), recording.meta("seed"),
               recording.meta("settings"));
    fmt::print("digest    {}\n", recording.digest());
}

void runInfo(const InfoArguments& arguments) {
    if (isRecording(arguments.file)) {
        infoOfRecording(arguments);
        return;
    }
    if (isTetFile(arguments.file)) {
        infoOfTets(arguments);
        return;
    }
    const MeshFile file = readMesh(arguments.file);
    const Diagnosis diagnosis = diagnose(file.mesh);
    if (arguments.json) {
        printJson(meshJson(file, diagnosis, arguments.cells));
    } else {
        printMesh(arguments, file, diagnosis);
    }
}

}  // namespace

void addInfo(CLI::App& program) {
    auto arguments = std::make_shared<InfoArguments>();
    CLI::App* command = program.add_subcommand("info",
                                               "Facts and defects of a mesh (obj, ply, stl, off, gltf, glb), of a "
                                               "tetrahedral mesh (msh, vol, node/ele) or of a recording.\n\n"
                                               "  sunder info bunny.ply\n"
                                               "  sunder info bunny.ply --json | jq .defects\n");
    command->add_option("file", arguments->file, "the file to look at")->required();
    command
        ->add_option("--cells", arguments->cells, "state the distance grid for this many cells along the longest side")
        ->check(CLI::Range(4, 4096))
        ->capture_default_str();
    command->add_flag("--json", arguments->json, "one JSON object on stdout");
    command->callback([arguments] { runInfo(*arguments); });
}

}  // namespace sunder::cli
