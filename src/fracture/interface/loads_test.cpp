#include "fracture/interface/loads.h"

#include <gtest/gtest.h>

namespace sunder::fracture {
namespace {

/// Of so much impulse and speed.
Load loadOf(double impulse, double speed) {
    Load load;
    load.impulse = {0, -impulse, 0};
    load.approachSpeed = speed;
    return load;
}

TEST(Hardest, IsABlowThoughWeightPressesHarder) {
    // a ball hits a wall of three tonnes, which presses on its floor with a hundred times the ball's impulse
    const Loads loads{.list = {loadOf(980, 0.1), loadOf(9, 6), loadOf(4, 8), loadOf(700, 0)}};
    ASSERT_NE(hardest(loads), nullptr);
    EXPECT_EQ(hardest(loads), &loads.list[1]);
}

TEST(Hardest, OfWhatOnlyRestsIsTheLargest) {
    const Loads loads{.list = {loadOf(1, 0), loadOf(7, 0.2), loadOf(7, 0.1)}};
    EXPECT_EQ(hardest(loads), &loads.list[1]) << "the first of several";
    EXPECT_EQ(hardest({}), nullptr);
}

}  // namespace
}  // namespace sunder::fracture
