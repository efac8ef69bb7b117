#include "stress/fem/recovery.h"

#include <algorithm>

#include <Eigen/Cholesky>

#include "base/assert.h"
#include "base/parallel.h"

namespace sunder::stress {

namespace {

constexpr size_t kFewSamples = 12;  // fewer make a poor fit: tets farther away help

SymMat3 stressFrom(const Mat3& gradient, const ElasticMaterial& material) {
    const SymMat3 strain = SymMat3::from(gradient);
    return 2 * material.mu() * strain + material.lambda() * strain.trace() * SymMat3::identity();
}

/// Energy per volume: half of stress times strain.
double energyDensity(const Mat3& gradient, const SymMat3& stress) {
    const SymMat3 strain = SymMat3::from(gradient);
    return 0.5 * (stress.xx * strain.xx + stress.yy * strain.yy + stress.zz * strain.zz) +
           (stress.xy * strain.xy + stress.yz * strain.yz + stress.zx * strain.zx);
}

/// Stress at the quadrature points of every element.
struct Samples {
    size_t perElement = 1;
    std::vector<Vec3> places;
    std::vector<SymMat3> stresses;
};

Samples sample(const FemMesh& mesh, const ElasticMaterial& material, std::span<const Vec3> displacements,
               StressSolution& solution) {
    // stress is best at the quadrature points: it is sampled there
    const auto points = quadraturePoints(mesh.order);
    Samples samples;
    samples.perElement = points.size();
    samples.places.resize(points.size() * mesh.elements.size());
    samples.stresses.resize(samples.places.size());
    parallelFor(mesh.elements.size(), 1024, [&](const BlockRange& block) {
        for (size_t e = block.begin; e < block.end; ++e) {
            const ElementFrame frame = frameOf(mesh, e);
            const auto nodes = mesh.nodesOf(e);
            SymMat3 mean;
            double energy = 0;
            for (size_t q = 0; q < points.size(); ++q) {
                const ShapeGradients gradients = shapeGradients(mesh.order, frame, points[q]);
                // Hooke's law at the point, from the gradient of the displacement
                Mat3 gradient = Mat3::Zero();
                for (size_t i = 0; i < nodes.size(); ++i) {
                    gradient += displacements[nodes[i]] * gradients[i].transpose();
                }
                Vec3 place = Vec3::Zero();
                for (size_t k = 0; k < 4; ++k) place += points[q][k] * mesh.nodes[nodes[k]];
                const SymMat3 stress = stressFrom(gradient, material);
                samples.places[e * points.size() + q] = place;
                samples.stresses[e * points.size() + q] = stress;
                mean = mean + stress;
                energy += energyDensity(gradient, stress);
            }
            // points have one weight: means over the tet are plain ones
            const double count = static_cast<double>(points.size());
            solution.inTet[TetIndex(e)] = 1 / count * mean;
            solution.energy[TetIndex(e)] = frame.volume * energy / count;
        }
    });
    return samples;
}

/// The tets around a node; with those around their nodes if they are few.
std::vector<uint32_t> patchOf(const FemMesh& mesh, size_t node, size_t samplesPerElement) {
    const auto around = mesh.elementsOfNode.of(node);
    std::vector<uint32_t> patch(around.begin(), around.end());
    if (patch.size() * samplesPerElement >= kFewSamples) return patch;
    for (const uint32_t e : around) {
        for (size_t k = 0; k < 4; ++k) {
            const auto more = mesh.elementsOfNode.of(mesh.elements[e][k]);
            patch.insert(patch.end(), more.begin(), more.end());
        }
    }
    std::sort(patch.begin(), patch.end());
    patch.erase(std::unique(patch.begin(), patch.end()), patch.end());
    return patch;
}

using Six = Eigen::Matrix<double, 1, 6>;

SymMat3 fitAt(const FemMesh& mesh, const Samples& samples, std::span<const double> share, size_t node) {
    // places are measured in parts of the patch's size, so that the normal equations are well scaled
    const std::vector<uint32_t> patch = patchOf(mesh, node, samples.perElement);
    const Vec3& origin = mesh.nodes[node];
    double size = 0;
    for (const uint32_t e : patch) {
        for (size_t q = 0; q < samples.perElement; ++q) {
            size = std::max(size, (samples.places[e * samples.perElement + q] - origin).norm());
        }
    }

    // least squares for a stress that is linear around the node; fuller tets count for more
    Eigen::Matrix4d normal = Eigen::Matrix4d::Zero();
    Eigen::Matrix<double, 4, 6> right = Eigen::Matrix<double, 4, 6>::Zero();
    for (const uint32_t e : patch) {
        const double weight = share.empty() ? 1 : share[e];
        for (size_t q = 0; q < samples.perElement; ++q) {
            const size_t s = e * samples.perElement + q;
            Eigen::Vector4d terms;
            terms << 1, (samples.places[s] - origin) / size;
            const SymMat3& t = samples.stresses[s];
            normal += weight * terms * terms.transpose();
            right += weight * terms * (Six() << t.xx, t.yy, t.zz, t.xy, t.yz, t.zx).finished();
        }
    }
    // samples in one plane leave a slope open: it is taken as zero
    for (int i = 1; i < 4; ++i) normal(i, i) += 1e-12 * normal(0, 0);
    const Six found = normal.ldlt().solve(right).row(0);
    return {found[0], found[1], found[2], found[3], found[4], found[5]};
}

}  // namespace

StressSolution recoverStress(const FemMesh& mesh, const ElasticMaterial& material, std::span<const Vec3> displacements,
                             std::span<const double> share) {
    ASSERT(displacements.size() == mesh.nodes.size());
    ASSERT(share.empty() || share.size() == mesh.elements.size());
    StressSolution solution;
    solution.displacement.assign(mesh.corners, Vec3::Zero());
    for (size_t n = 0; n < mesh.corners; ++n) solution.displacement[NodeIndex(n)] = displacements[n];
    solution.inTet.assign(mesh.elements.size(), SymMat3());
    solution.energy.assign(mesh.elements.size(), 0.0);
    const Samples samples = sample(mesh, material, displacements, solution);
    solution.atNode.assign(mesh.corners, SymMat3());
    parallelFor(mesh.corners, 256, [&](const BlockRange& block) {
        for (size_t n = block.begin; n < block.end; ++n) {
            if (!mesh.elementsOfNode.of(n).empty()) solution.atNode[NodeIndex(n)] = fitAt(mesh, samples, share, n);
        }
    });
    return solution;
}

}  // namespace sunder::stress
