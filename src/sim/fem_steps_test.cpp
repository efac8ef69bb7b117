// The same blow in frames of different length breaks a body into the same pieces.
#include <cstdlib>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "base/random.h"
#include "sim/test_strikes.h"

namespace sunder::sim {
namespace {

using namespace test_strikes;

void expectTheSamePieces(const Strike& strike, double least) {
    const std::vector<double> reference = piecesAt(60, strike);
    const double whole = std::accumulate(reference.begin(), reference.end(), 0.0);
    EXPECT_GE(static_cast<double>(reference.size()), least);
    for (const double rate : {30.0, 240.0, 960.0}) {
        const std::vector<double> other = piecesAt(rate, strike);
        ASSERT_EQ(other.size(), reference.size()) << rate << " frames a second";
        for (size_t i = 0; i < other.size(); ++i) EXPECT_NEAR(other[i], reference[i], 0.01 * whole) << i;
    }
}

TEST(FemSteps, AWallBreaksAlikeInFramesOfAnyLength) { expectTheSamePieces(wall(), 4); }

TEST(FemSteps, ARodBreaksAlikeInFramesOfAnyLength) { expectTheSamePieces(rod(), 4); }

TEST(FemSteps, ARodThatTurnsAndBouncesBreaksAlikeInFramesOfAnyLength) {
    Strike strike = rod();
    strike.target.options.angularVelocity = {0, 2, 0};
    strike.target.options.material.restitution = 0.5;
    strike.ball.options.velocity *= 0.5;
    expectTheSamePieces(strike, 4);
}

TEST(FemSteps, RodsThatTumbleAndBounceBreakAlikeInFramesOfAnyLength) {
    const uint64_t rods = std::getenv("SUNDER_FULL_TESTS") != nullptr ? 24 : 8;
    for (uint64_t seed = 1; seed <= rods; ++seed) {
        Random random(seed, 77);
        Strike strike = rod();
        for (double& turning : strike.target.options.angularVelocity) turning = random.uniform(-3, 3);
        strike.target.options.material.restitution = random.uniform(0, 0.5);
        strike.ball.options.velocity *= random.uniform(0.4, 1);
        const size_t pieces = piecesAt(60, strike).size();
        for (const double rate : {30.0, 240.0, 960.0}) EXPECT_EQ(piecesAt(rate, strike).size(), pieces) << seed;
    }
}

TEST(FemSteps, ForcesOfTheFrameBreakARodDifferentlyInFramesOfEachLength) {
    fracture::FemFractureOptions options = concrete(3000);
    options.blowForce = fracture::BlowForce::OverFrame;
    std::set<size_t> counts;
    for (const double rate : {30.0, 60.0, 240.0, 960.0}) counts.insert(piecesAt(rate, rod(options)).size());
    EXPECT_GE(counts.size(), 3u);
}

}  // namespace
}  // namespace sunder::sim
