#pragma once

#include <array>
#include <span>
#include <vector>

#include "geometry/tree/triangle_tree.h"

namespace sunder {

namespace detail {

/// Corners of a few triangles, coordinate by coordinate, so that they are worked on side by side.
struct CornerBlock {
    static constexpr size_t kTriangles = 4;
    double at[9][kTriangles];  // ax ay az bx by bz cx cy cz
};

}  // namespace detail

/// Generalised winding number of any triangle soup: about 1 inside, 0 outside, fractions near holes. Far triangles are
/// taken together as dipoles with a second-order expansion [barill2018], near ones exactly as solid angles.
class WindingNumber {
public:
    /// `accuracy`: a cluster is expanded when the query is farther than this many cluster radii.
    explicit WindingNumber(const TriMesh& mesh, double accuracy = 2.0);
    /// Any thread may ask. 0 when there are no triangles.
    double operator()(const Vec3& query) const;

private:
    /// Taylor expansion about a cluster's centre of the field of its dipoles. With n the area element and
    /// d the place relative to the centre, integrated over the cluster's triangles:
    struct Moments {
        Vec3 centre;                   // area-weighted
        double squaredReach;           // (accuracy * radius of a ball about the centre that holds the cluster)^2
        Vec3 areaVector;               // n
        std::array<double, 6> first;   // symmetric part of d n: xx yy zz xy yz zx
        Vec3 linear;                   // 2 d (d . n) + (d . d) n: the part of d d n that meets r/|r|^5
        std::array<double, 10> cubic;  // coefficients of the form (d . r)^2 (n . r): see cubicForm
        uint32_t firstBlock;           // of a leaf
    };
    using Corners = std::array<Vec3, 3>;
    Moments momentsOf(const Bvh::Node& node, std::span<const Corners> corners) const;
    uint32_t addBlocks(std::span<const Corners> triangles);

    double accuracy_;
    Bvh bvh_;
    std::vector<Moments> moments_;             // of each node
    std::vector<detail::CornerBlock> blocks_;  // of the leaves
};

/// Straight sum of solid angles, for one query or as the oracle of tests.
double exactWindingNumber(const TriMesh& mesh, const Vec3& query);

}  // namespace sunder
