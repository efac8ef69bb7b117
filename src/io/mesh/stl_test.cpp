#include "io/mesh/stl.h"

#include <limits>

#include <gtest/gtest.h>

#include "geometry/mesh/topology.h"
#include "io/files/byte_order.h"
#include "io/mesh/test_support.h"

namespace sunder {
namespace {

using test::tri;

MeshFile readStlBytes(std::string_view bytes) { return test::readBytes(bytes, MeshFormat::Stl); }
std::string refusal(std::string_view bytes) { return test::refusalOf(bytes, MeshFormat::Stl); }

std::string tetrahedronBytes(const std::string& header) {
    std::string bytes = stlBytes(test::richTetrahedron());
    bytes.replace(0, header.size(), header);
    return bytes;
}

constexpr const char* kFacet =
    "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n";

TEST(Stl, BinaryIsToldByItsSizeNotByTheWordSolid) {
    for (const char* header : {"solid facet", "solid \nfacet normal", "whatever", ""}) {
        const TriMesh mesh = readStlBytes(tetrahedronBytes(header)).mesh;
        EXPECT_EQ(mesh.vertexCount(), 4u) << header;
        EXPECT_EQ(mesh.triangleCount(), 4u) << header;
        EXPECT_TRUE(isClosedManifold(mesh)) << header;
    }
}

TEST(Stl, TrailingBytesAreNotedAndNormalsNotBelieved) {
    std::string bytes = tetrahedronBytes("solid") + std::string(37, 'x');
    for (size_t at = 84; at + 50 <= bytes.size(); at += 50) bytes.replace(at, 12, std::string(12, '\xff'));  // NaN
    const MeshFile file = readStlBytes(bytes);
    EXPECT_EQ(file.mesh.triangleCount(), 4u);
    EXPECT_TRUE(file.mesh.normals.empty());
    EXPECT_EQ(file.notes, std::vector<std::string>{"37 bytes after the last facet passed over"});
}

TEST(Stl, AsciiInAnyShape) {
    const std::string lower = std::string("solid a b c\n") + kFacet + "endsolid a b c\n";
    std::string upper = lower, macintosh = lower, oneLine = lower;
    for (char& c : upper) c = static_cast<char>(std::toupper(c));
    for (char& c : macintosh) c = c == '\n' ? '\r' : c;
    for (char& c : oneLine) c = c == '\n' && &c != &oneLine[11] ? ' ' : c;
    const std::string badNormal =
        "solid\nfacet normal nan nan -nan(ind)\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 "
        "0\nendloop\nendfacet\nendsolid";
    for (const std::string& text : {lower, upper, macintosh, oneLine, "\xef\xbb\xbf" + lower, badNormal}) {
        SCOPED_TRACE(text);
        const TriMesh mesh = readStlBytes(text).mesh;
        EXPECT_EQ(mesh.triangles.items(), std::vector<Triangle>{tri(0, 1, 2)});
        EXPECT_EQ(mesh.positions.items()[1], Vec3(1, 0, 0));
    }
}

TEST(Stl, SeveralSolidsAreOneMesh) {
    const std::string solid = std::string("solid\n") + kFacet + "endsolid\n";
    const MeshFile file = readStlBytes(solid + solid);
    EXPECT_EQ(file.mesh.triangleCount(), 2u);
    EXPECT_EQ(file.mesh.vertexCount(), 3u);  // welded
    EXPECT_EQ(file.notes, std::vector<std::string>{"2 solids in one file"});
}

TEST(Stl, RefusalsNamePlaceValueAndWhatIsAllowed) {
    std::string huge = tetrahedronBytes(""), zero = huge, notFinite = huge;
    for (size_t i = 80; i < 84; ++i) huge[i] = '\xff', zero[i] = '\0';
    std::string nan;
    store(nan, std::numeric_limits<float>::quiet_NaN());
    notFinite.replace(84 + 50 + 12, 4, nan);
    const std::pair<std::string, std::string> cases[] = {
        {"hello", "not an STL file: 5 bytes"},
        {tetrahedronBytes("").substr(0, 200),
         "byte 80: truncated: the header says 4 facets, which take 284 bytes, but the file has 200 (room for 2)"},
        {huge, "4294967295 facets"},
        {zero, "the header says 0 facets, but 200 bytes of data follow"},
        {notFinite, "byte 134: facet 1 has the vertex (nan"},
        {std::string("solid\n") + kFacet, "unexpected end of file where 'facet' or 'endsolid' should stand"},
        {std::string("solid\n") + kFacet + "facet normal 0 0 1\nouter loop\nvertex 1 2",
         "line 11: unexpected end of file where z of the vertex"},
        {"solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 x\n", "line 4: z of the vertex is 'x'"},
        {"solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 inf\n", "line 4: z of the vertex is 'inf', a non-finite"},
        {"solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 0 0 0\nvertex 0 0 0\nvertex 0 0 0\n",
         "line 7: 'vertex' where 'endloop' should stand"},
        {"solid empty\nendsolid empty\n", "no triangles"}};
    for (const auto& [bytes, expected] : cases) {
        const std::string message = refusal(bytes);
        EXPECT_NE(message.find(expected), std::string::npos)
            << bytes << "\n gave: " << message << "\n not: " << expected;
        EXPECT_TRUE(message.starts_with("test.stl: ")) << message;
    }
}

}  // namespace
}  // namespace sunder
