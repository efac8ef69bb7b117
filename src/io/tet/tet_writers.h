#pragma once

#include <string>

#include "io/tet/tet_io.h"

namespace sunder {

/// The contents of tet files. Numbers are written with all their digits, so they read back as they were.
std::string gmsh22Of(const TetMesh& mesh, TetEncoding encoding);
std::string gmsh41Of(const TetMesh& mesh, TetEncoding encoding);
std::string netgenVolOf(const TetMesh& mesh);
std::string tetgenNodesOf(const TetMesh& mesh);
std::string tetgenElementsOf(const TetMesh& mesh);

}  // namespace sunder
