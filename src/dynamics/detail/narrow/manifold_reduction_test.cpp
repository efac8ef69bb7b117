#include "dynamics/detail/narrow/manifold_reduction.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "base/random.h"

namespace sunder::dynamics::detail {
namespace {

Candidate at(float x, float y, float separation, uint32_t key, const Vec3f& normal = Vec3f::UnitZ()) {
    return {Vec3f(x, y, 0), separation, key, normal};
}

std::vector<Manifold> reduced(std::vector<Candidate> candidates) {
    std::vector<Manifold> manifolds;
    reduceToManifolds(candidates, manifolds);
    EXPECT_TRUE(candidates.empty());
    return manifolds;
}

std::vector<uint32_t> keysOf(const Manifold& m) {
    std::vector<uint32_t> keys;
    for (int i = 0; i < m.count; ++i) keys.push_back(m.points[static_cast<size_t>(i)].key);
    std::sort(keys.begin(), keys.end());
    return keys;
}

TEST(ManifoldReduction, NothingGivesNothing) { EXPECT_TRUE(reduced({}).empty()); }

TEST(ManifoldReduction, KeepsTheFourCornersOfAFace) {
    std::vector<Candidate> face;
    for (int j = 0; j < 9; ++j) {
        for (int i = 0; i < 9; ++i)
            face.push_back(at(0.1f * static_cast<float>(i), 0.1f * static_cast<float>(j), -0.001f,
                              static_cast<uint32_t>(9 * j + i)));
    }
    const std::vector<Manifold> manifolds = reduced(face);
    ASSERT_EQ(manifolds.size(), 1u);
    EXPECT_EQ(keysOf(manifolds[0]), (std::vector<uint32_t>{0, 8, 72, 80}));
    EXPECT_NEAR((manifolds[0].normal - Vec3f::UnitZ()).norm(), 0, 1e-6);
}

TEST(ManifoldReduction, RoundOffInDepthDoesNotMoveTheCorners) {
    Random random(7);
    for (int trial = 0; trial < 100; ++trial) {
        std::vector<Candidate> face;
        for (int j = 0; j < 9; ++j) {
            for (int i = 0; i < 9; ++i)
                face.push_back(at(0.1f * static_cast<float>(i), 0.1f * static_cast<float>(j),
                                  static_cast<float>(-0.001 + 1e-5 * random.uniform()),
                                  static_cast<uint32_t>(9 * j + i)));
        }
        EXPECT_EQ(keysOf(reduced(face)[0]), (std::vector<uint32_t>{0, 8, 72, 80}));
    }
}

TEST(ManifoldReduction, TheDeepestIsAlwaysKept) {
    std::vector<Candidate> face;
    for (uint32_t i = 0; i < 25; ++i)
        face.push_back(at(static_cast<float>(i % 5), static_cast<float>(i / 5), i == 12 ? -0.5f : -0.01f, i));
    const std::vector<Manifold> manifolds = reduced(face);
    const std::vector<uint32_t> keys = keysOf(manifolds[0]);
    EXPECT_TRUE(std::find(keys.begin(), keys.end(), 12u) != keys.end());
    EXPECT_EQ(keys.size(), 4u);
}

TEST(ManifoldReduction, ALineKeepsItsEnds) {
    std::vector<Candidate> edge;
    for (uint32_t i = 0; i < 11; ++i) edge.push_back(at(static_cast<float>(i), 0, 0, i));
    EXPECT_EQ(keysOf(reduced(edge)[0]), (std::vector<uint32_t>{0, 10}));
}

TEST(ManifoldReduction, DirectionsAreKeptApart) {
    std::vector<Candidate> corner;
    for (uint32_t i = 0; i < 6; ++i) {
        const Vec3f normal = i % 3 == 0 ? Vec3f::UnitX() : i % 3 == 1 ? Vec3f::UnitY() : Vec3f::UnitZ();
        corner.push_back({Vec3f::Constant(static_cast<float>(i)), -0.1f, i, normal});
    }
    const std::vector<Manifold> manifolds = reduced(corner);
    ASSERT_EQ(manifolds.size(), 3u);
    for (const Manifold& m : manifolds) EXPECT_EQ(m.count, 2);
}

TEST(ManifoldReduction, OppositeNormalsNeverMeet) {
    EXPECT_EQ(reduced({at(0, 0, -1, 1), at(0, 0, -1, 2, -Vec3f::UnitZ())}).size(), 2u);
}

TEST(ManifoldReduction, SeparationIsThatAlongTheCommonNormal) {
    const Vec3f tilted = Vec3f(0.2f, 0, 1).normalized();
    const std::vector<Manifold> manifolds = reduced({at(0, 0, -1, 1), at(1, 0, -1, 2, tilted)});
    ASSERT_EQ(manifolds.size(), 1u);
    const Manifold& m = manifolds[0];
    EXPECT_NEAR(m.normal.norm(), 1, 1e-6);
    for (int i = 0; i < 2; ++i) {
        const auto& point = m.points[static_cast<size_t>(i)];
        const Vec3f own = point.key == 1 ? Vec3f(Vec3f::UnitZ()) : tilted;
        EXPECT_NEAR(point.separation, -own.dot(m.normal), 1e-6);
        EXPECT_LT(own.dot(m.normal), 0.999);
    }
}

std::vector<Candidate> randomCandidates(uint64_t seed) {
    Random random(seed);
    std::vector<Candidate> candidates(1 + random.below(200));
    for (size_t i = 0; i < candidates.size(); ++i) {
        const auto coarse = [&] { return static_cast<float>(random.below(7)) * 0.1f - 0.3f; };  // many ties
        Vec3f normal(coarse(), coarse(), coarse());
        if (normal.norm() < 0.05f) normal = Vec3f::UnitX();
        candidates[i] = {Vec3f(coarse(), coarse(), coarse()), coarse(), static_cast<uint32_t>(i), normal.normalized()};
    }
    return candidates;
}

TEST(ManifoldReduction, TheOrderOfTheInputDoesNotMatter) {
    for (uint64_t seed = 0; seed < 300; ++seed) {
        std::vector<Candidate> candidates = randomCandidates(seed);
        const std::vector<Manifold> expected = reduced(candidates);
        Random random(seed, 1);
        for (size_t i = candidates.size(); i > 1; --i) std::swap(candidates[i - 1], candidates[random.below(i)]);
        const std::vector<Manifold> found = reduced(candidates);
        ASSERT_EQ(found.size(), expected.size());
        for (size_t m = 0; m < found.size(); ++m) {
            ASSERT_EQ(found[m].count, expected[m].count);
            ASSERT_TRUE(found[m].normal == expected[m].normal);
            for (size_t p = 0; p < static_cast<size_t>(found[m].count); ++p) {
                ASSERT_EQ(found[m].points[p].key, expected[m].points[p].key);
                ASSERT_EQ(found[m].points[p].separation, expected[m].points[p].separation);
                ASSERT_TRUE(found[m].points[p].fromA == expected[m].points[p].fromA);
            }
        }
    }
}

TEST(ManifoldReduction, EveryPointIsOneOfTheGivenAndComesOnce) {
    for (uint64_t seed = 1000; seed < 1100; ++seed) {
        const std::vector<Candidate> candidates = randomCandidates(seed);
        std::vector<uint32_t> seen;
        float deepest = 0, deepestGiven = 0;
        for (const Candidate& c : candidates) deepestGiven = std::min(deepestGiven, c.separation);
        for (const Manifold& m : reduced(candidates)) {
            ASSERT_GE(m.count, 1);
            ASSERT_NEAR(m.normal.norm(), 1, 1e-5);
            for (size_t p = 0; p < static_cast<size_t>(m.count); ++p) {
                const Candidate& given = candidates.at(m.points[p].key);
                ASSERT_TRUE(given.fromA == m.points[p].fromA);
                ASSERT_GT(given.normal.dot(m.normal), 0.64);  // twice 25 degrees
                deepest = std::min(deepest, given.separation);
                seen.push_back(m.points[p].key);
            }
        }
        EXPECT_EQ(deepest, deepestGiven);
        std::sort(seen.begin(), seen.end());
        EXPECT_TRUE(std::adjacent_find(seen.begin(), seen.end()) == seen.end());
    }
}

TEST(ManifoldReduction, SwappingTwiceGivesTheSame) {
    const Vec3 offset(3, -2, 1);
    const std::vector<Manifold> given = reduced(randomCandidates(5));
    std::vector<Manifold> swapped = given;
    swapBodies(swapped, 0, offset);
    EXPECT_NEAR((swapped[0].points[0].fromA - (given[0].points[0].fromA - offset.cast<float>())).norm(), 0, 1e-6);
    EXPECT_TRUE(swapped[0].normal == -given[0].normal);
    swapBodies(swapped, 0, -offset);
    for (size_t m = 0; m < given.size(); ++m) {
        EXPECT_TRUE(swapped[m].normal == given[m].normal);
        EXPECT_NEAR((swapped[m].points[0].fromA - given[m].points[0].fromA).norm(), 0, 1e-6);
    }
}

}  // namespace
}  // namespace sunder::dynamics::detail
