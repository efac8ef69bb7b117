#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "io/recording/recording_writer.h"
#include "sim/growth_watch.h"
#include "sim/run.h"
#include "studio/message_log.h"

namespace sunder::studio {

enum class Pace { Real, Fast };  // at most as fast as time goes by; or as fast as it can

/// A simulation that a thread of its own runs into a recording, frame by frame, up to a frame that can be changed at
/// any time. The recording is all that others need to watch it.
class Runner {
public:
    /// What there is to run.
    struct Prepared {
        sim::Simulation simulation;
        RecordingWriter writer;
        std::filesystem::path recording;
        RecordingHeader header;         // as the writer has it
        uint64_t checkpointEvery = 30;  // frames
        sim::ImpactLimits impacts;
        // of what is recorded already
        bool resumed = false;
        size_t bodies = 0, breaks = 0, events = 0;
        std::string difference = {};  // a sentence, when frames that were computed again are not what was recorded
    };
    /// Called first of all, on the runner's thread: building shapes may take long. The context tells its stages, and
    /// stops it when the run is to end.
    using Prepare = std::function<Prepared(const fracture::Context& context)>;

    /// A run that goes on from a frame of a recording; what comes after it is gone then. Every frame that is computed
    /// again on the way is compared with what was recorded. From the first that differs on, what was computed takes its
    /// place, and Prepared::difference says so. Throws InputError when the recording has no sound state to begin with.
    static Prepared resumed(const std::filesystem::path& recording, uint64_t frame, sim::SimulationSetup setup,
                            const sim::ImpactLimits& impacts, const fracture::Context& context);

    /// What a frame is at, when it takes long.
    struct Work {
        std::string stage;   // "vase: filling with 5000 tets"; empty: bodies move
        double seconds = 0;  // since it began
    };

    enum class Phase { Preparing, Running, Paused, Failed };
    struct Report {
        Phase phase = Phase::Preparing;
        bool begun = false;     // the recording has its first frame
        uint64_t takeId = 0;    // what its frames are known by
        std::string waiting{};  // what it does besides making frames
        uint64_t frame = 0;     // the last one done
        uint64_t target = 0;
        size_t bodies = 0;  // that ever lived
        size_t alive = 0, breaks = 0, events = 0;
        double fps = 0;  // frames made per second of late
        std::string error;
        std::string difference;    // Prepared::difference, the last there was
        std::optional<Work> work;  // nothing: no frame is in work
    };

    struct Options {
        uint64_t takeId = 0;
        uint64_t target = 0;  // frame
        Pace pace = Pace::Fast;
        std::function<void()> changed;           // from the runner's thread
        MessageLog* log = nullptr;               // lent
        fracture::AssetStore* assets = nullptr;  // lent to methods; null: none
    };

    Runner(Prepare prepare, Options options);
    ~Runner();
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;

    /// After the frame in work, or before it when a body is being broken; then the recording is closed, and nothing is
    /// asked of it but reports.
    void end();
    void runTo(uint64_t frame);
    void pause();  // likewise
    void setPace(Pace pace);
    Report report() const;

    /// Goes back to a frame that is recorded, with another setup from there on, before the next frame is made. The
    /// frames after it are gone once that is done, and those that are left are known by another id.
    struct Rewind {
        uint64_t frame = 0;  // at least 1
        uint64_t takeId = 0;
        std::function<sim::SimulationSetup(const sim::SimulationSetup& now)> setup;
        RecordingHeader header;
    };
    void rewind(Rewind rewind);

    /// Called by the runner's thread before each frame, until there is another one.
    using BeforeFrame = std::function<void(sim::Simulation& simulation)>;
    void beforeFrames(BeforeFrame before);

    /// Between two frames: nothing happens as long as it lives, and what there is to run may be changed.
    class Hold {
    public:
        explicit Hold(Runner& runner);
        ~Hold();
        Hold(const Hold&) = delete;
        Hold& operator=(const Hold&) = delete;
        /// Null when the run has failed or is not prepared.
        Prepared* operator->() const { return runner_.prepared_.get(); }
        explicit operator bool() const { return runner_.prepared_ != nullptr; }

    private:
        Runner& runner_;
    };

private:
    using Clock = std::chrono::steady_clock;
    void loop(const Prepare& prepare);
    /// False when it is to end.
    bool waitForWork();
    void startRunning();
    bool isDue(std::unique_lock<std::mutex>& lock);
    void step();
    /// Gives up the frame in work where that leaves the one before as it was. With the mutex held.
    void giveUpFrame();
    /// Progress of a piece of work, whose stages are told to whoever listens.
    std::shared_ptr<Progress> watched();
    void goBack(const Rewind& rewind);
    void tellOfDifference(const std::string& difference);
    void record(const sim::StepReport& report);
    void publish(const sim::StepReport& report);
    void fail(const std::string& error);

    /// Says that there is news whenever work tells a stage.
    struct StageSink : ProgressSink {
        explicit StageSink(Runner& runner) : owner(runner) {}
        void show(const ProgressState&) override { owner.changed_(); }
        Runner& owner;
    };

    std::function<void()> changed_;
    StageSink stages_{*this};
    MessageLog* log_;
    fracture::AssetStore* assets_;
    std::unique_ptr<Prepared> prepared_;  // of whoever is idle_ or the thread itself
    sim::GrowthWatch growth_;             // of the thread

    mutable std::mutex mutex_;
    std::shared_ptr<Progress> frameInWork_;  // null: none
    std::shared_ptr<Progress> wayInWork_;    // preparing or going back; only the end of the run stops it
    std::condition_variable wake_, idled_;
    Report report_;
    Pace pace_;
    bool stop_ = false, idle_ = false, ended_ = false;
    int holds_ = 0;
    std::deque<Clock::time_point> doneAt_;  // of the last frames
    std::optional<Clock::time_point> due_;  // of the next frame, at real pace
    std::optional<Rewind> rewind_;          // to be done
    BeforeFrame beforeFrame_;
    std::thread thread_;  // the last to come
};

}  // namespace sunder::studio
