#pragma once

#include "fracture/common/scars.h"
#include "geometry/tet/embedding.h"

namespace sunder::fracture {

/// What stays of the displacements that a blow brings, at any place.
///
///     x <- x + alpha u        [bao2007]
///
/// One and the same at one place, so what fitted still does.
class Dent {
public:
    /// `ductility`: alpha; `most`: m, the largest displacement that stays. The tets and displacements outlive it.
    Dent(const TetMesh& tets, const IndexedVector<NodeIndex, Vec3>& displacement, double ductility, double most);
    /// Moves every vertex or weak spot to where the dent takes it. Normals of vertices are dropped.
    void apply(TriMesh& mesh) const;
    void apply(Scars& scars) const;

private:
    Vec3 at(const Vec3& point) const;
    const TetMesh& tets_;
    const IndexedVector<NodeIndex, Vec3>& displacement_;
    TetLocator locator_;
    double scale_ = 0;
};

}  // namespace sunder::fracture
