#pragma once

#include <functional>
#include <limits>
#include <vector>

#include "geometry/tet/cracked_tets.h"
#include "math/sym_mat3.h"

namespace sunder::fracture {

inline constexpr double kAreaOfCut = 0.3;  // of a tet's size squared: mean area of a plane cut through it

/// A crack as the surface where `side` is 0 in the tets it runs through.
struct CrackSurface {
    IndexedVector<NodeIndex, double> side;     // m, about the distance from the surface; NaN where it has not come yet
    IndexedVector<TetIndex, uint8_t> through;  // tets that it cuts
    size_t tets = 0;                           // how many
};

/// What drives cracks: stress and what the material bears, tet by tet.
struct CrackDrive {
    const IndexedVector<TetIndex, SymMat3>* stress = nullptr;   // Pa
    const IndexedVector<TetIndex, double>* strength = nullptr;  // Pa, to begin a crack
    double extension = 0.5;  // share of the strength that is enough for a crack to go on
    /// Where the material would rather part, tet by tet: the normal of a grain's wall times how much it counts, 0 to 1.
    /// Null: nowhere.
    const IndexedVector<TetIndex, Vec3>* weakPlane = nullptr;
    /// Is there so little left ahead of a front that elements cannot tell its stress? Asked with a place and the
    /// direction the crack runs in. Such a ligament breaks with the crack: it bears what the whole section bore, and
    /// its stress grows like one over its width squared. Empty: never.
    std::function<bool(const Vec3& place, const Vec3& direction)> endsSoon;
};

/// Tension across a plane over strength; 1: a crack begins (where the plane is that of the largest principal stress).
double tensionAcross(const CrackDrive& drive, TetIndex tet, const Vec3& normal);
double largestTension(const CrackDrive& drive, TetIndex tet);  // the same, across the plane for which it is largest

/// How straight a crack runs, and how far.
struct CrackGrowthOptions {
    double smoothing = 0.7;   // how much of its direction a crack keeps from tet to tet; 0: follows the stress alone
    double largestTurn = 30;  // degrees, from one tet to the next
    size_t mostTets = std::numeric_limits<size_t>::max();  // to come to
};

/// Begins a crack in a tet, across its largest tension, and lets it run from face to face as long as the tension across
/// it is enough, the most strained tets first. In every tet the surface is plane and passes through the points that it
/// has already got on the edges it shares: so it is one continuous surface through the mesh, and does not follow the
/// faces of tets.
CrackSurface beginCrack(const CrackedTets& tets, const CrackDrive& drive, TetIndex start,
                        const CrackGrowthOptions& options = {});

/// Goes on with a crack after stress has changed. `before` is the surface so far, for all of the cracked mesh: see
/// carryOver(). Only tets it comes to anew are marked in the answer.
CrackSurface extendCrack(const CrackedTets& tets, const CrackDrive& drive, const CrackSurface& before,
                         const CrackGrowthOptions& options = {});

/// After one more crack: the surface for what that added, too.
void carryOver(CrackSurface& surface, const CrackedFurther& further);

}  // namespace sunder::fracture
