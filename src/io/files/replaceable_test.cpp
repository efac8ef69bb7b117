#include "io/files/replaceable.h"

#include <fstream>
#include <functional>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "base/error.h"
#include "io/files/file_access.h"
#include "io/files/file_lock.h"
#include "io/files/test_scratch.h"
#include "io/files/work_folder.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;

std::string complaint(const std::function<void()>& action) {
    try {
        action();
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

class Replaceable : public test::ScratchTest {
protected:
    fs::path written(const std::string& name, const std::string& text = "precious") const {
        std::ofstream(file(name)) << text;
        return file(name);
    }
    fs::path pipe() const {
        mkfifo(file("pipe").c_str(), 0600);
        return file("pipe");
    }
};

TEST_F(Replaceable, ARegularFileGoesOnlyWhenAsked) {
    const fs::path path = written("a.obj");
    EXPECT_EQ(complaint([&] { checkReplaceable(file("free"), Overwrite::No); }), "");
    EXPECT_NE(complaint([&] { checkReplaceable(path, Overwrite::No); }).find("--force"), std::string::npos);
    EXPECT_EQ(complaint([&] { checkReplaceable(path, Overwrite::Yes); }), "");
}

TEST_F(Replaceable, WhatIsNoFileStays) {
    const int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
    const std::string name = file("s").string();
    if (name.size() < sizeof address.sun_path) {
        name.copy(address.sun_path, name.size());
        ASSERT_EQ(bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        EXPECT_NE(complaint([&] { checkReplaceable(file("s"), Overwrite::Yes); }).find("is a socket"),
                  std::string::npos);
    }
    close(descriptor);
    EXPECT_NE(complaint([&] { checkReplaceable(pipe(), Overwrite::Yes); }).find("is a pipe"), std::string::npos);
    EXPECT_NE(complaint([&] { checkReplaceable(folder(), Overwrite::Yes); }).find("is a folder"), std::string::npos);
    // no writer goes another way
    EXPECT_NE(complaint([&] { writeFileAtomically(pipe(), "x"); }).find("is a pipe"), std::string::npos);
    EXPECT_TRUE(fs::is_fifo(pipe()));
}

TEST_F(Replaceable, OfALinkTheLinkAloneGoes) {
    const fs::path letter = written("letter");
    fs::create_symlink(letter, file("link"));
    writeFileAtomically(file("link"), "new");
    EXPECT_EQ(readWholeFile(letter), "precious");
    EXPECT_EQ(readWholeFile(file("link")), "new");
    EXPECT_FALSE(fs::is_symlink(file("link")));
    // and one that leads to no file stays
    fs::create_symlink(file("nowhere"), file("lost"));
    fs::create_symlink(pipe(), file("to_pipe"));
    fs::create_symlink(file("itself"), file("itself"));
    EXPECT_NE(complaint([&] { checkReplaceable(file("lost"), Overwrite::Yes); }).find("leads nowhere"),
              std::string::npos);
    EXPECT_NE(complaint([&] { checkReplaceable(file("to_pipe"), Overwrite::Yes); }).find("a link to a pipe"),
              std::string::npos);
    EXPECT_NE(complaint([&] { checkReplaceable(file("itself"), Overwrite::Yes); }).find("leads nowhere"),
              std::string::npos);
}

TEST_F(Replaceable, OfFoldersOnlyOursGo) {
    fs::create_directory(file("empty"));
    fs::create_directory(file("theirs"));
    written("theirs/letter");
    fs::create_directory(file("ours"));
    markFolder(file("ours"));
    fs::create_directory_symlink(file("ours"), file("link"));
    EXPECT_EQ(complaint([&] { checkReplaceableFolder(file("free"), Overwrite::No); }), "");
    EXPECT_EQ(complaint([&] { checkReplaceableFolder(file("empty"), Overwrite::No); }), "");
    EXPECT_EQ(complaint([&] { checkReplaceableFolder(file("ours"), Overwrite::Yes); }), "");
    for (const char* name : {"theirs", "link"})
        EXPECT_NE(complaint([&] { checkReplaceableFolder(file(name), Overwrite::Yes); }), "") << name;
    EXPECT_NE(complaint([&] { checkReplaceableFolder(file("ours"), Overwrite::No); }).find("--force"),
              std::string::npos);
}

TEST_F(Replaceable, AWorkFolderHasANameOfItsOwnAndGoes) {
    fs::path first;
    {
        const WorkFolder one(file("x.png")), two(file("x.png"));
        first = one.path();
        EXPECT_NE(one.path(), two.path());
        std::ofstream(one.path() / "picture") << "half";
        fs::create_directory_symlink(folder(), one.path() / "link");  // what it leads to stays
        written("letter");
    }
    EXPECT_FALSE(fs::exists(first));
    EXPECT_EQ(readWholeFile(file("letter")), "precious");
}

TEST_F(Replaceable, LongNamesCanBeUnfinishedToo) {
    const fs::path path = file(std::string(250, 'n'));
    writeFileAtomically(path, "whole");
    EXPECT_EQ(readWholeFile(path), "whole");
}

TEST_F(Replaceable, APipeIsNotWaitedFor) {
    for (const auto& read : {std::function([](const fs::path& path) { (void)readWholeFile(path); }),
                             std::function([](const fs::path& path) { checkRegularFile(path); }),
                             std::function([](const fs::path& path) { const FileLock lock(path); })})
        EXPECT_NE(complaint([&] { read(pipe()); }).find("is a pipe; a file is expected"), std::string::npos);
    EXPECT_EQ(firstBytes(pipe(), 16), "");
}

TEST_F(Replaceable, ALockMakesNoFileWhereALinkLeads) {
    fs::create_symlink(file("elsewhere"), file("lock"));
    EXPECT_NE(complaint([&] { const FileLock lock(file("lock")); }), "");
    EXPECT_FALSE(fs::exists(file("elsewhere")));
}

}  // namespace
}  // namespace sunder
