#include "io/tet/tet_io.h"

#include <filesystem>
#include <fstream>
#include <functional>

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/random.h"
#include "io/files/byte_order.h"
#include "io/tet/tet_writers.h"

namespace sunder {

namespace {

TetMesh twoTets() {
    TetMesh mesh;
    mesh.nodes = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1.0 / 3), Vec3(0.1, 1e-300, -1e17)};
    const auto n = [](uint32_t i) { return static_cast<NodeIndex>(i); };
    mesh.tets = {Tet{n(0), n(1), n(2), n(3)}, Tet{n(0), n(2), n(1), n(4)}};
    return mesh;
}

/// Tets of their own nodes each, with awkward numbers.
TetMesh manyTets(size_t count, bool regions) {
    TetMesh mesh;
    Random random(7);
    while (mesh.tetCount() < count) {
        Tet tet;
        for (NodeIndex& node : tet) {
            node = mesh.nodes.push_back(Vec3(random.normal() / 3, random.normal() * 1e-9, random.normal() * 1e9));
        }
        if (volume(mesh, mesh.tets.push_back(tet)) < 0)
            std::swap(mesh.tets.items().back()[0], mesh.tets.items().back()[1]);
        if (regions) mesh.regions.push_back(static_cast<int>(random.below(4)) - 1);
    }
    return mesh;
}

/// Everything that reads or writes one format in one encoding.
struct FormatCase {
    const char* name;
    const char* extension;
    TetFormat format;
    TetEncoding encoding;
};
constexpr std::array kCases{FormatCase{"gmsh22", ".msh", TetFormat::Gmsh22, TetEncoding::Ascii},
                            FormatCase{"gmsh22b", ".msh", TetFormat::Gmsh22, TetEncoding::Binary},
                            FormatCase{"gmsh41", ".msh", TetFormat::Gmsh41, TetEncoding::Ascii},
                            FormatCase{"gmsh41b", ".msh", TetFormat::Gmsh41, TetEncoding::Binary},
                            FormatCase{"netgen", ".vol", TetFormat::NetgenVol, TetEncoding::Ascii},
                            FormatCase{"tetgen", ".ele", TetFormat::TetGen, TetEncoding::Ascii}};

std::filesystem::path scratch(const std::string& name) {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "sunder_tet_io_test";
    std::filesystem::create_directories(folder);
    return folder / (std::string(info->name()) + "_" + name);
}

std::string messageOf(const std::function<void()>& read) {
    try {
        read();
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}
std::string gmshError(const std::string& text) {
    return messageOf([&] { readGmsh(text, "a.msh"); });
}
std::string volError(const std::string& text) {
    return messageOf([&] { readNetgenVol(text, "a.vol"); });
}
std::string tetgenError(const std::string& node, const std::string& ele) {
    return messageOf([&] { readTetGen(node, "a.node", ele, "a.ele"); });
}
#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

const std::string kNodes22 = "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n";
const std::string kHead22 = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";
const std::string kHead41 = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n";
const std::string kNode = "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n";

}  // namespace

TEST(TetIo, EveryFormatGivesTheSameMeshBack) {
    for (const bool regions : {false, true}) {
        for (const TetMesh& mesh : {twoTets(), manyTets(300, regions)}) {
            for (const FormatCase& c : kCases) {
                SCOPED_TRACE(c.name);
                const auto path = scratch(std::string(c.name) + c.extension);
                writeTetMesh(mesh, path, c.format, c.encoding);
                const TetFile file = readTetFile(path);
                EXPECT_TRUE(file.mesh.nodes == mesh.nodes);
                EXPECT_TRUE(file.mesh.tets == mesh.tets);
                EXPECT_TRUE(file.mesh.regions == mesh.regions);
                EXPECT_EQ(file.notes.empty(), c.format != TetFormat::NetgenVol);
            }
        }
    }
}

TEST(TetIo, FormatByExtension) {
    const TetMesh mesh = twoTets();
    writeTetMesh(mesh, scratch("m.MSH"));
    std::ifstream file(scratch("m.MSH"));
    std::string line;
    std::getline(file, line);
    std::getline(file, line);
    EXPECT_EQ(line, "4.1 0 8");
    writeTetMesh(mesh, scratch("m.node"));
    EXPECT_TRUE(readTetMesh(scratch("m.ele")).tets == mesh.tets);
    EXPECT_TRUE(readTetMesh(scratch("m.node")).tets == mesh.tets);
    EXPECT_THROW(writeTetMesh(mesh, scratch("m.obj")), InputError);
    EXPECT_THROW(readTetMesh(scratch("absent.msh")), InputError);
    EXPECT_THROW(writeTetMesh(mesh, scratch("m.vol"), TetFormat::NetgenVol, TetEncoding::Binary), InputError);
}

TEST(TetIo, Gmsh22WithOtherElementsAndRegions) {
    const TetFile file = readGmsh(kHead22 + "$PhysicalNames\n1\n3 7 \"glass # 1\"\n$EndPhysicalNames\n" + kNodes22 +
                                      "$Elements\n4\n1 15 2 0 1 1\n2 2 2 5 1 1 2 3\n3 4 2 7 1 1 2 3 4\n"
                                      "4 4 2 7 1 1 2 4 3\n$EndElements\n$NodeData\n1\n\"x\"\n$EndNodeData\n",
                                  "a.msh");
    ASSERT_EQ(file.mesh.tetCount(), 2u);
    EXPECT_EQ(file.mesh.regions[TetIndex{0}], 7);
    EXPECT_GT(volume(file.mesh, TetIndex{1}), 0);  // was turned
    ASSERT_EQ(file.notes.size(), 3u);
    EXPECT_EQ(file.notes[0], "1 points passed over");
    EXPECT_EQ(file.notes[2], "1 tet with negative volume turned");
}

TEST(TetIo, Gmsh41WithEntitiesParametersAndGaps) {
    const std::string text = kHead41 +
                             "$Entities\n1 0 1 1\n1 0 0 0 0\n5 0 0 0 1 1 1 1 3 0\n9 0 0 0 1 1 1 2 42 43 2 5 -5\n"
                             "$EndEntities\n$Nodes\n2 5 10 90\n2 5 1 1\n10\n0 0 0 0.5 0.25\n3 9 0 4\n20\n30\n40\n90\n"
                             "1 0 0\n0 1 0\n0 0 1\n5 5 5\n$EndNodes\n"
                             "$Elements\n2 2 1 2\n2 5 2 1\n1 10 20 30\n3 9 4 1\n2 10 20 30 40\n$EndElements\n";
    const TetFile file = readGmsh(text, "a.msh");
    ASSERT_EQ(file.mesh.tetCount(), 1u);
    EXPECT_EQ(file.mesh.nodeCount(), 4u);
    EXPECT_EQ(file.mesh.regions[TetIndex{0}], 42);
    EXPECT_DOUBLE_EQ(volume(file.mesh), 1.0 / 6);
    ASSERT_EQ(file.notes.size(), 2u);
    EXPECT_EQ(file.notes[0], "1 triangles passed over");
    EXPECT_EQ(file.notes[1], "1 node without a tet dropped");
}

TEST(TetIo, SecondOrderTetsGiveTheirCorners) {
    std::string nodes = "$Nodes\n10\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n";
    for (int i = 5; i <= 10; ++i) nodes += std::to_string(i) + " 0.5 0.5 0.5\n";
    const TetFile file =
        readGmsh(kHead22 + nodes + "$EndNodes\n$Elements\n1\n1 11 0 1 2 3 4 5 6 7 8 9 10\n$EndElements\n", "a.msh");
    EXPECT_EQ(file.mesh.nodeCount(), 4u);
    EXPECT_EQ(file.notes[0], "1 tet of higher order read by their four corners");
}

TEST(TetIo, BigEndianGmsh) {
    std::string bytes = "$MeshFormat\n2.2 1 8\n";
    const auto put = [&](auto value) {
        std::string little;
        store(little, value);
        bytes.append(little.rbegin(), little.rend());
    };
    put(int32_t{1});
    bytes += "\n$EndMeshFormat\n$Nodes\n4\n";
    int32_t number = 1;
    for (const Vec3& x : {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)}) {
        put(number++);
        for (int axis = 0; axis < 3; ++axis) put(x[axis]);
    }
    bytes += "\n$EndNodes\n$Elements\n1\n";
    for (const int32_t value : {4, 1, 1, 1, 3, 1, 2, 3, 4}) put(value);
    bytes += "\n$EndElements\n";
    const TetFile file = readGmsh(bytes, "a.msh");
    EXPECT_DOUBLE_EQ(volume(file.mesh), 1.0 / 6);
    EXPECT_EQ(file.mesh.regions[TetIndex{0}], 3);
}

TEST(TetIo, NetgenSkipsWhatItDoesNotNeed) {
    const TetFile file = readNetgenVol(
        "mesh3d\r\ndimension\r\n3\r\ngeomtype\r\n0\r\n# surfaces\r\nsurfaceelements\r\n1\r\n1 1 1 0 3 1 2 3\r\n"
        "volumeelements\r\n2\r\n2 4 1 2 4 3\r\n2 6 1 2 3 4 1 2\r\nedgesegmentsgi2\r\n0\r\npoints\r\n4\r\n"
        "0 0 0\r\n1 0 0\r\n0 1 0\r\n0 0 1\r\nface_colours\r\n0\r\nendmesh\r\n",
        "a.vol");
    ASSERT_EQ(file.mesh.tetCount(), 1u);
    EXPECT_EQ(file.mesh.regions[TetIndex{0}], 2);
    EXPECT_DOUBLE_EQ(volume(file.mesh), 1.0 / 6);
    EXPECT_EQ(file.notes[0], "1 pyramid, prism or hexahedron passed over");
}

TEST(TetIo, TetGenFromZeroWithAttributesAndComments) {
    const TetFile file =
        readTetGen("# points\n4 3 2 1\n0 0 0 0 9 9 1 # first\n1 1 0 0 9 9 1\n2 0 1 0 9 9 0\n3 0 0 1 9 9 0\n", "a.node",
                   "1 4 1\n0 0 1 2 3 5.0\n# end\n", "a.ele");
    EXPECT_DOUBLE_EQ(volume(file.mesh), 1.0 / 6);
    EXPECT_EQ(file.mesh.regions[TetIndex{0}], 5);
}

TEST(TetIo, GmshSaysWhatIsWrongAndWhere) {
    EXPECT_HAS(gmshError("hello"), "a.msh: line 1: a Gmsh file starts with $MeshFormat");
    EXPECT_HAS(gmshError("$MeshFormat\n4.0 0 8\n"), "line 2: Gmsh format '4.0'; 2.2 and 4.1 are read");
    EXPECT_HAS(gmshError("$MeshFormat\n2.2 5 8\n"), "file type 5");
    EXPECT_HAS(gmshError("$MeshFormat\n2.2 0 16\n"), "data size 16");
    EXPECT_HAS(gmshError(kHead22), "no $Nodes section");
    EXPECT_HAS(gmshError(kHead22 + kNodes22), "no $Elements section");
    EXPECT_HAS(gmshError(kHead22 + "$Nodes\n999999999999\n1 0 0 0\n"), "line 5: says there are 999999999999 nodes");
    EXPECT_HAS(gmshError(kHead22 + "$Nodes\n-1\n"), "says there are -1 nodes");
    EXPECT_HAS(gmshError(kHead22 + "$Nodes\n2\n1 0 0 0\n$EndNodes\n"), "line 7");
    EXPECT_HAS(gmshError(kHead22 + "$Nodes\n1\n1 0 nan 0\n$EndNodes\n"), "line 6");
    EXPECT_HAS(gmshError(kHead22 + kNodes22 + "$Elements\n1\n1 4 0 1 2 3 9\n$EndElements\n"),
               "line 13: tet 1 names node 9, but the file's 4 nodes are numbered 1 to 4");
    EXPECT_HAS(gmshError(kHead22 + kNodes22 + "$Elements\n1\n1 4 0 1 2 3 3\n$EndElements\n"), "is flat");
    EXPECT_HAS(gmshError(kHead22 + kNodes22 + "$Elements\n1\n1 77 0 1 2 3 3\n$EndElements\n"), "element type 77");
    EXPECT_HAS(gmshError(kHead22 + kNodes22 + "$Elements\n1\n1 4 99999999 1\n"), "99999999 tags");
    EXPECT_HAS(gmshError(kHead22 + kNodes22 + "$Elements\n0\n$EndElements\n"), "no tetrahedra");
    EXPECT_HAS(gmshError(kHead22 + kNodes22 + kNodes22), "a second $Nodes");
    EXPECT_HAS(
        gmshError(kHead22 + "$Nodes\n2\n1 0 0 0\n1 1 1 1\n$EndNodes\n$Elements\n1\n1 4 0 1 1 1 1\n$EndElements\n"),
        "two nodes have the number 1");
    EXPECT_HAS(gmshError(kHead22 + "$Comment\nnever ends"), "$Comment has no $EndComment");
    EXPECT_HAS(gmshError(kHead41 + "$Nodes\n1 2 1 2\n3 1 0 1\n1\n0 0 0\n$EndNodes\n"), "announces 2");
    EXPECT_HAS(gmshError(kHead41 + "$Nodes\n1 2 1 2\n3 1 0 88888888\n1\n"), "says there are 88888888 nodes");
}

TEST(TetIo, NetgenSaysWhatIsWrongAndWhere) {
    const std::string points = "points\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\nendmesh\n";
    EXPECT_HAS(volError("mesh2d\n"), "line 1: a Netgen volume mesh starts with mesh3d");
    EXPECT_HAS(volError("mesh3d\ndimension\n2\n"), "line 3: dimension 2");
    EXPECT_HAS(volError("mesh3d\nvolumeelements\n1\n1 4 1 2 3 5\n" + points), "line 4: tet 1 names node 5");
    EXPECT_HAS(volError("mesh3d\nvolumeelements\n1\n1 4 1 2 3\n" + points), "line 4");
    EXPECT_HAS(volError("mesh3d\nvolumeelements\n77777777\n1 4 1 2 3 4\n" + points), "says there are 77777777");
    EXPECT_HAS(volError("mesh3d\nvolumeelements\n1\n1 3 1 2 3\n" + points), "an element of 3 points");
    EXPECT_HAS(volError("mesh3d\n" + points), "no volumeelements");
    EXPECT_HAS(volError("mesh3d\nvolumeelements\n1\n1 4 1 2 3 4\n"), "no points");
    EXPECT_HAS(volError("mesh3d\nvolumeelements\n1\n1 4 1 2 3 4\npoints\n2\n0 0 0\n"), "the 7 bytes left");
    EXPECT_HAS(volError("mesh3d\nvolumeelements\n1\n1 4 1 2 3 4\npoints\n1\n0 inf 0\n"), "line 7");
}

TEST(TetIo, TetGenSaysWhatIsWrongAndWhere) {
    EXPECT_HAS(tetgenError("", "1 4 0\n1 1 2 3 4\n"), "a.node: no line");
    EXPECT_HAS(tetgenError("4 2 0 0\n", "1 4 0\n"), "bytes left");
    EXPECT_HAS(tetgenError("1 2 0 0\n1 0 0     0\n", "1 4 0\n"), "points of dimension 2");
    EXPECT_HAS(tetgenError(kNode, "1 4 0\n1 1 2 3 0\n"), "a.ele: line 2: tet 1 names node 0");
    EXPECT_HAS(tetgenError(kNode, "1 5 0\n1 1 2 3 4 1\n"), "5 nodes per tet");
    EXPECT_HAS(tetgenError(kNode, "1 4 0\n0 1 2 3 4\n"), "found number 0 where 1 is due");
    EXPECT_HAS(tetgenError(kNode, "1 4 1\n1 1 2 3 4 0.5\n"), "regions are whole numbers");
    EXPECT_HAS(tetgenError(kNode, "2 4 0\n1 1 2 3 4       \n"), "the file ends where a tet should be");
    EXPECT_HAS(tetgenError("1 3 0 0\n1 0 0 nan  \n", "1 4 0\n"), "a.node: line 2");
}

// Cut anywhere, or with any byte changed, a file gives a mesh or an InputError; never a crash or a hang.
TEST(TetIo, DamagedFilesNeverCrash) {
    const TetMesh mesh = manyTets(6, true);
    const std::string ele = tetgenElementsOf(mesh), node = tetgenNodesOf(mesh);
    struct Reader {
        std::string bytes;
        std::function<void(const std::string&)> read;
    };
    const auto gmsh = [](const std::string& bytes) { readGmsh(bytes, "m"); };
    const std::vector<Reader> readers{{gmsh22Of(mesh, TetEncoding::Ascii), gmsh},
                                      {gmsh22Of(mesh, TetEncoding::Binary), gmsh},
                                      {gmsh41Of(mesh, TetEncoding::Ascii), gmsh},
                                      {gmsh41Of(mesh, TetEncoding::Binary), gmsh},
                                      {netgenVolOf(mesh), [](const std::string& bytes) { readNetgenVol(bytes, "m"); }},
                                      {node, [&](const std::string& bytes) { readTetGen(bytes, "n", ele, "e"); }},
                                      {ele, [&](const std::string& bytes) { readTetGen(node, "n", bytes, "e"); }}};
    Random random(3);
    size_t refused = 0;
    const auto attempt = [&](const Reader& reader, const std::string& bytes) {
        try {
            reader.read(bytes);
        } catch (const InputError&) {
            ++refused;
        }
    };
    for (const Reader& reader : readers) {
        EXPECT_NO_THROW(reader.read(reader.bytes));
        for (size_t length = 0; length < reader.bytes.size(); length += 3)
            attempt(reader, reader.bytes.substr(0, length));
        for (int i = 0; i < 1000; ++i) {
            std::string bytes = reader.bytes;
            for (uint64_t change = 0; change <= random.below(3); ++change) {
                bytes[random.below(bytes.size())] = static_cast<char>(random.below(256));
            }
            attempt(reader, bytes);
        }
    }
    EXPECT_GT(refused, 1000u);
}

}  // namespace sunder
