#include "fracture/prescored/pattern.h"

#include <stdexcept>

#include <gtest/gtest.h>

#include "base/random.h"
#include "fracture/prescored/prescored.h"

namespace sunder::fracture {
namespace {

TEST(Pattern, EveryNameLeadsBackToItsKind) {
    for (const PatternKind kind : allPatterns()) EXPECT_EQ(patternNamed(nameOf(kind)), kind);
    try {
        patternNamed("unifrom");
        FAIL();
    } catch (const std::invalid_argument& error) {
        EXPECT_NE(std::string(error.what()).find("uniform, radial, glass"), std::string::npos) << error.what();
    }
}

TEST(Pattern, TheAxisGoesToTheNormalWhateverItIs) {
    Random random(1);
    std::vector<Vec3> normals{{0, 0, 1}, {0, 0, -1}, {1, 0, 0}, Vec3(1e-9, 0, -1).normalized(), Vec3(1e-200, 0, -1)};
    for (int n = 0; n < 200; ++n)
        normals.push_back(Vec3(random.normal(), random.normal(), random.normal()).normalized());
    for (const Vec3& normal : normals) {
        const Quat rotation = rotationFromZ(normal);
        EXPECT_NEAR(rotation.norm(), 1, 1e-15);
        EXPECT_LT((rotation * Vec3(0, 0, 1) - normal).norm(), 1e-15) << normal.transpose();
        const ImpactPlace place{Vec3(1, 2, 3), normal};
        const RigidTransform moved = bodyFromPattern(place, 7);
        EXPECT_LT((moved * Vec3(0, 0, 2) - (place.point + 2 * normal)).norm(), 2e-15);
        EXPECT_EQ(moved * Vec3(0, 0, 0), place.point);
    }
}

TEST(Pattern, SeedsTurnItAboutItsAxisDifferently) {
    const ImpactPlace place{Vec3::Zero(), Vec3(0, 0, 1)};
    const Vec3 x(1, 0, 0);
    EXPECT_EQ(bodyFromPattern(place, 1) * x, bodyFromPattern(place, 1) * x);
    EXPECT_GT((bodyFromPattern(place, 1) * x - bodyFromPattern(place, 2) * x).norm(), 1e-3);
}

TEST(Pattern, BadOptionsGetASentenceThatSaysWhatIsAllowed) {
    EXPECT_EQ(schema::problemIn(PrescoredOptions{}), "");
    const auto problem = [](auto change) {
        PrescoredOptions options;
        change(options.pattern);
        return schema::problemIn(options);
    };
    const double nan = std::nan("");
    EXPECT_EQ(problem([](auto& o) { o.concentration = 1; }), "concentration: must be a number from 0 to 0.99, found 1");
    EXPECT_NE(problem([&](auto& o) { o.concentration = nan; }), "");
    EXPECT_NE(problem([](auto& o) { o.spokes = 2; }).find("3 .. 200"), std::string::npos);
    EXPECT_NE(problem([](auto& o) { o.brick.x() = -1; }), "");
    EXPECT_NE(problem([](auto& o) { o.brick.x() = 20; }).find("within 100 times"), std::string::npos);
    EXPECT_NE(problem([](auto& o) { o.stretch = 6; }).find("got 6"), std::string::npos);
    EXPECT_NE(problem([&](auto& o) { o.grain.x() = nan; }), "");
    EXPECT_NE(problem([](auto& o) { o.roughness = -1; }), "");
    EXPECT_NE(problem([](auto& o) { o.kind = patternNamed("artist"); }).find("needs its meshes"), std::string::npos);
}

}  // namespace
}  // namespace sunder::fracture
