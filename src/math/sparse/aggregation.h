#pragma once

#include <optional>
#include <span>
#include <vector>

#include "math/sparse/block_cholesky.h"

namespace sunder {

/// A preconditioner for elasticity, on two levels: smoothed aggregation [vanek1996]. Nodes are gathered into aggregates
/// of some twenty that move as rigid bodies, smoothed by one step of Jacobi's method; what they can do is solved for
/// directly, what is left is smoothed by a polynomial [adams2003]. Parts that hang together by little, as those between
/// cracks do, move against each other nearly freely: that takes the diagonal hundreds of iterations to find out, and
/// is exactly what aggregates can do. The matrix may be singular by the rigid motions of what hangs together. The same
/// bits for any number of threads.
class Aggregation {
public:
    /// `matrix` outlives it. Positions, one per node, m.
    Aggregation(const BlockMatrix& matrix, std::span<const Vec3> positions);

    /// result = M residual, M symmetric and positive
    void apply(std::span<const Vec3> residual, std::span<Vec3> result) const;

    size_t aggregates() const { return members_.size() - 1; }  // how many the nodes were gathered into

private:
    using Motion = Eigen::Matrix<double, 3, 6>;  // of a node, by translations and turns of an aggregate

    void gather();
    void estimateLargest();
    void smoothMotions(std::span<const Vec3> positions);
    void factorCoarse();
    /// result = what the polynomial makes of the residual, from zero.
    void smooth(std::span<const Vec3> residual, std::span<Vec3> result, std::span<Vec3> scratch) const;

    const BlockMatrix& matrix_;
    std::vector<Mat3> inverse_;          // of the diagonal blocks
    double largest_ = 0;                 // eigenvalue of inverse * matrix
    std::vector<uint32_t> aggregate_;    // by node
    std::vector<Vec3> centres_;          // by aggregate, m
    std::vector<uint32_t> firstMotion_;  // node n moves with motions_[firstMotion_[n] .. firstMotion_[n + 1])
    std::vector<uint32_t> motionOf_;     // which aggregate's
    std::vector<Motion> motions_;
    std::vector<uint32_t> members_;  // aggregate a moves members of memberOf_[members_[a] .. members_[a + 1])
    struct Member {
        uint32_t node, motion;
    };
    std::vector<Member> memberOf_;
    std::optional<BlockCholesky> coarse_;  // two nodes per aggregate: translations, turns; none: it has no factor
};

}  // namespace sunder
