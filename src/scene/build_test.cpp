#include "scene/build.h"

#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "fracture/fem/fem_method.h"
#include "material/catalogue.h"
#include "scene/check.h"
#include "scene/fracture_of.h"
#include "scene/parse.h"
#include "scene/rotations.h"
#include "scene/strength_paint.h"
#include "sim/simulation.h"

namespace sunder::scene {

using namespace schema;

namespace {

/// No meshes, and one volume: half as strong on the left, as the material says on the right.
struct NoMeshes : MeshSource {
    TriMesh read(const std::string& file) override { throw InputError(file, "is not there"); }
    fracture::VolumeTexture readVolume(const std::string& file) override {
        if (file != "halves.nrrd") throw InputError(file, "is not there");
        return {.count = {2, 1, 1}, .values = {0.5, 1}, .placement = {}};
    }
};

Scene sceneOf(const std::string& rest) {
    const ParsedScene parsed = parseScene("{\"version\": 1, " + rest + "}", "test.json");
    EXPECT_EQ(parsed.issues.describe(), "");
    return parsed.scene;
}

sim::SimulationSetup setupOf(const Scene& scene) {
    NoMeshes meshes;
    return buildSetup(scene, meshes);
}

std::map<std::string, sim::BodySetup> byName(const sim::SimulationSetup& setup) {
    std::map<std::string, sim::BodySetup> named;
    for (const sim::BodySetup& body : setup.bodies) named[body.name] = body;
    return named;
}

TEST(BuildSetup, EveryBodySaysWhereItStandsInTheFile) {
    const auto bodies = byName(setupOf(sceneOf(R"("floor": true,
        "groups": {"house": {"bodies": [{"name": "door", "shape": "box"}, {"name": "roof", "shape": "box"}]}},
        "bodies": [{"name": "a", "shape": "box"}, {"name": "row", "shape": "box", "array": {"count": [3, 1, 1]}}],
        "instances": [{"name": "left", "group": "house"}])")));
    EXPECT_EQ(bodies.at("floor").source, "/floor");
    EXPECT_EQ(bodies.at("a").source, "/bodies/0");
    EXPECT_EQ(bodies.at("row/c2").source, "/bodies/1");
    EXPECT_EQ(bodies.at("left/roof").source, "/groups/house/bodies/1");
}

TEST(BuildSetup, LateBodiesKnowTheirTime) {
    const auto bodies = byName(setupOf(sceneOf(R"(
        "groups": {"rain": {"bodies": [{"name": "drop", "shape": "sphere", "appears": 2}]}},
        "bodies": [{"name": "a", "shape": "box"}, {"name": "row", "shape": "box", "appears": 0.5, "array": {"count": [3, 1, 1]}}],
        "instances": [{"name": "left", "group": "rain"}])")));
    EXPECT_EQ(bodies.at("a").appears, 0);
    EXPECT_EQ(bodies.at("row/c0").appears, 0.5);
    EXPECT_EQ(bodies.at("row/c2").appears, 0.5);
    EXPECT_EQ(bodies.at("left/drop").appears, 2);
}

TEST(BuildSetup, ALateBodysLayerDoesNotChangeThoseOfOthers) {
    const std::string calm = R"({"name": "a", "shape": "box", "collision": {"layer": "x"}},
        {"name": "b", "shape": "box", "collision": {"layer": "y", "ignores": ["x"]}})";
    const std::string late =
        R"({"name": "late", "shape": "box", "appears": 1, "collision": {"layer": "z", "ignores": ["y"]}},)";
    const auto without = byName(setupOf(sceneOf("\"bodies\": [" + calm + "]")));
    const auto with = byName(setupOf(sceneOf("\"bodies\": [" + late + calm + "]")));
    for (const char* name : {"a", "b"}) {
        EXPECT_EQ(with.at(name).options.group, without.at(name).options.group) << name;
        EXPECT_EQ(with.at(name).options.collidesWith, without.at(name).options.collidesWith) << name;
    }
    EXPECT_EQ(with.at("late").options.collidesWith & with.at("b").options.group, 0u);
    EXPECT_NE(with.at("late").options.collidesWith & with.at("a").options.group, 0u);
}

TEST(BuildSetup, ALayerThatIgnoresItselfStillMeetsTheFloor) {
    sim::Simulation simulation(setupOf(sceneOf(R"("floor": true, "bodies": [
        {"name": "a", "shape": "box", "position": [0, 1, 0], "collision": {"layer": "debris", "ignores": ["debris"]}},
        {"name": "b", "shape": "box", "position": [0, 1, 0], "collision": {"layer": "debris", "ignores": ["debris"]}}])")));
    for (int frame = 0; frame < 60; ++frame) (void)simulation.step();
    for (const sim::BodySerial body : simulation.bodies()) {
        if (simulation.facts(body).name == "floor") continue;
        EXPECT_NEAR(simulation.state(body).centre.y(), 0.5, 0.01) << "on the floor, and through each other";
    }
}

TEST(BuildSetup, APlateLiesOnATableThoughItsTopIsThinnerThanItsLegs) {
    for (const double x : {-0.4, 0.0, 0.3}) {
        sim::Simulation simulation(setupOf(sceneOf(fmt::format(R"("floor": true, "bodies": [
            {{"name": "table", "shape": "table", "kind": "static"}},
            {{"name": "plate", "shape": "plate", "position": [{}, 0.752, 0]}}])",
                                                               x))));
        for (int frame = 0; frame < 45; ++frame) (void)simulation.step();
        for (const sim::BodySerial body : simulation.bodies()) {
            if (simulation.facts(body).name != "plate") continue;
            EXPECT_NEAR(simulation.state(body).pose.translation.y(), 0.75, 0.004) << x;
        }
    }
}

TEST(CheckBuild, FindsWhatARunWouldRefuse) {
    const auto complaints = [](const std::string& body) {
        const Scene scene = sceneOf("\"bodies\": [" + body + "]");
        NoMeshes meshes;
        Issues issues;
        checkBuild(scene, meshes, issues);
        EXPECT_THROW((void)buildSetup(scene, meshes), SceneError) << body;
        return issues.describe();
    };
    const std::string tiny = complaints(R"({"name": "m", "shape": {"name": "box", "scale": 1e-9}})");
    EXPECT_NE(tiny.find("/bodies/0/shape: size: is 1.73e-09 m across"), std::string::npos) << tiny;
    const std::string thin = complaints(R"({"name": "h", "shape": {"name": "plate", "scale": [1, 1e-9, 1]},
                                            "collision": {"form": "hull"}})");
    EXPECT_NE(thin.find("/bodies/0/shape"), std::string::npos) << thin;
}

TEST(BuildSetup, ActionsAreWhatTheFileSays) {
    const sim::SimulationSetup setup = setupOf(sceneOf(R"("bodies": [{"name": "a", "shape": "box"}], "actions": [
        {"type": "place", "time": 1, "body": "a", "rotation": [0, 90, 0], "velocity": [1, 2, 3]},
        {"type": "push", "time": 2, "body": "a/p3", "impulse": [4, 5, 6], "point": [7, 8, 9]},
        {"type": "pull", "body": "a", "point": [1, 0, 0], "path": [[3, 1, 2, 3], [4.5, 4, 5, 6]]}])"));
    ASSERT_EQ(setup.actions.size(), 3u);
    const auto& place = std::get<sim::PlaceAction>(setup.actions[0].what);
    EXPECT_EQ(setup.actions[0].body, "a");
    EXPECT_EQ(place.time, 1);
    EXPECT_FALSE(place.position || place.angularVelocity);
    EXPECT_EQ(*place.velocity, Vec3(1, 2, 3));
    EXPECT_LE((*place.rotation * Vec3(0, 0, 1) - Vec3(1, 0, 0)).norm(), 1e-15);
    const auto& push = std::get<sim::PushAction>(setup.actions[1].what);
    EXPECT_EQ(setup.actions[1].body, "a/p3");
    EXPECT_EQ(push.impulse, Vec3(4, 5, 6));
    EXPECT_EQ(*push.point, Vec3(7, 8, 9));
    const auto& pull = std::get<sim::PullAction>(setup.actions[2].what);
    ASSERT_EQ(pull.path.size(), 2u);
    EXPECT_EQ(pull.path[1].time, 4.5);
    EXPECT_EQ(pull.path[1].position, Vec3(4, 5, 6));
    EXPECT_EQ(setup.actions[2].time(), 3);
}

TEST(BuildSetup, AnActionOnABodyThatNeverIsGetsAWarning) {
    const std::string bodies =
        R"("bodies": [{"name": "wall", "shape": "box"}, {"name": "row", "shape": "box", "array": {"count": [3, 1, 1]}}])";
    const auto issues = [&](const std::string& body) {
        return parseScene("{\"version\": 1, " + bodies +
                              R"(, "actions": [{"type": "push", "impulse": [1, 0, 0], "body": ")" + body + "\"}]}",
                          "test.json")
            .issues;
    };
    for (const char* good : {"wall", "wall/p3", "wall/p3/p1", "row/c1", "row/c1/p0"})
        EXPECT_EQ(issues(good).describe(), "") << good;
    for (const char* bad : {"wal", "row", "row/c7", "wallet"}) {
        ASSERT_EQ(issues(bad).list().size(), 1u) << bad;
        EXPECT_FALSE(issues(bad).failed()) << bad;
        EXPECT_EQ(issues(bad).list()[0].pointer, "/actions/0/body");
    }
    EXPECT_NE(issues("wal").list()[0].message.find("did you mean 'wall'?"), std::string::npos);
}

/// The options that a body of one material gets.
fracture::FemFractureOptions femOf(const std::string& settings) {
    const Scene scene =
        sceneOf(R"("bodies": [{"name": "a", "shape": "box", "fracture": {"method": "fem", )" + settings + "}}]");
    return dynamic_cast<const fracture::FemMethod&>(*setupOf(scene).bodies[0].method).options();
}

TEST(FemSettings, HaveWhatTheMaterialSays) {
    for (const MaterialEntry& ready : materials()) {
        const fracture::FemFractureOptions options = femOf(R"("material": ")" + std::string(ready.name) + "\"");
        EXPECT_EQ(options.elastic, ready.solid.elastic) << ready.name;
        EXPECT_EQ(options.strength, ready.solid.strength) << ready.name;
        EXPECT_EQ(options.roughness, ready.solid.roughness) << ready.name;
    }
    EXPECT_EQ(femOf(R"("tets": 500)").roughness, findMaterial("concrete")->solid.roughness);
}

TEST(FemSettings, OfTheirOwnWin) {
    const fracture::FemFractureOptions options =
        femOf(R"("material": "glass", "roughness": 0.5, "crack_energy": 7, "strength": 1e6, "extension": 0.3)");
    EXPECT_EQ(options.roughness, 0.5);
    EXPECT_EQ(options.strength.energy, 7);
    EXPECT_EQ(options.strength.tensile, 1e6);
    EXPECT_EQ(options.strength.extension, 0.3);
    EXPECT_EQ(options.elastic, findMaterial("glass")->solid.elastic);
    EXPECT_EQ(femOf(R"("material": "concrete", "roughness": 0)").roughness, 0);
}

TEST(RegionsAt, OfABodyThatComesLateAreThoseItWillPartAlong) {
    const Scene scene = sceneOf(R"("bodies": [{"name": "ground", "shape": "box", "kind": "static"},
        {"name": "late", "shape": "box", "appears": 0.01, "fracture": {"method": "fem", "tets": 500, "grains": 8}}])");
    NoMeshes meshes;
    sim::Simulation simulation(buildSetup(scene, meshes));
    const sim::StepReport report = simulation.step();
    ASSERT_EQ(report.born.size(), 1u);
    const sim::BodyFacts& late = report.born[0];
    fracture::Solid solid;
    solid.geometry = late.geometry;
    solid.wholeVolume = late.volume();
    solid.seed = late.seed;
    const std::vector<Vec3> points(late.mesh()->positions.begin(), late.mesh()->positions.end());
    const std::vector<uint32_t> expected = simulation.setupOf(late).method->regionsAt(solid, points);
    ASSERT_EQ(expected.size(), points.size());
    for (const PlacedBody& placed : placedBodies(scene)) {
        if (placed.name != "late") continue;
        EXPECT_EQ(regionsAt(scene, placed, raw(late.serial), late.geometry, points), expected);
    }
}

TEST(StrengthPaint, IsPackedAndUnpacked) {
    std::vector<uint8_t> percent(5000, 100);
    for (size_t i = 0; i < percent.size(); i += 7) percent[i] = static_cast<uint8_t>(i);
    const StrengthPaint paint = paintOf(percent);
    EXPECT_EQ(paint.vertices, 5000);
    EXPECT_LT(paint.values.size(), 5000u);
    const PaintValues back = paintValues(paint);
    EXPECT_EQ(back.problem, "");
    EXPECT_EQ(back.percent, percent);
}

TEST(StrengthPaint, ReachesTheBodyVertexByVertex) {
    Scene scene = sceneOf(
        R"("bodies": [{"name": "a", "shape": {"name": "box", "resolution": 8}, "array": {"count": [2, 1, 1], "step": [3, 0, 0]}}])");
    const auto plain = byName(setupOf(scene));
    EXPECT_EQ(plain.at("a/c0").strength, nullptr);
    const TriMesh mesh = *plain.at("a/c0").mesh();
    std::vector<uint8_t> percent(mesh.vertexCount(), 100);
    percent[3] = 20;
    scene.bodies[0].strengthPaint = paintOf(percent);
    const auto painted = byName(setupOf(scene));
    ASSERT_NE(painted.at("a/c1").strength, nullptr);
    EXPECT_EQ(painted.at("a/c0").strength, painted.at("a/c1").strength) << "members share it";
    EXPECT_EQ(painted.at("a/c0").strength->at(mesh.positions[VertexIndex{3}]), 0.2);
    EXPECT_EQ(painted.at("a/c0").strength->at(mesh.positions[VertexIndex{4}]), 1);
}

TEST(StrengthPaint, ACoarseBodyIsPaintedOnAFinerCanvas) {
    Scene scene = sceneOf(R"("bodies": [{"name": "a", "shape": {"name": "wall", "resolution": 8}}])");
    const TriMesh mesh = *setupOf(scene).bodies[0].mesh();
    const TriMesh canvas = paintCanvas(mesh);
    ASSERT_GT(canvas.vertexCount(), 20 * mesh.vertexCount());
    std::vector<uint8_t> percent(canvas.vertexCount(), 100);
    const auto painted = VertexIndex{static_cast<uint32_t>(canvas.vertexCount() - 1)};
    percent.back() = 40;
    scene.bodies[0].strengthPaint = paintOf(percent);
    const auto strength = setupOf(scene).bodies[0].strength;
    ASSERT_NE(strength, nullptr);
    EXPECT_EQ(strength->at(canvas.positions[painted]), 0.4);
    EXPECT_EQ(strength->at(mesh.positions[VertexIndex{0}]), 1);
}

TEST(StrengthPaint, ForAnotherMeshIsRefusedWithBothNumbers) {
    Scene scene = sceneOf(R"("bodies": [{"name": "a", "shape": {"name": "box", "resolution": 8}}])");
    const size_t vertices = setupOf(scene).bodies[0].mesh()->vertexCount();
    scene.bodies[0].strengthPaint = paintOf(std::vector<uint8_t>(vertices + 1, 100));
    try {
        setupOf(scene);
        FAIL();
    } catch (const SceneError& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("/bodies/0/strength_paint"), std::string::npos) << text;
        EXPECT_NE(text.find("for " + std::to_string(vertices + 1) + " vertices, but the mesh has " +
                            std::to_string(vertices)),
                  std::string::npos)
            << text;
    }
}

TEST(StrengthVolume, SpansTheBodyAndIsMultipliedWithPaint) {
    Scene scene = sceneOf(R"("bodies": [{"name": "a", "shape": {"name": "box", "resolution": 8},
        "strength_volume": {"file": "halves.nrrd"}, "array": {"count": [2, 1, 1], "step": [3, 0, 0]}}])");
    const auto plain = byName(setupOf(scene));
    const auto& strength = plain.at("a/c0").strength;
    ASSERT_NE(strength, nullptr);
    EXPECT_EQ(strength, plain.at("a/c1").strength) << "members share it";
    const Box3 box = boundsOf(*plain.at("a/c0").mesh());
    const auto across = [&](double part) -> Vec3 { return box.centre() + Vec3((part - 0.5) * box.size().x(), 0, 0); };
    EXPECT_NEAR(strength->at(across(0)), 0.5, 1e-12);
    EXPECT_NEAR(strength->at(across(0.25)), 0.5, 1e-12);
    EXPECT_NEAR(strength->at(across(0.5)), 0.75, 1e-12);
    EXPECT_NEAR(strength->at(across(1)), 1, 1e-12);
    scene.bodies[0].strengthPaint = paintOf(std::vector<uint8_t>(plain.at("a/c0").mesh()->vertexCount(), 40));
    EXPECT_NEAR(byName(setupOf(scene)).at("a/c0").strength->at(across(0.5)), 0.3, 1e-12);
}

TEST(StrengthVolume, IsStretchedWithHalfBricks) {
    const auto bodies = byName(setupOf(sceneOf(R"("bodies": [{"name": "a", "shape": {"name": "box", "width": 2},
        "strength_volume": {"file": "halves.nrrd"},
        "array": {"count": [2, 2, 1], "step": [2, 1, 0], "half_ends": true}}])")));
    const sim::BodySetup *whole = nullptr, *half = nullptr;
    for (const auto& [name, body] : bodies) (boundsOf(*body.mesh()).size().x() > 1.5 ? whole : half) = &body;
    ASSERT_TRUE(whole != nullptr && half != nullptr);
    for (const double part : {0.1, 0.4, 0.5, 0.7}) {
        const auto at = [&](const sim::BodySetup& body) {
            const Box3 box = boundsOf(*body.mesh());
            return body.strength->at(box.centre() + Vec3((part - 0.5) * box.size().x(), 0, 0));
        };
        EXPECT_NEAR(at(*half), at(*whole), 1e-9) << part;
    }
}

TEST(StrengthVolume, ThatIsNotThereOrForAPlaneIsRefused) {
    const Scene missing =
        sceneOf(R"("bodies": [{"name": "a", "shape": "box", "strength_volume": {"file": "no.nrrd"}}])");
    try {
        setupOf(missing);
        FAIL();
    } catch (const SceneError& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("/bodies/0/strength_volume"), std::string::npos) << text;
        EXPECT_NE(text.find("no.nrrd: is not there"), std::string::npos) << text;
    }
    const ParsedScene plane = parseScene(R"({"version": 1, "bodies": [{"name": "a", "shape": "plane", "kind": "static",
        "strength_volume": {"file": "halves.nrrd"}}]})",
                                         "test.json");
    EXPECT_NE(plane.issues.describe().find("a plane has no end and no inside"), std::string::npos);
    const ParsedScene nameless =
        parseScene(R"({"version": 1, "bodies": [{"name": "a", "shape": "box", "strength_volume": {}}]})", "test.json");
    EXPECT_NE(nameless.issues.describe().find("/bodies/0/strength_volume"), std::string::npos);
}

}  // namespace
}  // namespace sunder::scene
