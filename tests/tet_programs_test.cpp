// Tet files handed to and taken from the programs whose formats they are: Gmsh and TetGen, run when installed.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "geometry/grid/mesh_to_grid.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/mesh/topology.h"
#include "geometry/shapes/shapes.h"
#include "geometry/tet/stuffing.h"
#include "io/mesh/mesh_io.h"
#include "io/tet/tet_io.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;

bool isInstalled(const std::string& program) {
    return std::system(("command -v " + program + " > /dev/null 2>&1").c_str()) == 0;
}

std::string contentOf(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Tets of a torus in two regions, left and right.
TetMesh torusTets() {
    TetMesh mesh = stuffIsosurface(gridFromMesh(makeShape("torus", {}, 32), 0.02), {.cellSize = 0.1});
    for (const TetIndex t : mesh.tets.indices()) {
        mesh.regions.push_back(mesh.nodes[mesh.tets[t][0]].x() < 0 ? 3 : 5);
    }
    return mesh;
}

size_t countOf(const TetMesh& mesh, int region) {
    return static_cast<size_t>(std::count(mesh.regions.begin(), mesh.regions.end(), region));
}

void expectSameSolid(const TetMesh& found, const TetMesh& expected, double tolerance) {
    EXPECT_EQ(found.nodeCount(), expected.nodeCount());
    EXPECT_EQ(found.tetCount(), expected.tetCount());
    EXPECT_NEAR(volume(found) / volume(expected), 1, tolerance);
    for (const int region : {3, 5}) EXPECT_EQ(countOf(found, region), countOf(expected, region)) << region;
}

class TetPrograms : public testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / "sunder_tet_programs_test" /
                  testing::UnitTest::GetInstance()->current_test_info()->name();
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    void TearDown() override {
        if (!HasFailure()) fs::remove_all(folder_);
    }

    /// Runs a command in the scratch folder; its talk goes to `log`.
    int run(const std::string& command) const {
        return std::system(("cd '" + folder_.string() + "' && " + command + " > log 2>&1").c_str());
    }
    std::string log() const { return contentOf(folder_ / "log"); }
    fs::path file(const std::string& name) const { return folder_ / name; }

private:
    fs::path folder_;
};

struct GmshCase {
    const char* name;
    TetFormat format;
    TetEncoding encoding;
    const char* options;  // that make gmsh write the same
};
constexpr GmshCase kGmshCases[]{{"22", TetFormat::Gmsh22, TetEncoding::Ascii, "-format msh22"},
                                {"22b", TetFormat::Gmsh22, TetEncoding::Binary, "-format msh22 -bin"},
                                {"41", TetFormat::Gmsh41, TetEncoding::Ascii, "-format msh41"},
                                {"41b", TetFormat::Gmsh41, TetEncoding::Binary, "-format msh41 -bin"}};

TEST_F(TetPrograms, GmshReadsOursAndWeReadGmshs) {
    if (!isInstalled("gmsh")) GTEST_SKIP() << "gmsh is not installed (Debian package gmsh)";
    const TetMesh mesh = torusTets();
    for (const GmshCase& c : kGmshCases) {
        SCOPED_TRACE(c.name);
        const std::string ours = std::string("ours") + c.name + ".msh",
                          theirs = std::string("theirs") + c.name + ".msh";
        writeTetMesh(mesh, file(ours), c.format, c.encoding);
        ASSERT_EQ(run("gmsh " + ours + " -check"), 0) << log();
        EXPECT_EQ(log().find("Error"), std::string::npos) << log();
        EXPECT_EQ(log().find("Warning"), std::string::npos) << log();
        // through gmsh and back; it writes 16 digits
        ASSERT_EQ(run("gmsh " + ours + " -save " + c.options + " -o " + theirs), 0) << log();
        const TetMesh back = readTetMesh(file(theirs));
        expectSameSolid(back, mesh, 1e-12);
    }
}

TEST_F(TetPrograms, WeReadWhatGmshMeshes) {
    if (!isInstalled("gmsh")) GTEST_SKIP() << "gmsh is not installed (Debian package gmsh)";
    // two boxes side by side, each with its own physical tag; the shared face is meshed once
    std::ofstream(file("boxes.geo")) << "SetFactory(\"OpenCASCADE\");\n"
                                        "Box(1) = {0, 0, 0, 1, 1, 1};\nBox(2) = {1, 0, 0, 0.5, 1, 1};\n"
                                        "Coherence;\nPhysical Volume(3) = {1};\nPhysical Volume(5) = {2};\n"
                                        "Mesh.MeshSizeMax = 0.3;\n";
    for (const GmshCase& c : kGmshCases) {
        SCOPED_TRACE(c.name);
        for (const char* order : {"1", "2"}) {
            const std::string out = std::string("boxes") + c.name + "_" + order + ".msh";
            ASSERT_EQ(run(std::string("gmsh boxes.geo -3 -order ") + order + " " + c.options + " -o " + out), 0)
                << log();
            const TetMesh boxes = readTetMesh(file(out));
            EXPECT_GT(boxes.tetCount(), 100u);
            EXPECT_NEAR(volume(boxes), 1.5, 1e-9);
            EXPECT_EQ(countOf(boxes, 3) + countOf(boxes, 5), boxes.tetCount());
            EXPECT_GT(countOf(boxes, 3), countOf(boxes, 5));
            EXPECT_TRUE(isClosedManifold(boundaryOf(boxes).surface));
        }
    }
}

TEST_F(TetPrograms, WeReadWhatTetGenMeshes) {
    if (!isInstalled("tetgen")) GTEST_SKIP() << "tetgen is not installed (Debian package tetgen)";
    const TriMesh surface = makeShape("rounded_box", {}, 24);
    writeMesh(surface, file("solid.ply"));
    writeMesh(surface, file("solid.off"));
    // from 1, from 0, of second order
    for (const char* options : {"-pq", "-pqz", "-pqo2"}) {
        SCOPED_TRACE(options);
        ASSERT_EQ(run(std::string("tetgen ") + options + " solid.off"), 0) << log();
        const TetMesh tets = readTetMesh(file("solid.1.ele"));
        EXPECT_GT(tets.tetCount(), 100u);
        EXPECT_NEAR(volume(tets) / volume(surface), 1, 1e-9);
    }
}

TEST_F(TetPrograms, TetGenReadsOurs) {
    if (!isInstalled("tetgen")) GTEST_SKIP() << "tetgen is not installed (Debian package tetgen)";
    const TetMesh mesh = torusTets();
    writeTetMesh(mesh, file("ours.node"), TetFormat::TetGen);
    // takes the tets as they are, checks them, and writes them again
    ASSERT_EQ(run("tetgen -rC ours"), 0) << log();
    EXPECT_EQ(log().find("!!"), std::string::npos) << log();
    expectSameSolid(readTetMesh(file("ours.1.ele")), mesh, 1e-12);
}

}  // namespace
}  // namespace sunder
