#pragma once

#include <span>
#include <stdexcept>
#include <vector>

#include "math/sparse/block_matrix.h"
#include "math/sparse/dissection.h"

namespace sunder {

/// A matrix that has no Cholesky factor; `node` is where that showed.
class NotPositiveDefinite : public std::runtime_error {
public:
    explicit NotPositiveDefinite(size_t where);  // `where`: the node
    size_t node = 0;  // number of a node whose pivot was not positive; others may have none either
};

/// A = L L^T for sparse symmetric positive definite A, once; then answers for any number of right-hand sides.
/// Multifrontal [duff1983] along the tree of separators: each part is one dense front. The same bits for any number of
/// threads.
class BlockCholesky {
public:
    /// Positions, one per node, only guide the order of elimination. Throws NotPositiveDefinite.
    BlockCholesky(const BlockMatrix& matrix, std::span<const Vec3> positions, const DissectionOptions& options = {});

    /// x = A^-1 x
    void solve(std::span<Vec3> x) const;

    size_t bytes() const { return 8 * entries_; }      // of the factor
    double operations() const { return operations_; }  // additions and multiplications it took

private:
    struct Front {
        uint32_t begin = 0, end = 0;     // eliminated here, numbered by the order
        std::vector<uint32_t> rows;      // later ones that it touches, ascending
        std::vector<uint32_t> children;  // fronts
        std::vector<double> factor;      // columns of L: 3 (end - begin) of 3 (end - begin + rows) each

        size_t pivots() const { return 3 * static_cast<size_t>(end - begin); }
        size_t size() const { return pivots() + 3 * rows.size(); }
        uint32_t row(size_t local) const {
            return local < end - begin ? begin + static_cast<uint32_t>(local) : rows[local - (end - begin)];
        }
    };
    struct Update {
        std::vector<double> values;  // square, columns of 3 rows() each; lower triangle
    };

    void findRows(const BlockMatrix& matrix);
    Update factorFront(size_t f, const BlockMatrix& matrix);
    void assemble(const Front& front, const BlockMatrix& matrix, double* values) const;
    void addUpdate(const Front& front, const Front& child, const Update& update, double* values) const;
    std::vector<double> solveForward(size_t f, std::span<double> x) const;
    void solveBackward(size_t f, std::span<double> x) const;

    std::vector<uint32_t> order_;  // node eliminated k-th
    std::vector<uint32_t> place_;  // of a node in the order
    std::vector<Front> fronts_;
    size_t entries_ = 0;
    double operations_ = 0;
};

}  // namespace sunder
