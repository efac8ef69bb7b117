#include "studio/project.h"

#include <filesystem>
#include <functional>
#include <sys/stat.h>

#include "base/error.h"
#include "io/files/file_access.h"
#include "io/files/work_folder.h"
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

TEST_F(ProjectTest, DamagedFilesOfItsOwnDoNoHarm) {
    const Project project(file("project"));
    const fs::path recent = file("project/.sunder/recent.json");
    test::writeText(recent, "[3, {\"path\": 4}, {\"path\": \"wall.json\"}]");
    EXPECT_EQ(project.recent().size(), 1u);
    EXPECT_EQ(project.remember(project.resolve("wall.json")), "");
    // too large, a folder, a link to itself, a pipe: the list is for people, and nothing else fails with it
    const std::vector<std::function<void()>> damages{
        [&] { test::writeText(recent, std::string(2 << 20, 'x')); }, [&] { fs::create_directory(recent); },
        [&] { fs::create_symlink("recent.json", recent); }, [&] { ASSERT_EQ(::mkfifo(recent.c_str(), 0600), 0); }};
    for (size_t i = 0; i < damages.size(); ++i) {
        fs::remove_all(recent);
        damages[i]();
        EXPECT_TRUE(project.recent().empty()) << i;
        EXPECT_EQ(project.remember(project.resolve("wall.json")).empty(), i == 0) << i;
    }
}

TEST_F(ProjectTest, WhatIsNotItsOwnIsNotFollowed) {
    fs::create_directories(file("home"));
    fs::create_directories(file("project/.sunder"));
    test::writeText(file("home/take-1.sunder"), "precious");
    for (const char* name : {"takes", "autosave"})
        fs::create_directory_symlink(file("home"), file("project/.sunder") / name);
    const Project project(file("project"));
    EXPECT_TRUE(project.ownFiles("takes").empty());
    for (const std::string name : {"takes/take-1.sunder", "autosave/x"}) {
        try {
            (void)project.own(name);
            FAIL() << name;
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find("is a link"), std::string::npos) << error.what();
        }
    }
    EXPECT_THROW((void)project.newOwn("takes", "take-"), InputError);
    EXPECT_EQ(test::readText(file("home/take-1.sunder")), "precious");
    // pipes and devices are no files either
    fs::remove(file("project/.sunder/takes"));
    (void)project.ownFolder("takes");
    ASSERT_EQ(::mkfifo(file("project/.sunder/takes/take-1.sunder").c_str(), 0600), 0);
    EXPECT_TRUE(project.ownFiles("takes").empty());
    EXPECT_THROW((void)project.own("takes/take-1.sunder"), InputError);
}

TEST_F(ProjectTest, ALockThatIsALinkIsRefused) {
    fs::create_directories(file("project/.sunder"));
    fs::create_symlink(file("made"), file("project/.sunder/lock"));
    EXPECT_THROW(Project(file("project")), InputError);
    EXPECT_FALSE(fs::exists(file("made")));
}

TEST_F(ProjectTest, WhatAKillLeftIsTakenAway) {
    // half a file, as writeFileAtomically() leaves it when it is killed
    const auto half = [&](const std::string& name) {
        const fs::path part = unfinishedName(file(name));
        test::writeText(part, "half");
        return part;
    };
    fs::create_directories(file("project/.sunder/uploads"));
    test::writeText(file("precious"), "precious");
    test::writeText(file("project/.sunder/uploads/7"), "half an upload");
    fs::create_symlink(file("precious"), file("project/.sunder/uploads/8"));
    const fs::path recent = half("project/.sunder/recent.json"), wall = half("project/wall.json");
    const fs::path other = half("project/other.json");
    test::writeText(file("project/wall.json.partly"), "of somebody");
    AtomicFile atWork(file("project/wall.json"));
    const Project project(file("project"));
    EXPECT_TRUE(fs::is_empty(file("project/.sunder/uploads")));
    EXPECT_FALSE(fs::exists(recent));
    project.removePartsOf(file("project/wall.json"));
    EXPECT_FALSE(fs::exists(wall));
    EXPECT_TRUE(fs::exists(other));
    atWork.write("whole");
    atWork.commit();  // what somebody is at work on was left to him
    EXPECT_EQ(test::readText(file("project/wall.json")), "whole");
    EXPECT_TRUE(fs::exists(file("project/wall.json.partly")));
    EXPECT_EQ(test::readText(file("precious")), "precious");
}

TEST_F(ProjectTest, ALinkToItselfHidesNothingElse) {
    const Project project(file("project"));
    fs::create_symlink("self.json", file("project/self.json"));
    ASSERT_EQ(::mkfifo(file("project/pipe.json").c_str(), 0600), 0);
    const Json list = project.list("");
    ASSERT_EQ(list["scenes"].size(), 2u) << list.dump();
    EXPECT_EQ(list["scenes"][0]["name"], "inner.json");
}

TEST_F(ProjectTest, NeedsAFolder) { EXPECT_THROW(Project(file("nothing")), InputError); }

}  // namespace
}  // namespace sunder::studio
