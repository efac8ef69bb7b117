#pragma once

#include <string>

#include "io/files/source.h"
#include "io/mesh/mesh_io.h"

namespace sunder {

/// glTF 2.0: the triangles (lists, strips, fans) of all nodes of the scene, moved to where the nodes put them. Vertices
/// split only by their attributes are welded by position; UVs and normals stay with the corners. glTF counts v from the
/// top of the picture, TriMesh (as OBJ) from the bottom: v is turned over.
MeshFile readGltf(const Source& source);
/// The same in its binary container.
MeshFile readGlb(const Source& source);

/// The bytes of a .glb with one primitive per material and side; inside faces get a material of their own, named
/// NAME_inside. Positions are rounded to float.
std::string glbBytes(const TriMesh& mesh);
/// The same with several objects, one named node each.
std::string glbBytes(std::span<const NamedMesh> objects);
/// The same as one .gltf with its buffer in a data URI.
std::string gltfText(const TriMesh& mesh);
std::string gltfText(std::span<const NamedMesh> objects);

}  // namespace sunder
