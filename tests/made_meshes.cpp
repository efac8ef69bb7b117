#include "made_meshes.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include <fmt/format.h>

#include "base/random.h"
#include "geometry/convex/convex_hull.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/mesh/split_long_edges.h"
#include "geometry/mesh/topology.h"
#include "geometry/mesh/weld.h"
#include "geometry/shapes/shapes.h"
#include "geometry/surface/isosurface.h"
#include "io/mesh/mesh_io.h"

namespace sunder::test {

namespace {

VertexIndex vertexAt(size_t i) { return static_cast<VertexIndex>(static_cast<uint32_t>(i)); }
TriangleIndex triangleAt(size_t i) { return static_cast<TriangleIndex>(static_cast<uint32_t>(i)); }
double diagonalOf(const TriMesh& mesh) { return boundsOf(mesh).diagonal(); }
Vec3 middleOf(const TriMesh& mesh, TriangleIndex t) {
    const auto [a, b, c] = mesh.corners(t);
    return (a + b + c) / 3;
}

/// Positions and triangles alone, welded.
TriMesh bare(const TriMesh& mesh) {
    TriMesh result;
    result.positions = mesh.positions;
    result.triangles = mesh.triangles;
    weldExact(result);
    removeUnusedVertices(result);
    return result;
}

// --- good models

TriMesh shape(const std::string& name, int resolution = 48) { return bare(makeShape(name, {}, resolution)); }

TriMesh boxAt(const Vec3& min, const Vec3& size) {
    TriMesh mesh = bare(makeShape("box", {}, 8));
    const Box3 bounds = boundsOf(mesh);
    for (Vec3& p : mesh.positions) {
        p = min + Vec3(((p - bounds.min).array() / bounds.size().array() * size.array()).matrix());
    }
    return mesh;
}

TriMesh hull() {
    Random random(71);
    std::vector<Vec3> points;
    for (int i = 0; i < 60; ++i) points.emplace_back(random.normal(), random.normal(), random.normal());
    return convexHull(points).mesh;
}

/// Where four round charges reach one level: smooth, of irregular form, cut out of a grid.
TriMesh blob() {
    const std::array<Vec3, 4> places{Vec3(0, 0, 0), Vec3(0.7, 0.2, 0), Vec3(-0.3, 0.6, 0.3), Vec3(0.1, -0.5, 0.5)};
    DistanceGrid grid(alignedFrame({Vec3::Constant(-1.6), Vec3::Constant(1.9)}, 0.07, 2));
    const GridFrame& frame = grid.frame();
    for (int k = 0; k < frame.points[2]; ++k) {
        for (int j = 0; j < frame.points[1]; ++j) {
            for (int i = 0; i < frame.points[0]; ++i) {
                double sum = 0;
                for (const Vec3& p : places) sum += 0.25 / (0.02 + (frame.position(i, j, k) - p).squaredNorm());
                grid.at(i, j, k) = static_cast<float>(1 - sum);
            }
        }
    }
    return isosurface(grid, {.keepCreases = false});
}

TriMesh sharedModel(const std::string& name) {
    return bare(readMesh(std::filesystem::path(SUNDER_SHARED_DATA) / "meshes" / "models" / name).mesh);
}

/// Ready-made, hulls, out of a grid, and, where the shared data is, real ones.
TriMesh model(const std::string& name) {
    if (name == "hull") return hull();
    if (name == "blob") return blob();
    if (name.find('.') != std::string::npos) return sharedModel(name);
    return shape(name);
}

bool isThere(const std::string& name) {
    return name.find('.') == std::string::npos ||
           std::filesystem::exists(std::filesystem::path(SUNDER_SHARED_DATA) / "meshes" / "models" / name);
}

/// A cone whose base runs twice round the middle: it covers itself twice.
TriMesh coneTwiceRound(size_t n, double radius = 0.5, double height = 1) {
    TriMesh mesh;
    const VertexIndex tip = mesh.positions.push_back(Vec3(0, height, 0));
    const VertexIndex middle = mesh.positions.push_back(Vec3(0, 0, 0));
    for (size_t i = 0; i < n; ++i) {
        const double angle = 4 * M_PI * static_cast<double>(i) / static_cast<double>(n);
        mesh.positions.push_back(Vec3(radius * std::cos(angle), 0, -radius * std::sin(angle)));
    }
    for (size_t i = 0; i < n; ++i) {
        const VertexIndex a = vertexAt(2 + i), b = vertexAt(2 + (i + 1) % n);
        mesh.triangles.push_back({tip, a, b});
        mesh.triangles.push_back({middle, b, a});
    }
    return mesh;
}

/// A cone's side as a fan of n triangles around the tip, and a fan of n around the middle of its base.
TriMesh cone(size_t n, double radius = 0.5, double height = 1) {
    TriMesh mesh;
    const VertexIndex tip = mesh.positions.push_back(Vec3(0.1, height, 0.2));
    const VertexIndex middle = mesh.positions.push_back(Vec3(0.1, 0, 0.2));
    for (size_t i = 0; i < n; ++i) {
        const double angle = 2 * M_PI * static_cast<double>(i) / static_cast<double>(n);
        mesh.positions.push_back(Vec3(0.1 + radius * std::cos(angle), 0, 0.2 - radius * std::sin(angle)));
    }
    for (size_t i = 0; i < n; ++i) {
        const VertexIndex a = vertexAt(2 + i), b = vertexAt(2 + (i + 1) % n);
        mesh.triangles.push_back({tip, a, b});
        mesh.triangles.push_back({middle, b, a});
    }
    return mesh;
}

/// Rim vertices anywhere around: a closed fan that cuts itself nearly everywhere.
TriMesh randomStar(size_t n) {
    TriMesh mesh = cone(n);
    Random random(404);
    for (size_t i = 0; i < n; ++i) {
        const Vec3 direction(random.normal(), 0.3 * random.normal(), random.normal());
        mesh.positions[vertexAt(2 + i)] = random.uniform(0.3, 1) * direction.normalized();
    }
    return mesh;
}

double coneVolume(size_t n, double radius = 0.5, double height = 1) {
    return height / 3 * 0.5 * static_cast<double>(n) * radius * radius * std::sin(2 * M_PI / static_cast<double>(n));
}

/// So that nothing lies along an axis.
TriMesh askew(TriMesh mesh) {
    const Quat turn(Eigen::AngleAxisd(0.7, Vec3(0.3, 0.9, -0.4).normalized()));
    for (Vec3& p : mesh.positions) p = turn * p + Vec3(0.31, -0.77, 1.3);
    return mesh;
}

// --- what is done to them

TriMesh both(TriMesh a, const TriMesh& b) {
    append(a, b);
    return a;
}
TriMesh moved(TriMesh mesh, const Vec3& by) {
    for (Vec3& p : mesh.positions) p += by;
    return mesh;
}
TriMesh inverted(TriMesh mesh) {
    flipOrientation(mesh);
    return mesh;
}
TriMesh chosen(const TriMesh& mesh, const std::function<bool(TriangleIndex)>& take) {
    std::vector<TriangleIndex> list;
    for (const TriangleIndex t : mesh.triangles.indices()) {
        if (take(t)) list.push_back(t);
    }
    return subset(mesh, list);
}

/// Every vertex moved against its normal; distance in m.
TriMesh offsetInwards(const TriMesh& mesh, double distance) {
    TriMesh result = mesh;
    IndexedVector<VertexIndex, Vec3> normals(mesh.vertexCount(), Vec3::Zero());
    for (const TriangleIndex t : mesh.triangles.indices()) {
        for (const VertexIndex v : mesh.triangles[t]) normals[v] += mesh.areaVector(t);
    }
    for (const VertexIndex v : result.positions.indices()) result.positions[v] -= distance * normals[v].normalized();
    return result;
}

/// The same surface in other triangles.
TriMesh finer(const TriMesh& mesh) { return splitLongEdges(mesh, 0.23 * diagonalOf(mesh)); }

TriMesh jittered(TriMesh mesh, double distance, uint64_t seed) {
    Random random(seed);
    for (Vec3& p : mesh.positions) {
        for (int axis = 0; axis < 3; ++axis) p[axis] += random.uniform(-distance, distance);
    }
    return mesh;
}

/// No vertex shared.
TriMesh soupOf(const TriMesh& mesh) {
    TriMesh soup;
    for (const TriangleIndex t : mesh.triangles.indices()) {
        Triangle triangle;
        const auto corners = mesh.corners(t);
        for (size_t c = 0; c < 3; ++c) triangle[c] = soup.positions.push_back(Vec3(corners[c]));
        soup.triangles.push_back(triangle);
    }
    return soup;
}

struct Hole {
    Vec3 towards;             // from the middle of the box
    double share;             // of the area
    double raggedness = 0.2;  // how much the border strays, of the distance to its middle
    size_t islands = 0;       // triangles that stay inside
};

/// Takes away what is nearest to where the surface is met in some direction, as where a scanner did not look.
TriMesh pierced(const TriMesh& mesh, const std::vector<Hole>& holes, uint64_t seed) {
    std::vector<uint8_t> gone(mesh.triangleCount(), 0);
    const Vec3 centre = boundsOf(mesh).centre();
    Random random(seed);
    for (const Hole& hole : holes) {
        // the triangle farthest out in that direction
        TriangleIndex start{};
        for (const TriangleIndex t : mesh.triangles.indices()) {
            if ((middleOf(mesh, t) - centre).dot(hole.towards) > (middleOf(mesh, start) - centre).dot(hole.towards))
                start = t;
        }
        std::vector<std::pair<double, size_t>> byDistance;
        for (const TriangleIndex t : mesh.triangles.indices()) {
            const double distance = (middleOf(mesh, t) - middleOf(mesh, start)).norm();
            byDistance.emplace_back(distance * (1 + hole.raggedness * random.uniform(-1, 1)), raw(t));
        }
        std::sort(byDistance.begin(), byDistance.end());
        double area = 0;
        std::vector<size_t> taken;
        for (const auto& [distance, t] : byDistance) {
            area += 0.5 * mesh.areaVector(triangleAt(t)).norm();
            if (area > hole.share * surfaceArea(mesh)) break;
            gone[t] = 1;
            taken.push_back(t);
        }
        for (size_t i = 0; i < hole.islands && !taken.empty(); ++i) gone[taken[random.below(taken.size() / 2 + 1)]] = 0;
    }
    return chosen(mesh, [&](TriangleIndex t) { return !gone[raw(t)]; });
}

/// Everything below a height, of the box, is missing: a scanner does not see what a thing stands on.
TriMesh withoutBottom(const TriMesh& mesh, double height) {
    const Box3 bounds = boundsOf(mesh);
    const double level = bounds.min.y() + height * bounds.size().y();
    return chosen(mesh, [&](TriangleIndex t) { return middleOf(mesh, t).y() > level; });
}

/// One half of the triangles moved away from the other, across x.
TriMesh withGap(const TriMesh& mesh, double width) {
    const double middle = boundsOf(mesh).centre().x();
    const auto left = [&](TriangleIndex t) { return middleOf(mesh, t).x() < middle; };
    const TriMesh right = chosen(mesh, [&](TriangleIndex t) { return !left(t); });
    return both(chosen(mesh, left), moved(right, {width, 0, 0}));
}

TriMesh withFlips(TriMesh mesh, double share, uint64_t seed) {
    Random random(seed);
    for (const TriangleIndex t : mesh.triangles.indices()) {
        if (random.uniform() < share) flipTriangle(mesh, t);
    }
    return mesh;
}

/// Splits sides in the middle on one of their two triangles only.
TriMesh withTJunctions(TriMesh mesh, size_t count, uint64_t seed) {
    Random random(seed);
    for (size_t i = 0; i < count; ++i) {
        const TriangleIndex t = triangleAt(random.below(mesh.triangleCount()));
        const Triangle old = mesh.triangles[t];
        const VertexIndex on = mesh.positions.push_back(Vec3(0.5 * (mesh.positions[old[0]] + mesh.positions[old[1]])));
        mesh.triangles[t] = {old[0], on, old[2]};
        mesh.triangles.push_back({on, old[1], old[2]});
    }
    return mesh;
}

TriMesh withFins(TriMesh mesh, size_t count, uint64_t seed) {
    Random random(seed);
    const size_t original = mesh.triangleCount();
    const double length = 0.02 * diagonalOf(mesh);
    for (size_t i = 0; i < count; ++i) {
        const TriangleIndex t = triangleAt(i * original / count);
        const Triangle corners = mesh.triangles[t];
        const Vec3 tip = 0.5 * (mesh.positions[corners[0]] + mesh.positions[corners[1]]) +
                         length * (mesh.areaVector(t).normalized() + 0.3 * Vec3(random.normal(), 0, random.normal()));
        mesh.triangles.push_back({corners[0], corners[1], mesh.positions.push_back(Vec3(tip))});
    }
    return mesh;
}

/// Sheets that all hang on one edge and stick out in all directions, also into the solid.
TriMesh withFinsAtOneEdge(TriMesh mesh, size_t count) {
    const Triangle t = mesh.triangles[triangleAt(0)];
    const Vec3 from = mesh.positions[t[0]], to = mesh.positions[t[1]], middle = 0.5 * (from + to);
    const Vec3 side = 0.2 * (to - from).norm() * (to - from).unitOrthogonal();
    for (size_t i = 0; i < count; ++i) {
        const double angle = 2 * M_PI * (static_cast<double>(i) + 0.4321) / static_cast<double>(count);
        const VertexIndex tip =
            mesh.positions.push_back(Vec3(middle + Eigen::AngleAxisd(angle, (to - from).normalized()) * side));
        if (i % 2 == 0) {
            mesh.triangles.push_back({t[0], t[1], tip});
        } else {
            mesh.triangles.push_back({t[1], t[0], tip});
        }
    }
    return mesh;
}

/// A grid over (u, v), closed both ways; in u the seam meets itself with v turned round when `twisted`.
TriMesh closedGrid(size_t us, size_t vs, bool twisted, const std::function<Vec3(double, double)>& at) {
    TriMesh mesh;
    for (size_t i = 0; i < us; ++i) {
        for (size_t j = 0; j < vs; ++j) {
            mesh.positions.push_back(at(2 * M_PI * static_cast<double>(i) / static_cast<double>(us),
                                        2 * M_PI * static_cast<double>(j) / static_cast<double>(vs)));
        }
    }
    const auto index = [&](size_t i, size_t j) {
        j %= vs;
        if (i < us) return vertexAt(i * vs + j);
        return vertexAt(twisted ? (vs - j) % vs : j);
    };
    for (size_t i = 0; i < us; ++i) {
        for (size_t j = 0; j < vs; ++j) {
            mesh.triangles.push_back({index(i, j), index(i + 1, j), index(i + 1, j + 1)});
            mesh.triangles.push_back({index(i, j), index(i + 1, j + 1), index(i, j + 1)});
        }
    }
    return mesh;
}

/// Closed, two triangles at each edge, and with one side only [the figure-eight immersion].
TriMesh kleinBottle() {
    return closedGrid(60, 40, true, [](double u, double v) {
        const double r = 2 + std::cos(u / 2) * std::sin(v) - std::sin(u / 2) * std::sin(2 * v);
        return Vec3(r * std::cos(u), r * std::sin(u),
                    std::sin(u / 2) * std::sin(v) + std::cos(u / 2) * std::sin(2 * v));
    });
}

/// A ring whose section is a figure of eight: one lobe right side out, the other inside out.
TriMesh figureEightRing() {
    return closedGrid(60, 40, false, [](double u, double v) {
        const double r = 2 + 0.7 * std::sin(v);
        return Vec3(r * std::cos(u), r * std::sin(u), 0.7 * std::sin(2 * v));
    });
}

/// A ring whose section runs round twice: it covers itself, right side out everywhere.
TriMesh twiceRoundRing() {
    return closedGrid(48, 64, false, [](double u, double v) {
        const double a = 0.6 + 0.12 * std::cos(v);
        const double r = 2 + a * std::cos(2 * v);
        return Vec3(r * std::cos(u), r * std::sin(u), a * std::sin(2 * v));
    });
}

}  // namespace

/// Two skins. What lies between them is the wall; where there is none worth the name the surface was there twice.
std::vector<MadeMesh> doubleWalls() {
    std::vector<MadeMesh> all;
    for (const std::string name : {"sphere", "torus", "capsule", "cylinder", "hull"}) {
        const TriMesh outer = model(name), inner = offsetInwards(outer, 0.02 * diagonalOf(outer));
        const double wall = volume(outer) - volume(inner);
        // both turned outward: a cavity is what a modeller means by a smaller copy inside, and it is said
        all.push_back({"double_wall_" + name + "_same_way", Outcome::Repaired, wall, 1e-9, 1, "cavity",
                       [=] { return both(outer, inner); }});
        all.push_back({"double_wall_" + name + "_cavity", Outcome::Clean, wall, 1e-9, 1, "",
                       [=] { return both(outer, inverted(inner)); }});
    }
    // the same surface again in other triangles: once is enough
    for (const std::string name : {"box", "star", "hull", "cylinder"}) {
        const TriMesh outer = model(name);
        all.push_back({"doubled_" + name + "_other_triangles", Outcome::Repaired, volume(outer), 1e-9, 1, "doubled",
                       [=] { return both(outer, finer(outer)); }});
        all.push_back({"doubled_" + name + "_inside_out", Outcome::Repaired, volume(outer), 1e-9, 1, "doubled",
                       [=] { return both(outer, inverted(finer(outer))); }});
    }
    // and a millionth of its size within: no wall, but an export of both sides
    for (const std::string name : {"sphere", "star", "figure", "bunny_5k.obj", "horse_20k.obj"}) {
        if (!isThere(name)) continue;
        const TriMesh outer = model(name), inner = offsetInwards(outer, 1e-6 * diagonalOf(outer));
        all.push_back({"doubled_" + name + "_millionth", Outcome::Repaired, volume(outer), 1e-5, 1, "doubled",
                       [=] { return both(outer, inner); }});
        all.push_back({"doubled_" + name + "_millionth_inside_out", Outcome::Repaired, volume(outer), 1e-5, 1,
                       "doubled", [=] { return both(outer, inverted(inner)); }});
    }
    // a third of the faces are there twice: back to back, and as a sheet of its own just within
    for (const std::string name : {"torus", "animal", "armadillo_10k.stl"}) {
        if (!isThere(name)) continue;
        const TriMesh whole = model(name);
        const double middle = boundsOf(whole).centre().x();
        const TriMesh part = chosen(whole, [&](TriangleIndex t) { return middleOf(whole, t).x() < middle; });
        all.push_back({"partly_doubled_" + name + "_back_to_back", Outcome::Repaired, volume(whole), 1e-9, 1, "",
                       [=] { return both(whole, inverted(part)); }});
        all.push_back({"partly_doubled_" + name + "_sheet", Outcome::Repaired, volume(whole), 1e-5, 1, "",
                       [=] { return both(whole, offsetInwards(part, 1e-6 * diagonalOf(whole))); }});
    }
    // parts of one thing that stand on each other, with faces of other triangles on each other
    all.push_back(
        {"touching_table_of_boxes", Outcome::Repaired, 1.2 * 0.8 * 0.05 + 4 * 0.06 * 0.06 * 0.7, 0.01, 1, "", [] {
             TriMesh table = boxAt({0, 0.7, 0}, {1.2, 0.05, 0.8});
             for (const double x : {0.0, 1.14}) {
                 for (const double z : {0.0, 0.74}) append(table, boxAt({x, 0, z}, {0.06, 0.7, 0.06}));
             }
             return table;
         }});
    const TriMesh drum = bare(makeShape("cylinder", {}, 40));
    const Box3 drumBox = boundsOf(drum);
    const Vec3 size = drumBox.size();
    all.push_back({"touching_drum_on_plate", Outcome::Repaired, volume(drum) + 4 * size.x() * 0.2 * 4 * size.z(), 0.01,
                   1, "", [=] {
                       return both(drum,
                                   boxAt(drumBox.centre() - Vec3(2 * size.x(), 0.5 * size.y() + 0.2, 2 * size.z()),
                                         {4 * size.x(), 0.2, 4 * size.z()}));
                   }});
    // an inner wall turned inside out, lying on the outer's floor: a hollow that is open below
    all.push_back({"touching_inverted_inner_wall", Outcome::Repaired, 1 - 0.6 * 0.6 * 0.5, 0.01, 1, "", [] {
                       return both(boxAt(Vec3::Zero(), Vec3::Ones()), inverted(boxAt({0.2, 0, 0.2}, {0.6, 0.5, 0.6})));
                   }});
    // a block inside another, on its floor, turned outward: one full block
    all.push_back({"touching_inner_block", Outcome::Repaired, 1, 0.01, 1, "", [] {
                       return both(boxAt(Vec3::Zero(), Vec3::Ones()), boxAt({0.2, 0, 0.2}, {0.6, 0.5, 0.6}));
                   }});
    return all;
}

/// A ragged hole in a body that goes round is a scan's, and a patch restores it, roughly; a smooth opening is the
/// shape's own; where too much is missing nobody can know.
std::vector<MadeMesh> largeHoles() {
    std::vector<MadeMesh> all;
    struct Scan {
        std::string name;
        Vec3 towards;
        double tolerance;  // of the volume, for a hole of a tenth of the surface
    };
    for (const Scan& scan : {Scan{"sphere", {0.2, -1, 0.1}, 0.04}, Scan{"blob", {0.3, -0.8, 0.2}, 0.06},
                             Scan{"torus", {1, 0.2, 0}, 0.08}, Scan{"animal", {0, 1, 0.1}, 0.06},
                             Scan{"bunny_5k.obj", {0, -1, 0}, 0.03}, Scan{"bunny_20k.ply", {0.5, -1, 0.2}, 0.07},
                             Scan{"armadillo_10k.stl", {0, 0, 1}, 0.1}, Scan{"koala_7k.obj", {0, 1, 0.3}, 0.1}}) {
        if (!isThere(scan.name)) continue;
        const TriMesh whole = model(scan.name);
        const double v = volume(whole);
        all.push_back({"hole_" + scan.name + "_tenth", Outcome::Repaired, v, scan.tolerance, 1, "ragged", [=] {
                           return pierced(whole, {{scan.towards, 0.1}}, 5);
                       }});
        all.push_back(
            {"hole_" + scan.name + "_several", Outcome::Repaired, v, scan.tolerance, 1, "", [=] {
                 return pierced(whole, {{scan.towards, 0.04}, {-scan.towards, 0.03}, {{0.3, 0.2, 1}, 0.03}}, 6);
             }});
        all.push_back({"hole_" + scan.name + "_islands", Outcome::Repaired, v, scan.tolerance, 1, "", [=] {
                           return pierced(whole, {{scan.towards, 0.08, 0.2, 6}}, 7);
                       }});
        // what is gone is too much to be guessed
        all.push_back({"hole_" + scan.name + "_half", Outcome::Shell, 0, 0, 0, "open", [=] {
                           return pierced(whole, {{scan.towards, 0.45}}, 8);
                       }});
    }
    for (const std::string name : {"animal", "armadillo_10k.stl", "spot_5.9k.obj"}) {
        if (!isThere(name)) continue;
        const TriMesh whole = model(name);
        all.push_back({"bottom_" + name, Outcome::Repaired, volume(whole), 0.04, 1, "",
                       [=] { return withoutBottom(whole, 0.03); }});
    }
    // openings that somebody made
    for (const std::string name : {"bowl_shell", "hemisphere", "boat"}) {
        all.push_back({"opening_" + name, Outcome::Shell, 0, 0, 0, "open", [=] { return shape(name); }});
    }
    all.push_back({"opening_cylinder_without_caps", Outcome::Shell, 0, 0, 0, "open", [] {
                       const TriMesh whole = shape("cylinder");
                       return chosen(whole, [&](TriangleIndex t) {
                           return std::abs(whole.areaVector(t).normalized().y()) < 0.5;
                       });
                   }});
    all.push_back({"opening_half_of_a_scan", Outcome::Shell, 0, 0, 0, "open", [] {
                       return pierced(model("blob"), {{{0, 0, 1}, 0.5}}, 9);
                   }});
    return all;
}

/// Thousands of needles at one vertex: nothing may take time by the square of their number.
std::vector<MadeMesh> hubs() {
    std::vector<MadeMesh> all;
    for (const size_t n : {size_t{5000}, size_t{50000}}) {
        const std::string thousands = std::to_string(n / 1000) + "k";
        const double v = coneVolume(n);
        const TriMesh whole = askew(cone(n));
        const auto named = [&](const std::string& what) { return "hub_" + what + "_" + thousands; };
        all.push_back({named("cone"), Outcome::Clean, v, 1e-9, 1, "", [=] { return whole; }});
        all.push_back({named("cone_soup"), Outcome::Repaired, v, 1e-4, 1, "welded",
                       [=] { return jittered(soupOf(askew(cone(n))), 2e-8, 1); }});
        all.push_back({named("cone_without_base"), Outcome::Shell, 0, 0, 0, "open",
                       [=] { return chosen(whole, [](TriangleIndex t) { return raw(t) % 2 == 0; }); }});
        all.push_back({named("cone_needle_missing"), Outcome::Repaired, v, 1e-3, 1, "filled",
                       [=] { return chosen(whole, [](TriangleIndex t) { return raw(t) != 100; }); }});
        all.push_back(
            {named("cone_mixed"), Outcome::Repaired, v, 1e-9, 1, "turned", [=] { return withFlips(whole, 0.3, 3); }});
        all.push_back({named("cone_listed_twice"), Outcome::Repaired, v, 1e-9, 1, "more than once",
                       [=] { return both(whole, chosen(whole, [](TriangleIndex t) { return raw(t) % 3 == 0; })); }});
        all.push_back(
            {named("cone_within_cone"), Outcome::Repaired, v - coneVolume(n, 0.4, 0.8), 1e-9, 1, "cavity", [=] {
                 return askew(both(cone(n), moved(cone(n, 0.4, 0.8), {0, 0.05, 0})));
             }});
        // tip to tip, on one vertex
        all.push_back({named("bow_tie"), Outcome::Repaired, 2 * v, 1e-9, 2, "touched", [=] {
                           TriMesh other = cone(n);
                           for (Vec3& p : other.positions) p.y() = 2 - p.y();
                           TriMesh tie = both(cone(n), inverted(other));
                           weldExact(tie);
                           return askew(tie);
                       }});
        // two sides of a disc, and nothing in between
        all.push_back({named("flat_disc"), Outcome::Shell, 0, 0, 0, "", [=] {
                           TriMesh disc = cone(n);
                           disc.positions[vertexAt(0)].y() = 0;
                           return disc;
                       }});
        all.push_back({named("disc"), Outcome::Shell, 0, 0, 0, "open",
                       [=] { return askew(chosen(cone(n), [](TriangleIndex t) { return raw(t) % 2 == 1; })); }});
        // a beam through the side: the union is rebuilt
        all.push_back({named("cone_and_beam"), Outcome::Repaired, 0.29018, 0.005, 1, "cut each other", [=] {
                           return both(whole, askew(boxAt({-0.6, 0.2, 0.1}, {1.4, 0.2, 0.2})));
                       }});
        all.push_back({named("cone_and_beam_at_tip"), Outcome::Repaired, 0.31754, 0.005, 1, "cut each other", [=] {
                           return both(whole, askew(boxAt({-0.6, 0.9, 0.1}, {1.4, 0.2, 0.2})));
                       }});
        all.push_back({named("cone_and_beam_along"), Outcome::Repaired, 0.30792, 0.005, 1, "cut each other", [=] {
                           return both(whole, askew(boxAt({0, -0.5, 0.1}, {0.2, 2, 0.2})));
                       }});
        all.push_back({named("cone_and_fine_beam"), Outcome::Repaired, 0.29018, 0.005, 1, "cut each other", [=] {
                           return both(whole, askew(splitLongEdges(boxAt({-0.6, 0.2, 0.1}, {1.4, 0.2, 0.2}), 0.02)));
                       }});
    }
    // the base runs round twice, each round between the corners of the other
    all.push_back({"hub_cone_twice_round_5k", Outcome::Repaired, coneVolume(5001), 0.01, 1, "cut each other",
                   [] { return askew(coneTwiceRound(5001)); }});
    for (const size_t n : {size_t{5000}, size_t{50000}}) {
        all.push_back({fmt::format("hub_random_star_{}k", n / 1000), Outcome::Refused, 0, 0, 0, "pairs of triangles",
                       [=] { return randomStar(n); }});
    }
    return all;
}

/// What every other program takes.
std::vector<MadeMesh> harmlessMistakes() {
    std::vector<MadeMesh> all;
    for (const std::string name : {"star", "animal", "spot_5.9k.obj"}) {
        if (!isThere(name)) continue;
        const TriMesh whole = model(name);
        const double v = volume(whole), size = diagonalOf(whole);
        const auto named = [&](const std::string& what) { return "harmless_" + name + "_" + what; };
        all.push_back({named("unused_vertices"), Outcome::Clean, v, 1e-9, 1, "unused", [=] {
                           TriMesh mesh = whole;
                           mesh.positions.push_back(Vec3(1e6, -1e6, 3));
                           mesh.positions.push_back(Vec3::Constant(std::numeric_limits<double>::quiet_NaN()));
                           return mesh;
                       }});
        // a gap along a seam, far above rounding and far below the size of anything
        all.push_back(
            {named("gap"), Outcome::Repaired, v, 2e-3, 1, "gap", [=] { return withGap(whole, 1e-4 * size); }});
        all.push_back(
            {named("flips"), Outcome::Repaired, v, 1e-9, 1, "turned", [=] { return withFlips(whole, 0.4, 11); }});
        all.push_back({named("t_junctions"), Outcome::Repaired, v, 1e-9, 1, "stitched",
                       [=] { return withTJunctions(whole, 12, 12); }});
        all.push_back({named("part_twice"), Outcome::Repaired, v, 1e-9, 1, "more than once",
                       [=] { return both(whole, chosen(whole, [](TriangleIndex t) { return raw(t) % 4 == 1; })); }});
        all.push_back(
            {named("whole_twice"), Outcome::Repaired, v, 1e-9, 1, "doubled", [=] { return both(whole, whole); }});
        all.push_back(
            {named("fins"), Outcome::Repaired, v, 1e-9, 1, "sheets", [=] { return withFins(whole, 60, 13); }});
        all.push_back({named("needles_without_area"), Outcome::Repaired, v, 1e-9, 1, "without area", [=] {
                           TriMesh mesh = withTJunctions(whole, 8, 14);
                           // each open seam is closed by a triangle without area
                           const size_t first = mesh.vertexCount() - 8;
                           for (size_t i = first; i < mesh.vertexCount(); ++i) {
                               for (const Triangle& t : std::vector<Triangle>(mesh.triangles.items())) {
                                   if (t[1] != vertexAt(i)) continue;
                                   for (const Triangle& u : std::vector<Triangle>(mesh.triangles.items())) {
                                       if (u[0] == t[1] && u[2] == t[2]) mesh.triangles.push_back({t[0], u[1], t[1]});
                                   }
                               }
                           }
                           return mesh;
                       }});
        all.push_back({named("few_dents"), Outcome::Repaired, v, 0.06, 1, "", [=] {
                           // three vertices pushed through the surface behind them: each takes a cone out of the solid
                           TriMesh mesh = whole;
                           const TriMesh deep = offsetInwards(whole, 0.5 * size);
                           for (const size_t i : {size_t{1}, whole.vertexCount() / 3, whole.vertexCount() / 2})
                               mesh.positions[vertexAt(i)] = deep.positions[vertexAt(i)];
                           return mesh;
                       }});
    }
    all.push_back({"harmless_box_fins_at_one_edge", Outcome::Repaired, 1, 1e-9, 1, "sheets",
                   [] { return withFinsAtOneEdge(boxAt(Vec3::Zero(), Vec3::Ones()), 300); }});
    all.push_back({"harmless_box_few_fins_at_one_edge", Outcome::Repaired, 1, 1e-9, 1, "sheets",
                   [] { return withFinsAtOneEdge(boxAt(Vec3::Zero(), Vec3::Ones()), 3); }});
    // four triangles at an edge, and a corner on a corner: two bodies that touch
    all.push_back({"harmless_boxes_share_edge", Outcome::Repaired, 2, 1e-9, 2, "took apart", [] {
                       TriMesh mesh = both(boxAt(Vec3::Zero(), Vec3::Ones()), boxAt({1, 1, 0}, Vec3::Ones()));
                       weldExact(mesh);
                       return mesh;
                   }});
    all.push_back({"harmless_boxes_share_corner", Outcome::Repaired, 2, 1e-9, 2, "touched", [] {
                       TriMesh mesh = both(boxAt(Vec3::Zero(), Vec3::Ones()), boxAt({1, 1, 1}, Vec3::Ones()));
                       weldExact(mesh);
                       return mesh;
                   }});
    all.push_back({"harmless_overlapping_parts", Outcome::Repaired, 0, 0, 1, "cut each other", [] {
                       const TriMesh ball = shape("sphere");
                       return both(ball, moved(ball, {0.3 * diagonalOf(ball), 0.01, 0.02}));
                   }});
    // a lid that floats a little over its box, in other triangles: corners to weld, and others to stitch
    all.push_back({"harmless_floating_lid", Outcome::Repaired, 1, 1e-3, 1, "gap", [] {
                       TriMesh mesh = boxAt(Vec3::Zero(), Vec3::Ones());
                       TriMesh fine = splitLongEdges(boxAt(Vec3::Zero(), Vec3::Ones()), 0.31);
                       const TriMesh lid = chosen(fine, [&](TriangleIndex t) { return middleOf(fine, t).y() > 0.999; });
                       const TriMesh rest =
                           chosen(mesh, [&](TriangleIndex t) { return middleOf(mesh, t).y() < 0.999; });
                       return both(rest, moved(lid, {0, 2e-4, 0}));
                   }});
    return all;
}

/// Closed by the count of edges, and no solid all the same, or another than it seems.
std::vector<MadeMesh> falseSolids() {
    std::vector<MadeMesh> all;
    all.push_back({"false_klein_bottle", Outcome::Refused, 0, 0, 0, "orientable", [] { return kleinBottle(); }});
    // one crowded edge more must not make it a solid
    all.push_back({"false_klein_bottle_with_fin", Outcome::Refused, 0, 0, 0, "orient",
                   [] { return withFins(kleinBottle(), 1, 21); }});
    all.push_back({"false_klein_bottle_with_wall", Outcome::Refused, 0, 0, 0, "orient", [] {
                       TriMesh mesh = kleinBottle();
                       // two tetrahedra on one of its edges: four triangles and more meet there
                       const Triangle t = mesh.triangles[triangleAt(500)];
                       const Vec3 up = 0.2 * mesh.areaVector(triangleAt(500)).normalized();
                       const VertexIndex tip = mesh.positions.push_back(Vec3(mesh.positions[t[2]] + up));
                       const VertexIndex side = mesh.positions.push_back(Vec3(mesh.positions[t[2]] + 2 * up));
                       mesh.triangles.push_back({t[0], t[1], tip});
                       mesh.triangles.push_back({t[1], t[0], side});
                       mesh.triangles.push_back({t[0], tip, side});
                       mesh.triangles.push_back({t[1], side, tip});
                       return mesh;
                   }});
    all.push_back({"false_klein_bottle_and_box", Outcome::Refused, 0, 0, 0, "orient", [] {
                       return both(kleinBottle(), boxAt({5, 5, 5}, Vec3::Ones()));
                   }});
    // half of what it surrounds is inside out
    all.push_back({"false_figure_eight", Outcome::Refused, 0, 0, 0, "inside out", [] { return figureEightRing(); }});
    // covers itself, the right way out: its outline is a solid
    all.push_back(
        {"overlap_twice_round", Outcome::Repaired, 0, 0, 1, "cut each other", [] { return twiceRoundRing(); }});
    // inside out as a whole: turned
    for (const std::string name : {"vase", "gyroid_block"}) {
        const TriMesh whole = model(name);
        all.push_back({"inside_out_" + name, Outcome::Repaired, volume(whole), 1e-9, 0, "turned",
                       [=] { return inverted(whole); }});
    }
    // three in each other, all outward: solid, cavity, solid
    all.push_back({"nested_three", Outcome::Repaired, 27 - 8 + 1, 1e-9, 2, "cavity", [] {
                       return both(both(boxAt(Vec3::Constant(-1.5), Vec3::Constant(3)),
                                        boxAt(Vec3::Constant(-1), Vec3::Constant(2))),
                                   boxAt(Vec3::Constant(-0.5), Vec3::Constant(1)));
                   }});
    // encloses nothing: a sheet folded onto itself
    all.push_back({"false_folded_sheet", Outcome::Shell, 0, 0, 0, "", [] {
                       const TriMesh sheet = shape("sheet", 24);
                       TriMesh doubled = both(sheet, inverted(finer(sheet)));
                       weldExact(doubled);
                       return doubled;
                   }});
    all.push_back({"false_crushed_ball", Outcome::Shell, 0, 0, 0, "volume", [] {
                       TriMesh ball = shape("sphere");
                       for (Vec3& p : ball.positions) p.y() = 0;
                       return ball;
                   }});
    // walls of paper that pass through each other: no grid that we allow holds them, and half the volume lost is
    // not to be called a repair
    all.push_back({"false_paper_walls_crossing", Outcome::Refused, 0, 0, 0, "thin", [] {
                       const auto paperBox = [](const Vec3& at) {
                           return both(boxAt(at, Vec3::Ones()),
                                       inverted(boxAt(at + Vec3::Constant(5e-4), Vec3::Constant(1 - 1e-3))));
                       };
                       return both(paperBox(Vec3::Zero()), paperBox({0.41, 0.33, 0.27}));
                   }});
    return all;
}

}  // namespace sunder::test
