#include <limits>
#include <span>

#include <fmt/format.h>

#include "base/error.h"
#include "geometry/repair/repair.h"
#include "io/exports/exporter.h"
#include "io/files/byte_order.h"
#include "io/files/file_access.h"
#include "io/files/source.h"
#include "io/mesh/mesh_io.h"
#include "io/mesh/reports.h"
#include "io/render/film_request.h"
#include "io/scene/nrrd.h"
#include "scene/expand.h"
#include "scene/fracture_of.h"
#include "scene/strength_paint.h"
#include "schema/json_text.h"
#include "studio/session.h"

/// The session's commands about what is shown: the take, and the jobs beside it.
namespace sunder::studio {

namespace fs = std::filesystem;

namespace {

constexpr uint64_t kMostEvery = 1000000;  // frames

Pace paceIn(const std::string& name) {
    if (name == "real") return Pace::Real;
    if (name == "fast") return Pace::Fast;
    throw InputError("pace", "must be \"real\" or \"fast\", found " + inQuotes(name));
}

std::optional<Pace> paceIfIn(const Json& command) {
    const std::optional<std::string> name = textIfIn(command, "pace");
    return name ? std::optional(paceIn(*name)) : std::nullopt;
}

/// An upload is under another name until it is known to be what it says.
MeshFile readMesh(const fs::path& path, MeshFormat format) {
    const std::string bytes = readWholeFile(path);
    return sunder::readMesh(std::as_bytes(std::span(bytes.data(), bytes.size())), format, "the upload");
}
using sunder::readMesh;

fracture::VolumeTexture readVolume(const fs::path& path) {
    const std::string bytes = readWholeFile(path);
    return readNrrd(Source{"the upload", bytes, {}});
}

Json diagnosis(const MeshFile& file) {
    const Diagnosis found = diagnose(file.mesh);
    Json json = meshReport(file, found);
    json["summary"] = describe(found);
    json["repairable"] = !found.solid() && !file.mesh.empty();
    return json;
}

/// "name-2.obj", or a higher number, when something has the name "name.obj". The file is made, so that nobody else gets
/// the name.
fs::path newFile(const fs::path& path) {
    fs::path free = path;
    for (int number = 2; !makeFile(free); ++number)
        free = path.parent_path() / fmt::format("{}-{}{}", path.stem().string(), number, path.extension().string());
    return free;
}

Answer binary(const std::string& bytes) {
    Answer answer = ok();
    answer.binary = true;
    const auto all = std::as_bytes(std::span(bytes.data(), bytes.size()));
    answer.bytes.assign(all.begin(), all.end());
    return answer;
}
}  // namespace

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

Answer Session::doStream(const Json& command) {
    Answer answer = ok();
    answer.binary = true;
    answer.bytes = footageOf(command).stream(textIn(command, "name"), countIn(command, "of"), answer.json);
    return answer;
}

Answer Session::doStress(const Json& command) {
    Answer answer = ok();
    answer.binary = true;
    answer.bytes = footageOf(command).stress(countIn(command, "event"));
    return answer;
}

Answer Session::doMeshes(const Json& command) {
    std::vector<std::string> hashes;
    for (const Json& hash : listIn(command, "hashes")) {
        if (!hash.is_string()) throw InputError("hashes", "must be texts, found " + schema::shown(hash));
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
    return run({.from = countIfIn(command, "from"),
                .frames = countIfIn(command, "frames"),
                .steps = {},
                .pace = paceIfIn(command)});
}

void Session::lengthenFor(const RunWish& wish) {
    const uint64_t end = take_.endOf(wish, sceneState());
    const auto frames = static_cast<uint64_t>(document_.examined().scene.world.frames);
    if (end <= frames) return;
    Json patch = Json::array();
    if (!document_.json().contains("world"))
        patch.push_back({{"op", "add"}, {"path", "/world"}, {"value", Json::object()}});
    patch.push_back({{"op", "add"}, {"path", "/world/frames"}, {"value", end}});
    // one step after the other is one edit
    document_.edit({.label = fmt::format("Run on to frame {}", end),
                    .patch = patch,
                    .merge = wish.steps ? "run on#step" : "",
                    .version = {}});
    log_.add({.level = MessageLevel::Info,
              .text = fmt::format("the scene has {} frames now, {} before; undo takes it back", end, frames)});
    documentChanged();
}

Answer Session::run(const RunWish& wish) {
    lengthenFor(wish);
    take_.run(wish, sceneState());
    return ok(sceneAnswer());
}

Answer Session::doPause(const Json&) {
    take_.pause();
    return ok();
}

Answer Session::doStep(const Json& command) {
    if (document_.examined().errors > 0)
        throw EditError("the scene has errors; mend them first", document_.examined().issues);
    return run({.from = countIfIn(command, "from"),
                .frames = {},
                .steps = countIfIn(command, "frames").value_or(1),
                .pace = {}});
}

Answer Session::doRestart(const Json&) {
    finishPull();
    take_.leaveForStart(sceneState(), Take::Leave::OnPurpose);
    return ok();
}

Answer Session::doTakeBefore(const Json&) {
    finishPull();
    take_.showBefore(sceneState());
    return ok();
}

Answer Session::doPace(const Json& command) {
    take_.setPace(paceIn(textIn(command, "pace")));
    return ok();
}

std::shared_ptr<const TriMesh> Session::shownMesh(const std::string& hash) {
    std::shared_ptr<const TriMesh> found = take_.footage().footage().mesh(hash);
    if (found == nullptr) throw InputError("mesh " + inQuotes(hash), "is not in the take that is shown");
    return found;
}

Answer Session::doCanvas(const Json& command) {
    return binary(meshAnswer(scene::paintCanvas(*shownMesh(textIn(command, "hash")))));
}

Answer Session::doGrains(const Json& command) {
    // grains follow from the scene, so it must be sound
    if (document_.examined().errors > 0)
        throw EditError("the scene has errors; mend them first", document_.examined().issues);
    const scene::Scene& scene = document_.examined().scene;
    // only whole bodies have grains to preview; fragments have them behind them
    const uint64_t serial = countIn(command, "body");
    Footage& shown = take_.footage().footage();
    const std::vector<RecordedBody> bodies = shown.bodies(static_cast<uint32_t>(serial));
    if (bodies.empty() || bodies[0].id != serial || bodies[0].parent || !bodies[0].mesh)
        throw InputError("body", fmt::format("{} is no whole body with a mesh", serial));
    const std::shared_ptr<const TriMesh> mesh = shown.mesh(shown.meshHash(*bodies[0].mesh));
    // the same vertices as a brush paints on, each with the grain it lies in
    const TriMesh canvas = scene::paintCanvas(*mesh);
    std::vector<uint32_t> grains;
    for (const scene::PlacedBody& placed : scene::placedBodies(scene)) {
        if (placed.name == bodies[0].name && scene::showsRegions(scene, *placed.body))
            grains = scene::regionsAt(scene, placed, bodies[0].id, makeSolid(*mesh),
                                      {canvas.positions.begin(), canvas.positions.end()});
    }
    // a method without grains has nothing to show
    if (grains.empty()) return binary({});
    std::string bytes = meshAnswer(canvas);
    for (const uint32_t grain : grains) store(bytes, grain);
    return binary(bytes);
}

std::string Session::mesh(const std::string& hash) {
    const std::lock_guard lock(mutex_);
    return meshAnswer(*shownMesh(hash));
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
        newFile(source.parent_path() / (source.stem().string() + "-repaired.ply"));  // keeps all that a mesh has
    const std::string name = project_.nameOf(target);
    RepairOptions options;
    options.closeOpenings = flagIn(command, "close_openings");
    // the name is taken from now on, and given back when nothing comes of it
    const std::shared_ptr<const void> reserved(nullptr, [target](const void*) {
        std::error_code problem;
        if (fs::file_size(target, problem) == 0 && !problem) fs::remove(target, problem);
    });
    const uint64_t id =
        jobs_.start("Repair " + source.filename().string(), [=, kept = reserved](Progress& progress) mutable {
            const std::shared_ptr<const void> mine = std::move(kept);
            const MeshFile file = readMesh(source);
            const RepairResult result = repair(file.mesh, options, &progress);
            if (!isSolid(result.verdict)) throw InputError(source.filename().string(), result.reason);
            writeMesh(result.mesh, target);
            return Json{{"path", name}, {"report", repairReport(result)}};
        });
    changed();
    return ok({{"job", id}});
}

Answer Session::doExport(const Json& command) {
    // what is exported, and whether the name is one that may be written
    const fs::path recording = take_.recording("export");
    const std::string name = textIn(command, "path");
    const fs::path path = project_.resolve(name);
    const Exporter& exporter = exporterFor(path);
    if (*exporter.extension) (void)outputPath(command, exporter.extension);
    // what the exporter may be told
    ExportOptions options;
    options.firstFrame = countIfIn(command, "first");
    options.lastFrame = countIfIn(command, "last");
    options.tolerance = numberIfIn(command, "tolerance");
    options.every = countIfIn(command, "every", 1, kMostEvery).value_or(1);
    if (const auto format = textIfIn(command, "pieces_as")) options.pieceFormat = meshFormatOf("piece." + *format);
    options.blenderScript = flagIn(command, "blender_script");
    if (flagIn(command, "without_stress")) options.withoutStreams.insert("stress");
    options.overwrite = flagIn(command, "force");
    // in the background, with a reader of its own: the run may go on
    const uint64_t id = jobs_.start("Export " + name, [=, &exporter](Progress& progress) {
        RecordingReader reader(recording);
        exporter.write(reader, path, options, progress);
        return Json{{"path", name}, {"folder", path.parent_path().string()}};
    });
    changed();
    return ok({{"job", id}});
}

Answer Session::doRender(const Json& command) {
    // the frames and the size that were asked for, in the ranges that the command line has
    const fs::path recording = take_.recording("render");
    FilmRequest request;
    request.output = project_.resolve(textIn(command, "path"));
    request.frame = countIfIn(command, "frame");
    request.from = countIfIn(command, "first");
    request.to = countIfIn(command, "last");
    request.every = countIfIn(command, "every", 1, kMostEvery);
    if (const auto width = countIfIn(command, "width", 16, 16384)) request.width = static_cast<int>(*width);
    if (const auto height = countIfIn(command, "height", 16, 16384)) request.height = static_cast<int>(*height);
    request.contactSheet = flagIn(command, "contact_sheet");
    request.force = flagIn(command, "force");
    // a film or picture has an extension, a folder of frames has none
    if (!request.output.extension().empty()) (void)outputPath(command, request.output.extension().string());
    const std::string name = project_.nameOf(request.output);
    // in the background, with a reader of its own
    const uint64_t id = jobs_.start("Render " + name, [=](Progress& progress) {
        RecordingReader reader(recording);
        const std::vector<std::string> warnings = renderFilm(reader, request, progress);
        return Json{{"path", name}, {"folder", request.output.parent_path().string()}, {"warnings", warnings}};
    });
    changed();
    return ok({{"job", id}});
}

Answer Session::doCancel(const Json& command) {
    if (!jobs_.cancel(countIn(command, "job"))) throw InputError("job", "there is no such job at work");
    return ok();
}

fs::path Session::uploadPlace() {
    const fs::path place = project_.newOwn("uploads", "");
    if (!makeFile(place)) throw InputError(place.string(), "is in use; send the file again");
    return place;
}

Json Session::adoptUpload(const std::string& name, const fs::path& file) {
    // an upload names a file, not a place
    if (name.find('/') != std::string::npos || name.find('\\') != std::string::npos || name.starts_with('.'))
        throw InputError(inQuotes(name), "must be the name of a mesh or volume file, without folders");
    const bool isVolume = isVolumeFile(name);
    const fs::path wanted = project_.resolve((isVolume ? "volumes/" : "meshes/") + name);
    // what cannot be read stays out of the project
    Json answer;
    if (isVolume) {
        const Int3 count = readVolume(file).count;
        answer["samples"] = {count[0], count[1], count[2]};
    } else {
        answer["diagnosis"] = diagnosis(readMesh(file, meshFormatOf(wanted)));
    }
    // the name is free only as long as the session is locked
    const std::lock_guard lock(mutex_);
    fs::create_directories(wanted.parent_path());
    const fs::path path = newFile(wanted);
    fs::rename(file, path);
    answer["path"] = project_.nameOf(path);
    return answer;
}

fs::path Session::download(const std::string& path) const { return project_.existing(path); }
}  // namespace sunder::studio
