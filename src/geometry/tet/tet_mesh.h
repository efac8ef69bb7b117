#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/indexed_vector.h"
#include "geometry/mesh/tri_mesh.h"
#include "math/vec.h"

namespace sunder {

/// Into the nodes of a TetMesh.
enum class NodeIndex : uint32_t {};
/// Into the tets of a TetMesh, and whatever there is for each of them.
enum class TetIndex : uint32_t {};

/// Four nodes, positive volume: (b - a) x (c - a) . (d - a) > 0.
using Tet = std::array<NodeIndex, 4>;

/// A tetrahedral mesh, face-conforming: two tets share a whole face, an edge, a node, or nothing.
struct TetMesh {
    IndexedVector<NodeIndex, Vec3> nodes;  // m
    IndexedVector<TetIndex, Tet> tets;     // each by its nodes
    IndexedVector<TetIndex, int> regions;  // optional label per tet (a file's physical region); empty or one per tet

    size_t nodeCount() const { return nodes.size(); }  // also those of no tet
    size_t tetCount() const { return tets.size(); }    // also flat and inverted ones

    /// Positions of the four nodes, in order, m.
    std::array<Vec3, 4> corners(TetIndex t) const {
        const Tet& n = tets[t];
        return {nodes[n[0]], nodes[n[1]], nodes[n[2]], nodes[n[3]]};
    }
};

/// The face opposite to corner i, turned outward for a positive tet: corners kTetFaces[i].
inline constexpr std::array<std::array<uint8_t, 3>, 4> kTetFaces{{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};

/// Signed volume, m^3.
double volume(const TetMesh& mesh, TetIndex t);
/// Mean of the corners, m: the centre of its mass too.
Vec3 middleOf(const TetMesh& mesh, TetIndex t);
/// The gradient of the linear function that has these values at a tet's corners.
Vec3 gradientOf(const TetMesh& mesh, TetIndex t, const Vec4& values);
/// Sum over all tets, m^3; inverted ones count negative.
double volume(const TetMesh& mesh);

/// For every tet and face, the tet on the other side, or none. A face that more than two tets claim (only in a mesh
/// that is not face-conforming) is left without neighbours.
IndexedVector<TetIndex, std::array<TetIndex, 4>> faceNeighbours(const TetMesh& mesh);

/// Faces with a tet on one side only, outward, in order of tet and face; vertices in order of their nodes.
///
/// Where the boundary touches itself at a node, the surface has one vertex for each of its sheets there, so
/// nodeOfVertex may name a node twice. Sheets are told apart by going round each edge through the tets. What is left
/// non-manifold is an edge where two wedges of tets touch whose sheets join at both ends: see splitPinches().
struct TetBoundary {
    TriMesh surface;                                       // closed and outward
    IndexedVector<VertexIndex, NodeIndex> nodeOfVertex;    // which node each vertex is
    IndexedVector<TriangleIndex, TetIndex> tetOfTriangle;  // which tet has it as a face
};
/// Looks for the neighbours of each tet itself.
TetBoundary boundaryOf(const TetMesh& mesh);
/// The same with neighbours that the caller has at hand.
TetBoundary boundaryOf(const TetMesh& mesh, const IndexedVector<TetIndex, std::array<TetIndex, 4>>& neighbours);

/// The tets on the side of the plane (normal . x < offset) that their centroids are on, as a surface: faces of the
/// mesh's own boundary have inside = 0, faces laid bare by the cut inside = 1. For looking into a mesh.
TriMesh cutaway(const TetMesh& mesh, const Vec3& normal, double offset);

/// The chosen tets in the given order, with their regions and only the nodes they use, in order of node.
TetMesh subset(const TetMesh& mesh, const std::vector<TetIndex>& chosen);

/// Extremes over the tets of a mesh.
struct TetQuality {
    double minDihedral = 0;  // degrees
    double maxDihedral = 0;  // degrees; NaN for both when a tet is flat to a point or line
    double minVolume = 0;    // m^3; negative = inverted tet
    double maxVolume = 0;    // m^3
};
/// All 0 for a mesh without tets.
TetQuality qualityOf(const TetMesh& mesh);

}  // namespace sunder
