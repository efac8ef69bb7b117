// Meshes and volumes come in, films and models go out.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "geometry/shapes/shapes.h"
#include "io/mesh/mesh_io.h"
#include "studio/test_session.h"

namespace sunder::studio {
namespace {

namespace fs = std::filesystem;
using test::fallingBlock;

class SessionJobsTest : public test::SessionTest {};

TEST_F(SessionJobsTest, DiagnosesAndRepairsAMesh) {
    open();
    TriMesh holed = makeShape("sphere");
    holed.triangles.resize(holed.triangleCount() - 1);
    holed.uvs.resize(holed.triangleCount());
    holed.normals.resize(holed.triangleCount());
    writeMesh(holed, file("upload"
                          ".obj"));
    const fs::path place = session().uploadPlace();
    fs::copy_file(file("upload.obj"), place, fs::copy_options::overwrite_existing);
    const Json uploaded = session().adoptUpload("holed.obj", place);
    EXPECT_EQ(uploaded["path"], "meshes/holed.obj");
    EXPECT_FALSE(uploaded["diagnosis"]["solid"].get<bool>());
    EXPECT_TRUE(uploaded["diagnosis"]["repairable"].get<bool>());
    EXPECT_EQ(ask({{"do", "diagnose"}, {"path", "meshes/holed.obj"}})["defects"], uploaded["diagnosis"]["defects"]);

    const uint64_t job = ask({{"do", "repair"}, {"path", "meshes/holed.obj"}})["job"];
    Json done;
    ASSERT_TRUE(waitUntil([&] {
        const Json jobs = session().status()["jobs"];
        for (const Json& one : jobs)
            if (one["id"] == job) done = one;
        return done["state"] != "running";
    }));
    ASSERT_EQ(done["state"], "done") << done.dump();
    EXPECT_EQ(done["share"], 1);
    EXPECT_TRUE(ask({{"do", "diagnose"}, {"path", done["result"]["path"]}})["solid"].get<bool>());
    // and into the scene with it
    ask(edit("add", "/bodies/-",
             {{"name", "ball"}, {"mesh", {{"file", done["result"]["path"]}}}, {"position", {0, 1, 0}}}));
    EXPECT_EQ(ask({{"do", "bodies"}})["bodies"].size(), 2u);
}

TEST_F(SessionJobsTest, UploadsThatAreNoMeshesStayOut) {
    open();
    for (const std::string name : {"x.obj", "../x.obj", "a/b.obj", ".hidden.obj", "x.exe", "x", "", "..", "a\\b.obj"}) {
        const fs::path place = session().uploadPlace();
        test::writeText(place, "this is no mesh");
        EXPECT_THROW(session().adoptUpload(name, place), std::exception) << name;
    }
    EXPECT_FALSE(fs::exists(file("meshes/x.obj")));
    // the same name twice is two files
    for (const char* expected : {"meshes/cube.obj", "meshes/cube-2.obj"}) {
        const fs::path place = session().uploadPlace();
        writeMesh(makeShape("box"), file("cube.obj"));
        fs::copy_file(file("cube.obj"), place, fs::copy_options::overwrite_existing);
        EXPECT_EQ(session().adoptUpload("cube.obj", place)["path"], expected);
    }
}

TEST_F(SessionJobsTest, TakesVolumesThatCanBeRead) {
    openScene(fallingBlock());
    const auto upload = [&](const std::string& name, const std::string& text) {
        const fs::path place = session().uploadPlace();
        test::writeText(place, text);
        return session().adoptUpload(name, place);
    };
    EXPECT_THROW(upload("half.nrrd", "NRRD0004\n"), InputError);
    EXPECT_FALSE(fs::exists(file("volumes/half.nrrd")));
    const std::string volume = "NRRD0004\ntype: uint8\ndimension: 3\nsizes: 1 1 2\nencoding: ascii\n\n100 50\n";
    const Json uploaded = upload("weak.NRRD", volume);
    EXPECT_EQ(uploaded["path"], "volumes/weak.NRRD");
    EXPECT_EQ(uploaded["samples"], (Json{1, 1, 2}));
    EXPECT_EQ(upload("weak.NRRD", volume)["path"], "volumes/weak-2.NRRD");
    EXPECT_EQ(ask({{"do", "files"}, {"folder", "volumes"}})["volumes"].size(), 2u);
    // and into the scene with it
    ask(edit("add", "/bodies/0/strength_volume", {{"file", uploaded["path"]}}));
}

TEST_F(SessionJobsTest, TwoRepairsOfOneMeshAreTwoFiles) {
    open();
    TriMesh holed = makeShape("sphere");
    holed.triangles.resize(holed.triangleCount() - 1);
    holed.uvs.clear();
    holed.normals.clear();
    writeMesh(holed, file("m.obj"));
    test::writeText(file("flat.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    for (const char* name : {"m.obj", "m.obj", "flat.obj"}) ask({{"do", "repair"}, {"path", name}});
    const auto jobs = [&] { return session().status()["jobs"]; };
    ASSERT_TRUE(waitUntil([&] {
        const Json all = jobs();
        return std::ranges::none_of(all, [](const Json& job) { return job["state"] == "running"; });
    }));
    EXPECT_EQ(jobs()[0]["result"]["path"], "m-repaired.ply");
    EXPECT_EQ(jobs()[1]["result"]["path"], "m-repaired-2.ply");
    EXPECT_EQ(jobs()[2]["state"], "failed");
    EXPECT_FALSE(fs::exists(file("flat-repaired.ply")));  // a name that was not used is free again
}

TEST_F(SessionJobsTest, RendersOnlyWhatTheCommandLineWould) {
    openScene(fallingBlock());
    step(2);
    for (const auto& [key, values] : std::map<std::string, std::vector<double>>{
             {"every", {0, -1, 1.5, 2e6}}, {"width", {0, 15, 16385}}, {"height", {0, 15, 16385}}}) {
        for (const double value : values) {
            const std::string why = refusal({{"do", "render"}, {"path", "frames"}, {key, value}});
            EXPECT_NE(why.find(key), std::string::npos) << key << value << why;
            EXPECT_NE(why.find("a whole number from"), std::string::npos) << why;
        }
    }
    EXPECT_NE(refusal({{"do", "export"}, {"path", "x.glb"}, {"every", 0}}), "");
    EXPECT_TRUE(session().status()["jobs"].empty());
}

TEST_F(SessionJobsTest, ExportsWhatIsThere) {
    openScene(fallingBlock());
    step(5);
    const uint64_t job = ask({{"do", "export"}, {"path", "out.glb"}})["job"];
    ASSERT_TRUE(waitUntil([&] { return session().status()["jobs"][0]["state"] != "running"; }));
    EXPECT_EQ(session().status()["jobs"][0]["state"], "done") << session().status()["jobs"].dump();
    EXPECT_EQ(session().status()["jobs"][0]["id"], job);
    EXPECT_TRUE(fs::exists(file("out.glb")));
    EXPECT_NE(refusal({{"do", "export"}, {"path", "out.glb"}}), "");
    EXPECT_NE(refusal({{"do", "export"}, {"path", "out.xyz"}}), "");
    EXPECT_EQ(session().download("out.glb"), fs::canonical(file("out.glb")));
    EXPECT_THROW(session().download("../x"), std::exception);
}

}  // namespace
}  // namespace sunder::studio
