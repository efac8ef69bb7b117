#include "math/sparse/block_cholesky.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/indexed_vector.h"
#include "base/parallel.h"
#include "base/simd.h"
#include "math/sparse/dense_cholesky.h"
#include "math/sparse/validate.h"

namespace sunder {

namespace {

constexpr size_t kForkFromFrontRows = 300;  // rows of a front; below, its subtrees stay on one thread

/// Four sums side by side, so that the compiler may use wide registers and the result is the same without.
SUNDER_SIMD double dot(const double* a, const double* b, size_t count) {
    double sums[4] = {0, 0, 0, 0};
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        for (size_t k = 0; k < 4; ++k) sums[k] += a[i + k] * b[i + k];
    }
    for (size_t k = 0; i + k < count; ++k) sums[k] += a[i + k] * b[i + k];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

void forkOrNot(bool fork, const std::vector<uint32_t>& children, const std::function<void(size_t)>& visit) {
    if (fork && children.size() == 2) {
        parallelInvoke([&] { visit(0); }, [&] { visit(1); });
    } else {
        for (size_t i = 0; i < children.size(); ++i) visit(i);
    }
}

}  // namespace

NotPositiveDefinite::NotPositiveDefinite(size_t where)
    : std::runtime_error(fmt::format("the matrix is not positive definite (at node {})", where)), node(where) {}

BlockCholesky::BlockCholesky(const BlockMatrix& matrix, std::span<const Vec3> positions,
                             const DissectionOptions& options) {
    ASSERT(positions.size() == matrix.size() && problemWith(matrix).empty());
    Dissection dissection = dissect(matrix.graph, positions, options);
    order_ = std::move(dissection.order);
    place_.resize(order_.size());
    for (uint32_t k = 0; k < order_.size(); ++k) place_[order_[k]] = k;
    for (Dissection::Part& part : dissection.parts) {
        Front front;
        front.begin = part.begin;
        front.end = part.end;
        front.children = std::move(part.children);
        fronts_.push_back(std::move(front));
    }
    findRows(matrix);
    if (!fronts_.empty()) factorFront(fronts_.size() - 1, matrix);
}

void BlockCholesky::findRows(const BlockMatrix& matrix) {
    // rows of a front: what its own nodes are next to and what its children leave behind, as far as it comes later
    std::vector<uint32_t> seenBy(order_.size(), kInvalidIndex);
    for (uint32_t f = 0; f < fronts_.size(); ++f) {
        Front& front = fronts_[f];
        const auto take = [&](uint32_t place) {
            if (place < front.end || seenBy[place] == f) return;
            seenBy[place] = f;
            front.rows.push_back(place);
        };
        for (uint32_t k = front.begin; k < front.end; ++k) {
            for (const uint32_t n : matrix.graph.of(order_[k])) take(place_[n]);
        }
        for (const uint32_t child : front.children) {
            for (const uint32_t place : fronts_[child].rows) take(place);
        }
        std::sort(front.rows.begin(), front.rows.end());
        // what the factor will cost in numbers kept and multiplications
        const double m = static_cast<double>(front.size()), k = static_cast<double>(front.pivots());
        entries_ += front.size() * front.pivots();
        operations_ += k * m * m - k * k * m + k * k * k / 3;
    }
}

BlockCholesky::Update BlockCholesky::factorFront(size_t f, const BlockMatrix& matrix) {
    // children first: side by side where there is enough work
    Front& front = fronts_[f];
    std::vector<Update> updates(front.children.size());
    forkOrNot(front.size() >= kForkFromFrontRows, front.children,
              [&](size_t i) { updates[i] = factorFront(front.children[i], matrix); });

    // the front: the matrix' own blocks and what the children subtract
    const size_t size = front.size(), pivots = front.pivots(), rest = size - pivots;
    std::vector<double> values(size * size, 0.0);
    assemble(front, matrix, values.data());
    for (size_t i = 0; i < updates.size(); ++i) {
        addUpdate(front, fronts_[front.children[i]], updates[i], values.data());
        updates[i] = {};
    }
    const size_t failed = eliminate({values.data(), size, size}, pivots);
    if (failed != kAllPivots) throw NotPositiveDefinite(order_[front.begin + failed / 3]);
    // its columns are kept; what is left of the lower triangle goes to the parent
    front.factor.assign(values.begin(), values.begin() + static_cast<ptrdiff_t>(size * pivots));
    Update update;
    update.values.resize(rest * rest);
    for (size_t j = 0; j < rest; ++j) {
        const double* from = values.data() + (pivots + j) * size + pivots;
        std::copy(from + j, from + rest, update.values.data() + j * rest + j);
    }
    return update;
}

/// The matrix' own blocks in the columns that are eliminated here.
void BlockCholesky::assemble(const Front& front, const BlockMatrix& matrix, double* values) const {
    const size_t size = front.size();
    // the front's own nodes come first in it, then its rows
    const auto localOf = [&](uint32_t place) {
        if (place < front.end) return static_cast<size_t>(place - front.begin);
        const auto at = std::lower_bound(front.rows.begin(), front.rows.end(), place);
        return front.end - front.begin + static_cast<size_t>(at - front.rows.begin());
    };
    const auto add = [&](size_t row, size_t column, const Mat3& block) {
        for (size_t j = 0; j < 3; ++j) {
            for (size_t i = 0; i < 3; ++i) {
                values[(3 * column + j) * size + 3 * row + i] += block(static_cast<int>(i), static_cast<int>(j));
            }
        }
    };
    ASSERT(front.end <= order_.size());
    for (uint32_t k = front.begin; k < front.end; ++k) {
        const uint32_t node = order_[k];
        const size_t column = k - front.begin;
        add(column, column, matrix.diagonal[node]);
        for (size_t i = matrix.graph.first[node]; i < matrix.graph.first[node + 1]; ++i) {
            const uint32_t place = place_[matrix.graph.neighbours[i]];
            // block (node, neighbour) stands in the neighbour's column; its transpose in this one
            if (place > k) add(localOf(place), column, matrix.others[i].transpose());
        }
    }
}

void BlockCholesky::addUpdate(const Front& front, const Front& child, const Update& update, double* values) const {
    // where the child's rows stand in the front: both lists ascend
    std::vector<size_t> local(child.rows.size());
    const size_t own = front.end - front.begin;
    size_t at = 0;
    for (size_t i = 0; i < child.rows.size(); ++i) {
        const uint32_t place = child.rows[i];
        if (place < front.end) {
            local[i] = place - front.begin;
            continue;
        }
        while (front.rows[at] != place) ++at;
        local[i] = own + at;
    }
    // its lower triangle, column by column
    const size_t size = front.size(), rest = 3 * child.rows.size();
    for (size_t j = 0; j < rest; ++j) {
        double* column = values + (3 * local[j / 3] + j % 3) * size;
        const double* from = update.values.data() + j * rest;
        for (size_t i = j; i < rest; ++i) column[3 * local[i / 3] + i % 3] += from[i];
    }
}

/// Returns what the eliminated unknowns subtract from each of the front's rows.
std::vector<double> BlockCholesky::solveForward(size_t f, std::span<double> x) const {
    ASSERT(x.size() == 3 * order_.size());
    const Front& front = fronts_[f];
    std::vector<std::vector<double>> shares(front.children.size());
    forkOrNot(front.size() >= kForkFromFrontRows, front.children,
              [&](size_t i) { shares[i] = solveForward(front.children[i], x); });

    // the right-hand side of its own nodes, and what the children subtract
    const size_t size = front.size(), pivots = front.pivots(), own = front.end - front.begin;
    std::vector<double> local(size, 0.0);
    std::copy_n(x.data() + 3 * front.begin, pivots, local.data());
    for (size_t c = 0; c < shares.size(); ++c) {
        const Front& child = fronts_[front.children[c]];
        size_t at = 0;
        for (size_t i = 0; i < child.rows.size(); ++i) {
            const uint32_t place = child.rows[i];
            size_t to = place - front.begin;
            if (place >= front.end) {
                while (front.rows[at] != place) ++at;
                to = own + at;
            }
            for (size_t k = 0; k < 3; ++k) local[3 * to + k] += shares[c][3 * i + k];
        }
    }
    // forward substitution with its columns
    for (size_t j = 0; j < pivots; ++j) {
        const double* column = front.factor.data() + j * size;
        local[j] /= column[j];
        subtractScaled(local.data() + j + 1, column + j + 1, local[j], size - j - 1);
    }
    std::copy_n(local.data(), pivots, x.data() + 3 * front.begin);
    local.erase(local.begin(), local.begin() + static_cast<ptrdiff_t>(pivots));
    return local;
}

void BlockCholesky::solveBackward(size_t f, std::span<double> x) const {
    const Front& front = fronts_[f];
    const size_t size = front.size(), pivots = front.pivots();
    std::vector<double> local(size);
    for (size_t i = 0; i < size / 3; ++i) std::copy_n(x.data() + 3 * front.row(i), 3, local.data() + 3 * i);
    for (size_t j = pivots; j-- > 0;) {
        const double* column = front.factor.data() + j * size;
        local[j] = (local[j] - dot(column + j + 1, local.data() + j + 1, size - j - 1)) / column[j];
    }
    std::copy_n(local.data(), pivots, x.data() + 3 * front.begin);
    forkOrNot(front.size() >= kForkFromFrontRows, front.children,
              [&](size_t i) { solveBackward(front.children[i], x); });
}

void BlockCholesky::solve(std::span<Vec3> x) const {
    ASSERT(x.size() == order_.size());
    if (fronts_.empty()) return;
    std::vector<double> ordered(3 * x.size());
    for (size_t k = 0; k < order_.size(); ++k) {
        for (size_t i = 0; i < 3; ++i) ordered[3 * k + i] = x[order_[k]][static_cast<int>(i)];
    }
    solveForward(fronts_.size() - 1, ordered);
    solveBackward(fronts_.size() - 1, ordered);
    for (size_t k = 0; k < order_.size(); ++k) {
        for (size_t i = 0; i < 3; ++i) x[order_[k]][static_cast<int>(i)] = ordered[3 * k + i];
    }
}

}  // namespace sunder
