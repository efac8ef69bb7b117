#include "geometry/cut/detail/piece_meshes.h"

#include <algorithm>
#include <optional>

#include "base/assert.h"
#include "geometry/mesh/box_uvs.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/mesh/topology.h"
#include "geometry/mesh/validate.h"
#include "geometry/repair/split_nonmanifold.h"
#include "geometry/tree/triangle_tree.h"
#include "geometry/tree/winding_number.h"

namespace sunder::detail {

namespace {

constexpr const char* kInsideMaterial = "inside";
constexpr double kFlakeThickness = 1e-12;  // of the solid's diagonal

/// Two triangles of the same corners that face each other enclose nothing: both go. They are left where fused nodes
/// have made a thin part vanish.
void removeDoubled(TriMesh& mesh) {
    struct Entry {
        std::array<uint32_t, 3> corners;  // ascending
        uint32_t triangle;
        bool even;
    };
    // with sorted corners, doubles stand side by side; the parity of the sorting tells which way a triangle faces
    std::vector<Entry> entries;
    for (const TriangleIndex t : mesh.triangles.indices()) {
        std::array<uint32_t, 3> c{raw(mesh.triangles[t][0]), raw(mesh.triangles[t][1]), raw(mesh.triangles[t][2])};
        std::rotate(c.begin(), std::min_element(c.begin(), c.end()), c.end());
        const bool even = c[1] < c[2];
        if (!even) std::swap(c[1], c[2]);
        entries.push_back({c, raw(t), even});
    }
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
        return std::tie(a.corners, a.triangle) < std::tie(b.corners, b.triangle);
    });
    // each cancels one that faces the other way, no more
    std::vector<uint8_t> gone(mesh.triangleCount(), 0);
    bool any = false;
    for (size_t i = 0; i + 1 < entries.size(); ++i) {
        if (entries[i].corners != entries[i + 1].corners || entries[i].even == entries[i + 1].even) continue;
        gone[entries[i].triangle] = gone[entries[i + 1].triangle] = 1;
        any = true;
        ++i;
    }
    if (!any) return;
    std::vector<TriangleIndex> kept;
    for (const TriangleIndex t : mesh.triangles.indices()) {
        if (!gone[raw(t)]) kept.push_back(t);
    }
    mesh = subset(mesh, kept);
}

/// A connected surface: a body when it encloses volume, a cavity when that is negative.
struct Shell {
    TriMesh mesh;
    double volume = 0;
};

Vec3 someInnerPoint(const TriMesh& mesh) {
    // the middle of the largest triangle: farthest from the trouble of corners
    TriangleIndex best{0};
    double largest = -1;
    for (const TriangleIndex t : mesh.triangles.indices()) {
        const double area = mesh.areaVector(t).squaredNorm();
        if (area > largest) {
            largest = area;
            best = t;
        }
    }
    const auto [a, b, c] = mesh.corners(best);
    return (a + b + c) / 3;
}

}  // namespace

PieceMaker::PieceMaker(const TriMesh& solid, const MeshTopology& topology, const WallComplex& walls,
                       const Crossings& crossings, std::span<const Vec3> positions)
    : solid_(solid),
      topology_(topology),
      walls_(walls),
      crossings_(crossings),
      positions_(positions),
      size_(boundsOf(solid).diagonal()),
      materialNames_(solid.materialNames) {
    // crack faces get a material of their own, named, behind those of the solid
    if (solid.materials.empty()) return;
    const auto known = std::find(materialNames_.begin(), materialNames_.end(), kInsideMaterial);
    insideMaterial_ = static_cast<uint32_t>(known - materialNames_.begin());
    if (known == materialNames_.end()) {
        // numbers without names come first
        for (const uint32_t m : solid.materials) insideMaterial_ = std::max(insideMaterial_, m + 1);
        while (materialNames_.size() < insideMaterial_) {
            materialNames_.push_back("material" + std::to_string(materialNames_.size()));
        }
        materialNames_.emplace_back(kInsideMaterial);
    }
}

Vec3 PieceMaker::barycentric(Node node, TriangleIndex t) const {
    const Triangle& corners = solid_.triangles[t];
    for (int k = 0; k < 3; ++k) {
        if (raw(corners[static_cast<size_t>(k)]) == node) return Vec3::Unit(k);
    }
    if (node >= crossings_.firstEdgePoint && node < crossings_.firstWallEdgePoint) {
        const Crossings::EdgePoint& point = crossings_.edgePoints[node - crossings_.firstEdgePoint];
        for (int k = 0; k < 3; ++k) {
            if (topology_.edge(t, k) != point.edge) continue;
            const bool along = corners[static_cast<size_t>(k)] == topology_.vertices(point.edge)[0];
            const double at = along ? point.at : 1 - point.at;
            return (1 - at) * Vec3::Unit(k) + at * Vec3::Unit((k + 1) % 3);
        }
    }
    const auto [a, b, c] = solid_.corners(t);
    return closestPointOnTriangle(positions_[node], a, b, c).barycentric;
}

void PieceMaker::addSurface(const PieceFace& face, TriMesh& mesh) const {
    const TriangleIndex t{face.owner};
    ASSERT(raw(t) < solid_.triangleCount());

    // labels are those of the triangle it is a part of
    mesh.inside.push_back(solid_.inside.empty() ? uint8_t{0} : solid_.inside[t]);
    if (!solid_.materials.empty()) mesh.materials.push_back(solid_.materials[t]);
    // what is given at corners is interpolated within it
    if (solid_.uvs.empty() && solid_.normals.empty()) return;
    std::array<Vec3, 3> weights;
    for (size_t k = 0; k < 3; ++k) weights[k] = barycentric(face.nodes[k], t);
    if (!solid_.uvs.empty()) {
        const auto& uv = solid_.uvs[t];
        std::array<Vec2, 3> here;
        for (size_t k = 0; k < 3; ++k) here[k] = weights[k][0] * uv[0] + weights[k][1] * uv[1] + weights[k][2] * uv[2];
        mesh.uvs.push_back(here);
    }
    if (!solid_.normals.empty()) {
        const auto& normal = solid_.normals[t];
        std::array<Vec3, 3> here;
        for (size_t k = 0; k < 3; ++k) {
            const Vec3& w = weights[k];
            // a corner keeps its bits
            const bool atCorner = w.maxCoeff() == 1;
            here[k] = w[0] * normal[0] + w[1] * normal[1] + w[2] * normal[2];
            if (!atCorner && here[k].squaredNorm() > 0) here[k].normalize();
        }
        mesh.normals.push_back(here);
    }
}

void PieceMaker::addWall(const PieceFace& face, TriMesh& mesh) const {
    const Vec3 away = walls_.normal(walls_.walls[face.owner]);
    mesh.inside.push_back(1);
    if (!solid_.materials.empty()) mesh.materials.push_back(insideMaterial_);
    if (!solid_.normals.empty()) {
        const Vec3 normal = face.kind == PieceFace::Kind::Wall ? away : Vec3(-away);
        mesh.normals.push_back({normal, normal, normal});
    }
    if (!solid_.uvs.empty()) {
        std::array<Vec3, 3> corners;
        for (size_t k = 0; k < 3; ++k) corners[k] = positions_[face.nodes[k]];
        mesh.uvs.push_back(boxUvs(corners, away));
    }
}

TriMesh PieceMaker::meshOf(std::span<const PieceFace> faces) const {
    // the nodes it uses, ascending: the same piece for any order of its faces
    TriMesh mesh;
    mesh.materialNames = materialNames_;
    mesh.triangles.reserve(faces.size());
    std::vector<Node> nodes;
    nodes.reserve(3 * faces.size());
    for (const PieceFace& face : faces) nodes.insert(nodes.end(), face.nodes.begin(), face.nodes.end());
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    mesh.positions.reserve(nodes.size());
    for (const Node n : nodes) mesh.positions.push_back(positions_[n]);
    // its triangles, with labels of the surface they were a part of
    for (const PieceFace& face : faces) {
        Triangle triangle;
        for (size_t k = 0; k < 3; ++k) {
            const auto place = std::lower_bound(nodes.begin(), nodes.end(), face.nodes[k]);
            triangle[k] = static_cast<VertexIndex>(place - nodes.begin());
        }
        mesh.triangles.push_back(triangle);
        if (face.kind == PieceFace::Kind::Surface) {
            addSurface(face, mesh);
        } else {
            addWall(face, mesh);
        }
    }
    return mesh;
}

bool PieceMaker::isFlake(const TriMesh& mesh, double volume) const {
    return std::abs(volume) <= kFlakeThickness * size_ * surfaceArea(mesh);
}

std::vector<CutPiece> PieceMaker::make(uint32_t cell, std::span<const PieceFace> faces) const {
    std::vector<CutPiece> pieces;
    if (faces.empty()) return pieces;
    // most pieces are closed manifolds at once; fused nodes may double triangles, and parts may touch along lines
    TriMesh mesh = meshOf(faces);
    std::optional<MeshTopology> topology(std::in_place, mesh);
    if (!isClosedManifold(mesh, *topology)) {
        removeDoubled(mesh);
        splitNonManifold(mesh);
        if (mesh.empty()) return pieces;
        topology.emplace(mesh);
        if (!isClosedManifold(mesh, *topology))
            throw Contradiction("a piece touches itself along two edges in one place");
    }
    const Components components = connectedComponents(mesh, *topology);
    if (components.count == 1) {
        ASSERT(problemWith(mesh).empty());
        if (!isFlake(mesh, volume(mesh))) pieces.push_back({std::move(mesh), cell});
        return pieces;
    }

    // what looks inward is a cavity of the body around it; flakes without volume are left out
    std::vector<Shell> bodies, cavities;
    for (const auto& list : components.lists()) {
        Shell shell{subset(mesh, list), 0};
        shell.volume = volume(shell.mesh);
        if (isFlake(shell.mesh, shell.volume)) continue;
        (shell.volume > 0 ? bodies : cavities).push_back(std::move(shell));
    }
    // the smallest first, so that a cavity finds the innermost body around it
    std::stable_sort(bodies.begin(), bodies.end(), [](const Shell& a, const Shell& b) { return a.volume < b.volume; });
    std::vector<size_t> home(cavities.size(), bodies.size());
    for (size_t c = 0; c < cavities.size(); ++c) {
        const Vec3 point = someInnerPoint(cavities[c].mesh);
        for (size_t b = 0; b < bodies.size() && home[c] == bodies.size(); ++b) {
            const bool last = b + 1 == bodies.size();
            if (last || exactWindingNumber(bodies[b].mesh, point) > 0.5) home[c] = b;
        }
    }
    // a cavity whose body was a flake goes with it
    for (size_t c = 0; c < cavities.size(); ++c) {
        if (home[c] == bodies.size()) continue;
        append(bodies[home[c]].mesh, cavities[c].mesh);
        bodies[home[c]].volume += cavities[c].volume;
    }
    std::stable_sort(bodies.begin(), bodies.end(), [](const Shell& a, const Shell& b) { return a.volume > b.volume; });
    for (Shell& body : bodies) {
        ASSERT(problemWith(body.mesh).empty());
        pieces.push_back({std::move(body.mesh), cell});
    }
    return pieces;
}

}  // namespace sunder::detail
