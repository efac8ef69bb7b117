#include "io/mesh/mesh_io.h"

#include <array>

#include <fmt/format.h>

#include "io/files/file_access.h"
#include "io/files/source.h"
#include "io/mesh/gltf.h"
#include "io/mesh/obj.h"
#include "io/mesh/off.h"
#include "io/mesh/ply.h"
#include "io/mesh/stl.h"
#include "io/mesh/writable.h"

namespace sunder {

namespace {

struct FormatName {
    MeshFormat format;
    const char* name;
};
constexpr std::array kFormats = {FormatName{MeshFormat::Obj, "obj"},   FormatName{MeshFormat::Ply, "ply"},
                                 FormatName{MeshFormat::Stl, "stl"},   FormatName{MeshFormat::Off, "off"},
                                 FormatName{MeshFormat::Gltf, "gltf"}, FormatName{MeshFormat::Glb, "glb"}};

/// Keeps every count of vertices and triangles within 32 bits: no format makes one from less than a byte.
constexpr uint64_t kMaxBytes = uint64_t{4} << 30;

MeshFile readAs(const Source& source, MeshFormat format) {
    switch (format) {
        case MeshFormat::Obj:
            return readObj(source);
        case MeshFormat::Ply:
            return readPly(source);
        case MeshFormat::Stl:
            return readStl(source);
        case MeshFormat::Off:
            return readOff(source);
        case MeshFormat::Gltf:
            return readGltf(source);
        case MeshFormat::Glb:
            return readGlb(source);
    }
    ASSERT(false);
    return {};
}

/// What no mesh can be, in whatever format, is told here.
MeshFile readChecked(const Source& source, MeshFormat format) {
    if (source.bytes.empty()) throw errorInFile(source, "empty file (0 bytes); was the export interrupted?");
    if (const std::string foreign = recogniseForeign(source.bytes); !foreign.empty()) {
        throw errorInFile(source, fmt::format("not a .{} mesh: the file is {}", nameOf(format), foreign));
    }
    MeshFile file = readAs(source, format);
    if (file.mesh.empty()) {
        throw errorInFile(source, fmt::format("no triangles: the file has {} and no faces; a surface mesh is needed",
                                              counted(file.mesh.vertexCount(), "vertex", "vertices")));
    }
    return file;
}

std::filesystem::path materialFileOf(std::filesystem::path path) { return path.replace_extension(".mtl"); }

}  // namespace

const char* nameOf(MeshFormat format) {
    for (const FormatName& f : kFormats) {
        if (f.format == format) return f.name;
    }
    return "";
}

MeshFormat meshFormatOf(const std::filesystem::path& path) {
    std::string extension = path.extension().string();
    if (extension.starts_with('.')) extension.erase(0, 1);
    for (const FormatName& f : kFormats) {
        if (equalIgnoringCase(extension, f.name)) return f.format;
    }
    throw InputError(path.string(),
                     fmt::format("the extension {} names no mesh format; there are .obj, .ply, .stl, .off, .gltf, .glb",
                                 inQuotes(extension)));
}

MeshFile readMesh(const std::filesystem::path& path) {
    const MeshFormat format = meshFormatOf(path);
    const std::string bytes = readWholeFile(path, kMaxBytes);
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
    return readChecked({path.string(), bytes, folder}, format);
}

MeshFile readMesh(std::span<const std::byte> bytes, MeshFormat format, const std::string& name,
                  const std::filesystem::path& folder) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (text.size() > kMaxBytes) throw InputError(name, fmt::format("more than {} bytes cannot be read", kMaxBytes));
    return readChecked({name, text, folder}, format);
}

std::string meshBytes(const TriMesh& mesh, MeshFormat format, const std::string& name) {
    // a format of floats cannot hold every coordinate of a double
    const bool isFloat = format == MeshFormat::Stl || format == MeshFormat::Gltf || format == MeshFormat::Glb;
    checkWritable(mesh, isFloat ? NumberWidth::Float : NumberWidth::Double, name);
    switch (format) {
        case MeshFormat::Obj:
            return objText(mesh, materialFileOf(name).filename().string());
        case MeshFormat::Ply:
            return plyBytes(mesh);
        case MeshFormat::Stl:
            return stlBytes(mesh);
        case MeshFormat::Off:
            return offText(mesh);
        case MeshFormat::Gltf:
            return gltfText(mesh);
        case MeshFormat::Glb:
            return glbBytes(mesh);
    }
    ASSERT(false);
    return {};
}

void writeMesh(const TriMesh& mesh, const std::filesystem::path& path) {
    const MeshFormat format = meshFormatOf(path);
    const std::string bytes = meshBytes(mesh, format, path.string());
    // first the .mtl: whoever sees the .obj finds it
    if (format == MeshFormat::Obj && !mesh.materials.empty()) writeFileAtomically(materialFileOf(path), mtlText(mesh));
    writeFileAtomically(path, bytes);
}

void writeMeshes(std::span<const NamedMesh> objects, const std::filesystem::path& path) {
    const MeshFormat format = meshFormatOf(path);
    TriMesh all;
    for (const NamedMesh& object : objects) append(all, object.mesh);
    switch (format) {
        case MeshFormat::Obj:
            checkWritable(all, NumberWidth::Double, path.string());
            if (!all.materials.empty()) writeFileAtomically(materialFileOf(path), mtlText(all));
            return writeFileAtomically(path, objText(objects, materialFileOf(path).filename().string()));
        case MeshFormat::Gltf:
            checkWritable(all, NumberWidth::Float, path.string());
            return writeFileAtomically(path, gltfText(objects));
        case MeshFormat::Glb:
            checkWritable(all, NumberWidth::Float, path.string());
            return writeFileAtomically(path, glbBytes(objects));
        default:
            return writeMesh(all, path);
    }
}

}  // namespace sunder
