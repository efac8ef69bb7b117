#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "geometry/mesh/tri_mesh.h"

namespace sunder {

/// Files of meshes: all are read and written.
enum class MeshFormat { Obj, Ply, Stl, Off, Gltf, Glb };

/// What a reader found, with remarks a user may want to know ("2 line elements ignored").
struct MeshFile {
    TriMesh mesh;                         // as the file has it, in the file's unit
    MeshFormat format = MeshFormat::Obj;  // that it was read as
    std::vector<std::string> notes;       // for people; none: all was understood
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

/// What each format keeps, besides positions and triangles:
///
///     obj   double  UVs, normals, materials, inside (as a group)     triangles and vertices in order
///     ply   double  UVs and normals as float, materials, inside      the same
///     gltf, glb     all as float, grouped by material and inside     vertices by position, only those in use
///     stl   float                                                    the same
///     off   double                                                   triangles and vertices in order
///
/// UVs count v upwards from the bottom of the picture, as OBJ does; glTF files count downwards and are turned over.
///
/// Writes by extension. OBJ also writes the .mtl beside it when there are material names. Throws InputError when the
/// file cannot be written. Never leaves half a file: writes beside, then renames.
void writeMesh(const TriMesh& mesh, const std::filesystem::path& path);

/// "mass" and how much.
using NamedNumber = std::pair<std::string, double>;

/// One of several objects of a file.
struct NamedMesh {
    std::string name;                       // as other programs will list it
    TriMesh mesh;                           // its own vertices
    Vec3 pivot = Vec3::Zero();              // where its origin is to be, in the same coordinates
    std::vector<NamedNumber> numbers = {};  // what programs may want to know of it
};

/// Writes them as one file by extension. obj, gltf and glb keep them apart by name; the other formats have one surface,
/// whose connected parts they are. Only gltf and glb know places of objects and numbers (`extras`); vertices of the
/// others are where they are. Materials of equal name are one.
void writeMeshes(std::span<const NamedMesh> objects, const std::filesystem::path& path);

/// The bytes writeMesh would put into the file; `name` is used in messages.
std::string meshBytes(const TriMesh& mesh, MeshFormat format, const std::string& name);

}  // namespace sunder
