#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "fracture/interface/fracture_method.h"
#include "io/mesh/mesh_io.h"

/// The pieces of one break, ready to be used by other programs: named, with two materials, UVs, pivots and hulls.
namespace sunder {

/// Where a piece has its origin.
enum class Pivot {
    Body,  // all have that of the body they were part of
    Mass,  // their own centre of mass
    Base   // the middle of the bottom of their box
};

struct ReadyOptions {
    std::string source;                  // pieces are called after it: "bunny_p07"
    std::string material;                // of surfaces without one; empty: they are called after the source
    Pivot pivot = Pivot::Mass;           // of each piece
    double exploded = 0;                 // how far pieces are moved apart, in parts of their distance from the middle
    std::optional<size_t> maxTriangles;  // of all pieces together, hulls not counted
    bool hulls = false;                  // with a convex hull for each piece
};

/// One piece, and the hull that goes with it.
struct ReadyPiece {
    NamedMesh surface;              // in the coordinates of the body, exploded
    std::optional<NamedMesh> hull;  // "UCX_bunny_p07", as Unreal knows it
    Vec3 centre = Vec3::Zero();     // of mass, m, where the surface is
    double mass = 0, volume = 0;    // kg, m^3: of the piece, not of what was thinned
};

/// Outside and crack faces have a material each; all faces have UVs and normals. `middle`: what pieces move away from.
std::vector<ReadyPiece> readyPieces(const fracture::FracturePlan& plan, const Vec3& middle,
                                    const ReadyOptions& options);

/// One file for all. Throws InputError when it cannot be written.
void writePieces(const std::vector<ReadyPiece>& pieces, const std::filesystem::path& file);
/// A file for each, with its pivot at the origin unless the format knows places, and pieces.csv and pieces.json, which
/// tell where they belong.
void writePieceFolder(const std::vector<ReadyPiece>& pieces, const std::filesystem::path& folder, MeshFormat format);

/// A convex hull of at most so many corners, inside the true one: engines want few. Empty when the points have none.
TriMesh collisionHull(const TriMesh& mesh, size_t mostCorners);

}  // namespace sunder
