#include "math/sparse/aggregation.h"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include "base/assert.h"
#include "base/indexed_vector.h"
#include "base/parallel.h"
#include "base/random.h"
#include "math/sparse/validate.h"

namespace sunder {

namespace {

constexpr size_t kAggregationGrain = 1024;
constexpr size_t kAggregate = 24;  // nodes
constexpr double kStrong = 0.01;   // of the diagonal: couplings that are weaker do not gather nodes
constexpr int kPowerSteps = 12;
constexpr double kAbove = 1.1;   // what power iterations find may be a little less than the largest
constexpr double kSmoothed = 6;  // eigenvalues down to this part of the largest are the polynomial's
constexpr double kHeld = 1e-10;  // of the mean stiffness: holds what could move freely
constexpr double kMostHeld = 1e-3;

template <class Work>
void forRows(size_t count, const Work& work) {
    parallelFor(count, kAggregationGrain, [&](const BlockRange& block) {
        for (size_t i = block.begin; i < block.end; ++i) work(i);
    });
}

double norm(std::span<const Vec3> values) {
    return std::sqrt(parallelReduce(
        values.size(), kAggregationGrain, 0.0,
        [&](const BlockRange& block) {
            double sum = 0;
            for (size_t i = block.begin; i < block.end; ++i) sum += values[i].squaredNorm();
            return sum;
        },
        [](double x, double y) { return x + y; }));
}

Mat3 crossMatrix(const Vec3& v) {
    Mat3 m;
    m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
    return m;
}

}  // namespace

Aggregation::Aggregation(const BlockMatrix& matrix, std::span<const Vec3> positions) : matrix_(matrix) {
    ASSERT(positions.size() == matrix.size() && problemWith(matrix).empty());
    inverse_ = inverseDiagonal(matrix);
    gather();
    estimateLargest();
    smoothMotions(positions);
    factorCoarse();
}

/// A node with nobody around it that has been gathered yet begins an aggregate and takes the nearest along edges, a
/// second time around at most; what is left over joins the neighbour it is tied to most.
void Aggregation::gather() {
    // how much two nodes are tied, against what holds each alone
    const NodeGraph& graph = matrix_.graph;
    const size_t size = matrix_.size();
    aggregate_.assign(size, kInvalidIndex);
    std::vector<double> stiffness(size);
    for (size_t n = 0; n < size; ++n) stiffness[n] = matrix_.diagonal[n].norm();
    const auto tie = [&](size_t n, size_t i) {
        return matrix_.others[i].squaredNorm() / (stiffness[n] * stiffness[graph.neighbours[i]]);
    };
    const auto isStrong = [&](size_t n, size_t i) { return tie(n, i) > kStrong * kStrong; };
    // aggregates begin where no strong neighbour is in one already
    uint32_t count = 0;
    std::vector<uint32_t> taken;
    for (uint32_t seed = 0; seed < size; ++seed) {
        bool alone = aggregate_[seed] == kInvalidIndex;
        for (size_t i = graph.first[seed]; alone && i < graph.first[seed + 1]; ++i)
            alone = !isStrong(seed, i) || aggregate_[graph.neighbours[i]] == kInvalidIndex;
        if (!alone) continue;
        taken.assign(1, seed);
        aggregate_[seed] = count;
        // all around the seed, then around these until there are enough
        size_t ring = 1;  // those within one edge of the seed
        for (size_t k = 0; k < std::min(ring, taken.size()); ++k) {
            for (size_t i = graph.first[taken[k]]; i < graph.first[taken[k] + 1]; ++i) {
                const uint32_t other = graph.neighbours[i];
                if (aggregate_[other] != kInvalidIndex || !isStrong(taken[k], i)) continue;
                if (k > 0 && taken.size() >= kAggregate) break;
                aggregate_[other] = count;
                taken.push_back(other);
            }
            if (k == 0) ring = taken.size();
        }
        ++count;
    }
    // what is left over joins; as long as any does, its neighbours may too
    for (bool more = true; more;) {
        more = false;
        for (uint32_t n = 0; n < size; ++n) {
            if (aggregate_[n] != kInvalidIndex) continue;
            double best = 0;
            for (size_t i = graph.first[n]; i < graph.first[n + 1]; ++i) {
                const uint32_t to = aggregate_[graph.neighbours[i]];
                if (to == kInvalidIndex || !(tie(n, i) > best)) continue;
                best = tie(n, i);
                aggregate_[n] = to;
                more = true;
            }
        }
    }
    // a node tied to nobody is an aggregate of its own
    for (uint32_t& of : aggregate_) {
        if (of == kInvalidIndex) of = count++;
    }
    members_.assign(count + 1, 0);
}

void Aggregation::estimateLargest() {
    Random random(1);
    std::vector<Vec3> x(matrix_.size()), product(matrix_.size());
    for (Vec3& v : x) v = Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    for (int step = 0; step < kPowerSteps; ++step) {
        const double scale = norm(x);
        forRows(x.size(), [&](size_t n) { x[n] /= scale; });
        matrix_.times(x, product);
        forRows(x.size(), [&](size_t n) { x[n] = inverse_[n] * product[n]; });
        largest_ = norm(x);
    }
    largest_ *= kAbove;
}

/// P = (I - w D^-1 A) T, T the rigid motions of aggregates.
void Aggregation::smoothMotions(std::span<const Vec3> positions) {
    // middle and radius of each aggregate: turning is measured in it, so both kinds of motion are of one size
    const size_t size = matrix_.size(), count = aggregates();
    std::vector<double> weight(count, 0.0), extent(count, 0.0);
    centres_.assign(count, Vec3::Zero());
    for (size_t n = 0; n < size; ++n) {
        centres_[aggregate_[n]] += positions[n];
        ++weight[aggregate_[n]];
    }
    for (size_t a = 0; a < count; ++a) centres_[a] /= weight[a];
    for (size_t n = 0; n < size; ++n) {
        double& e = extent[aggregate_[n]];
        e = std::max(e, (positions[n] - centres_[aggregate_[n]]).norm());
    }
    // T: three shifts and three turns of its aggregate, for every node
    std::vector<Motion> rigid(size);
    forRows(size, [&](size_t n) {
        const uint32_t a = aggregate_[n];
        rigid[n].leftCols<3>() = Mat3::Identity();
        rigid[n].rightCols<3>() =
            extent[a] > 0 ? Mat3(crossMatrix(centres_[a] - positions[n]) / extent[a]) : Mat3(Mat3::Zero());
    });

    // after one smoothing step a node moves with its own and its neighbours' aggregates
    const NodeGraph& graph = matrix_.graph;
    firstMotion_.assign(size + 1, 0);
    std::vector<std::vector<uint32_t>> touched(size);  // aggregates, ascending
    forRows(size, [&](size_t n) {
        std::vector<uint32_t>& list = touched[n];
        list.push_back(aggregate_[n]);
        for (const uint32_t m : graph.of(n)) list.push_back(aggregate_[m]);
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    });
    for (size_t n = 0; n < size; ++n) firstMotion_[n + 1] = firstMotion_[n] + static_cast<uint32_t>(touched[n].size());
    motionOf_.resize(firstMotion_.back());
    motions_.assign(firstMotion_.back(), Motion::Zero());
    // w = 4/3 over the largest eigenvalue of D^-1 A
    const double step = 4 / (3 * largest_);
    forRows(size, [&](size_t n) {
        std::copy(touched[n].begin(), touched[n].end(), motionOf_.begin() + firstMotion_[n]);
        const auto slot = [&](uint32_t a) -> Motion& {
            const auto at = std::lower_bound(touched[n].begin(), touched[n].end(), a);
            return motions_[firstMotion_[n] + static_cast<size_t>(at - touched[n].begin())];
        };
        slot(aggregate_[n]) += matrix_.diagonal[n] * rigid[n];
        for (size_t i = graph.first[n]; i < graph.first[n + 1]; ++i) {
            const uint32_t m = graph.neighbours[i];
            slot(aggregate_[m]) += matrix_.others[i] * rigid[m];
        }
        for (size_t k = firstMotion_[n]; k < firstMotion_[n + 1]; ++k)
            motions_[k] = -step * (inverse_[n] * motions_[k]).eval();
        // the identity's share of P
        slot(aggregate_[n]) += rigid[n];
    });

    // the same list by aggregate, for the products with P^T
    for (const uint32_t a : motionOf_) ++members_[a + 1];
    for (size_t a = 0; a < count; ++a) members_[a + 1] += members_[a];
    memberOf_.resize(motionOf_.size());
    std::vector<uint32_t> next(members_.begin(), members_.end() - 1);
    for (uint32_t n = 0; n < size; ++n) {
        for (uint32_t k = firstMotion_[n]; k < firstMotion_[n + 1]; ++k) memberOf_[next[motionOf_[k]]++] = {n, k};
    }
}

/// P^T A P, factored.
void Aggregation::factorCoarse() {
    using Block = Eigen::Matrix<double, 6, 6>;
    const size_t size = matrix_.size(), count = aggregates();
    const NodeGraph& graph = matrix_.graph;

    // A P, row by row
    struct Row {
        std::vector<uint32_t> of;  // aggregates, ascending
        std::vector<Motion> motion;
    };
    std::vector<Row> product(size);
    // which aggregates the row has, then their blocks
    forRows(size, [&](size_t n) {
        Row& row = product[n];
        const auto each = [&](const auto& work) {
            work(n, matrix_.diagonal[n]);
            for (size_t i = graph.first[n]; i < graph.first[n + 1]; ++i) work(graph.neighbours[i], matrix_.others[i]);
        };
        each([&](size_t m, const Mat3&) {
            row.of.insert(row.of.end(), motionOf_.begin() + firstMotion_[m], motionOf_.begin() + firstMotion_[m + 1]);
        });
        std::sort(row.of.begin(), row.of.end());
        row.of.erase(std::unique(row.of.begin(), row.of.end()), row.of.end());
        row.motion.assign(row.of.size(), Motion::Zero());
        each([&](size_t m, const Mat3& block) {
            size_t at = 0;
            for (size_t k = firstMotion_[m]; k < firstMotion_[m + 1]; ++k) {
                while (row.of[at] != motionOf_[k]) ++at;
                row.motion[at].noalias() += block * motions_[k];
            }
        });
    });

    // P^T (A P), aggregate by aggregate
    struct CoarseRow {
        std::vector<uint32_t> of;
        std::vector<Block> block;
    };
    std::vector<CoarseRow> rows(count);
    parallelFor(count, 8, [&](const BlockRange& range) {
        std::vector<uint32_t> place(count, kInvalidIndex);
        for (size_t a = range.begin; a < range.end; ++a) {
            CoarseRow& row = rows[a];
            // the list is thinned out now and then, or it would be as long as all rows together
            for (size_t m = members_[a]; m < members_[a + 1]; ++m) {
                const Row& of = product[memberOf_[m].node];
                row.of.insert(row.of.end(), of.of.begin(), of.of.end());
                if (row.of.size() < 4096 && m + 1 < members_[a + 1]) continue;
                std::sort(row.of.begin(), row.of.end());
                row.of.erase(std::unique(row.of.begin(), row.of.end()), row.of.end());
            }
            row.block.assign(row.of.size(), Block::Zero());
            for (uint32_t k = 0; k < row.of.size(); ++k) place[row.of[k]] = k;
            for (size_t m = members_[a]; m < members_[a + 1]; ++m) {
                const Row& of = product[memberOf_[m].node];
                const auto turned = motions_[memberOf_[m].motion].transpose();
                for (size_t k = 0; k < of.of.size(); ++k) row.block[place[of.of[k]]].noalias() += turned * of.motion[k];
            }
        }
    });

    // as nodes of three directions, two per aggregate
    BlockMatrix coarse;
    coarse.diagonal.resize(2 * count);
    coarse.graph.first.push_back(0);
    std::vector<Vec3> places;
    for (uint32_t a = 0; a < count; ++a) {
        for (uint32_t half = 0; half < 2; ++half) {
            places.push_back(centres_[a]);
            for (size_t k = 0; k < rows[a].of.size(); ++k) {
                for (uint32_t other = 0; other < 2; ++other) {
                    const Mat3 block = rows[a].block[k].block<3, 3>(3 * half, 3 * other);
                    if (rows[a].of[k] == a && other == half) {
                        coarse.diagonal[2 * a + half] = 0.5 * (block + block.transpose());
                        continue;
                    }
                    coarse.graph.neighbours.push_back(2 * rows[a].of[k] + other);
                    coarse.others.push_back(block);
                }
            }
            coarse.graph.first.push_back(static_cast<uint32_t>(coarse.graph.neighbours.size()));
        }
    }
    // against rounding the coarse matrix is held by a little of its own size
    double mean = 0;
    for (const Mat3& block : coarse.diagonal) mean += block.trace() / (3 * static_cast<double>(coarse.size()));
    // rounding may outweigh what holds stiff and soft parts alike: then more of it, and at last none of the coarse
    // level
    for (double held = kHeld; held < kMostHeld && !coarse_; held *= 1000) {
        for (Mat3& block : coarse.diagonal) block += held * (mean + block.trace()) * Mat3::Identity();
        try {
            coarse_.emplace(coarse, places);
        } catch (const NotPositiveDefinite&) {
            continue;
        }
    }
}

void Aggregation::smooth(std::span<const Vec3> residual, std::span<Vec3> result, std::span<Vec3> scratch) const {
    // two steps of Chebyshev's iteration on [largest / kSmoothed, largest]
    const double middle = 0.5 * (largest_ + largest_ / kSmoothed), half = 0.5 * (largest_ - largest_ / kSmoothed);
    const double sigma = middle / half, first = 1 / sigma, second = 1 / (2 * sigma - first);
    forRows(residual.size(), [&](size_t n) { result[n] = inverse_[n] * residual[n] / middle; });
    matrix_.times(result, scratch);
    forRows(residual.size(), [&](size_t n) {
        const Vec3 step = second * first * result[n] + 2 * second / half * (inverse_[n] * (residual[n] - scratch[n]));
        result[n] += step;
    });
}

void Aggregation::apply(std::span<const Vec3> residual, std::span<Vec3> result) const {
    const size_t size = residual.size();
    ASSERT(size == matrix_.size() && result.size() == size);

    // smooth before
    std::vector<Vec3> left(size), scratch(size), correction(size);
    smooth(residual, result, scratch);
    const auto findLeft = [&] {
        matrix_.times(result, scratch);
        forRows(size, [&](size_t n) { left[n] = residual[n] - scratch[n]; });
    };
    if (!coarse_) return;
    // what is left goes down to the aggregates: restrict, solve, bring back
    findLeft();
    std::vector<Vec3> coarse(2 * aggregates());
    parallelFor(aggregates(), 64, [&](const BlockRange& block) {
        for (size_t a = block.begin; a < block.end; ++a) {
            Eigen::Matrix<double, 6, 1> sum = Eigen::Matrix<double, 6, 1>::Zero();
            for (size_t m = members_[a]; m < members_[a + 1]; ++m)
                sum.noalias() += motions_[memberOf_[m].motion].transpose() * left[memberOf_[m].node];
            coarse[2 * a] = sum.head<3>();
            coarse[2 * a + 1] = sum.tail<3>();
        }
    });
    coarse_->solve(coarse);
    forRows(size, [&](size_t n) {
        for (size_t k = firstMotion_[n]; k < firstMotion_[n + 1]; ++k) {
            result[n].noalias() += motions_[k].leftCols<3>() * coarse[2 * motionOf_[k]];
            result[n].noalias() += motions_[k].rightCols<3>() * coarse[2 * motionOf_[k] + 1];
        }
    });
    // smooth after, in the same way, so that the whole is symmetric
    findLeft();
    smooth(left, correction, scratch);
    forRows(size, [&](size_t n) { result[n] += correction[n]; });
}

}  // namespace sunder
