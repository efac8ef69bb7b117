#pragma once

#include <vector>

#include "geometry/tree/triangle_tree.h"

namespace sunder {

/// Generalised winding number of any triangle soup: about 1 inside, 0 outside, fractions near holes. Far triangles are
/// taken together as dipoles with a second-order expansion [barill2018], near ones exactly as solid angles.
class WindingNumber {
public:
    /// `accuracy`: a cluster is expanded when the query is farther than this many cluster radii.
    explicit WindingNumber(const TriMesh& mesh, double accuracy = 2.0);
    double operator()(const Vec3& query) const;

private:
    struct Moments {
        Vec3 centre;       // area-weighted
        double radius;     // of a ball about the centre that holds the cluster
        Vec3 areaVector;   // sum of area times normal
        Mat3 firstMoment;  // sum of area * (centroid - centre) * normal^T
        std::array<Mat3, 3> secondMoment;
    };
    const TriMesh* mesh_;
    double accuracy_;
    Bvh bvh_;
    std::vector<Moments> moments_;
};

/// Straight sum of solid angles, for one query or as the oracle of tests.
double exactWindingNumber(const TriMesh& mesh, const Vec3& query);

}  // namespace sunder
