#include "geometry/repair/shells.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/assert.h"
#include "geometry/tree/winding_number.h"

namespace sunder {

namespace {

constexpr size_t kWitnesses = 5;  // corners of a shell asked whether they lie inside another; the majority decides

/// Inside test against one shell, made when first needed.
class ShellTest {
public:
    ShellTest(const TriMesh& mesh, const NestedShell& shell)
        : surface_(subset(mesh, shell.triangles)), winding_(surface_) {}
    bool contains(const Vec3& point) const { return std::abs(winding_(point)) > 0.5; }

private:
    TriMesh surface_;
    WindingNumber winding_;
};

bool holds(const Box3& outer, const Box3& inner) {
    return (outer.min.array() <= inner.min.array()).all() && (outer.max.array() >= inner.max.array()).all();
}

bool liesInside(const TriMesh& mesh, const NestedShell& inner, const ShellTest& outer) {
    size_t inside = 0, asked = 0;
    const size_t step = std::max<size_t>(1, inner.triangles.size() / kWitnesses);
    for (size_t i = 0; i < inner.triangles.size() && asked < kWitnesses; i += step, ++asked) {
        // a point within the triangle: corners may touch the other shell
        const auto [a, b, c] = mesh.corners(inner.triangles[i]);
        inside += outer.contains((a + b + c) / 3);
    }
    return 2 * inside > asked;
}

}  // namespace

std::vector<NestedShell> nestedShells(const TriMesh& mesh, const Components& components,
                                      const std::vector<std::pair<uint32_t, uint32_t>>& crossing) {
    ASSERT(components.ofTriangle.size() == mesh.triangleCount());
    // each shell's triangles, extent and area
    std::vector<NestedShell> shells(components.count);
    for (const TriangleIndex t : mesh.triangles.indices()) {
        NestedShell& shell = shells[raw(components.ofTriangle[t])];
        shell.triangles.push_back(t);
        for (const Vec3& corner : mesh.corners(t)) shell.box.add(corner);
        shell.area += 0.5 * mesh.areaVector(t).norm();
    }
    // volumes about the shell's own middle: far from the origin they would drown in rounding
    for (NestedShell& shell : shells) {
        const Vec3 reference = shell.box.centre();
        for (const TriangleIndex t : shell.triangles) {
            const auto [a, b, c] = mesh.corners(t);
            shell.volume += (a - reference).dot((b - reference).cross(c - reference)) / 6;
        }
    }
    if (shells.size() < 2) return shells;

    // shells that cut each other are not inside each other
    const auto crosses = [&](uint32_t a, uint32_t b) {
        return std::binary_search(crossing.begin(), crossing.end(), std::pair(std::min(a, b), std::max(a, b)));
    };
    // only shells whose boxes overlap are asked, each test made once
    std::vector<Box3> boxes;
    boxes.reserve(shells.size());
    for (const NestedShell& shell : shells) boxes.push_back(shell.box);
    const Bvh tree(boxes);
    std::vector<std::unique_ptr<ShellTest>> tests(shells.size());
    for (const auto& [first, second] : tree.overlappingPairsWithin()) {
        const auto ask = [&](uint32_t inner, uint32_t outer) {
            if (!holds(shells[outer].box, shells[inner].box) || crosses(inner, outer)) return;
            if (std::abs(shells[outer].volume) <= std::abs(shells[inner].volume)) return;
            if (!tests[outer]) tests[outer] = std::make_unique<ShellTest>(mesh, shells[outer]);
            shells[inner].depth += liesInside(mesh, shells[inner], *tests[outer]);
        };
        ask(first, second);
        ask(second, first);
    }
    return shells;
}

size_t bodyCount(const std::vector<NestedShell>& shells) {
    return static_cast<size_t>(
        std::count_if(shells.begin(), shells.end(), [](const NestedShell& s) { return s.depth % 2 == 0; }));
}

OutwardCounts wrongWayShells(const std::vector<NestedShell>& shells) {
    OutwardCounts counts;
    for (const NestedShell& shell : shells) {
        const bool solid = shell.depth % 2 == 0;
        counts.inward += solid && shell.volume < 0;
        counts.nested += !solid && shell.volume > 0;
    }
    return counts;
}

OutwardCounts turnOutward(TriMesh& mesh, std::vector<NestedShell>& shells) {
    const OutwardCounts counts = wrongWayShells(shells);
    for (NestedShell& shell : shells) {
        const bool solid = shell.depth % 2 == 0;
        if (solid ? shell.volume >= 0 : shell.volume <= 0) continue;
        for (const TriangleIndex t : shell.triangles) flipTriangle(mesh, t);
        shell.volume = -shell.volume;
    }
    return counts;
}

}  // namespace sunder
