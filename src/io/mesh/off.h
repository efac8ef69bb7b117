#pragma once

#include "io/files/source.h"
#include "io/mesh/mesh_io.h"

namespace sunder {

/// Object File Format: OFF with the prefixes ST (texture coordinates), C (colours, passed over) and N (normals); the
/// header word may be followed by the counts on the same line. Binary, four- and n-dimensional OFF are refused by name.
MeshFile readOff(const Source& source);

/// Positions and triangles; OFF has no common way to write more per corner.
std::string offText(const TriMesh& mesh);

}  // namespace sunder
