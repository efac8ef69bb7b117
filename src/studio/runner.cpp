#include "studio/runner.h"

#include <algorithm>
#include <new>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/cancel.h"
#include "base/error.h"
#include "io/recording/recording_json.h"
#include "io/recording/recording_reader.h"

namespace sunder::studio {

namespace {

constexpr size_t kRateFrames = 30;  // that the rate is measured over

}  // namespace

Runner::Runner(Prepare prepare, Options options)
    : changed_(std::move(options.changed)), log_(options.log), assets_(options.assets), pace_(options.pace) {
    report_.target = options.target;
    report_.takeId = options.takeId;
    report_.waiting = "building the scene";
    thread_ = std::thread([this, prepare = std::move(prepare)] { loop(prepare); });
}

Runner::~Runner() { end(); }

void Runner::end() {
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
        giveUpFrame();
        if (wayInWork_ != nullptr) wayInWork_->cancel();
    }
    wake_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void Runner::runTo(uint64_t frame) {
    {
        const std::lock_guard lock(mutex_);
        report_.target = frame;
        if (report_.phase == Phase::Paused && report_.frame < frame) startRunning();
    }
    wake_.notify_all();
}

void Runner::pause() {
    const std::lock_guard lock(mutex_);
    // before the first frame there is nothing to show
    report_.target = report_.begun ? report_.frame : 0;
    giveUpFrame();
}

void Runner::giveUpFrame() {
    if (frameInWork_ != nullptr) frameInWork_->cancel();
}

void Runner::setPace(Pace pace) {
    {
        const std::lock_guard lock(mutex_);
        pace_ = pace;
        due_.reset();
    }
    wake_.notify_all();
}

void Runner::rewind(Rewind rewind) {
    {
        const std::lock_guard lock(mutex_);
        report_.target = std::max(report_.target, rewind.frame);
        giveUpFrame();
        report_.waiting = "going back to frame " + std::to_string(rewind.frame);
        rewind_ = std::move(rewind);
    }
    wake_.notify_all();
}

void Runner::beforeFrames(BeforeFrame before) {
    const std::lock_guard lock(mutex_);
    beforeFrame_ = std::move(before);
}

Runner::Report Runner::report() const {
    const std::lock_guard lock(mutex_);
    Report report = report_;
    if (const std::shared_ptr<Progress>& at = frameInWork_ != nullptr ? frameInWork_ : wayInWork_) {
        const ProgressState state = at->state();
        report.work = Work{state.note, state.elapsedSeconds};
    }
    if (doneAt_.size() > 1 && report.phase == Phase::Running) {
        // up to now, so that a frame that takes long shows
        const std::chrono::duration<double> span = Clock::now() - doneAt_.front();
        const std::chrono::duration<double> done = doneAt_.back() - doneAt_.front();
        const double frames = static_cast<double>(doneAt_.size() - 1);
        report.fps = std::min(frames / std::max(done.count(), 1e-9), (frames + 1) / std::max(span.count(), 1e-9));
    }
    return report;
}

Runner::Hold::Hold(Runner& runner) : runner_(runner) {
    std::unique_lock lock(runner.mutex_);
    ++runner.holds_;
    runner.wake_.notify_all();
    runner.idled_.wait(lock, [&] { return runner.idle_ || runner.ended_; });
}

Runner::Hold::~Hold() {
    {
        const std::lock_guard lock(runner_.mutex_);
        ASSERT(runner_.holds_ > 0);
        --runner_.holds_;
    }
    runner_.wake_.notify_all();
}

void Runner::fail(const std::string& error) {
    {
        const std::lock_guard lock(mutex_);
        report_.phase = Phase::Failed;
        report_.error = error;
    }
    log_->add({.level = MessageLevel::Error, .text = error});
}

void Runner::loop(const Prepare& prepare) {
    // building the scene may take long, so it happens on this thread
    try {
        const std::shared_ptr<Progress> progress = watched();
        prepared_ = std::make_unique<Prepared>(prepare({.progress = progress.get(), .assets = assets_}));
        tellOfDifference(prepared_->difference);
        {
            const std::lock_guard lock(mutex_);
            wayInWork_.reset();
            report_.bodies = prepared_->bodies;
            report_.breaks = prepared_->breaks;
            report_.events = prepared_->events;
        }
        // a run that goes on has its frames already; a new one begins with frame 0
        if (prepared_->resumed) {
            publish({});
        } else {
            record(sim::startOf(prepared_->simulation));
        }
        // frames and rewinds in turn, until it is stopped
        while (waitForWork()) {
            std::optional<Rewind> back;
            {
                const std::lock_guard lock(mutex_);
                back.swap(rewind_);
            }
            back ? goBack(*back) : step();
        }
    } catch (const Cancelled&) {  // the run ended on the way
    } catch (const std::bad_alloc&) {
        // a failure ends the run and not the program; its reason is shown
        fail("not enough memory for this run; use fewer pieces or a coarser mesh");
    } catch (const std::exception& error) {
        fail(error.what());
    }
    // whoever waits for the run to be idle must not wait for ever
    prepared_.reset();  // closes the recording
    {
        const std::lock_guard lock(mutex_);
        wayInWork_.reset();
        ended_ = true;
    }
    idled_.notify_all();
    changed_();
}

bool Runner::waitForWork() {
    std::unique_lock lock(mutex_);
    while (!stop_) {
        // going back comes before going on
        if (holds_ == 0 && rewind_) return true;
        // a frame, when the pace allows it now
        const bool work = holds_ == 0 && report_.frame < report_.target;
        if (work) {
            startRunning();
            if (isDue(lock)) return true;
        } else if (holds_ == 0 && report_.phase != Phase::Paused) {
            // tell once that it rests, without the lock: the listener asks back
            report_.phase = Phase::Paused;
            lock.unlock();
            changed_();
            lock.lock();
        } else {
            // nothing to do, or somebody holds the run: sleep until that changes
            idle_ = true;
            idled_.notify_all();
            wake_.wait(lock);
            idle_ = false;
        }
    }
    return false;
}

void Runner::startRunning() {
    if (report_.phase == Phase::Running) return;
    report_.phase = Phase::Running;
    doneAt_.assign(1, Clock::now());
    due_.reset();
}

/// Frame by frame with the clock. A run that cannot keep up does not hurry afterwards. False when it waited: what there
/// is to do may be something else now.
bool Runner::isDue(std::unique_lock<std::mutex>& lock) {
    ASSERT(lock.owns_lock());
    if (pace_ == Pace::Fast) return true;
    const auto dt =
        std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(prepared_->simulation.setup().dt));
    const Clock::time_point now = Clock::now();
    if (!due_ || *due_ + dt < now) due_ = now;
    if (now >= *due_) {
        *due_ += dt;
        return true;
    }
    wake_.wait_until(lock, *due_);
    return false;
}

void Runner::step() {
    // a cancel may come from now on, and finds the frame in work
    BeforeFrame before;
    ASSERT(prepared_ != nullptr);
    const auto progress = std::make_shared<Progress>(&stages_);
    {
        const std::lock_guard lock(mutex_);
        before = beforeFrame_;
        frameInWork_ = progress;
        if (report_.frame >= report_.target || stop_) progress->cancel();  // asked for just now
    }
    // hands act before the frame
    if (before) before(prepared_->simulation);
    std::optional<sim::StepReport> report;
    try {
        report = prepared_->simulation.step({.progress = progress.get(), .assets = assets_});
    } catch (const Cancelled&) {  // the frame before stays; it goes on from there
    }
    {
        const std::lock_guard lock(mutex_);
        frameInWork_.reset();
    }
    // a cancelled frame leaves nothing behind
    if (report) record(*report);
}

std::shared_ptr<Progress> Runner::watched() {
    auto progress = std::make_shared<Progress>(&stages_);
    const std::lock_guard lock(mutex_);
    if (stop_) progress->cancel();
    wayInWork_ = progress;
    return progress;
}

void Runner::tellOfDifference(const std::string& difference) {
    if (difference.empty()) return;
    log_->add({.level = MessageLevel::Warning, .text = difference});
    const std::lock_guard lock(mutex_);
    report_.difference = difference;
}

namespace {

/// A run that was brought back to a frame.
struct Replayed {
    sim::Simulation simulation;
    std::optional<uint64_t> differsFrom = {};  // the first frame that is not what was recorded
};

/// The state that a checkpoint keeps is that of its frame, or nothing can go on from it.
sim::Simulation loaded(const RecordingWriter::Checkpoint& from, const RecordingReader& reader,
                       sim::SimulationSetup setup) {
    sim::Simulation simulation = sim::Simulation::load(
        std::move(setup), from.state, [&](sim::BodySerial body) { return reader.geometryOf(raw(body)); });
    if (hashText(simulation.stateHash()) != reader.frame(from.frame).stateHash)
        throw InputError(fmt::format("frame {}", from.frame),
                         "the state that the recording keeps is not that of its frame, so no run can go on from it; "
                         "restart the run");
    return simulation;
}

/// From a checkpoint up to a frame, compared frame by frame with what was recorded. The last frame is written anew when
/// frames come after it, and so is each from the first that differs on: what came after goes with that.
Replayed replayed(RecordingWriter& writer, const RecordingReader& reader, const RecordingWriter::Checkpoint& from,
                  uint64_t frame, sim::SimulationSetup setup, const sim::ImpactLimits& impacts,
                  const fracture::Context& context) {
    // what was recorded is asked for first: writing takes it away
    const uint64_t last = reader.lastFrame();
    std::vector<std::string> recorded;
    for (const RecordedFrame& one : reader.frames(from.frame, frame)) recorded.push_back(one.stateHash);
    // frame by frame
    Replayed run{.simulation = loaded(from, reader, std::move(setup))};
    while (run.simulation.frame() < frame) {
        const sim::StepReport report = run.simulation.step(context);
        const uint64_t now = run.simulation.frame();
        const size_t place = now - from.frame;
        const bool same = place < recorded.size() && recorded[place] == hashText(run.simulation.stateHash());
        if (!same && !run.differsFrom) run.differsFrom = now;
        if (run.differsFrom || (now == frame && last > frame))
            writer.record(run.simulation, sim::recordOf(run.simulation, report, impacts, now == frame));
    }
    ASSERT(run.simulation.frame() == frame);
    return run;
}

/// Empty when there is none.
std::string tellDifference(const Replayed& run, uint64_t frame) {
    if (!run.differsFrom) return "";
    const std::string frames = *run.differsFrom == frame ? fmt::format("frame {}", frame)
                                                         : fmt::format("frames {} to {}", *run.differsFrom, frame);
    return fmt::format(
        "{}, computed again, came out otherwise than recorded; the take goes on from what was computed "
        "now. To be sure of the frames before, restart the run",
        frames);
}

}  // namespace

Runner::Prepared Runner::resumed(const std::filesystem::path& recording, uint64_t frame, sim::SimulationSetup setup,
                                 const sim::ImpactLimits& impacts, const fracture::Context& context) {
    // the file goes on behind the frame; all checkpoints before it stay
    const RecordingReader reader(recording);
    RecordingWriter::Resumed file = RecordingWriter::resume(recording, frame, RecordingWriter::Checkpoints::All);
    // a frame that others follow is written anew, so its own checkpoint is of no use
    const bool isLast = reader.lastFrame() == frame;
    const RecordingWriter::Checkpoint from =
        isLast ? std::move(file.checkpoint) : file.writer.checkpoint(frame > 0 ? frame - 1 : 0);
    // from the checkpoint up to the frame itself
    Replayed run = replayed(file.writer, reader, from, frame, std::move(setup), impacts, context);
    std::string difference = tellDifference(run, frame);
    return {.simulation = std::move(run.simulation),
            .writer = std::move(file.writer),
            .recording = recording,
            .header = {},
            .impacts = impacts,
            .resumed = true,
            .bodies = reader.bodyCount(),
            .breaks = reader.breakCount(),
            .events = reader.eventCount(),
            .difference = std::move(difference)};
}

void Runner::goBack(const Rewind& rewind) {
    ASSERT(prepared_ != nullptr && rewind.frame > 0);
    // the recording is cut behind the frame, and the simulation brought to it, with the scene as it is now
    Prepared& run = *prepared_;
    const RecordingReader reader(run.recording);
    run.writer.changeHeader(rewind.header);
    run.header = rewind.header;
    const std::shared_ptr<Progress> progress = watched();
    Replayed back =
        replayed(run.writer, reader, run.writer.checkpoint(rewind.frame - 1), rewind.frame,
                 rewind.setup(run.simulation.setup()), run.impacts, {.progress = progress.get(), .assets = assets_});
    tellOfDifference(tellDifference(back, rewind.frame));
    run.simulation = std::move(back.simulation);
    growth_ = {};
    const size_t alive = run.simulation.bodies().size();
    // what the report says of later frames holds no longer
    {
        const std::lock_guard lock(mutex_);
        wayInWork_.reset();
        report_.frame = rewind.frame;
        report_.takeId = rewind.takeId;
        report_.waiting.clear();
        report_.alive = alive;
        report_.bodies = reader.bodyCount();
        report_.breaks = reader.breakCount();
        report_.events = reader.eventCount();
        doneAt_.assign(1, Clock::now());
        due_.reset();
    }
    changed_();
}

void Runner::record(const sim::StepReport& report) {
    Prepared& run = *prepared_;
    ASSERT(run.checkpointEvery > 0);
    const uint64_t frame = run.simulation.frame();
    const std::string growing = growth_.after(frame, run.simulation.bodies().size());
    uint64_t target = 0;
    {
        // a run that runs away waits for an answer: to be run on is one
        const std::lock_guard lock(mutex_);
        if (!growing.empty()) report_.target = std::min(report_.target, frame);
        target = stop_ ? 0 : report_.target;
    }
    if (!growing.empty())
        log_->add({.level = MessageLevel::Warning,
                   .text = growing + "; the run is paused: press Run to let it go on all the same",
                   .frame = frame});
    const bool checkpoint = frame >= target || frame % run.checkpointEvery == 0;
    run.writer.record(run.simulation, sim::recordOf(run.simulation, report, run.impacts, checkpoint));
    for (const std::string& message : report.messages)
        log_->add({.level = MessageLevel::Warning, .text = message, .frame = frame});
    publish(report);
}

void Runner::publish(const sim::StepReport& report) {
    ASSERT(prepared_ != nullptr);
    const uint64_t frame = prepared_->simulation.frame();
    const size_t alive = prepared_->simulation.bodies().size();
    {
        const std::lock_guard lock(mutex_);
        report_.frame = frame;
        report_.begun = true;
        report_.waiting.clear();
        report_.alive = alive;
        report_.bodies += report.born.size();
        report_.breaks += report.breaks.size();
        report_.events += report.breaks.size() + report.letGo.size() + report.messages.size();
        doneAt_.push_back(Clock::now());
        if (doneAt_.size() > kRateFrames) doneAt_.pop_front();
    }
    changed_();
}

}  // namespace sunder::studio
