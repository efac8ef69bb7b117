#include "stress/fem/stiffness.h"

#include <algorithm>

#include "base/assert.h"
#include "base/parallel.h"

namespace sunder::stress {

namespace {

/// Gradients of all elements' shape functions at their quadrature points.
class Gradients {
public:
    Gradients(const FemMesh& mesh, std::span<const double> share)
        : points_(quadraturePoints(mesh.order).size()),
          perElement_(mesh.nodesPerElement()),
          weights_(mesh.elements.size()),
          gradients_(mesh.elements.size() * points_ * perElement_) {
        const auto points = quadraturePoints(mesh.order);
        parallelFor(mesh.elements.size(), 1024, [&](const BlockRange& block) {
            for (size_t e = block.begin; e < block.end; ++e) {
                const ElementFrame frame = frameOf(mesh, e);
                weights_[e] = (share.empty() ? 1 : share[e]) * frame.volume / static_cast<double>(points_);
                for (size_t q = 0; q < points_; ++q) {
                    const ShapeGradients found = shapeGradients(mesh.order, frame, points[q]);
                    for (size_t i = 0; i < perElement_; ++i) gradients_[at(e, q) + i] = found[i];
                }
            }
        });
    }

    double weight(size_t element) const { return weights_[element]; }  // m^3, of each point
    const Vec3* operator()(size_t element, size_t point) const { return &gradients_[at(element, point)]; }  // by node

private:
    size_t at(size_t element, size_t point) const { return (element * points_ + point) * perElement_; }

    size_t points_, perElement_;
    std::vector<double> weights_;
    std::vector<Vec3> gradients_;
};

}  // namespace

BlockMatrix stiffness(const FemMesh& mesh, const ElasticMaterial& material, std::span<const double> share) {
    ASSERT(share.empty() || share.size() == mesh.elements.size());
    const double lambda = material.lambda(), mu = material.mu();
    const size_t points = quadraturePoints(mesh.order).size(), perElement = mesh.nodesPerElement();

    // gradients once for each element: all its nodes ask for them
    const Gradients gradients(mesh, share);
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
                    // the block of two nodes, isotropic: lambda a b^T + mu (b a^T + a.b I), over the element
                    Mat3 sum = Mat3::Zero();
                    for (size_t q = 0; q < points; ++q) {
                        const Vec3 &a = gradients(e, q)[i], &b = gradients(e, q)[j];
                        sum += lambda * a * b.transpose() + mu * b * a.transpose();
                        sum.diagonal().array() += mu * a.dot(b);
                    }
                    sum *= gradients.weight(e);
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
