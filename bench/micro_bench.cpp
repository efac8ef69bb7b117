// The smallest kernels, by Google Benchmark: nanoseconds per call.
#include <Eigen/Eigenvalues>
#include <benchmark/benchmark.h>

#include "base/parallel.h"
#include "base/random.h"
#include "geometry/grid/distance_grid.h"
#include "math/predicates.h"
#include "math/sym_eigen.h"

namespace sunder {
namespace {

std::vector<SymMat3> randomTensors(size_t count) {
    Random random(1);
    std::vector<SymMat3> tensors(count);
    for (SymMat3& m : tensors) {
        m = {random.normal(), random.normal(), random.normal(), random.normal(), random.normal(), random.normal()};
    }
    return tensors;
}

void symmetricEigenOurs(benchmark::State& state) {
    const std::vector<SymMat3> tensors = randomTensors(1024);
    size_t i = 0;
    for (auto _ : state) benchmark::DoNotOptimize(symmetricEigen(tensors[i++ % tensors.size()]));
}
BENCHMARK(symmetricEigenOurs);

void symmetricEigenDirectOfEigen(benchmark::State& state) {
    const std::vector<SymMat3> tensors = randomTensors(1024);
    Eigen::SelfAdjointEigenSolver<Mat3> solver;
    size_t i = 0;
    for (auto _ : state) {
        solver.computeDirect(tensors[i++ % tensors.size()].matrix());
        benchmark::DoNotOptimize(solver.eigenvectors());
    }
}
BENCHMARK(symmetricEigenDirectOfEigen);

void symmetricEigenIterativeOfEigen(benchmark::State& state) {
    const std::vector<SymMat3> tensors = randomTensors(1024);
    Eigen::SelfAdjointEigenSolver<Mat3> solver;
    size_t i = 0;
    for (auto _ : state) {
        solver.compute(tensors[i++ % tensors.size()].matrix());
        benchmark::DoNotOptimize(solver.eigenvectors());
    }
}
BENCHMARK(symmetricEigenIterativeOfEigen);

/// Argument 0: points in general position (the filter decides). 1: points on one plane (exact arithmetic decides).
void orient3dSign(benchmark::State& state) {
    Random random(2);
    std::vector<std::array<Vec3, 4>> quads(1024);
    for (auto& quad : quads) {
        for (Vec3& p : quad) p = Vec3(random.uniform(), random.uniform(), state.range(0) == 0 ? random.uniform() : 0.1);
        if (state.range(0) != 0) {
            for (Vec3& p : quad) p.z() = 0.3 * p.x() + 0.7 * p.y();
        }
    }
    size_t i = 0;
    for (auto _ : state) {
        const auto& [a, b, c, d] = quads[i++ % quads.size()];
        benchmark::DoNotOptimize(orient3d(a, b, c, d));
    }
}
BENCHMARK(orient3dSign)->Arg(0)->Arg(1);

void randomUniform(benchmark::State& state) {
    Random random(3);
    for (auto _ : state) benchmark::DoNotOptimize(random.uniform());
}
BENCHMARK(randomUniform);

/// A sphere's grid, looked up at random points: one by one in double, and in a batch in float.
DistanceGrid sphereGrid() {
    DistanceGrid grid(GridFrame{Vec3::Constant(-1), 2.0 / 63, {64, 64, 64}});
    for (int k = 0; k < 64; ++k) {
        for (int j = 0; j < 64; ++j) {
            for (int i = 0; i < 64; ++i)
                grid.at(i, j, k) = static_cast<float>(grid.frame().position(i, j, k).norm() - 0.7);
        }
    }
    return grid;
}

std::vector<Vec3f> randomPoints(size_t count) {
    Random random(4);
    std::vector<Vec3f> points(count);
    for (Vec3f& p : points) p = Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)).cast<float>();
    return points;
}

void gridLookupOneByOne(benchmark::State& state) {
    const DistanceGrid grid = sphereGrid();
    const std::vector<Vec3f> points = randomPoints(4096);
    for (auto _ : state) {
        for (const Vec3f& p : points) {
            const Vec3 q = p.cast<double>();
            benchmark::DoNotOptimize(grid.value(q));
            benchmark::DoNotOptimize(grid.gradient(q));
        }
    }
    state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(points.size()));
}
BENCHMARK(gridLookupOneByOne);

void gridLookupBatched(benchmark::State& state) {
    const DistanceGrid grid = sphereGrid();
    const std::vector<Vec3f> points = randomPoints(4096);
    std::vector<DistanceGrid::Sample> samples(points.size());
    for (auto _ : state) {
        grid.sample(points, samples);
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(points.size()));
}
BENCHMARK(gridLookupBatched);

void parallelLoopOverhead(benchmark::State& state) {
    for (auto _ : state) parallelFor(64, 1, [](const BlockRange& block) { benchmark::DoNotOptimize(block.begin); });
}
BENCHMARK(parallelLoopOverhead);

}  // namespace
}  // namespace sunder

BENCHMARK_MAIN();
