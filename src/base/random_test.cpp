#include "base/random.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

namespace sunder {
namespace {

// Known answers of the Random123 distribution (kat_vectors, philox 4x32, 10 rounds).
TEST(Random, PhiloxMatchesThePublishedVectors) {
    EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
              (std::array<uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
    EXPECT_EQ(philox4x32({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
              (std::array<uint32_t, 4>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
    EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
              (std::array<uint32_t, 4>{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Random, SameSeedAndStreamGiveTheSameNumbers) {
    Random a(42, 7), b(42, 7);
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(a.bits64(), b.bits64());
}

TEST(Random, StreamsAndSeedsDoNotShareNumbers) {
    std::set<uint64_t> seen;
    for (uint64_t seed = 0; seed < 10; ++seed) {
        for (uint64_t stream = 0; stream < 10; ++stream) {
            Random random(seed, stream);
            for (int i = 0; i < 10; ++i) EXPECT_TRUE(seen.insert(random.bits64()).second);
        }
    }
}

TEST(Random, UniformHasItsMomentsAndStaysInRange) {
    Random random(1);
    const int n = 1'000'000;
    double sum = 0, squares = 0;
    for (int i = 0; i < n; ++i) {
        const double u = random.uniform();
        ASSERT_GE(u, 0);
        ASSERT_LT(u, 1);
        sum += u;
        squares += u * u;
    }
    EXPECT_NEAR(sum / n, 1.0 / 2, 4 * std::sqrt(1.0 / 12 / n));
    EXPECT_NEAR(squares / n, 1.0 / 3, 4 * std::sqrt(4.0 / 45 / n));
}

TEST(Random, BelowIsUnbiased) {
    Random random(2);
    const uint64_t faces = 6;
    const int n = 600'000;
    std::array<int, 6> count{};
    for (int i = 0; i < n; ++i) ++count[random.below(faces)];
    double chiSquared = 0;
    for (const int c : count) chiSquared += (c - n / 6.0) * (c - n / 6.0) / (n / 6.0);
    EXPECT_LT(chiSquared, 20.5);  // 5 degrees of freedom, p = 0.001
}

TEST(Random, NormalHasItsFirstFourMoments) {
    Random random(3);
    const int n = 1'000'000;
    double m1 = 0, m2 = 0, m3 = 0, m4 = 0;
    for (int i = 0; i < n; ++i) {
        const double x = random.normal();
        m1 += x;
        m2 += x * x;
        m3 += x * x * x;
        m4 += x * x * x * x;
    }
    EXPECT_NEAR(m1 / n, 0, 5e-3);
    EXPECT_NEAR(m2 / n, 1, 1e-2);
    EXPECT_NEAR(m3 / n, 0, 2e-2);
    EXPECT_NEAR(m4 / n, 3, 5e-2);
}

}  // namespace
}  // namespace sunder
