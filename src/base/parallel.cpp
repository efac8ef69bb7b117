#include "base/parallel.h"

#include <atomic>
#include <optional>
#include <thread>
#include <utility>

#ifndef SUNDER_PARALLEL_THREADS
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/task_group.h>
#endif

#include "base/cancel.h"

namespace sunder {

namespace {

int coreCount() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

thread_local bool forkingAllowed = true;

/// Loops that this thread meets stay on it for as long as this lives.
class StayOnThread {
public:
    StayOnThread() { forkingAllowed = false; }
    ~StayOnThread() { forkingAllowed = before_; }
    StayOnThread(const StayOnThread&) = delete;
    StayOnThread& operator=(const StayOnThread&) = delete;

private:
    bool before_ = forkingAllowed;
};

}  // namespace

bool detail::loopsMayFork() { return forkingAllowed; }

void detail::FirstFailure::keep(size_t task, std::exception_ptr exception) {
    const std::lock_guard lock(mutex_);
    if (!exception_ || task < task_) {
        exception_ = std::move(exception);
        task_ = task;
    }
}

/// Runs a task on whatever thread takes it, under the wish to stop of the loop that it is part of.
void detail::FirstFailure::guard(size_t task, const Progress* watched, const std::function<void()>& work) {
    try {
        const CancelScope scope(watched);
        cancelPoint();
        work();
    } catch (...) {
        keep(task, std::current_exception());
    }
}

void detail::FirstFailure::rethrow() {
    if (exception_) std::rethrow_exception(std::exchange(exception_, nullptr));
}

#ifdef SUNDER_PARALLEL_THREADS

// Plain std::thread, started per loop: slow to start, but every synchronisation is visible to ThreadSanitizer.

namespace {
std::atomic<int> threadLimit{0};
std::atomic<int> extraThreads{0};  // helpers running now, so that nested calls do not multiply
}  // namespace

struct ThreadLimit::State {
    int previous;
};

ThreadLimit::ThreadLimit(int threads) : state_(new State{threadLimit}) {
    const int wanted = threads > 0 ? threads : coreCount();
    threadLimit = state_->previous > 0 ? std::min(state_->previous, wanted) : wanted;
}
ThreadLimit::~ThreadLimit() {
    threadLimit = state_->previous;
    delete state_;
}

int threadCount() {
    const int limit = threadLimit;
    return limit > 0 ? limit : coreCount();
}

namespace {
bool claimExtraThread() {
    if (extraThreads.fetch_add(1) < threadCount() - 1) return true;
    --extraThreads;
    return false;
}
}  // namespace

void detail::runTasks(size_t count, const std::function<void(size_t)>& task) {
    FirstFailure failure;
    std::atomic<size_t> next{0};
    const Progress* watched = watchedProgress();
    const auto work = [&] {
        for (size_t i = next++; i < count; i = next++) failure.guard(i, watched, [&] { task(i); });
    };
    std::vector<std::thread> helpers;
    while (forkingAllowed && helpers.size() + 1 < count && claimExtraThread()) helpers.emplace_back(work);
    work();
    for (std::thread& helper : helpers) {
        helper.join();
        --extraThreads;
    }
    failure.rethrow();
}

void parallelInvoke(const std::function<void()>& first, const std::function<void()>& second) {
    detail::runTasks(2, [&](size_t i) { i == 0 ? first() : second(); });
}

struct detail::Helpers::State {
    StayOnThread here;
    std::function<void()> work;
    std::vector<std::thread> threads;
};

detail::Helpers::Helpers(int count, std::function<void()> work) : state_(new State{{}, std::move(work), {}}) {
    for (int i = 0; i < count && claimExtraThread(); ++i) {
        state_->threads.emplace_back([state = state_.get()] {
            const StayOnThread there;
            state->work();
        });
    }
}
detail::Helpers::~Helpers() {
    for (std::thread& thread : state_->threads) {
        thread.join();
        --extraThreads;
    }
}

#else

struct ThreadLimit::State {
    std::optional<tbb::global_control> control;
};

ThreadLimit::ThreadLimit(int threads) : state_(new State) {
    state_->control.emplace(tbb::global_control::max_allowed_parallelism,
                            static_cast<size_t>(threads > 0 ? threads : coreCount()));
}
ThreadLimit::~ThreadLimit() { delete state_; }

int threadCount() {
    return static_cast<int>(tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
}

void detail::runTasks(size_t count, const std::function<void(size_t)>& task) {
    FirstFailure failure;
    const Progress* watched = watchedProgress();
    const auto run = [&](size_t i) { failure.guard(i, watched, [&] { task(i); }); };
    if (forkingAllowed) {
        tbb::parallel_for(size_t{0}, count, run);
    } else {
        for (size_t i = 0; i < count; ++i) run(i);
    }
    failure.rethrow();
}

void parallelInvoke(const std::function<void()>& first, const std::function<void()>& second) {
    if (!forkingAllowed) {
        first();
        second();
        return;
    }
    // no exception may reach TBB: it would skip work that others have begun to wait for, and tell them that it was done
    const Progress* watched = detail::watchedProgress();
    detail::FirstFailure failure;
    tbb::parallel_invoke([&] { failure.guard(0, watched, first); }, [&] { failure.guard(1, watched, second); });
    failure.rethrow();
}

struct detail::Helpers::State {
    StayOnThread here;
    std::function<void()> work;
    tbb::task_group group;

    explicit State(std::function<void()> given) : work(std::move(given)) {}
};

detail::Helpers::Helpers(int count, std::function<void()> work) : state_(new State(std::move(work))) {
    for (int i = 0; i < count; ++i) {
        state_->group.run([state = state_.get()] {
            const StayOnThread there;
            state->work();
        });
    }
}
detail::Helpers::~Helpers() { state_->group.wait(); }

#endif

}  // namespace sunder
