#include "io/mesh/gltf_parts.h"

#include <limits>
#include <map>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/error.h"
#include "io/files/byte_order.h"
#include "io/mesh/polygon_soup.h"
#include "io/mesh/tuple_table.h"

namespace sunder {

namespace {

Eigen::Vector3f unitNormal(const TriMesh& mesh, TriangleIndex t, size_t corner) {
    Vec3 n = unitOrZero(mesh.normals[t][corner]);
    if (n.isZero(0)) n = unitOrZero(mesh.areaVector(t));
    return (n.isZero(0) ? Vec3(0, 0, 1) : n).cast<float>();
}

class PrimitiveBuilder {
public:
    PrimitiveBuilder(const TriMesh& mesh, const Vec3& origin, TriangleIndex first, uint32_t material, uint8_t inside)
        : mesh_(mesh), origin_(origin) {
        primitive_.first = first;
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
                primitive_.positions.push_back((mesh_.positions[v] - origin_).cast<float>());
                if (!mesh_.normals.empty()) primitive_.normals.push_back(normal);
                if (!mesh_.uvs.empty()) primitive_.uvs.push_back(uv);
            }
            primitive_.indices.push_back(number);
        }
    }

    GltfPrimitive take() { return std::move(primitive_); }

private:
    const TriMesh& mesh_;
    Vec3 origin_;
    GltfPrimitive primitive_;
    TupleTable<6> table_;
};

}  // namespace

std::vector<GltfPrimitive> splitIntoPrimitives(const TriMesh& mesh, const Vec3& origin) {
    ASSERT(mesh.uvs.empty() || mesh.uvs.size() == mesh.triangleCount());
    ASSERT(mesh.normals.empty() || mesh.normals.size() == mesh.triangleCount());
    std::map<std::pair<uint32_t, uint8_t>, size_t> numbers;
    std::vector<PrimitiveBuilder> builders;
    for (const TriangleIndex t : mesh.triangles.indices()) {
        const uint32_t material = mesh.materials.empty() ? 0 : mesh.materials[t];
        const uint8_t inside = mesh.inside.empty() ? 0 : mesh.inside[t];
        const auto [entry, isNew] = numbers.try_emplace({material, inside}, builders.size());
        if (isNew) builders.emplace_back(mesh, origin, t, material, inside);
        builders[entry->second].add(t);
    }
    std::vector<GltfPrimitive> primitives;
    for (PrimitiveBuilder& builder : builders) primitives.push_back(builder.take());
    return primitives;
}

nlohmann::ordered_json insideExtras(const std::string& material) { return {{"inside", true}, {"material", material}}; }

GlbHeads glbHeads(uint64_t jsonBytes, uint64_t binaryBytes, const std::string& advice) {
    ASSERT(jsonBytes % 4 == 0 && binaryBytes % 4 == 0);
    const uint64_t length = 12 + 8 + jsonBytes + 8 + binaryBytes;
    if (length > std::numeric_limits<uint32_t>::max()) {
        throw InputError("glb", fmt::format("the file would have {} bytes, more than the 4 GiB the format allows; {}",
                                            length, advice));
    }
    GlbHeads heads{"glTF", ""};
    store(heads.file, uint32_t{2});
    store(heads.file, static_cast<uint32_t>(length));
    store(heads.file, static_cast<uint32_t>(jsonBytes));
    heads.file += "JSON";
    store(heads.binary, static_cast<uint32_t>(binaryBytes));
    heads.binary.append("BIN\0", 4);
    return heads;
}

}  // namespace sunder
