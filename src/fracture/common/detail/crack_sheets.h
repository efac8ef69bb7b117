#pragma once

#include "fracture/common/crack_faces.h"
#include "fracture/common/detail/patch.h"

namespace sunder::fracture {

/// A crack face as part of a sheet.
struct SheetFace {
    uint32_t component = 0;
    std::vector<uint32_t> corners;  // places
    std::vector<Beyond> beyond;     // by edge, to the next corner
    std::vector<uint32_t> joint;    // by edge, where there is more of the sheet: the same number in the two faces
    uint32_t sheet = kInvalidIndex;
};

/// Cracks that end inside, as surfaces: faces that go on in each other, all turned alike.
struct CrackSheets {
    std::vector<Vec3> places;  // m
    std::vector<std::vector<SheetFace>> sheets;
};
/// `cell`: m, about the size of a tet.
CrackSheets crackSheets(const TetMesh& whole, const CrackedTets& tets, const TetComponents& components, double cell);

}  // namespace sunder::fracture
