#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "fracture/interface/asset_store.h"
#include "studio/amend.h"
#include "studio/footage.h"
#include "studio/message_log.h"
#include "studio/project.h"
#include "studio/runner.h"

namespace sunder::studio {

/// The document as a take needs it.
struct SceneState {
    FullScene scene;
    bool sound = false;                 // without errors
    std::string text;                   // as its file has it
    std::string name;                   // of the file
    std::filesystem::path folder;       // of the file
    GeometryCache* geometry = nullptr;  // lent
};

struct RunWish {
    std::optional<uint64_t> from = {};    // frame to go on from; absent: the last
    std::optional<uint64_t> frames = {};  // to have at the end; absent: the scene's, or some more than there are
    std::optional<uint64_t> steps = {};   // to do now, and then pause
    std::optional<Pace> pace = {};
};

/// A moment that something can be made to happen at.
struct Moment {
    uint64_t frame = 0;  // that is there
    double time = 0;     // s; from it on the future can be changed
};

/// What the stage shows: the start of the scene, or frames that were made from it. All but status() are called by one
/// thread at a time, the session's; the run has a thread of its own.
///
/// When the scene changes, frames made before stay. Those that the changed scene would have made as well are valid, and
/// the run goes on from the last of them: right away when nothing is to be done again, or when it is at work.
class Take {
public:
    static constexpr uint64_t kSomeMore = 150;  // frames that a finished run goes on by
    static constexpr size_t kTakesKept = 3;     // recordings in the project's own folder

    struct Options {
        std::string program;                     // version
        fracture::AssetStore* assets = nullptr;  // lent
        std::function<void()> changed;           // from any thread
    };
    Take(const Project& project, MessageLog& log, Options options);
    ~Take();

    /// Drops what there is.
    void showStart(const SceneState& scene);
    /// The start instead of the frames that are there; they are kept aside, as the take before.
    enum class Leave { Behind, OnPurpose };  // the scene has moved on; or its start is wanted rather than its take
    void leaveForStart(const SceneState& scene, Leave why = Leave::Behind);
    /// The take before again, as far as it is one of this scene. Throws InputError when there is none.
    void showBefore(const SceneState& scene);
    /// After undo and redo: what was seen with this scene. Frames that the scene does not make are left for its start,
    /// and the take before comes back when it was made from just this scene, unless its start was wanted instead.
    void bringBack(const SceneState& scene);
    /// A recording of somebody else's: only looked at, and copied when the run goes on.
    void showRecording(const std::filesystem::path& path, const SceneState& scene);
    /// What an earlier session made of just this scene; false when there is nothing.
    bool showLastTakeOf(const SceneState& scene);
    void sceneChanged(const SceneState& scene);

    /// The frame that a run would end at. Throws InputError.
    uint64_t endOf(const RunWish& wish, const SceneState& scene);
    void run(const RunWish& wish, const SceneState& scene);
    void pause();
    void setPace(Pace pace);
    bool isRunning() const;
    bool isAtWork() const;  // on a frame, or on the way to one
    bool isStale() const;

    /// Between two frames, as long as it lives; nothing when there is no run.
    std::unique_ptr<Runner::Hold> hold();
    /// The moment of the frame given, or of the last.
    Moment moment(std::optional<uint64_t> frame);

    /// Pulls a point of a body to where `target` is, frame by frame, until it ends. Throws InputError when there is no
    /// run at work, or no such body.
    void beginPull(const std::string& body, const Vec3& pointInMesh);
    void movePull(const Vec3& target);
    bool isPulling() const { return pull_ != nullptr; }
    /// What was done, as the scene would have it; nothing when there was no pull.
    std::optional<Json> endPull();

    /// Throws InputError unless `id` is the take that is shown.
    FootageAnswers& footage(uint64_t id);
    FootageAnswers& footage();
    /// The recording that there is. Throws InputError when there is none: `what` for.
    std::filesystem::path recording(const std::string& what);
    Json status() const;

private:
    struct Shown {
        uint64_t id = 0;
        uint64_t last = 0;  // of footage without a run
        uint64_t wanted = 0;
        double dt = 1.0 / 30;  // s
        size_t bodies = 0, alive = 0, breaks = 0, events = 0;
        bool still = true;
        bool stale = false;
        std::optional<uint64_t> validTo = {};  // absent: all of it
        Pace pace = Pace::Real;
    };
    /// What was left for the start.
    struct Before {
        std::filesystem::path recording;
        bool own = false;
        FullScene madeFrom;
        std::string madeFromText;
        uint64_t last = 0;
        bool comesBack = true;  // by itself, with its scene
    };
    class Pull;

    void showFootage(std::unique_ptr<Footage> footage, uint64_t id);
    static Shown shownOf(RecordedFootage& footage);
    /// Looks at the recording as soon as the run has begun it, and anew when it went back.
    void followRun();
    std::shared_ptr<Runner> liveRunner() const;  // null when there is none, or it failed
    void setRunner(std::shared_ptr<Runner> runner);
    uint64_t lastFrame() const;
    void setValidity(bool stale, std::optional<uint64_t> validTo);
    void drop();

    void compareWith(const SceneState& scene);
    /// True when the run could be told: the take is made from this scene then.
    bool amend(Runner& runner, const SceneState& scene);
    bool goBack(Runner& runner, uint64_t frame, const SceneState& scene);
    void isMadeFrom(const SceneState& scene);
    void begin(const RunWish& wish, const SceneState& scene);
    void resume(uint64_t from, uint64_t target, const SceneState& scene);
    void start(Runner::Prepare prepare, uint64_t target, const SceneState& scene);
    /// From where a run would go on; nothing: it would begin anew.
    std::optional<uint64_t> startOf(const RunWish& wish);
    uint64_t targetOf(const RunWish& wish, uint64_t last, const SceneState& scene) const;
    void noteWish(const RunWish& wish, uint64_t target);
    /// Of the scene: how many frames it has now.
    void followLength(const SceneState& scene);
    /// The recording is shown as it is, with no run at work on it.
    void keepInView();

    std::filesystem::path newRecording() const;
    void removeOldTakes() const;

    const Project& project_;
    MessageLog& log_;
    Options options_;
    // of the session's thread
    std::unique_ptr<FootageAnswers> footage_;
    uint64_t footageId_ = 0, lastId_ = 0;
    std::filesystem::path recording_;  // empty: none
    bool ownRecording_ = false;
    FullScene madeFrom_;
    std::string madeFromText_;
    uint64_t sceneFrames_ = 0;  // of the scene at hand
    bool shortened_ = false;    // it has fewer frames now than the take had then
    std::shared_ptr<Pull> pull_;

    mutable std::mutex mutex_;
    Shown shown_;
    std::optional<Before> before_;
    std::shared_ptr<Runner> runner_;
};

}  // namespace sunder::studio
