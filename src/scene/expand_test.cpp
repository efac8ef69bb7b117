#include "scene/expand.h"

#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "math/box.h"
#include "scene/motion.h"
#include "scene/parse.h"
#include "scene/rotations.h"

namespace sunder::scene {
namespace {

Scene sceneOf(const std::string& rest) {
    const ParsedScene parsed = parseScene("{\"version\": 1, " + rest + "}", "test.json");
    EXPECT_EQ(parsed.issues.describe(), "");
    return parsed.scene;
}

std::map<std::string, PlacedBody> byName(const Scene& scene) {
    std::map<std::string, PlacedBody> named;
    for (const PlacedBody& placed : placedBodies(scene)) named[placed.name] = placed;
    return named;
}

TEST(Expand, ABrickWallInRunningBondIsFlushAndFull) {
    const Scene scene = sceneOf(R"("bodies": [{"name": "wall",
        "shape": {"name": "box", "width": 0.6, "height": 0.3, "depth": 0.3}, "position": [0, 0.15, 0],
        "array": {"count": [20, 20, 1], "step": [0.6, 0.3, 1], "half_ends": true, "centred": true}}])");
    const auto bricks = byName(scene);
    EXPECT_EQ(bricks.size(), 410u);  // every second row has one more
    EXPECT_TRUE(bricks.contains("wall/r3c7"));

    // the bricks of a row touch and reach from end to end
    double volume = 0;
    std::map<std::string, Box3> rows;
    for (const auto& [name, brick] : bricks) {
        const Vec3 size = brick.scale.cwiseProduct(Vec3(0.6, 0.3, 0.3)), centre = brick.pose().translation;
        rows[name.substr(0, name.find('c'))].add(Box3{centre - 0.5 * size, centre + 0.5 * size});
        volume += size.prod();
    }
    EXPECT_EQ(rows.size(), 20u);
    for (const auto& [row, box] : rows) {
        EXPECT_NEAR(box.min.x(), -6, 1e-12) << row;
        EXPECT_NEAR(box.max.x(), 6, 1e-12) << row;
    }
    EXPECT_NEAR(volume, 12 * 6 * 0.3, 1e-12);
}

TEST(Expand, InstancesTurnAndMoveTheirMembers) {
    const Scene scene = sceneOf(R"("groups": {
            "pair": {"bodies": [{"name": "a", "shape": "box", "position": [1, 0, 0], "velocity": [1, 0, 0],
                                 "angular_velocity": [1, 0, 0]}]},
            "row": {"instances": [{"name": "p", "group": "pair", "array": {"count": [2, 1, 1], "step": [10, 0, 0]}}]}},
        "instances": [{"name": "left", "group": "row", "position": [0, 5, 0], "velocity": [0, 2, 0],
                       "rotation": {"axis": [0, 0, 2], "degrees": 90}}])");
    const auto bodies = byName(scene);
    ASSERT_EQ(bodies.size(), 2u);
    const PlacedBody& second = bodies.at("left/p/c1/a");
    EXPECT_NEAR((second.pose().translation - Vec3(0, 16, 0)).norm(), 0, 1e-12);
    EXPECT_NEAR((second.velocity - Vec3(0, 3, 0)).norm(), 0, 1e-12);
    EXPECT_NEAR((second.angularVelocity - Vec3(0, 1, 0)).norm(), 0, 1e-12);
}

TEST(Expand, JitterStaysWithinItsBoundsAndWithTheName) {
    const auto shifts = [](const char* count) {
        return byName(sceneOf(std::string(R"("bodies": [{"name": "s", "shape": "sphere",
            "array": {"step": [3, 3, 3], "jitter": [0.5, 0, 0.1], "count": )") +
                              count + "}}]"));
    };
    const auto many = shifts("[4, 1, 4]"), more = shifts("[5, 1, 4]");
    double largest = 0;
    for (const auto& [name, body] : many) {
        const Vec3 place = body.pose().translation;
        EXPECT_EQ(place.y(), 0);
        const double shift = std::abs(place.x() - 3 * std::round(place.x() / 3));
        EXPECT_LE(shift, 0.5);
        largest = std::max(largest, shift);
        EXPECT_EQ(more.at(name).pose().translation, place) << "others do not move it";
    }
    EXPECT_GT(largest, 0.1);
}

TEST(Expand, ALimitKeepsTheFirstAndCentresThem) {
    const auto spheres = byName(sceneOf(R"("bodies": [{"name": "s", "shape": "sphere",
        "array": {"count": [10, 10, 10], "step": [1, 1, 1], "centred": true, "limit": 20}}])"));
    ASSERT_EQ(spheres.size(), 20u);
    Box3 box;
    for (const auto& [name, body] : spheres) box.add(body.pose().translation);
    EXPECT_NEAR((box.min - Vec3(-4.5, 0, -0.5)).norm(), 0, 1e-12);
    EXPECT_NEAR((box.max - Vec3(4.5, 0, 0.5)).norm(), 0, 1e-12);
}

TEST(Expand, GroupsOfGroupsHaveALimitThoughTheyAreEmpty) {
    // ten times ten times ... of nothing: no bodies, but too much to walk through
    std::string groups = R"("g0": {"bodies": []})";
    for (int level = 1; level <= 9; ++level) {
        groups += fmt::format(R"(, "g{}": {{"instances": [)", level);
        for (int i = 0; i < 10; ++i)
            groups += fmt::format(R"({}{{"name": "i{}", "group": "g{}"}})", i ? "," : "", i, level - 1);
        groups += "]}";
    }
    const ParsedScene parsed =
        parseScene(R"({"version": 1, "groups": {)" + groups + R"(}, "instances": [{"name": "few", "group": "g1"},
            {"name": "many", "group": "g9"}]})",
                   "test.json");
    ASSERT_EQ(parsed.issues.errors(), 1u) << parsed.issues.describe();
    EXPECT_EQ(parsed.issues.list()[0].pointer, "/instances/1");
    EXPECT_NE(parsed.issues.list()[0].message.find("at most 1000000"), std::string::npos) << parsed.issues.describe();
}

TEST(Rotations, ThreeFormsOfOneTurnAgree) {
    const Quat euler = quaternionOf({EulerAngles{{0, 0, 90}}});
    const Quat axis = quaternionOf({AxisAngle{{0, 0, 3}, 450}});
    const Quat parts = quaternionOf({QuaternionParts{2, 0, 0, 2}});
    EXPECT_NEAR(euler.angularDistance(axis), 0, 1e-7);
    EXPECT_NEAR(euler.angularDistance(parts), 0, 1e-7);
    // about fixed axes: x first, then y
    const Vec3 turned = quaternionOf({EulerAngles{{90, 90, 0}}}) * Vec3(0, 1, 0);
    EXPECT_NEAR((turned - Vec3(1, 0, 0)).norm(), 0, 1e-12);
}

RigidTransform moved(const MotionSettings& motion, const RigidTransform& start, double time) {
    return dynamics::poseAt(motionFrom(motion, start, {}), time);
}

TEST(Motion, KeyframesPassThroughTheirKeysAndRepeat) {
    KeyframeMotion motion;
    motion.keys = {{.time = 0, .position = Vec3::Zero(), .rotation = {}},
                   {.time = 2, .position = Vec3(4, 0, 0), .rotation = {EulerAngles{{0, 90, 0}}}}};
    const RigidTransform start{Quat::Identity(), Vec3(0, 1, 0)};
    EXPECT_NEAR((moved(motion, start, 1).translation - Vec3(2, 1, 0)).norm(), 0, 1e-12);
    EXPECT_LT(moved(motion, start, 0.2).translation.x(), 0.2) << "smooth: starts without a jerk";
    motion.interpolation = Interpolation::Linear;
    EXPECT_NEAR(moved(motion, start, 0.5).translation.x(), 1, 1e-12);
    EXPECT_NEAR(moved(motion, start, 9).translation.x(), 4, 1e-12) << "stays at the last";
    EXPECT_NEAR((moved(motion, start, 9).rotation * Vec3(1, 0, 0) - Vec3(0, 0, -1)).norm(), 0, 1e-12);
    motion.repeat = true;
    EXPECT_NEAR(moved(motion, start, 2.5).translation.x(), 1, 1e-12);
}

TEST(Motion, OscillationIsASineAndSpinTurns) {
    OscillationMotion wave{.displacement = Vec3(0, 2, 0), .swing = 90, .period = 4};
    for (const double time : {0.0, 0.3, 1.0, 2.9, 7.7}) {
        const double sine = std::sin(0.5 * 3.14159265358979323846 * time);
        EXPECT_NEAR(moved(wave, {}, time).translation.y(), 2 * sine, 1e-12);
    }
    const SpinMotion spin{.axis = Vec3(0, 0, 5), .speed = 3.14159265358979323846};
    EXPECT_NEAR((moved(spin, {}, 0.5).rotation * Vec3(1, 0, 0) - Vec3(0, 1, 0)).norm(), 0, 1e-12);
}

}  // namespace
}  // namespace sunder::scene
