#include "studio/session.h"

#include <algorithm>
#include <new>
#include <set>

#include <fmt/format.h>

#include "base/error.h"
#include "geometry/repair/repair.h"
#include "io/exports/exporter.h"
#include "io/file_access.h"
#include "io/film_request.h"
#include "io/mesh_io.h"
#include "io/recording_format.h"
#include "io/reports.h"
#include "io/scene_io.h"
#include "io/source.h"
#include "scene/expand.h"
#include "scene/json_text.h"
#include "scene/settings.h"
#include "scene/shape_names.h"

namespace sunder::studio {

namespace fs = std::filesystem;

namespace {

/// What a new scene has: something to fall on.
Json emptyScene() { return {{"version", scene::kSceneVersion}, {"floor", Json::object()}, {"bodies", Json::array()}}; }

std::string stampOfFile(const fs::path& path) {
    const std::string text = readWholeFile(path, scene::kMaxSceneBytes + 1);
    return contentHash(std::as_bytes(std::span(text.data(), text.size())));
}

Answer ok(Json json = Json::object()) {
    Json answer{{"ok", true}};
    answer.update(json);
    return {std::move(answer)};
}

Json errorJson(const std::string& message, const std::vector<scene::Issue>& issues = {}) {
    return {{"error", {{"message", message}, {"issues", issuesJson(issues)}}}};
}

/// A document from the text of a scene file. Throws scene::SceneError when it is no JSON.
Json documentFrom(const std::string& text, const std::string& name) {
    scene::Issues issues(name);
    Json document = scene::parseJson(text, issues);
    if (issues.failed() && !document.is_object()) issues.throwIfFailed();
    if (!document.is_object())
        throw InputError(name, "is no scene: the file must hold one JSON object, found " + scene::shown(document));
    return document;
}

/// Adds an action to the scene.
Json actionPatch(const Json& document, const Json& action) {
    Json patch = Json::array();
    if (!document.contains("actions")) patch.push_back({{"op", "add"}, {"path", "/actions"}, {"value", Json::array()}});
    patch.push_back({{"op", "add"}, {"path", "/actions/-"}, {"value", action}});
    return patch;
}

Vec3 vectorIn(const Json& command, const char* key) {
    const Json& list = listIn(command, key);
    Vec3 vector = Vec3::Zero();
    const bool sound = list.size() == 3 && std::ranges::all_of(list, [](const Json& item) { return item.is_number(); });
    for (int k = 0; sound && k < 3; ++k) vector[k] = list[static_cast<size_t>(k)].get<double>();
    if (!sound || !vector.allFinite()) throw InputError(key, "must be three numbers, found " + scene::shown(list));
    return vector;
}

Pace paceIn(const std::string& name) {
    if (name == "real") return Pace::Real;
    if (name == "fast") return Pace::Fast;
    throw InputError("pace", "must be \"real\" or \"fast\", found " + inQuotes(name));
}

std::optional<Pace> paceIfIn(const Json& command) {
    const std::optional<std::string> name = textIfIn(command, "pace");
    return name ? std::optional(paceIn(*name)) : std::nullopt;
}

/// An upload is under another name until it is known to be a mesh.
MeshFile readMesh(const fs::path& path, MeshFormat format) {
    const std::string bytes = readWholeFile(path);
    return sunder::readMesh(std::as_bytes(std::span(bytes.data(), bytes.size())), format, "the upload");
}
using sunder::readMesh;

Json diagnosis(const MeshFile& file) {
    const Diagnosis found = diagnose(file.mesh);
    Json json = meshReport(file, found);
    json["summary"] = describe(found);
    json["repairable"] = !found.solid() && !file.mesh.empty();
    return json;
}

/// "name-2.obj", or a higher number, when "name.obj" is there.
fs::path freeName(const fs::path& path) {
    fs::path free = path;
    for (int number = 2; fs::exists(free); ++number)
        free = path.parent_path() / fmt::format("{}-{}{}", path.stem().string(), number, path.extension().string());
    return free;
}

}  // namespace

Session::Session(SessionOptions options)
    : options_(std::move(options)),
      project_(options_.project),
      sceneFolder_(project_.folder()),
      geometry_(std::make_unique<GeometryCache>(project_, project_.folder())),
      document_([this](const Json& document) { return examine(document); }),
      take_(project_, log_, {.program = options_.program, .assets = options_.assets, .changed = [this] { changed(); }}),
      jobs_([this] { changed(); },
            [this](const std::string& label, const std::string& error) {
                const bool done = error.empty();
                log_.add({.level = done ? MessageLevel::Info : MessageLevel::Error,
                          .text = done ? label + ": done" : label + ": " + error});
            }) {
    document_.replace(emptyScene());
    recovery_ = project_.unsaved("");
    documentChanged();
    autosaver_ = std::thread([this] { autosaveLoop(); });
}

Session::~Session() {
    try {
        const std::lock_guard lock(mutex_);
        finishPull();
    } catch (const std::exception&) {
        // what was pulled is in the recording, if not in the scene
    }
    {
        const std::lock_guard lock(autosaveMutex_);
        ending_ = true;
    }
    autosaveWake_.notify_all();
    autosaver_.join();
}

void Session::onChange(std::function<void()> changed) {
    const std::lock_guard lock(changedMutex_);
    changed_ = std::move(changed);
}

void Session::changed() const {
    const std::lock_guard lock(changedMutex_);
    if (changed_) changed_();
}

// ---- commands

const std::map<std::string, Session::Handler>& Session::handlers() {
    static const std::map<std::string, Handler> all{
        {"scene", &Session::doScene},
        {"edit", &Session::doEdit},
        {"undo", &Session::doUndo},
        {"redo", &Session::doRedo},
        {"new", &Session::doNew},
        {"open", &Session::doOpen},
        {"save", &Session::doSave},
        {"files", &Session::doFiles},
        {"recent", &Session::doRecent},
        {"recover", &Session::doRecover},
        {"forget_recovery", &Session::doForgetRecovery},
        {"keep", &Session::doKeep},
        {"bodies", &Session::doBodies},
        {"frames", &Session::doFrames},
        {"figures", &Session::doFigures},
        {"events", &Session::doEvents},
        {"impacts", &Session::doImpacts},
        {"run", &Session::doRun},
        {"pause", &Session::doPause},
        {"step", &Session::doStep},
        {"restart", &Session::doRestart},
        {"pace", &Session::doPace},
        {"meshes", &Session::doMeshes},
        {"throw", &Session::doThrow},
        {"act", &Session::doAct},
        {"pull_begin", &Session::doPullBegin},
        {"pull_move", &Session::doPullMove},
        {"pull_end", &Session::doPullEnd},
        {"log", &Session::doLog},
        {"diagnose", &Session::doDiagnose},
        {"repair", &Session::doRepair},
        {"export", &Session::doExport},
        {"render", &Session::doRender},
        {"cancel", &Session::doCancel},
    };
    return all;
}

Answer Session::handle(const Json& command) {
    Answer answer;
    try {
        if (!command.is_object()) throw InputError("command", "must be an object, found " + scene::shown(command));
        const std::string name = textIn(command, "do");
        const auto handler = handlers().find(name);
        if (handler == handlers().end()) throw InputError("do", "there is no command " + inQuotes(name));
        const std::lock_guard lock(mutex_);
        answer = (this->*handler->second)(command);
    } catch (const EditError& error) {
        answer.json = errorJson(error.message(), error.issues());
    } catch (const scene::SceneError& error) {
        answer.json = errorJson(error.what(), error.issues().list());
    } catch (const std::bad_alloc&) {
        answer.json = errorJson("not enough memory for that");
    } catch (const std::exception& error) {
        answer.json = errorJson(error.what());
    }
    Json whole = Json::object();
    if (command.is_object() && command.contains("id") && command["id"].is_primitive()) whole["id"] = command["id"];
    whole.update(answer.json);
    answer.json = std::move(whole);
    return answer;
}

Json Session::status() const {
    Json document;
    {
        const std::lock_guard lock(statusMutex_);
        document = documentStatus_;
    }
    return {
        {"document", std::move(document)}, {"take", take_.status()}, {"log", log_.count()}, {"jobs", jobs_.status()}};
}

// ---- the document

ExaminedScene Session::examine(const Json& document) {
    const std::string name = file_ ? project_.nameOf(*file_) : "scene";
    scene::ParsedScene parsed = scene::parseScene(textOf(document), name);
    Json full = scene::sceneJson(parsed.scene);
    geometry_->age();
    geometry_->check(parsed.scene, full, parsed.issues);
    return {std::move(parsed.scene), parsed.issues.list(), parsed.issues.errors(), std::move(full)};
}

Json Session::sceneAnswer() const {
    return {{"document", document_.json()},
            {"version", document_.version()},
            {"issues", issuesJson(document_.examined().issues)},
            {"path", file_ ? Json(fileName()) : Json(nullptr)},
            {"saved", document_.saved()}};
}

SceneState Session::sceneState() const {
    const ExaminedScene& examined = document_.examined();
    return {.scene = {examined.scene, examined.full},
            .sound = examined.errors == 0,
            .text = document_.text(),
            .name = file_ ? file_->filename().string() : "untitled.json",
            .folder = sceneFolder_,
            .geometry = geometry_.get()};
}

std::string Session::sourceOf(const std::string& body) const {
    const auto found = sources_.find(body);
    return found == sources_.end() ? "" : found->second;
}

void Session::publishDocument() {
    const auto orNull = [](const std::optional<std::string>& text) { return text ? Json(*text) : Json(nullptr); };
    const std::lock_guard lock(statusMutex_);
    documentStatus_ = {{"version", document_.version()},
                       {"path", file_ ? Json(fileName()) : Json(nullptr)},
                       {"saved", document_.saved()},
                       {"undo", orNull(document_.undoLabel())},
                       {"redo", orNull(document_.redoLabel())},
                       {"errors", document_.examined().errors}};
}

void Session::documentChanged(TakeIs take) {
    sources_.clear();
    const ExaminedScene& examined = document_.examined();
    if (examined.scene.floor.present) sources_["floor"] = "/floor";
    if (examined.errors == 0) {
        for (const scene::PlacedBody& body : scene::placedBodies(examined.scene)) sources_[body.name] = body.pointer;
    }
    publishDocument();
    if (take == TakeIs::Behind) take_.sceneChanged(sceneState());
    {
        const std::lock_guard lock(autosaveMutex_);
        autosaveDue_ = true;
    }
    autosaveWake_.notify_all();
    changed();
}

Answer Session::doScene(const Json&) { return ok(withRecovery(sceneAnswer())); }

Answer Session::changedAnswer(const Json& command) {
    documentChanged();
    if (flagIn(command, "restart") && take_.isStale()) take_.showStart(sceneState());
    return ok(sceneAnswer());
}

Answer Session::doEdit(const Json& command) {
    finishPull();
    document_.edit({.label = textIfIn(command, "label").value_or("Edit"),
                    .patch = listIn(command, "patch"),
                    .merge = textIfIn(command, "merge").value_or(""),
                    .version = countIfIn(command, "base")});
    return changedAnswer(command);
}

Answer Session::doUndo(const Json& command) {
    finishPull();
    if (!document_.undo()) throw InputError("undo", "there is nothing to undo");
    return changedAnswer(command);
}

Answer Session::doRedo(const Json& command) {
    finishPull();
    if (!document_.redo()) throw InputError("redo", "there is nothing to redo");
    return changedAnswer(command);
}

// ---- by hand

std::string Session::freeBodyName(const std::string& wanted) const {
    std::set<std::string> taken{"floor"};
    for (const char* list : {"bodies", "instances"}) {
        const Json items = document_.json().value(list, Json::array());
        for (const Json& item : items) {
            const Json name = item.is_object() ? item.value("name", Json()) : Json();
            if (name.is_string()) taken.insert(name.get<std::string>());
        }
    }
    std::string name = wanted;
    for (int number = 2; taken.contains(name); ++number) name = fmt::format("{}-{}", wanted, number);
    return name;
}

Answer Session::doThrow(const Json& command) {
    finishPull();
    const Json& given = objectIn(command, "body");
    const std::unique_ptr<Runner::Hold> hold = take_.hold();  // the run waits until the body is there
    const Moment moment = take_.moment(countIfIn(command, "at"));
    Json body{{"name", freeBodyName(textIfIn(given, "name").value_or("ball"))}};
    for (const auto& item : given.items())
        if (item.key() != "name" && item.key() != "appears") body[item.key()] = item.value();
    if (moment.time > 0) body["appears"] = moment.time;
    const bool listed = document_.json().contains("bodies");
    const std::string pointer = fmt::format(
        "/bodies/{}", listed && document_.json()["bodies"].is_array() ? document_.json()["bodies"].size() : 0);
    Json patch = Json::array();
    if (!listed) patch.push_back({{"op", "add"}, {"path", "/bodies"}, {"value", Json::array()}});
    patch.push_back({{"op", "add"}, {"path", "/bodies/-"}, {"value", body}});
    document_.edit({.label = textIfIn(command, "label").value_or("Throw a ball"), .patch = patch});
    Answer answer = changedAnswer(command);
    answer.json["name"] = body["name"];
    answer.json["pointer"] = pointer;
    return answer;
}

Answer Session::doAct(const Json& command) {
    finishPull();
    const Json& given = objectIn(command, "action");
    const std::unique_ptr<Runner::Hold> hold = take_.hold();
    Json action{{"type", textIn(given, "type")}};
    if (action["type"] != "pull") action["time"] = take_.moment(countIfIn(command, "at")).time;
    for (const auto& item : given.items())
        if (!action.contains(item.key())) action[item.key()] = item.value();
    const std::string body = textIfIn(given, "body").value_or("a body");
    const std::string what = action["type"] == "place" ? "Move " : action["type"] == "push" ? "Push " : "Drag ";
    document_.edit({.label = textIfIn(command, "label").value_or(what + body),
                    .patch = actionPatch(document_.json(), action),
                    .merge = textIfIn(command, "merge").value_or("")});
    return changedAnswer(command);
}

Answer Session::doPullBegin(const Json& command) {
    finishPull();
    std::string body;
    if (command.contains("body") && command["body"].is_number()) {
        const uint64_t id = countIn(command, "body");
        const std::vector<RecordedBody> found = take_.footage().footage().bodies(static_cast<uint32_t>(id));
        if (found.empty() || found.front().id != id) throw InputError("body", fmt::format("there is no body {}", id));
        body = found.front().name;
    } else {
        body = textIn(command, "body");
    }
    take_.beginPull(body, vectorIn(command, "point"));
    return ok();
}

Answer Session::doPullMove(const Json& command) {
    take_.movePull(vectorIn(command, "target"));
    return ok();
}

Answer Session::doPullEnd(const Json&) {
    finishPull();
    return ok(sceneAnswer());
}

void Session::finishPull() {
    if (!take_.isPulling()) return;
    const std::unique_ptr<Runner::Hold> hold = take_.hold();
    const std::optional<Json> action = take_.endPull();
    if (!action) return;
    document_.edit({.label = "Drag " + action->value("body", ""), .patch = actionPatch(document_.json(), *action)});
    documentChanged();
}

// ---- files

std::string Session::fileName() const { return file_ ? project_.nameOf(*file_) : ""; }

void Session::refuseToLose(const Json& command) const {
    if (document_.saved() || flagIn(command, "discard")) return;
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

Json Session::withRecovery(Json answer) {
    if (recovery_) answer["recovery"] = {{"time", recovery_->time}, {"edits", recovery_->edits}};
    return answer;
}

Answer Session::doNew(const Json& command) {
    finishPull();
    refuseToLose(command);
    project_.forgetUnsaved(fileName());
    setFile({}, project_.folder());
    fileStamp_.clear();
    recovery_.reset();
    document_.replace(emptyScene());
    take_.showStart(sceneState());
    documentChanged(TakeIs::UpToDate);
    return ok(sceneAnswer());
}

Answer Session::doOpen(const Json& command) {
    const fs::path path = project_.existing(textIn(command, "path"));
    finishPull();
    refuseToLose(command);
    const std::string before = fileName();
    const bool unsaved = !document_.saved();
    if (path.extension() == kRecordingExtension) {
        openRecording(path);
    } else if (isSceneFile(path)) {
        openScene(path);
    } else {
        throw InputError(inQuotes(textIn(command, "path")),
                         "is neither a scene (.json) nor a recording (.sunder); meshes are added to a scene");
    }
    if (unsaved) project_.forgetUnsaved(before);  // discarded on purpose
    project_.remember(path);
    documentChanged(TakeIs::UpToDate);
    return ok(withRecovery(sceneAnswer()));
}

void Session::openScene(const fs::path& path) {
    const std::string name = project_.nameOf(path);
    const std::string text = readWholeFile(path, scene::kMaxSceneBytes + 1);
    Json document = documentFrom(text, name);
    setFile(path, path.parent_path());
    fileStamp_ = contentHash(std::as_bytes(std::span(text.data(), text.size())));
    document_.replace(std::move(document));
    recovery_ = project_.unsaved(name);
    if (recovery_ && recovery_->text == document_.text()) recovery_.reset();
    if (Json::parse(text, nullptr, false).is_discarded())
        log_.add({.level = MessageLevel::Warning, .text = name + " has comments; they are lost when Studio saves it"});
    if (!take_.showLastTakeOf(sceneState())) take_.showStart(sceneState());
}

void Session::openRecording(const fs::path& path) {
    const std::string name = project_.nameOf(path);
    const RecordingReader reader(path);
    (void)reader.lastFrame();  // complains when there is none
    const std::string text = reader.meta("scene");
    Json document = text.empty() ? emptyScene() : documentFrom(text, "the scene in " + name);
    // as it was run
    const Json settings = Json::parse(reader.meta("settings"), nullptr, false);
    scene::Issues issues(name);
    if (settings.is_object()) {
        const Json changes = settings.value("set", Json::array());
        for (const Json& change : changes)
            if (change.is_string()) scene::applySetting(change.get<std::string>(), document, issues);
        const Json seed = settings.value("seed", Json());
        if (seed.is_number()) document["world"]["seed"] = seed;
    }
    setFile({}, path.parent_path());
    fileStamp_.clear();
    recovery_.reset();
    document_.replace(std::move(document));
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
    finishPull();
    const bool named = textIfIn(command, "path").has_value();
    if (!named && !file_) throw InputError("save", "the scene has no name yet; give one");
    const fs::path path = named ? outputPath(command, ".json") : *file_;
    const bool same = file_ && path == *file_;
    if (same && fs::exists(path) && stampOfFile(path) != fileStamp_ && !flagIn(command, "force"))
        throw InputError(fileName(),
                         "was changed by another program since it was opened; save under another name, or "
                         "say that it may be replaced");
    const std::string before = fileName();
    const std::string text = document_.text();
    writeFileAtomically(path, text);
    setFile(path, path.parent_path());
    fileStamp_ = contentHash(std::as_bytes(std::span(text.data(), text.size())));
    document_.markSaved();
    project_.forgetUnsaved(before);
    project_.remember(path);
    recovery_.reset();
    log_.add({.level = MessageLevel::Info, .text = "saved " + fileName()});
    if (!same) document_.examineAgain();  // meshes are relative to the scene
    same ? publishDocument() : documentChanged();
    changed();
    return ok(sceneAnswer());
}

Answer Session::doFiles(const Json& command) { return ok(project_.list(textIfIn(command, "folder").value_or(""))); }

Answer Session::doRecent(const Json&) { return ok({{"recent", project_.recent()}}); }

Answer Session::doRecover(const Json&) {
    if (!recovery_) throw InputError("recover", "there is nothing to recover");
    const Json recovered = documentFrom(recovery_->text, "the recovered scene");
    // one step, so that it can be undone
    const Json patch = Json::array({{{"op", "replace"}, {"path", ""}, {"value", recovered}}});
    document_.edit({.label = "Recover unsaved changes", .patch = patch, .merge = {}, .version = {}});
    recovery_.reset();
    documentChanged();
    return ok(sceneAnswer());
}

Answer Session::doForgetRecovery(const Json&) {
    recovery_.reset();
    if (document_.saved()) project_.forgetUnsaved(fileName());
    return ok();
}

Answer Session::doKeep(const Json& command) {
    const fs::path recording = take_.recording("keep");
    const fs::path path = outputPath(command, kRecordingExtension);
    if (path == recording) return ok({{"path", project_.nameOf(path)}});
    RecordingReader reader(recording);
    const fs::path unfinished = project_.own("unfinished.sunder");
    fs::remove(unfinished);
    reader.copyTo(unfinished);
    fs::rename(unfinished, path);
    log_.add({.level = MessageLevel::Info, .text = "kept as " + project_.nameOf(path)});
    changed();
    return ok({{"path", project_.nameOf(path)}});
}

// ---- what is shown

FootageAnswers& Session::footageOf(const Json& command) {
    const std::optional<uint64_t> take = countIfIn(command, "take");
    return take ? take_.footage(*take) : take_.footage();
}

Answer Session::doBodies(const Json& command) {
    const uint64_t from = countIfIn(command, "from").value_or(0);
    if (from > std::numeric_limits<uint32_t>::max()) throw InputError("from", "is no number of a body");
    return ok(footageOf(command).bodies(static_cast<uint32_t>(from), countIfIn(command, "deaths_from"),
                                        [this](const std::string& body) { return sourceOf(body); }));
}

Answer Session::doFrames(const Json& command) {
    const uint64_t from = countIn(command, "from");
    Answer answer = ok();
    answer.binary = true;
    answer.bytes = footageOf(command).frames(from, countIfIn(command, "to").value_or(from), answer.json);
    return answer;
}

Answer Session::doFigures(const Json& command) {
    const uint64_t from = countIn(command, "from");
    return ok(footageOf(command).figures(from, countIfIn(command, "to").value_or(from)));
}

Answer Session::doEvents(const Json& command) {
    return ok(footageOf(command).events(countIfIn(command, "from").value_or(0)));
}

Answer Session::doImpacts(const Json& command) { return ok(footageOf(command).impacts(countIn(command, "frame"))); }

Answer Session::doMeshes(const Json& command) {
    std::vector<std::string> hashes;
    for (const Json& hash : listIn(command, "hashes")) {
        if (!hash.is_string()) throw InputError("hashes", "must be texts, found " + scene::shown(hash));
        hashes.push_back(hash.get<std::string>());
    }
    Answer answer = ok();
    answer.binary = true;
    answer.bytes = footageOf(command).meshes(hashes, answer.json);
    return answer;
}

Answer Session::doRun(const Json& command) {
    if (countIfIn(command, "from")) finishPull();
    if (document_.examined().errors > 0)
        throw EditError("the scene has errors; mend them first", document_.examined().issues);
    take_.run({.from = countIfIn(command, "from"),
               .frames = countIfIn(command, "frames"),
               .steps = {},
               .pace = paceIfIn(command)},
              sceneState());
    return ok();
}

Answer Session::doPause(const Json&) {
    take_.pause();
    return ok();
}

Answer Session::doStep(const Json& command) {
    if (document_.examined().errors > 0)
        throw EditError("the scene has errors; mend them first", document_.examined().issues);
    take_.run({.from = countIfIn(command, "from"),
               .frames = {},
               .steps = countIfIn(command, "frames").value_or(1),
               .pace = {}},
              sceneState());
    return ok();
}

Answer Session::doRestart(const Json&) {
    finishPull();
    take_.showStart(sceneState());
    return ok();
}

Answer Session::doPace(const Json& command) {
    take_.setPace(paceIn(textIn(command, "pace")));
    return ok();
}

std::string Session::mesh(const std::string& hash) {
    const std::lock_guard lock(mutex_);
    const std::shared_ptr<const TriMesh> found = take_.footage().footage().mesh(hash);
    if (found == nullptr) throw InputError("mesh " + inQuotes(hash), "is not in the take that is shown");
    return meshAnswer(*found);
}

// ---- beside it

Answer Session::doLog(const Json& command) { return ok(log_.since(countIfIn(command, "from").value_or(0))); }

Answer Session::doDiagnose(const Json& command) {
    return ok(diagnosis(readMesh(project_.existing(textIn(command, "path")))));
}

Answer Session::doRepair(const Json& command) {
    const fs::path source = project_.existing(textIn(command, "path"));
    (void)meshFormatOf(source);
    const fs::path target =
        freeName(source.parent_path() / (source.stem().string() + "-repaired.ply"));  // keeps all that a mesh has
    const std::string name = project_.nameOf(target);
    const uint64_t id = jobs_.start("Repair " + source.filename().string(), [source, target, name](Progress& progress) {
        const MeshFile file = readMesh(source);
        const RepairResult result = repair(file.mesh, {}, &progress);
        if (!isSolid(result.verdict)) throw InputError(source.filename().string(), result.reason);
        writeMesh(result.mesh, target);
        return Json{{"path", name}, {"report", repairReport(result)}};
    });
    changed();
    return ok({{"job", id}});
}

Answer Session::doExport(const Json& command) {
    const fs::path recording = take_.recording("export");
    const std::string name = textIn(command, "path");
    const fs::path path = project_.resolve(name);
    const Exporter& exporter = exporterFor(path);
    if (*exporter.extension) (void)outputPath(command, exporter.extension);
    ExportOptions options;
    options.firstFrame = countIfIn(command, "first");
    options.lastFrame = countIfIn(command, "last");
    options.tolerance = numberIfIn(command, "tolerance");
    options.every = std::max<uint64_t>(1, countIfIn(command, "every").value_or(1));
    if (const auto format = textIfIn(command, "pieces_as")) options.pieceFormat = meshFormatOf("piece." + *format);
    options.blenderScript = flagIn(command, "blender_script");
    options.overwrite = flagIn(command, "force");
    const uint64_t id = jobs_.start("Export " + name, [=, &exporter](Progress& progress) {
        RecordingReader reader(recording);
        exporter.write(reader, path, options, progress);
        return Json{{"path", name}};
    });
    changed();
    return ok({{"job", id}});
}

Answer Session::doRender(const Json& command) {
    const fs::path recording = take_.recording("render");
    FilmRequest request;
    request.output = project_.resolve(textIn(command, "path"));
    request.frame = countIfIn(command, "frame");
    request.from = countIfIn(command, "first");
    request.to = countIfIn(command, "last");
    request.every = countIfIn(command, "every");
    if (const auto width = countIfIn(command, "width"))
        request.width = static_cast<int>(std::min<uint64_t>(*width, 16384));
    if (const auto height = countIfIn(command, "height"))
        request.height = static_cast<int>(std::min<uint64_t>(*height, 16384));
    request.contactSheet = flagIn(command, "contact_sheet");
    request.force = flagIn(command, "force");
    if (!request.output.extension().empty()) (void)outputPath(command, request.output.extension().string());
    const std::string name = project_.nameOf(request.output);
    const uint64_t id = jobs_.start("Render " + name, [=](Progress& progress) {
        RecordingReader reader(recording);
        const std::vector<std::string> warnings = renderFilm(reader, request, progress);
        return Json{{"path", name}, {"warnings", warnings}};
    });
    changed();
    return ok({{"job", id}});
}

Answer Session::doCancel(const Json& command) {
    if (!jobs_.cancel(countIn(command, "job"))) throw InputError("job", "there is no such job at work");
    return ok();
}

fs::path Session::uploadPlace() {
    static std::atomic<uint64_t> number{0};
    return project_.own(fmt::format("uploads/{}", ++number));
}

Json Session::adoptUpload(const std::string& name, const fs::path& file) {
    if (name.find('/') != std::string::npos || name.find('\\') != std::string::npos || name.starts_with('.'))
        throw InputError(inQuotes(name), "must be the name of a mesh file, without folders");
    const fs::path wanted = project_.resolve("meshes/" + name);
    Json report = diagnosis(readMesh(file, meshFormatOf(wanted)));  // no mesh: it stays out of the project
    const std::lock_guard lock(mutex_);
    fs::create_directories(wanted.parent_path());
    const fs::path path = freeName(wanted);
    fs::rename(file, path);
    return {{"path", project_.nameOf(path)}, {"diagnosis", std::move(report)}};
}

fs::path Session::download(const std::string& path) const { return project_.existing(path); }

// ---- what is not saved

void Session::autosave() {
    const std::lock_guard lock(mutex_);
    try {
        if (document_.saved()) {
            if (!recovery_) project_.forgetUnsaved(fileName());
        } else {
            project_.keepUnsaved(fileName(), document_.text(), document_.editsSinceSaved());
        }
    } catch (const std::exception& error) {
        log_.add({.level = MessageLevel::Warning, .text = std::string("autosave: ") + error.what()});
    }
}

void Session::autosaveLoop() {
    std::unique_lock lock(autosaveMutex_);
    for (;;) {
        autosaveWake_.wait(lock, [&] { return autosaveDue_ || ending_; });
        if (autosaveDue_) {
            autosaveWake_.wait_for(lock, options_.autosaveAfter, [&] { return ending_; });
            autosaveDue_ = false;
            lock.unlock();
            autosave();
            lock.lock();
        }
        if (ending_ && !autosaveDue_) return;
    }
}

Json shapesJson() {
    Json list = Json::array();
    for (const ShapeInfo& shape : allShapes()) list.push_back(toJson(shape));
    list.push_back({{"name", scene::kPlane},
                    {"help", "everything below y = 0, without end"},
                    {"open", false},
                    {"parameters", Json::array()}});
    return list;
}

}  // namespace sunder::studio
