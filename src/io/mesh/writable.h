#pragma once

#include <cstdint>
#include <string>

#include "geometry/mesh/tri_mesh.h"

namespace sunder {

enum class NumberWidth { Float, Double };

/// Throws InputError when a file of this mesh could not be read back: no triangles, numbers that are not finite, or
/// coordinates beyond the range of the format's numbers.
void checkWritable(const TriMesh& mesh, NumberWidth width, const std::string& path);

/// How many materials the mesh uses or names.
uint32_t materialCount(const TriMesh& mesh);
/// Its given name, or "material_3" when it has none.
std::string materialName(const TriMesh& mesh, uint32_t material);

}  // namespace sunder
