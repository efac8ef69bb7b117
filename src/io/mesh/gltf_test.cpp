#include "io/mesh/gltf.h"

#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "geometry/mesh/mass_properties.h"
#include "geometry/mesh/topology.h"
#include "io/files/byte_order.h"
#include "io/mesh/test_support.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::tri;

std::string refusal(const std::string& text) { return test::refusalOf(text, MeshFormat::Gltf); }

/// Packs a .glb from JSON and a buffer.
std::string packGlb(const std::string& text, const std::string& buffer) {
    std::string bytes = "glTF";
    store(bytes, uint32_t{2});
    store(bytes, static_cast<uint32_t>(28 + text.size() + buffer.size()));
    store(bytes, static_cast<uint32_t>(text.size()));
    bytes += "JSON" + text;
    store(bytes, static_cast<uint32_t>(buffer.size()));
    return bytes + std::string("BIN\0", 4) + buffer;
}

/// Four corners of the unit square as floats (48 bytes), then indices 0 1 2 2 1 3 as bytes (6, padded to 8).
std::string squareBuffer() {
    std::string bytes;
    for (const float x : {0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, 0.f, 1.f, 1.f, 0.f}) store(bytes, x);
    return bytes + std::string("\0\1\2\2\1\3\0\0", 8);
}

/// A square in the xy plane with normal +z.
json squareJson() {
    return json::parse(R"({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
                      {"bufferView": 1, "componentType": 5121, "count": 6, "type": "SCALAR"}],
        "bufferViews": [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 6}],
        "buffers": [{"byteLength": 56}]})");
}

MeshFile readSquare(const json& text, const std::string& buffer = squareBuffer()) {
    return test::readBytes(packGlb(text.dump(), buffer), MeshFormat::Glb);
}

TEST(Gltf, IndexedTriangles) {
    const TriMesh mesh = readSquare(squareJson()).mesh;
    EXPECT_EQ(mesh.vertexCount(), 4u);
    EXPECT_EQ(mesh.triangles.items(), (std::vector<Triangle>{tri(0, 1, 2), tri(2, 1, 3)}));
    EXPECT_TRUE(mesh.uvs.empty() && mesh.normals.empty() && mesh.materials.empty() && mesh.inside.empty());
}

TEST(Gltf, StripsAndFansTurnAsTheyShould) {
    for (const int mode : {5, 6}) {
        json text = squareJson();
        text["meshes"][0]["primitives"][0]["mode"] = mode;
        text["accessors"][1]["count"] = 4;
        std::string buffer = squareBuffer();
        buffer.replace(48, 4, mode == 5 ? std::string("\0\1\2\3", 4) : std::string("\0\1\3\2", 4));
        const TriMesh mesh = readSquare(text, buffer).mesh;
        ASSERT_EQ(mesh.triangleCount(), 2u);
        double area = 0;
        for (const TriangleIndex t : mesh.triangles.indices()) {
            EXPECT_GT(mesh.areaVector(t).z(), 0);
            area += mesh.areaVector(t).z() / 2;
        }
        EXPECT_EQ(area, 1);
    }
}

TEST(Gltf, NodesMoveTurnScaleAndNest) {
    json text = squareJson();
    text["nodes"] = json::parse(R"([
        {"children": [1], "translation": [10, 0, 0], "rotation": [0, 0, 0.70710678118654757, 0.70710678118654757]},
        {"mesh": 0, "scale": [2, 3, 4], "translation": [1, 0, 0]}])");
    const TriMesh mesh = readSquare(text).mesh;
    // corner (1, 0, 0) -> scaled (2, 0, 0) -> moved (3, 0, 0) -> turned (0, 3, 0) -> moved (10, 3, 0)
    EXPECT_LT((mesh.positions.items()[1] - Vec3(10, 3, 0)).norm(), 1e-12);
    EXPECT_LT((mesh.positions.items()[3] - Vec3(7, 3, 0)).norm(), 1e-12);
}

TEST(Gltf, MirroringNodeKeepsTheOutside) {
    std::string glb = meshBytes(test::richTetrahedron(), MeshFormat::Glb, "");
    const uint32_t length = loadAs<uint32_t>(glb, 12);
    json text = json::parse(glb.substr(20, length));
    text["nodes"][0]["matrix"] = {-2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 0, 0, 1};
    const TriMesh mesh = test::readBytes(packGlb(text.dump(), glb.substr(28 + length)), MeshFormat::Glb).mesh;
    EXPECT_NEAR(volume(mesh), 2 * 0.1 / 6, 1e-8);
    for (const TriangleIndex t : mesh.triangles.indices()) {
        for (const Vec3& n : mesh.normals[t]) EXPECT_LT((n - mesh.areaVector(t).normalized()).norm(), 1e-6);
    }
}

TEST(Gltf, TwoNodesShareAMeshButNotVertices) {
    json text = squareJson();
    text["nodes"] = json::parse(R"([{"mesh": 0}, {"mesh": 0}])");
    text["scenes"][0]["nodes"] = {0, 1};
    const TriMesh mesh = readSquare(text).mesh;
    EXPECT_EQ(mesh.triangleCount(), 4u);
    EXPECT_EQ(mesh.vertexCount(), 8u);
}

TEST(Gltf, WithoutSceneAllRootsAndWithoutNodesAllMeshes) {
    json text = squareJson();
    text.erase("scene");
    text.erase("scenes");
    text["nodes"] = json::parse(R"([{"mesh": 0}, {"children": [0]}, {"mesh": 0, "translation": [1, 2, 3]}])");
    EXPECT_EQ(readSquare(text).mesh.triangleCount(), 4u);
    text.erase("nodes");
    EXPECT_EQ(readSquare(text).mesh.triangleCount(), 2u);
}

TEST(Gltf, InterleavedAndNormalisedAttributes) {
    // per vertex 20 bytes: position (3 floats), u and v (unsigned short), normal (signed byte, padded)
    std::string buffer;
    for (int i = 0; i < 3; ++i) {
        for (int axis = 0; axis < 3; ++axis) store(buffer, axis == i ? 1.f : 0.f);
        store(buffer, static_cast<uint16_t>(i == 0 ? 65535 : 0));
        store(buffer, uint16_t{0});
        buffer += std::string("\0\0\x7f\0", 4);
    }
    json text = squareJson();
    text["meshes"][0]["primitives"] = json::parse(R"([{"attributes": {"POSITION": 0, "TEXCOORD_0": 1, "NORMAL": 2}}])");
    text["accessors"] = json::parse(R"([
        {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
        {"bufferView": 0, "byteOffset": 12, "componentType": 5123, "normalized": true, "count": 3, "type": "VEC2"},
        {"bufferView": 0, "byteOffset": 16, "componentType": 5120, "normalized": true, "count": 3, "type": "VEC3"}])");
    text["bufferViews"] = json::parse(R"([{"buffer": 0, "byteLength": 60, "byteStride": 20}])");
    text["buffers"][0]["byteLength"] = 60;
    const TriMesh mesh = readSquare(text, buffer).mesh;
    EXPECT_EQ(mesh.positions.items(), (std::vector<Vec3>{Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)}));
    EXPECT_EQ(mesh.uvs.items()[0][0], Vec2(1, 1));  // v counts from the top in the file
    EXPECT_EQ(mesh.normals.items()[0][0], Vec3(0, 0, 1));
}

TEST(Gltf, SparseAccessorReplacesElements) {
    json text = squareJson();
    std::string buffer = squareBuffer();
    buffer += std::string("\3\0\0\0", 4);  // replace element 3
    for (const float x : {5.f, 6.f, 7.f}) store(buffer, x);
    text["accessors"][0]["sparse"] = json::parse(R"({"count": 1, "indices": {"bufferView": 2, "componentType": 5121},
                                                     "values": {"bufferView": 3}})");
    text["bufferViews"].push_back(json::parse(R"({"buffer": 0, "byteOffset": 56, "byteLength": 1})"));
    text["bufferViews"].push_back(json::parse(R"({"buffer": 0, "byteOffset": 60, "byteLength": 12})"));
    text["buffers"][0]["byteLength"] = 72;
    EXPECT_EQ(readSquare(text, buffer).mesh.positions.items()[3], Vec3(5, 6, 7));
}

TEST(Gltf, VerticesSplitByAttributesAreWelded) {
    const TriMesh mesh = test::readBytes(meshBytes(test::richTetrahedron(), MeshFormat::Glb, ""), MeshFormat::Glb).mesh;
    EXPECT_EQ(mesh.vertexCount(), 4u);  // 12 in the file
    EXPECT_TRUE(isClosedManifold(mesh));
}

TEST(Gltf, MaterialsAndOtherPrimitives) {
    json text = squareJson();
    text["materials"] = json::parse(R"([{"name": "unused"}, {"name": "wood"}, {}])");
    auto& primitives = text["meshes"][0]["primitives"];
    primitives.push_back(primitives[0]);
    primitives.push_back(primitives[0]);
    primitives.push_back(primitives[0]);
    primitives[1]["material"] = 1;
    primitives[2]["material"] = 2;
    primitives[3]["mode"] = 1;
    const MeshFile file = readSquare(text);
    EXPECT_EQ(file.mesh.materialNames, (std::vector<std::string>{"default", "wood", "material_2"}));
    EXPECT_EQ(file.mesh.materials.items(), (std::vector<uint32_t>{0, 0, 1, 1, 2, 2}));
    EXPECT_EQ(file.notes, std::vector<std::string>{"1 primitive of points or lines passed over"});
}

TEST(Gltf, ExternalBuffersStayInTheFolder) {
    const fs::path folder = fs::path(testing::TempDir()) / "sunder_gltf_external";
    fs::remove_all(folder);
    fs::create_directories(folder / "sub");
    std::ofstream(folder / "sub" / "a b.bin", std::ios::binary) << squareBuffer();
    std::ofstream(fs::path(testing::TempDir()) / "sunder_outside.bin", std::ios::binary) << squareBuffer();
    fs::create_symlink(fs::path(testing::TempDir()) / "sunder_outside.bin", folder / "link.bin");
    const auto read = [&](const std::string& uri) {
        json text = squareJson();
        text["buffers"][0]["uri"] = uri;
        std::ofstream(folder / "x.gltf") << text.dump();
        return readMesh(folder / "x.gltf").mesh.triangleCount();
    };
    EXPECT_EQ(read("sub/a%20b.bin"), 2u);
    EXPECT_EQ(read("./sub/a b.bin"), 2u);
    for (const char* uri :
         {"../sunder_outside.bin", "%2e%2e/sunder_outside.bin", "sub/../../sunder_outside.bin", "link.bin",
          "/etc/passwd", "file:///etc/passwd", "http://example.com/a.bin", "..\\x.bin", "", "none.bin"}) {
        EXPECT_THROW(read(uri), InputError) << uri;
    }
    fs::remove_all(folder);
    fs::remove(fs::path(testing::TempDir()) / "sunder_outside.bin");
}

TEST(Gltf, RefusalsNamePlaceValueAndWhatIsAllowed) {
    struct Case {
        const char* pointer;
        json value;
        const char* expected;
    };
    const Case cases[] = {
        {"/asset/version", "1.0", "/asset/version: is '1.0'; only glTF 2.x"},
        {"/extensionsRequired", {"KHR_draco_mesh_compression"}, "requires the extension 'KHR_draco_mesh_compression'"},
        {"/extensionsRequired",
         {"KHR_materials_unlit", "EXT_meshopt_compression"},
         "/extensionsRequired/1: the file requires the extension 'EXT_meshopt"},
        {"/scene", 3, "/scene: names number 3 of 'scenes', but there are only 1"},
        {"/scenes/0/nodes/0", -1, "/scenes/0/nodes/0: is '-1'; a whole number"},
        {"/nodes/0/mesh", 1, "/nodes/0: names number 1 of 'meshes'"},
        {"/nodes/0/children", {0}, "/nodes/0: is reached twice"},
        {"/nodes/0/matrix", {1, 2}, "/nodes/0/matrix: should be an array of 16 numbers"},
        {"/nodes/0/rotation", {0, 0, 0, 0}, "is no rotation"},
        {"/meshes/0/primitives/0/mode", 7, "has mode 7"},
        {"/meshes/0/primitives/0/indices", 9, "names number 9 of 'accessors'"},
        {"/meshes/0/primitives/0/attributes/NORMAL", 1, "/accessors/1: has type 'SCALAR'; VEC3 is expected"},
        {"/accessors/0/count", 5,
         "/accessors/0: 5 elements from byte 0 on, 12 bytes apart, do not fit into the 48 bytes"},
        {"/accessors/0/count", 3, "has vertex index 3, but only 3 vertices"},
        {"/accessors/0/count", 1e12, "out of all proportion"},
        {"/accessors/0/componentType", 5124, "unknown componentType 5124"},
        {"/accessors/1/count", 5, "has 5 corners, which make no whole triangles"},
        {"/accessors/1/componentType", 5126, "indices of componentType 5126"},
        {"/bufferViews/0/byteLength", 4000, "takes bytes 0 to 4000 of a buffer of 56 bytes"},
        {"/bufferViews/0/byteStride", 4, "has byteStride 4"},
        {"/bufferViews/0/byteOffset", 1e15, "byteOffset: is '1e+15'"},
        {"/buffers/0/byteLength", 57, "should have 57 bytes, but only 56 bytes are there"},
        {"/buffers/0/uri", "data:;base64,$$$$", "not valid base64"},
        {"/buffers/0/uri", "data:text/plain,hello", "only base64 is allowed"},
        {"/meshes/0/primitives", 5, "/meshes/0/primitives: is no array"}};
    for (const Case& c : cases) {
        json text = squareJson();
        text[json::json_pointer(c.pointer)] = c.value;
        const std::string message = test::refusalOf(packGlb(text.dump(), squareBuffer()), MeshFormat::Glb);
        EXPECT_NE(message.find(c.expected), std::string::npos) << c.pointer << " gave: " << message;
        EXPECT_TRUE(message.starts_with("test.glb: ")) << message;
    }
    EXPECT_NE(refusal("{\"asset\": ").find("test.gltf: byte 10: the JSON part is damaged"), std::string::npos)
        << refusal("{\"asset\": ");
    EXPECT_NE(refusal("[]").find("is no object"), std::string::npos);
    EXPECT_NE(refusal("{}").find("/asset/version: is missing"), std::string::npos);
    EXPECT_NE(refusal(squareJson().dump()).find("has no 'uri'"), std::string::npos);
    EXPECT_NE(refusal("{\"asset\": {\"version\": \"2.0\"}}").find("no triangles"), std::string::npos);
}

TEST(Gltf, NonFinitePositionIsRefused) {
    std::string buffer = squareBuffer();
    buffer.replace(12, 4, std::string("\0\0\xc0\x7f", 4));
    const std::string message = test::refusalOf(packGlb(squareJson().dump(), buffer), MeshFormat::Glb);
    EXPECT_NE(message.find("/accessors/0: vertex 1 is (nan, 0, 0), a non-finite"), std::string::npos) << message;
}

TEST(Gltf, DamagedContainersAreRefused) {
    const std::string good = packGlb(squareJson().dump(), squareBuffer());
    for (const size_t size : {size_t{3}, size_t{4}, size_t{12}, size_t{19}, size_t{40}, good.size() - 1}) {
        EXPECT_NE(test::refusalOf(good.substr(0, size), MeshFormat::Glb), "") << size;
    }
    std::string old = good;
    old[4] = 1;
    EXPECT_NE(test::refusalOf(old, MeshFormat::Glb).find("byte 4: binary glTF version 1"), std::string::npos);
    EXPECT_NE(test::refusalOf(good, MeshFormat::Gltf).find("rename it to .glb"), std::string::npos);
}

TEST(Gltf, WrittenBuffersFollowTheRulesOfTheFormat) {
    const std::string glb = meshBytes(test::richTetrahedron(), MeshFormat::Glb, "");
    EXPECT_EQ(loadAs<uint32_t>(glb, 8), glb.size());
    EXPECT_EQ(glb.size() % 4, 0u);
    const json text = json::parse(glb.substr(20, loadAs<uint32_t>(glb, 12)));
    ASSERT_EQ(text["meshes"][0]["primitives"].size(), 4u);
    for (const json& view : text["bufferViews"]) {
        EXPECT_EQ(view["byteOffset"].get<int>() % 4, 0);
        EXPECT_EQ(view.contains("byteStride"), view["target"] == 34962);  // required when accessors share a view
    }
    for (const json& primitive : text["meshes"][0]["primitives"]) {
        const json& position = text["accessors"][primitive["attributes"]["POSITION"].get<size_t>()];
        EXPECT_EQ(position["min"].size(), 3u);
        EXPECT_EQ(position["max"].size(), 3u);
    }
}

TEST(Gltf, ExplodingScenesAreRefusedQuickly) {
    // a thousand nodes, each with a mesh of a thousand primitives, each with all triangles of one accessor
    json text = squareJson();
    text["accessors"][1]["count"] = 60000;
    text["accessors"][1]["componentType"] = 5121;
    std::string buffer = squareBuffer();
    buffer.resize(48 + 60000, '\0');
    text["bufferViews"][1]["byteLength"] = 60000;
    text["buffers"][0]["byteLength"] = buffer.size();
    for (int i = 1; i < 1000; ++i) {
        text["nodes"].push_back({{"mesh", 0}});
        text["scenes"][0]["nodes"].push_back(i);
        text["meshes"][0]["primitives"].push_back(text["meshes"][0]["primitives"][0]);
    }
    const std::string message = test::refusalOf(packGlb(text.dump(), buffer), MeshFormat::Glb);
    EXPECT_NE(message.find("out of all proportion"), std::string::npos) << message;
}

}  // namespace
}  // namespace sunder
