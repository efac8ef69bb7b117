#include "geometry/grid/distance_grid.h"

#include <stdexcept>

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "geometry/tree/test_meshes.h"

namespace sunder {
namespace {

/// Every point set to the field's value there.
template <class Field>
DistanceGrid gridOf(const GridFrame& frame, Field&& field) {
    DistanceGrid grid(frame);
    for (int k = 0; k < frame.points[2]; ++k) {
        for (int j = 0; j < frame.points[1]; ++j) {
            for (int i = 0; i < frame.points[0]; ++i)
                grid.at(i, j, k) = static_cast<float>(field(frame.position(i, j, k)));
        }
    }
    return grid;
}

double ball(const Vec3& p) { return (p - Vec3(0.1, 0.2, 0.3)).norm() - 1; }

const GridFrame kFrame{Vec3(-1.5, -1.25, -1), 0.25, {13, 12, 11}};

TEST(AlignedFrame, CoversTheBoxOnMultiplesOfTheCellSize) {
    const Box3 box{Vec3(-0.31, 1.0, 7.49), Vec3(0.3, 2.26, 7.5)};
    const GridFrame frame = alignedFrame(box, 0.25, 2);
    EXPECT_EQ(frame.origin, Vec3(-1, 0.5, 6.75));
    EXPECT_EQ(frame.points, (Int3{9, 11, 6}));
    EXPECT_TRUE(frame.bounds().contains(box.expanded(0.5).min) && frame.bounds().contains(box.expanded(0.5).max));
}

TEST(AlignedFrame, OddInputs) {
    EXPECT_EQ(alignedFrame(Box3(), 0.1, 3).pointCount(), 0u);
    EXPECT_EQ(alignedFrame({Vec3::Zero(), Vec3::Zero()}, 0.1, 0).points, (Int3{2, 2, 2}));
    EXPECT_THROW(alignedFrame({Vec3::Zero(), Vec3::Constant(1e9)}, 1e-9, 0), std::length_error);
}

TEST(DistanceGrid, ValueIsExactForTrilinearFields) {
    const auto field = [](const Vec3& p) { return 1 + p.x() - 2 * p.y() + 0.5 * p.z() + p.x() * p.y() * p.z(); };
    const DistanceGrid grid = gridOf(kFrame, field);
    Random random(1);
    for (int n = 0; n < 500; ++n) {
        const Vec3 p = test::randomIn(random, kFrame.bounds());
        EXPECT_NEAR(grid.value(p), field(p), 2e-6);
        const Vec3 gradient(1 + p.y() * p.z(), -2 + p.x() * p.z(), 0.5 + p.x() * p.y());
        EXPECT_NEAR((grid.gradient(p) - gradient).norm(), 0, 2e-5);
    }
    for (int i = 0; i < 13; ++i)
        EXPECT_EQ(static_cast<float>(grid.value(kFrame.position(i, 11, 10))), grid.at(i, 11, 10));
}

TEST(DistanceGrid, OutsideItGrowsWithTheDistanceToTheBounds) {
    const DistanceGrid grid = gridOf(kFrame, ball);
    const Box3 bounds = kFrame.bounds();
    Random random(2);
    for (int n = 0; n < 500; ++n) {
        const Vec3 p = test::randomIn(random, bounds.expanded(3));
        const Vec3 nearest = p.cwiseMax(bounds.min).cwiseMin(bounds.max);
        EXPECT_NEAR(grid.value(p), grid.value(nearest) + (p - nearest).norm(), 1e-12);
        EXPECT_GE(grid.value(p), ball(p) - 0.02);  // an upper bound, up to interpolation
        if (bounds.contains(p)) continue;
        Vec3 numeric;
        for (int axis = 0; axis < 3; ++axis) {
            const Vec3 step = 1e-7 * Vec3::Unit(axis);
            numeric[axis] = (grid.value(p + step) - grid.value(p - step)) / 2e-7;
        }
        EXPECT_NEAR((grid.gradient(p) - numeric).norm(), 0, 1e-5);
    }
}

TEST(DistanceGrid, WithoutPointsItIsInfinite) {
    const DistanceGrid nothing;
    EXPECT_EQ(nothing.value({1, 2, 3}), std::numeric_limits<double>::infinity());
    EXPECT_EQ(nothing.gradient({1, 2, 3}), Vec3(Vec3::Zero()));
    const std::vector<Vec3f> points(3, Vec3f::Ones());
    std::vector<DistanceGrid::Sample> samples(3);
    nothing.sample(points, samples);
    EXPECT_EQ(samples[2].value, std::numeric_limits<float>::infinity());
}

TEST(DistanceGrid, BatchedSamplesMatchSingleOnesAndDoNotDependOnTheirNeighbours) {
    const DistanceGrid grid = gridOf(kFrame, ball);
    Random random(3);
    std::vector<Vec3f> points;
    for (int n = 0; n < 10007; ++n)
        points.push_back(test::randomIn(random, kFrame.bounds().expanded(0.5)).cast<float>());
    for (int i = 0; i < 13; ++i) points.push_back(kFrame.position(i, 11, 10).cast<float>());
    std::vector<DistanceGrid::Sample> samples(points.size());
    grid.sample(points, samples);
    for (size_t n = 0; n < points.size(); ++n) {
        const Vec3 p = points[n].cast<double>();
        EXPECT_NEAR(samples[n].value, grid.value(p), 1e-6);
        // at a cell border either side's gradient is right
        const Vec3 cells = (p - kFrame.origin) / kFrame.cellSize;
        if ((cells - cells.array().round().matrix()).cwiseAbs().minCoeff() > 1e-5) {
            EXPECT_NEAR((samples[n].gradient.cast<double>() - grid.gradient(p)).norm(), 0, 3e-5);
        }
        DistanceGrid::Sample alone;
        grid.sample(std::span(points).subspan(n, 1), std::span(&alone, 1));
        EXPECT_EQ(alone.value, samples[n].value);
        EXPECT_EQ(alone.gradient, samples[n].gradient);
    }
}

TEST(DistanceGrid, ThinLatticesInterpolate) {
    DistanceGrid line(GridFrame{Vec3::Zero(), 1, {3, 1, 1}});
    line.at(0, 0, 0) = 1;
    line.at(1, 0, 0) = 3;
    line.at(2, 0, 0) = 4;
    EXPECT_EQ(line.value({0.5, 0, 0}), 2);
    EXPECT_EQ(line.value({1.5, 2, 0}), 5.5);
    const std::vector<Vec3f> points{{0.5f, 0, 0}, {1.5f, 2, 0}};
    std::vector<DistanceGrid::Sample> samples(2);
    line.sample(points, samples);
    EXPECT_EQ(samples[0].value, 2);
    EXPECT_EQ(samples[1].value, 5.5);
}

TEST(DistanceGrid, SetOperationsArePointwise) {
    const DistanceGrid a = gridOf(kFrame, ball);
    const DistanceGrid b = gridOf(kFrame, [](const Vec3& p) { return p.z(); });
    const DistanceGrid both = intersection(a, b), either = unionOf(a, b), not_a = complement(a);
    for (size_t i = 0; i < a.values().size(); ++i) {
        EXPECT_EQ(both.values()[i], std::max(a.values()[i], b.values()[i]));
        EXPECT_EQ(either.values()[i], std::min(a.values()[i], b.values()[i]));
        EXPECT_EQ(not_a.values()[i], -a.values()[i]);
    }
    // a & b = not (not a | not b)
    EXPECT_TRUE(std::ranges::equal(both.values(), complement(unionOf(not_a, complement(b))).values()));
    EXPECT_TRUE(std::ranges::equal(intersection(a, a).values(), a.values()));
}

TEST(DistanceGrid, WindowedCopiesKeepValuesAndExtend) {
    const DistanceGrid grid = gridOf(kFrame, ball);
    EXPECT_TRUE(std::ranges::equal(windowed(grid, kFrame).values(), grid.values()));
    const GridFrame window{kFrame.position(3, -2, 8), kFrame.cellSize, {4, 6, 7}};
    const DistanceGrid part = windowed(grid, window);
    for (int k = 0; k < 7; ++k) {
        for (int j = 0; j < 6; ++j) {
            for (int i = 0; i < 4; ++i) {
                const bool known = kFrame.contains(i + 3, j - 2, k + 8);
                if (known) {
                    EXPECT_EQ(part.at(i, j, k), grid.at(i + 3, j - 2, k + 8));
                } else {
                    EXPECT_NEAR(part.at(i, j, k), grid.value(window.position(i, j, k)), 1e-6);
                }
            }
        }
    }
    EXPECT_EQ(windowed(DistanceGrid(GridFrame{Vec3::Zero(), 0.25, {0, 0, 0}}), window).at(0, 0, 0),
              std::numeric_limits<float>::infinity());
}

TEST(DistanceGrid, ResampledByTheIdentityIsTheSame) {
    const DistanceGrid grid = gridOf(kFrame, ball);
    const DistanceGrid same = resampled(grid, kFrame, {});
    for (size_t i = 0; i < grid.values().size(); ++i) EXPECT_NEAR(same.values()[i], grid.values()[i], 1e-6);
}

TEST(DistanceGrid, ResampledUnderAMotionIsTheMovedSolid) {
    const GridFrame fine{Vec3::Constant(-2), 0.1, {41, 41, 41}};
    const DistanceGrid grid = gridOf(fine, ball);
    const RigidTransform newFromOld{Quat(0.5, 0.1, -0.7, 0.3).normalized(), Vec3(0.5, -0.2, 0.1)};
    const DistanceGrid moved = resampled(grid, fine, newFromOld.inverse());
    const Vec3 centre = newFromOld * Vec3(0.1, 0.2, 0.3);
    for (int k = 0; k < 41; k += 3) {
        for (int j = 0; j < 41; j += 3) {
            for (int i = 0; i < 41; i += 3) {
                const Vec3 p = fine.position(i, j, k);
                if (!fine.bounds().contains(newFromOld.inverse() * p)) continue;
                const double exact = (p - centre).norm() - 1;
                // second-order interpolation error, large only at the centre's kink
                EXPECT_NEAR(moved.at(i, j, k), exact, exact < -0.7 ? 0.1 : 0.01);
            }
        }
    }
    const ThreadLimit one(1);
    EXPECT_TRUE(std::ranges::equal(resampled(grid, fine, newFromOld.inverse()).values(), moved.values()));
}

TEST(DistanceGrid, StatesItsMemory) { EXPECT_EQ(DistanceGrid(kFrame).memoryBytes(), 13u * 12 * 11 * 4); }

}  // namespace
}  // namespace sunder
