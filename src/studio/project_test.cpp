#include "studio/project.h"

#include <filesystem>

#include "base/error.h"
#include "studio/test_session.h"

namespace sunder::studio {
namespace {

namespace fs = std::filesystem;

class ProjectTest : public sunder::test::ScratchTest {
protected:
    void SetUp() override {
        ScratchTest::SetUp();
        fs::create_directories(file("project/sub"));
        test::writeText(file("project/wall.json"), "{}");
        test::writeText(file("project/sub/cup.obj"), "v 0 0 0\n");
        test::writeText(file("secret.json"), "{}");
        fs::create_symlink(file("secret.json"), file("project/link.json"));
        fs::create_directory_symlink(folder(), file("project/up"));
        fs::create_symlink("wall.json", file("project/inner.json"));
    }
    std::string refusal(const Project& project, const std::string& path) {
        try {
            (void)project.resolve(path);
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    }
};

TEST_F(ProjectTest, PathsStayInTheFolder) {
    const Project project(file("project"));
    EXPECT_EQ(project.resolve("wall.json"), fs::canonical(file("project")) / "wall.json");
    EXPECT_EQ(project.resolve("inner.json"), fs::canonical(file("project")) / "wall.json");
    EXPECT_EQ(project.resolve("./sub/new.json"), fs::canonical(file("project")) / "sub/new.json");
    for (const std::string bad :
         {"", "../secret.json", "sub/../../secret.json", "/etc/passwd", "link.json", "up/secret.json", "up",
          "sub\\..\\x.json", ".sunder/lock", "sub/../.sunder/lock", "a\nb.json"})
        EXPECT_NE(refusal(project, bad), "") << bad;
    EXPECT_NE(refusal(project, std::string("wall.json\0.obj", 14)), "");
    EXPECT_NE(refusal(project, std::string(5000, 'a')), "");
    EXPECT_THROW((void)project.existing("nothing.json"), InputError);
    EXPECT_THROW((void)project.existing("sub"), InputError);
}

TEST_F(ProjectTest, ListsWhatItCanUse) {
    const Project project(file("project"));
    const Json top = project.list("");
    EXPECT_EQ(top["parent"], nullptr);
    EXPECT_EQ(top["scenes"].size(), 2u);  // not the one that leads out
    ASSERT_EQ(top["folders"].size(), 1u);
    const Json sub = project.list(top["folders"][0]["path"]);
    EXPECT_EQ(sub["parent"], "");
    EXPECT_EQ(sub["meshes"][0]["path"], "sub/cup.obj");
    EXPECT_THROW((void)project.list(".."), InputError);
    EXPECT_THROW((void)project.list("up"), InputError);
}

TEST_F(ProjectTest, RemembersWhatWasOpenedLast) {
    {
        const Project project(file("project"));
        project.remember(project.resolve("wall.json"));
        project.remember(project.resolve("sub/cup.obj"));
        project.remember(project.resolve("wall.json"));
    }
    const Project project(file("project"));
    ASSERT_EQ(project.recent().size(), 2u);
    EXPECT_EQ(project.recent()[0]["path"], "wall.json");
    fs::remove(file("project/wall.json"));
    EXPECT_EQ(project.recent().size(), 1u);
}

TEST_F(ProjectTest, KeepsWhatWasNotSaved) {
    const Project project(file("project"));
    EXPECT_FALSE(project.unsaved("wall.json"));
    project.keepUnsaved("wall.json", "{\"a\": 1}", 3);
    project.keepUnsaved("sub/wall.json", "{\"b\": 1}", 1);
    project.keepUnsaved("", "{\"c\": 1}", 9);
    ASSERT_TRUE(project.unsaved("wall.json"));
    EXPECT_EQ(project.unsaved("wall.json")->text, "{\"a\": 1}");
    EXPECT_EQ(project.unsaved("wall.json")->edits, 3u);
    EXPECT_EQ(project.unsaved("")->text, "{\"c\": 1}");
    // a file that was saved later, by whomever, counts more
    fs::last_write_time(file("project/wall.json"), fs::file_time_type::clock::now() + std::chrono::hours(1));
    EXPECT_FALSE(project.unsaved("wall.json"));
    project.forgetUnsaved("sub/wall.json");
    EXPECT_FALSE(project.unsaved("sub/wall.json"));
}

TEST_F(ProjectTest, DamagedFilesOfItsOwnDoNoHarm) {
    const Project project(file("project"));
    project.keepUnsaved("wall.json", "{}", 3);
    for (const fs::directory_entry& entry : fs::directory_iterator(file("project/.sunder/autosave")))
        test::writeText(entry.path(), "{\"text\": 3");
    test::writeText(file("project/.sunder/recent.json"), "[3, {\"path\": 4}, {\"path\": \"wall.json\"}]");
    EXPECT_FALSE(project.unsaved("wall.json"));
    EXPECT_EQ(project.recent().size(), 1u);
}

TEST_F(ProjectTest, NeedsAFolder) { EXPECT_THROW(Project(file("nothing")), InputError); }

}  // namespace
}  // namespace sunder::studio
