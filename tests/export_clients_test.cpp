// Exports as other programs read them: Blender, VTK, Khronos' glTF validator, tinyusdz. What is not installed is
// skipped, with a word on how to get it; ./dev test installs them.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "child_process.h"
#include "io/files/test_scratch.h"
#include "io/recording/recording_reader.h"
#include "math/box.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using tests::ChildOptions;
using tests::ChildProcess;
using tests::contentsOf;

constexpr double kPatience = 500;  // s, for what takes a few
const fs::path kClients = fs::path(SUNDER_SOURCE_DIR) / "tests" / "clients";

/// The same as in clients/blender_import.py.
const std::array<Vec3, 6> kDirections{Vec3(1, 0, 0),          Vec3(0, 1, 0),          Vec3(0, 0, 1),
                                      Vec3(-0.48, 0.6, 0.64), Vec3(0.36, -0.48, 0.8), Vec3(-0.8, -0.36, -0.48)};

/// Of the programs on the path; empty: not there.
std::string programNamed(const std::string& name) {
    std::istringstream path(std::getenv("PATH") ? std::getenv("PATH") : "");
    for (std::string folder; std::getline(path, folder, ':');) {
        if (access((fs::path(folder) / name).c_str(), X_OK) == 0) return fs::path(folder) / name;
    }
    return "";
}

class ExportClients : public test::ScratchTest {
protected:
    std::string file(const std::string& name) const { return ScratchTest::file(name).string(); }

    bool run(const std::vector<std::string>& command) const {
        ChildProcess child(command, {.out = file("out.txt"), .err = file("err.txt")});
        EXPECT_TRUE(child.waitFor(kPatience)) << command[0];
        EXPECT_EQ(child.exitCode(), 0) << command[0] << "\n"
                                       << contentsOf(file("out.txt")) << contentsOf(file("err.txt"));
        return child.exitCode() == 0;
    }
    /// Two patterns, pieces that break again, shared meshes, a kinematic body, a floor.
    RecordingReader recorded() const {
        const fs::path scene = fs::path(SUNDER_SOURCE_DIR) / "tests" / "scenes" / "breaking.json";
        run({SUNDER_PROGRAM, "run", scene, "-o", file("rec.sunder")});
        return RecordingReader(file("rec.sunder"));
    }
    void exportTo(const std::string& name, std::vector<std::string> options = {}) const {
        std::vector<std::string> command{SUNDER_PROGRAM, "export", file("rec.sunder"), "-o", file(name)};
        command.insert(command.end(), options.begin(), options.end());
        run(command);
    }
    json answer() const { return json::parse(contentsOf(file("answer.json")), nullptr, false); }

    json importIntoBlender(const std::string& blender, const std::string& name, const std::string& script,
                           const std::vector<uint64_t>& frames) const {
        std::vector<std::string> command{blender,
                                         "-b",
                                         "--factory-startup",
                                         "--python-exit-code",
                                         "1",
                                         "--python",
                                         kClients / "blender_import.py",
                                         "--",
                                         file(name),
                                         file("answer.json"),
                                         script};
        for (const uint64_t frame : frames) command.push_back(std::to_string(frame));
        run(command);
        return answer();
    }
};

/// How far all of its vertices reach.
std::array<double, 6> reachOf(const TriMesh& mesh, const RigidTransform& worldFromMesh) {
    std::array<double, 6> reach;
    reach.fill(-INFINITY);
    for (const Vec3& p : mesh.positions) {
        const Vec3 world = worldFromMesh * p;
        for (size_t d = 0; d < reach.size(); ++d) reach[d] = std::max(reach[d], world.dot(kDirections[d]));
    }
    return reach;
}

/// Who is to be seen in Blender, and where, in these frames.
void compareFrames(RecordingReader& recording, const json& answer, const std::vector<uint64_t>& frames,
                   double tolerance) {
    const std::vector<RecordedBody> bodies = recording.bodies();
    for (const uint64_t frame : frames) {
        const json& seen = answer["frames"][std::to_string(frame)];
        const std::vector<RecordedPose> poses = recording.poses(frame);
        EXPECT_EQ(seen.size(), poses.size()) << "frame " << frame;
        for (const RecordedPose& pose : poses) {
            const RecordedBody& body = bodies[pose.body];
            ASSERT_TRUE(seen.contains(body.name)) << body.name << " in frame " << frame;
            if (!body.mesh) continue;  // the floor, which is as large as it is
            const std::array<double, 6> reach = reachOf(*recording.mesh(*body.mesh), pose.worldFromMesh);
            for (size_t d = 0; d < reach.size(); ++d)
                EXPECT_NEAR(seen[body.name][d].get<double>(), reach[d], tolerance) << body.name << ", frame " << frame;
        }
    }
}

void compareObjects(RecordingReader& recording, const json& answer) {
    size_t seen = 0;
    std::map<uint32_t, std::string> names;
    for (const RecordedBody& body : recording.bodies()) {
        names[body.id] = body.name;
        if (body.died && *body.died == body.born) continue;
        ++seen;
        ASSERT_TRUE(answer["objects"].contains(body.name)) << body.name;
        const json& facts = answer["objects"][body.name]["facts"];
        EXPECT_EQ(facts["mass"], body.mass);
        EXPECT_EQ(facts["born"], body.born);
        if (body.parent) {
            EXPECT_EQ(facts["parent"], names[*body.parent]);
        }
        if (body.mesh) {
            EXPECT_EQ(answer["objects"][body.name]["triangles"], recording.mesh(*body.mesh)->triangleCount());
        }
    }
    EXPECT_EQ(answer["objects"].size(), seen);
    EXPECT_EQ(answer["fps"], 30);
    EXPECT_EQ(answer["range"], json({0, 40}));
    std::set<std::string> materials;
    for (const json& name : answer["materials"]) materials.insert(name);
    for (const char* name : {"stone", "stone_inside", "chalk", "chalk_inside", "rough_inside", "steel", "floor"})
        EXPECT_TRUE(materials.contains(name)) << name;
    EXPECT_EQ(answer["objects"]["wall/p1"]["materials"], json({"stone", "stone_inside"}));
    EXPECT_EQ(answer["objects"]["ball"]["materials"], json({"steel"}));
}

TEST_F(ExportClients, BlenderShowsTheGlbAsItWasRecorded) {
    const std::string blender = programNamed("blender");
    if (blender.empty()) GTEST_SKIP() << "Blender is not installed: apt-get install blender";
    RecordingReader recording = recorded();
    exportTo("a.glb", {"--tolerance", "0.0005", "--blender-script"});
    const std::vector<uint64_t> frames{0, 5, 17, 24, 40};
    const json answer = importIntoBlender(blender, "a.glb", file("import_blender.py"), frames);
    ASSERT_TRUE(answer.is_object());
    compareObjects(recording, answer);
    compareFrames(recording, answer, frames, 0.00052);
    EXPECT_EQ(answer["camera"], "camera");
}

TEST_F(ExportClients, BlenderShowsPartsOfARecordingInTheirFrames) {
    const std::string blender = programNamed("blender");
    if (blender.empty()) GTEST_SKIP() << "Blender is not installed: apt-get install blender";
    RecordingReader recording = recorded();
    exportTo("a.glb", {"--from", "4", "--to", "30", "--tolerance", "0.0005", "--blender-script"});
    const std::vector<uint64_t> frames{4, 5, 30};
    const json answer = importIntoBlender(blender, "a.glb", file("import_blender.py"), frames);
    ASSERT_TRUE(answer.is_object());
    EXPECT_EQ(answer["range"], json({4, 30}));
    compareFrames(recording, answer, frames, 0.00052);
}

TEST_F(ExportClients, BlenderShowsTheFolderAsItWasRecorded) {
    const std::string blender = programNamed("blender");
    if (blender.empty()) GTEST_SKIP() << "Blender is not installed: apt-get install blender";
    RecordingReader recording = recorded();
    exportTo("pieces");
    const std::vector<uint64_t> frames{0, 5, 17, 24, 40};
    const json answer = importIntoBlender(blender, "pieces", file("pieces/import_blender.py"), frames);
    ASSERT_TRUE(answer.is_object());
    compareObjects(recording, answer);
    compareFrames(recording, answer, frames, 2e-5);
}

TEST_F(ExportClients, TheValidatorHasNothingToSay) {
    const std::string node = programNamed("node");
    if (node.empty() || !fs::exists(kClients / "node_modules" / "gltf-validator"))
        GTEST_SKIP() << "gltf-validator is not installed: npm ci --prefix tests/clients";
    recorded();
    exportTo("a.glb");
    run({node, kClients / "validate_gltf.cjs", file("a.glb"), file("answer.json")});
    const json issues = answer()["issues"];
    EXPECT_EQ(issues["numErrors"], 0);
    EXPECT_TRUE(issues["messages"].is_array() && issues["messages"].empty()) << issues.dump(1).substr(0, 3000);
}

TEST_F(ExportClients, VtkReadsWhatParaViewWill) {
    constexpr const char* kPython = "/usr/bin/python3";  // Debian's own, which has Debian's VTK
    ChildProcess probe({kPython, "-c", "import vtkmodules.vtkIOXML"});
    if (!probe.waitFor(kPatience) || probe.exitCode() != 0)
        GTEST_SKIP() << "VTK for Python is not installed: apt-get install python3-vtk9";
    RecordingReader recording = recorded();
    exportTo("a.pvd", {"--every", "8"});
    run({kPython, kClients / "read_vtu.py", file("a.pvd"), file("answer.json")});
    const json frames = answer();
    ASSERT_EQ(frames.size(), 6u);
    for (size_t i = 0; i < frames.size(); ++i) {
        const json& frame = frames[i];
        EXPECT_TRUE(frame["complaints"].empty());
        EXPECT_NEAR(frame["time"].get<double>(), double(8 * i) * recording.dt(), 1e-12);
        EXPECT_EQ(frame["time"], frame["field_time"]);
        size_t points = 0, cells = 0, inside = 0;
        std::vector<uint32_t> pieces;
        Box3 box;
        for (const RecordedPose& pose : recording.poses(8 * i)) {
            const std::shared_ptr<const TriMesh> mesh = recording.meshOf(pose.body);
            if (!mesh) continue;
            pieces.push_back(pose.body);
            points += mesh->vertexCount();
            cells += mesh->triangleCount();
            for (const uint8_t flag : mesh->inside) inside += flag;
            for (const Vec3& p : mesh->positions) box.add(pose.worldFromMesh * p);
        }
        EXPECT_EQ(frame["points"], points);
        EXPECT_EQ(frame["cells"], cells);
        EXPECT_EQ(frame["kinds"], json({5}));
        EXPECT_EQ(frame["pieces"], json(pieces));
        EXPECT_EQ(frame["inside"], inside);
        for (int axis = 0; axis < 3; ++axis) {
            EXPECT_NEAR(frame["bounds"][2 * axis].get<double>(), box.min[axis], 1e-5);
            EXPECT_NEAR(frame["bounds"][2 * axis + 1].get<double>(), box.max[axis], 1e-5);
        }
        EXPECT_EQ(frame["arrays"], json({"age", "inside", "material", "piece", "root", "speed"}));
        EXPECT_EQ(frame["materials"][0], "stone");
    }
    EXPECT_NEAR(frames[0]["fastest"].get<double>(), 14, 0.5) << "the ball";
}

TEST_F(ExportClients, TinyusdzReadsTheUsd) {
    const std::string node = programNamed("node");
    if (node.empty() || !fs::exists(kClients / "node_modules" / "tinyusdz"))
        GTEST_SKIP() << "tinyusdz is not installed: npm ci --prefix tests/clients";
    RecordingReader recording = recorded();
    exportTo("a.usda");
    run({node, kClients / "read_usd.mjs", file("a.usda"), file("answer.json")});
    const json read = answer();
    ASSERT_TRUE(read["ok"].get<bool>()) << read["error"];
    std::map<std::string, json> nodes;
    for (const json& one : read["nodes"]) nodes[one["path"]] = one;
    std::map<uint32_t, RigidTransform> start;  // from the centre of mass
    const std::vector<RecordedBody> bodies = recording.bodies();
    for (const RecordedPose& pose : recording.poses(0))
        start[pose.body] = {pose.worldFromMesh.rotation, pose.worldFromMesh * bodies[pose.body].centre};
    size_t seen = 0;
    for (const RecordedBody& body : bodies) {
        if (body.died && *body.died == body.born) continue;
        ++seen;
        std::string path = "/World/" + body.name;
        std::replace(path.begin() + 7, path.end(), '/', '_');
        ASSERT_TRUE(nodes.contains(path)) << path;
        ASSERT_TRUE(nodes.contains(path + "/mesh")) << path;
        EXPECT_GE(nodes[path + "/mesh"]["points"], 3) << path;
        if (!start.contains(body.id)) continue;
        // USD's matrices are applied from the right: axes and origin are rows
        const Mat3 rotation = start[body.id].rotation.toRotationMatrix();
        for (int row = 0; row < 4; ++row) {
            const Vec3 expected = row < 3 ? Vec3(rotation.col(row)) : start[body.id].translation;
            for (int axis = 0; axis < 3; ++axis)
                EXPECT_NEAR(nodes[path]["matrix"][4 * row + axis].get<double>(), expected[axis], 1e-6) << path;
        }
    }
    EXPECT_EQ(std::count_if(nodes.begin(), nodes.end(), [](const auto& one) { return one.second["type"] == "mesh"; }),
              static_cast<int64_t>(seen));
    for (const char* material : {"stone", "stone_inside", "steel"})
        EXPECT_TRUE(nodes.contains(std::string("/World/Materials/") + material)) << material;
    EXPECT_EQ(nodes["/World/camera"]["type"], "camera");
}

}  // namespace
}  // namespace sunder
