#include "io/render/render.h"

#include <cstdlib>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/stopwatch.h"
#include "io/files/file_access.h"
#include "io/recording/recording_run.h"
#include "io/render/image.h"
#include "io/render/pov_film.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;

fs::path freshFolder(const std::string& name) {
    const fs::path path = fs::path(testing::TempDir()) / ("sunder_render_" + name);
    fs::remove_all(path);
    fs::create_directories(path);
    return path;
}

/// A red box with green insides that falls on a blue floor and breaks.
RecordingReader recordedBox(const fs::path& folder) {
    SceneRunOptions options;
    options.scene = folder / "box.json";
    std::ofstream(options.scene) << R"({
      "version": 1,
      "materials": {"clay": {"look": "clay", "colour": "#ff0000", "inside_colour": [0, 1, 0],
                             "fracture": {"method": "prescored", "threshold": 1, "pieces": 6, "max_generations": 1}}},
      "floor": {"material": {"look": "plain", "colour": [0, 0, 1]}},
      "bodies": [{"name": "box", "shape": {"name": "box"}, "position": [0, 1, 0], "velocity": [0, -9, 0], "material": "clay"}],
      "view": {"camera": {"position": [1, 2, 6], "target": [0, 0.6, 0], "field_of_view": 40}}
    })";
    options.recording = folder / "box.sunder";
    options.frames = 12;
    Progress silent;
    SceneRun::begin(options).run(silent);
    return RecordingReader(options.recording);
}

FilmOptions small(std::vector<uint64_t> frames) { return {.frames = std::move(frames), .size = {96, 64}}; }

int redPixels(const Image& image) {
    int red = 0;
    for (const Rgb pixel : image.pixels()) red += pixel.r > 60 && pixel.r > 2 * pixel.g && pixel.r > 2 * pixel.b;
    return red;
}

bool povrayIsThere() { return std::system("command -v povray >/dev/null") == 0; }

TEST(PovFilm, MeshesAreWrittenOnceAndFramesSayWhatIsWhere) {
    const fs::path folder = freshFolder("files");
    RecordingReader recording = recordedBox(folder);
    Film film(recording, small({0, 10, 11}));
    PovFilm files(film, folder / "film.pov", PovQuality::Good);
    files.writeMain();
    const std::string first = files.writeFrame(0), later = files.writeFrame(10), last = files.writeFrame(11);
    EXPECT_NE(first, later);
    EXPECT_NE(later, last);
    EXPECT_EQ(files.writeFrame(10), later) << "a hash of contents";
    const std::string frame = readWholeFile(folder / "film_pov" / "frame_00010.inc");
    size_t objects = 0, meshes = 0;
    for (size_t at = 0; (at = frame.find("object{", at)) != std::string::npos; ++at) ++objects;
    for (size_t at = 0; (at = frame.find("mesh2", at)) != std::string::npos; ++at) ++meshes;
    EXPECT_EQ(objects, 6u);
    EXPECT_EQ(meshes, 0u);
    EXPECT_NE(frame.find("plane{"), std::string::npos);
    EXPECT_NE(readWholeFile(folder / "film.ini").find("Final_Frame=11"), std::string::npos);
}

TEST(PovFilm, AnotherSizeQualityOrViewIsAnotherPicture) {
    const fs::path folder = freshFolder("hashes");
    RecordingReader recording = recordedBox(folder);
    const auto hashOf = [&](FilmOptions options, PovQuality quality) {
        Film film(recording, std::move(options));
        return PovFilm(film, folder / "film.pov", quality).writeFrame(3);
    };
    const std::string usual = hashOf(small({3}), PovQuality::Good);
    FilmOptions wide = small({3}), turned = small({3}), green = small({3});
    wide.size.width = 128;
    turned.direction = Vec3(0, -1, -2);
    green.highlighted = {"box"};
    EXPECT_EQ(hashOf(small({3}), PovQuality::Good), usual);
    EXPECT_NE(hashOf(small({3}), PovQuality::Best), usual);
    for (const FilmOptions& other : {wide, turned, green}) EXPECT_NE(hashOf(other, PovQuality::Good), usual);
}

TEST(Render, FramesShowWhatHappensWithoutAWarning) {
    if (!povrayIsThere()) GTEST_SKIP() << "POV-Ray is not installed";
    const fs::path folder = freshFolder("frames");
    RecordingReader recording = recordedBox(folder);
    for (const PovQuality quality : {PovQuality::Draft, PovQuality::Good, PovQuality::Best}) {
        Film film(recording, small({0, 12}));
        Progress silent;
        const fs::path pictures = folder / std::to_string(static_cast<int>(quality));
        EXPECT_EQ(renderFrames(film, pictures, {.quality = quality}, silent), std::vector<std::string>());
        EXPECT_GT(redPixels(readPng(pictures / "frame_00000.png")), 150);
        EXPECT_GT(redPixels(readPng(pictures / "frame_00012.png")), 100);
        for (const auto& entry : fs::directory_iterator(pictures)) EXPECT_FALSE(entry.is_directory()) << entry.path();
    }
}

TEST(Render, WhatIsFinishedIsKeptAndWhatWasMadeOtherwiseIsNotOverwritten) {
    if (!povrayIsThere()) GTEST_SKIP() << "POV-Ray is not installed";
    const fs::path folder = freshFolder("resumed"), pictures = folder / "pictures";
    RecordingReader recording = recordedBox(folder);
    Progress silent;
    const RenderOptions draft{.quality = PovQuality::Draft};
    {
        Film film(recording, small({0, 1, 2}));
        renderFrames(film, pictures, draft, silent);
    }
    fs::remove(pictures / "frame_00001.png");
    const auto made = fs::last_write_time(pictures / "frame_00002.png");
    {
        Film film(recording, small({0, 1, 2, 3}));
        renderFrames(film, pictures, draft, silent);
        EXPECT_EQ(silent.state().total, 2) << "the one that is gone and the one that is new";
    }
    EXPECT_EQ(fs::last_write_time(pictures / "frame_00002.png"), made);
    EXPECT_TRUE(fs::exists(pictures / "frame_00001.png") && fs::exists(pictures / "frame_00003.png"));

    FilmOptions turned = small({2});
    turned.direction = Vec3(0, -1, -2);
    Film other(recording, turned);
    EXPECT_THROW(renderFrames(other, pictures, draft, silent), InputError);
    EXPECT_EQ(fs::last_write_time(pictures / "frame_00002.png"), made);
    renderFrames(other, pictures, {.quality = PovQuality::Draft, .replace = true}, silent);
    EXPECT_NE(fs::last_write_time(pictures / "frame_00002.png"), made);
}

TEST(Render, AStopLeavesNothingHalf) {
    if (!povrayIsThere()) GTEST_SKIP() << "POV-Ray is not installed";
    const fs::path folder = freshFolder("stopped"), pictures = folder / "pictures";
    RecordingReader recording = recordedBox(folder);
    Progress stopped;
    stopped.cancel();
    Film film(recording, small({0, 1}));
    EXPECT_THROW(renderFrames(film, pictures, {}, stopped), Cancelled);
    for (const auto& entry : fs::directory_iterator(pictures)) ADD_FAILURE() << entry.path();
}

TEST(Render, AStopDoesNotWaitForThePictureAtWork) {
    if (!povrayIsThere()) GTEST_SKIP() << "POV-Ray is not installed";
    const fs::path folder = freshFolder("stopped_at_work"), pictures = folder / "pictures";
    RecordingReader recording = recordedBox(folder);
    FilmOptions large = small({0, 1});
    large.size = {8000, 6000};  // minutes
    Film film(recording, large);
    Progress progress;
    std::thread hand([&] {
        const auto atWork = [&] {
            std::error_code ignored;
            for (fs::recursive_directory_iterator entry(pictures, ignored), end; !ignored && entry != end;
                 entry.increment(ignored))
                if (entry->path().extension() == ".log") return true;
            return false;
        };
        while (!atWork()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
        progress.cancel();
    });
    Stopwatch watch;
    EXPECT_THROW(renderFrames(film, pictures, {.quality = PovQuality::Best}, progress), Cancelled);
    hand.join();
    EXPECT_LT(watch.wallSeconds(), 10);
    for (const auto& entry : fs::directory_iterator(pictures)) ADD_FAILURE() << entry.path();
}

TEST(Render, AFilmHasTheFramesInOrder) {
    if (!povrayIsThere() || std::system("command -v ffprobe >/dev/null") != 0)
        GTEST_SKIP() << "POV-Ray or ffmpeg is not installed";
    const fs::path folder = freshFolder("film"), pictures = folder / "pictures", mp4 = folder / "film.mp4";
    RecordingReader recording = recordedBox(folder);
    Film film(recording, small({0, 4, 8, 12}));
    Progress silent;
    renderFrames(film, pictures, {.quality = PovQuality::Draft}, silent);
    encodeFilm(pictures, film.options().frames, mp4, 10, silent);
    const fs::path facts = folder / "facts.txt";
    const std::string ask =
        "ffprobe -v error -count_frames -select_streams v:0 -show_entries "
        "stream=nb_read_frames,r_frame_rate,width -of csv=p=0 " +
        mp4.string() + " > " + facts.string();
    ASSERT_EQ(std::system(ask.c_str()), 0);
    EXPECT_EQ(readWholeFile(facts), "96,10/1,4\n");
}

}  // namespace
}  // namespace sunder
