#include "io/mesh/off.h"

#include <gtest/gtest.h>

#include "io/mesh/test_support.h"

namespace sunder {
namespace {

using test::tri;

MeshFile readOffText(std::string_view text) { return test::readBytes(text, MeshFormat::Off); }
std::string refusal(std::string_view text) { return test::refusalOf(text, MeshFormat::Off); }

TEST(Off, HeaderVariantsReadTheSame) {
    const char* texts[] = {
        "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", "OFF 3 1 3\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2",
        "OFF3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
        "\xef\xbb\xbf# comment\nOFF # header\n\n# counts\n3 1\r\n0 0 0\r\n\r\n1 0 0\r\n0 1 0 # last\r\n3 0 1 2\r\n",
        "COFF 3 1 0\n0 0 0 255 0 0 255\n1 0 0 0.5 0.5 0.5\n0 1 0 7\n3 0 1 2 255 0 0\n"};
    for (const char* text : texts) {
        SCOPED_TRACE(text);
        const TriMesh mesh = readOffText(text).mesh;
        EXPECT_EQ(mesh.positions.items(), (std::vector<Vec3>{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)}));
        EXPECT_EQ(mesh.triangles.items(), std::vector<Triangle>{tri(0, 1, 2)});
    }
}

TEST(Off, NormalsAndTextureCoordinates) {
    const TriMesh mesh =
        readOffText(
            "STCNOFF\n3 1 0\n0 0 0 0 0 2 255 0 0 255 0.25 0.5\n1 0 0 0 0 1 9 9 9 1 0\n0 1 0 1 0 0 1 2 3 0 1\n3 0 1 2\n")
            .mesh;
    ASSERT_EQ(mesh.normals.size(), 1u);
    ASSERT_EQ(mesh.uvs.size(), 1u);
    EXPECT_EQ(mesh.normals.items()[0][0], Vec3(0, 0, 1));
    EXPECT_EQ(mesh.normals.items()[0][2], Vec3(1, 0, 0));
    EXPECT_EQ(mesh.uvs.items()[0][0], Vec2(0.25, 0.5));
    EXPECT_EQ(mesh.uvs.items()[0][2], Vec2(0, 1));
}

TEST(Off, EdgesAmongTheFacesAreNoted) {
    const MeshFile file = readOffText("OFF 3 3 0\n0 0 0\n1 0 0\n0 1 0\n2 0 1\n3 0 1 2\n1 0\n");
    EXPECT_EQ(file.mesh.triangleCount(), 1u);
    EXPECT_EQ(file.notes, std::vector<std::string>{"2 faces with fewer than 3 vertices passed over"});
}

TEST(Off, RefusalsNamePlaceValueAndWhatIsAllowed) {
    const std::pair<std::string, std::string> cases[] = {
        {"8 12 0\n", "line 1: the file starts with '8'; an OFF file starts with the word OFF"},
        {"OFF BINARY\n", "binary OFF is not supported"},
        {"4OFF\n1 1 1\n", "three dimensions"},
        {"nOFF\n3\n1 1 1\n", "three dimensions"},
        {"XOFF\n1 1 1\n", "'XOFF' is no OFF header"},
        {"OFF\n", "the file ends where the counts"},
        {"OFFx 1 2\n", "'OFF' is followed by 'x'"},
        {"OFF\n-3 1 0\n", "count of vertices is -3"},
        {"OFF\n4000000000 1 0\n", "count of vertices is 4000000000, but the whole file has only 19 bytes"},
        {"OFF\n1 99999999999999999999 0\n", "count of faces is"},
        {"OFF\n3 1 0\n0 0 0\n1 0 0\n", "unexpected end of file: the header promises 3 vertices, but there are only 2"},
        {"OFF\n3 2 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", "the header promises 2 faces, but there are only 1"},
        {"OFF\n3 1 0\n0 0 0\n1 0 nan\n0 1 0\n3 0 1 2\n", "line 4: z of the vertex is 'nan'"},
        {"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n",
         "line 6: vertex index 3, but the file has only 3 vertices; indices count from 0"},
        {"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n", "vertex index -1"},
        {"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n0.5 0 1 2\n", "malformed face line"},
        {"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n4 0 1 2\n", "vertex index of the face is missing"},
        {"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n999999999999 0 1 2\n", "malformed face line"},
        {"OFF\n3 0 0\n0 0 0\n1 0 0\n0 1 0\n", "no triangles"}};
    for (const auto& [text, expected] : cases) {
        const std::string message = refusal(text);
        EXPECT_NE(message.find(expected), std::string::npos)
            << text << "\n gave: " << message << "\n not: " << expected;
        EXPECT_TRUE(message.starts_with("test.off: ")) << message;
    }
}

}  // namespace
}  // namespace sunder
