#include "io/render/film.h"

#include <algorithm>
#include <cmath>
#include <fstream>

#include <gtest/gtest.h>

#include "io/recording/test_recordings.h"
#include "io/render/film_request.h"
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

/// Where a point is in a picture that is twice as wide as high: within +-1 it is seen.
double farthestFromMiddle(const Camera& camera, const Vec3& point, double aspect) {
    const ViewAxes axes = axesAlong(camera.target - camera.position);
    const Vec3 d = point - camera.position;
    const double tanX = std::tan(camera.fieldOfView * M_PI / 360);
    return std::max(std::abs(d.dot(axes.right)) / tanX, std::abs(d.dot(axes.up)) / tanX * aspect) / d.dot(axes.forward);
}

TEST(Film, WhatWillFallIsSeenAndOneCameraServesAll) {
    // a brick far above what it will hit, and a body that does nothing
    RecordingReader recording = recordedScene("falling", R"({
      "version": 1, "parameters": {"height": 3},
      "materials": {"clay": {"fracture": {"method": "prescored", "threshold": 1, "pieces": 6, "max_generations": 1}}},
      "floor": true,
      "bodies": [{"name": "brick", "shape": {"name": "box", "width": 0.2, "height": 0.1, "depth": 0.1},
                  "position": [0, "$height", 0], "velocity": [0, -9, 0]},
                 {"name": "plate", "shape": "box", "position": [0, 0.5, 0], "material": "clay"}]})",
                                              "height=3.5");
    const Camera camera = filmOf(recording, 0).camera();
    for (const RecordedPose& pose : recording.poses(0)) {
        if (pose.body == 0) continue;  // the floor
        EXPECT_LT(farthestFromMiddle(camera, pose.centre, 16.0 / 9), 1) << pose.body;
    }
    const Camera later = filmOf(recording, recording.lastFrame()).camera();
    EXPECT_EQ(later.position, camera.position) << "a still of another frame";
    Film sheet(recording, {.frames = {0, 3, 9}, .size = {400, 225}});
    EXPECT_LT((sheet.camera().position - camera.position).norm(), 1e-9) << "as wide, and smaller";

    // the sheet has the break
    uint64_t breaks = 0;
    for (const RecordedEvent& event : recording.events()) breaks = event.isBreak() ? event.frame : breaks;
    ASSERT_GT(breaks, 1u);
    const std::vector<uint64_t> moments = momentsOf(recording, 0, recording.lastFrame());
    EXPECT_EQ(moments.size(), 12u);
    EXPECT_TRUE(std::ranges::is_sorted(moments));
    for (const uint64_t frame : {uint64_t{0}, breaks - 1, breaks, recording.lastFrame()})
        EXPECT_TRUE(std::ranges::find(moments, frame) != moments.end()) << frame;
    EXPECT_EQ(momentsOf(recording, 4, 6), (std::vector<uint64_t>{4, 5, 6}));
}

TEST(Film, AGivenDirectionReplacesTheScenesCamera) {
    RecordingReader recording = recordedScene("direction", kScene, "height=0");
    Film film(recording, {.frames = {0}, .direction = Vec3(0, -1, -1)});
    EXPECT_LT(((film.camera().target - film.camera().position).normalized() - Vec3(0, -1, -1).normalized()).norm(),
              1e-9);
}

}  // namespace
}  // namespace sunder
