// Voronoi cells beside voro++, 3x3 eigenproblems beside Eigen, hulls, predicates and self-intersections on one thread.

#include <Eigen/Eigenvalues>

#include "base/parallel.h"
#include "base/random.h"
#include "bench/report.h"
#include "geometry/convex/convex_hull.h"
#include "geometry/convex/fragment_generator.h"
#include "geometry/convex/voronoi.h"
#include "geometry/tree/self_intersections.h"
#include "math/predicates.h"
#include "math/sym_eigen.h"
#ifdef SUNDER_PEER_VOROPP
#include "bench/peers/voropp_cells.h"
#include "io/mesh/mesh_io.h"
#endif

using namespace sunder;
using namespace sunder::bench;

namespace {

constexpr int kRuns = 3;

std::vector<Vec3> randomPoints(size_t count) {
    std::vector<Vec3> points(count);
    for (size_t i = 0; i < count; ++i) {
        Random random(1, i);
        for (double& x : points[i]) x = random.uniform();
    }
    return points;
}

void compareVoronoi(const Report& report, size_t count) {
    const std::vector<Vec3> sites = randomPoints(count);
    const Box3 box{Vec3::Zero(), Vec3::Ones()};
    const Seconds ours = measure(kRuns, [&] { keep(voronoi(sites, box)); });
    std::optional<double> peer;
#ifdef SUNDER_PEER_VOROPP
    peer = 1e3 * measure(kRuns, [&] { keep(voroppCells(sites, box)); }).cpu;
#endif
    report.row("voronoi, " + std::to_string(count) + " random sites in a box", 1e3 * ours.cpu, peer, "voro++", "ms");
}

void timeLatticeVoronoi(const Report& report, bool turned) {
    const Mat3 turn = turned ? Mat3(Quat(0.8, 0.3, -0.4, 0.2).normalized().toRotationMatrix()) : Mat3(Mat3::Identity());
    std::vector<Vec3> sites;
    Box3 box;
    for (int i = 0; i < 1000; ++i) {
        sites.push_back(turn * (0.1 * Vec3(i % 10, i / 10 % 10, i / 100)));
        box.add(sites.back());
    }
    const Seconds ours = measure(kRuns, [&] { keep(voronoi(sites, box)); });
    report.row(turned ? "voronoi, turned lattice of 1000 sites" : "voronoi, lattice of 1000 sites", 1e3 * ours.cpu, {},
               "", "ms");
}

void compareEigen(const Report& report) {
    constexpr size_t kCount = 200000;
    std::vector<SymMat3> tensors(kCount);
    Random random(2);
    for (SymMat3& m : tensors) {
        for (double* entry : {&m.xx, &m.yy, &m.zz, &m.xy, &m.yz, &m.zx}) *entry = random.uniform(-1, 1);
    }
    const auto nanoseconds = [&](auto&& solve) {
        const Seconds time = measure(kRuns, [&] {
            double sum = 0;
            for (const SymMat3& m : tensors) sum += solve(m);
            keep(sum);
        });
        return 1e9 * time.cpu / kCount;
    };
    const double ours = nanoseconds([](const SymMat3& m) {
        const SymEigen e = symmetricEigen(m);
        return e.values[0] + e.vectors(0, 0);
    });
    const double direct = nanoseconds([](const SymMat3& m) {
        Eigen::SelfAdjointEigenSolver<Mat3> solver;
        solver.computeDirect(m.matrix());
        return solver.eigenvalues()[0] + solver.eigenvectors()(0, 0);
    });
    const double iterative = nanoseconds([](const SymMat3& m) {
        const Eigen::SelfAdjointEigenSolver<Mat3> solver(m.matrix());
        return solver.eigenvalues()[0] + solver.eigenvectors()(0, 0);
    });
    report.row("symmetric 3x3 eigenproblem", ours, direct, "Eigen direct", "ns");
    report.row("symmetric 3x3 eigenproblem", ours, iterative, "Eigen iterative", "ns");
}

void timePredicates(const Report& report) {
    const std::vector<Vec3> points = randomPoints(100000);
    const auto time = [&](auto&& fourth) {
        const Seconds seconds = measure(kRuns, [&] {
            int sum = 0;
            for (size_t i = 0; i + 3 < points.size(); ++i) {
                sum += orient3d(points[i], points[i + 1], points[i + 2], fourth(i));
            }
            keep(sum);
        });
        return 1e9 * seconds.cpu / static_cast<double>(points.size());
    };
    report.row("orient3d, random points", time([&](size_t i) { return points[i + 3]; }), {}, "", "ns");
    report.row("orient3d, coplanar up to rounding", time([&](size_t i) {
                   return Vec3(points[i] + 0.5 * (points[i + 1] - points[i]) + 0.25 * (points[i + 2] - points[i]));
               }),
               {}, "", "ns");
}

void timeHull(const Report& report) {
    const std::vector<Vec3> inBox = randomPoints(100000);
    report.row("convex hull, 100k points in a box", 1e3 * measure(kRuns, [&] { keep(convexHull(inBox)); }).cpu, {}, "",
               "ms");
    std::vector<Vec3> onSphere(inBox.begin(), inBox.begin() + 10000);
    for (Vec3& p : onSphere) p = (p - Vec3::Constant(0.5)).normalized();
    report.row("convex hull, 10k points on a sphere", 1e3 * measure(kRuns, [&] { keep(convexHull(onSphere)); }).cpu, {},
               "", "ms");
    report.row("256 convex fragments", 1e3 * measure(kRuns, [&] { keep(convexFragments(1)); }).cpu, {}, "", "ms");
}

void timeSelfIntersections(const Report& report) {
    for (const char* name : {"twirl_10k", "bunny_70k"}) {
        const auto file = sharedFile(std::string("meshes/models/") + name + ".off");
        if (file.empty()) continue;
        const TriMesh mesh = readMesh(file).mesh;
        report.row(std::string("self-intersections of ") + name,
                   1e3 * measure(kRuns, [&] { keep(selfIntersections(mesh)); }).cpu, {}, "", "ms");
    }
}

}  // namespace

int main(int argc, char** argv) {
    const Report report(argc, argv);
    const ThreadLimit one(1);
    for (const size_t count : {1000, 10000, 100000}) compareVoronoi(report, count);
    timeLatticeVoronoi(report, false);
    timeLatticeVoronoi(report, true);
    compareEigen(report);
    timePredicates(report);
    timeHull(report);
    timeSelfIntersections(report);
}
