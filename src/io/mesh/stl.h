#pragma once

#include <string>

#include "io/files/source.h"
#include "io/mesh/mesh_io.h"

namespace sunder {

/// Stereolithography files, ASCII and binary. Which of the two is decided by the size (84 + 50 n bytes) and the
/// contents, not by the word "solid" alone. Stored normals are not believed: the winding says which side is out. Equal
/// vertices are welded.
MeshFile readStl(const Source& source);

/// The bytes of a binary STL; positions are rounded to float.
std::string stlBytes(const TriMesh& mesh);

}  // namespace sunder
