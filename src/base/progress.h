#pragma once

#include <atomic>
#include <cstdio>
#include <mutex>
#include <string>

#include "base/stopwatch.h"

namespace sunder {

/// Where a long job stands, as any display wants it.
struct ProgressState {
    std::string job;               // "distance grid", "run wall.json"
    double done = 0;               // in units of the job
    double total = 0;              // 0 = not known
    double elapsedSeconds = 0;     // wall
    double remainingSeconds = -1;  // estimate; negative = not known yet
    bool finished = false;         // no more of this job will be shown
    std::string note;              // whatever else there is to say now: "31 frames/s, 420 bodies"

    /// Share that is done; 0 while the total is not known.
    double fraction() const { return total > 0 ? done / total : 0; }
};

/// "distance grid 42 % (420/1000), 3 s, 4 s to go"
std::string describe(const ProgressState& state);

/// Shows progress somewhere: a terminal, a file, Studio. Called from any thread, one call at a time.
class ProgressSink {
public:
    virtual ~ProgressSink() = default;
    /// Told when a job starts, at most ten times a second while it works, and when it is finished. The job waits
    /// meanwhile.
    virtual void show(const ProgressState& state) = 0;
};

/// One line on a terminal, rewritten in place. Silent when the stream is not a terminal.
class TerminalProgress : public ProgressSink {
public:
    explicit TerminalProgress(std::FILE* stream = stderr);  // stays open as long as this lives
    void show(const ProgressState& state) override;

private:
    std::FILE* stream_;
    bool isTerminal_;
};

/// One JSON object per line, appended to a stream: {"job":…,"done":…,"total":…,"elapsed":…,"remaining":…,"finished":…}.
class FileProgress : public ProgressSink {
public:
    explicit FileProgress(std::FILE* stream) : stream_(stream) {}  // stays open as long as this lives
    void show(const ProgressState& state) override;

private:
    std::FILE* stream_;
};

/// Carried by reference through any long job. Counts work from any thread, tells the sink at most ten times a second,
/// and carries the wish to stop. A job given none makes its own, which shows nothing.
class Progress {
public:
    explicit Progress(ProgressSink* sink = nullptr) : sink_(sink) {}  // null: nothing is shown; the sink outlives this

    /// Starts a (new) job of `total` units.
    void start(std::string job, double total);
    /// Adds finished work. Throws Cancelled when cancel() was called: the job unwinds, its caller keeps what is done.
    void advance(double units = 1);
    /// The sink is told at once; nothing happens when the job is finished already.
    void finish();
    /// What it does now, for people.
    void note(std::string text);

    /// Asks the job to stop at its next advance(). Safe from a signal handler and from any thread.
    void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
    /// Asked to stop; the job may still be at work.
    bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }

    ProgressState state() const;  // where the job stands now; from any thread

private:
    ProgressState stateLocked() const;
    void showIfDue();  // with the lock held

    ProgressSink* sink_;
    std::atomic<bool> cancelled_{false};
    mutable std::mutex mutex_;
    std::string job_, note_;
    double done_ = 0;
    double total_ = 0;
    double lastShown_ = -1;
    bool finished_ = false;
    Stopwatch watch_;
};

}  // namespace sunder
