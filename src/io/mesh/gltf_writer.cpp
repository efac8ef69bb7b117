#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/assert.h"
#include "base/base64.h"
#include "io/files/byte_order.h"
#include "io/files/source.h"
#include "io/mesh/gltf.h"
#include "io/mesh/gltf_parts.h"
#include "io/mesh/material_sides.h"
#include "io/mesh/writable.h"

namespace sunder {

namespace {

using Json = nlohmann::ordered_json;

/// A primitive of one of the objects.
struct Primitive : GltfPrimitive {
    size_t object = 0;
};

/// One object, that need not have a name.
struct ObjectView {
    std::string_view name;
    const TriMesh* mesh = nullptr;
    Vec3 pivot = Vec3::Zero();
    std::span<const NamedNumber> numbers = {};
};

/// The JSON and the one buffer, filled view by view: positions, normals, texture coordinates, indices.
class GltfBuilder {
public:
    explicit GltfBuilder(std::vector<ObjectView> objects) : objects_(std::move(objects)) {
        for (size_t o = 0; o < objects_.size(); ++o) {
            for (GltfPrimitive& primitive : splitIntoPrimitives(*objects_[o].mesh, objects_[o].pivot))
                primitives_.push_back({std::move(primitive), o});
        }
    }

    void build() {
        // one node for each object of the mesh
        json_["asset"] = {{"version", "2.0"}, {"generator", "Sunder"}};
        json_["scene"] = 0;
        json_["scenes"] = Json::array({{{"nodes", Json::array()}}});
        json_["nodes"] = Json::array();
        for (size_t o = 0; o < objects_.size(); ++o) {
            json_["scenes"][0]["nodes"].push_back(o);
            Json node = {{"mesh", o}};
            if (!objects_[o].name.empty()) node["name"] = utf8FromAny(std::string(objects_[o].name));
            const Vec3& pivot = objects_[o].pivot;
            if (!pivot.isZero()) node["translation"] = {pivot.x(), pivot.y(), pivot.z()};
            for (const auto& [key, value] : objects_[o].numbers) node["extras"][key] = value;
            json_["nodes"].push_back(std::move(node));
        }
        // primitives gain their accessors attribute by attribute: one view for each kind of data
        std::vector<Json> described(primitives_.size());
        for (size_t i = 0; i < primitives_.size(); ++i) {
            described[i]["attributes"] = Json::object();
            described[i]["mode"] = 4;
        }
        addVectors(described, "POSITION", &Primitive::positions);
        addVectors(described, "NORMAL", &Primitive::normals);
        addVectors(described, "TEXCOORD_0", &Primitive::uvs);
        addIndices(described);
        addMaterials(described);
        // each primitive into the mesh of its object
        json_["meshes"] = Json::array();
        for (size_t o = 0; o < objects_.size(); ++o) json_["meshes"].push_back({{"primitives", Json::array()}});
        for (size_t i = 0; i < primitives_.size(); ++i) {
            json_["meshes"][primitives_[i].object]["primitives"].push_back(std::move(described[i]));
        }
        json_["buffers"] = Json::array({{{"byteLength", buffer_.size()}}});
    }

    Json& json() { return json_; }
    const std::string& buffer() const { return buffer_; }

private:
    template <class Vector>
    void addVectors(std::vector<Json>& described, const char* name, std::vector<Vector> GltfPrimitive::*field) {
        // an attribute that no primitive has gets no view, for empty views are forbidden
        const auto has = [&](const Primitive& p) { return !(p.*field).empty(); };
        if (std::none_of(primitives_.begin(), primitives_.end(), has)) return;
        const size_t view = beginView(kVertexData);
        json_["bufferViews"].back()["byteStride"] = sizeof(Vector);
        // one accessor for each primitive that has values, all in the same view
        for (size_t i = 0; i < primitives_.size(); ++i) {
            const std::vector<Vector>& values = primitives_[i].*field;
            if (values.empty()) continue;
            Json accessor = {{"bufferView", view},
                             {"byteOffset", buffer_.size() - viewStart_},
                             {"componentType", int{kFloat}},
                             {"count", values.size()},
                             {"type", fmt::format("VEC{}", int{Vector::RowsAtCompileTime})}};
            Vector low = values[0], high = values[0];
            for (const Vector& value : values) {
                for (const float x : value) store(buffer_, x);
                low = low.cwiseMin(value);
                high = high.cwiseMax(value);
            }
            // the format demands bounds of positions only
            if (std::string_view(name) == "POSITION") {
                accessor["min"] = std::vector<float>(low.begin(), low.end());
                accessor["max"] = std::vector<float>(high.begin(), high.end());
            }
            described[i]["attributes"][name] = addAccessor(std::move(accessor));
        }
        endView();
    }

    void addIndices(std::vector<Json>& described) {
        ASSERT(described.size() == primitives_.size());
        // short indices for all primitives or for none: they share a view
        size_t most = 0;
        for (const Primitive& primitive : primitives_) most = std::max(most, primitive.positions.size());
        const bool isShort = most <= std::numeric_limits<uint16_t>::max();  // 65535 itself means "restart"
        const size_t view = beginView(kIndexData);
        // one accessor for each primitive, its numbers behind those of the one before
        for (size_t i = 0; i < primitives_.size(); ++i) {
            const std::vector<uint32_t>& indices = primitives_[i].indices;
            described[i]["indices"] = addAccessor({{"bufferView", view},
                                                   {"byteOffset", buffer_.size() - viewStart_},
                                                   {"componentType", isShort ? int{kUShort} : int{kUInt}},
                                                   {"count", indices.size()},
                                                   {"type", "SCALAR"}});
            for (const uint32_t index : indices) {
                ASSERT(index < primitives_[i].positions.size());
                if (isShort) {
                    store(buffer_, static_cast<uint16_t>(index));
                } else {
                    store(buffer_, index);
                }
            }
        }
        endView();
    }

    /// What `inside` and a missing name mean goes into extras, for our own reader. Objects share what looks alike.
    void addMaterials(std::vector<Json>& described) {
        std::map<std::tuple<std::string, uint32_t, uint8_t>, size_t> numbers;
        for (size_t i = 0; i < primitives_.size(); ++i) {
            const Primitive& primitive = primitives_[i];
            ASSERT(primitive.object < objects_.size());
            const TriMesh& mesh = *objects_[primitive.object].mesh;
            const bool named = !mesh.materials.empty();
            if (!named && !primitive.inside) continue;
            const std::string name = named ? utf8FromAny(materialName(mesh, primitive.material)) : "";
            const auto [entry, isNew] = numbers.try_emplace(
                {name, named ? primitive.material : kInvalidIndex, primitive.inside}, json_["materials"].size());
            described[i]["material"] = entry->second;
            if (isNew) json_["materials"].push_back(describeMaterial(name, named, primitive.inside != 0));
        }
    }

    static Json describeMaterial(const std::string& name, bool named, bool inside) {
        const Look look = lookOfSide(name, inside);
        const Vec3& colour = look.colour;
        Json material = {{"name", inside ? (named ? insideNameOf(name) : "inside") : name},
                         {"pbrMetallicRoughness",
                          {{"baseColorFactor", {colour.x(), colour.y(), colour.z(), 1.0}},
                           {"metallicFactor", look.metallic},
                           {"roughnessFactor", look.roughness}}}};
        if (inside && named) material["extras"] = insideExtras(withoutInside(name));
        if (inside && !named) material["extras"] = {{"inside", true}, {"unnamed", true}};
        return material;
    }

    size_t addAccessor(Json accessor) {
        json_["accessors"].push_back(std::move(accessor));
        return json_["accessors"].size() - 1;
    }

    size_t beginView(GltfViewTarget target) {
        viewStart_ = buffer_.size();
        json_["bufferViews"].push_back(
            {{"buffer", 0}, {"byteOffset", viewStart_}, {"byteLength", 0}, {"target", int{target}}});
        return json_["bufferViews"].size() - 1;
    }

    void endView() {
        json_["bufferViews"].back()["byteLength"] = buffer_.size() - viewStart_;
        buffer_.resize((buffer_.size() + 3) / 4 * 4, '\0');  // every view starts at a multiple of 4
    }

    std::vector<ObjectView> objects_;
    std::vector<Primitive> primitives_;
    Json json_;
    std::string buffer_;
    size_t viewStart_ = 0;
};

std::string glbOf(std::vector<ObjectView> objects) {
    GltfBuilder builder(std::move(objects));
    builder.build();
    std::string text = builder.json().dump();
    text.resize((text.size() + 3) / 4 * 4, ' ');
    const GlbHeads heads = glbHeads(text.size(), builder.buffer().size(), "write .ply");
    return heads.file + text + heads.binary + builder.buffer();
}

std::string gltfOf(std::vector<ObjectView> objects) {
    GltfBuilder builder(std::move(objects));
    builder.build();
    builder.json()["buffers"][0]["uri"] = "data:application/octet-stream;base64," + encodeBase64(builder.buffer());
    return builder.json().dump(1);
}

std::vector<ObjectView> viewsOf(std::span<const NamedMesh> objects) {
    std::vector<ObjectView> views;
    for (const NamedMesh& object : objects) views.push_back({object.name, &object.mesh, object.pivot, object.numbers});
    return views;
}

}  // namespace

std::string glbBytes(const TriMesh& mesh) { return glbOf({{"", &mesh}}); }
std::string glbBytes(std::span<const NamedMesh> objects) { return glbOf(viewsOf(objects)); }

std::string gltfText(const TriMesh& mesh) { return gltfOf({{"", &mesh}}); }
std::string gltfText(std::span<const NamedMesh> objects) { return gltfOf(viewsOf(objects)); }

}  // namespace sunder
