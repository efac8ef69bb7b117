// Closest points, rays and winding numbers: queries per second beside a naive loop and CGAL's AABB_tree.

#include "base/random.h"
#include "bench/refined.h"
#include "bench/report.h"
#include "geometry/tree/winding_number.h"
#ifdef SUNDER_PEER_CGAL
#include "bench/peers/cgal_tree.h"
#include "io/mesh/mesh_io.h"
#endif

using namespace sunder;
using namespace sunder::bench;

namespace {

constexpr int kRuns = 5;

std::vector<Vec3> randomPoints(const Box3& box, size_t count) {
    Random random(1);
    std::vector<Vec3> points;
    for (size_t i = 0; i < count; ++i) {
        points.emplace_back(random.uniform(box.min.x(), box.max.x()), random.uniform(box.min.y(), box.max.y()),
                            random.uniform(box.min.z(), box.max.z()));
    }
    return points;
}

/// Points moved off the surface by about a hundredth of the model: the queries of contact and embedding.
std::vector<Vec3> pointsNearSurface(const TriMesh& mesh, size_t count) {
    Random random(2);
    const double reach = 0.01 * boundsOf(mesh).diagonal();
    std::vector<Vec3> points;
    for (size_t i = 0; i < count; ++i) {
        const auto [a, b, c] =
            mesh.corners(static_cast<TriangleIndex>(static_cast<uint32_t>(random.below(mesh.triangleCount()))));
        const Vec3 offset(random.uniform(-reach, reach), random.uniform(-reach, reach), random.uniform(-reach, reach));
        points.push_back((a + b + c) / 3 + offset);
    }
    return points;
}

double perSecond(size_t queries, const Seconds& time) { return static_cast<double>(queries) / time.cpu; }

void compareNearest(const Report& report, const TriMesh& mesh, const std::string& what, std::span<const Vec3> queries) {
    const TriangleTree tree(mesh);
    const Seconds ours = measure(kRuns, [&] {
        double sum = 0;
        for (const Vec3& q : queries) sum += tree.closestPoint(q).squaredDistance;
        keep(sum);
    });
    const auto few = queries.first(100);
    const Seconds naive = measure(1, [&] {
        double sum = 0;
        for (const Vec3& q : few) {
            double best = std::numeric_limits<double>::infinity();
            for (const TriangleIndex t : mesh.triangles.indices()) {
                const auto [a, b, c] = mesh.corners(t);
                best = std::min(best, closestPointOnTriangle(q, a, b, c).squaredDistance);
            }
            sum += best;
        }
        keep(sum);
    });
    report.row("closest point, " + what, perSecond(queries.size(), ours), perSecond(few.size(), naive), "naive loop",
               "1/s");
#ifdef SUNDER_PEER_CGAL
    const CgalTree peer(mesh);
    const Seconds theirs = measure(kRuns, [&] { keep(peer.sumOfSquaredDistances(queries)); });
    report.row("closest point, " + what, perSecond(queries.size(), ours), perSecond(queries.size(), theirs),
               "CGAL AABB_tree", "1/s");
#endif
}

void measureRays(const Report& report, const TriMesh& mesh, std::span<const Vec3> origins) {
    const TriangleTree tree(mesh);
    const Vec3 centre = boundsOf(mesh).centre();
    const Seconds ours = measure(kRuns, [&] {
        double sum = 0;
        for (const Vec3& o : origins) {
            if (const auto hit = tree.raycast(o, centre - o)) sum += hit->distance;
        }
        keep(sum);
    });
    report.row("ray, first hit", perSecond(origins.size(), ours), std::nullopt, "", "1/s");
}

void measureWinding(const Report& report, const TriMesh& mesh, std::span<const Vec3> queries) {
    const WindingNumber winding(mesh);
    const Seconds fast = measure(kRuns, [&] {
        double sum = 0;
        for (const Vec3& q : queries) sum += winding(q);
        keep(sum);
    });
    const auto few = queries.first(50);
    const Seconds exact = measure(1, [&] {
        double sum = 0;
        for (const Vec3& q : few) sum += exactWindingNumber(mesh, q);
        keep(sum);
    });
    report.row("generalised winding number", perSecond(queries.size(), fast), perSecond(few.size(), exact), "exact sum",
               "1/s");
}

void measureBuild(const Report& report, const TriMesh& mesh) {
    const TriMesh finer = refined(mesh);
    const Seconds one = measure(kRuns, [&] { keep(TriangleTree(mesh)); });
    const Seconds four = measure(kRuns, [&] { keep(TriangleTree(finer)); });
    std::optional<double> peer;
#ifdef SUNDER_PEER_CGAL
    peer = measure(kRuns, [&] { keep(CgalTree(mesh)); }).cpu;
#endif
    report.row("build, CPU", one.cpu, peer, "CGAL AABB_tree", "s");
    report.row("build, 4x the triangles, CPU", four.cpu, one.cpu, "1x (limit 5)", "s");
    const Seconds winding = measure(kRuns, [&] { keep(WindingNumber(mesh)); });
    report.row("winding number build, CPU", winding.cpu, std::nullopt, "", "s");
}

}  // namespace

int main(int argc, char** argv) {
    const Report report(argc, argv);
    const TriMesh mesh = meshToMeasure(report, "bunny_70k.off");
    const auto everywhere = randomPoints(boundsOf(mesh).expanded(0.1 * boundsOf(mesh).diagonal()), 100000);
    const auto near = pointsNearSurface(mesh, 100000);
    compareNearest(report, mesh, "in the box", everywhere);
    compareNearest(report, mesh, "near the surface", near);
    measureRays(report, mesh, everywhere);
    measureWinding(report, mesh, std::span(everywhere).first(20000));
    measureBuild(report, mesh);
}
