#include "studio/autosaves.h"

#include <filesystem>
#include <sys/stat.h>

#include "studio/test_session.h"

namespace sunder::studio {
namespace {

namespace fs = std::filesystem;

class AutosavesTest : public sunder::test::ScratchTest {
protected:
    std::string keep(const std::string& scene, const std::string& text) {
        const std::string id = autosaves().begin(scene);
        autosaves().keep(id, {.scene = scene, .base = "b", .text = text, .edits = 3});
        return id;
    }
    const Autosaves& autosaves() {
        if (!project_) project_.emplace(folder()), autosaves_.emplace(*project_);
        return *autosaves_;
    }
    std::vector<std::string> textsOf(const std::string& scene) {
        std::vector<std::string> texts;
        for (const Recovery& recovery : autosaves().of(scene)) texts.push_back(recovery.work.text);
        return texts;
    }

private:
    std::optional<Project> project_;
    std::optional<Autosaves> autosaves_;
};

using Texts = std::vector<std::string>;

TEST_F(AutosavesTest, EachSittingHasAFileOfItsOwn) {
    keep("wall.json", "one");
    const std::string two = keep("wall.json", "two");
    keep("", "three");
    EXPECT_EQ(textsOf("wall.json"), (Texts{"two", "one"}));  // the newest first
    EXPECT_EQ(textsOf(""), Texts{"three"});
    EXPECT_EQ(textsOf("other.json"), Texts{});
    const Recovery newest = autosaves().of("wall.json").front();
    EXPECT_EQ(newest.id, two);
    EXPECT_EQ(newest.work.base, "b");
    EXPECT_EQ(newest.work.edits, 3u);
    // kept again under its name, then dropped
    autosaves().keep(two, {.scene = "wall.json", .base = "b", .text = "two and more", .edits = 4});
    EXPECT_EQ(textsOf("wall.json"), (Texts{"two and more", "one"}));
    autosaves().forget(two);
    EXPECT_EQ(textsOf("wall.json"), Texts{"one"});
}

TEST_F(AutosavesTest, NamesOfScenesMayBeLong) {
    std::string scene;
    for (int i = 0; i < 20; ++i) scene += "a folder with a long name/";
    scene += "wall.json";
    keep(scene, "long");
    EXPECT_EQ(textsOf(scene), Texts{"long"});
}

TEST_F(AutosavesTest, ThoseOfEarlierVersionsAreOffered) {
    (void)autosaves();
    const auto old = [](const std::string& scene) {
        return Json{{"scene", scene}, {"time", 5}, {"edits", 2}, {"text", "old"}}.dump();
    };
    fs::create_directories(file(".sunder/autosave"));
    test::writeText(file(".sunder/autosave/scene a%2fwall.json"), old("a/wall.json"));
    test::writeText(file(".sunder/autosave/untitled"), old(""));
    EXPECT_EQ(textsOf("a/wall.json"), Texts{"old"});
    EXPECT_EQ(textsOf(""), Texts{"old"});
    EXPECT_EQ(textsOf("wall.json"), Texts{});
}

TEST_F(AutosavesTest, DamagedFilesPipesAndLinksAreNone) {
    const std::string id = keep("wall.json", "one");
    const fs::path place = file(".sunder/autosave");
    const std::string stem = id.substr(0, id.rfind('-') + 1);
    test::writeText(place / (stem + "7"), "{\"text\": 3");
    test::writeText(place / (stem + "8"), "{\"text\": \"x\"}");
    ASSERT_EQ(::mkfifo((place / (stem + "9")).c_str(), 0600), 0);
    fs::create_symlink(id, place / (stem + "10"));
    EXPECT_EQ(textsOf("wall.json"), Texts{"one"});
}

}  // namespace
}  // namespace sunder::studio
