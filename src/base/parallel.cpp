#include "base/parallel.h"

#include <atomic>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#ifndef SUNDER_PARALLEL_THREADS
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/task_arena.h>
#endif

namespace sunder {

namespace {

/// Keeps the exception of the lowest task that threw, so that a failure is the same for any number of threads.
class FirstFailure {
public:
    void keep(size_t task, std::exception_ptr exception) {
        const std::lock_guard lock(mutex_);
        if (!exception_ || task < task_) {
            exception_ = std::move(exception);
            task_ = task;
        }
    }
    void rethrow() const {
        if (exception_) std::rethrow_exception(exception_);
    }

private:
    std::mutex mutex_;
    std::exception_ptr exception_;
    size_t task_ = 0;
};

int coreCount() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

}  // namespace

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

void detail::runTasks(size_t count, const std::function<void(size_t)>& task) {
    FirstFailure failure;
    std::atomic<size_t> next{0};
    const auto work = [&] {
        for (size_t i = next++; i < count; i = next++) {
            try {
                task(i);
            } catch (...) {
                failure.keep(i, std::current_exception());
            }
        }
    };
    std::vector<std::thread> helpers;
    for (size_t i = 1; i < count && extraThreads.fetch_add(1) < threadCount() - 1; ++i) helpers.emplace_back(work);
    if (helpers.size() + 1 < count) --extraThreads;  // the claim that failed
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
    tbb::parallel_for(size_t{0}, count, [&](size_t i) {
        try {
            task(i);
        } catch (...) {
            failure.keep(i, std::current_exception());
        }
    });
    failure.rethrow();
}

void parallelInvoke(const std::function<void()>& first, const std::function<void()>& second) {
    tbb::parallel_invoke(first, second);
}

#endif

}  // namespace sunder
