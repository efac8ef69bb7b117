#pragma once

#include <string>

#include "io/files/source.h"
#include "io/mesh/mesh_io.h"

namespace sunder {

/// Stanford PLY: ASCII, binary little and big endian, any order and type of properties, further elements passed over.
/// UVs come from vertices (s t, u v or texture_u texture_v) or from the list `texcoord` of faces, normals from vertices
/// (nx ny nz) or from the list `corner_normals`, materials and inside flags from face properties of these names; the
/// names of materials are header comments "material NUMBER NAME".
MeshFile readPly(const Source& source);

/// The bytes of a binary little endian PLY. Positions are float if that loses nothing, else double. UVs and normals are
/// written per vertex where all corners of a vertex agree, otherwise per corner as lists of the face: vertices are
/// never split, so what was closed stays closed.
std::string plyBytes(const TriMesh& mesh);

}  // namespace sunder
