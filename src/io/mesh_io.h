#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "geometry/mesh/tri_mesh.h"

namespace sunder {

enum class MeshFormat { Obj, Ply, Stl, Off, Gltf, Glb };

/// What a reader found, with remarks a user may want to know ("2 line elements ignored").
struct MeshFile {
    TriMesh mesh;
    MeshFormat format = MeshFormat::Obj;
    std::vector<std::string> notes;
};

/// "obj", "ply", ...
const char* nameOf(MeshFormat format);
/// By extension, any case; throws InputError naming the formats there are.
MeshFormat meshFormatOf(const std::filesystem::path& path);

/// Reads a mesh as it is: polygons are triangulated, exactly equal vertices of formats that cannot share them (STL) are
/// welded; nothing else is mended. Throws InputError.
MeshFile readMesh(const std::filesystem::path& path);
/// The same from memory; `name` is used in messages. External buffers of .gltf are looked up in `folder`.
MeshFile readMesh(std::span<const std::byte> bytes, MeshFormat format, const std::string& name,
                  const std::filesystem::path& folder = {});

/// Writes by extension. OBJ also writes the .mtl beside it when there are material names. Throws InputError when the
/// file cannot be written. Never leaves half a file: writes beside, then renames.
void writeMesh(const TriMesh& mesh, const std::filesystem::path& path);

}  // namespace sunder
