#include "io/mesh/ply.h"

#include <gtest/gtest.h>

#include "io/files/byte_order.h"
#include "io/mesh/test_support.h"

namespace sunder {
namespace {

using test::tri;

MeshFile readPlyBytes(std::string_view bytes) { return test::readBytes(bytes, MeshFormat::Ply); }
std::string refusal(std::string_view bytes) { return test::refusalOf(bytes, MeshFormat::Ply); }

const std::string kHeader =
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
    "element face 1\nproperty list uchar int vertex_indices\nend_header\n";

/// A number in big endian.
template <class T>
std::string big(T value) {
    std::string bytes;
    store(bytes, value);
    return {bytes.rbegin(), bytes.rend()};
}

TEST(Ply, AsciiByPropertyName) {
    const std::string text =
        "ply\r\nformat ascii 1.0\r\ncomment # hi\r\nobj_info x\r\nelement junk 2\r\nproperty list uchar float a\r\n"
        "property char b\r\nelement vertex 3\r\nproperty double z\r\nproperty uchar red\r\nproperty float y\r\n"
        "property list int int tags\r\nproperty float x\r\nelement face 2\r\nproperty uchar flag\r\n"
        "property list uint8 uint32 vertex_index\r\nend_header\r\n"
        "3 1 2 3 4\r\n0 5\r\n"
        "0 255 0 2 7 7 0\r\n0 255 0 0 1\r\n0 255 1 0 0\r\n"
        "1 3 0 1 2\r\n1 4 0 1 2 1\r\n";
    const MeshFile file = readPlyBytes(text);
    EXPECT_EQ(file.mesh.positions.items(), (std::vector<Vec3>{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)}));
    EXPECT_EQ(file.mesh.triangleCount(), 3u);
    EXPECT_EQ(file.mesh.triangles.items()[0], tri(0, 1, 2));
    EXPECT_EQ(file.notes, std::vector<std::string>{"element 'junk' passed over"});
}

TEST(Ply, BigEndianWithAllTypes) {
    std::string bytes =
        "ply\nformat binary_big_endian 1.0\nelement vertex 3\nproperty short x\nproperty double y\nproperty uchar z\n"
        "property float nx\nproperty float ny\nproperty float nz\nproperty float s\nproperty float t\n"
        "element face 1\nproperty list ushort uint vertex_indices\nproperty int material\nend_header\n";
    const double y[] = {0.5, 1e300, -2};
    for (int i = 0; i < 3; ++i) {
        bytes += big(int16_t(-300 * i)) + big(y[i]) + big(uint8_t(200 + i)) + big(0.0f) + big(3.0f) + big(0.0f) +
                 big(0.25f * static_cast<float>(i)) + big(1.0f);
    }
    bytes += big(uint16_t{3}) + big(uint32_t{2}) + big(uint32_t{0}) + big(uint32_t{1}) + big(int32_t{17});
    const TriMesh mesh = readPlyBytes(bytes).mesh;
    EXPECT_EQ(mesh.positions.items(),
              (std::vector<Vec3>{Vec3(0, 0.5, 200), Vec3(-300, 1e300, 201), Vec3(-600, -2, 202)}));
    EXPECT_EQ(mesh.triangles.items(), std::vector<Triangle>{tri(2, 0, 1)});
    EXPECT_EQ(mesh.normals.items()[0][0], Vec3(0, 1, 0));
    EXPECT_EQ(mesh.uvs.items()[0][0], Vec2(0.5, 1));
    EXPECT_EQ(mesh.materialNames, std::vector<std::string>{"material_17"});
}

TEST(Ply, BinaryBodyMayStartWithTheByteOfALineEnd) {
    for (const char* end : {"\n", "\r\n", "\r"}) {
        std::string bytes;
        for (const char* line :
             {"ply", "format binary_little_endian 1.0", "element vertex 3", "property uchar x", "property uchar y",
              "property uchar z", "element face 1", "property list uchar uchar vertex_indices", "end_header"}) {
            bytes += std::string(line) + end;
        }
        bytes += std::string("\n\r\n\r\n\r\x01\x02\x03\x03\x00\x01\x02", 13);
        const TriMesh mesh = readPlyBytes(bytes).mesh;
        EXPECT_EQ(mesh.positions.items()[0], Vec3(10, 13, 10));
        EXPECT_EQ(mesh.triangles.items(), std::vector<Triangle>{tri(0, 1, 2)});
    }
}

TEST(Ply, FacesMayComeBeforeVertices) {
    const TriMesh mesh =
        readPlyBytes(
            "ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int vertex_indices\n"
            "property list uchar float texcoord\n"
            "element vertex 3\nproperty float x\nproperty float y\nproperty float z\nproperty float u\n"
            "property float v\nend_header\n3 0 1 2 6 .5 .5 .25 .25 0 0\n0 0 0 9 9\n1 0 0 9 9\n0 1 0 9 9\n")
            .mesh;
    EXPECT_EQ(mesh.uvs.items()[0][1], Vec2(0.25, 0.25));
}

TEST(Ply, TriangleStrips) {
    const TriMesh mesh =
        readPlyBytes(
            "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty float z\n"
            "element tristrips 1\nproperty list int int vertex_indices\nend_header\n"
            "0 0 0\n1 0 0\n0 1 0\n1 1 0\n5 5 5\n9 0 1 2 3 -1 1 2 4 4\n")
            .mesh;
    EXPECT_EQ(mesh.triangles.items(), (std::vector<Triangle>{tri(0, 1, 2), tri(1, 3, 2), tri(1, 2, 4)}));
}

TEST(Ply, RefusalsNamePlaceValueAndWhatIsAllowed) {
    std::string binary = kHeader;
    binary.replace(binary.find("ascii"), 5, "binary_little_endian");
    const std::pair<std::string, std::string> cases[] = {
        {"pLy\n", "line 1: the file starts with 'pLy'; a PLY file starts with the line 'ply'"},
        {"ply\nformat ascii 1.0\n", "the file ends within the header"},
        {"ply\nformat binary_middle_endian 1.0\nend_header\n",
         "line 2: format 'binary_middle_endian'; allowed are ascii"},
        {"ply\nformat ascii 2.0\nend_header\n", "PLY version '2.0'"},
        {"ply\nelement vertex -3\n", "element 'vertex' has count -3"},
        {"ply\nelement vertex x\n", "count of the element is 'x'"},
        {"ply\nelement vertex 3\nelement vertex 3\n", "declared twice"},
        {"ply\nproperty float x\n", "property before any element"},
        {"ply\nelement vertex 3\nproperty int64 x\n", "type 'int64'; allowed are char"},
        {"ply\nelement vertex 3\nproperty list float int x\n", "count of a list cannot be a float"},
        {"ply\nbanana\n", "'banana' in the header"},
        {"ply\nelement vertex 1\nend_header\n", "no line 'format"},
        {"ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n3 0 0 0\n",
         "no element 'vertex'"},
        {"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nend_header\n1 2\n",
         "lacks property x, y or z"},
        {"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nelement face "
         "1\nproperty int a\nend_header\n1 2 3\n4\n",
         "lacks the list vertex_indices"},
        {kHeader + "0 0 0\n1 0 0\n", "the header promises 3 of element 'vertex', but there are only 2"},
        {kHeader + "0 0 0\n1 0\n0 1 0\n3 0 1 2\n", "line 11: z is missing"},
        {kHeader + "0 0 0\n1 0 0 9\n0 1 0\n3 0 1 2\n", "line 11: '9' follows the last property"},
        {kHeader + "0 0 0\n1 0 nan\n0 1 0\n3 0 1 2\n", "line 11: vertex 1 is (1, 0, nan), a non-finite"},
        {kHeader + "0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", "line 13: vertex index 3, but the file has only 3 vertices"},
        {kHeader + "0 0 0\n1 0 0\n0 1 0\n3 0 1 1.5\n", "vertex index 1.5"},
        {kHeader + "0 0 0\n1 0 0\n0 1 0\n2 0 1\n", "face with 2 vertices"},
        {kHeader + "0 0 0\n1 0 0\n0 1 0\n-1 0 1\n", "list 'vertex_indices' has length -1"},
        {kHeader + "0 0 0\n1 0 0\n0 1 0\n4000000000 0 1\n", "list 'vertex_indices' has length 4000000000"},
        {binary + "short", "truncated: 3 of element 'vertex' need at least 36 bytes from here, but only 5 are left"},
        {binary + std::string(36, '\0') + "\x03" + std::string(9, '\0'),
         "truncated: 'vertex_indices' needs 4 bytes, but only 1 left"},
        {binary + std::string(36, '\0') + "\xff" + std::string(9, '\0'), "list 'vertex_indices' has length 255"}};
    for (const auto& [bytes, expected] : cases) {
        const std::string message = refusal(bytes);
        EXPECT_NE(message.find(expected), std::string::npos)
            << bytes << "\n gave: " << message << "\n not: " << expected;
        EXPECT_TRUE(message.starts_with("test.ply: ")) << message;
    }
}

TEST(Ply, AnEmptyElementOfBillionsTakesNoTime) {
    EXPECT_EQ(readPlyBytes("ply\nformat ascii 1.0\nelement nothing 4000000000\nelement vertex 3\nproperty float x\n"
                           "property float y\nproperty float z\nelement face 1\n"
                           "property list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")
                  .mesh.triangleCount(),
              1u);
}

}  // namespace
}  // namespace sunder
