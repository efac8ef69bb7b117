#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "io/files/file_access.h"
#include "io/files/source.h"
#include "io/recording/recording_format.h"
#include "io/scene/scene_io.h"
#include "scene/settings.h"
#include "schema/json_text.h"
#include "studio/session.h"

/// The session's commands about files: scenes and recordings in, scenes out.
namespace sunder::studio {

namespace fs = std::filesystem;

namespace {

std::string stampOfFile(const fs::path& path) {
    const std::string text = readWholeFile(path, schema::kMaxSceneBytes + 1);
    return contentHash(std::as_bytes(std::span(text.data(), text.size())));
}

/// A document from the text of a scene file. Throws schema::SceneError when it is no JSON.
Json documentFrom(const std::string& text, const std::string& name) {
    schema::Issues issues(name);
    Json document = schema::parseJson(text, issues);
    if (issues.failed() && !document.is_object()) issues.throwIfFailed();
    if (!document.is_object())
        throw InputError(name, "is no scene: the file must hold one JSON object, found " + schema::shown(document));
    return document;
}
}  // namespace

std::string Session::fileName() const { return file_ ? project_.nameOf(*file_) : ""; }

void Session::refuseToLose(const Json& command) const {
    if (flagIn(command, "discard")) return;
    if (!file_ && textIn(command, "do") == "new" && !recoveries_.empty())
        throw InputError("the new scene",
                         "there is unsaved work of an earlier session that was not answered; recover "
                         "or forget it first, or say discard: then it stays, and is offered again");
    if (document_.saved()) return;
    throw InputError(file_ ? fileName() : "the new scene",
                     fmt::format("has {} unsaved {}; save first, or discard them", document_.editsSinceSaved(),
                                 document_.editsSinceSaved() == 1 ? "change" : "changes"));
}

/// Meshes are looked for beside the scene.
void Session::setFile(std::optional<fs::path> path, const fs::path& folder) {
    if (folder != sceneFolder_) geometry_ = std::make_unique<GeometryCache>(project_, folder);
    sceneFolder_ = folder;
    file_ = std::move(path);
}

Json Session::withRecovery(Json answer) const {
    if (recoveries_.empty()) return answer;
    answer["recovery"] = Json::array();
    for (const Recovery& recovery : recoveries_) {
        // of earlier versions it is not known what they were made on
        const bool changed = !recovery.work.base.empty() && recovery.work.base != fileStamp_;
        answer["recovery"].push_back(
            {{"id", recovery.id}, {"time", recovery.time}, {"edits", recovery.work.edits}, {"changed", changed}});
    }
    return answer;
}

void Session::remember(const fs::path& path) {
    const std::string problem = project_.remember(path);
    if (!problem.empty())
        log_.add({.level = MessageLevel::Warning, .text = "the list of recent files was not written: " + problem});
}

Answer Session::doNew(const Json& command) {
    finishPull();
    refuseToLose(command);
    endSitting(document_.saved() ? TakenUp::Stays : TakenUp::Goes);  // discarded on purpose, if anything
    setFile({}, project_.folder());
    fileStamp_.clear();
    document_.replace(emptyScene());
    beginSitting();
    take_.showStart(sceneState());
    documentChanged(TakeIs::UpToDate);
    return ok(withRecovery(sceneAnswer()));
}

Answer Session::doOpen(const Json& command) {
    const fs::path path = project_.existing(textIn(command, "path"));
    finishPull();
    refuseToLose(command);
    if (path.extension() == kRecordingExtension) {
        openRecording(path);
    } else if (isSceneFile(path)) {
        openScene(path);
    } else {
        throw InputError(inQuotes(textIn(command, "path")),
                         "is neither a scene (.json) nor a recording (.sunder); meshes are added to a scene");
    }
    remember(path);
    documentChanged(TakeIs::UpToDate);
    return ok(withRecovery(sceneAnswer()));
}

void Session::openScene(const fs::path& path) {
    const std::string name = project_.nameOf(path);
    const std::string text = readWholeFile(path, schema::kMaxSceneBytes + 1);
    Json document = documentFrom(text, name);
    endSitting(document_.saved() ? TakenUp::Stays : TakenUp::Goes);  // discarded on purpose, if anything
    project_.removePartsOf(path);
    setFile(path, path.parent_path());
    fileStamp_ = contentHash(std::as_bytes(std::span(text.data(), text.size())));
    document_.replace(std::move(document));
    beginSitting();
    if (!schema::jsonIfGood(text))
        log_.add({.level = MessageLevel::Warning, .text = name + " has comments; they are lost when Studio saves it"});
    if (!take_.showLastTakeOf(sceneState())) take_.showStart(sceneState());
}

void Session::openRecording(const fs::path& path) {
    // a file that is no recording, or has no frames, is refused before anything changes
    const std::string name = project_.nameOf(path);
    const RecordingReader reader(path);
    (void)reader.lastFrame();  // complains when there is none
    const std::string text = reader.meta("scene");
    Json document = text.empty() ? emptyScene() : documentFrom(text, "the scene in " + name);
    // as it was run
    schema::Issues issues(name);
    const Json settings = schema::parseJson(reader.meta("settings"), issues);
    if (settings.is_object()) {
        const Json changes = settings.value("set", Json::array());
        for (const Json& change : changes)
            if (change.is_string()) scene::applySetting(change.get<std::string>(), document, issues);
        const Json seed = settings.value("seed", Json());
        if (seed.is_number()) document["world"]["seed"] = seed;
    }
    // a scene without a file: saving asks for a name, and the recording is not overwritten
    endSitting(document_.saved() ? TakenUp::Stays : TakenUp::Goes);  // discarded on purpose, if anything
    setFile({}, path.parent_path());
    fileStamp_.clear();
    document_.replace(std::move(document));
    beginSitting();
    recoveries_.clear();  // those of the scene that has no name are none of this one
    take_.showRecording(path, sceneState());
    log_.add({.level = MessageLevel::Info, .text = name + ": opened; its scene can be run again and saved"});
}

fs::path Session::outputPath(const Json& command, const std::string& extension) const {
    std::string name = textIn(command, "path");
    if (fs::path(name).extension() != extension) name += extension;
    const fs::path path = project_.resolve(name);
    if (fs::is_directory(path)) throw InputError(inQuotes(name), "is a folder; give the name of a file");
    if (!fs::is_directory(path.parent_path()))
        throw InputError(inQuotes(name), "the folder " + inQuotes(project_.nameOf(path.parent_path())) +
                                             " does not exist; make it first");
    const bool own = file_ && path == *file_;
    if (fs::exists(path) && !own && !flagIn(command, "force"))
        throw InputError(inQuotes(name), "is there already; choose another name, or say that it may be replaced");
    return path;
}

Answer Session::doSave(const Json& command) {
    // under its own name, or a new one
    finishPull();
    const bool named = textIfIn(command, "path").has_value();
    if (!named && !file_) throw InputError("save", "the scene has no name yet; give one");
    const fs::path path = named ? outputPath(command, ".json") : *file_;
    const bool same = file_ && path == *file_;
    // what another program wrote in between must not be lost unseen
    if (same && fs::exists(path) && stampOfFile(path) != fileStamp_ && !flagIn(command, "force"))
        throw InputError(fileName(),
                         "was changed by another program since it was opened; save under another name, or "
                         "say that it may be replaced");
    // written whole or not at all
    const std::string text = document_.text();
    project_.removePartsOf(path);
    writeFileAtomically(path, text);
    setFile(path, path.parent_path());
    // from now on this is what the file holds
    fileStamp_ = contentHash(std::as_bytes(std::span(text.data(), text.size())));
    document_.markSaved();
    endSitting(TakenUp::Goes);
    if (!same) beginSitting();  // of another file, which may have work of its own
    remember(path);
    log_.add({.level = MessageLevel::Info, .text = "saved " + fileName()});
    if (!same) document_.examineAgain();  // meshes are relative to the scene
    same ? publishDocument() : documentChanged();
    changed();
    return ok(sceneAnswer());
}

Answer Session::doFiles(const Json& command) { return ok(project_.list(textIfIn(command, "folder").value_or(""))); }

Answer Session::doRecent(const Json&) { return ok({{"recent", project_.recent()}}); }

namespace {

/// The one that is named, or the newest.
std::vector<Recovery>::iterator chosenFrom(std::vector<Recovery>& recoveries, const Json& command) {
    const std::optional<std::string> id = textIfIn(command, "which");
    const auto found = id ? std::ranges::find(recoveries, *id, &Recovery::id) : recoveries.begin();
    if (found == recoveries.end()) throw InputError("recover", "there is nothing to recover");
    return found;
}

}  // namespace

Answer Session::doRecover(const Json& command) {
    finishPull();
    const auto chosen = chosenFrom(recoveries_, command);
    const Json recovered = documentFrom(chosen->work.text, "the recovered scene");
    // one step, so that it can be undone
    const Json patch = Json::array({{{"op", "replace"}, {"path", ""}, {"value", recovered}}});
    document_.edit({.label = "Recover unsaved changes", .patch = patch, .mayBringErrors = true});
    // its file stays until the scene is saved: undo, and a crash, would lose it
    takenUp_.push_back(chosen->id);
    recoveries_.erase(chosen);
    documentChanged();
    return ok(withRecovery(sceneAnswer()));
}

Answer Session::doForgetRecovery(const Json& command) {
    // the one that is named, or all
    if (textIfIn(command, "which")) {
        const auto chosen = chosenFrom(recoveries_, command);
        autosaves_.forget(chosen->id);
        recoveries_.erase(chosen);
    } else {
        for (const Recovery& recovery : recoveries_) autosaves_.forget(recovery.id);
        recoveries_.clear();
    }
    publishDocument();
    changed();
    return ok(withRecovery(sceneAnswer()));
}

Answer Session::doKeep(const Json& command) {
    const fs::path recording = take_.recording("keep");
    const fs::path path = outputPath(command, kRecordingExtension);
    if (path == recording) return ok({{"path", project_.nameOf(path)}});
    RecordingReader reader(recording);
    const fs::path unfinished = project_.own(Project::kUnfinished);
    fs::remove(unfinished);
    reader.copyTo(unfinished);
    fs::rename(unfinished, path);
    log_.add({.level = MessageLevel::Info, .text = "kept as " + project_.nameOf(path)});
    changed();
    return ok({{"path", project_.nameOf(path)}});
}
}  // namespace sunder::studio
