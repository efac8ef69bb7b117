#include "io/exports/gltf_animation.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/parallel.h"
#include "io/exports/blender_script.h"
#include "io/exports/export_content.h"
#include "io/exports/pose_tracks.h"
#include "io/files/byte_order.h"
#include "io/files/file_access.h"
#include "io/files/source.h"
#include "io/mesh/gltf_parts.h"
#include "schema/json.h"

namespace sunder {

namespace {

using schema::Json;
using schema::toJson;

Json toJson(const Quat& q) { return Json::array({q.x(), q.y(), q.z(), q.w()}); }

/// A list in the JSON part, kept as text: objects would need ten times the memory.
class JsonList {
public:
    size_t add(const Json& item) {
        if (count_ > 0) text_ += ',';
        text_ += item.dump(-1, ' ', false, Json::error_handler_t::replace);
        return count_++;
    }
    size_t size() const { return count_; }
    const std::string& text() const { return text_; }

private:
    std::string text_;
    size_t count_ = 0;
};

/// The lists of the JSON part by name, one after the other.
class JsonParts {
public:
    void add(const char* name, std::string_view value) {
        text_ += fmt::format("{}\"{}\":{}", text_.empty() ? "{" : ",", name, value);
    }
    /// glTF wants no empty lists.
    void add(const char* name, const JsonList& list) {
        if (list.size() > 0) add(name, "[" + list.text() + "]");
    }
    /// Ends it, at a multiple of four bytes.
    std::string take() {
        text_ += '}';
        text_.resize((text_.size() + 3) / 4 * 4, ' ');
        return std::move(text_);
    }

private:
    std::string text_;
};

enum View : size_t { kPositions, kNormals, kUvs, kIndices, kKeys, kViewCount };

/// The binary part: one run of numbers after the other, each kind in a view of its own, on disk until all is there.
class Accessors {
public:
    explicit Accessors(const std::filesystem::path& beside) {
        for (size_t v = 0; v < kViewCount; ++v) views_.emplace_back(beside);
    }

    template <class Vector>
    size_t addVectors(View view, const std::vector<Vector>& values) {
        Json accessor = begin(view, kFloat, values.size(), fmt::format("VEC{}", int{Vector::RowsAtCompileTime}));
        std::string bytes;
        Vector low = values.at(0), high = low;
        for (const Vector& value : values) {
            for (const float x : value) store(bytes, x);
            low = low.cwiseMin(value);
            high = high.cwiseMax(value);
        }
        if (view == kPositions) setBounds(accessor, low, high);
        return end(view, bytes, accessor);
    }

    size_t addIndices(const std::vector<uint32_t>& indices, size_t vertices) {
        const bool isShort = vertices <= 65535;  // 65535 itself means "restart"
        const Json accessor = begin(kIndices, isShort ? kUShort : kUInt, indices.size(), "SCALAR");
        std::string bytes;
        for (const uint32_t index : indices) {
            ASSERT(index < vertices);
            if (isShort) {
                store(bytes, static_cast<uint16_t>(index));
            } else {
                store(bytes, index);
            }
        }
        return end(kIndices, bytes, accessor);
    }

    size_t addTimes(const std::vector<float>& times) {
        Json accessor = begin(kKeys, kFloat, times.size(), "SCALAR");
        ASSERT(!times.empty() && std::is_sorted(times.begin(), times.end()));
        accessor["min"] = {times.front()};
        accessor["max"] = {times.back()};
        std::string bytes;
        for (const float time : times) store(bytes, time);
        return end(kKeys, bytes, accessor);
    }

    const JsonList& list() const { return accessors_; }
    uint64_t size() const {
        uint64_t bytes = 0;
        for (const ScratchFile& view : views_) bytes += view.size();
        return bytes;
    }
    JsonList describeViews() const {
        constexpr std::array<size_t, kViewCount> kStrides{12, 12, 8, 0, 0};
        JsonList list;
        uint64_t at = 0;
        for (const size_t v : order_) {
            Json view = {{"buffer", 0}, {"byteOffset", at}, {"byteLength", views_[v].size()}};
            if (kStrides[v] > 0) view["byteStride"] = kStrides[v];
            if (v != kKeys) view["target"] = int{v == kIndices ? kIndexData : kVertexData};
            list.add(view);
            at += views_[v].size();
        }
        return list;
    }
    void copyTo(AtomicFile& file) {
        for (const size_t v : order_) views_[v].copyTo(file);
    }

private:
    size_t numberOf(View view) {
        const auto known = std::find(order_.begin(), order_.end(), view);
        if (known != order_.end()) return static_cast<size_t>(known - order_.begin());
        order_.push_back(view);
        return order_.size() - 1;
    }
    Json begin(View view, GltfComponentType type, size_t count, const std::string& shape) {
        return {{"bufferView", numberOf(view)},
                {"byteOffset", views_[view].size()},
                {"componentType", int{type}},
                {"count", count},
                {"type", shape}};
    }
    size_t end(View view, std::string& bytes, const Json& accessor) {
        bytes.resize((bytes.size() + 3) / 4 * 4, '\0');
        views_[view].write(bytes);
        return accessors_.add(accessor);
    }
    template <class Vector>
    static void setBounds(Json& accessor, const Vector& low, const Vector& high) {
        accessor["min"] = std::vector<float>(low.begin(), low.end());
        accessor["max"] = std::vector<float>(high.begin(), high.end());
    }

    std::vector<ScratchFile> views_;
    std::vector<size_t> order_;  // of the views in the file: as they are first used, since some may never be
    JsonList accessors_;
};

/// Seconds as players will have them; never later than the frame, or it would be missed by one.
float timeOf(double seconds) {
    const float time = static_cast<float>(seconds);
    return time > seconds ? std::nextafter(time, 0.0f) : time;
}

Json describeMaterial(const ExportedMaterial& material) {
    const Look& look = material.look;
    Json json = {{"name", material.name},
                 {"pbrMetallicRoughness",
                  {{"baseColorFactor", {look.colour.x(), look.colour.y(), look.colour.z(), 1.0}},
                   {"metallicFactor", look.metallic},
                   {"roughnessFactor", look.roughness}}}};
    if (look.transmission > 0) {
        json["extensions"] = {{"KHR_materials_transmission", {{"transmissionFactor", look.transmission}}},
                              {"KHR_materials_ior", {{"ior", look.ior}}}};
    }
    if (material.inside) json["extras"] = insideExtras(material.base);
    return json;
}

class GlbExport {
public:
    GlbExport(RecordingReader& recording, const std::filesystem::path& output, const ExportOptions& options)
        : content_(recording, options), output_(output), accessors_(output) {}

    void write(Progress& progress) {
        progress.start("export " + output_.filename().string(), 2);
        addMeshes(progress);
        forEachTracks(
            content_, [&](std::span<const PoseTrack> tracks) { addBodies(tracks); }, progress);
        addCamera();
        addSun();
        save();
        progress.finish();
    }

private:
    /// What bodies with the same surface have in common.
    struct Geometry {
        std::vector<Json> primitives;         // without material
        std::vector<TriangleIndex> examples;  // a triangle of each
        double radius = 0;                    // of the farthest vertex from the centre of mass, m
    };
    /// Equal meshes of bodies with different materials share all but the list of their primitives.
    struct Placed {
        size_t mesh = 0;  // of the file
        double radius = 0;
    };

    void addMeshes(Progress& progress) {
        std::map<ExportContent::SurfaceKey, Geometry> geometries;
        std::map<std::pair<ExportContent::SurfaceKey, MaterialTable::Key>, Placed> known;
        for (const RecordedBody& body : content_.bodies()) {
            const ExportContent::SurfaceKey key = ExportContent::surfaceKey(body);
            const auto [placed, isNew] = known.try_emplace({key, content_.materialKey(body)});
            if (isNew) {
                const TriMesh surface = content_.meshOf(body);
                const auto [geometry, fresh] = geometries.try_emplace(key);
                if (fresh) geometry->second = addGeometry(surface, body.centre);
                placed->second = {addMesh(body, surface, geometry->second), geometry->second.radius};
            }
            placed_.push_back(placed->second);
            progress.advance(1.0 / double(content_.bodies().size()));
        }
    }

    /// Vertices are written relative to the centre of mass, which is what the node moves.
    Geometry addGeometry(const TriMesh& surface, const Vec3& centre) {
        Geometry geometry;
        geometry.radius = radiusAbout(surface, centre);
        for (const GltfPrimitive& primitive : splitIntoPrimitives(surface, centre)) {
            Json attributes = {{"POSITION", accessors_.addVectors(kPositions, primitive.positions)},
                               {"NORMAL", accessors_.addVectors(kNormals, primitive.normals)}};
            if (!primitive.uvs.empty()) attributes["TEXCOORD_0"] = accessors_.addVectors(kUvs, primitive.uvs);
            geometry.primitives.push_back(
                {{"attributes", attributes},
                 {"indices", accessors_.addIndices(primitive.indices, primitive.positions.size())}});
            geometry.examples.push_back(primitive.first);
        }
        return geometry;
    }

    size_t addMesh(const RecordedBody& body, const TriMesh& surface, const Geometry& geometry) {
        const std::vector<size_t> materials = content_.materialsOf(body, surface);
        Json primitives = Json::array();
        for (size_t i = 0; i < geometry.primitives.size(); ++i) {
            primitives.push_back(geometry.primitives[i]);
            primitives.back()["material"] = materials[raw(geometry.examples[i])];
        }
        return meshes_.add({{"name", utf8FromAny(body.name)}, {"primitives", primitives}});
    }

    /// Keys are found in parallel, nodes are written in order.
    void addBodies(std::span<const PoseTrack> tracks) {
        std::vector<TrackKeys> keys(tracks.size());
        const size_t before = nodes_.size();
        parallelFor(tracks.size(), 16, [&](BlockRange block) {
            for (size_t i = block.begin; i < block.end; ++i)
                keys[i] = keysOf(tracks[i], content_.tolerance(), placed_[before + i].radius);
        });
        for (size_t i = 0; i < tracks.size(); ++i) {
            if (!lasts_) lasts_ = keepUntilEnd(tracks[i], keys[i].positions);
            addBody(tracks[i], keys[i]);
        }
    }

    /// The animation is as long as its last key: one of the bodies that move gets a key in the last frame.
    bool keepUntilEnd(const PoseTrack& track, std::vector<uint32_t>& keys) const {
        const uint32_t last = static_cast<uint32_t>(track.positions.size() - 1);
        if (keys.size() < 2 || track.first + last != content_.frames().last) return false;
        if (keys.back() != last) keys.push_back(last);
        return true;
    }

    void addBody(const PoseTrack& track, const TrackKeys& keys) {
        const RecordedBody& body = *track.body;
        const Life life = content_.lifeOf(body);
        const size_t node = nodes_.size();
        Json json = {{"name", content_.nameOf(body)},
                     {"mesh", placed_[node].mesh},
                     {"translation", toJson(track.positions.at(0))},
                     {"rotation", toJson(track.rotations.at(0))}};
        if (life.appears) json["scale"] = {0, 0, 0};
        json["extras"] = extrasOf(body);
        nodes_.add(json);
        addMotion(node, track, keys);
        if (life.appears || life.disappears) addChannel(node, "scale", "STEP", visibility(life));
    }

    Json extrasOf(const RecordedBody& body) const {
        Json extras = {{"id", body.id}};
        if (body.parent) extras["parent"] = content_.nameOf(content_.body(*body.parent));
        extras.update({{"root", content_.nameOf(content_.rootOf(body))},
                       {"generation", body.generation},
                       {"kind", body.kind},
                       {"material", utf8FromAny(body.material)},
                       {"mass", body.mass},
                       {"volume", body.volume},
                       {"born", body.born}});
        if (body.died) extras["died"] = *body.died;
        if (!body.mesh) extras["half_space"] = true;
        return extras;
    }

    /// What a channel is made of: numbers of accessors.
    struct Keys {
        size_t times = 0, values = 0;
    };

    /// A body that never moves or never turns needs no channel for that.
    void addMotion(size_t node, const PoseTrack& track, const TrackKeys& keys) {
        if (keys.positions.size() > 1) {
            std::vector<Eigen::Vector3f> values;
            for (const uint32_t key : keys.positions) values.push_back(track.positions[key].cast<float>());
            addChannel(node, "translation", "LINEAR", {addTimes(track, keys.positions), addKeys(values)});
        }
        if (keys.rotations.size() > 1) {
            std::vector<Eigen::Vector4f> values;
            for (const Quat& q : rotationsAt(track, keys.rotations)) values.push_back(q.coeffs().cast<float>());
            addChannel(node, "rotation", "LINEAR", {addTimes(track, keys.rotations), addKeys(values)});
        }
    }

    template <class Vector>
    size_t addKeys(const std::vector<Vector>& values) {
        return accessors_.addVectors(kKeys, values);
    }
    size_t addTimes(const PoseTrack& track, const std::vector<uint32_t>& keys) {
        std::vector<float> times;
        for (const uint32_t key : keys) times.push_back(timeOfFrame(track.first + key));
        return accessors_.addTimes(times);
    }
    float timeOfFrame(uint64_t frame) const {
        return timeOf(static_cast<double>(frame - content_.frames().first) * content_.dt());
    }

    /// Fragments of one break appear together, so they share their keys.
    Keys visibility(const Life& life) {
        const std::pair<uint64_t, uint64_t> when{life.appears ? life.from : 0, life.disappears ? life.until : 0};
        const auto [keys, isNew] = visibilities_.try_emplace(when);
        if (isNew) {
            std::vector<float> times{0};
            std::vector<Eigen::Vector3f> values{life.appears ? Eigen::Vector3f::Zero() : Eigen::Vector3f::Ones()};
            if (life.appears) times.push_back(timeOfFrame(life.from)), values.push_back(Eigen::Vector3f::Ones());
            if (life.disappears) times.push_back(timeOfFrame(life.until)), values.push_back(Eigen::Vector3f::Zero());
            keys->second = {accessors_.addTimes(times), addKeys(values)};
        }
        return keys->second;
    }

    void addChannel(size_t node, const char* path, const char* interpolation, const Keys& keys) {
        const size_t sampler =
            samplers_.add({{"input", keys.times}, {"interpolation", interpolation}, {"output", keys.values}});
        channels_.add({{"sampler", sampler}, {"target", {{"node", node}, {"path", path}}}});
    }

    void addCamera() {
        const Camera camera = content_.camera();
        const RigidTransform world = worldFromCamera(camera);
        const double across = std::tan(camera.fieldOfView * M_PI / 360);
        cameras_.add({{"type", "perspective"},
                      {"perspective",
                       {{"aspectRatio", kPictureAspect},
                        {"yfov", 2 * std::atan(across / kPictureAspect)},
                        {"znear", 0.01 * (camera.target - camera.position).norm()}}}});
        nodes_.add({{"name", "camera"},
                    {"camera", 0},
                    {"translation", toJson(world.translation)},
                    {"rotation", toJson(world.rotation)}});
    }

    void addSun() {
        nodes_.add({{"name", "sun"},
                    {"rotation", toJson(worldFromSun(content_.light()))},
                    {"extensions", {{"KHR_lights_punctual", {{"light", 0}}}}}});
    }

    void save() {
        // the parts of the JSON in the order in which readers expect them
        JsonParts json;
        Json scene = {{"nodes", Json::array()}, {"extras", sceneExtras()}};
        for (size_t node = 0; node < nodes_.size(); ++node) scene["nodes"].push_back(node);
        json.add("asset", Json{{"version", "2.0"}, {"generator", "Sunder"}}.dump());
        json.add("extensionsUsed", extensions().dump());
        json.add("extensions",
                 R"({"KHR_lights_punctual":{"lights":[{"name":"sun","type":"directional","intensity":3}]}})");
        json.add("scene", "0");
        json.add("scenes", "[" + scene.dump() + "]");
        json.add("nodes", nodes_);
        json.add("cameras", cameras_);
        json.add("meshes", meshes_);
        JsonList materials;
        for (const ExportedMaterial& material : content_.materials()) materials.add(describeMaterial(material));
        json.add("materials", materials);
        // a recording in which nothing moves has no animation: glTF forbids an empty one
        if (channels_.size() > 0)
            json.add("animations", fmt::format(R"([{{"name":"recording","samplers":[{}],"channels":[{}]}}])",
                                               samplers_.text(), channels_.text()));
        json.add("accessors", accessors_.list());
        json.add("bufferViews", accessors_.describeViews());
        json.add("buffers", fmt::format(R"([{{"byteLength":{}}}])", accessors_.size()));

        // JSON and binary part as one file; the binary part comes from disk, it may be larger than memory
        const std::string text = json.take();
        const GlbHeads heads = glbHeads(text.size(), accessors_.size(), "export fewer frames (--from, --to)");
        AtomicFile file(output_);
        file.write(heads.file);
        file.write(text);
        file.write(heads.binary);
        accessors_.copyTo(file);
        file.commit();
    }

    /// What Blender's importer cannot know from glTF; import_blender.py reads it.
    Json sceneExtras() const {
        return {{"frames_per_second", content_.framesPerSecond()},
                {"first_frame", content_.frames().first},
                {"last_frame", content_.frames().last},
                {"tolerance", content_.tolerance()}};
    }

    /// Only those that are used: readers refuse what they do not know.
    Json extensions() const {
        Json used = {"KHR_lights_punctual"};
        for (const ExportedMaterial& material : content_.materials()) {
            if (material.look.transmission == 0) continue;
            used.push_back("KHR_materials_transmission");
            used.push_back("KHR_materials_ior");
            break;
        }
        return used;
    }

    ExportContent content_;
    std::filesystem::path output_;
    Accessors accessors_;
    std::vector<Placed> placed_;  // of each body
    bool lasts_ = false;          // some body moves until the end
    JsonList nodes_, meshes_, cameras_, samplers_, channels_;
    std::map<std::pair<uint64_t, uint64_t>, Keys> visibilities_;
};

}  // namespace

void exportGlb(RecordingReader& recording, const std::filesystem::path& output, const ExportOptions& options,
               Progress& progress) {
    GlbExport(recording, output, options).write(progress);
    if (options.blenderScript) writeBlenderScript(output.parent_path(), options.overwrite);
}

}  // namespace sunder
