#include "io/exports/pieces.h"

#include <map>
#include <sstream>

#include <nlohmann/json.hpp>

#include "geometry/mesh/mass_properties.h"
#include "io/exports/test_exports.h"
#include "io/files/file_access.h"
#include "io/mesh/mesh_io.h"

namespace sunder {
namespace {

using nlohmann::json;

/// Rows by column; fields of these tables have no commas.
std::vector<std::map<std::string, std::string>> readCsv(const std::filesystem::path& path) {
    std::istringstream in(readWholeFile(path));
    std::vector<std::map<std::string, std::string>> rows;
    std::vector<std::string> names;
    for (std::string line; std::getline(in, line);) {
        std::istringstream fields(line + ",");
        std::vector<std::string> values;
        for (std::string value; std::getline(fields, value, ',');) values.push_back(value);
        if (names.empty()) {
            names = values;
            continue;
        }
        EXPECT_EQ(values.size(), names.size()) << line;
        rows.emplace_back();
        for (size_t i = 0; i < names.size(); ++i) rows.back()[names[i]] = values[i];
    }
    return rows;
}

class Pieces : public test::Exports {};

TEST_F(Pieces, TransformsBringEveryPieceToItsPlaceInEveryFrame) {
    RecordingReader recording = breaking(30);
    ExportOptions options;
    options.firstFrame = 5;
    exportTo(recording, "out", options);
    const json bodies = json::parse(readWholeFile(file("out") / "bodies.json"));
    EXPECT_EQ(bodies["frames_per_second"], 30);
    std::map<uint64_t, std::map<uint32_t, RigidTransform>> moved;
    for (auto row : readCsv(file("out") / "transforms.csv")) {
        const auto number = [&](const char* name) { return std::stod(row[name]); };
        moved[std::stoull(row["frame"])][static_cast<uint32_t>(std::stoul(row["body"]))] = {
            Quat(number("qw"), number("qx"), number("qy"), number("qz")), Vec3(number("x"), number("y"), number("z"))};
    }
    std::map<uint32_t, RigidTransform> here;
    for (uint64_t frame = 5; frame <= 30; ++frame) {
        for (const auto& [body, pose] : moved[frame]) here[body] = pose;
        const std::vector<RecordedPose> poses = recording.poses(frame);
        size_t alive = 0;
        for (const json& body : bodies["bodies"])
            alive += body["born"] <= frame && (body["died"].is_null() || body["died"] > frame);
        EXPECT_EQ(alive, poses.size());
        for (const RecordedPose& pose : poses) {
            ASSERT_TRUE(here.contains(pose.body)) << "frame " << frame << ", body " << pose.body;
            EXPECT_LE((here[pose.body].translation - pose.worldFromMesh.translation).norm(), 1e-8);
            EXPECT_LE(here[pose.body].rotation.normalized().angularDistance(pose.worldFromMesh.rotation), 1e-6);
        }
    }
    // JSON says the same
    const json transforms = json::parse(readWholeFile(file("out") / "transforms.json"));
    for (const json& frame : transforms["frames"]) {
        ASSERT_EQ(frame["poses"].size(), moved[frame["frame"].get<uint64_t>()].size());
        for (const json& pose : frame["poses"])
            EXPECT_EQ(pose[1], moved[frame["frame"].get<uint64_t>()][pose[0].get<uint32_t>()].translation.x());
    }
}

TEST_F(Pieces, FilesHaveTheSurfacesWithTheirMaterials) {
    RecordingReader recording = breaking(20);
    for (const MeshFormat format : {MeshFormat::Obj, MeshFormat::Ply}) {
        ExportOptions options;
        options.pieceFormat = format;
        const std::string name = nameOf(format);
        exportTo(recording, name, options);
        std::map<std::string, int> users;
        const json document = json::parse(readWholeFile(file(name) / "bodies.json"));
        for (const json& body : document["bodies"]) {
            ++users[body["file"]];
            if (body["half_space"]) continue;
            const TriMesh mesh = readMesh(file(name) / body["file"].get<std::string>()).mesh;
            const std::shared_ptr<const TriMesh> recorded = recording.meshOf(body["id"]);
            ASSERT_EQ(mesh.triangleCount(), recorded->triangleCount()) << body["name"];
            EXPECT_NEAR(volume(mesh), body["volume"].get<double>(), 1e-9);
            EXPECT_EQ(mesh.positions, recorded->positions) << "bit for bit, so that neighbours fit";
            ASSERT_FALSE(mesh.materials.empty());
            for (const TriangleIndex t : mesh.triangles.indices()) {
                const bool inside = !recorded->inside.empty() && recorded->inside[t];
                EXPECT_EQ(mesh.materialNames[mesh.materials[t]].ends_with("_inside"), inside);
            }
        }
        EXPECT_EQ(users["pieces/brick_r0c0." + name], 6) << "equal bricks share a file";
    }
    const std::string mtl = readWholeFile(file("obj") / "pieces" / "materials.mtl");
    for (const char* material : {"newmtl stone\n", "newmtl stone_inside\n", "newmtl steel\n"})
        EXPECT_NE(mtl.find(material), std::string::npos) << material;
}

TEST_F(Pieces, ImpactsAndBreaksComeAlong) {
    RecordingReader recording = breaking(30);
    exportTo(recording, "out");
    const auto rows = readCsv(file("out") / "impacts.csv");
    EXPECT_EQ(rows.size(), recording.impactCount());
    EXPECT_GT(rows.size(), 20u);
    const RecordedImpact first = recording.impacts(std::stoull(rows[0].at("frame"))).at(0);
    EXPECT_FLOAT_EQ(std::stof(rows[0].at("speed")), first.speed);
    EXPECT_FLOAT_EQ(std::stof(rows[0].at("nz")), first.normal[2]);
    const std::string ply = readWholeFile(file("out") / "impacts.ply");
    const size_t header = ply.find("end_header\n") + 11;
    EXPECT_EQ(ply.size() - header, rows.size() * 14 * 4);
    EXPECT_NE(ply.find("element vertex " + std::to_string(rows.size()) + "\n"), std::string::npos);
    size_t fractures = 0;
    for (const RecordedEvent& event : recording.events()) fractures += event.kind == "fracture";
    const auto breaks = readCsv(file("out") / "breaks.csv");
    EXPECT_EQ(breaks.size(), fractures);
    for (const auto& row : breaks) EXPECT_EQ(row.at("tension") + row.at("strain_energy"), "") << "prescored knows none";
    EXPECT_EQ(json::parse(readWholeFile(file("out") / "breaks.json"))["breaks"].size(), fractures);
}

TEST_F(Pieces, NamesOfFilesAreThoseThatEverySystemCanHave) {
    RecordingReader recording = recorded(R"({"version": 1, "bodies": [
      {"name": "a:b?", "shape": {"name": "box"}, "position": [0, 2, 0]},
      {"name": "A_b_", "shape": {"name": "sphere"}, "position": [3, 2, 0]},
      {"name": "con", "shape": {"name": "box", "width": 2}, "position": [9, 2, 0]}]})",
                                         1);
    exportTo(recording, "out");
    std::map<std::string, std::string> files;
    const json document = json::parse(readWholeFile(file("out") / "bodies.json"));
    for (const json& body : document["bodies"]) files[body["name"]] = body["file"];
    EXPECT_EQ(files["a:b?"], "pieces/a_b_.obj");
    EXPECT_EQ(files["A_b_"], "pieces/A_b__2.obj") << "differs from the first by more than case";
    EXPECT_EQ(files["con"], "pieces/con_.obj") << "a device of Windows";
}

TEST_F(Pieces, OnlyWhatAnExportMadeIsOverwrittenAndOnlyIfAsked) {
    RecordingReader recording = breaking(1);
    ExportOptions force;
    force.overwrite = true;
    std::filesystem::create_directory(file("mine"));
    std::ofstream(file("mine") / "a.txt") << "x";
    EXPECT_NE(complaint([&] { exportTo(recording, "mine", force); }).find("no export made"), std::string::npos);
    EXPECT_EQ(readWholeFile(file("mine") / "a.txt"), "x");
    std::ofstream(file("plain")) << "x";
    EXPECT_NE(complaint([&] { exportTo(recording, "plain", force); }).find("is a file"), std::string::npos);
    EXPECT_NE(complaint([&] { exportTo(recording, "no/such"); }).find("does not exist; make it first"),
              std::string::npos);

    std::filesystem::create_directory(file("out"));
    exportTo(recording, "out/");  // an empty folder may be used
    std::ofstream(file("out") / "pieces" / "old.obj") << "x";
    EXPECT_NE(complaint([&] { exportTo(recording, "out"); }).find("--force"), std::string::npos);
    exportTo(recording, "out", force);
    EXPECT_FALSE(std::filesystem::exists(file("out") / "pieces" / "old.obj"));
    EXPECT_EQ(filesLeft(), 3u) << "mine, plain, out, and nothing unfinished";

    Progress cancelled;
    cancelled.cancel();
    EXPECT_THROW(exportPieces(recording, file("stopped"), {}, cancelled), Cancelled);
    EXPECT_EQ(filesLeft(), 3u);
}

}  // namespace
}  // namespace sunder
