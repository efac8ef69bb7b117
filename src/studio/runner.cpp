#include "studio/runner.h"

#include <algorithm>
#include <new>

#include "base/assert.h"
#include "base/error.h"
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
        prepared_ = std::make_unique<Prepared>(prepare());
        {
            const std::lock_guard lock(mutex_);
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
    const auto progress = std::make_shared<Progress>();
    {
        const std::lock_guard lock(mutex_);
        before = beforeFrame_;
        frameInWork_ = progress;
    }
    // hands act before the frame
    if (before) before(prepared_->simulation);
    std::optional<sim::StepReport> report;
    try {
        report = prepared_->simulation.step({progress.get(), assets_});
    } catch (const Cancelled&) {  // the frame before stays; it goes on from there
    }
    {
        const std::lock_guard lock(mutex_);
        frameInWork_.reset();
    }
    // a cancelled frame leaves nothing behind
    if (report) record(*report);
}

namespace {

/// From the last checkpoint before a frame up to it. The frame is written anew: what came after it goes with that.
sim::Simulation replayed(RecordingWriter& writer, const RecordingReader& reader, uint64_t frame,
                         sim::SimulationSetup setup, const sim::ImpactLimits& impacts) {
    ASSERT(frame > 0);
    const RecordingWriter::Checkpoint from = writer.checkpoint(frame - 1);
    sim::Simulation simulation = sim::Simulation::load(
        std::move(setup), from.state, [&](sim::BodySerial body) { return reader.geometryOf(raw(body)); });
    sim::StepReport report;
    while (simulation.frame() < frame) report = simulation.step();
    writer.record(simulation, sim::recordOf(simulation, report, impacts, true));
    return simulation;
}

size_t breaksIn(const RecordingReader& reader) { return reader.eventCount("fracture") + reader.eventCount("dent"); }

}  // namespace

Runner::Prepared Runner::resumed(const std::filesystem::path& recording, uint64_t frame, sim::SimulationSetup setup,
                                 const sim::ImpactLimits& impacts) {
    // the file goes on behind the frame; all checkpoints before it stay
    const RecordingReader reader(recording);
    RecordingWriter::Resumed file = RecordingWriter::resume(recording, frame, RecordingWriter::Checkpoints::All);
    // at the end nothing is written anew; an earlier frame is, so that what came after it goes
    const bool isLast = reader.lastFrame() == frame;
    sim::Simulation simulation =
        isLast ? sim::Simulation::load(std::move(setup), file.checkpoint.state,
                                       [&](sim::BodySerial body) { return reader.geometryOf(raw(body)); })
               : replayed(file.writer, reader, frame, std::move(setup), impacts);
    // from the checkpoint up to the frame itself
    while (simulation.frame() < frame) simulation.step();
    ASSERT(simulation.frame() == frame);
    return {.simulation = std::move(simulation),
            .writer = std::move(file.writer),
            .recording = recording,
            .header = {},
            .impacts = impacts,
            .resumed = true,
            .bodies = reader.bodyCount(),
            .breaks = breaksIn(reader),
            .events = reader.eventCount()};
}

void Runner::goBack(const Rewind& rewind) {
    ASSERT(prepared_ != nullptr && rewind.frame > 0);
    // the recording is cut behind the frame, and the simulation brought to it, with the scene as it is now
    Prepared& run = *prepared_;
    const RecordingReader reader(run.recording);
    run.writer.changeHeader(rewind.header);
    run.header = rewind.header;
    run.simulation = replayed(run.writer, reader, rewind.frame, rewind.setup(run.simulation.setup()), run.impacts);
    const size_t alive = run.simulation.bodies().size();
    // what the report says of later frames holds no longer
    {
        const std::lock_guard lock(mutex_);
        report_.frame = rewind.frame;
        report_.takeId = rewind.takeId;
        report_.waiting.clear();
        report_.alive = alive;
        report_.bodies = reader.bodyCount();
        report_.breaks = breaksIn(reader);
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
    uint64_t target = 0;
    {
        const std::lock_guard lock(mutex_);
        target = stop_ ? 0 : report_.target;
    }
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
