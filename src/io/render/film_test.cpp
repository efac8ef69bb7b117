#include "io/render/film.h"

#include <cmath>
#include <fstream>

#include <gtest/gtest.h>

#include "io/recording/test_recordings.h"
#include "sim/test_shatter.h"

namespace sunder {
namespace {

using test::freshFile;

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

Film filmOf(RecordingReader& recording, uint64_t frame, std::vector<std::string> highlighted = {}) {
    return {recording, {.frames = {frame}, .highlighted = std::move(highlighted)}};
}

TEST(Film, LooksAsItsSceneSays) {
    RecordingReader recording = recordedScene("looks", kScene, "height=0.25");
    Film film = filmOf(recording, 0);
    EXPECT_EQ(film.camera().position, Vec3(1, 2, 9));
    EXPECT_EQ(film.camera().target, Vec3(0, 1, 0));
    EXPECT_EQ(film.camera().fieldOfView, 55);
    EXPECT_EQ(film.light(), Vec3(1, 5, 2));
    EXPECT_LT(film.backdrop().horizon.maxCoeff(), 0.1);
    const FilmFrame start = film.frame(0);
    ASSERT_EQ(start.planes.size(), 1u);
    EXPECT_NEAR(start.planes[0].point.y(), 0.25, 1e-6) << "as the command line set it";
    EXPECT_EQ(film.looks()[start.planes[0].look].looks.outside.colour, Vec3(0, 0, 1));
    ASSERT_EQ(start.bodies.size(), 2u);
    const Looks& box = film.looks()[start.bodies[0].look].looks;
    EXPECT_EQ(box.outside.colour, Vec3(1, 0, 0));
    EXPECT_EQ(box.inside.colour, Vec3(0, 1, 0));
    EXPECT_GT(film.looks()[start.bodies[1].look].looks.outside.transmission, 0.5);
    EXPECT_FALSE(film.mesh(start.bodies[0].body).normals.empty());
}

TEST(Film, FragmentsLookLikeWhatTheyWerePartOf) {
    RecordingReader recording = recordedScene("fragments", kScene, "height=0");
    Film film = filmOf(recording, recording.lastFrame(), {"box/p1"});
    const FilmFrame end = film.frame(recording.lastFrame());
    size_t red = 0, green = 0;
    for (const FilmBody& body : end.bodies) {
        const Vec3 colour = film.looks()[body.look].looks.outside.colour;
        red += colour == Vec3(1, 0, 0);
        green += colour.y() > 3 * colour.x();
    }
    EXPECT_EQ(end.bodies.size(), 5u);
    EXPECT_EQ(red, 3u);
    EXPECT_EQ(green, 1u) << "the one that is highlighted";
}

TEST(Film, WithoutASceneTheActionIsInThePicture) {
    const std::filesystem::path path = freshFile("bare.sunder");
    test::record(path, sim::test_shatter::ballThroughWall(4), 20);
    RecordingReader recording(path);
    for (const PictureSize size : {PictureSize{800, 600}, PictureSize{300, 900}}) {
        FilmOptions options{.frames = {0, 5, 10, 20}, .size = size};
        Film film(recording, options);
        const Camera& camera = film.camera();
        const Vec3 forward = (camera.target - camera.position).normalized();
        const Vec3 right = forward.cross(Vec3(0, 1, 0)).normalized(), up = right.cross(forward);
        const double tanX = std::tan(camera.fieldOfView * M_PI / 360), tanY = tanX * size.height / size.width;
        for (const FilmBody& body : film.frame(0).bodies) {
            const Vec3 d = body.worldFromMesh.translation - camera.position;
            EXPECT_LT(std::abs(d.dot(right) / d.dot(forward)), tanX) << film.bodies()[body.body].name;
            EXPECT_LT(std::abs(d.dot(up) / d.dot(forward)), tanY) << film.bodies()[body.body].name;
        }
    }
}

TEST(Film, AGivenDirectionReplacesTheScenesCamera) {
    RecordingReader recording = recordedScene("direction", kScene, "height=0");
    Film film(recording, {.frames = {0}, .direction = Vec3(0, -1, -1)});
    EXPECT_LT(((film.camera().target - film.camera().position).normalized() - Vec3(0, -1, -1).normalized()).norm(),
              1e-9);
}

}  // namespace
}  // namespace sunder
