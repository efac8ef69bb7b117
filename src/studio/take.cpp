#include "studio/take.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/cancel.h"
#include "base/error.h"
#include "io/files/source.h"
#include "io/recording/recording_writer.h"
#include "scene/build.h"
#include "scene/looks.h"
#include "scene/parse.h"

namespace sunder::studio {

namespace fs = std::filesystem;

namespace {

RecordingHeader headerOf(const SceneState& state, const sim::SimulationSetup& setup, const std::string& program) {
    RecordingHeader header;
    header.scene = state.text;
    header.sceneName = state.name;
    header.settings = R"({"set":[],"seed":null})";
    header.view = scene::viewJson(state.scene.scene.view).dump();
    header.looks = scene::looksJson(state.scene.scene).dump();
    header.program = program;
    header.dt = setup.dt;
    header.seed = setup.seed;
    header.positionQuantum = positionQuantumFor(setup);
    return header;
}

/// What a recording says of the scene that it was made from.
std::string describe(const SceneState& scene) { return scene.name + "\n" + scene.text; }

sim::ImpactLimits impactsOf(const scene::Scene& scene) {
    return {.none = !scene.output.impacts,
            .leastImpulse = scene.output.leastImpulse,
            .leastSpeed = scene.output.leastSpeed};
}

constexpr uint64_t kMostTakes = 1000000000;  // a larger number is not ours

/// 0: it is no take.
uint64_t numberOfTake(const fs::path& take) {
    const std::string name = take.stem().string();  // "take-12"
    const size_t dash = name.find('-');
    uint64_t number = 0;
    if (dash == std::string::npos) return 0;
    const auto [end, problem] = std::from_chars(name.data() + dash + 1, name.data() + name.size(), number);
    return problem == std::errc() && number <= kMostTakes ? number : 0;
}

std::vector<fs::path> takesIn(const Project& project) {
    std::vector<fs::path> takes;
    for (fs::path& file : project.ownFiles("takes")) {
        if (file.extension() == kRecordingExtension && numberOfTake(file) > 0) takes.push_back(std::move(file));
    }
    std::ranges::sort(takes, {}, numberOfTake);
    return takes;
}

/// A recording, and what SQLite puts beside it.
constexpr const char* kRecordingFiles[] = {"", "-wal", "-shm", "-journal"};

/// The last frame that ends at or before a time.
uint64_t frameUpTo(double time, double dt) {
    constexpr double kRounding = 1e-6;  // of a frame
    return static_cast<uint64_t>(std::max(0.0, std::floor(time / dt + kRounding)));
}

}  // namespace

// ---- pulling

/// A point of a body on its way to where a hand is. The hand moves on the session's thread, the body on the run's.
class Take::Pull {
public:
    Pull(std::string body, const Vec3& point, const Vec3& start, double time)
        : body_(std::move(body)), point_(point), target_(start), path_{{time, start}} {}

    void move(const Vec3& target) {
        const std::lock_guard lock(mutex_);
        target_ = target;
    }

    /// The next frame takes the point to where the hand is now.
    void beforeFrame(sim::Simulation& simulation) {
        sim::SimulationSetup setup = simulation.setup();
        const std::lock_guard lock(mutex_);
        std::erase_if(setup.actions, [&](const sim::BodyAction& action) { return isOwn(action); });
        path_.push_back({simulation.time() + setup.dt, target_});
        setup.actions.push_back({body_, sim::PullAction{point_, path_}});
        simulation.amend(std::move(setup));
    }

    /// Between frames.
    Json action() const {
        const std::lock_guard lock(mutex_);
        Json path = Json::array();
        for (const sim::PullAction::PathPoint& p : path_)
            path.push_back(Json::array({p.time, p.position.x(), p.position.y(), p.position.z()}));
        return {{"type", "pull"},
                {"body", body_},
                {"point", Json::array({point_.x(), point_.y(), point_.z()})},
                {"path", std::move(path)}};
    }
    bool moved() const {
        const std::lock_guard lock(mutex_);
        return path_.size() > 1;
    }

private:
    bool isOwn(const sim::BodyAction& action) const {
        const auto* pull = std::get_if<sim::PullAction>(&action.what);
        return pull != nullptr && action.body == body_ && pull->point == point_ &&
               pull->path.front().time == path_.front().time;
    }

    const std::string body_;
    const Vec3 point_;  // in the mesh's coordinates, m
    mutable std::mutex mutex_;
    Vec3 target_;  // m, world
    std::vector<sim::PullAction::PathPoint> path_;
};

void Take::beginPull(const std::string& body, const Vec3& pointInMesh) {
    (void)endPull();
    const std::shared_ptr<Runner> live = liveRunner();
    if (live == nullptr || isStale())
        throw InputError("pull", "bodies can be pulled while the scene runs; press run, or place the body instead");
    const Runner::Hold hold(*live);
    if (!hold) throw InputError("pull", "the run has ended");
    const sim::Simulation& simulation = hold->simulation;
    for (const sim::BodySerial serial : simulation.bodies()) {
        if (simulation.facts(serial).name != body) continue;
        const Vec3 start = simulation.state(serial).pose * pointInMesh;
        pull_ = std::make_shared<Pull>(body, pointInMesh, start, simulation.time());
        live->beforeFrames([pull = pull_](sim::Simulation& run) { pull->beforeFrame(run); });
        return;
    }
    throw InputError("body", "there is no body " + inQuotes(body) + " in this frame");
}

void Take::movePull(const Vec3& target) {
    if (pull_ == nullptr) throw InputError("pull", "nothing is pulled");
    pull_->move(target);
}

std::optional<Json> Take::endPull() {
    const std::shared_ptr<Pull> pull = std::move(pull_);
    pull_.reset();
    if (pull == nullptr) return {};
    if (const std::shared_ptr<Runner> live = liveRunner()) {
        const Runner::Hold hold(*live);
        live->beforeFrames({});
    }
    return pull->moved() ? std::optional(pull->action()) : std::nullopt;
}

// ---- what is shown

Take::Take(const Project& project, MessageLog& log, Options options)
    : project_(project), log_(log), options_(std::move(options)) {}

Take::~Take() { setRunner(nullptr); }

std::shared_ptr<Runner> Take::liveRunner() const {
    std::shared_ptr<Runner> runner;
    {
        const std::lock_guard lock(mutex_);
        runner = runner_;
    }
    return runner != nullptr && runner->report().phase == Runner::Phase::Failed ? nullptr : runner;
}

/// The old one ends, outside the lock: it may have a frame to finish. Whoever asks for the status may have it a little
/// longer.
void Take::setRunner(std::shared_ptr<Runner> runner) {
    pull_.reset();
    {
        const std::lock_guard lock(mutex_);
        std::swap(runner_, runner);
    }
    if (runner != nullptr) runner->end();
}

void Take::setValidity(bool stale, std::optional<uint64_t> validTo) {
    const std::lock_guard lock(mutex_);
    shown_.stale = stale;
    shown_.validTo = validTo;
}

bool Take::isStale() const {
    const std::lock_guard lock(mutex_);
    return shown_.stale;
}

bool Take::isRunning() const {
    const std::shared_ptr<Runner> live = liveRunner();
    return live != nullptr && live->report().phase != Runner::Phase::Paused;
}

bool Take::isAtWork() const {
    const std::shared_ptr<Runner> live = liveRunner();
    return live != nullptr && live->report().work.has_value();
}

fs::path Take::newRecording() const {
    // whatever stands under a name of its own, or of its log, is not touched
    const std::vector<fs::path> takes = takesIn(project_);
    const auto isFree = [](const fs::path& path) {
        return std::ranges::all_of(kRecordingFiles, [&](const char* end) {
            return fs::symlink_status(path.string() + end).type() == fs::file_type::not_found;
        });
    };
    for (uint64_t number = takes.empty() ? 1 : numberOfTake(takes.back()) + 1;; ++number) {
        const fs::path path = project_.ownFolder("takes") / fmt::format("take-{}{}", number, kRecordingExtension);
        if (isFree(path)) return path;
    }
}

void Take::removeOldTakes() const {
    const std::vector<fs::path> takes = takesIn(project_);
    for (size_t i = 0; i + kTakesKept <= takes.size(); ++i) {
        if (takes[i] == recording_) continue;
        try {
            RecordingWriter::discard(takes[i]);
        } catch (const InputError& error) {
            log_.add({.level = MessageLevel::Warning, .text = error.what()});
        }
    }
}

void Take::showFootage(std::unique_ptr<Footage> footage, uint64_t id) {
    footage_ = std::make_unique<FootageAnswers>(std::move(footage));
    footageId_ = id;
}

/// The recordings of earlier runs stay a while: removeOldTakes().
void Take::drop() {
    setRunner(nullptr);
    footage_.reset();
    recording_.clear();
    ownRecording_ = false;
}

void Take::showStart(const SceneState& scene) {
    drop();
    // a scene with errors is shown as nothing
    const FullScene none{scene::Scene{}, Json::object()};
    const FullScene& shown = scene.sound ? scene.scene : none;
    auto still = std::make_unique<StillFootage>(shown.scene, shown.full, *scene.geometry);
    const size_t bodies = still->bodies(0).size();
    const uint64_t id = ++lastId_;
    {
        const std::lock_guard lock(mutex_);
        shown_ = {.id = id,
                  .wanted = static_cast<uint64_t>(scene.scene.scene.world.frames),
                  .dt = still->dt(),
                  .bodies = bodies,
                  .alive = bodies,
                  .pace = shown_.pace};
        before_.reset();
    }
    sceneFrames_ = static_cast<uint64_t>(scene.scene.scene.world.frames);
    shortened_ = false;
    showFootage(std::move(still), id);
    options_.changed();
}

void Take::leaveForStart(const SceneState& scene, Leave why) {
    // what is there is remembered, or else what was left before it
    followRun();
    std::optional<Before> before;
    {
        const std::lock_guard lock(mutex_);
        before = std::move(before_);
    }
    const std::shared_ptr<Runner> live = liveRunner();
    const bool begun = live == nullptr || live->report().begun;
    if (!recording_.empty() && begun)
        before = Before{.recording = recording_,
                        .own = ownRecording_,
                        .madeFrom = madeFrom_,
                        .madeFromText = madeFromText_,
                        .last = lastFrame(),
                        .comesBack = why == Leave::Behind || isStale()};
    showStart(scene);
    {
        const std::lock_guard lock(mutex_);
        before_ = std::move(before);
    }
    options_.changed();  // the last word: what was told on the way is of no use any more
}

void Take::showBefore(const SceneState& scene) {
    std::optional<Before> before;
    {
        const std::lock_guard lock(mutex_);
        before = before_;
    }
    if (!before) throw InputError("take", "there is no take before this one");
    showRecording(before->recording, scene);
    ownRecording_ = before->own;
    madeFrom_ = std::move(before->madeFrom);
    madeFromText_ = std::move(before->madeFromText);
    sceneChanged(scene);
    options_.changed();
}

void Take::bringBack(const SceneState& scene) {
    std::optional<Before> before;
    {
        const std::lock_guard lock(mutex_);
        before = before_;
    }
    if (isStale()) return leaveForStart(scene);
    if (!recording_.empty() || !before || !before->comesBack || !scene.sound) return;
    if (!differenceOf(before->madeFrom, scene.scene).none) return;
    try {
        showBefore(scene);
    } catch (const InputError& error) {
        log_.add({.level = MessageLevel::Warning, .text = error.what()});  // its file is gone: the start stays
    }
}

Take::Shown Take::shownOf(RecordedFootage& footage) {
    const RecordingReader& reader = footage.reader();
    Shown shown{.last = reader.lastFrame(),
                .wanted = reader.lastFrame(),
                .dt = reader.dt(),
                .bodies = reader.bodyCount(),
                .breaks = reader.breakCount(),
                .events = reader.eventCount(),
                .still = false};
    shown.alive = footage.poses(shown.last).size();
    return shown;
}

void Take::showRecording(const fs::path& path, const SceneState& scene) {
    auto footage = std::make_unique<RecordedFootage>(path);  // before anything is dropped: it may be none
    Shown shown = shownOf(*footage);
    drop();
    recording_ = path;
    madeFrom_ = scene.scene;
    madeFromText_ = describe(scene);
    shown.id = ++lastId_;
    {
        const std::lock_guard lock(mutex_);
        shown.pace = shown_.pace;
        shown_ = shown;
        before_.reset();
    }
    sceneFrames_ = static_cast<uint64_t>(scene.scene.scene.world.frames);
    shortened_ = false;
    showFootage(std::move(footage), shown.id);
    options_.changed();
}

bool Take::showLastTakeOf(const SceneState& scene) {
    if (!scene.sound) return false;
    // newest first, and only takes of this very scene and program: others would show what no run gives
    const std::vector<fs::path> takes = takesIn(project_);
    for (auto path = takes.rbegin(); path != takes.rend(); ++path) {
        try {
            const RecordingReader reader(*path);
            if (reader.meta("scene_name") != scene.name || reader.meta("program") != options_.program) continue;
            const scene::ParsedScene parsed = scene::parseScene(reader.meta("scene"), scene.name);
            const FullScene was{parsed.scene, scene::sceneJson(parsed.scene)};
            if (parsed.issues.failed() || !differenceOf(was, scene.scene).none) continue;
            // shown as if this session had made it, so that a run goes on from it
            showRecording(*path, scene);
            ownRecording_ = true;
            const std::lock_guard lock(mutex_);
            shown_.wanted = std::max(shown_.last, static_cast<uint64_t>(scene.scene.scene.world.frames));
            return true;
        } catch (const InputError&) {
            continue;  // half a file
        }
    }
    return false;
}

void Take::followRun() {
    std::shared_ptr<Runner> runner;
    {
        const std::lock_guard lock(mutex_);
        runner = runner_;
    }
    if (runner == nullptr) return;
    const Runner::Report report = runner->report();
    // a run that came to nothing; one that was to go on with a recording leaves that in view
    if (!report.begun && report.phase == Runner::Phase::Failed && footage_->footage().isStill()) recording_.clear();
    if (!report.begun || report.takeId == footageId_) return;
    showFootage(std::make_unique<RecordedFootage>(recording_), report.takeId);
    footage_->addLooks(scene::looksJson(madeFrom_.scene).dump());  // those of the latest change are not written yet
}

FootageAnswers& Take::footage() {
    followRun();
    ASSERT(footage_ != nullptr);
    return *footage_;
}

FootageAnswers& Take::footage(uint64_t id) {
    followRun();
    if (id != footageId_)
        throw InputError("take", fmt::format("take {} is gone; the one that is shown is {}", id, footageId_));
    ASSERT(footage_ != nullptr);
    return *footage_;
}

fs::path Take::recording(const std::string& what) {
    followRun();
    const std::shared_ptr<Runner> live = liveRunner();
    if (recording_.empty() || (live != nullptr && !live->report().begun))
        throw InputError(what, "there is no recording yet; run the scene first");
    return recording_;
}

uint64_t Take::lastFrame() const {
    const std::lock_guard lock(mutex_);
    return runner_ != nullptr && runner_->report().begun ? runner_->report().frame : shown_.last;
}

// ---- the scene changes

std::unique_ptr<Runner::Hold> Take::hold() {
    const std::shared_ptr<Runner> live = liveRunner();
    return live == nullptr ? nullptr : std::make_unique<Runner::Hold>(*live);
}

Moment Take::moment(std::optional<uint64_t> frame) {
    FootageAnswers& shown = footage();
    const uint64_t last = recording_.empty() ? 0 : lastFrame();
    const uint64_t at = std::min(frame.value_or(last), last);
    const std::vector<RecordedFrame> there = shown.footage().frames(at, at);
    return {at, there.empty() ? 0 : there.front().time};
}

bool Take::amend(Runner& runner, const SceneState& scene) {
    const Runner::Hold hold(runner);
    if (!hold) return false;
    try {
        ProjectMeshes meshes(project_, scene.folder);
        sim::SimulationSetup setup = amendedSetup(hold->simulation.setup(), madeFrom_, scene.scene, meshes);
        const RecordingHeader header = headerOf(scene, setup, options_.program);
        if (header.positionQuantum != hold->header.positionQuantum || header.dt != hold->header.dt) return false;
        hold->simulation.amend(std::move(setup));
        hold->writer.changeHeader(header);
        hold->header = header;
    } catch (const std::invalid_argument&) {
        return false;  // it has happened already
    }
    return true;
}

/// False when that would take another kind of recording.
bool Take::goBack(Runner& runner, uint64_t frame, const SceneState& scene) {
    // all that is needed goes along: the scene may be another one by the time it is done
    auto meshes = std::make_shared<ProjectMeshes>(project_, scene.folder);
    const auto setup = [meshes, before = madeFrom_, after = scene.scene](const sim::SimulationSetup& now) {
        return amendedSetup(now, before, after, *meshes);
    };
    RecordingHeader header;
    {
        const Runner::Hold hold(runner);
        if (!hold) return false;
        header = headerOf(scene, setup(hold->simulation.setup()), options_.program);
        if (header.positionQuantum != hold->header.positionQuantum || header.dt != hold->header.dt) return false;
    }
    runner.rewind({.frame = frame, .takeId = ++lastId_, .setup = setup, .header = std::move(header)});
    return true;
}

void Take::isMadeFrom(const SceneState& scene) {
    madeFrom_ = scene.scene;
    madeFromText_ = describe(scene);
    if (footage_) footage_->addLooks(scene::looksJson(scene.scene.scene).dump());
    setValidity(false, {});
}

void Take::followLength(const SceneState& scene) {
    const auto frames = static_cast<uint64_t>(scene.scene.scene.world.frames);
    const uint64_t last = lastFrame();
    const bool changed = frames != std::exchange(sceneFrames_, frames);
    if (changed) shortened_ = frames < last;
    {
        const std::lock_guard lock(mutex_);
        if (changed) shown_.wanted = frames;
        // frames beyond an end that came nearer are not the scene's any more
        if (shortened_) shown_.validTo = std::min(shown_.validTo.value_or(frames), frames);
    }
    const std::shared_ptr<Runner> live = liveRunner();
    if (changed && live != nullptr && isRunning()) live->runTo(std::max(frames, last));
}

void Take::sceneChanged(const SceneState& scene) {
    followRun();
    if (recording_.empty()) return leaveForStart(scene);
    compareWith(scene);
    if (scene.sound) followLength(scene);
}

/// What the scene leaves of the take.
void Take::compareWith(const SceneState& scene) {
    // an unsound scene keeps its take on the screen, marked as stale
    if (!scene.sound) return setValidity(true, 0);
    const Difference difference = differenceOf(madeFrom_, scene.scene);
    const std::shared_ptr<Runner> live = liveRunner();
    if (difference.none) {
        // titles and looks go into the recording with the next frame
        if (live != nullptr && describe(scene) != madeFromText_ && amend(*live, scene)) isMadeFrom(scene);
        return setValidity(false, {});
    }
    // what changed holds from the start, or from a moment that the run has not reached
    if (!difference.from) return setValidity(true, 0);
    if (live != nullptr && amend(*live, scene)) return isMadeFrom(scene);
    // frames up to the change stay valid; a running take goes back to them at once
    const uint64_t valid = std::min(frameUpTo(*difference.from, footage().footage().dt()), lastFrame());
    const bool goesBack = live != nullptr && isRunning() && valid > 0 && goBack(*live, valid, scene);
    goesBack ? isMadeFrom(scene) : setValidity(false, valid);
}

// ---- running

std::optional<uint64_t> Take::startOf(const RunWish& wish) {
    // the moment wished for, but not beyond what is still valid
    followRun();
    const uint64_t last = lastFrame();
    const std::lock_guard lock(mutex_);
    const uint64_t valid = std::min(last, shown_.validTo.value_or(last));
    const uint64_t from = std::min(wish.from.value_or(valid), valid);
    if (recording_.empty() || shown_.stale || (from == 0 && last > 0)) return {};
    return from;
}

uint64_t Take::targetOf(const RunWish& wish, uint64_t last, const SceneState& scene) const {
    constexpr uint64_t kMost = 1000000000;  // frames; sums stay whole
    const auto frames = static_cast<uint64_t>(scene.scene.scene.world.frames);
    const uint64_t usual = last < frames ? frames : last + kSomeMore;
    const uint64_t target = wish.steps ? last + std::min(*wish.steps, kMost) : wish.frames.value_or(usual);
    return std::max(last, std::min(target, kMost));
}

uint64_t Take::endOf(const RunWish& wish, const SceneState& scene) {
    return targetOf(wish, startOf(wish).value_or(0), scene);
}

void Take::noteWish(const RunWish& wish, uint64_t target) {
    const std::lock_guard lock(mutex_);
    if (wish.pace) shown_.pace = *wish.pace;
    shown_.wanted = wish.steps ? std::max(shown_.wanted, target) : target;
}

void Take::run(const RunWish& wish, const SceneState& scene) {
    // a run that is on its way already, one that must begin anew, one that nobody writes
    const std::optional<uint64_t> from = startOf(wish);
    const std::shared_ptr<Runner> live = liveRunner();
    if (live != nullptr && !live->report().begun) return;  // it is on its way
    if (!from) return begin(wish, scene);
    const uint64_t target = targetOf(wish, *from, scene);
    noteWish(wish, target);
    if (live == nullptr) return resume(*from, target, scene);
    // the live one goes on, from an earlier frame if asked to
    if (*from < lastFrame()) {
        if (!goBack(*live, *from, scene)) return begin(wish, scene);
        isMadeFrom(scene);
    }
    if (wish.pace) live->setPace(*wish.pace);
    live->runTo(target);
    options_.changed();
}

void Take::start(Runner::Prepare prepare, uint64_t target, const SceneState& scene) {
    Pace pace = Pace::Real;
    {
        const std::lock_guard lock(mutex_);
        pace = shown_.pace;
        shown_.stale = false;
        shown_.validTo.reset();
    }
    madeFrom_ = scene.scene;
    madeFromText_ = describe(scene);
    setRunner(std::make_shared<Runner>(std::move(prepare), Runner::Options{.takeId = ++lastId_,
                                                                           .target = target,
                                                                           .pace = pace,
                                                                           .changed = options_.changed,
                                                                           .log = &log_,
                                                                           .assets = options_.assets}));
    options_.changed();
}

void Take::begin(const RunWish& wish, const SceneState& scene) {
    // the old take ends, and makes room on the disk
    if (!scene.sound) throw InputError("run", "the scene has errors; mend them first");
    showStart(scene);
    removeOldTakes();
    const fs::path path = newRecording();
    // built on the thread of the run: meshes may take long
    auto prepare = [state = scene, path, &project = project_,
                    program = options_.program](const fracture::Context& context) -> Runner::Prepared {
        const CancelScope scope(context.progress);
        ProjectMeshes meshes(project, state.folder);
        const scene::Scene& built = state.scene.scene;
        sim::SimulationSetup setup = scene::buildSetup(built, meshes, state.name);
        const RecordingHeader header = headerOf(state, setup, program);
        return {.simulation = sim::Simulation(std::move(setup)),
                .writer = RecordingWriter::create(path, header, RecordingWriter::Checkpoints::All),
                .recording = path,
                .header = header,
                .checkpointEvery = static_cast<uint64_t>(built.output.checkpointEvery),
                .impacts = impactsOf(built)};
    };
    const uint64_t target = targetOf(wish, 0, scene);
    noteWish(wish, target);
    // from now on this is the take that is shown
    recording_ = path;
    ownRecording_ = true;
    start(std::move(prepare), target, scene);
}

void Take::keepInView() {
    auto footage = std::make_unique<RecordedFootage>(recording_);
    Shown now = shownOf(*footage);
    {
        const std::lock_guard lock(mutex_);
        now.id = footageId_;
        now.wanted = shown_.wanted;
        now.pace = shown_.pace;
        shown_ = now;
    }
    showFootage(std::move(footage), now.id);
    footage_->addLooks(scene::looksJson(madeFrom_.scene).dump());
}

/// With a recording that nobody writes.
void Take::resume(uint64_t from, uint64_t target, const SceneState& scene) {
    // the recording of somebody else is not touched: go on in a copy
    if (!ownRecording_) {
        const fs::path copy = newRecording();
        RecordingReader(recording_).copyTo(copy);
        recording_ = copy;
        ownRecording_ = true;
    }
    keepInView();
    // built on the thread of the run, as at a beginning
    auto prepare = [state = scene, path = recording_, from, &project = project_,
                    program = options_.program](const fracture::Context& context) -> Runner::Prepared {
        const CancelScope scope(context.progress);
        ProjectMeshes meshes(project, state.folder);
        const scene::Scene& built = state.scene.scene;
        const RecordingReader reader(path);
        if (reader.meta("program") != program)
            throw InputError(path.filename().string(), "was made by sunder " + reader.meta("program") + "; this is " +
                                                           program + ", which may go on differently: restart the run");
        sim::SimulationSetup setup = scene::buildSetup(built, meshes, state.name);
        const RecordingHeader header = headerOf(state, setup, program);
        // to the last frame that stays; the header tells what is computed from now on
        Runner::Prepared run = Runner::resumed(path, from, std::move(setup), impactsOf(built), context);
        run.writer.changeHeader(header);
        run.header = header;
        run.checkpointEvery = static_cast<uint64_t>(built.output.checkpointEvery);
        return run;
    };
    start(std::move(prepare), target, scene);
}

void Take::pause() {
    if (const std::shared_ptr<Runner> live = liveRunner()) live->pause();
    options_.changed();
}

void Take::setPace(Pace pace) {
    {
        const std::lock_guard lock(mutex_);
        shown_.pace = pace;
    }
    if (const std::shared_ptr<Runner> live = liveRunner()) live->setPace(pace);
    options_.changed();
}

Json Take::status() const {
    // a copy, so that the runner is asked without the lock
    Shown shown;
    std::shared_ptr<Runner> runner;
    Json before;
    {
        const std::lock_guard lock(mutex_);
        shown = shown_;
        runner = runner_;
        if (before_) before = {{"last", before_->last}};
    }
    const char* state = shown.still ? "still" : shown.last < shown.wanted ? "paused" : "done";
    // a runner knows better than the recording, once it has begun
    Runner::Report report;
    Json eta, waiting, work;
    if (runner != nullptr) {
        report = runner->report();
        // what it does besides making frames is work, too
        const bool atWork = report.phase != Runner::Phase::Paused || !report.waiting.empty();
        state = report.phase == Runner::Phase::Failed ? "failed"
                : atWork                              ? "running"
                : report.frame >= shown.wanted        ? "done"
                                                      : "paused";
        if (!report.waiting.empty()) waiting = report.waiting;
        if (report.work) work = {{"stage", report.work->stage}, {"seconds", report.work->seconds}};
        if (report.begun) {
            shown.id = report.takeId;
            shown.last = report.frame;
            shown.bodies = report.bodies;
            shown.alive = report.alive;
            shown.breaks = report.breaks;
            shown.events = report.events;
        }
        // an estimate only while frames come
        if (report.phase == Runner::Phase::Running && report.fps > 0 && report.target > report.frame)
            eta = static_cast<double>(report.target - report.frame) / report.fps;
    }
    return {{"id", shown.id},
            {"state", state},
            {"first", 0},
            {"last", shown.last},
            {"wanted", shown.wanted},
            {"valid_to", std::min(shown.validTo.value_or(shown.last), shown.last)},
            {"stale", shown.stale},
            {"pace", shown.pace == Pace::Real ? "real" : "fast"},
            {"dt", shown.dt},
            {"bodies", shown.bodies},
            {"alive", shown.alive},
            {"breaks", shown.breaks},
            {"events", shown.events},
            {"fps", report.fps},
            {"eta", eta},
            {"waiting", waiting},
            {"work", work},
            {"problem", report.phase == Runner::Phase::Failed ? Json(report.error)
                        : report.difference.empty()           ? Json()
                                                              : Json(report.difference)},
            {"before", before}};
}

}  // namespace sunder::studio
