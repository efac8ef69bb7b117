#include "base/staged_loops.h"

#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace sunder {
namespace {

TEST(StagedLoops, EveryItemOfEveryStageIsVisitedOnce) {
    StagedLoops loops;
    std::vector<std::atomic<int>> visits(1003);
    for (int stage = 1; stage <= 500; ++stage) {
        loops.parallelFor(visits.size(), 16, [&](const BlockRange& block) {
            for (size_t i = block.begin; i < block.end; ++i) ++visits[i];
        });
        for (const auto& v : visits) ASSERT_EQ(v, stage);
    }
}

/// Each stage reads what its neighbours wrote in the stage before; no locks, no atomics.
std::vector<double> smoothed(int stages) {
    std::vector<double> now(777), next(777);
    std::iota(now.begin(), now.end(), 0.0);
    StagedLoops loops;
    for (int stage = 0; stage < stages; ++stage) {
        loops.parallelFor(now.size(), 10, [&](const BlockRange& block) {
            for (size_t i = block.begin; i < block.end; ++i) {
                const double left = now[i == 0 ? now.size() - 1 : i - 1], right = now[i + 1 == now.size() ? 0 : i + 1];
                next[i] = 0.3 * left + 0.4 * now[i] + 0.3 * right;
            }
        });
        now.swap(next);
    }
    return now;
}

TEST(StagedLoops, AStageSeesAllThatTheLastOneWrote) {
    std::vector<double> one;
    {
        const ThreadLimit limit(1);
        one = smoothed(300);
    }
    for (const int threads : {2, 3, 8}) {
        const ThreadLimit limit(threads);
        for (int repeat = 0; repeat < 5; ++repeat) ASSERT_EQ(smoothed(300), one);
    }
}

TEST(StagedLoops, NoItemsNoCalls) {
    StagedLoops loops;
    loops.parallelFor(0, 16, [](const BlockRange&) { FAIL(); });
}

TEST(StagedLoops, OrdinaryLoopsInsideStayOnTheirThread) {
    StagedLoops loops;
    std::vector<std::atomic<int>> sums(50);
    const auto countTo200 = [&](size_t i) {
        const auto here = std::this_thread::get_id();
        parallelFor(200, 10, [&](const BlockRange& inner) {
            EXPECT_EQ(std::this_thread::get_id(), here);
            sums[i] += static_cast<int>(inner.end - inner.begin);
        });
        parallelInvoke([&] { ++sums[i]; }, [&] { ++sums[i]; });
    };
    countTo200(0);
    loops.parallelFor(sums.size() - 1, 1, [&](const BlockRange& block) { countTo200(block.begin + 1); });
    for (const auto& sum : sums) EXPECT_EQ(sum, 202);
}

TEST(StagedLoops, InsideOneAnotherAndInsideLoops) {
    std::vector<std::atomic<int>> sums(20);
    parallelFor(sums.size(), 1, [&](const BlockRange& outer) {
        StagedLoops loops;
        for (int stage = 0; stage < 10; ++stage) {
            loops.parallelFor(30, 3, [&](const BlockRange& block) {
                StagedLoops inner;
                inner.parallelFor(block.end - block.begin, 1, [&](const BlockRange&) { ++sums[outer.begin]; });
            });
        }
    });
    for (const auto& sum : sums) EXPECT_EQ(sum, 300);
}

TEST(StagedLoops, TheLowestFailureIsTheOneThrownAndTheNextStageRuns) {
    StagedLoops loops;
    for (int repeat = 0; repeat < 20; ++repeat) {
        try {
            loops.parallelFor(1000, 1, [](const BlockRange& block) {
                if (block.index % 100 == 37) throw std::runtime_error(std::to_string(block.index));
            });
            FAIL();
        } catch (const std::runtime_error& error) {
            EXPECT_STREQ(error.what(), "37");
        }
        std::atomic<int> visits = 0;
        loops.parallelFor(100, 1, [&](const BlockRange&) { ++visits; });
        EXPECT_EQ(visits, 100);
    }
}

/// Helpers of a crew that is gone must not be needed, nor harm the next.
TEST(StagedLoops, CrewsComeAndGo) {
    for (int repeat = 0; repeat < 300; ++repeat) {
        std::atomic<int> visits = 0;
        {
            StagedLoops loops;
            if (repeat % 3 != 0) loops.parallelFor(8, 1, [&](const BlockRange&) { ++visits; });
        }
        EXPECT_EQ(visits, repeat % 3 != 0 ? 8 : 0);
    }
}

}  // namespace
}  // namespace sunder
