#include "stress/fem/stiffness.h"

#include <algorithm>

#include "base/parallel.h"

namespace sunder::stress {

namespace {

/// Of one element: its shape functions' gradients at every quadrature point.
struct ElementGradients {
    double weight = 0;  // m^3, of each point
    std::array<ShapeGradients, 4> at;
};

ElementGradients gradientsOf(const FemMesh& mesh, size_t element, double share) {
    const ElementFrame frame = frameOf(mesh, element);
    const auto points = quadraturePoints(mesh.order);
    ElementGradients found;
    found.weight = share * frame.volume / static_cast<double>(points.size());
    for (size_t q = 0; q < points.size(); ++q) found.at[q] = shapeGradients(mesh.order, frame, points[q]);
    return found;
}

}  // namespace

BlockMatrix stiffness(const FemMesh& mesh, const ElasticMaterial& material, std::span<const double> share) {
    const double lambda = material.lambda(), mu = material.mu();
    const size_t points = quadraturePoints(mesh.order).size(), perElement = mesh.nodesPerElement();
    std::vector<ElementGradients> gradients(mesh.elements.size());
    parallelFor(mesh.elements.size(), 1024, [&](const BlockRange& block) {
        for (size_t e = block.begin; e < block.end; ++e) {
            gradients[e] = gradientsOf(mesh, e, share.empty() ? 1 : share[e]);
        }
    });

    BlockMatrix matrix;
    matrix.graph = graphOf(mesh);
    matrix.diagonal.assign(mesh.nodes.size(), Mat3::Zero());
    matrix.others.assign(matrix.graph.neighbours.size(), Mat3::Zero());
    // each node gathers its own row, elements ascending: no two threads write one place
    parallelFor(mesh.nodes.size(), 256, [&](const BlockRange& block) {
        for (size_t n = block.begin; n < block.end; ++n) {
            const auto around = matrix.graph.of(n);
            for (const uint32_t e : mesh.elementsOfNode.of(n)) {
                const auto nodes = mesh.nodesOf(e);
                const size_t i = static_cast<size_t>(std::find(nodes.begin(), nodes.end(), n) - nodes.begin());
                for (size_t j = 0; j < perElement; ++j) {
                    Mat3 sum = Mat3::Zero();
                    for (size_t q = 0; q < points; ++q) {
                        const Vec3 &a = gradients[e].at[q][i], &b = gradients[e].at[q][j];
                        sum += lambda * a * b.transpose() + mu * b * a.transpose();
                        sum.diagonal().array() += mu * a.dot(b);
                    }
                    sum *= gradients[e].weight;
                    if (nodes[j] == n) {
                        matrix.diagonal[n] += sum;
                        continue;
                    }
                    const auto at = std::lower_bound(around.begin(), around.end(), nodes[j]);
                    matrix.others[matrix.graph.first[n] + static_cast<size_t>(at - around.begin())] += sum;
                }
            }
        }
    });
    return matrix;
}

}  // namespace sunder::stress
