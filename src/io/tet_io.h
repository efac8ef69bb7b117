#pragma once

#include <filesystem>

#include "geometry/tet/tet_mesh.h"

namespace sunder {

enum class TetFormat { Gmsh22, Gmsh41, NetgenVol, TetGen };

/// By extension, any case.
bool isTetFile(const std::filesystem::path& path);

/// Reads .msh (Gmsh 2.2 and 4.1, ASCII and binary), .vol (Netgen) or .node/.ele (TetGen; either name). Tets with
/// negative volume are turned. Throws InputError.
TetMesh readTetMesh(const std::filesystem::path& path);

/// Format by extension (.msh writes 4.1 unless told otherwise). Throws InputError.
void writeTetMesh(const TetMesh& mesh, const std::filesystem::path& path);
void writeTetMesh(const TetMesh& mesh, const std::filesystem::path& path, TetFormat format);

}  // namespace sunder
