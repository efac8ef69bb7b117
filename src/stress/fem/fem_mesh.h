#pragma once

#include <array>
#include <span>
#include <vector>

#include "geometry/tet/tet_mesh.h"
#include "math/sparse/block_matrix.h"

namespace sunder::stress {

/// How displacements go in a tet. Quadratic has about eight times the unknowns, and bends as it should.
enum class ElementOrder {
    Linear,     // four nodes: strain is constant in a tet; too stiff in bending
    Quadratic,  // ten nodes: strain is linear in a tet
};

/// The edges of a tet, by corners; node 4 + e of a quadratic element sits in the middle of edge e.
inline constexpr std::array<std::array<uint8_t, 2>, 6> kTetEdges{{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};

/// What is computed with: the tets' nodes come first, then, for quadratic elements, one in the middle of each edge.
struct FemMesh {
    ElementOrder order = ElementOrder::Linear;       // of all elements
    size_t corners = 0;                              // how many nodes are tets' corners
    std::vector<Vec3> nodes;                         // m
    std::vector<std::array<uint32_t, 10>> elements;  // by tet; the first nodesPerElement() count
    NodeGraph elementsOfNode;                        // which elements each node belongs to, ascending

    size_t nodesPerElement() const { return order == ElementOrder::Linear ? 4 : 10; }  // how many of the ten are used
    /// Corners first, then the middles of edges, in the order of kTetEdges.
    std::span<const uint32_t> nodesOf(size_t element) const {
        return std::span(elements[element]).first(nodesPerElement());
    }
};
/// Nodes of no tet stay, and belong to no element.
FemMesh makeFemMesh(const TetMesh& mesh, ElementOrder order);

/// Nodes that share an element are neighbours.
NodeGraph graphOf(const FemMesh& mesh);

/// Volume of one element, and how its four barycentric coordinates change in space.
struct ElementFrame {
    double volume = 0;              // m^3
    std::array<Vec3, 4> gradients;  // 1/m
};
/// The tet must have a positive volume.
ElementFrame frameOf(const FemMesh& mesh, size_t element);

/// Gradients of an element's shape functions at one point, 1/m; the first nodesPerElement() count.
using ShapeGradients = std::array<Vec3, 10>;
/// `at`: the point, by barycentric coordinates.
ShapeGradients shapeGradients(ElementOrder order, const ElementFrame& frame, const std::array<double, 4>& at);
/// Their values there.
std::array<double, 10> shapeValues(ElementOrder order, const std::array<double, 4>& at);

/// Points at which products of two gradients are summed exactly, all of one weight.
std::span<const std::array<double, 4>> quadraturePoints(ElementOrder order);

/// Integral of (shape function i) * (barycentric coordinate k) over an element, as a share of its volume.
double shapeMoment(ElementOrder order, size_t i, size_t k);

}  // namespace sunder::stress
