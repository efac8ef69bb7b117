#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "geometry/mesh/tri_mesh.h"

namespace sunder {

/// Into the edges of a MeshTopology.
enum class EdgeIndex : uint32_t {};
/// Into the connected parts of a mesh.
enum class ComponentIndex : uint32_t {};

/// One side of a triangle: the edge from corner `corner` to the next.
struct HalfEdge {
    TriangleIndex triangle = kNone<TriangleIndex>;  // whose side it is
    uint8_t corner = 0;                             // 0, 1 or 2: where the side begins
    friend bool operator==(HalfEdge, HalfEdge) = default;
};

/// Who meets whom along edges, for any triangle soup with shared vertices. Edges are numbered by (smaller vertex,
/// larger vertex) in ascending order, so the numbering is the same on every machine.
class MeshTopology {
public:
    /// Takes the mesh as it is now, and keeps no reference to it.
    explicit MeshTopology(const TriMesh& mesh);

    size_t edgeCount() const { return edges_.size(); }  // each once, however many triangles it has
    /// Smaller vertex first.
    std::array<VertexIndex, 2> vertices(EdgeIndex e) const { return edges_[e].vertices; }
    /// All triangle sides on this edge, in triangle order; two on a manifold closed mesh.
    std::span<const HalfEdge> sides(EdgeIndex e) const {
        return std::span(sides_).subspan(edges_[e].firstSide, edges_[e].sideCount);
    }
    /// The edge on which a side of a triangle lies.
    EdgeIndex edge(HalfEdge side) const { return edgeOfSide_[side.triangle][side.corner]; }
    EdgeIndex edge(TriangleIndex t, int corner) const { return edgeOfSide_[t][static_cast<size_t>(corner)]; }

    /// Triangles around a vertex, in triangle order.
    std::span<const TriangleIndex> triangles(VertexIndex v) const {
        return std::span(fans_).subspan(fanStart_[raw(v)], fanStart_[raw(v) + 1] - fanStart_[raw(v)]);
    }

    bool isBoundary(EdgeIndex e) const { return edges_[e].sideCount == 1; }    // one triangle: the surface is open here
    bool isNonManifold(EdgeIndex e) const { return edges_[e].sideCount > 2; }  // three triangles or more

private:
    struct Edge {
        std::array<VertexIndex, 2> vertices;
        uint32_t firstSide = 0;
        uint32_t sideCount = 0;
    };
    IndexedVector<EdgeIndex, Edge> edges_;
    std::vector<HalfEdge> sides_;
    IndexedVector<TriangleIndex, std::array<EdgeIndex, 3>> edgeOfSide_;
    std::vector<uint32_t> fanStart_;
    std::vector<TriangleIndex> fans_;
};

/// Component of every triangle; two triangles belong together when they share an edge. Numbered by first triangle.
struct Components {
    IndexedVector<TriangleIndex, ComponentIndex> ofTriangle;  // which it belongs to
    size_t count = 0;                                         // of components
    /// The triangles of each component, in order.
    std::vector<std::vector<TriangleIndex>> lists() const;
};
/// `topology`: of this mesh.
Components connectedComponents(const TriMesh& mesh, const MeshTopology& topology);

/// Every edge has two sides that run in opposite directions, and every vertex one closed fan: a clean closed surface.
/// Says nothing about self-intersection or which way is out.
bool isClosedManifold(const TriMesh& mesh);
bool isClosedManifold(const TriMesh& mesh, const MeshTopology& topology);

/// Sum over components of (2 - Euler characteristic) / 2; meaningful for closed manifold meshes.
int genus(const TriMesh& mesh, const MeshTopology& topology);

}  // namespace sunder
