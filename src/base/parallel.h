#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "base/assert.h"

namespace sunder {

class Progress;

/// A run of work items, [begin, end).
struct BlockRange {
    size_t begin = 0;  // first item
    size_t end = 0;    // behind the last item
    size_t index = 0;  // which block this is
};

/// Caps the threads that parallel loops use while it lives; 0 means all cores. Limits may nest; the tightest rules.
/// Results never depend on it.
class ThreadLimit {
public:
    explicit ThreadLimit(int threads);  // 0: all cores; wider than a limit around it: that one stays
    ~ThreadLimit();
    ThreadLimit(const ThreadLimit&) = delete;
    ThreadLimit& operator=(const ThreadLimit&) = delete;

private:
    struct State;
    State* state_;
};

/// How many threads a parallel loop may use now.
int threadCount();

namespace detail {

/// Runs task(0) .. task(count-1), each once, in any order, on the backend's threads; rethrows the exception of the
/// lowest task that threw.
void runTasks(size_t count, const std::function<void(size_t)>& task);

/// Keeps the exception of the lowest task that threw, so that a failure is the same for any number of threads.
class FirstFailure {
public:
    void keep(size_t task, std::exception_ptr exception);
    /// Runs a task of a loop, and keeps what it throws.
    void guard(size_t task, const Progress* watched, const std::function<void()>& work);
    /// Throws what was kept, if anything, and forgets it.
    void rethrow();

private:
    std::mutex mutex_;
    std::exception_ptr exception_;
    size_t task_ = 0;
};

/// Up to `count` threads that run `work` beside this one, as soon as they find the time. Destruction waits for all that
/// began, and lets those that did not begin do so: `work` must then return at once. Loops met by this thread or the
/// helpers in the meantime stay on the thread that meets them.
class Helpers {
public:
    Helpers(int count, std::function<void()> work);
    ~Helpers();
    Helpers(const Helpers&) = delete;
    Helpers& operator=(const Helpers&) = delete;

private:
    struct State;
    std::unique_ptr<State> state_;
};
/// False on a thread that has helpers or is one.
bool loopsMayFork();

}  // namespace detail

/// Calls body(BlockRange) for fixed blocks of `grain` items covering [0, count). The blocks are the same for any
/// number of threads, so whatever a block computes is too.
template <class Body>
void parallelFor(size_t count, size_t grain, Body&& body) {
    ASSERT(grain > 0);
    if (count == 0) return;
    const size_t blocks = (count + grain - 1) / grain;
    const auto run = [&](size_t block) {
        body(BlockRange{block * grain, std::min(count, (block + 1) * grain), block});
    };
    if (blocks == 1) {
        run(0);
    } else {
        detail::runTasks(blocks, run);
    }
}

/// Maps fixed blocks to partial results, then combines these in block order: the same bits for any number of threads.
template <class Result, class Map, class Combine>
Result parallelReduce(size_t count, size_t grain, Result identity, Map&& map, Combine&& combine) {
    std::vector<Result> partial((count + grain - 1) / grain, identity);
    parallelFor(count, grain, [&](const BlockRange& block) { partial[block.index] = map(block); });
    Result result = std::move(identity);
    for (Result& part : partial) result = combine(std::move(result), std::move(part));
    return result;
}

/// Runs both, possibly at once, and waits. For divide and conquer; calls may nest.
void parallelInvoke(const std::function<void()>& first, const std::function<void()>& second);

}  // namespace sunder
