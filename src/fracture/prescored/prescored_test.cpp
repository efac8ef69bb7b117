#include "fracture/prescored/prescored.h"

#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "fracture/common/strength_field.h"
#include "fracture/prescored/test_patterns.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/mesh/topology.h"
#include "geometry/shapes/shapes.h"

namespace sunder::fracture {
namespace {

using test::breakOnce;
using test::optionsFor;
using test::push;
using test::solidOf;

uint64_t hashOf(const FracturePlan& plan) {
    Hasher hasher;
    for (const Fragment& fragment : plan.fragments) {
        hasher.add(fragment.mass);
        for (const Vec3& p : fragment.mesh().positions) {
            for (int axis = 0; axis < 3; ++axis) hasher.add(p[axis]);
        }
        for (const Triangle& t : fragment.mesh().triangles) {
            for (const VertexIndex v : t) hasher.add(static_cast<uint64_t>(raw(v)));
        }
    }
    return hasher.value();
}

TEST(Prescored, BreaksAboveTheThresholdAndSaysWhy) {
    PrescoredOptions options;
    options.threshold = 10;
    const PrescoredMethod method(options);
    const Solid box = solidOf(makeShape("box"), 1);
    EXPECT_FALSE(method.mayBreak(box, Loads{}));
    EXPECT_FALSE(method.mayBreak(box, push(Vec3(0, 0, 0.5), Vec3(0, 0, -1), 10)));
    EXPECT_TRUE(planOnce(method, box, push(Vec3(0, 0, 0.5), Vec3(0, 0, -1), 10)).empty());
    const Loads hard = push(Vec3(0, 0, 0.5), Vec3(0, 0, -1), 12.5);
    ASSERT_TRUE(method.mayBreak(box, hard));
    EXPECT_EQ(planOnce(method, box, hard).reason, "impulse 12.5 N s at (0, 0, 0.5), threshold 10 N s");
}

TEST(Prescored, WithoutAThresholdABodyBreaksWhenItFallsAtTheBreakingSpeedOfItsMaterial) {
    PrescoredOptions options;
    options.breakingSpeed = 2.5;
    const PrescoredMethod method(options);
    Solid vase = solidOf(makeShape("vase"), 1);
    vase.mass = 2400 * vase.volume();
    const auto lands = [&](double speed) {
        Loads loads = push(Vec3::Zero(), Vec3(0, 1, 0), vase.mass * speed);
        loads.list[0].approachSpeed = speed;
        return method.mayBreak(vase, loads);
    };
    EXPECT_FALSE(lands(2.4));
    EXPECT_TRUE(lands(2.6));

    // a small fast ball brings less impulse, and enough energy
    Loads ball = push(Vec3(0, 0.1, 0), Vec3(0, 0, -1), 0.3 * vase.mass * 2.5);
    ball.list[0].approachSpeed = 18;
    EXPECT_TRUE(method.mayBreak(vase, ball));

    // a large wall does not bear as much as it weighs
    Solid wall = solidOf(makeShape("wall"), 1);
    wall.mass = 2400 * wall.volume();
    EXPECT_NEAR(method.hardness(wall, Load()).borne, 0.5 * 2400 * 0.1 * 2.5 * 2.5, 1e-6);
}

TEST(Prescored, WhatRestsBreaksNothing) {
    PrescoredOptions options;
    options.threshold = 20;
    const PrescoredMethod method(options);
    Solid wall = solidOf(makeShape("wall"), 1);
    wall.mass = 2400 * wall.volume();
    // the wall's own weight in a frame, with the speed that gravity gives in one
    Loads weight = push(Vec3(0, -1, 0), Vec3(0, 1, 0), wall.mass * 9.81 / 30);
    weight.list[0].approachSpeed = 9.81 / 30;
    EXPECT_GT(weight.list[0].impulse.norm(), 20);
    EXPECT_FALSE(method.mayBreak(wall, weight));
    // a ball that comes meanwhile is the one that counts
    Loads both = push(Vec3(0.5, 0, 0.1), Vec3(0, 0, -1), 25);
    both.list.push_back(weight.list[0]);
    ASSERT_TRUE(method.mayBreak(wall, both));
    EXPECT_EQ(method.hardestBlow(wall, both), &both.list[0]);
}

TEST(Prescored, BreaksMoreEasilyWhereItsVolumeIsWeak) {
    PrescoredOptions options;
    options.threshold = 10;
    const PrescoredMethod method(options);
    Solid box = solidOf(makeShape("box"), 1);
    auto texture = std::make_shared<VolumeTexture>();
    texture->count = {2, 1, 1};
    texture->values = {1, 0.4f};
    const StrengthVolume volume(texture, texture->placementIn(boundsOf(box.mesh())));
    const PaintedStrength half(box.mesh(), std::vector<uint8_t>(box.mesh().vertexCount(), 50));
    const auto breaks = [&](const Vec3& point, double impulse) {
        return method.mayBreak(box, push(point, Vec3(0, 0, -1), impulse));
    };
    box.strength = std::make_shared<const StrengthField>(std::nullopt, volume);
    EXPECT_TRUE(breaks({0.5, 0, 0.5}, 4.1));
    EXPECT_FALSE(breaks({0.5, 0, 0.5}, 3.9));
    EXPECT_TRUE(breaks({-0.5, 0, 0.5}, 10.1));
    EXPECT_FALSE(breaks({-0.5, 0, 0.5}, 9.9));
    box.strength = std::make_shared<const StrengthField>(half, volume);
    EXPECT_TRUE(breaks({0.5, 0, 0.5}, 2.1)) << "paint and volume are multiplied";
    EXPECT_FALSE(breaks({0.5, 0, 0.5}, 1.9));
}

TEST(Prescored, BreaksMoreEasilyWhereItIsPaintedWeak) {
    PrescoredOptions options;
    options.threshold = 10;
    const PrescoredMethod method(options);
    Solid box = solidOf(makeShape("box"), 1);
    std::vector<uint8_t> percent(box.mesh().vertexCount(), 100);
    for (uint32_t i = 0; i < percent.size(); ++i) {
        const Vec3& vertex = box.mesh().positions[VertexIndex{i}];
        if (vertex.x() > 0) percent[i] = 40;
        if (vertex.y() > 0.4) percent[i] = 250;
    }
    box.strength = std::make_shared<const StrengthField>(PaintedStrength(box.mesh(), percent));
    const auto breaks = [&](const Vec3& point, double impulse) {
        return method.mayBreak(box, push(point, Vec3(0, 0, -1), impulse));
    };
    EXPECT_TRUE(breaks({0.5, -0.5, 0.5}, 4.1));
    EXPECT_FALSE(breaks({0.5, -0.5, 0.5}, 3.9));
    EXPECT_TRUE(breaks({-0.5, -0.5, 0.5}, 10.1));
    EXPECT_FALSE(breaks({-0.5, -0.5, 0.5}, 9.9));
    EXPECT_FALSE(breaks({0.5, 0.5, 0.5}, 24.9));
    EXPECT_TRUE(breaks({0.5, 0.5, 0.5}, 25.1));
    const FracturePlan plan = planOnce(method, box, push({0.5, -0.5, 0.5}, Vec3(0, 0, -1), 5));
    EXPECT_NE(plan.reason.find("threshold 4 N s"), std::string::npos) << plan.reason;
}

TEST(Prescored, FragmentsBreakMoreEasilyUntilTheyAreTooSmallOrTooOften) {
    PrescoredOptions options;
    options.threshold = 8;
    options.smallestPiece = 0.01;
    const PrescoredMethod method(options);
    Solid half = solidOf(makeShape("box", {{"width", 0.5}, {"height", 0.5}, {"depth", 0.5}}), 1);
    half.wholeVolume = 1;
    half.generation = 1;
    EXPECT_NEAR(method.hardness(half, Load()).borne, 8 * 0.25, 1e-8);  // (1/8)^(2/3)
    EXPECT_TRUE(method.mayBreak(half, push(Vec3::Zero(), Vec3(0, 0, 1), 2.01)));
    EXPECT_FALSE(method.mayBreak(half, push(Vec3::Zero(), Vec3(0, 0, 1), 1.99)));
    half.wholeVolume = 13;
    EXPECT_FALSE(method.mayBreak(half, push(Vec3::Zero(), Vec3(0, 0, 1), 100)));
    half.wholeVolume = 1;
    half.generation = 3;
    EXPECT_FALSE(method.mayBreak(half, push(Vec3::Zero(), Vec3(0, 0, 1), 100)));
}

TEST(Prescored, ACubeBreaksIntoAboutAsManyPiecesAsAskedFor) {
    const TriMesh cube = makeShape("box", {}, 8);
    for (const PatternKind kind : allPatterns()) {
        for (const int pieces : {8, 25, 60}) {
            for (const uint64_t seed : {1u, 2u}) {
                const FracturePlan plan = breakOnce(cube, optionsFor(kind, pieces), seed);
                EXPECT_NEAR(static_cast<double>(plan.fragments.size()), pieces, std::max(2.0, 0.2 * pieces))
                    << nameOf(kind) << " seed " << seed;
            }
        }
    }
}

TEST(Prescored, PiecesAreClosedAndMassesSumToTheWhole) {
    const TriMesh ball = makeShape("sphere", {}, 16);
    for (const PatternKind kind : allPatterns()) {
        const FracturePlan plan = breakOnce(ball, optionsFor(kind, 20), 3);
        ASSERT_GE(plan.fragments.size(), 2u) << nameOf(kind);
        double mass = 0, sum = 0;
        for (const Fragment& fragment : plan.fragments) {
            EXPECT_TRUE(isClosedManifold(fragment.mesh())) << nameOf(kind);
            EXPECT_GT(fragment.mass, 0) << nameOf(kind);
            mass += fragment.mass;
            sum += volume(fragment.mesh());
        }
        EXPECT_NEAR(mass / test::kMass, 1, 1e-12) << nameOf(kind);
        EXPECT_NEAR(sum / volume(ball), 1, isCurved(kind) ? 1e-3 : 1e-9) << nameOf(kind);
        for (const Fragment& fragment : plan.fragments) {
            EXPECT_NEAR(fragment.mass / test::kMass, volume(fragment.mesh()) / sum, 1e-12) << nameOf(kind);
        }
    }
}

TEST(Prescored, TheSameSeedGivesTheSameBitsForAnyNumberOfThreadsAndAnotherSeedOthers) {
    const TriMesh ball = makeShape("sphere", {}, 16);
    for (const PatternKind kind : allPatterns()) {
        const auto hash = [&](int threads, uint64_t seed) {
            const ThreadLimit limit(threads);
            return hashOf(breakOnce(ball, optionsFor(kind, 15), seed));
        };
        EXPECT_EQ(hash(1, 3), hash(2, 3)) << nameOf(kind);
        if (kind == patternNamed("brick")) continue;  // stands where it stands, whatever the seed
        EXPECT_NE(hash(1, 3), hash(1, 4)) << nameOf(kind);
    }
}

TEST(Prescored, BadOptionsAreRefusedWithASentence) {
    const auto refusal = [](auto change) -> std::string {
        PrescoredOptions options;
        change(options);
        try {
            const PrescoredMethod method(options);
        } catch (const std::invalid_argument& error) {
            return error.what();
        }
        return {};
    };
    EXPECT_EQ(refusal([](auto&) {}), "");
    EXPECT_EQ(refusal([](auto& o) { o.pieces = 1000000000; }),
              "pieces: must be a whole number from 2 to 100000, found 1000000000");
    EXPECT_NE(refusal([](auto& o) { o.pieces = 1; }), "");
    EXPECT_NE(refusal([](auto& o) { o.threshold = std::nan(""); }).find("threshold"), std::string::npos);
    EXPECT_NE(refusal([](auto& o) { o.threshold = -1; }), "");
    EXPECT_NE(refusal([](auto& o) { o.thresholdExponent = -1; }), "");
    EXPECT_NE(refusal([](auto& o) { o.smallestPiece = 2; }), "");
    EXPECT_NE(refusal([](auto& o) { o.maxGenerations = 0; }), "");
    EXPECT_NE(refusal([](auto& o) { o.cells = 4; }), "");
    EXPECT_NE(refusal([](auto& o) { o.pattern.stretch = 3; }), "");
}

}  // namespace
}  // namespace sunder::fracture
