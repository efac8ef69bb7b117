#include "io/exports/replay_meshes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/assert.h"
#include "io/files/packed_numbers.h"

namespace sunder {

namespace {

using LatticePoint = std::array<int64_t, 3>;

/// Which meshes are of one family: those of a body and its fragments, and whatever shares a mesh with these.
class Families {
public:
    explicit Families(size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), size_t{0}); }
    size_t of(size_t mesh) {
        while (parent_[mesh] != mesh) mesh = parent_[mesh] = parent_[parent_[mesh]];
        return mesh;
    }
    /// The lower number stands for both, so that numbering is by first appearance.
    void join(size_t a, size_t b) {
        const size_t one = of(a), two = of(b);
        parent_[std::max(one, two)] = std::min(one, two);
    }

private:
    std::vector<size_t> parent_;
};

/// Bodies of one root share a lattice, and so do all that share a mesh with them.
Families familiesOf(std::span<const RecordedBody> bodies, const std::map<int64_t, size_t>& indexOf) {
    Families families(indexOf.size());
    std::map<uint32_t, size_t> firstOfRoot;
    for (const RecordedBody& body : bodies) {
        if (!body.mesh) continue;
        const size_t mesh = indexOf.at(*body.mesh);
        families.join(firstOfRoot.try_emplace(body.root, mesh).first->second, mesh);
    }
    return families;
}

ReplayLattice latticeOver(const Box3& box) {
    const double longest = box.size().maxCoeff();
    return {box.min, longest > 0 ? longest / kReplayLatticeSteps : 1};
}

/// One for each family, over all that its meshes take up.
void addLattices(ReplayMeshes& all, Families families) {
    std::map<size_t, Box3> boxes;  // of families
    for (size_t m = 0; m < all.meshes.size(); ++m) boxes[families.of(m)].add(all.meshes[m].box);
    std::map<size_t, size_t> latticeOf;
    for (const auto& [family, box] : boxes) {
        latticeOf[family] = all.lattices.size();
        all.lattices.push_back(latticeOver(box));
    }
    for (size_t m = 0; m < all.meshes.size(); ++m) all.meshes[m].lattice = latticeOf.at(families.of(m));
}

/// The nearest point of the lattice for each vertex.
std::vector<LatticePoint> onLattice(const TriMesh& mesh, const ReplayLattice& lattice) {
    std::vector<LatticePoint> points;
    points.reserve(mesh.vertexCount());
    for (const Vec3& p : mesh.positions) {
        const Vec3 steps = (p - lattice.origin) / lattice.step;
        points.push_back({std::llround(steps.x()), std::llround(steps.y()), std::llround(steps.z())});
    }
    return points;
}

/// Whether the corners are still three points that are not in line.
bool hasArea(const Triangle& t, const std::vector<LatticePoint>& points) {
    const auto edge = [&](int k) {
        const LatticePoint &a = points[raw(t[0])], &b = points[raw(t[k])];
        return std::array<double, 3>{double(b[0] - a[0]), double(b[1] - a[1]), double(b[2] - a[2])};
    };
    const auto u = edge(1), v = edge(2);
    return u[1] * v[2] != u[2] * v[1] || u[2] * v[0] != u[0] * v[2] || u[0] * v[1] != u[1] * v[0];
}

/// Outside first, each side in the mesh's order.
std::vector<TriangleIndex> drawnTriangles(const TriMesh& mesh, const std::vector<LatticePoint>& points,
                                          size_t& outside) {
    std::vector<TriangleIndex> chosen;
    for (const bool inside : {false, true}) {
        for (const TriangleIndex t : mesh.triangles.indices()) {
            const bool cracked = !mesh.inside.empty() && mesh.inside[t] != 0;
            if (cracked == inside && hasArea(mesh.triangles[t], points)) chosen.push_back(t);
        }
        if (!inside) outside = chosen.size();
    }
    return chosen;
}

/// Appends a mesh to the two runs of numbers that all meshes share.
void write(ReplayMeshes& all, ReplayMesh& entry, const TriMesh& mesh) {
    ASSERT(entry.lattice < all.lattices.size());
    ASSERT(entry.vertices == 0);
    // only what a viewer can see: points on the lattice, triangles that did not shrink to nothing on it
    const std::vector<LatticePoint> points = onLattice(mesh, all.lattices[entry.lattice]);
    const std::vector<TriangleIndex> chosen = drawnTriangles(mesh, points, entry.outside);
    entry.triangles = chosen.size();

    // vertices are numbered as triangles meet them: steps between them, and between indices, are short
    constexpr size_t kNew = ~size_t{0};
    std::vector<size_t> number(points.size(), kNew);
    LatticePoint before{};
    int64_t indexBefore = 0;
    for (const TriangleIndex t : chosen) {
        for (const VertexIndex v : mesh.triangles[t]) {
            if (number[raw(v)] == kNew) {
                number[raw(v)] = entry.vertices++;
                const LatticePoint& point = points[raw(v)];
                for (size_t k = 0; k < 3; ++k) writeSigned(all.vertices, point[k] - before[k]);
                before = point;
            }
            const auto index = static_cast<int64_t>(number[raw(v)]);
            writeSigned(all.triangles, index - indexBefore);
            indexBefore = index;
        }
    }
}

}  // namespace

ReplayMeshes replayMeshes(const RecordingReader& recording, std::span<const RecordedBody> bodies) {
    ReplayMeshes all;
    for (const RecordedBody& body : bodies) {
        if (!body.mesh || !all.indexOf.try_emplace(*body.mesh, all.meshes.size()).second) continue;
        ReplayMesh entry;
        entry.id = *body.mesh;
        entry.box = boundsOf(*recording.mesh(entry.id));
        all.meshes.push_back(entry);
    }
    addLattices(all, familiesOf(bodies, all.indexOf));
    for (ReplayMesh& entry : all.meshes) write(all, entry, *recording.mesh(entry.id));
    return all;
}

}  // namespace sunder
