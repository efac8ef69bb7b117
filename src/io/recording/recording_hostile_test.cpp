// What RecordingReader refuses, so that no other reader has to. tests/hostile_files_test.cpp has the whole program.
#include <fstream>
#include <functional>

#include <gtest/gtest.h>

#include "base/error.h"
#include "io/files/file_access.h"
#include "io/recording/recording_reader.h"
#include "io/recording/recording_stats.h"
#include "io/recording/recording_view.h"
#include "io/recording/test_recordings.h"
#include "sim/test_shatter.h"

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

/// A recording of a wall that breaks, with something done to it.
fs::path changed(const std::string& name, const std::string& sql) {
    const fs::path path = test::freshFile(name + ".sunder");
    test::record(path, sim::test_shatter::ballThroughWall(10), 12);
    if (!sql.empty()) SqlDatabase(path, SqlDatabase::Mode::ReadWrite).execute(sql);
    return path;
}

/// All that is asked of a recording.
void readAll(const fs::path& path) {
    RecordingReader reader(path);
    reader.bodies();
    reader.events();
    for (uint64_t frame = 0; frame <= reader.lastFrame(); ++frame) reader.poses(frame), reader.impacts(frame);
    for (const RecordedBody& body : reader.bodies()) reader.meshOf(body.id);
}

TEST(HostileRecording, WhatContradictsItselfIsRefusedByName) {
    const std::pair<const char*, const char*> cases[] = {
        {"", ""},
        {"UPDATE body SET id = 1000 WHERE id = 3", "no body 3"},
        {"UPDATE body SET parent = 11 WHERE id = 3", "body 3 comes from one that is not there"},
        {"UPDATE body SET root = -1 WHERE id = 3", "body 3 is part of one that is not there"},
        {"UPDATE body SET died = 2, born = 5 WHERE id = 3", "body 3 is born in frame 5 and dies in frame 2"},
        {"UPDATE body SET volume = 9e999 WHERE id = 3", "body 3 has a mass, volume or centre that is not finite"},
        {"UPDATE frame SET poses = x'28b52ffd2000010000' WHERE number = 0", "no pose of body 0 in frame 0"},
        {"UPDATE body SET born = 5 WHERE id = 0", "frame 0 moves body"},
        {"UPDATE frame SET number = 1000000 WHERE number = 12", "13 frames, numbered from 0 to 1000000"},
        {"UPDATE frame SET time = 9e999 WHERE number = 0", ""},  // seen by those who ask for the frame
        {"UPDATE meta SET value = 1e308 WHERE key = 'dt'", "a frame of 1e+308 s"},
        {"UPDATE event SET body = 77", "of body 77, which is not there"},
        {"CREATE VIEW v AS SELECT 1", "holds the view 'v', which no recording has"},
        {"CREATE TRIGGER t AFTER INSERT ON frame BEGIN DELETE FROM meta; END", "holds the trigger 't'"},
        {"CREATE VIRTUAL TABLE w USING rtree(id, a, b)", "holds the virtual table 'w'"},
        {"DROP TABLE checkpoint", "its table checkpoint is missing"},
        {"ALTER TABLE body RENAME COLUMN cx TO dx", "its table body has other columns"},
        {"ALTER TABLE body ADD COLUMN more", "its table body has other columns"},
        {"CREATE TABLE of_later_programs(a, b)", ""},
        {"DROP TABLE impact", ""},
    };
    for (const auto& [sql, expected] : cases) {
        const fs::path path = changed("contradiction", sql);
        const std::string said = complaint([&] { readAll(path); });
        EXPECT_EQ(said.empty(), std::string(expected).empty()) << sql << "\n" << said;
        EXPECT_NE(said.find(expected), std::string::npos) << sql << "\n" << said;
    }
}

TEST(HostileRecording, CompressedDataHoldsNoMoreThanItCan) {
    const std::vector<std::byte> zeros(size_t{40} << 20), packed = compressed(zeros);
    EXPECT_EQ(decompressed(packed), zeros);
    EXPECT_THROW(decompressed(packed, 1000), std::runtime_error);
    // a head alone, which claims eight gigabytes
    const unsigned char claims[] = {0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0};
    EXPECT_THROW(decompressed(std::as_bytes(std::span(claims))), std::runtime_error);
    // beyond 64 MB a thousand times its size
    EXPECT_THROW(decompressed(compressed(std::vector<std::byte>(size_t{80} << 20))), std::runtime_error);
    // cut off, and with something behind
    std::vector<std::byte> bad(packed.begin(), packed.end() - 3);
    EXPECT_THROW(decompressed(bad), std::runtime_error);
    bad = packed;
    bad.push_back(std::byte{});
    EXPECT_THROW(decompressed(bad), std::runtime_error);
    EXPECT_EQ(decompressed(compressed({})).size(), 0u);
}

TEST(HostileRecording, OnlyRecordingsAreDiscarded) {
    const fs::path letter = test::freshFile("letter"), foreign = test::freshFile("songs.db");
    std::ofstream(letter) << "precious";
    SqlDatabase(foreign, SqlDatabase::Mode::Create).execute("CREATE TABLE songs(title)");
    for (const fs::path& path : {letter, foreign}) {
        EXPECT_NE(complaint([&] { RecordingWriter::discard(path); }).find("only recordings are overwritten"),
                  std::string::npos);
        EXPECT_TRUE(fs::exists(path));
    }
    const fs::path link = test::freshFile("link.sunder"), path = changed("linked", "");
    fs::create_symlink(path, link);
    RecordingWriter::discard(link);
    EXPECT_TRUE(fs::exists(path) && !fs::is_symlink(link));
    RecordingWriter::discard(path);
    EXPECT_FALSE(fs::exists(path));
    RecordingWriter::discard(path);  // nothing there
}

TEST(HostileRecording, ACameraWithoutDirectionIsNone) {
    const fs::path path = changed(
        "view",
        R"(UPDATE meta SET value = '{"camera": {"position": [1, 1, 1], "target": [1, 1, 1]}, "light": [0, 0, 0]}'
                   WHERE key = 'view')");
    RecordingReader reader(path);
    const RecordingView view(reader);
    EXPECT_FALSE(view.camera());
    EXPECT_GT(view.light().norm(), 0);
}

TEST(HostileRecording, FiguresThatAreNotFiniteAreCountedAndNotTakenForNothing) {
    const fs::path path = changed("figures",
                                  "UPDATE frame SET figures = json_set(figures, '$.energy.linear', json('null')) "
                                  "WHERE number BETWEEN 5 AND 7");
    const RecordingStats stats = statsOf(RecordingReader(path));
    EXPECT_EQ(stats.framesNotFinite, 3u);
    EXPECT_EQ(stats.firstNotFinite, 5u);
    const fs::path odd = changed("odd_figures", "UPDATE frame SET figures = '[1]' WHERE number = 4");
    EXPECT_NE(complaint([&] {
                  statsOf(RecordingReader(odd));
              }).find("the figures of frame 4 are damaged: a number or a name"),
              std::string::npos);
}

}  // namespace
}  // namespace sunder
