#pragma once

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "fracture/interface/asset_store.h"
#include "studio/autosaves.h"
#include "studio/document.h"
#include "studio/jobs.h"
#include "studio/json.h"
#include "studio/message_log.h"
#include "studio/project.h"
#include "studio/take.h"

namespace sunder::studio {

struct SessionOptions {
    std::filesystem::path project;
    std::string program;                     // version
    fracture::AssetStore* assets = nullptr;  // where pattern assets are kept; lent
    std::chrono::milliseconds autosaveAfter{2000};
};

/// What goes back for a command.
struct Answer {
    Json json;
    bool binary = false;  // there are bytes, though perhaps none
    std::vector<std::byte> bytes = {};
};
Answer ok(Json json = Json::object());  // {"ok": true, ...}

/// Studio without a browser: a scene with its history, what is shown of it, the run, the jobs. Commands come in as
/// docs/studio.md says and are done one after the other, from whatever thread.
class Session {
public:
    /// Throws InputError when the project cannot be opened.
    explicit Session(SessionOptions options);
    /// Ends the run after the frame in work, and keeps what is not saved.
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// {ok, ...}, or {error: {message, issues}}; with the id of the command, if it has one. Never throws for what the
    /// command says.
    Answer handle(const Json& command);
    /// Quick: waits for no command.
    Json status() const;
    bool isAtWork() const { return take_.isAtWork(); }  // on a frame; likewise quick
    /// Writes what is not saved now. Waits for no command, so it can be done while one hangs.
    void keepUnsaved();
    /// The program is about to end, perhaps at once: jobs stop, with the programs that they started, and what is not
    /// saved is kept. Waits for no command.
    void endSoon();
    /// Called from any thread when the status may be another one; must be quick and ask nothing of the session.
    void onChange(std::function<void()> changed);

    // what goes over HTTP; all throw InputError
    std::string mesh(const std::string& hash);
    /// A mesh or volume that was uploaded into a file of the project's own folder becomes one of the project.
    Json adoptUpload(const std::string& name, const std::filesystem::path& file);
    std::filesystem::path uploadPlace();  // an empty file
    std::filesystem::path download(const std::string& path) const;

private:
    using Handler = Answer (Session::*)(const Json&);
    static const std::map<std::string, Handler>& handlers();

    // the document
    Answer doScene(const Json& command);
    Answer doEdit(const Json& command);
    Answer doUndo(const Json& command);
    Answer doRedo(const Json& command);
    // files
    Answer doNew(const Json& command);
    Answer doOpen(const Json& command);
    Answer doSave(const Json& command);
    Answer doFiles(const Json& command);
    Answer doRecent(const Json& command);
    Answer doRecover(const Json& command);
    Answer doForgetRecovery(const Json& command);
    Answer doKeep(const Json& command);
    // the take
    Answer doBodies(const Json& command);
    Answer doFrames(const Json& command);
    Answer doFigures(const Json& command);
    Answer doEvents(const Json& command);
    Answer doImpacts(const Json& command);
    Answer doStream(const Json& command);
    Answer doStress(const Json& command);
    Answer doGrains(const Json& command);
    Answer doRun(const Json& command);
    Answer doPause(const Json& command);
    Answer doStep(const Json& command);
    Answer doRestart(const Json& command);
    Answer doTakeBefore(const Json& command);
    Answer doPace(const Json& command);
    Answer doMeshes(const Json& command);
    Answer doCanvas(const Json& command);
    // by hand
    Answer doThrow(const Json& command);
    Answer doAct(const Json& command);
    Answer doPullBegin(const Json& command);
    Answer doPullMove(const Json& command);
    Answer doPullEnd(const Json& command);
    // beside it
    Answer doLog(const Json& command);
    Answer doDiagnose(const Json& command);
    Answer doRepair(const Json& command);
    Answer doExport(const Json& command);
    Answer doRender(const Json& command);
    Answer doCancel(const Json& command);

    ExaminedScene examine(const Json& document);
    Json sceneAnswer() const;
    SceneState sceneState() const;
    std::string sourceOf(const std::string& body) const;
    FootageAnswers& footageOf(const Json& command);
    std::shared_ptr<const TriMesh> shownMesh(const std::string& hash);  // throws InputError

    /// After every change of the document. The take follows, unless it was made for the new one already.
    enum class TakeIs { Behind, UpToDate };
    void documentChanged(TakeIs take = TakeIs::Behind);
    /// What every command does that changes the document through its history.
    enum class By { Edit, History };
    Answer changedAnswer(const Json& command, By by = By::Edit);
    /// A run beyond the end of the scene makes the scene longer: where everybody sees it, and undo takes it back.
    void lengthenFor(const RunWish& wish);
    Answer run(const RunWish& wish);
    /// What was pulled becomes part of the scene.
    void finishPull();
    std::string freeBodyName(const std::string& wanted) const;
    void refuseToLose(const Json& command) const;
    void remember(const std::filesystem::path& path);
    void setFile(std::optional<std::filesystem::path> path, const std::filesystem::path& folder);
    std::string fileName() const;  // as the browser says it; empty: none
    void openScene(const std::filesystem::path& path);
    void openRecording(const std::filesystem::path& path);
    Json withRecovery(Json answer) const;
    /// Another scene is at hand, with what is kept of it.
    void beginSitting();
    /// What was kept of this sitting goes: it is saved, or dropped on purpose, and then what was taken up goes with it;
    /// or there is nothing that is not saved, and then what was taken up stays.
    enum class TakenUp { Stays, Goes };
    void endSitting(TakenUp takenUp);
    /// Where a file is to go. Throws InputError when there is one already and it may not be replaced.
    std::filesystem::path outputPath(const Json& command, const std::string& extension) const;

    void publishDocument();
    void changed() const;
    void autosaveLater(const std::string& text);
    void autosaveLoop();

    const SessionOptions options_;
    mutable std::mutex changedMutex_;
    std::function<void()> changed_;
    Project project_;
    const Autosaves autosaves_{project_};
    MessageLog log_;

    mutable std::mutex mutex_;  // of all that commands use
    std::optional<std::filesystem::path> file_;
    std::filesystem::path sceneFolder_;  // where its meshes are
    std::string fileStamp_;              // of its content when it was read or written
    std::unique_ptr<GeometryCache> geometry_;
    Document document_;
    std::map<std::string, std::string> sources_;  // of bodies, by name
    std::vector<Recovery> recoveries_;            // that are offered, the newest first
    std::vector<std::string> takenUp_;            // ids of recoveries whose content came into the scene

    mutable std::mutex statusMutex_;
    Json documentStatus_;

    Take take_;
    Jobs jobs_;

    // what is to be kept, for whoever writes it; one at a time
    struct Kept {
        std::string id;                        // of the sitting; empty: it has none yet
        std::optional<UnsavedWork> work = {};  // to be written
        bool saved = false;                    // to be forgotten
    };
    std::mutex autosaveFiles_;  // before the next
    std::mutex autosaveMutex_;
    Kept kept_;
    std::condition_variable autosaveWake_;
    bool autosaveDue_ = false, ending_ = false;
    std::thread autosaver_;  // the last to come
};

/// GET /shapes.json
Json shapesJson();

/// GET /exporters.json
Json exportersJson();

}  // namespace sunder::studio
