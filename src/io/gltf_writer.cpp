#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "io/base64.h"
#include "io/byte_order.h"
#include "io/gltf.h"
#include "io/polygon_soup.h"
#include "io/source.h"
#include "io/tuple_table.h"
#include "io/writable.h"

namespace sunder {

namespace {

using Json = nlohmann::ordered_json;

enum ViewTarget { kVertexData = 34962, kIndexData = 34963 };
enum ComponentType { kUShort = 5123, kUInt = 5125, kFloat = 5126 };

/// The triangles of one material and side, with vertices split wherever an attribute differs.
struct Primitive {
    size_t object = 0;
    uint32_t material = 0;
    uint8_t inside = 0;
    std::vector<Eigen::Vector3f> positions, normals;
    std::vector<Eigen::Vector2f> uvs;
    std::vector<uint32_t> indices;
};

Eigen::Vector3f unitNormal(const TriMesh& mesh, TriangleIndex t, size_t corner) {
    Vec3 n = unitOrZero(mesh.normals[t][corner]);
    if (n.isZero(0)) n = unitOrZero(mesh.areaVector(t));
    return (n.isZero(0) ? Vec3(0, 0, 1) : n).cast<float>();
}

class PrimitiveBuilder {
public:
    PrimitiveBuilder(const TriMesh& mesh, uint32_t material, uint8_t inside) : mesh_(mesh) {
        primitive_.material = material;
        primitive_.inside = inside;
    }

    void add(TriangleIndex t) {
        for (size_t k = 0; k < 3; ++k) {
            const VertexIndex v = mesh_.triangles[t][k];
            Eigen::Vector3f normal = Eigen::Vector3f::Zero();
            Eigen::Vector2f uv = Eigen::Vector2f::Zero();
            if (!mesh_.normals.empty()) normal = unitNormal(mesh_, t, k);
            // v counts from the top here
            if (!mesh_.uvs.empty()) uv = Vec2(mesh_.uvs[t][k].x(), 1 - mesh_.uvs[t][k].y()).cast<float>();
            const auto [number, isNew] = table_.number(
                {raw(v), wordOf(normal.x()), wordOf(normal.y()), wordOf(normal.z()), wordOf(uv.x()), wordOf(uv.y())});
            if (isNew) {
                primitive_.positions.push_back(mesh_.positions[v].cast<float>());
                if (!mesh_.normals.empty()) primitive_.normals.push_back(normal);
                if (!mesh_.uvs.empty()) primitive_.uvs.push_back(uv);
            }
            primitive_.indices.push_back(number);
        }
    }

    Primitive take() { return std::move(primitive_); }

private:
    const TriMesh& mesh_;
    Primitive primitive_;
    TupleTable<6> table_;
};

/// One primitive per material and side, in order of first use.
void splitIntoPrimitives(const TriMesh& mesh, size_t object, std::vector<Primitive>& primitives) {
    std::map<std::pair<uint32_t, uint8_t>, size_t> numbers;
    std::vector<PrimitiveBuilder> builders;
    for (const TriangleIndex t : mesh.triangles.indices()) {
        const uint32_t material = mesh.materials.empty() ? 0 : mesh.materials[t];
        const uint8_t inside = mesh.inside.empty() ? 0 : mesh.inside[t];
        const auto [entry, isNew] = numbers.try_emplace({material, inside}, builders.size());
        if (isNew) builders.emplace_back(mesh, material, inside);
        builders[entry->second].add(t);
    }
    for (PrimitiveBuilder& builder : builders) {
        primitives.push_back(builder.take());
        primitives.back().object = object;
    }
}

/// One object, that need not have a name.
struct ObjectView {
    std::string_view name;
    const TriMesh* mesh = nullptr;
};

/// The JSON and the one buffer, filled view by view: positions, normals, texture coordinates, indices.
class GltfBuilder {
public:
    explicit GltfBuilder(std::vector<ObjectView> objects) : objects_(std::move(objects)) {
        for (size_t o = 0; o < objects_.size(); ++o) splitIntoPrimitives(*objects_[o].mesh, o, primitives_);
    }

    void build() {
        json_["asset"] = {{"version", "2.0"}, {"generator", "Sunder"}};
        json_["scene"] = 0;
        json_["scenes"] = Json::array({{{"nodes", Json::array()}}});
        json_["nodes"] = Json::array();
        for (size_t o = 0; o < objects_.size(); ++o) {
            json_["scenes"][0]["nodes"].push_back(o);
            Json node = {{"mesh", o}};
            if (!objects_[o].name.empty()) node["name"] = utf8FromAny(std::string(objects_[o].name));
            json_["nodes"].push_back(std::move(node));
        }
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
    void addVectors(std::vector<Json>& described, const char* name, std::vector<Vector> Primitive::*field) {
        const auto has = [&](const Primitive& p) { return !(p.*field).empty(); };
        if (std::none_of(primitives_.begin(), primitives_.end(), has)) return;
        const size_t view = beginView(kVertexData);
        json_["bufferViews"].back()["byteStride"] = sizeof(Vector);
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
            if (std::string_view(name) == "POSITION") {
                accessor["min"] = std::vector<float>(low.begin(), low.end());
                accessor["max"] = std::vector<float>(high.begin(), high.end());
            }
            described[i]["attributes"][name] = addAccessor(std::move(accessor));
        }
        endView();
    }

    void addIndices(std::vector<Json>& described) {
        size_t most = 0;
        for (const Primitive& primitive : primitives_) most = std::max(most, primitive.positions.size());
        const bool isShort = most <= std::numeric_limits<uint16_t>::max();  // 65535 itself means "restart"
        const size_t view = beginView(kIndexData);
        for (size_t i = 0; i < primitives_.size(); ++i) {
            const std::vector<uint32_t>& indices = primitives_[i].indices;
            described[i]["indices"] = addAccessor({{"bufferView", view},
                                                   {"byteOffset", buffer_.size() - viewStart_},
                                                   {"componentType", isShort ? int{kUShort} : int{kUInt}},
                                                   {"count", indices.size()},
                                                   {"type", "SCALAR"}});
            for (const uint32_t index : indices) {
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
        const double grey = inside ? 0.5 : 0.8;
        Json material = {{"name", inside ? (named ? name + "_inside" : "inside") : name},
                         {"pbrMetallicRoughness",
                          {{"baseColorFactor", {grey, grey, grey, 1.0}},
                           {"metallicFactor", 0.0},
                           {"roughnessFactor", inside ? 1.0 : 0.6}}}};
        if (inside && named) material["extras"] = {{"inside", true}, {"material", name}};
        if (inside && !named) material["extras"] = {{"inside", true}, {"unnamed", true}};
        return material;
    }

    size_t addAccessor(Json accessor) {
        json_["accessors"].push_back(std::move(accessor));
        return json_["accessors"].size() - 1;
    }

    size_t beginView(ViewTarget target) {
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
    const size_t length = 12 + 8 + text.size() + 8 + builder.buffer().size();
    if (length > std::numeric_limits<uint32_t>::max()) {
        throw InputError(
            "glb",
            fmt::format("the file would have {} bytes, more than the 4 GiB the format allows; write .ply", length));
    }
    std::string bytes = "glTF";
    bytes.reserve(length);
    store(bytes, uint32_t{2});
    store(bytes, static_cast<uint32_t>(length));
    store(bytes, static_cast<uint32_t>(text.size()));
    bytes += "JSON" + text;
    store(bytes, static_cast<uint32_t>(builder.buffer().size()));
    bytes.append("BIN\0", 4);
    bytes += builder.buffer();
    return bytes;
}

std::string gltfOf(std::vector<ObjectView> objects) {
    GltfBuilder builder(std::move(objects));
    builder.build();
    builder.json()["buffers"][0]["uri"] = "data:application/octet-stream;base64," + encodeBase64(builder.buffer());
    return builder.json().dump(1);
}

std::vector<ObjectView> viewsOf(std::span<const NamedMesh> objects) {
    std::vector<ObjectView> views;
    for (const NamedMesh& object : objects) views.push_back({object.name, &object.mesh});
    return views;
}

}  // namespace

std::string glbBytes(const TriMesh& mesh) { return glbOf({{"", &mesh}}); }
std::string glbBytes(std::span<const NamedMesh> objects) { return glbOf(viewsOf(objects)); }

std::string gltfText(const TriMesh& mesh) { return gltfOf({{"", &mesh}}); }
std::string gltfText(std::span<const NamedMesh> objects) { return gltfOf(viewsOf(objects)); }

}  // namespace sunder
