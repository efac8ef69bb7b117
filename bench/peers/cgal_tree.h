#pragma once

#include <memory>
#include <span>

#include "geometry/mesh/tri_mesh.h"

namespace sunder::bench {

/// CGAL's AABB_tree with the fast (inexact) kernel; in a file of its own so that foreign headers stay there.
class CgalTree {
public:
    explicit CgalTree(const TriMesh& mesh);
    ~CgalTree();
    /// Sum of squared distances, so that the queries cannot be dropped.
    double sumOfSquaredDistances(std::span<const Vec3> queries) const;

private:
    struct Data;
    std::unique_ptr<Data> data_;
};

}  // namespace sunder::bench
