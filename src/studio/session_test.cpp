#include "studio/session.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>

#include <fmt/format.h>

#include "studio/test_session.h"

namespace sunder::studio {
namespace {

namespace fs = std::filesystem;
using test::ball;
using test::fallingBlock;
using test::framesIn;
using test::WireFrame;

class SessionTest : public test::SessionTest {};

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
    ASSERT_EQ(opened["recovery"].size(), 1u);
    EXPECT_EQ(opened["recovery"][0]["edits"], 2);
    EXPECT_EQ(opened["recovery"][0]["changed"], false);
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
    EXPECT_EQ(ask({{"do", "scene"}})["recovery"][0]["edits"], 1);
    ask({{"do", "forget_recovery"}});
    close();
    open();
    EXPECT_FALSE(ask({{"do", "scene"}}).contains("recovery"));
}

TEST_F(SessionTest, UnsavedWorkIsOfferedWhateverTheClockSays) {
    openScene(fallingBlock());
    ask(edit("replace", "/world/frames", 77));
    close();
    fs::last_write_time(file("scene.json"), fs::file_time_type::clock::now() + std::chrono::hours(1));
    open();
    EXPECT_EQ(ask({{"do", "open"}, {"path", "scene.json"}})["recovery"][0]["changed"], false);
    close();
    // another program changed the file: the work is still there, and says so
    Json other = fallingBlock();
    other["title"] = "theirs";
    test::writeText(file("scene.json"), other.dump());
    open();
    EXPECT_EQ(ask({{"do", "open"}, {"path", "scene.json"}})["recovery"][0]["changed"], true);
    EXPECT_EQ(ask({{"do", "recover"}})["document"]["world"]["frames"], 77);
}

TEST_F(SessionTest, UnsavedWorkThatWasNotAnsweredStays) {
    openScene(fallingBlock());
    ask(edit("replace", "/world/frames", 77));
    close();
    // edits before answering, and once more
    for (const int frames : {78, 79}) {
        open();
        ask({{"do", "open"}, {"path", "scene.json"}});
        ask(edit("replace", "/world/frames", frames));
        close();
    }
    open();
    const Json offered = ask({{"do", "open"}, {"path", "scene.json"}})["recovery"];
    ASSERT_EQ(offered.size(), 3u);
    EXPECT_EQ(session().status()["document"]["recoveries"], 3);
    const Json first = ask({{"do", "recover"}, {"which", offered[2]["id"]}});
    EXPECT_EQ(first["document"]["world"]["frames"], 77);
    EXPECT_EQ(first["recovery"].size(), 2u);
    EXPECT_EQ(ask({{"do", "recover"}})["document"]["world"]["frames"], 79);
    EXPECT_NE(refusal({{"do", "recover"}, {"which", "nothing"}}), "");
    // taken up, undone and left: it is not lost either
    ask({{"do", "undo"}});
    ask({{"do", "undo"}});
    ask({{"do", "new"}});
    EXPECT_EQ(ask({{"do", "open"}, {"path", "scene.json"}})["recovery"].size(), 3u);
    // saved: what went into the file goes, the rest stays
    ask({{"do", "recover"}});
    save();
    EXPECT_EQ(ask({{"do", "scene"}})["recovery"].size(), 2u);
    ask({{"do", "forget_recovery"}, {"which", offered[2]["id"]}});
    close();
    open();
    EXPECT_EQ(ask({{"do", "open"}, {"path", "scene.json"}})["recovery"].size(), 1u);
}

TEST_F(SessionTest, ANewSceneDoesNotEndAnUntitledOneUnasked) {
    open();
    ask(edit("add", "/title", "lost"));
    close();
    open();
    EXPECT_NE(refusal({{"do", "new"}}).find("earlier session"), std::string::npos);
    EXPECT_EQ(ask({{"do", "new"}, {"discard", true}})["recovery"].size(), 1u);
    EXPECT_EQ(ask({{"do", "recover"}})["document"]["title"], "lost");
    // dropped on purpose, with what was taken up
    EXPECT_NE(refusal({{"do", "new"}}).find("unsaved"), std::string::npos);
    EXPECT_FALSE(ask({{"do", "new"}, {"discard", true}}).contains("recovery"));
    close();
    open();
    EXPECT_FALSE(ask({{"do", "scene"}}).contains("recovery"));
}

TEST_F(SessionTest, WorkThatBringsErrorsIsTakenUpToBeMended) {
    Json broken = fallingBlock();
    broken["bodies"][0]["material"] = "cly";
    openScene(broken);
    ask(edit("add", "/title", "mine"));
    close();
    test::writeText(file("scene.json"), fallingBlock().dump());  // somebody mended the file
    open();
    ask({{"do", "open"}, {"path", "scene.json"}});
    const Json recovered = ask({{"do", "recover"}});
    EXPECT_EQ(recovered["document"]["title"], "mine");
    EXPECT_FALSE(recovered["issues"].empty());
}

TEST_F(SessionTest, OpeningAndSavingDoNotDependOnTheListOfRecentFiles) {
    open();
    fs::create_directory(file(".sunder/recent.json"));
    EXPECT_TRUE(openScene(fallingBlock()).value("ok", false));
    save();
    EXPECT_TRUE(ask({{"do", "recent"}})["recent"].empty());
    EXPECT_NE(messages().find("recent files"), std::string::npos);
}

TEST_F(SessionTest, ThingsInItsOwnFolderThatAreNoFilesStopNothing) {
    fs::create_directories(file(".sunder/takes"));
    fs::create_directories(file(".sunder/autosave"));
    test::writeText(file("scene.json"), fallingBlock().dump());
    for (const char* name : {"recent.json", "autosave/scene scene.json", "takes/take-1.sunder"})
        ASSERT_EQ(::mkfifo(file(".sunder/" + std::string(name)).c_str(), 0600), 0);
    test::writeText(file(".sunder/takes/take-18446744073709551615.sunder"), "");
    openScene(fallingBlock());
    step(1);
    EXPECT_TRUE(fs::is_regular_file(file(".sunder/takes/take-2.sunder")));
}

TEST_F(SessionTest, PlantedLinksAreNotFollowed) {
    fs::create_directories(file("home"));
    fs::create_directories(file("project/.sunder/uploads"));
    for (int i = 1; i < 7; ++i) test::writeText(file(fmt::format("home/take-{}.sunder", i)), "precious");
    fs::create_directory_symlink(file("home"), file("project/.sunder/takes"));
    fs::create_symlink(file("home/take-1.sunder"), file("project/.sunder/uploads/1"));
    test::writeText(file("project/scene.json"), fallingBlock().dump());
    Session session({.project = file("project"), .program = "x"});
    EXPECT_TRUE(session.handle({{"do", "open"}, {"path", "scene.json"}}).json.value("ok", false));
    const Json run = session.handle({{"do", "run"}, {"frames", 1}}).json;
    ASSERT_TRUE(run.contains("error"));
    EXPECT_NE(run["error"]["message"].get<std::string>().find("is a link"), std::string::npos) << run.dump();
    test::writeText(session.uploadPlace(), "upload");
    for (int i = 1; i < 7; ++i) EXPECT_EQ(test::readText(file(fmt::format("home/take-{}.sunder", i))), "precious");
}

TEST_F(SessionTest, WhatIsNotSavedIsKeptAtOnceWhenTheProgramIsToEnd) {
    open(std::chrono::hours(1));
    ask(edit("add", "/title", "mine"));
    EXPECT_FALSE(fs::exists(file(".sunder/autosave")) && !fs::is_empty(file(".sunder/autosave")));
    session().endSoon();
    ASSERT_FALSE(fs::is_empty(file(".sunder/autosave")));
    const std::string kept = test::readText(fs::directory_iterator(file(".sunder/autosave"))->path());
    EXPECT_NE(kept.find("mine"), std::string::npos);
}

}  // namespace
}  // namespace sunder::studio
