#pragma once

#include <atomic>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "base/progress.h"
#include "studio/json.h"

namespace sunder::studio {

/// Work that goes on beside everything else: exports, repairs. Each has a thread, can be watched and cancelled.
class Jobs {
public:
    static constexpr size_t kMostRunning = 4, kMostKept = 20;
    /// What it made, for the browser. May throw; Cancelled when its progress said so.
    using Work = std::function<Json(Progress& progress)>;
    using Ended = std::function<void(const std::string& label, const std::string& error)>;  // no error: it is done

    /// `changed` and `ended` are called from the threads of jobs.
    Jobs(std::function<void()> changed, Ended ended);
    /// Cancels all and waits for them.
    ~Jobs();
    Jobs(const Jobs&) = delete;
    Jobs& operator=(const Jobs&) = delete;

    /// Its id. Throws InputError when too many are at work.
    uint64_t start(std::string label, Work work);
    /// False when there is no such job at work.
    bool cancel(uint64_t id);
    void cancelAll();
    /// [{id, label, share, eta, state, result, error}], the oldest first.
    Json status() const;

private:
    enum class State { Running, Done, Failed, Cancelled };
    struct Job : ProgressSink {
        Job(Jobs& jobs, uint64_t number, std::string name) : owner(jobs), id(number), label(std::move(name)) {}
        void show(const ProgressState&) override { owner.changed_(); }

        Jobs& owner;
        const uint64_t id;
        const std::string label;
        Progress progress{this};
        std::thread thread;
        // guarded by the mutex of Jobs
        State state = State::Running;
        Json result;
        std::string error;
    };
    void run(Job& job, const Work& work);
    void end(Job& job, State state, Json result, std::string error);
    /// Ended jobs beyond kMostKept go.
    void tidy();

    std::function<void()> changed_;
    Ended ended_;
    mutable std::mutex mutex_;
    std::list<std::unique_ptr<Job>> jobs_;
    uint64_t lastId_ = 0;
};

}  // namespace sunder::studio
