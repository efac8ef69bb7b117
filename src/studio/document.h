#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scene/parse.h"
#include "schema/json_text.h"
#include "studio/json.h"

namespace sunder::studio {

/// What a scene is with all that is wrong in it.
struct ExaminedScene {
    scene::Scene scene;  // to be used only when nothing is wrong
    std::vector<schema::Issue> issues;
    size_t errors = 0;
    Json full = Json::object();  // sceneJson(scene)
};
using Examine = std::function<ExaminedScene(const Json& document)>;

/// A change that was refused, with the reasons at their places.
class EditError : public InputError {
public:
    EditError(const std::string& message, std::vector<schema::Issue> issues)
        : InputError("edit", message), issues_(std::move(issues)) {}
    const std::vector<schema::Issue>& issues() const { return issues_; }

private:
    std::vector<schema::Issue> issues_;
};

/// One edit of the user.
struct Edit {
    std::string label;                // "Move ball"
    Json patch;                       // RFC 6902
    std::string merge;                // edits of one key, in quick succession, are undone together
    std::optional<uint64_t> version;  // that it was made for
    bool mayBringErrors = false;      // such as work that is taken up: it is mended afterwards
};

/// A scene as its file has it, with the history of what was done to it. A change that would bring in a new error is
/// refused; a file that has errors can be opened and mended. Undoing restores the document exactly, order of keys
/// included. Knows no files.
class Document {
public:
    using Clock = std::function<std::chrono::steady_clock::time_point()>;
    static constexpr std::chrono::milliseconds kMergeWithin{2000};
    static constexpr size_t kMostSteps = 1000;
    static constexpr size_t kMostBytes = size_t{64} << 20;  // of the history, as text
    static constexpr size_t kMostDocumentBytes = schema::kMaxSceneBytes;
    static constexpr size_t kMostDepth = schema::kMaxDepth;
    static constexpr size_t kMostLabel = 120, kMostMerge = 200;  // bytes; labels are cut

    explicit Document(Examine examine, Clock clock = std::chrono::steady_clock::now);

    /// Another document, without a history.
    void replace(Json document);
    /// Throws EditError; nothing has changed then.
    void edit(const Edit& edit);
    /// False when there is nothing to do.
    bool undo();
    bool redo();
    /// Again, since what it refers to (a mesh file, the folder of the scene) may have changed.
    void examineAgain();

    const Json& json() const { return json_; }
    /// As a file has it.
    std::string text() const;
    uint64_t version() const { return version_; }  // grows with every change, also undo
    const ExaminedScene& examined() const { return examined_; }
    std::optional<std::string> undoLabel() const;
    std::optional<std::string> redoLabel() const;
    size_t editsSinceSaved() const;

    void markSaved() { savedState_ = state_; }
    bool saved() const { return savedState_ == state_; }

private:
    /// A part of the document that is another one.
    struct Change {
        Json::json_pointer place;
        Json before, after;
    };
    struct Step {
        std::string label, merge;
        std::chrono::steady_clock::time_point time;
        std::vector<Change> changes;
        uint64_t before = 0, after = 0;  // states
        size_t bytes = 0;
    };
    static void findChanges(const Json& before, const Json& after, const Json::json_pointer& place,
                            std::vector<Change>& changes);
    static size_t sizeOf(const Step& step);
    void checkPatched(const ExaminedScene& after) const;
    /// Whether an edit continues the last step.
    bool continues(const Edit& edit) const;
    void forgetOldest();
    void become(Json document, ExaminedScene examined, uint64_t state);

    Examine examine_;
    Clock clock_;
    Json json_ = Json::object();
    ExaminedScene examined_;
    uint64_t version_ = 0;
    std::deque<Step> done_;
    std::vector<Step> undone_;  // the next to be redone last
    uint64_t state_ = 0, lastState_ = 0, savedState_ = 0;
};

/// What a new scene has: something to fall on.
Json emptyScene();

/// As answers have them: {pointer, message, found, allowed, severity}.
Json issuesJson(const std::vector<schema::Issue>& issues);

}  // namespace sunder::studio
