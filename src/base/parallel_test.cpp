#include "base/parallel.h"

#include <atomic>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include <gtest/gtest.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/progress.h"
#include "base/random.h"

namespace sunder {
namespace {

TEST(Parallel, EveryItemIsVisitedOnce) {
    std::vector<std::atomic<int>> visits(100'003);
    parallelFor(visits.size(), 64, [&](const BlockRange& block) {
        for (size_t i = block.begin; i < block.end; ++i) ++visits[i];
    });
    for (const auto& v : visits) ASSERT_EQ(v, 1);
}

TEST(Parallel, NoItemsNoCalls) {
    parallelFor(0, 16, [](const BlockRange&) { FAIL(); });
    EXPECT_EQ(parallelReduce(
                  0, 16, 5, [](const BlockRange&) { return 1; }, std::plus<>()),
              5);
}

/// A sum whose last bits depend on the order of additions.
double harmonicSum() {
    return parallelReduce(
        1'000'000, 1000, 0.0,
        [](const BlockRange& block) {
            Random random(9, block.index);
            double sum = 0;
            for (size_t i = block.begin; i < block.end; ++i) sum += random.uniform() / static_cast<double>(i + 1);
            return sum;
        },
        std::plus<>());
}

TEST(Parallel, ReductionGivesTheSameBitsForAnyThreadCount) {
    double one = 0;
    {
        const ThreadLimit limit(1);
        EXPECT_EQ(threadCount(), 1);
        one = harmonicSum();
    }
    for (const int threads : {2, 3, 8}) {
        const ThreadLimit limit(threads);
        EXPECT_EQ(harmonicSum(), one);
    }
}

TEST(Parallel, LimitsNest) {
    const int before = threadCount();
    {
        const ThreadLimit outer(2);
        {
            const ThreadLimit inner(1);
            EXPECT_EQ(threadCount(), 1);
        }
        EXPECT_LE(threadCount(), 2);
    }
    EXPECT_EQ(threadCount(), before);
}

TEST(Parallel, TheLowestFailureIsTheOneThrown) {
    for (int repeat = 0; repeat < 20; ++repeat) {
        try {
            parallelFor(1000, 1, [](const BlockRange& block) {
                if (block.index % 100 == 37) throw std::runtime_error(std::to_string(block.index));
            });
            FAIL();
        } catch (const std::runtime_error& error) {
            EXPECT_STREQ(error.what(), "37");
        }
    }
}

long fibonacci(int n) {
    if (n < 2) return n;
    long a = 0, b = 0;
    parallelInvoke([&] { a = fibonacci(n - 1); }, [&] { b = fibonacci(n - 2); });
    return a + b;
}

TEST(Parallel, InvokeNests) { EXPECT_EQ(fibonacci(12), 144); }

TEST(Parallel, LoopsNest) {
    std::vector<std::atomic<int>> sums(50);
    parallelFor(sums.size(), 1, [&](const BlockRange& outer) {
        parallelFor(200, 10,
                    [&](const BlockRange& inner) { sums[outer.begin] += static_cast<int>(inner.end - inner.begin); });
    });
    for (const auto& sum : sums) EXPECT_EQ(sum, 200);
}

/// Counts leaves; the one of that number throws. Whoever comes back without an exception has visited both halves.
int leavesBelow(int begin, int end, int bad) {
    if (end - begin == 1) {
        if (begin == bad) throw std::runtime_error("leaf");
        return 1;
    }
    int first = 0, second = 0;
    const int middle = (begin + end) / 2;
    parallelInvoke([&] { first = leavesBelow(begin, middle, bad); }, [&] { second = leavesBelow(middle, end, bad); });
    if (first + second != end - begin) throw std::logic_error("an invoke came back before its work was done");
    return first + second;
}

TEST(Parallel, AFailureInOneBranchNeverMakesAnotherLookDone) {
    EXPECT_EQ(leavesBelow(0, 256, -1), 256);
    for (int bad = 0; bad < 256; ++bad) EXPECT_THROW(leavesBelow(0, 256, bad), std::runtime_error) << bad;
}

TEST(CancelScope, LoopsInsideEndAndLoopsOutsideDoNot) {
    Progress progress;
    std::atomic<int> visited{0};
    const auto loop = [&] {
        parallelFor(100, 1, [&](const BlockRange& block) {
            ++visited;
            if (block.index == 3) progress.cancel();
        });
    };
    {
        const CancelScope scope(&progress);
        EXPECT_THROW(loop(), Cancelled);
        EXPECT_LT(visited, 100);
        EXPECT_THROW(cancelPoint(), Cancelled);
        const CancelScope shielded(nullptr);
        EXPECT_NO_THROW(cancelPoint());
    }
    visited = 0;
    EXPECT_NO_THROW(loop());
    EXPECT_EQ(visited, 100);
}

TEST(CancelScope, ReachesTheThreadsThatHelp) {
    Progress progress;
    const CancelScope scope(&progress);
    progress.cancel();
    std::atomic<int> begun{0};
    EXPECT_THROW(parallelInvoke([&] { ++begun; }, [&] { ++begun; }), Cancelled);
    EXPECT_THROW(parallelFor(1000, 1, [&](const BlockRange&) { ++begun; }), Cancelled);
    EXPECT_EQ(begun, 0);
}

}  // namespace
}  // namespace sunder
