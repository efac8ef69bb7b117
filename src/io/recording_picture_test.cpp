#include "io/recording_picture.h"

#include <fstream>

#include <gtest/gtest.h>

#include "io/recording_run.h"
#include "sim/run.h"
#include "sim/test_shatter.h"

namespace sunder {
namespace {

std::filesystem::path freshFile(const std::string& name) {
    const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / name;
    for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(path.string() + end);
    return path;
}

/// Twenty frames of a scene, as `sunder run` makes them.
RecordingReader recordedScene(const std::string& name, const std::string& text, const std::string& setting) {
    SceneRunOptions options;
    options.scene = freshFile(name + ".json");
    std::ofstream(options.scene) << text;
    options.recording = freshFile(name + ".sunder");
    options.settings = {setting};
    options.frames = 20;
    Progress silent;
    SceneRun::begin(options).run(silent);
    return RecordingReader(options.recording);
}

const std::string kScene = R"({
  "version": 1,
  "parameters": {"height": 0.5},
  "materials": {
    "clay": {"colour": "#ff0000", "inside_colour": [0, 1, 0],
             "fracture": {"method": "prescored", "threshold": 1, "pieces": 4, "max_generations": 1}},
    "grass": {"colour": [0, 0, 1]}
  },
  "floor": {"height": "$height", "material": "grass"},
  "bodies": [
    {"name": "box", "shape": {"name": "box"}, "position": [0, 3, 0], "velocity": [0, -9, 0], "material": "clay"},
    {"name": "own", "shape": {"name": "box"}, "position": [5, 3, 0], "material": {"look": "glass"}}
  ],
  "view": {"camera": {"position": [1, 2, 9], "target": [0, 1, 0], "field_of_view": 55}, "light": [1, 5, 2], "background": "dark"}
})";

TEST(RecordingPicture, LooksAsItsSceneSays) {
    RecordingReader recording = recordedScene("looks", kScene, "height=0.25");
    const PovScene start = pictureOf(recording, 0);
    ASSERT_TRUE(start.camera);
    EXPECT_EQ(start.camera->position, Vec3(1, 2, 9));
    EXPECT_EQ(start.camera->target, Vec3(0, 1, 0));
    EXPECT_EQ(start.camera->fieldOfView, 55);
    EXPECT_EQ(start.light, Vec3(1, 5, 2));
    EXPECT_LT(start.background.maxCoeff(), 0.1);
    EXPECT_FALSE(start.ground) << "the floor of the scene is drawn, not one below the lowest thing";
    ASSERT_EQ(start.planes.size(), 1u);
    EXPECT_NEAR(start.planes[0].point.y(), 0.25, 1e-6) << "as the command line set it";
    EXPECT_EQ(start.planes[0].look.colour, Vec3(0, 0, 1));
    ASSERT_EQ(start.objects.size(), 2u);
    EXPECT_EQ(start.objects[0].outside.colour, Vec3(1, 0, 0));
    EXPECT_EQ(start.objects[0].inside.colour, Vec3(0, 1, 0));
    EXPECT_GT(start.objects[1].outside.transparency, 0.5);
}

TEST(RecordingPicture, FragmentsLookLikeWhatTheyWerePartOf) {
    RecordingReader recording = recordedScene("fragments", kScene, "height=0");
    const PovScene end = pictureOf(recording, recording.lastFrame(), {"box/p1"});
    size_t red = 0, green = 0;
    for (const PovObject& object : end.objects) {
        red += object.outside.colour == Vec3(1, 0, 0);
        green += object.outside.colour.y() > 3 * object.outside.colour.x();
    }
    EXPECT_EQ(end.objects.size(), 5u);
    EXPECT_EQ(red, 3u);
    EXPECT_EQ(green, 1u) << "the one that is highlighted";
}

TEST(RecordingPicture, WithoutASceneThereIsStillAPicture) {
    const sim::SimulationSetup setup = sim::test_shatter::ballThroughWall(4);
    const std::filesystem::path path = freshFile("bare.sunder");
    RecordingHeader header;
    header.dt = setup.dt;
    header.positionQuantum = positionQuantumFor(setup);
    {
        RecordingWriter writer = RecordingWriter::create(path, header);
        sim::Simulation simulation(setup);
        Progress silent;
        sim::run(simulation, writer, {.frames = 2}, silent);
    }
    RecordingReader recording(path);
    const PovScene scene = pictureOf(recording, 2);
    EXPECT_FALSE(scene.camera) << "framed whole";
    EXPECT_FALSE(scene.light);
    EXPECT_EQ(scene.planes.size(), 1u);
    EXPECT_GE(scene.objects.size(), 2u);
}

}  // namespace
}  // namespace sunder
