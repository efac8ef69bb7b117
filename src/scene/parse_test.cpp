#include "scene/parse.h"

#include <gtest/gtest.h>

#include "fracture/prescored/prescored.h"
#include "scene/check.h"

namespace sunder::scene {

using namespace schema;

namespace {

/// A mistake: what is written, where it must be found, and what must be said of it.
struct Mistake {
    const char* text;
    const char* pointer;
    std::vector<const char*> words;
};

TEST(ParseScene, EveryMistakeIsFoundInItsPlaceWithTheRightWords) {
    const std::vector<Mistake> mistakes{
        // syntax
        {"", "", {"line 1, column 1", "ends too early"}},
        {"{\"version\": 1,\n \"bodies\": [", "", {"line 2", "ends too early"}},
        {"{\"version\": 1,\n  \"title\": oops}", "", {"line 2, column", "cannot read 'oops'"}},
        {"{\"version\": 1,\n}", "", {"line 2, column 1", "a comma before '}'"}},
        {R"({"version": 1, "world": {"gravity": [0, NaN, 0]}})", "", {"'NaN' is not a number JSON knows"}},
        {R"({"version": 1, "world": {"frame_rate": -Infinity}})", "", {"Infinity", "finite"}},
        {R"({"version": 1, "world": {"frame_rate": 1e999}})", "", {"'1e999'", "too large"}},
        {"[1, 2]", "", {"must be an object", "found [1,2]"}},
        {R"({"version": 1, "title": "a", "title": "b"})", "/title", {"given twice"}},
        // types and ranges
        {"{}", "", {"needs \"version\""}},
        {R"({"version": 3})", "/version", {"found 3"}},
        {R"({"version": 1, "floor": 1})", "/floor", {"true, false or an object"}},
        {R"({"version": 1, "world": {"frames": "10"}})", "/world/frames", {"whole number", "leave the quotes away"}},
        {R"({"version": 1, "world": {"solver": {"sleeping": 1}}})", "/world/solver/sleeping", {"true or false"}},
        {R"({"version": 1, "bodies": {}})", "/bodies", {"an array"}},
        {R"({"version": 1, "bodies": [7]})", "/bodies/0", {"an object", "found 7"}},
        {R"({"version": 1, "materials": {"m": {"colour": "red"}}})", "/materials/m/colour", {"#rrggbb"}},
        {R"({"version": 1, "materials": {"a/b": {}}})", "/materials/a~1b", {"without '/'"}},
        // unknown words
        {R"({"version": 1, "materials": {"m": {"dencity": 1}}})", "/materials/m/dencity", {"did you mean 'density'?"}},
        {R"({"version": 1, "materials": {"m": {"look": "glas"}}})", "/materials/m/look", {"did you mean 'glass'?"}},
        {R"({"version": 1, "fields": [{"type": "radiall"}]})", "/fields/0/type", {"did you mean 'radial'?"}},
        {R"({"version": 1, "fields": [{"strength": 1}]})",
         "/fields/0",
         {"\"type\" is missing", "uniform, radial, drag"}},
        {R"({"version": 1, "bodies": [{"name": "a", "shape": {"name": "box", "widht": 1}}]})",
         "/bodies/0/shape/widht",
         {"did you mean 'width'?"}},
        {R"({"version": 1, "bodies": [{"name": "a", "shape": {"name": "box", "width": 1e9}}]})",
         "/bodies/0/shape/width",
         {"from 0.001 to 100", "found 1000000000"}},
        {R"({"version": 1, "bodies": [{"name": "a", "shape": "box", "fracture": {"method": "prescord"}}]})",
         "/bodies/0/fracture/method",
         {"did you mean 'prescored'?"}},
        // things that do not go together
        {R"({"version": 1, "bodies": [{"shape": "box"}]})", "/bodies/0", {"needs \"name\""}},
        {R"({"version": 1, "bodies": [{"name": "a", "shape": "box", "mesh": "b.obj"}]})", "/bodies/0", {"both"}},
        {R"({"version": 1, "bodies": [{"name": "a", "shape": "plane"}]})",
         "/bodies/0/shape",
         {"a plane has no end and cannot move"}},
        {R"({"version": 1, "bodies": [{"name": "a", "shape": "box", "kind": "static", "velocity": [1, 0, 0]}]})",
         "/bodies/0/velocity",
         {"only dynamic bodies"}},
        {R"({"version": 1, "bodies": [{"name": "a", "shape": "box", "motion": {"type": "spin"}}]})",
         "/bodies/0/motion",
         {"only kinematic bodies"}},
        {R"({"version": 1, "bodies": [{"name": "a", "shape": "box", "rotation": {"axis": [0, 0, 0], "degrees": 1}}]})",
         "/bodies/0/rotation/axis",
         {"a direction with a length"}},
        {R"({"version": 1, "bodies": [{"name": "a", "shape": "box", "rotation": 5}]})",
         "/bodies/0/rotation",
         {"a rotation", "quaternion"}},
        {R"({"version": 1, "bodies": [{"name": "a", "shape": "box", "kind": "kinematic",
            "motion": {"type": "keyframes", "keys": [{"time": 1}, {"time": 1}]}}]})",
         "/bodies/0/motion/keys/1/time",
         {"later than the key before it (1 s)"}},
        {R"({"version": 1, "bodies": [{"name": "a", "shape": "box", "array": {"count": [1001, 1000, 1]}}]})",
         "/bodies/0/array/count",
         {"1001000 members", "at most 1000000"}},
        {R"({"version": 1, "bodies": [{"name": "a", "shape": "box", "fracture": {"method": "prescored", "stretch": 3}}]})",
         "/bodies/0/fracture",
         {"stretch must be", "got 3"}},
        {R"({"version": 1, "bodies": [{"name": "a", "shape": "box", "fracture": {"method": "prescored", "pattern": "artist"}}]})",
         "/bodies/0/fracture/pattern_files",
         {"needs its meshes"}},
        {R"({"version": 1, "bodies": [{"name": "a", "shape": "box"}], "actions": [{"type": "throw", "body": "a"}]})",
         "/actions/0/type",
         {"unknown type \"throw\""}},
        {R"({"version": 1, "bodies": [{"name": "a", "shape": "box"}], "actions": [{"type": "push", "impulse": [1, 0, 0]}]})",
         "/actions/0",
         {"\"body\""}},
        {R"({"version": 1, "bodies": [{"name": "a", "shape": "box"}], "actions": [{"type": "push", "body": "", "impulse": [1, 0, 0]}]})",
         "/actions/0/body",
         {"the name of a body"}},
        {R"({"version": 1, "bodies": [{"name": "a", "shape": "box"}], "actions": [{"type": "pull", "body": "a", "path": []}]})",
         "/actions/0/path",
         {"a list of 1 to"}},
        {R"({"version": 1, "bodies": [{"name": "a", "shape": "box"}],
            "actions": [{"type": "pull", "body": "a", "path": [[0, 1, 2, 3], [1, 2, 3]]}]})",
         "/actions/0/path/1",
         {"four numbers [time, x, y, z]", "found [1,2,3]"}},
        {R"({"version": 1, "bodies": [{"name": "a", "shape": "box"}],
            "actions": [{"type": "pull", "body": "a", "path": [[2, 1, 2, 3], [1, 1, 2, 3]]}]})",
         "/actions/0/path/1/0",
         {"later than the point before it (2 s)", "found 1"}},
        {R"({"version": 1, "bodies": [{"name": "a", "shape": "box", "strength_paint": {"vertices": 8, "values": "no!"}}]})",
         "/bodies/0/strength_paint/values",
         {"not base64", "paint the body again"}},
        {R"({"version": 1, "bodies": [{"name": "a", "shape": "box", "strength_paint": {"vertices": 8, "values": "AAAA"}}]})",
         "/bodies/0/strength_paint/values",
         {"no zlib stream"}},
        {R"({"version": 1, "bodies": [{"name": "a", "shape": "box", "strength_paint": {"vertices": 8, "values": ""}}]})",
         "/bodies/0/strength_paint/values",
         {"fewer than the 8 vertices"}},
        {R"({"version": 1, "bodies": [{"name": "a", "shape": "box",
            "strength_paint": {"vertices": 9, "values": "eNpLMTqRksLwPwUADxwDig=="}}]})",
         "/bodies/0/strength_paint/values",
         {"fewer than the 9 vertices"}},
        {R"({"version": 1, "bodies": [{"name": "a", "shape": "box",
            "strength_paint": {"vertices": 7, "values": "eNpLMTqRksLwPwUADxwDig=="}}]})",
         "/bodies/0/strength_paint/values",
         {"more than the 7 vertices"}},
        {R"({"version": 1, "bodies": [{"name": "a", "shape": "box",
            "strength_paint": {"vertices": 100000000, "values": "eNpLMTqRksLwPwUADxwDig=="}}]})",
         "/bodies/0/strength_paint/values",
         {"fewer than the 100000000 vertices"}},
        // too much, too little, wrong units
        {R"({"version": 1, "bodies": [{"name": "a", "shape": "box", "appears": -1}]})",
         "/bodies/0/appears",
         {"from 0 to 1e+06 (s), found -1"}},
        {R"({"version": 1, "bodies": [{"name": "a", "shape": "box", "mass": -2}]})",
         "/bodies/0/mass",
         {"above 0", "(kg), found -2"}},
        {R"({"version": 1, "bodies": [{"name": "a", "shape": "box", "mass": 1e300}]})", "/bodies/0/mass", {"1e+300"}},
        {R"({"version": 1, "bodies": [{"name": "a", "shape": "box", "mass": "2 kg"}]})",
         "/bodies/0/mass",
         {"a number", "found \"2 kg\""}},
        {R"({"version": 1, "bodies": [{"name": "a", "shape": "box", "mass": null}]})",
         "/bodies/0/mass",
         {"found null"}},
        {R"({"version": 1, "bodies": [{"name": "a", "mesh": {"file": "a.obj", "unit": "parsec"}}]})",
         "/bodies/0/mesh/unit",
         {"unknown value \"parsec\"", "m, cm, mm, in, ft"}},
        {R"({"version": 1, "bodies": [{"name": "a", "mesh": {"file": "a.obj", "scale": [1, 0, 1]}}]})",
         "/bodies/0/mesh/scale/1",
         {"from 1e-09 to 1e+09", "found 0"}},
        {R"({"version": 1, "bodies": [{"name": "a", "shape": "box", "array": {"count": [1000000000, 1, 1]}}]})",
         "/bodies/0/array/count/0",
         {"from 1 to 1000000", "found 1000000000"}},
        {R"({"version": 1, "bodies": [{"name": "a", "shape": "box", "array": {"count": [1000, 1000, 1000]}}]})",
         "/bodies/0/array/count",
         {"1000000000 members"}},
        {R"({"version": 1, "materials": {"m": {"fracture": {"method": "prescored", "pieces": 1000000000}}}})",
         "/materials/m/fracture/pieces",
         {"from 2 to 100000", "found 1000000000"}},
        {R"({"version": 1, "world": {"frames": 18446744073709551616}})", "/world/frames", {"from 1 to 1000000"}},
        {R"({"version": 1, "world": {"seed": 1e17}})", "/world/seed", {"from 0 to 9007199254740991"}},
        {R"({"version": 1, "bodies": [{"name": "a", "shape": "box", "position": [0, 1e300, 0]}]})",
         "/bodies/0/position/1",
         {"from -1e+06 to 1e+06", "1e+300"}},
        {R"({"version": 1, "bodies": [{"name": "a", "shape": "box", "anchored": "wall"}]})",
         "/bodies/0/anchored",
         {"a number", "(N s), found \"wall\""}},
        {R"({"version": 1, "include": "other.json"})", "/include", {"unknown key \"include\""}},
        {R"({"version": 1, "output": {"file": 5}})", "/output/file", {"text in quotes"}},
        {R"({"version": 1, "output": {"least_speed": -1}})", "/output/least_speed", {"from 0", "(m/s), found -1"}},
        {R"({"version": 1, "view": {"light": [0, 0, 0]}})", "/view/light", {"a direction with a length"}},
        {R"({"version": 1, "view": {"camera": {"position": [1, 1, 1], "target": [1, 1, 1]}}})",
         "/view/camera",
         {"the same point"}},
        // names
        {R"({"version": 1, "bodies": [{"name": "a", "shape": "box"}, {"name": "a", "shape": "box"}]})",
         "/bodies/1/name",
         {"another one is called \"a\" too"}},
        {R"({"version": 1, "floor": {"material": "concret"}, "materials": {"concrete": {}}})",
         "/floor/material",
         {"there is no material \"concret\"", "did you mean 'concrete'?"}},
        {R"({"version": 1, "floor": true, "bodies": [{"name": "floor", "shape": "box"}]})", "/bodies/0/name", {"too"}},
        {R"({"version": 1, "groups": {"house": {}}, "instances": [{"name": "a", "group": "hause"}]})",
         "/instances/0/group",
         {"did you mean 'house'?"}},
        {R"({"version": 1, "groups": {"g": {"instances": [{"name": "a", "group": "g"}]}}})",
         "/groups/g/instances/0/group",
         {"would hold itself"}},
        {R"({"version": 1, "groups": {"g": {"bodies": [{"name": "b", "shape": "box", "array": {"count": [2000, 1, 1]}}]}},
            "instances": [{"name": "a", "group": "g", "array": {"count": [2000, 1, 1]}}]})",
         "/instances/0",
         {"4.002e+06 of them here", "at most 1000000"}},
        {R"({"version": 1, "bodies": [{"name": "b", "shape": "box", "array": {"count": [30000, 1, 1]}}]})",
         "/limits/max_bodies",
         {"starts with 30000 bodies"}},
        // parameters
        {R"({"version": 1, "parameters": {"frames": 3}, "world": {"frames": "$frame"}})",
         "/world/frames",
         {"unknown parameter", "did you mean 'frames'?"}},
        {R"({"version": 1, "parameters": {"n": -3}, "world": {"frames": {"$": "n"}}})",
         "/world/frames",
         {"found -3", "the value of parameter 'n'"}},
    };
    for (const Mistake& mistake : mistakes) {
        SCOPED_TRACE(mistake.text);
        const Issues issues = parseScene(mistake.text, "test.json").issues;
        bool found = false;
        for (const Issue& issue : issues.list()) {
            bool fits = issue.pointer == mistake.pointer && issue.severity == Issue::Severity::Error;
            for (const char* word : mistake.words) fits = fits && issue.message.find(word) != std::string::npos;
            found = found || fits;
        }
        EXPECT_TRUE(found) << mistake.pointer << "\nin\n" << issues.describe();
    }
}

TEST(ParseScene, LayersThatAreIgnoredCountAndHaveToBeThere) {
    const auto issuesWith = [](const std::string& ignores) {
        return parseScene(R"({"version": 1, "bodies": [{"name": "a", "shape": "box", "collision": {"layer": "glass"}},
            {"name": "b", "shape": "box", "collision": {"ignores": [)" +
                              ignores + "]}}]}",
                          "test.json")
            .issues;
    };
    EXPECT_TRUE(issuesWith(R"("glass", "default")").list().empty());
    const Issues typo = issuesWith(R"("glass", "glas")");
    ASSERT_EQ(typo.list().size(), 1u);
    EXPECT_FALSE(typo.failed()) << "a warning";
    EXPECT_EQ(typo.list()[0].pointer, "/bodies/1/collision/ignores/1");
    EXPECT_NE(typo.list()[0].message.find("did you mean 'glass'?"), std::string::npos);
    std::string many;
    for (int i = 0; i < 31; ++i) many += (i ? ", \"l" : "\"l") + std::to_string(i) + "\"";
    EXPECT_NE(issuesWith(many).describe().find("33 collision layers; at most 31"), std::string::npos);
}

TEST(ParseScene, AGoodSceneHasNoIssues) {
    const ParsedScene parsed = parseScene(R"(// a comment
        {"version": 1, /* another */ "bodies": [{"name": "a", "shape": "sphere"}]})",
                                          "test.json");
    EXPECT_EQ(parsed.issues.describe(), "");
    ASSERT_EQ(parsed.scene.bodies.size(), 1u);
    EXPECT_EQ(parsed.scene.bodies[0].shape->name, "sphere");
    EXPECT_EQ(parsed.scene.world.frameRate, 30);
}

TEST(ParseScene, DeepNestingIsRefusedWithoutRecursion) {
    const ParsedScene parsed = parseScene(std::string(1000000, '['), "test.json");
    ASSERT_TRUE(parsed.issues.failed());
    EXPECT_NE(parsed.issues.describe().find("nested more than 64 deep"), std::string::npos);
}

TEST(ParseScene, AllMistakesAreToldUpToTwenty) {
    std::string bodies;
    for (int i = 0; i < 30; ++i) bodies += (i ? "," : "") + std::string("5");
    const ParsedScene parsed = parseScene("{\"version\": 1, \"bodies\": [" + bodies + "]}", "test.json");
    EXPECT_EQ(parsed.issues.errors(), 30u);
    EXPECT_EQ(parsed.issues.list().size(), 20u);
    EXPECT_NE(parsed.issues.describe().find("and 10 more"), std::string::npos);
}

TEST(ParseScene, SavingLeavesDefaultsOutAndKeepsTheOrderOfTheSchema) {
    const Scene scene = parseScene(R"({"bodies": [{"position": [0, 0, 0], "shape": {"radius": 0.5, "name": "sphere"},
        "mass": 2, "name": "a"}], "world": {"frames": 10, "frame_rate": 30}, "version": 1})",
                                   "test.json")
                            .scene;
    EXPECT_EQ(sceneText(scene),
              "{\n  \"version\": 1,\n  \"world\": {\"frames\": 10},\n"
              "  \"bodies\": [{\"name\": \"a\", \"shape\": \"sphere\", \"mass\": 2}]\n}\n");
}

TEST(ParseScene, ParametersStayUntilTheValueIsChanged) {
    Scene scene = parseScene(R"({"version": 1, "parameters": {"n": 150}, "world": {"frames": "$n"}})", "t").scene;
    EXPECT_NE(sceneText(scene).find("\"frames\": \"$n\""), std::string::npos) << "though 150 is the default";
    scene.world.frames = 7;
    EXPECT_NE(sceneText(scene).find("\"frames\": 7"), std::string::npos);
}

TEST(Settings, ChangeParametersPathsAndPointers) {
    const char* text = R"({"version": 1, "parameters": {"wall.pieces": 25},
        "bodies": [{"name": "wall", "shape": "box", "position": [1, 2, 3],
                    "fracture": {"method": "prescored", "pieces": "$wall.pieces"}}]})";
    const ParsedScene parsed = parseScene(
        text, "t", {"wall.pieces=60", "world.frames=10", "bodies.wall.mass=3", "/bodies/0/position/1=5", "title=x y"});
    EXPECT_EQ(parsed.issues.describe(), "");
    const Body& wall = parsed.scene.bodies[0];
    EXPECT_EQ((*wall.fracture).as<fracture::PrescoredOptions>()->pieces, 60);
    EXPECT_EQ(parsed.scene.world.frames, 10);
    EXPECT_EQ(wall.mass, 3);
    EXPECT_EQ(wall.position.y(), 5);
    EXPECT_EQ(parsed.scene.title, "x y");
}

TEST(Settings, WhatIsNotThereGetsADidYouMean) {
    const char* text = R"({"version": 1, "parameters": {"wall.pieces": 25}, "world": {"frames": "$wall.pieces"},
        "bodies": [{"name": "wall", "shape": "box"}]})";
    const auto said = [&](const char* setting) { return parseScene(text, "t", {setting}).issues.describe(); };
    EXPECT_NE(said("wall.peices=60").find("did you mean 'wall.pieces'?"), std::string::npos) << said("wall.peices=60");
    EXPECT_NE(said("bodies.wal.mass=3").find("did you mean 'wall'?"), std::string::npos) << said("bodies.wal.mass=3");
    EXPECT_NE(said("world.framse=3").find("did you mean 'frames'?"), std::string::npos) << said("world.framse=3");
    EXPECT_NE(said("bodies=3").find("not a single value"), std::string::npos);
    EXPECT_NE(said("frames").find("give a name and a value"), std::string::npos);
}

}  // namespace
}  // namespace sunder::scene
