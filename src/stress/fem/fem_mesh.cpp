#include "stress/fem/fem_mesh.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"

namespace sunder::stress {

namespace {

struct Edge {
    uint32_t a = 0, b = 0;  // a < b
    uint32_t element = 0;
    uint8_t place = 0;
    bool operator<(const Edge& other) const {
        return std::tie(a, b, element, place) < std::tie(other.a, other.b, other.element, other.place);
    }
};

void addMiddles(FemMesh& mesh) {
    std::vector<Edge> edges;
    edges.reserve(6 * mesh.elements.size());
    for (uint32_t e = 0; e < mesh.elements.size(); ++e) {
        for (uint8_t i = 0; i < 6; ++i) {
            const uint32_t a = mesh.elements[e][kTetEdges[i][0]], b = mesh.elements[e][kTetEdges[i][1]];
            edges.push_back({std::min(a, b), std::max(a, b), e, i});
        }
    }
    std::sort(edges.begin(), edges.end());
    for (size_t i = 0; i < edges.size(); ++i) {
        if (i == 0 || edges[i].a != edges[i - 1].a || edges[i].b != edges[i - 1].b) {
            mesh.nodes.push_back(0.5 * (mesh.nodes[edges[i].a] + mesh.nodes[edges[i].b]));
        }
        mesh.elements[edges[i].element][4u + edges[i].place] = static_cast<uint32_t>(mesh.nodes.size() - 1);
    }
}

NodeGraph elementsByNode(const FemMesh& mesh) {
    NodeGraph found;
    found.first.assign(mesh.nodes.size() + 1, 0);
    for (size_t e = 0; e < mesh.elements.size(); ++e) {
        for (const uint32_t n : mesh.nodesOf(e)) ++found.first[n + 1];
    }
    for (size_t n = 0; n < mesh.nodes.size(); ++n) found.first[n + 1] += found.first[n];
    found.neighbours.resize(found.first.back());
    std::vector<uint32_t> next(found.first.begin(), found.first.end() - 1);
    for (uint32_t e = 0; e < mesh.elements.size(); ++e) {
        for (const uint32_t n : mesh.nodesOf(e)) found.neighbours[next[n]++] = e;
    }
    return found;
}

}  // namespace

FemMesh makeFemMesh(const TetMesh& mesh, ElementOrder order) {
    FemMesh made;
    made.order = order;
    made.corners = mesh.nodeCount();
    made.nodes.assign(mesh.nodes.begin(), mesh.nodes.end());
    made.elements.reserve(mesh.tetCount());
    for (const Tet& tet : mesh.tets) {
        made.elements.push_back({raw(tet[0]), raw(tet[1]), raw(tet[2]), raw(tet[3])});
    }
    if (order == ElementOrder::Quadratic) addMiddles(made);
    made.elementsOfNode = elementsByNode(made);
    return made;
}

NodeGraph graphOf(const FemMesh& mesh) {
    // neighbours of each node through its elements, without itself
    std::vector<std::vector<uint32_t>> around(mesh.nodes.size());
    parallelFor(mesh.nodes.size(), 512, [&](const BlockRange& block) {
        for (size_t n = block.begin; n < block.end; ++n) {
            std::vector<uint32_t>& list = around[n];
            for (const uint32_t e : mesh.elementsOfNode.of(n)) {
                for (const uint32_t m : mesh.nodesOf(e)) {
                    if (m != n) list.push_back(m);
                }
            }
            std::sort(list.begin(), list.end());
            list.erase(std::unique(list.begin(), list.end()), list.end());
        }
    });

    // all lists in one array, as the matrix has its blocks
    NodeGraph graph;
    graph.first.reserve(around.size() + 1);
    graph.first.push_back(0);
    for (const std::vector<uint32_t>& list : around) {
        graph.neighbours.insert(graph.neighbours.end(), list.begin(), list.end());
        graph.first.push_back(static_cast<uint32_t>(graph.neighbours.size()));
    }
    return graph;
}

ElementFrame frameOf(const FemMesh& mesh, size_t element) {
    const auto& corner = mesh.elements[element];
    Mat3 edges;
    for (int k = 0; k < 3; ++k) {
        edges.col(k) = mesh.nodes[corner[static_cast<size_t>(k) + 1]] - mesh.nodes[corner[0]];
    }
    ElementFrame frame;
    frame.volume = edges.determinant() / 6;
    const Mat3 inverse = edges.inverse();
    frame.gradients[0] = Vec3::Zero();
    for (int k = 0; k < 3; ++k) {
        frame.gradients[static_cast<size_t>(k) + 1] = inverse.row(k).transpose();
        frame.gradients[0] -= frame.gradients[static_cast<size_t>(k) + 1];
    }
    return frame;
}

ShapeGradients shapeGradients(ElementOrder order, const ElementFrame& frame, const std::array<double, 4>& at) {
    ShapeGradients found;
    if (order == ElementOrder::Linear) {
        for (size_t i = 0; i < 4; ++i) found[i] = frame.gradients[i];
        return found;
    }
    for (size_t i = 0; i < 4; ++i) found[i] = (4 * at[i] - 1) * frame.gradients[i];
    for (size_t e = 0; e < 6; ++e) {
        const auto [i, j] = kTetEdges[e];
        found[4 + e] = 4 * (at[i] * frame.gradients[j] + at[j] * frame.gradients[i]);
    }
    return found;
}

std::array<double, 10> shapeValues(ElementOrder order, const std::array<double, 4>& at) {
    std::array<double, 10> found{};
    if (order == ElementOrder::Linear) {
        std::copy(at.begin(), at.end(), found.begin());
        return found;
    }
    for (size_t i = 0; i < 4; ++i) found[i] = at[i] * (2 * at[i] - 1);
    for (size_t e = 0; e < 6; ++e) found[4 + e] = 4 * at[kTetEdges[e][0]] * at[kTetEdges[e][1]];
    return found;
}

std::span<const std::array<double, 4>> quadraturePoints(ElementOrder order) {
    static constexpr std::array<std::array<double, 4>, 1> kCentre{{{0.25, 0.25, 0.25, 0.25}}};
    // exact for quadratics: (5 + 3 sqrt 5) / 20 and (5 - sqrt 5) / 20
    static constexpr double kNear = 0.58541019662496845446, kFar = 0.13819660112501051518;
    static constexpr std::array<std::array<double, 4>, 4> kFour{
        {{kNear, kFar, kFar, kFar}, {kFar, kNear, kFar, kFar}, {kFar, kFar, kNear, kFar}, {kFar, kFar, kFar, kNear}}};
    if (order == ElementOrder::Linear) return kCentre;
    return kFour;
}

double shapeMoment(ElementOrder order, size_t i, size_t k) {
    if (order == ElementOrder::Linear) return i == k ? 1.0 / 10 : 1.0 / 20;
    if (i < 4) return i == k ? 0 : -1.0 / 60;
    const auto& edge = kTetEdges[i - 4];
    return k == edge[0] || k == edge[1] ? 1.0 / 15 : 1.0 / 30;
}

}  // namespace sunder::stress
