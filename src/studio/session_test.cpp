#include "studio/session.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <thread>

#include "geometry/shapes/shapes.h"
#include "io/byte_order.h"
#include "io/mesh_io.h"
#include "io/recording_reader.h"
#include "io/recording_run.h"
#include "scene/strength_paint.h"
#include "studio/test_session.h"

namespace sunder::studio {
namespace {

namespace fs = std::filesystem;
using test::ball;
using test::fallingBlock;

/// What `sunder run` makes of a scene.
std::string digestOfRun(const fs::path& scene, uint64_t frames) {
    SceneRunOptions options;
    options.scene = scene;
    options.recording = scene.parent_path() / "from_scratch.sunder";
    options.frames = frames;
    options.program = test::kVersion;
    Progress silent;
    SceneRun::begin(options, SceneRun::Existing::Replace).run(silent);
    return RecordingReader(options.recording).digest();
}

struct WireFrame {
    uint32_t number = 0;
    std::map<uint32_t, std::array<float, 7>> places;
};

/// As the browser reads it.
std::vector<WireFrame> framesIn(const Answer& answer) {
    const std::string_view bytes(reinterpret_cast<const char*>(answer.bytes.data()), answer.bytes.size());
    std::vector<WireFrame> frames;
    size_t at = 0;
    while (at < bytes.size()) {
        WireFrame frame{.number = loadAs<uint32_t>(bytes, at), .places = {}};
        const auto count = loadAs<uint32_t>(bytes, at + 4);
        at += 8;
        for (uint32_t i = 0; i < count; ++i, at += 32) {
            std::array<float, 7>& place = frame.places[loadAs<uint32_t>(bytes, at)];
            for (size_t k = 0; k < 7; ++k) place[k] = loadAs<float>(bytes, at + 4 + 4 * k);
        }
        frames.push_back(std::move(frame));
    }
    return frames;
}

class SessionTest : public test::SessionTest {
protected:
    /// The take as it is now, as a recording that stands for itself.
    std::string digestOfTake() {
        ask({{"do", "keep"}, {"path", "kept.sunder"}, {"force", true}});
        return RecordingReader(file("kept.sunder")).digest();
    }
    void save() { ask({{"do", "save"}}); }
};

// ---- the document

TEST_F(SessionTest, StartsWithANewScene) {
    open();
    const Json scene = ask({{"do", "scene"}});
    EXPECT_EQ(scene["path"], nullptr);
    EXPECT_TRUE(scene["saved"].get<bool>());
    const Json status = session().status();
    EXPECT_EQ(status["take"]["state"], "still");
    EXPECT_EQ(status["document"]["errors"], 0);
    EXPECT_EQ(status["document"]["undo"], nullptr);
    EXPECT_TRUE(status["jobs"].empty());
}

TEST_F(SessionTest, OpensAndShowsTheStart) {
    const Json scene = openScene(fallingBlock());
    EXPECT_EQ(scene["path"], "scene.json");
    EXPECT_EQ(scene["document"]["bodies"][0]["name"], "block");
    const Json bodies = ask({{"do", "bodies"}, {"take", take()["id"]}, {"from", 0}});
    ASSERT_EQ(bodies["bodies"].size(), 2u);
    const Json& block = bodies["bodies"][1];
    EXPECT_EQ(bodies["bodies"][0]["half_space"], true);
    EXPECT_EQ(bodies["bodies"][0]["source"], "/floor");
    EXPECT_EQ(block["source"], "/bodies/0");
    EXPECT_EQ(block["method"], "prescored");
    EXPECT_NEAR(block["volume"].get<double>(), 0.064, 1e-12);
    EXPECT_EQ(bodies["looks"][block["look"].get<size_t>()]["name"], "clay");

    const std::vector<WireFrame> frames = framesIn(answer({{"do", "frames"}, {"from", 0}, {"to", 0}}));
    ASSERT_EQ(frames.size(), 1u);
    EXPECT_FLOAT_EQ(frames[0].places.at(1)[1], 0.8f);

    const std::string mesh = session().mesh(block["mesh"]);
    const auto vertices = loadAs<uint32_t>(mesh, 0), triangles = loadAs<uint32_t>(mesh, 4);
    EXPECT_EQ(mesh.size(), 12 + 12 * vertices + 12 * triangles);
    const Answer meshes = answer({{"do", "meshes"}, {"hashes", {block["mesh"], block["mesh"]}}});
    EXPECT_EQ(meshes.json["count"], 2);
    EXPECT_EQ(meshes.bytes.size(), 2 * mesh.size());
}

TEST_F(SessionTest, AStillIsNumberedAsARunIs) {
    Json scene = fallingBlock();
    scene["bodies"].push_back({{"name", "late"}, {"shape", "sphere"}, {"appears", 0.5}, {"position", {0, 3, 0}}});
    scene["bodies"].push_back({{"name", "pins"},
                               {"shape", {{"name", "box"}, {"width", 0.1}, {"height", 0.1}, {"depth", 0.1}}},
                               {"position", {2, 0.05, 0}},
                               {"array", {{"count", {2, 1, 1}}, {"step", {0.5, 0, 0}}}}});
    openScene(scene);
    const Json still = ask({{"do", "bodies"}});
    step(1);
    const Json run = ask({{"do", "bodies"}});
    ASSERT_EQ(still["bodies"].size(), run["bodies"].size());
    for (size_t i = 0; i < still["bodies"].size(); ++i) {
        for (const char* key : {"id", "name", "mesh", "kind", "look", "method", "source", "half_space"})
            EXPECT_EQ(still["bodies"][i][key], run["bodies"][i][key]) << i << " " << key;
        EXPECT_NEAR(still["bodies"][i]["volume"].get<double>(), run["bodies"][i]["volume"].get<double>(), 1e-9);
    }
}

TEST_F(SessionTest, EditsAreShownAndUndone) {
    openScene(fallingBlock());
    const Json before = take();
    const Json moved = ask(edit("replace", "/bodies/0/position", {0, 2, 0}));
    EXPECT_FALSE(moved["saved"].get<bool>());
    EXPECT_NE(take()["id"], before["id"]);
    EXPECT_FLOAT_EQ(framesIn(answer({{"do", "frames"}, {"from", 0}}))[0].places.at(1)[1], 2.0f);
    EXPECT_EQ(session().status()["document"]["undo"], "Change");
    EXPECT_TRUE(ask({{"do", "undo"}})["saved"].get<bool>());
    EXPECT_FLOAT_EQ(framesIn(answer({{"do", "frames"}, {"from", 0}}))[0].places.at(1)[1], 0.8f);
    ask({{"do", "redo"}});
    EXPECT_NE(refusal({{"do", "redo"}}), "");
}

TEST_F(SessionTest, ABadValueIsRefusedAtItsField) {
    openScene(fallingBlock());
    const Json answer = session().handle(edit("replace", "/bodies/0/shape/width", -1)).json;
    ASSERT_TRUE(answer.contains("error")) << answer.dump();
    const Json& issue = answer["error"]["issues"][0];
    EXPECT_EQ(issue["pointer"].get<std::string>().find("/bodies/0/shape"), 0u) << issue.dump();
    EXPECT_EQ(issue["severity"], "error");
    EXPECT_EQ(ask({{"do", "scene"}})["document"]["bodies"][0]["shape"]["width"], 0.4);
}

TEST_F(SessionTest, MeshesThatAreMissingOrOutsideAreIssuesAtTheBody) {
    openScene(fallingBlock());
    for (const std::string name : {"nothing.obj", "../outside.obj", "/etc/passwd"}) {
        const Json body{{"name", "m"}, {"mesh", {{"file", name}}}};
        const Json answer = session().handle(edit("add", "/bodies/-", body)).json;
        ASSERT_TRUE(answer.contains("error")) << name;
        EXPECT_EQ(answer["error"]["issues"][0]["pointer"].get<std::string>().find("/bodies/1/mesh"), 0u)
            << answer.dump();
    }
}

TEST_F(SessionTest, VolumesAreLookedAtAgainWhenTheirFileChanges) {
    openScene(fallingBlock());
    const auto given = [&](const std::string& name) {
        return session().handle(edit("add", "/bodies/0/strength_volume", {{"file", name}})).json;
    };
    const auto refused = [&](const Json& answer, const std::string& words) {
        ASSERT_TRUE(answer.contains("error")) << answer.dump();
        const Json& issue = answer["error"]["issues"][0];
        EXPECT_EQ(issue["pointer"], "/bodies/0/strength_volume");
        EXPECT_NE(issue["message"].get<std::string>().find(words), std::string::npos) << issue.dump();
    };
    refused(given("weak.nrrd"), "there is no such file");
    refused(given("../weak.nrrd"), "outside the project folder");
    test::writeText(file("weak.nrrd"), "NRRD0004\n");
    refused(given("weak.nrrd"), "ends within the header");
    test::writeText(file("weak.nrrd"),
                    "NRRD0004\ntype: uint8\ndimension: 3\nsizes: 1 1 2\nencoding: ascii\n\n100 50\n");
    EXPECT_FALSE(given("weak.nrrd").contains("error"));
}

TEST_F(SessionTest, WhatIsNoCommandGetsASentence) {
    open();
    for (const Json& command : {Json(nullptr),
                                Json(3),
                                Json::array(),
                                Json::object(),
                                Json{{"do", 3}},
                                Json{{"do", "fly"}},
                                Json{{"do", "edit"}},
                                Json{{"do", "edit"}, {"patch", 3}},
                                Json{{"do", "open"}},
                                Json{{"do", "open"}, {"path", 3}},
                                Json{{"do", "frames"}},
                                Json{{"do", "frames"}, {"from", -1}},
                                Json{{"do", "frames"}, {"from", 1e300}},
                                Json{{"do", "bodies"}, {"take", 999}},
                                Json{{"do", "bodies"}, {"from", 1e14}},
                                Json{{"do", "impacts"}},
                                Json{{"do", "step"}, {"frames", "x"}},
                                Json{{"do", "pace"}},
                                Json{{"do", "pace"}, {"pace", "slow"}},
                                Json{{"do", "throw"}},
                                Json{{"do", "throw"}, {"body", 3}},
                                Json{{"do", "act"}},
                                Json{{"do", "act"}, {"action", Json::object()}},
                                Json{{"do", "pull_begin"}},
                                Json{{"do", "pull_begin"}, {"body", "block"}, {"point", {1, 2}}},
                                Json{{"do", "pull_move"}, {"target", {1, 2, 3}}},
                                Json{{"do", "cancel"}, {"job", 7}},
                                Json{{"do", "export"}, {"path", "x.glb"}},
                                Json{{"do", "keep"}, {"path", "x"}},
                                Json{{"do", "render"}, {"path", "x.png"}},
                                Json{{"do", "diagnose"}},
                                Json{{"do", "repair"}},
                                Json{{"do", "recover"}},
                                Json{{"do", "save"}},
                                Json{{"do", "undo"}},
                                Json{{"do", "redo"}},
                                Json{{"do", "meshes"}, {"hashes", {"x"}}}}) {
        const Json answer = session().handle(command).json;
        ASSERT_TRUE(answer.contains("error")) << command.dump() << answer.dump();
        EXPECT_GT(answer["error"]["message"].get<std::string>().size(), 10u) << command.dump();
    }
    EXPECT_EQ(session().handle({{"do", "scene"}, {"id", 7}}).json["id"], 7);
}

// ---- files

TEST_F(SessionTest, EveryPathStaysInTheProject) {
    fs::create_directories(file("project"));
    test::writeText(file("outside.json"), fallingBlock().dump());
    test::writeText(file("outside.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    for (const char* end : {".json", ".obj", ".glb", ".png", ".sunder"})
        fs::create_symlink(file("outside.json"), file("project/link" + std::string(end)));
    fs::create_directory_symlink(folder(), file("project/up"));
    test::writeText(file("project/scene.json"), fallingBlock().dump());
    Session session({.project = file("project"), .program = "x"});
    EXPECT_TRUE(session.handle({{"do", "open"}, {"path", "scene.json"}}).json.value("ok", false));
    session.handle({{"do", "run"}, {"frames", 1}, {"pace", "fast"}});
    while (session.status()["take"]["state"] != "done") std::this_thread::yield();
    for (const std::string command : {"open", "save", "files", "diagnose", "repair", "export", "render", "keep"}) {
        for (const std::string name :
             {"../outside", "up/outside", "/tmp/outside", "sub/../../outside", "link", ".sunder/x"}) {
            for (const char* end : {".json", ".obj", ".glb", ".png", ".sunder", ""}) {
                const std::string path = name + end;
                // new files beside the link, with an ending of their own, are no harm
                if (name == "link" && (*end == '\0' || (command == "save" && path != "link.json") ||
                                       (command == "keep" && path != "link.sunder")))
                    continue;
                const Json answer =
                    session.handle({{"do", command}, {"path", path}, {"folder", path}, {"force", true}}).json;
                EXPECT_TRUE(answer.contains("error")) << command << " " << path << " " << answer.dump();
            }
        }
    }
    EXPECT_EQ(test::readText(file("outside.json")), fallingBlock().dump());
    size_t left = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder())) left += entry.exists();
    EXPECT_EQ(left, 3u);  // outside.json, outside.obj, project
}

TEST_F(SessionTest, SavesWithoutLosingAnything) {
    open();
    EXPECT_NE(refusal({{"do", "save"}}), "");
    ask(edit("add", "/title", "Mine"));
    EXPECT_EQ(ask({{"do", "save"}, {"path", "mine"}})["path"], "mine.json");
    EXPECT_NE(test::readText(file("mine.json")).find("Mine"), std::string::npos);
    EXPECT_TRUE(session().status()["document"]["saved"].get<bool>());

    ask(edit("replace", "/title", "Other"));
    EXPECT_NE(refusal({{"do", "new"}}).find("unsaved"), std::string::npos);
    test::writeText(file("theirs.json"), "{}");
    EXPECT_NE(refusal({{"do", "save"}, {"path", "theirs.json"}}), "");
    test::writeText(file("mine.json"), "{}");  // another program
    EXPECT_NE(refusal({{"do", "save"}}).find("another program"), std::string::npos);
    ask({{"do", "save"}, {"force", true}});
    EXPECT_NE(test::readText(file("mine.json")).find("Other"), std::string::npos);
    ask({{"do", "new"}});
    EXPECT_EQ(ask({{"do", "recent"}})["recent"][0]["path"], "mine.json");
    EXPECT_EQ(ask({{"do", "open"}, {"path", "mine.json"}})["document"]["title"], "Other");
}

TEST_F(SessionTest, WhatIsNoSceneIsRefusedAndTheOneBeforeStays) {
    openScene(fallingBlock());
    test::writeText(file("broken.json"), "{\"bodies\": [");
    test::writeText(file("list.json"), "[1, 2]");
    test::writeText(file("noise.sunder"), "SQLite format 3 or not");
    for (const char* name : {"broken.json", "list.json", "noise.sunder", "nothing.json"}) {
        EXPECT_NE(refusal({{"do", "open"}, {"path", name}}), "") << name;
        EXPECT_EQ(ask({{"do", "scene"}})["document"]["bodies"][0]["name"], "block");
        EXPECT_EQ(ask({{"do", "bodies"}})["bodies"].size(), 2u);
    }
}

TEST_F(SessionTest, ASceneWithMistakesIsOpenedWithThem) {
    Json scene = fallingBlock();
    scene["bodies"][0]["material"] = "cly";
    const Json opened = openScene(scene);
    ASSERT_FALSE(opened["issues"].empty());
    EXPECT_EQ(opened["issues"][0]["pointer"], "/bodies/0/material");
    EXPECT_NE(refusal({{"do", "run"}}), "");
    EXPECT_EQ(ask(edit("replace", "/bodies/0/material", "clay"))["issues"].size(), 0u);
    step(1);
}

TEST_F(SessionTest, RecoversWhatWasNotSaved) {
    openScene(fallingBlock());
    ask(edit("replace", "/world/frames", 77));
    ask(edit("replace", "/world/frames", 78));
    close();  // ends without saving
    open();
    const Json opened = ask({{"do", "open"}, {"path", "scene.json"}});
    EXPECT_EQ(opened["document"]["world"]["frames"], 40);
    ASSERT_TRUE(opened.contains("recovery"));
    EXPECT_EQ(opened["recovery"]["edits"], 2);
    EXPECT_EQ(ask({{"do", "recover"}})["document"]["world"]["frames"], 78);
    EXPECT_EQ(ask({{"do", "undo"}})["document"]["world"]["frames"], 40);
    ask({{"do", "redo"}});
    save();
    close();
    open();
    EXPECT_FALSE(ask({{"do", "open"}, {"path", "scene.json"}}).contains("recovery"));
}

TEST_F(SessionTest, ForgetsWhatIsNotWanted) {
    open();
    ask(edit("add", "/title", "lost"));
    close();
    open();
    EXPECT_EQ(ask({{"do", "scene"}})["recovery"]["edits"], 1);
    ask({{"do", "forget_recovery"}});
    close();
    open();
    EXPECT_FALSE(ask({{"do", "scene"}}).contains("recovery"));
}

// ---- running

TEST_F(SessionTest, ARunIsTheOneThatSunderRunMakes) {
    openScene(fallingBlock());
    save();  // as Studio writes it
    runToEnd();
    EXPECT_EQ(take()["last"], 40);
    EXPECT_GT(take()["breaks"].get<int>(), 0);
    EXPECT_EQ(digestOfTake(), digestOfRun(file("scene.json"), 40));
}

TEST_F(SessionTest, FramesArePulledAsTheyAreMade) {
    openScene(fallingBlock());
    ask({{"do", "run"}, {"pace", "fast"}});
    // as a browser does: what is new, whenever there is a notice
    std::map<uint32_t, std::array<float, 7>> places;
    uint64_t next = 0, bodies = 0, events = 0;
    std::optional<uint64_t> id;
    ASSERT_TRUE(waitUntil([&] {
        const Json now = take();
        if (id && *id != now["id"]) next = bodies = events = 0, places.clear();
        id = now["id"].get<uint64_t>();
        const Answer frames = answer({{"do", "frames"}, {"take", *id}, {"from", next}, {"to", 1000}});
        if (frames.json.contains("error")) return false;  // another take just now
        for (const WireFrame& frame : framesIn(frames)) {
            EXPECT_EQ(frame.number, next++);
            for (const auto& [body, place] : frame.places) places[body] = place;
        }
        bodies += ask({{"do", "bodies"}, {"from", bodies}})["bodies"].size();
        events += ask({{"do", "events"}, {"from", events}})["events"].size();
        return now["state"] == "done" && next == 41;
    }));
    EXPECT_EQ(bodies, take()["bodies"]);
    EXPECT_EQ(events, take()["events"]);
    // the same as all at once
    const std::vector<WireFrame> last = framesIn(answer({{"do", "frames"}, {"from", 40}}));
    for (const auto& [body, place] : last.at(0).places) EXPECT_EQ(places.at(body), place) << body;
    const Json figures = ask({{"do", "figures"}, {"from", 0}, {"to", 40}});
    EXPECT_EQ(figures["times"].size(), 41u);
    EXPECT_EQ(figures["values"].size(), figures["series"].size());
    const Json deaths = ask({{"do", "bodies"}, {"from", bodies}, {"deaths_from", 0}})["deaths"];
    ASSERT_FALSE(deaths.empty());
    EXPECT_EQ(deaths[0][0], 1);
}

TEST_F(SessionTest, PausesStepsAndGoesOn) {
    openScene(fallingBlock());
    step(3);
    EXPECT_EQ(take()["state"], "paused");
    step(2);
    EXPECT_EQ(take()["last"], 5);
    runToEnd();
    EXPECT_EQ(take()["last"], 40);
    ask({{"do", "run"}, {"pace", "fast"}});  // some more
    ASSERT_TRUE(waitUntil([&] { return take()["last"] == 40 + Take::kSomeMore; }));
    ask({{"do", "restart"}});
    EXPECT_EQ(take()["state"], "still");
    EXPECT_EQ(take()["last"], 0);
}

TEST_F(SessionTest, APauseComesAtOnceAtRealPace) {
    openScene(fallingBlock());
    ask({{"do", "run"}, {"pace", "real"}, {"frames", 3000}});
    ASSERT_TRUE(waitUntil([&] { return take()["last"] >= 2; }));
    ask({{"do", "pause"}});
    ASSERT_TRUE(waitForState("paused"));
    const Json last = take()["last"];
    EXPECT_LT(last.get<uint64_t>(), 1000u);
    runToEnd();  // wanted frames are reached
}

TEST_F(SessionTest, GoesOnFromAnEarlierFrame) {
    openScene(fallingBlock());
    save();
    runToEnd();
    const std::string all = digestOfTake();
    const Json before = take();
    ask({{"do", "run"}, {"from", 17}, {"frames", 40}, {"pace", "fast"}});
    ASSERT_TRUE(waitUntil([&] { return take()["id"] != before["id"] && take()["state"] == "done"; })) << messages();
    EXPECT_EQ(digestOfTake(), all);
}

TEST_F(SessionTest, ABrushHasMoreToPaintOnThanEightCorners) {
    openScene(fallingBlock());
    const Json bodies = ask({{"do", "bodies"}})["bodies"];
    const auto block = std::ranges::find_if(bodies, [](const Json& body) { return body["name"] == "block"; });
    ASSERT_NE(block, bodies.end());
    const Answer canvas = answer({{"do", "canvas"}, {"hash", (*block)["mesh"]}});
    ASSERT_TRUE(canvas.binary) << canvas.json;
    const std::string_view bytes(reinterpret_cast<const char*>(canvas.bytes.data()), canvas.bytes.size());
    const auto vertices = loadAs<uint32_t>(bytes, 0);
    EXPECT_GT(vertices, 500u);
    EXPECT_NE(refusal({{"do", "canvas"}, {"hash", "none"}}), "");
    const scene::StrengthPaint paint = scene::paintOf(std::vector<uint8_t>(vertices, 50));
    const Json edited =
        ask(edit("add", "/bodies/0/strength_paint", Json{{"vertices", paint.vertices}, {"values", paint.values}}));
    EXPECT_TRUE(edited["issues"].empty()) << edited["issues"];
    step(2);
}

TEST_F(SessionTest, ASceneThatCannotBeBuiltFailsWithAMessage) {
    Json scene = fallingBlock();
    scene["bodies"][0]["shape"] = {{"name", "wall"}, {"thickness", 0.2}};
    openScene(scene);
    // a shape that the still can show but that has gone when the run begins: the file of a mesh
    writeMesh(makeShape("box"), file("box.obj"));
    ask(edit("replace", "/bodies/0", {{"name", "m"}, {"mesh", {{"file", "box.obj"}}}, {"position", {0, 2, 0}}}));
    fs::remove(file("box.obj"));
    ask({{"do", "run"}});
    ASSERT_TRUE(waitForState("failed")) << take().dump();
    EXPECT_NE(messages().find("box.obj"), std::string::npos);
    ask({{"do", "undo"}});
    step(1);
}

// ---- the scene changes while there are frames

TEST_F(SessionTest, AChangeOfTheStartMakesATakeStale) {
    openScene(fallingBlock());
    step(5);
    const Json before = take();
    ask(edit("replace", "/bodies/0/position", {0, 1, 0}));
    EXPECT_TRUE(take()["stale"].get<bool>());
    EXPECT_EQ(take()["id"], before["id"]);
    EXPECT_EQ(answer({{"do", "frames"}, {"from", 0}, {"to", 5}}).json["count"], 6);
    ask({{"do", "undo"}});
    EXPECT_FALSE(take()["stale"].get<bool>());
    ask({{"do", "redo"}});
    runToEnd();  // anew
    EXPECT_FALSE(take()["stale"].get<bool>());
    save();
    EXPECT_FLOAT_EQ(framesIn(answer({{"do", "frames"}, {"from", 0}}))[0].places.at(1)[1], 1.0f);
}

TEST_F(SessionTest, AStaleTakeCanBeLeftWithTheEdit) {
    openScene(fallingBlock());
    step(2);
    Json command = edit("replace", "/bodies/0/position", {0, 1, 0});
    command["restart"] = true;
    ask(command);
    EXPECT_EQ(take()["state"], "still");
    EXPECT_FALSE(take()["stale"].get<bool>());
}

TEST_F(SessionTest, WhatNoFrameDependsOnLeavesTheTakeAlone) {
    openScene(fallingBlock());
    step(3);
    ask(edit("add", "/title", "Falling"));
    EXPECT_FALSE(take()["stale"].get<bool>());
    save();
    runToEnd();
    EXPECT_EQ(digestOfTake(), digestOfRun(file("scene.json"), 40));
}

TEST_F(SessionTest, AThrownBallIsPartOfTheScene) {
    openScene(fallingBlock());
    step(10);
    const Json before = take();
    const Json thrown = ask({{"do", "throw"}, {"body", ball()}});
    EXPECT_EQ(thrown["name"], "ball");
    EXPECT_EQ(thrown["pointer"], "/bodies/1");
    EXPECT_NEAR(thrown["document"]["bodies"][1]["appears"].get<double>(), 10 / 30.0, 1e-9);
    EXPECT_EQ(take()["id"], before["id"]);
    EXPECT_FALSE(take()["stale"].get<bool>());
    EXPECT_EQ(take()["valid_to"], 10);
    EXPECT_EQ(ask({{"do", "throw"}, {"body", ball(3)}})["name"], "ball-2");
    save();
    runToEnd();
    const Json bodies = ask({{"do", "bodies"}})["bodies"];
    EXPECT_TRUE(
        std::ranges::any_of(bodies, [](const Json& b) { return b["source"] == "/bodies/2" && b["born"] == 11; }));
    EXPECT_EQ(digestOfTake(), digestOfRun(file("scene.json"), 40));
}

TEST_F(SessionTest, AThrowIntoARunningSimulationIsTheSame) {
    openScene(fallingBlock());
    ask(edit("replace", "/world/frames", 120));
    ask({{"do", "run"}, {"pace", "fast"}});
    for (int i = 0; i < 3; ++i) {
        const uint64_t last = take()["last"];
        ASSERT_TRUE(waitUntil([&] { return take()["last"] > last + 3 || take()["state"] == "done"; }));
        ask({{"do", "throw"}, {"body", ball(2 + i)}});
    }
    ask({{"do", "run"}, {"pace", "fast"}, {"frames", 120}});
    ASSERT_TRUE(waitForState("done")) << take().dump();
    save();
    ask({{"do", "step"}, {"frames", 1}});  // so that the name of the saved file is in the header
    ASSERT_TRUE(waitUntil([&] { return take()["last"] == 121 && take()["state"] != "running"; }));
    EXPECT_EQ(digestOfTake(), digestOfRun(file("scene.json"), 121));
}

TEST_F(SessionTest, UndoingAThrowGoesBack) {
    openScene(fallingBlock());
    save();
    step(8);
    ask({{"do", "throw"}, {"body", ball()}});
    step(20);
    ask({{"do", "undo"}});
    EXPECT_FALSE(take()["stale"].get<bool>());
    EXPECT_EQ(take()["valid_to"], 8);
    EXPECT_EQ(take()["last"], 28);
    runToEnd();
    EXPECT_EQ(take()["last"], 40);
    EXPECT_EQ(digestOfTake(), digestOfRun(file("scene.json"), 40));
    // and once more, while it stands at the end
    ask({{"do", "redo"}});
    EXPECT_EQ(take()["valid_to"], 8);
    save();
    runToEnd();
    EXPECT_EQ(digestOfTake(), digestOfRun(file("scene.json"), 40));
}

TEST_F(SessionTest, ThrowingAtAnEarlierFrameGoesBackThere) {
    openScene(fallingBlock());
    step(20);
    ask({{"do", "throw"}, {"body", ball()}, {"at", 12}});
    EXPECT_EQ(take()["valid_to"], 12);
    save();
    runToEnd();
    EXPECT_EQ(digestOfTake(), digestOfRun(file("scene.json"), 40));
}

TEST_F(SessionTest, ThrowingBeforeARunIsAnOrdinaryBody) {
    openScene(fallingBlock());
    const Json thrown = ask({{"do", "throw"}, {"body", ball()}});
    EXPECT_FALSE(thrown["document"]["bodies"][1].contains("appears"));
    EXPECT_EQ(ask({{"do", "bodies"}})["bodies"].size(), 3u);
}

TEST_F(SessionTest, ActionsChangeWhatIsThereNow) {
    openScene(fallingBlock());
    step(4);
    ask({{"do", "act"},
         {"action", {{"type", "place"}, {"body", "block"}, {"position", {0, 3, 0}}, {"velocity", {0, 0, 0}}}}});
    ask({{"do", "act"}, {"action", {{"type", "push"}, {"body", "block"}, {"impulse", {60, 0, 0}}}}});
    step(1);
    EXPECT_GT(framesIn(answer({{"do", "frames"}, {"from", 5}}))[0].places.at(1)[1], 2.5f);
    save();
    runToEnd();
    EXPECT_EQ(digestOfTake(), digestOfRun(file("scene.json"), 40));
    EXPECT_NE(refusal({{"do", "act"}, {"action", {{"type", "place"}, {"body", "block"}, {"position", "up"}}}}), "");
}

TEST_F(SessionTest, APullIsPartOfTheScene) {
    openScene(fallingBlock());
    step(3);
    ask({{"do", "pull_begin"}, {"body", "block"}, {"point", {0.2, 0.2, 0}}});
    for (int i = 0; i < 4; ++i) {
        ask({{"do", "pull_move"}, {"target", {0.3 * i, 1.5, 0}}});
        step(2);
    }
    const Json ended = ask({{"do", "pull_end"}});
    ASSERT_EQ(ended["document"]["actions"].size(), 1u);
    EXPECT_EQ(ended["document"]["actions"][0]["path"].size(), 9u);
    EXPECT_EQ(take()["valid_to"], 11);  // all of it
    EXPECT_FALSE(take()["stale"].get<bool>());
    EXPECT_EQ(session().status()["document"]["undo"], "Drag block");
    save();
    runToEnd();
    EXPECT_EQ(digestOfTake(), digestOfRun(file("scene.json"), 40));
    ask({{"do", "undo"}});
    EXPECT_EQ(take()["valid_to"], 3);
    EXPECT_NE(refusal({{"do", "pull_move"}, {"target", {0, 0, 0}}}), "");
}

// ---- recordings

TEST_F(SessionTest, OpensARecordingAndGoesOnWithACopy) {
    openScene(fallingBlock());
    save();
    step(20);
    ask({{"do", "keep"}, {"path", "twenty"}});
    EXPECT_NE(refusal({{"do", "keep"}, {"path", "twenty"}}), "");
    const std::string digest = RecordingReader(file("twenty.sunder")).digest();
    const Json opened = ask({{"do", "open"}, {"path", "twenty.sunder"}});
    EXPECT_EQ(opened["path"], nullptr);
    EXPECT_EQ(opened["document"]["bodies"][0]["name"], "block");
    EXPECT_EQ(take()["last"], 20);
    ask({{"do", "run"}, {"frames", 30}, {"pace", "fast"}});
    ASSERT_TRUE(waitUntil([&] { return take()["last"] == 30 && take()["state"] == "done"; })) << messages();
    EXPECT_EQ(RecordingReader(file("twenty.sunder")).digest(), digest);
    EXPECT_EQ(answer({{"do", "frames"}, {"from", 0}, {"to", 30}}).json["count"], 31);
}

TEST_F(SessionTest, ATakeSurvivesTheProgram) {
    openScene(fallingBlock());
    save();
    step(23);
    close();
    open();
    ask({{"do", "open"}, {"path", "scene.json"}});
    EXPECT_EQ(take()["last"], 23);
    EXPECT_EQ(take()["state"], "paused");
    runToEnd();
    EXPECT_EQ(digestOfTake(), digestOfRun(file("scene.json"), 40));
}

TEST_F(SessionTest, OldTakesGo) {
    openScene(fallingBlock());
    for (int i = 0; i < 6; ++i) {
        step(1);
        ask({{"do", "restart"}});
    }
    size_t takes = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(file(".sunder/takes")))
        takes += entry.path().extension() == ".sunder";
    EXPECT_LE(takes, Take::kTakesKept);
}

// ---- jobs

TEST_F(SessionTest, DiagnosesAndRepairsAMesh) {
    open();
    TriMesh holed = makeShape("sphere");
    holed.triangles.resize(holed.triangleCount() - 1);
    holed.uvs.resize(holed.triangleCount());
    holed.normals.resize(holed.triangleCount());
    writeMesh(holed, file("upload"
                          ".obj"));
    const fs::path place = session().uploadPlace();
    fs::copy_file(file("upload.obj"), place);
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

TEST_F(SessionTest, UploadsThatAreNoMeshesStayOut) {
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
        fs::copy_file(file("cube.obj"), place);
        EXPECT_EQ(session().adoptUpload("cube.obj", place)["path"], expected);
    }
}

TEST_F(SessionTest, TakesVolumesThatCanBeRead) {
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

TEST_F(SessionTest, ExportsWhatIsThere) {
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

// ---- long runs

size_t residentBytes() {
    std::ifstream in("/proc/self/statm");
    size_t all = 0, resident = 0;
    in >> all >> resident;
    return resident * 4096;
}

TEST_F(SessionTest, MemoryStaysBoundedInALongRun) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "sanitizers keep what is freed";
#endif
    Json scene = fallingBlock();
    scene["output"] = {{"checkpoint_every", 100}};
    openScene(scene);
    ask({{"do", "run"}, {"pace", "fast"}, {"frames", 6000}});
    const auto pullAt = [&](uint64_t frame) {
        EXPECT_TRUE(waitUntil([&] {
            const uint64_t last = take()["last"];
            (void)answer({{"do", "frames"}, {"from", last}, {"to", last + 50}});
            (void)answer({{"do", "figures"}, {"from", last}, {"to", last + 50}});
            return last >= frame;
        }));
        return residentBytes();
    };
    const size_t early = pullAt(1500), late = pullAt(6000);
    EXPECT_LT(late, early + (size_t{24} << 20)) << early << " bytes at first, then " << late;
}

}  // namespace
}  // namespace sunder::studio
