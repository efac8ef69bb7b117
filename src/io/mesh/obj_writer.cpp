#include <algorithm>

#include <fmt/format.h>

#include "base/assert.h"
#include "io/files/text_builder.h"
#include "io/mesh/material_sides.h"
#include "io/mesh/obj.h"
#include "io/mesh/tuple_table.h"
#include "io/mesh/writable.h"
#include "material/catalogue.h"

namespace sunder {

namespace {

/// Writes each different value of a per-corner attribute once, and returns the number (from 1) for every corner.
/// `written` counts those of the whole file.
template <int N>
std::vector<std::array<uint32_t, 3>> writeAttribute(
    TextBuilder& text, const char* keyword,
    const IndexedVector<TriangleIndex, std::array<Eigen::Matrix<double, N, 1>, 3>>& values, uint32_t& written) {
    TupleTable<N> table;
    std::vector<std::array<uint32_t, 3>> numbers;
    numbers.reserve(values.size());
    const uint32_t before = written;
    // equal to the last bit counts as the same
    for (const auto& corners : values) {
        std::array<uint32_t, 3> triple;
        for (size_t k = 0; k < 3; ++k) {
            typename TupleTable<N>::Key key;
            for (int axis = 0; axis < N; ++axis) key[static_cast<size_t>(axis)] = wordOf(corners[k][axis]);
            const auto [number, isNew] = table.number(key);
            if (isNew) text << keyword << ' ' << corners[k] << '\n';
            triple[k] = before + number + 1;
            written = std::max(written, triple[k]);
        }
        numbers.push_back(triple);
    }
    return numbers;
}

/// A name must fit on the rest of a line.
std::string oneLine(std::string name) {
    std::replace_if(
        name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, '_');
    return name;
}

/// How many of each the file has so far: OBJ counts through all its objects.
struct Counts {
    uint32_t vertices = 0, uvs = 0, normals = 0;
};

void writeObject(TextBuilder& text, const TriMesh& mesh, Counts& written) {
    ASSERT(mesh.uvs.empty() || mesh.uvs.size() == mesh.triangleCount());
    ASSERT(mesh.normals.empty() || mesh.normals.size() == mesh.triangleCount());
    // places first, then what corners refer to besides
    const uint32_t firstVertex = written.vertices + 1;
    for (const Vec3& p : mesh.positions) text << "v " << p << '\n';
    written.vertices += static_cast<uint32_t>(mesh.vertexCount());
    const auto uvs = writeAttribute<2>(text, "vt", mesh.uvs, written.uvs);
    const auto normals = writeAttribute<3>(text, "vn", mesh.normals, written.normals);

    // groups and materials hold for all faces that follow, so only a change is written
    uint32_t material = kInvalidIndex;
    int inside = -1;
    for (const TriangleIndex t : mesh.triangles.indices()) {
        if (!mesh.inside.empty() && mesh.inside[t] != inside) {
            inside = mesh.inside[t];
            text << "g " << (inside ? kInsideGroup : kSurfaceGroup) << '\n';
        }
        if (!mesh.materials.empty() && mesh.materials[t] != material) {
            material = mesh.materials[t];
            text << "usemtl " << oneLine(materialName(mesh, material)) << '\n';
        }
        // v, v/vt, v//vn or v/vt/vn, by what the mesh has
        text << 'f';
        for (size_t k = 0; k < 3; ++k) {
            text << ' ' << raw(mesh.triangles[t][k]) + firstVertex;
            if (!uvs.empty() || !normals.empty()) text << '/';
            if (!uvs.empty()) text << uvs[raw(t)][k];
            if (!normals.empty()) text << '/' << normals[raw(t)][k];
        }
        text << '\n';
    }
}

}  // namespace

std::string objText(const TriMesh& mesh, const std::string& materialFile) {
    TextBuilder text;
    text << "# written by Sunder\n";
    if (!mesh.materials.empty()) text << "mtllib " << oneLine(materialFile) << '\n';
    Counts written;
    writeObject(text, mesh, written);
    return text.take();
}

std::string objText(std::span<const NamedMesh> objects, const std::string& materialFile) {
    TextBuilder text;
    text << "# written by Sunder\n";
    const bool hasMaterials =
        std::any_of(objects.begin(), objects.end(), [](const NamedMesh& o) { return !o.mesh.materials.empty(); });
    if (hasMaterials) text << "mtllib " << oneLine(materialFile) << '\n';
    Counts written;
    for (const NamedMesh& object : objects) {
        text << "o " << oneLine(object.name) << '\n';
        writeObject(text, object.mesh, written);
    }
    return text.take();
}

std::string mtlText(const TriMesh& mesh) {
    std::vector<MtlMaterial> materials;
    for (uint32_t m = 0; m < materialCount(mesh); ++m) {
        const std::string name = materialName(mesh, m);
        const bool inside = withoutInside(name) != name;
        MtlMaterial material{name};
        if (inside || lookOfMaterial(name) != nullptr) {
            const Look look = lookOfSide(name, inside);
            material = {name, look.colour, 1 - look.transmission, look.ior, look.roughness, look.metallic};
        }
        materials.push_back(std::move(material));
    }
    return mtlText(materials);
}

std::string mtlText(std::span<const MtlMaterial> materials) {
    TextBuilder text;
    text << "# written by Sunder\n";
    for (const MtlMaterial& material : materials) {
        text << "newmtl " << oneLine(material.name) << "\nKd " << material.colour << '\n';
        if (material.opacity) text << "d " << *material.opacity << '\n';
        if (material.refraction) text << "Ni " << *material.refraction << '\n';
        if (material.roughness) text << "Pr " << *material.roughness << '\n';
        if (material.metallic) text << "Pm " << *material.metallic << '\n';
    }
    return text.take();
}

}  // namespace sunder
