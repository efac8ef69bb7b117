#include "io/exports/replay_payload.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <numbers>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/assert.h"
#include "io/exports/replay_facts.h"
#include "io/exports/replay_meshes.h"
#include "io/exports/replay_tracks.h"
#include "io/files/byte_order.h"
#include "io/recording/frame_range.h"
#include "io/recording/recording_view.h"
#include "schema/json.h"
#include "schema/json_text.h"

namespace sunder {

namespace {

using schema::Json;
using schema::toJson;

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

/// The scene's title, or the name of its file.
std::string titleOf(const RecordingReader& recording) {
    schema::Issues ignored;
    const Json scene = schema::parseJson(recording.meta("scene"), ignored);
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
    // texts and whole numbers go to the header, column by column: they compress better than row by row
    Json columns = Json::object();
    ReplayLooks looks(recording.meta("looks"));
    std::string numbers;
    // a body that is not drawn stays in the list, so that its descendants find it
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
        // measures as one block of floats
        for (const double value : {body.mass, body.volume, body.centre.x(), body.centre.y(), body.centre.z()})
            store(numbers, static_cast<float>(value));
    }
    payload.header["bodies"] = std::move(columns);
    payload.header["looks"] = looks.json();
    payload.add("bodyNumbers", numbers);
}

// ---- how it moves

/// How large everything is that is drawn in the first frame, m.
double sceneSize(RecordingView& view, uint64_t frame) {
    Box3 box;
    for (const Vec3& p : view.corners(frame)) box.add(p);
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

void addTracks(Payload& payload, const RecordingView& view, const FrameRange& range, double quantum,
               Progress& progress) {
    std::vector<ReplayTrack> tracks(view.bodies().size());
    for (uint64_t frame = range.first; frame <= range.last; ++frame) {
        for (const RecordedPose& pose : view.poses(frame)) tracks[pose.body].add(pose.centre, pose.rotation(), quantum);
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
void addBreakStream(Payload& payload, Json& events, const RecordStream& stream, const RecordingReader& recording,
                    const std::vector<RecordedEvent>& all, const FrameRange& range) {
    std::vector<std::byte> blob;
    size_t shown = 0;  // in `events`
    for (size_t i = 0; i < all.size(); ++i) {
        if (all[i].frame < range.first || all[i].frame > range.last) continue;
        Json& event = events[shown++];
        if (all[i].frame == range.first) continue;
        const auto bytes = recording.streamBytes(stream, i);
        if (!bytes || blob.size() + bytes->size() > stream.mostReplayBytes) continue;
        event[stream.name]["bytes"] = {blob.size(), bytes->size()};
        blob.insert(blob.end(), bytes->begin(), bytes->end());
    }
    payload.add(stream.name, blob);
}

/// Up to the frame with which a page would hold too much.
void addFrameStream(Payload& payload, const RecordStream& stream, const RecordingReader& recording,
                    const FrameRange& range) {
    std::vector<std::byte> blob;
    Json frames = Json::array(), bytesOf = Json::array();
    for (uint64_t frame = range.first; frame <= range.last; ++frame) {
        const auto bytes = recording.streamBytes(stream, frame);
        if (!bytes) continue;
        if (blob.size() + bytes->size() > stream.mostReplayBytes) break;
        frames.push_back(frame);
        bytesOf.push_back({blob.size(), bytes->size()});
        blob.insert(blob.end(), bytes->begin(), bytes->end());
    }
    payload.header["streams"][stream.name] = {{"frames", std::move(frames)}, {"bytes", std::move(bytesOf)}};
    payload.add(stream.name, blob);
}

void addEvents(Payload& payload, const RecordingReader& recording, const FrameRange& range,
               const std::set<std::string>& without) {
    const std::vector<RecordedEvent> all = recording.events();
    Json events = Json::array();
    // what happened, as the viewer lists it
    for (const RecordedEvent& event : all) {
        if (event.frame >= range.first && event.frame <= range.last)
            events.push_back(replayEvent(event, recording.streams()));
    }
    // streams that were made for a viewer
    std::vector<const RecordStream*> streams;
    for (const RecordStream& stream : recording.streams())
        if (stream.mostReplayBytes > 0) streams.push_back(&stream);
    // one entry for each event, in the order of the list; a viewer expects a stream that was left out to be empty
    for (const RecordStream* stream : streams) {
        if (stream->ofFrames()) continue;
        if (without.contains(stream->name)) {
            payload.add(stream->name, std::string_view());
        } else {
            addBreakStream(payload, events, *stream, recording, all, range);
        }
    }
    payload.header["events"] = std::move(events);
    // streams of frames come after those of events
    for (const RecordStream* stream : streams)
        if (stream->ofFrames() && !without.contains(stream->name)) addFrameStream(payload, *stream, recording, range);
}

/// Energies and counts over time, for the curves under the picture.
void addSeries(Payload& payload, const RecordingReader& recording, const FrameRange& range) {
    const std::vector<std::string> names = replaySeries();
    std::vector<std::string> rows(names.size());
    Json times = Json::array();
    for (const RecordedFrame& frame : recording.frames(range.first, range.last)) {
        const std::vector<float> figures = replayFigures(frame);
        ASSERT(figures.size() == rows.size());
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
    // only bodies that live within the frames need a mesh
    const FrameRange range = framesBetween(recording, options.firstFrame, options.lastFrame);
    progress.start("replay", static_cast<double>(range.count()));
    RecordingView seen(recording);
    std::vector<RecordedBody> living;
    for (const RecordedBody& body : seen.bodies())
        if (isSeen(body, range)) living.push_back(body);
    const ReplayMeshes meshes = replayMeshes(recording, living);

    // what the viewer must know before it reads a number
    Payload payload;
    Json view = schema::jsonIfGood(recording.meta("view")).value_or(Json());
    if (!view.is_object()) view = Json::object();
    const Camera camera = seen.usualCamera({1600, 900});
    view["camera"] = {{"position", toJson(camera.position)},
                      {"target", toJson(camera.target)},
                      {"field_of_view", camera.fieldOfView}};
    payload.header["title"] = titleOf(recording);
    payload.header["program"] = recording.meta("program");
    payload.header["dt"] = recording.dt();
    payload.header["first_frame"] = range.first;
    payload.header["frames"] = range.count();
    payload.header["view"] = std::move(view);
    // blocks in the order in which the viewer reads them; positions are as fine as the smallest body needs
    addMeshes(payload, meshes);
    addBodies(payload, recording, seen.bodies(), meshes);
    addTracks(payload, seen, range, positionQuantumOf(sceneSize(seen, range.first), living), progress);
    addEvents(payload, recording, range, options.withoutStreams);
    addSeries(payload, recording, range);
    progress.finish();
    return payload.take();
}

}  // namespace sunder
