#include "studio/end_watch.h"

#include <atomic>

#include <gtest/gtest.h>

namespace sunder::studio {
namespace {

using std::chrono::milliseconds;

TEST(EndWatch, LeavesWhatDoesNotEndInTime) {
    std::atomic<bool> left{false};
    EndWatch watch(milliseconds(5), [&] { left = true; });
    watch.arm();
    for (int i = 0; i < 2000 && !left; ++i) std::this_thread::sleep_for(milliseconds(5));
    EXPECT_TRUE(left);
}

TEST(EndWatch, DoesNothingWhenAllEndsInTimeOrNothingIsToEnd) {
    bool left = false;
    {
        EndWatch unarmed(milliseconds(0), [&] { left = true; });
    }
    {
        EndWatch watch(milliseconds(60000), [&] { left = true; });
        watch.arm();
    }
    EXPECT_FALSE(left);
}

}  // namespace
}  // namespace sunder::studio
