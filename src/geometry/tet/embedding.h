#pragma once

#include <span>
#include <vector>

#include "geometry/tet/tet_mesh.h"
#include "geometry/tree/bvh.h"

namespace sunder {

/// A point by its tet: point = sum of weight[i] * node[i]. Weights sum to 1; one is negative when the point lies
/// outside the tet it is tied to.
struct TetPoint {
    TetIndex tet = kNone<TetIndex>;  // none: the mesh has no tets
    Vec4 weights = Vec4::Zero();     // beside the nodes of the tet
};

/// Finds tets at points. The mesh stays alive and unchanged while it is used.
class TetLocator {
public:
    /// Builds a tree of the tets' boxes.
    explicit TetLocator(const TetMesh& mesh);
    /// The tet that holds the point, or the nearest one when none does; ties go to the lowest tet. None in an empty
    /// mesh.
    TetPoint locate(const Vec3& point) const;
    /// Tets whose box overlaps, ascending.
    std::vector<TetIndex> overlapping(const Box3& box) const;

private:
    const TetMesh* mesh_;
    Bvh bvh_;
};

/// Barycentric weights of a point in a tet of positive volume.
Vec4 barycentric(const TetMesh& mesh, TetIndex tet, const Vec3& point);
/// Where the nodes are now, m: the point goes with them.
Vec3 pointAt(const TetMesh& mesh, const TetPoint& point);

/// A fine surface tied to a coarser tet mesh.
struct Embedding {
    IndexedVector<VertexIndex, TetPoint> vertices;  // where each surface vertex sits
    /// Tets that each surface triangle crosses (touching counts), ascending; the tet nearest to its centre if it
    /// crosses none. CSR.
    std::vector<uint32_t> firstTet;  // triangle t crosses tets[firstTet[t] .. firstTet[t + 1])
    std::vector<TetIndex> tets;      // those of triangle 0, then of triangle 1

    /// One at least, ascending.
    std::span<const TetIndex> tetsOf(TriangleIndex t) const {
        return std::span(tets).subspan(firstTet[raw(t)], firstTet[raw(t) + 1] - firstTet[raw(t)]);
    }
};
/// The mesh has tets.
Embedding embed(const TriMesh& surface, const TetMesh& mesh);

/// The surface carried along when the tets' nodes move. Normals are dropped: they no longer hold, computeNormals()
/// makes new ones.
TriMesh deformed(const TriMesh& surface, const Embedding& embedding, const TetMesh& movedMesh);

}  // namespace sunder
