#include "studio/document.h"

#include <gtest/gtest.h>

namespace sunder::studio {
namespace {

/// Scenes as the scene library sees them, without files.
ExaminedScene examine(const Json& document) {
    scene::ParsedScene parsed = scene::parseScene(textOf(document), "scene");
    return {std::move(parsed.scene), parsed.issues.list(), parsed.issues.errors()};
}

struct FakeClock {
    std::shared_ptr<std::chrono::steady_clock::time_point> now =
        std::make_shared<std::chrono::steady_clock::time_point>();
    std::chrono::steady_clock::time_point operator()() const { return *now; }
    void pass(int milliseconds) { *now += std::chrono::milliseconds(milliseconds); }
};

Json scene() {
    return Json::parse(R"({"version": 1, "world": {"frames": 30, "seed": 4},
                           "bodies": [{"name": "a", "shape": "box"}, {"name": "b", "shape": "sphere"}]})");
}

Edit replace(const std::string& path, const Json& value, const std::string& merge = "") {
    return {.label = "Change " + path,
            .patch = Json::array({{{"op", "replace"}, {"path", path}, {"value", value}}}),
            .merge = merge};
}

Edit change(const std::string& op, const std::string& path, const Json& value = nullptr) {
    Json step{{"op", op}, {"path", path}};
    if (op != "remove") step["value"] = value;
    return {.label = op, .patch = Json::array({step})};
}

std::vector<schema::Issue> issuesOf(Document& document, const Edit& edit) {
    try {
        document.edit(edit);
    } catch (const EditError& error) {
        return error.issues();
    }
    return {};
}

class DocumentTest : public testing::Test {
protected:
    DocumentTest() { document_.replace(scene()); }
    FakeClock clock_;
    Document document_{examine, clock_};
};

TEST_F(DocumentTest, UndoAndRedoRestoreTheTextByteForByte) {
    // whatever a patch can do, keys in the middle included
    const std::vector<Edit> edits{
        change("remove", "/world"),      change("add", "/title", "x"),
        change("remove", "/bodies/0"),   change("add", "/bodies/0", {{"name", "c"}, {"shape", "box"}}),
        replace("/bodies/1/name", "bb"), change("remove", "/title")};
    std::vector<std::string> texts{document_.text()};
    for (const Edit& edit : edits) {
        document_.edit(edit);
        texts.push_back(document_.text());
    }
    for (size_t i = edits.size(); i-- > 0;) {
        ASSERT_TRUE(document_.undo());
        EXPECT_EQ(document_.text(), texts[i]);
    }
    EXPECT_FALSE(document_.undo());
    for (size_t i = 0; i < edits.size(); ++i) {
        ASSERT_TRUE(document_.redo());
        EXPECT_EQ(document_.text(), texts[i + 1]);
    }
    EXPECT_FALSE(document_.redo());
}

TEST_F(DocumentTest, AChangeThatBringsAnErrorIsRefusedAtItsPlace) {
    const std::string before = document_.text();
    const uint64_t version = document_.version();
    const std::vector<schema::Issue> issues = issuesOf(document_, replace("/world/frames", -3));
    ASSERT_EQ(issues.size(), 1u);
    EXPECT_EQ(issues[0].pointer, "/world/frames");
    EXPECT_EQ(document_.text(), before);
    EXPECT_EQ(document_.version(), version);
    EXPECT_FALSE(document_.undoLabel());
}

TEST_F(DocumentTest, AFileWithErrorsIsMendedBitByBit) {
    Json bad = scene();
    bad["world"]["frames"] = -1;
    bad["bodies"][1]["shape"] = "spere";
    document_.replace(bad);
    EXPECT_EQ(document_.examined().errors, 2u);
    document_.edit(change("remove", "/bodies/0"));  // the place of the second error moves
    EXPECT_EQ(document_.examined().errors, 2u);
    document_.edit(replace("/world/frames", 5));
    document_.edit(replace("/bodies/0/shape", "sphere"));
    EXPECT_EQ(document_.examined().errors, 0u);
    EXPECT_FALSE(issuesOf(document_, replace("/world/frames", -1)).empty());
}

TEST_F(DocumentTest, EditsOfOneGestureAreUndoneTogetherHoweverSlow) {
    for (const int frames : {31, 32, 33}) {
        document_.edit(replace("/world/frames", frames, "gizmo #1"));
        clock_.pass(5000);
    }
    document_.edit(replace("/world/frames", 34, "gizmo #2"));
    document_.undo();
    EXPECT_EQ(document_.json()["world"]["frames"], 33);
    document_.undo();
    EXPECT_EQ(document_.json()["world"]["frames"], 30);
}

TEST_F(DocumentTest, EditsOfOneKeyAreUndoneTogetherIfTheyAreQuick) {
    for (const int frames : {31, 32, 33}) {
        document_.edit(replace("/world/frames", frames, "drag"));
        clock_.pass(500);
    }
    clock_.pass(2500);
    document_.edit(replace("/world/frames", 34, "drag"));  // too late
    document_.edit(replace("/world/frames", 35, "other"));
    document_.undo();
    EXPECT_EQ(document_.json()["world"]["frames"], 34);
    document_.undo();
    EXPECT_EQ(document_.json()["world"]["frames"], 33);
    document_.undo();
    EXPECT_EQ(document_.json()["world"]["frames"], 30);
    document_.redo();
    EXPECT_EQ(document_.json()["world"]["frames"], 33);
}

TEST_F(DocumentTest, WhatIsSavedOrUndoneIsNotContinued) {
    document_.edit(replace("/world/frames", 31, "drag"));
    document_.markSaved();
    document_.edit(replace("/world/frames", 32, "drag"));
    document_.undo();
    EXPECT_TRUE(document_.saved());
    document_.edit(replace("/world/frames", 33, "drag"));
    document_.undo();
    EXPECT_EQ(document_.json()["world"]["frames"], 31);
}

TEST_F(DocumentTest, SavedIsAStateNotATime) {
    EXPECT_TRUE(document_.saved());
    document_.edit(replace("/world/frames", 31));
    document_.edit(replace("/world/frames", 32));
    EXPECT_FALSE(document_.saved());
    EXPECT_EQ(document_.editsSinceSaved(), 2u);
    document_.markSaved();
    document_.undo();
    EXPECT_FALSE(document_.saved());
    document_.redo();
    EXPECT_TRUE(document_.saved());
    EXPECT_EQ(document_.editsSinceSaved(), 0u);
}

TEST_F(DocumentTest, ANewEditForgetsWhatWasUndone) {
    document_.edit(replace("/world/frames", 31));
    document_.undo();
    document_.edit(replace("/world/frames", 40));
    EXPECT_FALSE(document_.redoLabel());
    EXPECT_EQ(document_.undoLabel(), "Change /world/frames");
}

TEST_F(DocumentTest, PatchesThatDoNotFitAreRefusedWithASentence) {
    for (const Json& patch :
         {Json::parse(R"([{"op": "replace", "path": "/nothing/here", "value": 1}])"),
          Json::parse(R"([{"op": "fly", "path": "/world"}])"), Json::parse(R"([{"path": 3}])"), Json::parse(R"([17])"),
          Json::parse(R"([{"op": "test", "path": "/version", "value": 2}])"),
          Json::parse(R"([{"op": "remove", "path": "/bodies/99"}])"),
          Json::parse(R"([{"op": "replace", "path": "", "value": 7}])")}) {
        const std::string before = document_.text();
        EXPECT_THROW(document_.edit({.label = "x", .patch = patch}), EditError) << patch.dump();
        EXPECT_EQ(document_.text(), before);
    }
}

TEST_F(DocumentTest, AnEditForAnotherVersionIsRefused) {
    Edit edit = replace("/world/frames", 31);
    edit.version = document_.version();
    document_.edit(edit);
    EXPECT_THROW(document_.edit(edit), EditError);
}

TEST_F(DocumentTest, HistoryIsBounded) {
    for (size_t i = 0; i < Document::kMostSteps + 50; ++i) document_.edit(replace("/world/seed", 1000 + i));
    size_t undone = 0;
    while (document_.undo()) ++undone;
    EXPECT_EQ(undone, Document::kMostSteps);
}

TEST_F(DocumentTest, TheHistoryCountsLabelsAndCutsThem) {
    std::string label;
    while (label.size() < 3 * Document::kMostLabel) label += "ä";
    document_.edit({.label = label, .patch = replace("/world/seed", 9).patch});
    const std::string shown = document_.undoLabel().value();
    EXPECT_LE(shown.size(), Document::kMostLabel + 3);
    EXPECT_EQ(shown, label.substr(0, shown.size() - 3) + "…");  // whole letters
    EXPECT_THROW(document_.edit(replace("/world/seed", 8, std::string(Document::kMostMerge + 1, 'x'))), EditError);
    EXPECT_EQ(document_.json()["world"]["seed"], 9);
}

TEST_F(DocumentTest, CopiesCannotMakeItLargerThanAFileMayBe) {
    // each doubles the list, and it would be 2^24 bodies
    Json patch = Json::array();
    for (int i = 0; i < 24; ++i) patch.push_back({{"op", "copy"}, {"from", "/bodies"}, {"path", "/bodies/-"}});
    try {
        document_.edit({.label = "bomb", .patch = patch});
        FAIL();
    } catch (const EditError& error) {
        EXPECT_NE(error.message().find("larger than 16 MB"), std::string::npos) << error.message();
    }
    EXPECT_EQ(document_.json(), scene());
    // what goes on the way is not counted
    patch = Json::array();
    const std::string large(Document::kMostDocumentBytes * 2 / 3, 'x');
    for (const char* op : {"add", "replace", "remove", "add", "remove"})
        patch.push_back({{"op", op}, {"path", "/x"}, {"value", large}});
    EXPECT_NO_THROW(document_.edit({.label = "much, for a moment", .patch = patch}));
}

TEST_F(DocumentTest, CopiesAndMovesCannotNestItDeeperThanAFileMayBe) {
    for (const char* op : {"copy", "move"}) {
        Json patch = Json::array({{{"op", "add"}, {"path", "/x"}, {"value", {{"a", Json::object()}}}}});
        for (int i = 0; i < 20; ++i) {
            patch.push_back({{"op", op}, {"from", "/x"}, {"path", "/y"}});
            patch.push_back({{"op", "add"}, {"path", "/x"}, {"value", {{"a", Json::object()}}}});
            patch.push_back({{"op", op}, {"from", "/y"}, {"path", "/x/a"}});
            if (std::string(op) == "copy") patch.push_back({{"op", "copy"}, {"from", "/x"}, {"path", "/x/a/b"}});
        }
        for (int i = 0; i < 60; ++i) patch.push_back({{"op", "copy"}, {"from", "/x"}, {"path", "/x/a"}});
        EXPECT_THROW(document_.edit({.label = "bomb", .patch = patch}), EditError);
        EXPECT_EQ(document_.json(), scene());
    }
}

TEST_F(DocumentTest, AnEditThatChangesNothingIsNoStep) {
    document_.edit(replace("/world/frames", 30));
    EXPECT_FALSE(document_.undoLabel());
    EXPECT_TRUE(document_.saved());
}

}  // namespace
}  // namespace sunder::studio
