#pragma once

#include <functional>
#include <string>
#include <vector>

#include "geometry/mesh/tri_mesh.h"

/// Bad meshes made from good ones, so that the right answer is known.
namespace sunder::test {

/// What repair() must make of a bad mesh.
enum class Outcome {
    Clean,     // a solid as it is
    Repaired,  // a solid after some change that is told
    Solid,     // one or the other
    Shell,     // no solid, and said to be open or without volume
    Refused    // no solid, and the reason named
};

/// One bad mesh, and what must come of it.
struct MadeMesh {
    std::string name;  // kind_model_detail
    Outcome outcome = Outcome::Solid;
    double volume = 0;     // m^3, of the solid; 0 = not asked
    double tolerance = 0;  // of the volume, relative
    size_t bodies = 1;     // 0 = not asked
    std::string says;      // a word that the reason, a warning or an action must have
    std::function<TriMesh()> make;
};

// Kinds of mistakes; each list is longer where the shared models are.

/// A surface that is there twice, or has two skins, in whole or in part.
std::vector<MadeMesh> doubleWalls();
/// What a scanner did not see, and openings that are none of its doing.
std::vector<MadeMesh> largeHoles();
/// Vertices with thousands of neighbours.
std::vector<MadeMesh> hubs();
/// What other programs take without a word.
std::vector<MadeMesh> harmlessMistakes();
/// What looks closed and is no solid, or another than it seems.
std::vector<MadeMesh> falseSolids();

}  // namespace sunder::test
