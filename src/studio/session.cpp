#include "studio/session.h"

#include <algorithm>
#include <new>
#include <set>

#include <fmt/format.h>

#include "base/error.h"
#include "base/parallel.h"
#include "geometry/mesh/mass_properties.h"
#include "io/exports/exporter.h"
#include "io/files/source.h"
#include "io/mesh/reports.h"
#include "scene/expand.h"
#include "scene/shape_names.h"
#include "schema/json_text.h"

namespace sunder::studio {

namespace fs = std::filesystem;

namespace {

Json errorJson(const std::string& message, const std::vector<schema::Issue>& issues = {}) {
    return {{"error", {{"message", message}, {"issues", issuesJson(issues)}}}};
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
    if (!sound || !vector.allFinite()) throw InputError(key, "must be three numbers, found " + schema::shown(list));
    return vector;
}
}  // namespace

Answer ok(Json json) {
    Json answer{{"ok", true}};
    answer.update(json);
    return {std::move(answer)};
}
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
    beginSitting();
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
        // the scene and its files
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
        // what is shown
        {"bodies", &Session::doBodies},
        {"frames", &Session::doFrames},
        {"figures", &Session::doFigures},
        {"events", &Session::doEvents},
        {"impacts", &Session::doImpacts},
        {"stream", &Session::doStream},
        {"stress", &Session::doStress},
        // the run
        {"run", &Session::doRun},
        {"pause", &Session::doPause},
        {"step", &Session::doStep},
        {"restart", &Session::doRestart},
        {"take_before", &Session::doTakeBefore},
        {"pace", &Session::doPace},
        // brushes and grains, hands
        {"meshes", &Session::doMeshes},
        {"canvas", &Session::doCanvas},
        {"grains", &Session::doGrains},
        {"throw", &Session::doThrow},
        {"act", &Session::doAct},
        {"pull_begin", &Session::doPullBegin},
        {"pull_move", &Session::doPullMove},
        {"pull_end", &Session::doPullEnd},
        // messages and what takes long
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
    // every failure becomes an answer that says why
    Answer answer;
    try {
        if (!command.is_object()) throw InputError("command", "must be an object, found " + schema::shown(command));
        const std::string name = textIn(command, "do");
        const auto handler = handlers().find(name);
        if (handler == handlers().end()) throw InputError("do", "there is no command " + inQuotes(name));
        // what only reads files waits for nobody, and nobody for it
        static const std::set<std::string> alone{"diagnose", "files", "log"};
        std::unique_lock lock(mutex_, std::defer_lock);
        if (!alone.contains(name)) lock.lock();
        answer = (this->*handler->second)(command);
    } catch (const EditError& error) {
        answer.json = errorJson(error.message(), error.issues());
    } catch (const schema::SceneError& error) {
        answer.json = errorJson(error.what(), error.issues().list());
    } catch (const std::bad_alloc&) {
        answer.json = errorJson("not enough memory for that");
    } catch (const std::exception& error) {
        answer.json = errorJson(error.what());
    }
    // the page finds the question by its number
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
                       {"recoveries", recoveries_.size()},
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
    const SceneState state = sceneState();
    if (take == TakeIs::Behind) take_.sceneChanged(state);
    autosaveLater(state.text);
    changed();
}

Answer Session::doScene(const Json&) { return ok(withRecovery(sceneAnswer())); }

Answer Session::changedAnswer(const Json& command, By by) {
    documentChanged();
    if (by == By::History) take_.bringBack(sceneState());
    if (flagIn(command, "restart") && take_.isStale()) take_.leaveForStart(sceneState());
    Answer answer = ok(sceneAnswer());
    if (by == By::History) answer.json["take"] = take_.status();
    return answer;
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
    return changedAnswer(command, By::History);
}

Answer Session::doRedo(const Json& command) {
    finishPull();
    if (!document_.redo()) throw InputError("redo", "there is nothing to redo");
    return changedAnswer(command, By::History);
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
    // one hand at a time
    finishPull();
    const Json& given = objectIn(command, "body");
    const std::unique_ptr<Runner::Hold> hold = take_.hold();  // the run waits until the body is there
    const Moment moment = take_.moment(countIfIn(command, "at"));
    // the body as it is given, but with a free name and the time of the moment shown
    Json body{{"name", freeBodyName(textIfIn(given, "name").value_or("ball"))}};
    for (const auto& item : given.items())
        if (item.key() != "name" && item.key() != "appears") body[item.key()] = item.value();
    if (moment.time > 0) body["appears"] = moment.time;
    // a scene without bodies gets its list with the first
    const bool listed = document_.json().contains("bodies");
    const std::string pointer = fmt::format(
        "/bodies/{}", listed && document_.json()["bodies"].is_array() ? document_.json()["bodies"].size() : 0);
    Json patch = Json::array();
    if (!listed) patch.push_back({{"op", "add"}, {"path", "/bodies"}, {"value", Json::array()}});
    patch.push_back({{"op", "add"}, {"path", "/bodies/-"}, {"value", body}});
    // the same step as any other edit, so it can be undone
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

// ---- what is not saved

void Session::beginSitting() {
    // recoveries that hold what the scene is already are no use
    takenUp_.clear();
    recoveries_ = autosaves_.of(fileName());
    const std::string now = document_.text();
    std::erase_if(recoveries_, [&](const Recovery& recovery) {
        const bool same = recovery.work.text == now;
        if (same) autosaves_.forget(recovery.id);
        return same;
    });
}

void Session::endSitting(TakenUp takenUp) {
    const std::lock_guard files(autosaveFiles_);
    std::string id;
    {
        const std::lock_guard lock(autosaveMutex_);
        id = std::exchange(kept_, {}).id;
    }
    if (!id.empty()) autosaves_.forget(id);
    if (takenUp == TakenUp::Stays) return;
    for (const std::string& taken : takenUp_) autosaves_.forget(taken);
    takenUp_.clear();
}

void Session::autosaveLater(const std::string& text) {
    {
        const std::lock_guard lock(autosaveMutex_);
        kept_.saved = document_.saved();
        kept_.work.reset();
        if (!kept_.saved)
            kept_.work = UnsavedWork{
                .scene = fileName(), .base = fileStamp_, .text = text, .edits = document_.editsSinceSaved()};
        autosaveDue_ = true;
    }
    autosaveWake_.notify_all();
}

void Session::keepUnsaved() {
    // taken over under the lock, written outside it: commands do not wait for the disk
    const std::lock_guard files(autosaveFiles_);
    Kept now;
    {
        const std::lock_guard lock(autosaveMutex_);
        now = kept_;
        kept_.work.reset();
    }
    try {
        if (now.saved && !now.id.empty()) autosaves_.forget(now.id);
        if (!now.work) return;
        if (now.id.empty()) now.id = autosaves_.begin(now.work->scene);
        autosaves_.keep(now.id, *now.work);
        const std::lock_guard lock(autosaveMutex_);
        kept_.id = now.id;
    } catch (const std::exception& error) {
        log_.add({.level = MessageLevel::Warning, .text = std::string("autosave: ") + error.what()});
    }
}

void Session::endSoon() {
    jobs_.cancelAll();
    keepUnsaved();
}

void Session::autosaveLoop() {
    std::unique_lock lock(autosaveMutex_);
    for (;;) {
        autosaveWake_.wait(lock, [&] { return autosaveDue_ || ending_; });
        if (autosaveDue_) {
            autosaveWake_.wait_for(lock, options_.autosaveAfter, [&] { return ending_; });
            autosaveDue_ = false;
            lock.unlock();
            keepUnsaved();
            lock.lock();
        }
        if (ending_ && !autosaveDue_) return;
    }
}

namespace {

/// How large a shape is by default, and how high its origin is above its lowest point. A coarse mesh will do.
struct ShapeSize {
    double volume = 0, lift = 0;  // m^3, 0 for open shapes; m
};
ShapeSize sizeOf(const ShapeInfo& shape) {
    constexpr int kCoarse = 24;
    const TriMesh mesh = makeShape(shape.name, {}, kCoarse);
    return {shape.open ? 0 : volume(mesh), -boundsOf(mesh).min.y()};
}

/// Made once, all shapes at a time.
const std::vector<ShapeSize>& shapeSizes() {
    static const std::vector<ShapeSize> sizes = [] {
        std::vector<ShapeSize> all(allShapes().size());
        parallelFor(all.size(), 1, [&](const BlockRange& block) {
            for (size_t i = block.begin; i < block.end; ++i) all[i] = sizeOf(allShapes()[i]);
        });
        return all;
    }();
    return sizes;
}

}  // namespace

Json shapesJson() {
    Json list = Json::array();
    for (size_t i = 0; i < allShapes().size(); ++i) {
        Json shape = toJson(allShapes()[i]);
        shape["volume"] = shapeSizes()[i].volume;
        shape["lift"] = shapeSizes()[i].lift;
        list.push_back(std::move(shape));
    }
    list.push_back({{"name", scene::kPlane},
                    {"help", "everything below y = 0, without end"},
                    {"open", false},
                    {"material", ""},
                    {"parameters", Json::array()},
                    {"volume", 0},
                    {"lift", 0}});
    return list;
}

Json exportersJson() {
    Json list = Json::array();
    for (const Exporter& exporter : exporters()) {
        list.push_back({{"ending", exporter.extension},
                        {"label", exporter.label},
                        {"help", exporter.description},
                        {"one_file", exporter.oneFile},
                        {"options", std::string(exporter.options)}});
    }
    return list;
}

}  // namespace sunder::studio
