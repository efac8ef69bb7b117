#include "bench/peers/cgal_tree.h"

#include <vector>

#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Simple_cartesian.h>

namespace sunder::bench {

namespace {
using Kernel = CGAL::Simple_cartesian<double>;
using Triangles = std::vector<Kernel::Triangle_3>;
using Primitive = CGAL::AABB_triangle_primitive<Kernel, Triangles::const_iterator>;
using Tree = CGAL::AABB_tree<CGAL::AABB_traits<Kernel, Primitive>>;
}  // namespace

struct CgalTree::Data {
    Triangles triangles;
    Tree tree;
};

CgalTree::CgalTree(const TriMesh& mesh) : data_(std::make_unique<Data>()) {
    for (const TriangleIndex t : mesh.triangles.indices()) {
        const auto [a, b, c] = mesh.corners(t);
        data_->triangles.emplace_back(Kernel::Point_3(a.x(), a.y(), a.z()), Kernel::Point_3(b.x(), b.y(), b.z()),
                                      Kernel::Point_3(c.x(), c.y(), c.z()));
    }
    data_->tree.rebuild(data_->triangles.cbegin(), data_->triangles.cend());
    data_->tree.accelerate_distance_queries();
}

CgalTree::~CgalTree() = default;

double CgalTree::sumOfSquaredDistances(std::span<const Vec3> queries) const {
    double sum = 0;
    for (const Vec3& q : queries) sum += data_->tree.squared_distance(Kernel::Point_3(q.x(), q.y(), q.z()));
    return sum;
}

}  // namespace sunder::bench
