// Frames are made, looked at, thrown away and kept.
#include <filesystem>
#include <thread>

#include "geometry/shapes/shapes.h"
#include "io/files/sqlite.h"
#include "io/mesh/mesh_io.h"
#include "io/recording/recording_reader.h"
#include "io/recording/recording_run.h"
#include "scene/strength_paint.h"
#include "studio/test_session.h"

namespace sunder::studio {
namespace {

namespace fs = std::filesystem;
using test::ball;
using test::fallingBlock;
using test::framesIn;
using test::WireFrame;

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

class SessionRunTest : public test::SessionTest {
protected:
    /// The take as it is now, as a recording that stands for itself.
    std::string digestOfTake() {
        ask({{"do", "keep"}, {"path", "kept.sunder"}, {"force", true}});
        return RecordingReader(file("kept.sunder")).digest();
    }
};

// ---- running

TEST_F(SessionRunTest, ARunIsTheOneThatSunderRunMakes) {
    openScene(fallingBlock());
    save();  // as Studio writes it
    runToEnd();
    EXPECT_EQ(take()["last"], 40);
    EXPECT_GT(take()["breaks"].get<int>(), 0);
    EXPECT_EQ(digestOfTake(), digestOfRun(file("scene.json"), 40));
}

TEST_F(SessionRunTest, FramesArePulledAsTheyAreMade) {
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

TEST_F(SessionRunTest, PausesStepsAndGoesOn) {
    openScene(fallingBlock());
    step(3);
    EXPECT_EQ(take()["state"], "paused");
    step(2);
    EXPECT_EQ(take()["last"], 5);
    runToEnd();
    EXPECT_EQ(take()["last"], 40);
    const Json more = ask({{"do", "run"}, {"pace", "fast"}});  // some more, which the scene says then
    EXPECT_EQ(more["document"]["world"]["frames"], 40 + Take::kSomeMore);
    EXPECT_EQ(session().status()["document"]["undo"], "Run on to frame 190");
    ASSERT_TRUE(waitUntil([&] { return take()["last"] == 40 + Take::kSomeMore; }));
    EXPECT_EQ(ask({{"do", "undo"}})["document"]["world"]["frames"], 40);
    EXPECT_EQ(take()["valid_to"], 40);
    EXPECT_EQ(take()["wanted"], 40);
    ask({{"do", "restart"}});
    EXPECT_EQ(take()["state"], "still");
    EXPECT_EQ(take()["last"], 0);
}

/// Pieces bounce without loss and break each other in every frame, up to 3,000 of them.
Json runaway() {
    return Json::parse(R"({
        "version": 1,
        "world": {"frames": 14, "gravity": [0, 0, 0]},
        "limits": {"reprocess_rounds": 1, "max_bodies": 3000},
        "materials": {"clay": {"restitution": 1, "friction": 0,
                               "fracture": {"method": "prescored", "threshold": 1e-9, "pieces": 6, "pattern": "uniform",
                                            "max_generations": 9, "smallest_piece": 0}}},
        "floor": {},
        "bodies": [{"name": "block", "shape": {"name": "box"}, "position": [0, 0.6, 0], "velocity": [0, -20, 0],
                    "material": "clay"}]
    })");
}

TEST_F(SessionRunTest, ARunThatRunsAwayWaitsForAnAnswer) {
    openScene(runaway());
    ask({{"do", "run"}, {"pace", "fast"}});
    ASSERT_TRUE(waitForState("paused"));
    EXPECT_LT(take()["last"], 14) << "it stopped by itself";
    const std::string log = ask({{"do", "log"}, {"from", 0}}).dump();
    EXPECT_NE(log.find("bodies become more and more"), std::string::npos) << log;
    EXPECT_NE(log.find("press Run"), std::string::npos) << log;
    // to be run on is the answer
    ask({{"do", "run"}, {"pace", "fast"}});
    ASSERT_TRUE(waitUntil([&] { return take()["last"] == 14; }));
}

TEST_F(SessionRunTest, APauseComesAtOnceAtRealPace) {
    openScene(fallingBlock());
    ask({{"do", "run"}, {"pace", "real"}, {"frames", 3000}});
    ASSERT_TRUE(waitUntil([&] { return take()["last"] >= 2; }));
    ask({{"do", "pause"}});
    ASSERT_TRUE(waitForState("paused"));
    const Json last = take()["last"];
    EXPECT_LT(last.get<uint64_t>(), 1000u);
    runToEnd();  // wanted frames are reached
}

TEST_F(SessionRunTest, GoesOnFromAnEarlierFrame) {
    openScene(fallingBlock());
    save();
    runToEnd();
    const std::string all = digestOfTake();
    const Json before = take();
    ask({{"do", "run"}, {"from", 17}, {"frames", 40}, {"pace", "fast"}});
    ASSERT_TRUE(waitUntil([&] { return take()["id"] != before["id"] && take()["state"] == "done"; })) << messages();
    EXPECT_EQ(digestOfTake(), all);
}

TEST_F(SessionRunTest, ABrushHasMoreToPaintOnThanEightCorners) {
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

TEST_F(SessionRunTest, ASceneThatCannotBeBuiltFailsWithAMessage) {
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

TEST_F(SessionRunTest, AChangeOfTheStartMakesATakeStale) {
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

TEST_F(SessionRunTest, AStaleTakeCanBeLeftWithTheEdit) {
    openScene(fallingBlock());
    step(2);
    Json command = edit("replace", "/bodies/0/position", {0, 1, 0});
    command["restart"] = true;
    ask(command);
    EXPECT_EQ(take()["state"], "still");
    EXPECT_FALSE(take()["stale"].get<bool>());
}

TEST_F(SessionRunTest, WhatNoFrameDependsOnLeavesTheTakeAlone) {
    openScene(fallingBlock());
    step(3);
    ask(edit("add", "/title", "Falling"));
    EXPECT_FALSE(take()["stale"].get<bool>());
    save();
    runToEnd();
    EXPECT_EQ(digestOfTake(), digestOfRun(file("scene.json"), 40));
}

TEST_F(SessionRunTest, AThrownBallIsPartOfTheScene) {
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

TEST_F(SessionRunTest, AThrowIntoARunningSimulationIsTheSame) {
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
    ask(edit("replace", "/world/frames", 121));
    save();
    ask({{"do", "step"}, {"frames", 1}});  // so that the name of the saved file is in the header
    ASSERT_TRUE(waitUntil([&] { return take()["last"] == 121 && take()["state"] != "running"; }));
    EXPECT_EQ(digestOfTake(), digestOfRun(file("scene.json"), 121));
}

TEST_F(SessionRunTest, UndoingAThrowGoesBack) {
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

TEST_F(SessionRunTest, ThrowingAtAnEarlierFrameGoesBackThere) {
    openScene(fallingBlock());
    step(20);
    ask({{"do", "throw"}, {"body", ball()}, {"at", 12}});
    EXPECT_EQ(take()["valid_to"], 12);
    save();
    runToEnd();
    EXPECT_EQ(digestOfTake(), digestOfRun(file("scene.json"), 40));
}

TEST_F(SessionRunTest, ThrowingBeforeARunIsAnOrdinaryBody) {
    openScene(fallingBlock());
    const Json thrown = ask({{"do", "throw"}, {"body", ball()}});
    EXPECT_FALSE(thrown["document"]["bodies"][1].contains("appears"));
    EXPECT_EQ(ask({{"do", "bodies"}})["bodies"].size(), 3u);
}

TEST_F(SessionRunTest, ActionsChangeWhatIsThereNow) {
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

TEST_F(SessionRunTest, APullIsPartOfTheScene) {
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

TEST_F(SessionRunTest, UndoBringsBackWhatWasSeen) {
    openScene(fallingBlock());
    save();
    for (int round = 0; round < 2; ++round) {
        // a ball is thrown before anything moves, and what it does is watched
        ask({{"do", "throw"}, {"body", ball()}});
        runToEnd();
        const Json seen = take();
        EXPECT_GT(seen["breaks"].get<int>(), 0);
        // all stands again, and what was watched is not far
        ask({{"do", "undo"}});
        EXPECT_EQ(take()["state"], "still");
        EXPECT_EQ(take()["before"]["last"], 40);
        EXPECT_FLOAT_EQ(framesIn(answer({{"do", "frames"}, {"from", 0}}))[0].places.at(1)[1], 0.8f);
        ask({{"do", "take_before"}});
        EXPECT_TRUE(take()["stale"].get<bool>());
        EXPECT_EQ(take()["last"], 40);
        ask({{"do", "restart"}});
        EXPECT_EQ(take()["state"], "still");
        // with the ball in the scene again its take is there, as it was
        ask({{"do", "redo"}});
        EXPECT_EQ(take()["state"], "done");
        EXPECT_FALSE(take()["stale"].get<bool>());
        EXPECT_EQ(take()["breaks"], seen["breaks"]);
        ask({{"do", "undo"}});
        EXPECT_EQ(take()["state"], "still");
    }
    EXPECT_NE(refusal({{"do", "open"}, {"path", "nothing.json"}}), "");
    ask({{"do", "new"}});
    EXPECT_TRUE(take()["before"].is_null());
    EXPECT_NE(refusal({{"do", "take_before"}}), "");
}

TEST_F(SessionRunTest, AStartThatWasWantedIsNotReplacedByATake) {
    openScene(fallingBlock());
    step(5);
    ask({{"do", "restart"}});
    ask(edit("replace", "/bodies/0/position", {0, 1, 0}));
    ask({{"do", "undo"}});
    EXPECT_EQ(take()["state"], "still");
    EXPECT_EQ(take()["before"]["last"], 5);
}

TEST_F(SessionRunTest, AnUndoneStartIsLeftWhileItRuns) {
    openScene(fallingBlock());
    ask({{"do", "throw"}, {"body", ball()}});
    ask({{"do", "run"}, {"pace", "real"}});
    ASSERT_TRUE(waitUntil([&] { return take()["last"] >= 2; }));
    ask({{"do", "undo"}});
    EXPECT_EQ(take()["state"], "still");
    runToEnd();
    save();
    EXPECT_EQ(digestOfTake(), digestOfRun(file("scene.json"), 40));
}

TEST_F(SessionRunTest, StepsBeyondTheEndAreOneEdit) {
    Json scene = fallingBlock();
    scene.erase("world");
    scene["world"]["frames"] = 2;
    openScene(scene);
    step(2);
    EXPECT_EQ(session().status()["document"]["undo"], nullptr);
    step(1);
    step(2);
    EXPECT_EQ(ask({{"do", "scene"}})["document"]["world"]["frames"], 5);
    EXPECT_EQ(ask({{"do", "undo"}})["document"]["world"]["frames"], 2);
    EXPECT_NE(refusal({{"do", "undo"}}), "");
}

// ---- what is computed again is what was recorded, or it is said

TEST_F(SessionRunTest, ADifferenceIsToldAndTheTakeGoesOnFromWhatIsTrue) {
    Json scene = fallingBlock();
    scene["output"] = {{"checkpoint_every", 5}};
    openScene(scene);
    save();
    step(30);
    EXPECT_TRUE(take()["problem"].is_null());
    const auto spoil = [&](const std::string& where) {
        for (const fs::directory_entry& entry : fs::directory_iterator(file(".sunder/takes"))) {
            if (entry.path().extension() == ".sunder")
                SqlDatabase(entry.path(), SqlDatabase::Mode::ReadWrite)
                    .execute("UPDATE frame SET state_hash = '0123456789abcdef' WHERE " + where);
        }
    };
    // going back in the same session, over a frame that is not what was recorded
    spoil("number = 17");
    const Json before = take();
    ask({{"do", "run"}, {"from", 18}, {"frames", 40}, {"pace", "fast"}});
    ASSERT_TRUE(waitUntil([&] { return take()["id"] != before["id"] && take()["state"] == "done"; })) << messages();
    EXPECT_NE(take()["problem"].get<std::string>().find("frames 17 to 18"), std::string::npos) << take().dump();
    EXPECT_NE(messages().find("came out otherwise than recorded"), std::string::npos);
    EXPECT_EQ(digestOfTake(), digestOfRun(file("scene.json"), 40));
    // and in another one
    spoil("number = 38");
    close();
    open();
    ask({{"do", "open"}, {"path", "scene.json"}});
    ask({{"do", "run"}, {"from", 39}, {"pace", "fast"}});
    ASSERT_TRUE(waitUntil([&] { return take()["problem"].is_string() && take()["state"] == "done"; })) << messages();
    EXPECT_EQ(digestOfTake(), digestOfRun(file("scene.json"), 40));
}

TEST_F(SessionRunTest, ATakeThatCannotGoOnStaysInView) {
    openScene(fallingBlock());
    save();
    step(20);
    close();
    for (const fs::directory_entry& entry : fs::directory_iterator(file(".sunder/takes"))) {
        if (entry.path().extension() == ".sunder")
            SqlDatabase(entry.path(), SqlDatabase::Mode::ReadWrite)
                .execute("UPDATE frame SET state_hash = '0123456789abcdef' WHERE number = 20");
    }
    open();
    ask({{"do", "open"}, {"path", "scene.json"}});
    for (int again = 0; again < 2; ++again) {
        ask({{"do", "run"}, {"pace", "fast"}});
        ASSERT_TRUE(waitForState("failed")) << take().dump();
        EXPECT_NE(take()["problem"].get<std::string>().find("restart the run"), std::string::npos);
        EXPECT_EQ(take()["last"], 20);
        EXPECT_EQ(answer({{"do", "frames"}, {"take", take()["id"]}, {"from", 0}, {"to", 20}}).json["count"], 21);
    }
    ask({{"do", "keep"}, {"path", "kept"}});
    ask({{"do", "restart"}});
    runToEnd();
    EXPECT_EQ(digestOfTake(), digestOfRun(file("scene.json"), 40));
}

// ---- recordings

TEST_F(SessionRunTest, OpensARecordingAndGoesOnWithACopy) {
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

TEST_F(SessionRunTest, ATakeSurvivesTheProgram) {
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

TEST_F(SessionRunTest, OldTakesGo) {
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

// ---- long runs

size_t residentBytes() {
    std::ifstream in("/proc/self/statm");
    size_t all = 0, resident = 0;
    in >> all >> resident;
    return resident * 4096;
}

TEST_F(SessionRunTest, MemoryStaysBoundedInALongRun) {
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
