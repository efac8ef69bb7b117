#include "studio/jobs.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/error.h"

namespace sunder::studio {

Jobs::Jobs(std::function<void()> changed, Ended ended) : changed_(std::move(changed)), ended_(std::move(ended)) {}

Jobs::~Jobs() {
    cancelAll();
    for (const std::unique_ptr<Job>& job : jobs_) job->thread.join();
}

uint64_t Jobs::start(std::string label, Work work) {
    const std::lock_guard lock(mutex_);
    const auto running = std::ranges::count_if(jobs_, [](const auto& job) { return job->state == State::Running; });
    if (static_cast<size_t>(running) >= kMostRunning)
        throw InputError(label, fmt::format("{} jobs are at work already; wait for one, or cancel it", running));
    tidy();
    jobs_.push_back(std::make_unique<Job>(*this, ++lastId_, std::move(label)));
    Job& job = *jobs_.back();
    job.thread = std::thread([this, &job, work = std::move(work)] { run(job, work); });
    return job.id;
}

void Jobs::run(Job& job, const Work& work) {
    try {
        Json result = work(job.progress);
        end(job, State::Done, std::move(result), "");
    } catch (const Cancelled&) {
        end(job, State::Cancelled, nullptr, "");
    } catch (const std::bad_alloc&) {
        end(job, State::Failed, nullptr, "not enough memory");
    } catch (const std::exception& error) {
        end(job, State::Failed, nullptr, error.what());
    }
}

void Jobs::end(Job& job, State state, Json result, std::string error) {
    ASSERT(state != State::Running);
    if (state != State::Cancelled) ended_(job.label, error);
    {
        const std::lock_guard lock(mutex_);
        job.state = state;
        job.result = std::move(result);
        job.error = std::move(error);
    }
    changed_();
}

void Jobs::tidy() {
    for (auto job = jobs_.begin(); job != jobs_.end() && jobs_.size() > kMostKept;) {
        if ((*job)->state == State::Running) {
            ++job;
            continue;
        }
        ASSERT((*job)->thread.joinable());
        // it has said its last word but for changed_(), which takes no lock of ours
        (*job)->thread.join();
        job = jobs_.erase(job);
    }
}

bool Jobs::cancel(uint64_t id) {
    const std::lock_guard lock(mutex_);
    for (const std::unique_ptr<Job>& job : jobs_) {
        if (job->id != id || job->state != State::Running) continue;
        job->progress.cancel();
        return true;
    }
    return false;
}

void Jobs::cancelAll() {
    const std::lock_guard lock(mutex_);
    for (const std::unique_ptr<Job>& job : jobs_) job->progress.cancel();
}

Json Jobs::status() const {
    const std::lock_guard lock(mutex_);
    Json list = Json::array();
    // a job that ended stays in the list with its result until newer ones push it out
    for (const std::unique_ptr<Job>& job : jobs_) {
        static constexpr const char* kNames[] = {"running", "done", "failed", "cancelled"};
        ASSERT(static_cast<size_t>(job->state) < std::size(kNames));
        const ProgressState progress = job->progress.state();
        const bool running = job->state == State::Running;
        list.push_back({{"id", job->id},
                        {"label", job->label},
                        {"share", running                     ? progress.fraction()
                                  : job->state == State::Done ? 1
                                                              : 0},
                        {"eta", running && progress.remainingSeconds >= 0 ? Json(progress.remainingSeconds) : Json()},
                        {"state", kNames[static_cast<size_t>(job->state)]},
                        {"result", job->result},
                        {"error", job->error.empty() ? Json() : Json(job->error)}});
    }
    return list;
}

}  // namespace sunder::studio
