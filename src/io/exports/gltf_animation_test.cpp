#include "io/exports/gltf_animation.h"

#include <cmath>
#include <map>

#include <nlohmann/json.hpp>

#include "io/exports/blender_script.h"
#include "io/exports/test_exports.h"
#include "io/files/byte_order.h"
#include "io/files/file_access.h"
#include "io/mesh/mesh_io.h"

namespace sunder {
namespace {

using nlohmann::json;

/// A .glb as any reader sees it: nothing here knows how it was written.
class Glb {
public:
    explicit Glb(const std::filesystem::path& path) : bytes_(readWholeFile(path)) {
        const uint32_t size = loadAs<uint32_t>(bytes_, 12);
        document = json::parse(bytes_.substr(20, size));
        binary_ = 20 + size + 8;
        EXPECT_EQ(loadAs<uint32_t>(bytes_, 8), bytes_.size());
        EXPECT_EQ(document["buffers"][0]["byteLength"], bytes_.size() - binary_);
    }

    std::vector<std::vector<double>> floats(size_t accessor) const {
        const json& a = document["accessors"][accessor];
        const json& view = document["bufferViews"][a["bufferView"].get<size_t>()];
        const std::map<std::string, size_t> widths{{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}};
        const size_t width = widths.at(a["type"]);
        EXPECT_EQ(a["componentType"], 5126);
        size_t at = binary_ + view["byteOffset"].get<size_t>() + a["byteOffset"].get<size_t>();
        std::vector<std::vector<double>> values(a["count"].get<size_t>(), std::vector<double>(width));
        for (std::vector<double>& value : values) {
            for (double& x : value) x = loadAs<float>(bytes_, at), at += 4;
        }
        return values;
    }

    std::vector<Vec3> pointsOf(const json& node) const {
        std::vector<Vec3> points;
        for (const json& primitive : document["meshes"][node["mesh"].get<size_t>()]["primitives"])
            for (const std::vector<double>& p : floats(primitive["attributes"]["POSITION"]))
                points.push_back({p[0], p[1], p[2]});
        return points;
    }

    json document;

private:
    std::string bytes_;
    size_t binary_ = 0;
};

/// Plays the animation as the standard says.
class Player {
public:
    explicit Player(const Glb& glb) {
        for (const json& node : glb.document["nodes"]) {
            nodes_.push_back({});
            for (const char* path : {"translation", "rotation", "scale"})
                if (node.contains(path)) nodes_.back()[path].rest = node[path].get<std::vector<double>>();
        }
        const json& animation = glb.document["animations"][0];
        for (const json& channel : animation["channels"]) {
            const json& sampler = animation["samplers"][channel["sampler"].get<size_t>()];
            Curve& curve = nodes_[channel["target"]["node"].get<size_t>()][channel["target"]["path"]];
            for (const auto& time : glb.floats(sampler["input"])) curve.times.push_back(time[0]);
            curve.values = glb.floats(sampler["output"]);
            curve.step = sampler["interpolation"] == "STEP";
            for (size_t i = 1; i < curve.times.size(); ++i) EXPECT_LT(curve.times[i - 1], curve.times[i]);
            length = std::max(length, curve.times.back());
        }
    }

    struct Pose {
        Vec3 translation;
        Quat rotation;
        double scale = 1;
    };
    Pose at(size_t node, double time) const {
        const std::vector<double> t = value(node, "translation", time), r = value(node, "rotation", time),
                                  s = value(node, "scale", time);
        Pose pose{Vec3(t[0], t[1], t[2]), Quat(r[3], r[0], r[1], r[2]).normalized(), s.empty() ? 1 : s[0]};
        return pose;
    }

    double length = 0;  // s

private:
    struct Curve {
        std::vector<double> rest, times;
        std::vector<std::vector<double>> values;
        bool step = false;
    };

    std::vector<double> value(size_t node, const char* path, double time) const {
        const auto found = nodes_[node].find(path);
        if (found == nodes_[node].end()) return {};
        const Curve& curve = found->second;
        if (curve.times.empty()) return curve.rest;
        size_t k = 0;
        while (k + 1 < curve.times.size() && curve.times[k + 1] <= time) ++k;
        if (curve.step || k + 1 == curve.times.size() || time < curve.times[0]) return curve.values[k];
        const double s = (time - curve.times[k]) / (curve.times[k + 1] - curve.times[k]);
        const std::vector<double>&a = curve.values[k], &b = curve.values[k + 1];
        if (a.size() == 4) {
            const Quat q = Quat(a[3], a[0], a[1], a[2]).slerp(s, Quat(b[3], b[0], b[1], b[2]));
            return {q.x(), q.y(), q.z(), q.w()};
        }
        std::vector<double> result;
        for (size_t i = 0; i < a.size(); ++i) result.push_back((1 - s) * a[i] + s * b[i]);
        return result;
    }

    std::vector<std::map<std::string, Curve>> nodes_;
};

std::map<std::string, size_t> nodesByName(const Glb& glb) {
    std::map<std::string, size_t> nodes;
    for (size_t i = 0; i < glb.document["nodes"].size(); ++i) {
        if (!glb.document["nodes"][i].contains("mesh")) continue;
        EXPECT_TRUE(nodes.emplace(glb.document["nodes"][i]["name"], i).second) << "two nodes of one name";
    }
    return nodes;
}

class GltfAnimation : public test::Exports {
protected:
    /// In every frame: who is there, and how far every vertex is from where it was.
    void compare(RecordingReader& recording, const Glb& glb, uint64_t first, uint64_t last, double tolerance) {
        const std::vector<RecordedBody> bodies = recording.bodies();
        const std::map<std::string, size_t> nodes = nodesByName(glb);
        std::map<std::string, std::vector<Vec3>> points;
        for (const auto& [name, node] : nodes) points[name] = glb.pointsOf(glb.document["nodes"][node]);
        const Player player(glb);
        double worst = 0;
        for (uint64_t frame = first; frame <= last; ++frame) {
            const double time = static_cast<double>(frame - first) * recording.dt();
            std::map<std::string, RigidTransform> there;
            for (const RecordedPose& pose : recording.poses(frame))
                there[bodies[pose.body].name] = {pose.worldFromMesh.rotation,
                                                 pose.worldFromMesh * bodies[pose.body].centre};
            for (const auto& [name, node] : nodes) {
                const Player::Pose pose = player.at(node, time);
                ASSERT_EQ(pose.scale, there.contains(name) ? 1 : 0) << name << " in frame " << frame;
                if (!there.contains(name)) continue;
                for (const Vec3& p : points[name])
                    worst = std::max(worst, (pose.rotation * p + pose.translation - there[name] * p).norm());
            }
            for (const auto& [name, pose] : there) ASSERT_TRUE(nodes.contains(name)) << name;
        }
        EXPECT_LE(worst, tolerance + 1e-5) << "positions are rounded to float";
        EXPECT_GT(worst, 0);
    }
};

TEST_F(GltfAnimation, EveryVertexIsWhereItWasInEveryFrame) {
    RecordingReader recording = breaking(40);
    for (const double tolerance : {2e-4, 5e-3}) {
        ExportOptions options;
        options.tolerance = tolerance;
        exportTo(recording, "a.glb", options);
        const Glb glb(file("a.glb"));
        compare(recording, glb, 0, 40, tolerance);
        EXPECT_NEAR(Player(glb).length, 40 * recording.dt(), 1e-6) << "as long as the recording";
    }
}

TEST_F(GltfAnimation, PartsOfARecordingBeginAtZero) {
    RecordingReader recording = breaking(40);
    ExportOptions options;
    options.firstFrame = 17;
    options.lastFrame = 31;
    options.tolerance = 1e-4;
    exportTo(recording, "part.glb", options);
    const Glb glb(file("part.glb"));
    compare(recording, glb, 17, 31, 1e-4);
    EXPECT_EQ(glb.document["scenes"][0]["extras"]["first_frame"], 17);
}

TEST_F(GltfAnimation, KeysAreLeftOutWhereTheyAreNotNeeded) {
    RecordingReader recording = breaking(40);
    exportTo(recording, "sparse.glb");
    ExportOptions all;
    all.tolerance = 0;
    exportTo(recording, "all.glb", all);
    const auto keys = [&](const std::string& name) {
        const Glb glb(file(name));
        size_t count = 0;
        for (const json& sampler : glb.document["animations"][0]["samplers"])
            count += glb.document["accessors"][sampler["input"].get<size_t>()]["count"].get<size_t>();
        return count;
    };
    EXPECT_LT(keys("sparse.glb"), keys("all.glb"));
    ExportOptions coarse;
    coarse.tolerance = 0.02;
    exportTo(recording, "coarse.glb", coarse);
    EXPECT_LT(2 * keys("coarse.glb"), keys("all.glb")) << "flights too have fewer keys than frames";
    const Glb glb(file("sparse.glb"));
    const size_t asleep = nodesByName(glb).at("brick/r1c0");  // until the explosion in frame 24
    const json& animation = glb.document["animations"][0];
    for (const json& channel : animation["channels"]) {
        if (channel["target"]["node"] != asleep || channel["target"]["path"] != "translation") continue;
        const std::vector<std::vector<double>> times =
            glb.floats(animation["samplers"][channel["sampler"].get<size_t>()]["input"]);
        for (const std::vector<double>& time : times)
            EXPECT_TRUE(time[0] == 0 || time[0] > 23 * recording.dt() - 1e-6) << time[0];
    }
    EXPECT_EQ(Glb(file("sparse.glb")).document["scenes"][0]["extras"]["tolerance"], 1000 * recording.positionQuantum());
}

TEST_F(GltfAnimation, NamesAndNumbersOfPiecesAreKept) {
    RecordingReader recording = breaking(30);
    exportTo(recording, "a.glb");
    const Glb glb(file("a.glb"));
    const std::map<std::string, size_t> nodes = nodesByName(glb);
    const std::vector<RecordedBody> bodies = recording.bodies();
    size_t fragments = 0;
    for (const RecordedBody& body : bodies) {
        if (body.died && *body.died == body.born) continue;
        ASSERT_TRUE(nodes.contains(body.name)) << body.name;
        const json& extras = glb.document["nodes"][nodes.at(body.name)]["extras"];
        EXPECT_EQ(extras["mass"], body.mass);
        EXPECT_EQ(extras["volume"], body.volume);
        EXPECT_EQ(extras["born"], body.born);
        EXPECT_EQ(extras.contains("died"), body.died.has_value());
        EXPECT_EQ(extras["generation"], body.generation);
        if (body.parent) {
            EXPECT_EQ(extras["parent"], bodies[*body.parent].name);
            ++fragments;
        }
    }
    EXPECT_GE(fragments, 40u);
}

TEST_F(GltfAnimation, InsideFacesHaveAMaterialOfTheirOwn) {
    RecordingReader recording = breaking(30);
    exportTo(recording, "a.glb");
    const Glb glb(file("a.glb"));
    std::map<std::string, json> materials;
    for (const json& material : glb.document["materials"]) materials[material["name"]] = material;
    for (const char* name : {"stone", "stone_inside", "chalk_inside", "steel", "floor", "default"})
        EXPECT_TRUE(materials.contains(name)) << name;
    EXPECT_EQ(materials["steel"]["pbrMetallicRoughness"]["metallicFactor"], 1.0);
    EXPECT_EQ(materials["stone"]["pbrMetallicRoughness"]["metallicFactor"], 0.0);
    EXPECT_NE(materials["stone"]["pbrMetallicRoughness"], materials["stone_inside"]["pbrMetallicRoughness"]);
    const std::map<std::string, size_t> nodes = nodesByName(glb);
    const json& piece = glb.document["nodes"][nodes.at("wall/p1")];
    std::set<std::string> used;
    for (const json& primitive : glb.document["meshes"][piece["mesh"].get<size_t>()]["primitives"])
        used.insert(glb.document["materials"][primitive["material"].get<size_t>()]["name"]);
    EXPECT_TRUE(used.contains("stone_inside"));
    EXPECT_TRUE(used.contains("stone"));

    // our own reader sees them too
    const TriMesh mesh = readMesh(file("a.glb")).mesh;
    size_t inside = 0;
    for (const uint8_t flag : mesh.inside) inside += flag;
    EXPECT_GT(inside, 0u);
    EXPECT_LT(inside, mesh.triangleCount());
}

TEST_F(GltfAnimation, EqualThingsShareTheirMesh) {
    RecordingReader recording = breaking(2);
    exportTo(recording, "a.glb");
    const Glb glb(file("a.glb"));
    std::set<size_t> meshes;
    for (const json& node : glb.document["nodes"])
        if (node["name"].get<std::string>().starts_with("brick/")) meshes.insert(node["mesh"].get<size_t>());
    EXPECT_EQ(meshes.size(), 1u) << "six bricks";
}

TEST_F(GltfAnimation, MeshesWithTheirOwnMaterialsAndWithoutUvsAreKept) {
    std::ofstream(file("cube.obj"))
        << "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nusemtl gold\nf 1 4 3 2\nf 5 6 7 8\n"
           "usemtl silk\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
    RecordingReader recording = recorded(R"({"version": 1, "floor": false, "bodies": [
      {"name": "cube", "mesh": "cube.obj", "position": [0, 3, 0]},
      {"name": "box", "shape": {"name": "box", "width": 2, "height": 2, "depth": 2}, "position": [5, 3, 0]}]})",
                                         2);
    exportTo(recording, "a.glb");
    const TriMesh mesh = readMesh(file("a.glb")).mesh;
    EXPECT_NEAR(surfaceArea(mesh), 6 + 24, 1e-5);
    EXPECT_EQ(mesh.materialNames, (std::vector<std::string>{"gold", "silk", "default"}));
    double gold = 0;
    for (const TriangleIndex t : mesh.triangles.indices()) {
        if (mesh.materialNames[mesh.materials[t]] == "gold") gold += 0.5 * mesh.areaVector(t).norm();
        for (const Vec3& n : mesh.normals[t]) EXPECT_NEAR(n.dot(mesh.areaVector(t).normalized()), 1, 1e-5);
        for (const Vec2& uv : mesh.uvs[t]) EXPECT_LE(uv.cwiseAbs().maxCoeff(), 10);
    }
    EXPECT_NEAR(gold, 2, 1e-6);
    EXPECT_EQ(mesh.uvs.size(), mesh.triangleCount());
}

TEST_F(GltfAnimation, GlassLetsLightThroughAndCamerasAreWhereTheSceneSays) {
    RecordingReader recording = recorded(R"({
      "version": 1,
      "bodies": [{"name": "pane", "shape": {"name": "box"}, "position": [0, 2, 0], "material": {"look": "glass"}}],
      "view": {"camera": {"position": [0, 1, 5], "target": [0, 1, 0], "field_of_view": 90}, "light": [0, 1, 0]}
    })",
                                         4);
    exportTo(recording, "a.glb");
    const Glb glb(file("a.glb"));
    EXPECT_EQ(glb.document["extensionsUsed"],
              json({"KHR_lights_punctual", "KHR_materials_transmission", "KHR_materials_ior"}));
    const json& perspective = glb.document["cameras"][0]["perspective"];
    EXPECT_NEAR(perspective["yfov"].get<double>(), 2 * std::atan(9.0 / 16), 1e-12);
    for (const json& node : glb.document["nodes"]) {
        if (node["name"] == "camera") {
            EXPECT_EQ(node["translation"], json({0.0, 1.0, 5.0}));
            EXPECT_NEAR(std::abs(node["rotation"][3].get<double>()), 1, 1e-12) << "straight along -Z";
        }
        if (node["name"] == "sun") {
            const json& r = node["rotation"];
            const Vec3 shines = Quat(r[3], r[0], r[1], r[2]) * Vec3(0, 0, -1);
            EXPECT_NEAR((shines - Vec3(0, -1, 0)).norm(), 0, 1e-12);
        }
    }
}

TEST_F(GltfAnimation, TheSameRecordingGivesTheSameBytes) {
    RecordingReader recording = breaking(20);
    exportTo(recording, "a.glb");
    exportTo(recording, "b.glb");
    EXPECT_EQ(readWholeFile(file("a.glb")), readWholeFile(file("b.glb")));
}

TEST_F(GltfAnimation, ARecordingOfOneFrameHasNoAnimation) {
    RecordingReader recording = breaking(1);
    ExportOptions options;
    options.firstFrame = options.lastFrame = 0;
    exportTo(recording, "a.glb", options);
    EXPECT_FALSE(Glb(file("a.glb")).document.contains("animations"));
}

TEST_F(GltfAnimation, WhatIsWrongIsSaidAndLeavesNothingBehind) {
    RecordingReader recording = breaking(3);
    const auto refusal = [&](const ExportOptions& options) {
        return complaint([&] { exportTo(recording, "a.glb", options); });
    };
    ExportOptions beyond, backwards, negative;
    beyond.lastFrame = 4;
    EXPECT_NE(refusal(beyond).find("there is no frame 4; the recording's last one is 3"), std::string::npos);
    backwards.firstFrame = 2;
    backwards.lastFrame = 1;
    EXPECT_NE(refusal(backwards).find("frame 2 comes after --to 1"), std::string::npos);
    negative.tolerance = -1;
    EXPECT_NE(refusal(negative).find("0 (every frame as it was) or more"), std::string::npos);
    EXPECT_EQ(filesLeft(), 0u);

    struct Stop : ProgressSink {
        void show(const ProgressState&) override {}
    } sink;
    Progress cancelled(&sink);
    cancelled.cancel();
    EXPECT_THROW(exportGlb(recording, file("a.glb"), {}, cancelled), Cancelled);
    EXPECT_EQ(filesLeft(), 0u) << "a cancelled export";
}

TEST_F(GltfAnimation, TheBlenderScriptComesAlongAndKeepsWhatIsThere) {
    RecordingReader recording = breaking(1);
    ExportOptions options;
    options.blenderScript = true;
    exportTo(recording, "a.glb", options);
    EXPECT_EQ(readWholeFile(file(kBlenderScriptName)), blenderScript());
    EXPECT_EQ(blenderScript(),
              readWholeFile(std::filesystem::path(SUNDER_SOURCE_DIR) / "src" / "io" / "exports" / kBlenderScriptName));
    std::ofstream(file(kBlenderScriptName)) << "mine";
    EXPECT_NE(complaint([&] { exportTo(recording, "a.glb", options); }).find("--force"), std::string::npos);
    EXPECT_EQ(readWholeFile(file(kBlenderScriptName)), "mine");
}

}  // namespace
}  // namespace sunder
