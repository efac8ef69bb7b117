#include "io/mesh/obj.h"

#include <gtest/gtest.h>

#include "geometry/mesh/mass_properties.h"
#include "geometry/mesh/topology.h"
#include "io/mesh/test_support.h"

namespace sunder {
namespace {

using test::tri;

MeshFile readObjText(std::string_view text) { return test::readBytes(text, MeshFormat::Obj); }
std::string refusal(std::string_view text) { return test::refusalOf(text, MeshFormat::Obj); }

constexpr const char* kThree = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";

TEST(Obj, TriangleIsReadAsIndexed) {
    const TriMesh mesh = readObjText("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 9 9 9\nv 0 0 0\nf 2 3 1\n").mesh;
    EXPECT_EQ(mesh.vertexCount(), 5u);  // neither welded nor cleaned
    EXPECT_EQ(mesh.triangles.items(), std::vector<Triangle>{tri(1, 2, 0)});
    EXPECT_TRUE(mesh.uvs.empty() && mesh.normals.empty() && mesh.materials.empty() && mesh.inside.empty());
}

TEST(Obj, LineEndsBlanksCommentsAndByteOrderMark) {
    const char* texts[] = {"v 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nf 1 2 3\r\n",
                           "v 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 3",
                           "\xef\xbb\xbfv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3",
                           "# c\n\n  v\t0 0   0 # zero\nv +1 0e5 -0.0 \nv 0 1 0\n#f 9 9 9\nf 1 2 3   ",
                           "v 0 \\\n 0 0\nv 1 0 \\\r\n0\nv 0 1 0\nf 1 2 \\\n3\n",
                           "f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n",
                           "v 0 0 0 1\nv 1 0 0 0.5 0.5 0.5\nv 0 1 0 1 1 0 0\nf 1// 2/ 3\n"};
    for (const char* text : texts) {
        SCOPED_TRACE(text);
        const TriMesh mesh = readObjText(text).mesh;
        EXPECT_EQ(mesh.positions.items(), (std::vector<Vec3>{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)}));
        EXPECT_EQ(mesh.triangles.items(), std::vector<Triangle>{tri(0, 1, 2)});
    }
}

TEST(Obj, NegativeIndicesCountBackFromTheFace) {
    const TriMesh mesh =
        readObjText("v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 0 0 1\nv 1 0 1\nv 0 1 1\nf -3 -2 -1\n").mesh;
    EXPECT_EQ(mesh.triangles.items(), (std::vector<Triangle>{tri(0, 1, 2), tri(3, 4, 5)}));
}

TEST(Obj, MixedCornersGetUvsAndNormals) {
    const TriMesh mesh =
        readObjText(std::string(kThree) + "vt 0.25 0.75\nvt 0.5\nvn 0 0 -2\nf 1/1/1 2/2 3//1\nf 1 2 3\n").mesh;
    ASSERT_EQ(mesh.uvs.size(), 2u);
    ASSERT_EQ(mesh.normals.size(), 2u);
    const auto& uv = mesh.uvs.items();
    const auto& n = mesh.normals.items();
    EXPECT_EQ(uv[0][0], Vec2(0.25, 0.75));
    EXPECT_EQ(uv[0][1], Vec2(0.5, 0));
    EXPECT_EQ(uv[0][2], Vec2(0, 0));
    EXPECT_EQ(n[0][0], Vec3(0, 0, -1));  // made unit
    EXPECT_EQ(n[0][1], Vec3(0, 0, 1));   // the face's own
    EXPECT_EQ(n[1][2], Vec3(0, 0, 1));
}

TEST(Obj, NormalsWithoutDirectionAreTheFaces) {
    const TriMesh mesh = readObjText(std::string(kThree) + "vn nan nan nan\nvn 0 0 0\nf 1//1 2//2 3//1\n").mesh;
    for (const Vec3& n : mesh.normals.items()[0]) EXPECT_EQ(n, Vec3(0, 0, 1));
}

TEST(Obj, MaterialsComeFromUsemtlElseFromGroups) {
    const TriMesh named =
        readObjText(std::string(kThree) + "g a\nf 1 2 3\nusemtl red \xe4 stone\nf 1 2 3\nusemtl blue\nf 1 2 3\n").mesh;
    EXPECT_EQ(named.materialNames, (std::vector<std::string>{"default", "red \xc3\xa4 stone", "blue"}));
    EXPECT_EQ(named.materials.items(), (std::vector<uint32_t>{0, 1, 2}));

    const TriMesh grouped =
        readObjText(std::string(kThree) + "g left hand\nf 1 2 3\ng right\nf 1 2 3\ng left\nf 1 2 3\n").mesh;
    EXPECT_EQ(grouped.materialNames, (std::vector<std::string>{"left", "right"}));
    EXPECT_EQ(grouped.materials.items(), (std::vector<uint32_t>{0, 1, 0}));
}

TEST(Obj, PolygonsKeepTheirAttributesPerCorner) {
    const TriMesh mesh = readObjText(
                             "v 0 0 0\nv 3 0 0\nv 3 1 0\nv 0 1 0\nvt 0 0\nvt 3 0\nvt 3 1\nvt 0 1\n"
                             "usemtl m\nf 1/1 2/2 3/3 4/4\n")
                             .mesh;
    ASSERT_EQ(mesh.triangleCount(), 2u);
    EXPECT_EQ(mesh.materials.size(), 2u);
    for (const TriangleIndex t : mesh.triangles.indices()) {
        for (size_t k = 0; k < 3; ++k) {
            EXPECT_EQ(mesh.uvs[t][k], Vec2(mesh.positions[mesh.triangles[t][k]].head<2>()));
        }
        EXPECT_GT(mesh.areaVector(t).z(), 0);
    }
}

TEST(Obj, OtherElementsArePassedOverAndNoted) {
    const MeshFile file =
        readObjText(std::string(kThree) + "o thing\ns off\nmtllib a b.mtl\nl 1 2\nl 2 3\np 1\nf 1 2 3\n");
    EXPECT_EQ(file.mesh.triangleCount(), 1u);
    EXPECT_EQ(file.notes, (std::vector<std::string>{"2 'l' elements passed over", "1 'p' element passed over"}));
}

TEST(Obj, ExtensionsArePassedOverAndNoted) {
    const MeshFile file = readObjText(std::string(kThree) +
                                      "vp 0.5 0.5\ncurv 0 1 1 2\nmg 1 0.5\nlod 3\nusemap brick\nshadow_obj s.obj\n"
                                      "trace_obj t.obj\nmyTool:layer 7\nvcolor_x 1 0 0\nmyTool:layer 8\nf 1 2 3\n");
    EXPECT_EQ(file.mesh.triangleCount(), 1u);
    ASSERT_EQ(file.notes.size(), 3u);
    EXPECT_EQ(file.notes[0], "1 'curv' element passed over");
    EXPECT_NE(file.notes[1].find("2 'myTool:layer' statements passed over"), std::string::npos);
    EXPECT_NE(file.notes[2].find("1 'vcolor_x' statement passed over"), std::string::npos);
}

TEST(Obj, WhatIsNoObjIsStillRefused) {
    const std::string three = kThree;
    // no polygons: the free-form geometry, or the first line that was not understood, is the reason
    EXPECT_NE(refusal(three + "cstype bezier\nsurf 0 1 0 1 1 2 3\nend\n").find("export as polygons"),
              std::string::npos);
    EXPECT_NE(refusal("version https://example.org/spec\noid sha256:00\nsize 1\n").find("'version' is no OBJ"),
              std::string::npos);
    // lines that are no statements, or geometry in the wrong case, though there are faces
    for (const char* line : {"1 2 3", "F 1 2 3", "V 0 0 1", "\x01\x02 7", "caf\xc3\xa9 1", "<xml>", "{ }", "solid x"}) {
        EXPECT_NE(refusal(three + "f 1 2 3\n" + line + "\n").find("is no OBJ statement"), std::string::npos) << line;
    }
    std::string prose = three + "f 1 2 3\n";
    for (char c = 'a'; c <= 'z'; ++c) prose += std::string("word_") + c + " and more\n";
    EXPECT_NE(refusal(prose).find("'word_a' is no OBJ statement"), std::string::npos);
}

TEST(Obj, RefusalsNamePlaceValueAndWhatIsAllowed) {
    const std::pair<std::string, std::string> cases[] = {
        {"v 0 0\nf 1 1 1\n", "test.obj: line 1: z of the vertex is missing"},
        {"v 0 0 one\n", "test.obj: line 1: z of the vertex is 'one'; a number"},
        {"v 0 0 1,5\n", "decimal comma"},
        {"# c\rv 0 0 inf\n", "test.obj: line 2: z of the vertex is 'inf', a non-finite number"},
        {"v 0 0 1e400\n", "non-finite"},
        {"v 0 0 1x\n", "'1x'"},
        {std::string(kThree) + "f 1 2 4\n",
         "test.obj: line 4: index 4 in face corner '4', but the file has only 3 vertices"},
        {std::string(kThree) + "f 1 2 \\\n 4294967297\n", "test.obj: line 5: index 4294967297"},
        {std::string(kThree) + "f 1 2 99999999999999999999\n", "index 99999999999999999999"},
        {std::string(kThree) + "f 1 2 0\n", "vertex index 0 in '0'; indices count from 1"},
        {std::string(kThree) + "f 1 2 -4\n", "vertex index -4 in '-4', but there are only 3 vertices before this line"},
        {std::string(kThree) + "f 1/1 2/1 3/1\n",
         "index 1 in face corner '1/1', but the file has only 0 texture coordinates"},
        {std::string(kThree) + "f 1//7 2//7 3//7\n", "index 7 in face corner '1//7', but the file has only 0 normals"},
        {std::string(kThree) + "f 1/1/1/1 2 3\n", "no face corner"},
        {std::string(kThree) + "f 1.5 2 3\n", "'1.5' is no face corner"},
        {std::string(kThree) + "f 1 2\n", "line 4: face with 2 vertices; at least 3"},
        {std::string(kThree) + "vv 1 2 3\n", "line 4: 'vv' is no OBJ statement"},
        {"COFF 1 2 3\n", "OFF content in a .obj file"},
        {"ply\nformat ascii 1.0\n", "PLY content in a .obj file"},
        {"solid cube\n", "STL content in a .obj file"},
        {std::string(kThree), "no triangles: the file has 3 vertices"},
        {"", "empty file"},
        {"version https://git-lfs.github.com/spec/v1\n", "Git LFS"},
        {"\n <!DOCTYPE HTML>", "HTML page"},
        {std::string("\xff\xfev\0 \0", 6), "UTF-16"},
        {"\x1f\x8b\x08", "gzip"}};
    for (const auto& [text, expected] : cases) {
        const std::string message = refusal(text);
        EXPECT_NE(message.find(expected), std::string::npos)
            << text << "\n gave: " << message << "\n not: " << expected;
        EXPECT_TRUE(message.starts_with("test.obj: ")) << message;
    }
}

TEST(Obj, TooSmallNumbersAreZero) {
    const TriMesh mesh =
        readObjText("v 1e-400 -1e-99999999999999999999 0.0000001e-320\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").mesh;
    EXPECT_EQ(mesh.positions.items()[0].norm(), 0);
    EXPECT_NE(refusal("v 1e99999999999999999999 0 0\n"), "");
    EXPECT_NE(refusal("v 0.00001e320 0 0\n"), "");
    EXPECT_EQ(readObjText("v 0.00001e310 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").mesh.positions.items()[0].x(), 1e305);
}

TEST(Obj, LongPolygonIsQuickAndClosed) {
    // a disc of 20000 corners, top and bottom: both caps are single faces
    std::string text;
    const int n = 20000;
    for (const int z : {0, 1}) {
        for (int i = 0; i < n; ++i) {
            text += "v " + std::to_string(std::cos(2 * M_PI * i / n) * 1000) + " " +
                    std::to_string(std::sin(2 * M_PI * i / n) * 1000) + " " + std::to_string(z) + "\n";
        }
    }
    std::string top = "f", bottom = "f";
    for (int i = 0; i < n; ++i) {
        top += " " + std::to_string(n + i + 1);
        bottom += " " + std::to_string(n - i);
        const int next = (i + 1) % n;
        text += "f " + std::to_string(i + 1) + " " + std::to_string(next + 1) + " " + std::to_string(n + next + 1) +
                " " + std::to_string(n + i + 1) + "\n";
    }
    const TriMesh mesh = readObjText(text + top + "\n" + bottom + "\n").mesh;
    EXPECT_EQ(mesh.triangleCount(), 2u * (n - 2) + 2 * n);
    EXPECT_TRUE(isClosedManifold(mesh));
    EXPECT_NEAR(volume(mesh), M_PI * 1e6, 1e2);
}

}  // namespace
}  // namespace sunder
