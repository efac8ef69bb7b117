#include "io/scene/asset_folder.h"

#include <algorithm>
#include <fstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "base/error.h"
#include "fracture/prescored/prescored.h"
#include "fracture/prescored/test_patterns.h"
#include "geometry/shapes/shapes.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;
using fracture::ContentHash;

/// A folder that goes when the test ends.
struct Folder {
    explicit Folder(const std::string& name)
        : path(fs::temp_directory_path() / ("sunder_" + name + "_" + std::to_string(::getpid()))) {
        fs::remove_all(path);
    }
    ~Folder() { fs::remove_all(path); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    fs::path path;
};

std::vector<std::byte> bytesOf(size_t count, int value) {
    return std::vector<std::byte>(count, static_cast<std::byte>(value));
}

size_t fileCount(const fs::path& folder) {
    return static_cast<size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(AssetFolder, GivesBackWhatItWasGivenAlsoToAnother) {
    const Folder folder("assets");
    const ContentHash name{1, 2};
    AssetFolder store(folder.path / "deep" / "down");
    EXPECT_FALSE(store.get(name));
    store.put(name, bytesOf(1000, 7));
    EXPECT_EQ(AssetFolder(folder.path / "deep" / "down").get(name), bytesOf(1000, 7));
    EXPECT_FALSE(store.get(ContentHash{2, 1}));
    store.put(name, bytesOf(3, 8));
    EXPECT_EQ(store.get(name), bytesOf(3, 8));
    EXPECT_EQ(fileCount(folder.path / "deep" / "down"), 1u);  // nothing unfinished is left
}

TEST(AssetFolder, StaysBelowItsLimitAndKeepsWhatWasUsedLast) {
    const Folder folder("assets_limit");
    AssetFolder store(folder.path, 1000);
    for (uint64_t n = 0; n < 10; ++n) {
        store.put({n, 0}, bytesOf(100, static_cast<int>(n)));
        fs::last_write_time(store.pathOf({n, 0}), fs::file_time_type::clock::now() - std::chrono::hours(20 - n));
    }
    EXPECT_EQ(fileCount(folder.path), 10u);
    EXPECT_TRUE(store.get({0, 0}));  // the oldest, but used now
    store.put({10, 0}, bytesOf(100, 10));
    EXPECT_EQ(fileCount(folder.path), 8u);
    EXPECT_TRUE(store.get({0, 0}));
    EXPECT_FALSE(store.get({1, 0}));
    EXPECT_TRUE(store.get({10, 0}));
    store.put({11, 0}, bytesOf(1001, 11));  // larger than all
    EXPECT_FALSE(store.get({11, 0}));
}

TEST(AssetFolder, LeavesWhatIsNotItsOwn) {
    const Folder folder("assets_of_others");
    fs::create_directories(folder.path);
    const std::vector<std::byte> bytes(1000);
    for (const char* name : {"notes.asset.txt", "my.asset", "0123.asset.bak"})
        std::ofstream(folder.path / name) << std::string(5000, 'x');
    AssetFolder store(folder.path, 2500);
    for (uint64_t k = 1; k < 9; ++k) store.put({k, k}, bytes);
    for (const char* name : {"notes.asset.txt", "my.asset", "0123.asset.bak"})
        EXPECT_TRUE(fs::exists(folder.path / name)) << name;
    EXPECT_TRUE(store.get({8, 8}));
}

TEST(AssetFolder, TroubleWithTheFolderStopsNothing) {
    const Folder folder("assets_trouble");
    fs::create_directories(folder.path);
    std::ofstream(folder.path / "file") << "no folder";
    AssetFolder store(folder.path / "file");
    testing::internal::CaptureStderr();
    store.put({1, 1}, bytesOf(10, 1));
    store.put({1, 2}, bytesOf(10, 1));
    const std::string told = testing::internal::GetCapturedStderr();
    EXPECT_NE(told.find("cannot be kept in"), std::string::npos) << told;
    EXPECT_EQ(told.find("cannot be kept in"), told.rfind("cannot be kept in")) << told;  // once
    EXPECT_FALSE(store.get({1, 1}));
}

fracture::PrescoredOptions artist() {
    fracture::PrescoredOptions options = fracture::test::optionsFor(fracture::patternNamed("artist"), 8);
    options.cells = 16;
    return options;
}

std::vector<Vec3> breakWith(fracture::AssetStore* store) {
    const fracture::PrescoredMethod method(artist());
    const fracture::Solid solid = fracture::test::solidOf(makeShape("box", {}, 8), 1);
    const auto plan =
        planOnce(method, solid, fracture::test::push(Vec3(0.1, 0.2, 0.5), Vec3(0, 0, -1)), {nullptr, store});
    std::vector<Vec3> all;
    for (const auto& f : plan.fragments) all.insert(all.end(), f.mesh().positions.begin(), f.mesh().positions.end());
    return all;
}

TEST(AssetFolder, SpoiltFilesAreToldOfAndMadeAgain) {
    const Folder folder("assets_spoilt");
    AssetFolder store(folder.path);
    const std::vector<Vec3> first = breakWith(&store);
    ASSERT_FALSE(first.empty());
    // one cut in the middle, one with a changed byte, one empty
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder.path)) files.push_back(entry.path());
    ASSERT_GE(files.size(), 3u);
    std::sort(files.begin(), files.end());
    const auto size = fs::file_size(files[0]);
    fs::resize_file(files[0], size / 2);
    {
        std::fstream file(files[1], std::ios::in | std::ios::out | std::ios::binary);
        file.seekg(100);
        const char old = static_cast<char>(file.get());
        file.seekp(100);
        file.put(static_cast<char>(old ^ 1));
    }
    fs::resize_file(files[2], 0);
    testing::internal::CaptureStderr();
    EXPECT_EQ(breakWith(&store), first);
    const std::string told = testing::internal::GetCapturedStderr();
    EXPECT_NE(told.find("3 stored pattern assets were cut off or altered"), std::string::npos) << told;
    EXPECT_EQ(std::count(told.begin(), told.end(), '\n'), 1) << told;
    EXPECT_EQ(fs::file_size(files[0]), size);
    // mended
    testing::internal::CaptureStderr();
    EXPECT_EQ(breakWith(&store), first);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(AssetFolder, TwoProgramsAtOnceSeeWholeFilesOnly) {
    const Folder folder("assets_two");
    constexpr size_t kBytes = 200'000;
    const auto write = [&](int value) {
        AssetFolder store(folder.path);
        for (int n = 0; n < 30; ++n) store.put({5, 5}, bytesOf(kBytes, value));
    };
    fs::create_directories(folder.path);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        write(1);
        ::_exit(0);
    }
    std::thread other([&] { write(2); });
    const AssetFolder store(folder.path);
    size_t seen = 0;
    int status = 0;
    while (::waitpid(child, &status, WNOHANG) == 0) {
        const auto bytes = store.get({5, 5});
        if (!bytes) continue;
        ++seen;
        ASSERT_TRUE(*bytes == bytesOf(kBytes, 1) || *bytes == bytesOf(kBytes, 2));
    }
    other.join();
    EXPECT_EQ(status, 0);
    EXPECT_GT(seen, 0u);
    EXPECT_EQ(fileCount(folder.path), 1u);
}

}  // namespace
}  // namespace sunder
