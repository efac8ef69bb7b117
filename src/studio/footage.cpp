#include "studio/footage.h"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/error.h"
#include "io/files/byte_order.h"
#include "io/recording/recording_stress.h"
#include "scene/looks.h"
#include "scene/start_bodies.h"
#include "studio/json.h"

namespace sunder::studio {

namespace {

/// Where a body is, as it goes over the wire.
struct ShownPose {
    uint32_t body = 0;
    std::array<float, 7> place{};  // centre of mass, m; rotation x y z w
    friend bool operator==(const ShownPose&, const ShownPose&) = default;
};

std::vector<ShownPose> shown(std::span<const RecordedPose> poses) {
    std::vector<ShownPose> all;
    all.reserve(poses.size());
    for (const RecordedPose& pose : poses) {
        const Vec4 q = pose.rotation().coeffs();
        all.push_back({pose.body,
                       {static_cast<float>(pose.centre.x()), static_cast<float>(pose.centre.y()),
                        static_cast<float>(pose.centre.z()), static_cast<float>(q.x()), static_cast<float>(q.y()),
                        static_cast<float>(q.z()), static_cast<float>(q.w())}});
    }
    return all;
}

std::vector<std::byte> bytesOf(const std::string& text) {
    const auto* first = reinterpret_cast<const std::byte*>(text.data());
    return {first, first + text.size()};
}

/// The name of what breaks a body, as recordings have it; empty: nothing does.
std::string methodOf(const scene::FoundFracture& fracture) {
    const bool breaks = fracture.settings != nullptr && fracture.settings->breaks();
    return breaks ? fracture.settings->entry().name() : "";
}

}  // namespace

std::shared_ptr<const TriMesh> RecordedFootage::mesh(const std::string& hash) const {
    const std::optional<int64_t> id = reader_.meshOfHash(hash);
    return id ? reader_.mesh(*id) : nullptr;
}

StillFootage::StillFootage(const scene::Scene& scene, const Json& full, GeometryCache& geometry)
    : dt_(1 / scene.world.frameRate), looks_(scene::looksJson(scene).dump()) {
    // bodies at the start, as a recording would list them
    for (const scene::StartBody& start : scene::startBodies(scene)) {
        if (start.appears() > 0) continue;  // not there at the start
        RecordedBody body;
        body.name = start.placed.name;
        body.kind = nameOf(start.kind);
        body.material = start.materialKey;
        if (!start.isHalfSpace()) {
            const ShownMesh* mesh = geometry.meshOf(start.placed, full);
            if (mesh == nullptr) continue;  // the scene's issues say why
            // equal meshes are shown once
            const auto [known, fresh] = meshOfHash_.try_emplace(mesh->hash, meshes_.size());
            if (fresh) meshes_.push_back(*mesh);
            body.mesh = static_cast<int64_t>(known->second);
            body.volume = mesh->geometry->volume();
            body.centre = mesh->geometry->mass().centre;
            body.mass = start.placed.body->mass.value_or(start.material->density * body.volume);
            body.method = methodOf(start.fracture);
        }
        add(body, start.pose);
    }
}

void StillFootage::add(RecordedBody body, const RigidTransform& worldFromMesh) {
    ASSERT(poses_.size() == bodies_.size());
    body.id = body.root = static_cast<uint32_t>(bodies_.size());
    poses_.push_back({body.id, worldFromMesh * body.centre, worldFromMesh});
    bodies_.push_back(std::move(body));
}

std::vector<RecordedBody> StillFootage::bodies(uint32_t from) const {
    if (from >= bodies_.size()) return {};
    return {bodies_.begin() + from, bodies_.end()};
}

std::shared_ptr<const TriMesh> StillFootage::mesh(const std::string& hash) const {
    const auto found = meshOfHash_.find(hash);
    if (found == meshOfHash_.end()) return nullptr;
    const GeometryPtr& geometry = meshes_[found->second].geometry;
    return {geometry, &geometry->mesh()};
}

std::vector<RecordedPose> StillFootage::poses(uint64_t frame) {
    if (frame != 0) throw InputError("frame", "there is only frame 0: the scene was not run yet");
    return poses_;
}

std::vector<RecordedFrame> StillFootage::frames(uint64_t first, uint64_t) const {
    if (first > 0) return {};
    RecordedFrame frame;
    frame.figures = "{}";
    return {frame};
}

FootageAnswers::FootageAnswers(std::unique_ptr<Footage> footage)
    : footage_(std::move(footage)), looks_(footage_->looks()) {}

Json FootageAnswers::bodies(uint32_t from, std::optional<uint64_t> deathsFrom, const SourceOf& sourceOf) {
    // the list may be cut short; the viewer asks again for what is missing
    Json list = Json::array();
    const uint64_t last = footage_->lastFrame();
    for (const RecordedBody& body : footage_->bodies(from)) {
        if (list.size() == kMostRows) break;
        // a fragment comes from the part of the scene that its root came from
        if (!body.parent) rootNames_[body.id] = body.name;
        const auto root = rootNames_.find(body.root);
        const std::string source = root == rootNames_.end() ? "" : sourceOf(root->second);
        list.push_back({{"id", body.id},
                        {"name", body.name},
                        {"parent", body.parent ? Json(*body.parent) : Json(nullptr)},
                        {"root", body.root},
                        {"mesh", body.mesh ? Json(footage_->meshHash(*body.mesh)) : Json(nullptr)},
                        {"half_space", !body.mesh.has_value()},
                        {"kind", body.kind},
                        {"look", looks_.of(body)},
                        {"method", body.method},
                        {"mass", body.mass},
                        {"volume", body.volume},
                        {"centre", schema::toJson(body.centre)},
                        {"born", body.born},
                        {"died", body.died ? Json(*body.died) : Json(nullptr)},
                        {"source", source.empty() ? Json(nullptr) : Json(source)}});
    }
    Json answer{{"bodies", std::move(list)}, {"looks", looks_.json()}, {"last", last}};
    // bodies that died since the viewer last asked
    if (deathsFrom) {
        Json deaths = Json::array();
        for (const RecordedBody& body : footage_->diedBetween(*deathsFrom, last))
            deaths.push_back(Json::array({body.id, *body.died}));
        answer["deaths"] = std::move(deaths);
    }
    return answer;
}

std::vector<std::byte> FootageAnswers::frames(uint64_t from, uint64_t to, Json& header) {
    // frames as differences from the one before; the first is complete
    const uint64_t last = footage_->lastFrame();
    std::string bytes;
    std::vector<ShownPose> before;
    uint64_t count = 0;
    for (uint64_t frame = from; frame <= std::min(to, last); ++frame, ++count) {
        std::vector<ShownPose> now = shown(footage_->poses(frame));
        std::string one;
        ASSERT(std::ranges::is_sorted(now, {}, &ShownPose::body));
        uint32_t moved = 0;
        // both lists ascend by body, so one pass finds what moved
        auto old = before.begin();
        for (const ShownPose& pose : now) {
            while (old != before.end() && old->body < pose.body) ++old;
            if (old != before.end() && *old == pose) continue;
            store(one, pose.body);
            for (const float number : pose.place) store(one, number);
            ++moved;
        }
        // an answer of bounded size, but never without a frame
        if (count > 0 && bytes.size() + one.size() > kMostBytes) break;
        store(bytes, static_cast<uint32_t>(frame));
        store(bytes, moved);
        bytes += one;
        before = std::move(now);
    }
    header["from"] = from;
    header["count"] = count;
    header["last"] = last;
    return bytesOf(bytes);
}

std::vector<std::byte> FootageAnswers::meshes(const std::vector<std::string>& hashes, Json& header) const {
    std::string bytes;
    size_t count = 0;
    for (const std::string& hash : hashes) {
        const std::shared_ptr<const TriMesh> mesh = footage_->mesh(hash);
        if (mesh == nullptr) throw InputError("mesh " + hash, "is not in the take that is shown");
        const std::string one = meshAnswer(*mesh);
        if (count > 0 && bytes.size() + one.size() > 2 * kMostBytes) break;
        bytes += one;
        ++count;
    }
    header["count"] = count;
    return bytesOf(bytes);
}

Json FootageAnswers::figures(uint64_t from, uint64_t to) const {
    const std::vector<std::string> names = replaySeries();
    to = std::min(to, from + kMostRows - 1);
    Json times = Json::array(), columns = Json::array();
    for (size_t k = 0; k < names.size(); ++k) columns.push_back(Json::array());
    for (const RecordedFrame& frame : footage_->frames(from, to)) {
        const std::vector<float> figures = replayFigures(frame);
        for (size_t k = 0; k < names.size(); ++k) columns[k].push_back(figures[k]);
        times.push_back(frame.time);
    }
    const size_t count = times.size();
    return {{"from", from}, {"count", count}, {"series", names}, {"times", times}, {"values", columns}};
}

Json FootageAnswers::events(size_t from) const {
    Json list = Json::array();
    for (const RecordedEvent& event : footage_->events(from)) {
        if (list.size() == kMostRows) break;
        list.push_back(replayEvent(event));
    }
    return {{"from", from}, {"events", std::move(list)}};
}

std::vector<std::byte> FootageAnswers::stream(const std::string& name, uint64_t frameOrEvent, Json& header) const {
    auto bytes = footage_->streamBytes(streamNamed(recordStreams(), name), frameOrEvent);
    header["known"] = bytes.has_value();
    return bytes.value_or(std::vector<std::byte>{});
}

std::vector<std::byte> FootageAnswers::stress(size_t event) const {
    auto bytes = footage_->streamBytes(stressStream(), event);
    if (!bytes) throw InputError(fmt::format("event {}", event), "is no break whose stress is known");
    return std::move(*bytes);
}

Json FootageAnswers::impacts(uint64_t frame) const {
    const auto bytes = footage_->streamBytes(impactStream(), frame);
    const std::vector<RecordedImpact> impacts = bytes ? impactsFromBytes(*bytes) : std::vector<RecordedImpact>{};
    Json list = Json::array();
    for (const RecordedImpact& impact : impacts) {
        list.push_back({{"a", impact.a},
                        {"b", impact.b},
                        {"point", impact.point},
                        {"normal", impact.normal},
                        {"impulse", impact.impulse},
                        {"speed", impact.speed}});
    }
    return {{"frame", frame}, {"impacts", std::move(list)}};
}

std::string meshAnswer(const TriMesh& mesh) {
    std::vector<TriangleIndex> order;
    size_t outside = 0;
    for (const bool inside : {false, true}) {
        for (const TriangleIndex t : mesh.triangles.indices()) {
            const bool cracked = !mesh.inside.empty() && mesh.inside[t] != 0;
            if (cracked == inside) order.push_back(t);
        }
        if (!inside) outside = order.size();
    }
    std::string bytes;
    bytes.reserve(12 + 12 * mesh.vertexCount() + 12 * order.size());
    for (const size_t count : {mesh.vertexCount(), order.size(), outside}) store(bytes, static_cast<uint32_t>(count));
    for (const Vec3& p : mesh.positions)
        for (int k = 0; k < 3; ++k) store(bytes, static_cast<float>(p[k]));
    for (const TriangleIndex t : order)
        for (const VertexIndex v : mesh.triangles[t]) store(bytes, static_cast<uint32_t>(raw(v)));
    return bytes;
}

}  // namespace sunder::studio
