#include "io/exports/replay_payload.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <numbers>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "io/exports/replay_facts.h"
#include "io/exports/replay_meshes.h"
#include "io/exports/replay_tracks.h"
#include "io/files/byte_order.h"
#include "io/looks/box_corners.h"
#include "io/recording/frame_range.h"

namespace sunder {

namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMostStressBytes = size_t{24} << 20;  // before the page is packed

/// Header and blobs, put together at the end.
class Payload {
public:
    Json header = Json::object();

    void add(const char* name, std::string_view bytes) {
        header["blobs"][name] = {blobs_.size(), bytes.size()};
        blobs_ += bytes;
    }
    void add(const char* name, std::span<const std::byte> bytes) {
        add(name, std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    }
    std::string take() {
        const std::string text = header.dump(-1, ' ', false, Json::error_handler_t::replace);
        std::string all = kReplayMagic;
        store(all, kReplayVersion);
        store(all, static_cast<uint32_t>(text.size()));
        return all + text + std::move(blobs_);
    }

private:
    std::string blobs_;
};

Json toJson(const Vec3& v) { return Json::array({v.x(), v.y(), v.z()}); }

Json parsed(const std::string& text) {
    Json json = Json::parse(text, nullptr, false, true);
    return json.is_discarded() ? Json() : json;
}

/// The scene's title, or the name of its file.
std::string titleOf(const RecordingReader& recording) {
    const Json scene = parsed(recording.meta("scene"));
    if (scene.is_object() && scene.contains("title") && scene["title"].is_string()) return scene["title"];
    return std::filesystem::path(recording.meta("scene_name")).stem().string();
}

// ---- what is there

Json latticesJson(const ReplayMeshes& meshes) {
    Json all = Json::array();
    for (const ReplayLattice& lattice : meshes.lattices)
        all.push_back({{"origin", toJson(lattice.origin)}, {"step", lattice.step}});
    return all;
}

void addMeshes(Payload& payload, const ReplayMeshes& meshes) {
    payload.header["lattices"] = latticesJson(meshes);
    Json columns{{"lattice", Json::array()},
                 {"vertices", Json::array()},
                 {"triangles", Json::array()},
                 {"outside", Json::array()}};
    for (const ReplayMesh& mesh : meshes.meshes) {
        columns["lattice"].push_back(mesh.lattice);
        columns["vertices"].push_back(mesh.vertices);
        columns["triangles"].push_back(mesh.triangles);
        columns["outside"].push_back(mesh.outside);
    }
    payload.header["meshes"] = std::move(columns);
    payload.add("vertices", meshes.vertices);
    payload.add("triangles", meshes.triangles);
}

/// Fragments are named by what their parent's name lacks.
std::string ownName(const RecordedBody& body, std::span<const RecordedBody> bodies) {
    if (!body.parent || *body.parent >= bodies.size()) return body.name;
    const std::string start = bodies[*body.parent].name + "/";
    return body.name.starts_with(start) ? body.name.substr(start.size()) : "/" + body.name;
}

int64_t orNone(const auto& value) { return value ? static_cast<int64_t>(*value) : -1; }

void addBodies(Payload& payload, const RecordingReader& recording, std::span<const RecordedBody> bodies,
               const ReplayMeshes& meshes) {
    Json columns = Json::object();
    ReplayLooks looks(recording.meta("looks"));
    std::string numbers;
    for (const RecordedBody& body : bodies) {
        const bool drawn = body.mesh && meshes.indexOf.contains(*body.mesh);
        columns["name"].push_back(ownName(body, bodies));
        columns["parent"].push_back(orNone(body.parent));
        columns["root"].push_back(body.root);
        columns["mesh"].push_back(drawn ? static_cast<int64_t>(meshes.indexOf.at(*body.mesh)) : -1);
        columns["halfspace"].push_back(body.mesh ? 0 : 1);
        columns["kind"].push_back(body.kind);
        columns["look"].push_back(looks.of(body));
        columns["method"].push_back(body.method);
        columns["born"].push_back(body.born);
        columns["died"].push_back(orNone(body.died));
        for (const double value : {body.mass, body.volume, body.centre.x(), body.centre.y(), body.centre.z()})
            store(numbers, static_cast<float>(value));
    }
    payload.header["bodies"] = std::move(columns);
    payload.header["looks"] = looks.json();
    payload.add("bodyNumbers", numbers);
}

// ---- how it moves

/// Of everything that is drawn in the first frame, m.
double sceneSize(RecordingReader& recording, uint64_t frame, std::span<const RecordedBody> bodies,
                 const ReplayMeshes& meshes) {
    Box3 box;
    for (const RecordedPose& pose : recording.poses(frame)) {
        const RecordedBody& body = bodies[pose.body];
        if (!body.mesh) continue;
        const Box3& own = meshes.meshes[meshes.indexOf.at(*body.mesh)].box;
        for (const Vec3& p : cornersOf(own, pose.worldFromMesh)) box.add(p);
    }
    return box.empty() ? 1 : box.diagonal();
}

/// m, a power of two: a 65,000th of the scene, and finer than the smallest piece, down to a millionth of the scene.
double positionQuantumOf(double size, std::span<const RecordedBody> living) {
    double smallest = size;  // radius of a ball of its volume
    for (const RecordedBody& body : living)
        if (body.volume > 0) smallest = std::min(smallest, std::cbrt(body.volume * 0.75 / std::numbers::pi));
    const double wanted = std::clamp(smallest / 64, size * 0x1p-20, size * 0x1p-16);
    return std::exp2(std::floor(std::log2(wanted)));
}

void addTracks(Payload& payload, RecordingReader& recording, const FrameRange& range, double quantum, size_t bodyCount,
               Progress& progress) {
    std::vector<ReplayTrack> tracks(bodyCount);
    for (uint64_t frame = range.first; frame <= range.last; ++frame) {
        for (const auto& [body, pose] : recording.quantisedPoses(frame)) {
            if (body >= bodyCount)
                throw InputError("frame " + std::to_string(frame),
                                 "moves body " + std::to_string(body) + ", which is not there; the file is damaged");
            tracks[body].add(positionOf(pose, recording.positionQuantum()), rotationOf(pose), quantum);
        }
        progress.advance();
    }
    std::vector<std::byte> bytes;
    Json samples = Json::array();
    for (const ReplayTrack& track : tracks) {
        samples.push_back(track.samples());
        track.appendTo(bytes);
    }
    payload.header["bodies"]["samples"] = std::move(samples);
    payload.header["quanta"] = {{"position", quantum}, {"rotation", kReplayRotationQuantum}};
    payload.add("tracks", bytes);
}

// ---- what happened

/// Whoever breaks in the first frame is not in the replay, so there is nothing to show its stress on. What is more than
/// a page should hold is told in numbers alone.
void addEvents(Payload& payload, const RecordingReader& recording, const FrameRange& range, bool withStress) {
    Json events = Json::array();
    std::vector<std::byte> stress;
    const std::vector<RecordedEvent> all = recording.events();
    for (size_t i = 0; i < all.size(); ++i) {
        if (all[i].frame < range.first || all[i].frame > range.last) continue;
        events.push_back(replayEvent(all[i]));
        if (!events.back().contains("stress") || all[i].frame == range.first || !withStress) continue;
        const std::vector<std::byte> bytes = recording.stressBytes(i);
        if (bytes.empty() || stress.size() + bytes.size() > kMostStressBytes) continue;
        events.back()["stress"]["bytes"] = {stress.size(), bytes.size()};
        stress.insert(stress.end(), bytes.begin(), bytes.end());
    }
    payload.header["events"] = std::move(events);
    payload.add("stress", stress);
}

void addSeries(Payload& payload, const RecordingReader& recording, const FrameRange& range) {
    const std::vector<std::string> names = replaySeries();
    std::vector<std::string> rows(names.size());
    Json times = Json::array();
    for (const RecordedFrame& frame : recording.frames(range.first, range.last)) {
        const std::vector<float> figures = replayFigures(frame);
        for (size_t k = 0; k < rows.size(); ++k) store(rows[k], figures[k]);
        times.push_back(frame.time);
    }
    std::string all;
    for (const std::string& row : rows) all += row;
    payload.header["series"] = names;
    payload.header["times"] = std::move(times);
    payload.add("series", all);
}

}  // namespace

std::string replayPayload(RecordingReader& recording, const ExportOptions& options, Progress& progress) {
    const FrameRange range = framesBetween(recording, options.firstFrame, options.lastFrame);
    progress.start("replay", static_cast<double>(range.count()));
    const std::vector<RecordedBody> bodies = recording.bodies();
    std::vector<RecordedBody> living;
    for (const RecordedBody& body : bodies)
        if (isSeen(body, range)) living.push_back(body);
    const ReplayMeshes meshes = replayMeshes(recording, living);

    Payload payload;
    const Json view = parsed(recording.meta("view"));
    payload.header["title"] = titleOf(recording);
    payload.header["program"] = recording.meta("program");
    payload.header["dt"] = recording.dt();
    payload.header["first_frame"] = range.first;
    payload.header["frames"] = range.count();
    if (view.is_object()) payload.header["view"] = view;
    addMeshes(payload, meshes);
    addBodies(payload, recording, bodies, meshes);
    const double size = sceneSize(recording, range.first, bodies, meshes);
    addTracks(payload, recording, range, positionQuantumOf(size, living), bodies.size(), progress);
    addEvents(payload, recording, range, !options.withoutStress);
    addSeries(payload, recording, range);
    progress.finish();
    return payload.take();
}

}  // namespace sunder
