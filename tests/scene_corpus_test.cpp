// The scenes of the library and those kept from fuzzing: every one is good or refused with a sentence, and what is
// saved is what was read. The schema and its docs in the tree are those of the program.
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "fuzz/try_scene.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/shapes/shapes.h"
#include "io/files/file_access.h"
#include "io/mesh/mesh_io.h"
#include "io/scene/scene_io.h"
#include "scene/schema_text.h"
#include "schema/json_text.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> jsonFilesIn(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() == ".json") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

const fs::path kSource = SUNDER_SOURCE_DIR;

TEST(SceneLibrary, EverySceneIsGoodAndBuilds) {
    const std::vector<fs::path> files = jsonFilesIn(kSource / "scenes");
    EXPECT_GE(files.size(), 10u);
    for (const fs::path& file : files) {
        SCOPED_TRACE(file.filename());
        const scene::ParsedScene parsed = examineScene(file);
        EXPECT_EQ(parsed.issues.describe(), "");
        if (parsed.issues.failed()) continue;
        const sim::SimulationSetup setup = setupFrom(parsed.scene, file);
        const size_t floor = parsed.scene.floor.present ? 1 : 0;
        EXPECT_EQ(static_cast<double>(setup.bodies.size() - floor), scene::bodyCount(parsed.scene));
        for (const sim::BodySetup& body : setup.bodies) EXPECT_NE(body.options.shape, nullptr) << body.name;
    }
}

TEST(SceneLibrary, SavingAndLoadingChangesNothing) {
    for (const fs::path& file : jsonFilesIn(kSource / "scenes")) {
        SCOPED_TRACE(file.filename());
        const scene::Scene scene = scene::parseScene(readWholeFile(file), "scene").scene;
        const std::string saved = scene::sceneText(scene);
        const scene::ParsedScene back = scene::parseScene(saved, "saved");
        EXPECT_EQ(back.issues.describe(), "");
        EXPECT_EQ(scene::sceneJson(back.scene), scene::sceneJson(scene));
        EXPECT_EQ(back.scene.references, scene.references) << "parameters stay parameters";
        EXPECT_EQ(scene::sceneText(back.scene), saved);
    }
}

TEST(SceneLibrary, FigureEightHasAsManySpheresAsAskedFor) {
    const fs::path file = kSource / "scenes" / "su09-fig8-table.json";
    for (const int spheres : {25, 100, 1000}) {
        const scene::Scene scene = readScene(file, {"spheres=" + std::to_string(spheres)});
        EXPECT_EQ(scene::bodyCount(scene), spheres + 6) << "four legs, the top and the large one";
    }
}

TEST(SceneCorpus, EveryInputEndsInASceneOrInSentences) {
    const std::vector<fs::path> files = jsonFilesIn(kSource / "tests" / "corpus" / "scene");
    EXPECT_GE(files.size(), 5u);
    for (const fs::path& file : files) {
        SCOPED_TRACE(file.filename());
        // seeds named good_* are read, the others are refused
        EXPECT_EQ(fuzz::tryScene(readWholeFile(file)), file.filename().string().starts_with("good"));
    }
}

TEST(SceneCorpus, EveryMistakeHasItsSentence) {
    const scene::ParsedScene parsed = examineScene(kSource / "tests" / "corpus" / "scene" / "every-mistake.json");
    const std::string all = parsed.issues.describe();
    for (const char* expected : {
             "/materials/brick/friction: the key 'friction' is given twice",
             "/version: must be a whole number from 1 to 1, found 2",
             "/wrold: unknown key \"wrold\"; did you mean 'world'?",
             "/parameters/a: must be a number, text, true, false",
             "/world/gravity: must be three numbers [x, y, z] (m/s^2), found [0,-9.81]",
             "/world/frame_rate: must be a number from 1 to 100000 (1/s), found \"fast\"",
             "/world/frames: must be a whole number from 1 to 1000000, found 1.5",
             "/world/seed: must be a whole number from 0",
             "/materials/brick/density: must be a number above 0, up to 1e+06 (kg/m^3), found -5",
             "/materials/brick/fracture/method: unknown method \"voronoy\"",
             "would hold itself",
             "/bodies/0/material: there is no material \"brik\"; did you mean 'brick'?",
             "/bodies/1/name: another one is called \"wall\" too",
             "/bodies/1/shape: unknown shape \"spere\"; did you mean 'sphere'?",
             "/bodies/1/mass: must be a number above 0, up to 1e+12 (kg), found -1",
             "/bodies/2/array/count: the array would have 1000000000 members; at most 1000000 are allowed",
             "/bodies/3/fracture/pieces: must be a whole number from 2 to 100000, found 1000000000",
             "/bodies/4/mesh/unit: unknown value \"furlong\"",
             "/bodies/5: the body has neither \"shape\" nor \"mesh\"",
             "/bodies/5/velocity/2: unknown parameter \"speed\"",
         }) {
        EXPECT_NE(all.find(expected), std::string::npos) << expected << "\nin\n" << all;
    }
    EXPECT_GT(parsed.issues.errors(), schema::Issues::kMost);
    EXPECT_NE(all.find("more errors"), std::string::npos);
}

/// All places in a scene, those of lists and objects too.
void collectPlaces(const schema::Json& json, const std::string& pointer, std::vector<std::string>& places) {
    if (!pointer.empty()) places.push_back(pointer);
    if (json.is_object()) {
        for (const auto& item : json.items()) collectPlaces(item.value(), schema::below(pointer, item.key()), places);
    } else if (json.is_array()) {
        for (size_t i = 0; i < json.size(); ++i)
            collectPlaces(json[i], schema::below(pointer, std::to_string(i)), places);
    }
}

/// Every value of a scene that has everything is replaced by what nobody wants there.
TEST(SceneCorpus, WrongValuesAnywhereAreFoundWhereTheyStand) {
    const fs::path file = kSource / "tests" / "corpus" / "scene" / "good_everything.json";
    schema::Json good = scene::sceneJson(scene::parseScene(readWholeFile(file), "good").scene);
    // with every field written, a few do not go together
    const schema::Issues odd = scene::parseScene(good.dump(), "good").issues;
    for (const schema::Issue& issue : odd.list()) {
        const schema::Json::json_pointer at(issue.pointer);
        if (issue.severity == schema::Issue::Severity::Error) good[at.parent_pointer()].erase(at.back());
    }
    ASSERT_TRUE(fuzz::tryScene(good.dump())) << scene::parseScene(good.dump(), "good").issues.describe();
    std::vector<std::string> places;
    collectPlaces(good, "", places);
    EXPECT_GE(places.size(), 300u);
    const schema::Json unwanted{{"no such key", 1}};
    const bool full = std::getenv("SUNDER_FULL_TESTS") != nullptr;
    size_t tried = 0, refused = 0;
    for (const std::string& place : places) {
        SCOPED_TRACE(place);
        const schema::Json::json_pointer at(place);
        schema::Json bad = good;
        bad[at] = unwanted;
        const scene::ParsedScene parsed = scene::parseScene(bad.dump(), "bad");
        const std::string around = at.parent_pointer().to_string();  // of rows of numbers the whole is told
        const bool found = std::any_of(
            parsed.issues.list().begin(), parsed.issues.list().end(),
            [&](const schema::Issue& issue) { return issue.pointer.starts_with(place) || issue.pointer == around; });
        EXPECT_TRUE(found) << parsed.issues.describe();
        // of these, some are good in some places; all end in a scene or in sentences
        static const std::vector<const char*> values{
            "null",  "true",   "\"\"",       "\"x\"",           "[]",          "{}", "-1", "0", "0.5",
            "1e300", "-1e300", "1000000000", "[1, 2, 3, 4, 5]", "\"$nowhere\""};
        for (size_t i = 0; i < (full ? values.size() : 3); ++i, ++tried) {
            bad[at] = schema::Json::parse(values[tried % values.size()]);
            refused += !fuzz::tryScene(bad.dump());
        }
    }
    EXPECT_GE(2 * refused, tried) << "most are good nowhere";
}

TEST(SceneFiles, PatternsOfArtistsAreLookedAt) {
    const fs::path folder = fs::path(SUNDER_BINARY_DIR) / "scene_files_test";
    fs::create_directories(folder);
    writeMesh(makeShape("box"), folder / "region.obj");
    writeFileAtomically(folder / "open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    const auto issuesWith = [&](const std::string& files) {
        writeFileAtomically(folder / "p.json", R"({"version": 1, "materials": {"m": {"fracture":
            {"method": "prescored", "pattern": "artist", "pattern_files": )" +
                                                   files + R"(}}}, "bodies": [{"name": "x", "shape": "box"}]})");
        return examineScene(folder / "p.json").issues;
    };
    const std::string files = "/materials/m/fracture/pattern_files";
    EXPECT_FALSE(issuesWith(R"(["region.obj", "region.obj"])").failed());
    const schema::Issues bad = issuesWith(R"(["region.obj", "gone.obj", "open.obj"])");
    ASSERT_EQ(bad.errors(), 2u) << bad.describe();
    EXPECT_EQ(bad.list()[0].pointer, files + "/1");
    EXPECT_NE(bad.list()[0].message.find("there is no such file"), std::string::npos);
    EXPECT_EQ(bad.list()[1].pointer, files + "/2");
    EXPECT_NE(bad.list()[1].message.find("3 open edges"), std::string::npos) << bad.describe();
    EXPECT_EQ(issuesWith(R"(["region.obj"])").list()[0].pointer, files);
    EXPECT_EQ(issuesWith("[]").list()[0].pointer, files);
    // the body's own
    writeFileAtomically(folder / "q.json", R"({"version": 1, "bodies": [{"name": "x", "shape": "box", "material":
        {"fracture": {"method": "prescored", "pattern": "artist", "pattern_files": ["gone.obj", "region.obj"]}}}]})");
    EXPECT_EQ(examineScene(folder / "q.json").issues.list()[0].pointer, "/bodies/0/material/fracture/pattern_files/0");
}

TEST(SceneFiles, MeshesThatAreNoSolidsAreNamedWithTheirPlace) {
    const fs::path folder = fs::path(SUNDER_BINARY_DIR) / "scene_files_test";
    fs::create_directories(folder);
    writeFileAtomically(folder / "open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    writeFileAtomically(folder / "empty.obj", "");
    writeFileAtomically(folder / "nan.obj", "v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    const std::vector<std::pair<std::string, std::string>> sentences{{"open.obj", "set \"repair\": true, or mend it"},
                                                                     {"empty.obj", "empty.obj"},
                                                                     {"nan.obj", "finite"},
                                                                     {"", "the path of a file"},
                                                                     {"x.docx", "there is no such file"},
                                                                     {".", ""}};
    for (const auto& [mesh, sentence] : sentences) {
        SCOPED_TRACE(mesh);
        writeFileAtomically(folder / "m.json", R"({"version": 1, "bodies": [{"name": "x", "mesh": ")" + mesh + "\"}]}");
        const schema::Issues issues = examineScene(folder / "m.json").issues;
        ASSERT_EQ(issues.errors(), 1u) << issues.describe();
        EXPECT_TRUE(issues.list()[0].pointer.starts_with("/bodies/0/mesh")) << issues.describe();
        EXPECT_NE(issues.list()[0].message.find(sentence), std::string::npos) << issues.describe();
    }
}

TEST(SceneFiles, AMissingMeshIsNamedWithItsPlace) {
    const fs::path folder = fs::path(SUNDER_BINARY_DIR) / "scene_files_test";
    fs::create_directories(folder);
    writeFileAtomically(folder / "a.json", R"({"version": 1, "bodies": [{"name": "x", "mesh": "gone.obj"}]})");
    const scene::ParsedScene parsed = examineScene(folder / "a.json");
    ASSERT_EQ(parsed.issues.errors(), 1u);
    EXPECT_EQ(parsed.issues.list()[0].pointer, "/bodies/0/mesh");
    EXPECT_NE(parsed.issues.list()[0].message.find("there is no such file"), std::string::npos);
    EXPECT_THROW(readScene(folder / "a.json"), schema::SceneError);
}

TEST(SceneFiles, AMeshFileIsScaledTurnedAndCentred) {
    const fs::path folder = fs::path(SUNDER_BINARY_DIR) / "scene_files_test";
    fs::create_directories(folder);
    writeMesh(makeShape("box", {{"width", 1}, {"height", 2}, {"depth", 4}}), folder / "box.obj");
    writeFileAtomically(folder / "b.json", R"({"version": 1, "bodies": [{"name": "x", "mesh":
        {"file": "box.obj", "unit": "cm", "up": "z", "centre": "base", "scale": [1, 10, 1]}}]})");
    const sim::SimulationSetup setup = setupFrom(readScene(folder / "b.json"), folder / "b.json");
    ASSERT_EQ(setup.bodies.size(), 1u);
    const Box3 box = boundsOf(*setup.bodies[0].mesh());
    // 4 cm along the file's z become 40 cm of height
    EXPECT_NEAR((box.min - Vec3(-0.01, 0, -0.005)).norm(), 0, 1e-12);
    EXPECT_NEAR((box.max - Vec3(0.01, 0.4, 0.005)).norm(), 0, 1e-12);
    EXPECT_GT(volume(*setup.bodies[0].mesh()), 0);
}

TEST(SceneSchema, TheFilesInTheTreeAreUpToDate) {
    EXPECT_EQ(readWholeFile(kSource / "sunder.schema.json"), scene::jsonSchemaText())
        << "run: sunder validate --schema > sunder.schema.json";
    EXPECT_EQ(readWholeFile(kSource / "docs" / "scene.md"), scene::schemaDocs())
        << "run: sunder validate --docs > docs/scene.md";
}

}  // namespace
}  // namespace sunder
