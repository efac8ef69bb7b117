#include "stress/fem/equilibrium.h"

#include <algorithm>

#include <Eigen/LU>

#include "base/assert.h"
#include "base/disjoint_sets.h"
#include "base/indexed_vector.h"

namespace sunder::stress {

namespace {

Mat3 crossMatrix(const Vec3& v) {
    Mat3 m;
    m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
    return m;
}

}  // namespace

std::vector<Component> componentsOf(const FemMesh& mesh) {
    // elements hang together by a common node
    DisjointSets joined(mesh.nodes.size());
    for (size_t e = 0; e < mesh.elements.size(); ++e) {
        for (const uint32_t n : mesh.nodesOf(e)) joined.join(mesh.elements[e][0], n);
    }

    // components in the order of their first elements; nodes of no element belong to none
    std::vector<Component> found;
    std::vector<uint32_t> number(mesh.nodes.size(), kInvalidIndex);  // by root
    for (uint32_t e = 0; e < mesh.elements.size(); ++e) {
        uint32_t& name = number[joined.root(mesh.elements[e][0])];
        if (name == kInvalidIndex) {
            name = static_cast<uint32_t>(found.size());
            found.emplace_back();
        }
        found[name].elements.push_back(e);
    }
    for (uint32_t n = 0; n < mesh.nodes.size(); ++n) {
        if (const uint32_t name = number[joined.root(n)]; name != kInvalidIndex) found[name].nodes.push_back(n);
    }
    return found;
}

Inertia::Inertia(const FemMesh& mesh, const Component& component, double density, std::span<const double> share)
    : mesh_(&mesh), component_(&component) {
    ASSERT(share.empty() || share.size() == mesh.elements.size());
    const auto massOf = [&](uint32_t e) { return density * (share.empty() ? 1 : share[e]) * frameOf(mesh, e).volume; };

    // mass and its centre: a tet's is the mean of its corners
    std::vector<double> masses;
    masses.reserve(component.elements.size());
    Vec3 moment = Vec3::Zero();
    for (const uint32_t e : component.elements) {
        const double mass = massOf(e);
        masses.push_back(mass);
        mass_ += mass;
        for (size_t k = 0; k < 4; ++k) moment += 0.25 * mass * mesh.nodes[mesh.elements[e][k]];
    }
    centre_ = moment / mass_;

    // second moments about the centre, and what each node has of the mass, by its shape function
    Mat3 second = Mat3::Zero();  // sum of m r r^T; over a tet: m/20 (sum of r_k r_k^T + s s^T), s the corners' sum
    std::vector<double> nodeMass(mesh.nodes.size(), 0.0);
    std::vector<Vec3> nodeMoment(mesh.nodes.size(), Vec3::Zero());
    for (size_t index = 0; index < masses.size(); ++index) {
        const uint32_t e = component.elements[index];
        const auto nodes = mesh.nodesOf(e);
        Vec3 sum = Vec3::Zero();
        Mat3 squares = Mat3::Zero();
        for (size_t k = 0; k < 4; ++k) {
            const Vec3 r = mesh.nodes[nodes[k]] - centre_;
            sum += r;
            squares += r * r.transpose();
            for (size_t i = 0; i < nodes.size(); ++i) {
                const double part = masses[index] * shapeMoment(mesh.order, i, k);
                nodeMass[nodes[i]] += part;
                nodeMoment[nodes[i]] += part * r;
            }
        }
        second += masses[index] / 20 * (squares + sum * sum.transpose());
    }

    // what nodes have is kept for those of the component alone, beside its list of them
    inertia_ = second.trace() * Mat3::Identity() - second;
    for (const uint32_t n : component.nodes) {
        nodeMass_.push_back(nodeMass[n]);
        nodeMoment_.push_back(nodeMoment[n]);
    }
}

void Inertia::addField(const Vec3& offset, const Mat3& gradient, std::span<Vec3> loads) const {
    const std::vector<uint32_t>& nodes = component_->nodes;
    for (size_t i = 0; i < nodes.size(); ++i) loads[nodes[i]] += nodeMass_[i] * offset + gradient * nodeMoment_[i];
}

void Inertia::relieve(std::span<Vec3> loads) const {
    ASSERT(loads.size() == mesh_->nodes.size());
    // twice: the second time takes away what rounding left
    for (int pass = 0; pass < 2; ++pass) {
        Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
        for (const uint32_t n : component_->nodes) {
            force += loads[n];
            torque += (mesh_->nodes[n] - centre_).cross(loads[n]);
        }
        const Vec3 turning = inertia_.fullPivLu().solve(torque);
        addField(-force / mass_, -crossMatrix(turning), loads);
    }
}

void Inertia::removeRigidMotion(std::span<Vec3> displacements) const {
    ASSERT(displacements.size() == mesh_->nodes.size());
    const std::vector<uint32_t>& nodes = component_->nodes;
    Vec3 mean = Vec3::Zero(), turn = Vec3::Zero();
    for (size_t i = 0; i < nodes.size(); ++i) {
        mean += nodeMass_[i] * displacements[nodes[i]];
        turn += nodeMoment_[i].cross(displacements[nodes[i]]);
    }
    mean /= mass_;
    turn = inertia_.fullPivLu().solve(turn);
    for (const uint32_t n : nodes) displacements[n] -= mean + turn.cross(mesh_->nodes[n] - centre_);
}

Pins choosePins(std::span<const Vec3> nodes, std::span<const uint32_t> among, size_t first) {
    ASSERT(among.size() >= 3);

    // three nodes far from each other and from one line: what holds them stays well conditioned
    const auto farthest = [&](const auto& distance) {
        uint32_t best = among[0];
        for (const uint32_t n : among) {
            if (distance(nodes[n]) > distance(nodes[best])) best = n;
        }
        return best;
    };
    const uint32_t a = among[first % among.size()];
    const uint32_t b = farthest([&](const Vec3& p) { return (p - nodes[a]).squaredNorm(); });
    const Vec3 along = (nodes[b] - nodes[a]).normalized();
    const uint32_t c = farthest([&](const Vec3& p) { return along.cross(p - nodes[a]).squaredNorm(); });

    // six directions, one for each rigid motion: they hold the body without straining it
    Pins pins;
    for (int axis = 0; axis < 3; ++axis) pins.held.push_back({a, axis});
    int free = 0;  // b may go on along the line to a; of its axes the nearest to that stays free
    along.cwiseAbs().maxCoeff(&free);
    for (int axis = 0; axis < 3; ++axis) {
        if (axis != free) pins.held.push_back({b, axis});
    }
    int across = 0;  // c must not turn about that line
    along.cross(nodes[c] - nodes[a]).cwiseAbs().maxCoeff(&across);
    pins.held.push_back({c, across});
    return pins;
}

void applyPins(const Pins& pins, BlockMatrix& matrix) {
    for (const Pins::Pin& pin : pins.held) {
        const double scale = matrix.diagonal[pin.node].trace() / 3;
        matrix.diagonal[pin.node].row(pin.axis).setZero();
        matrix.diagonal[pin.node].col(pin.axis).setZero();
        matrix.diagonal[pin.node](pin.axis, pin.axis) = scale;
        for (size_t i = matrix.graph.first[pin.node]; i < matrix.graph.first[pin.node + 1]; ++i) {
            matrix.others[i].row(pin.axis).setZero();
            const uint32_t other = matrix.graph.neighbours[i];
            const auto around = matrix.graph.of(other);
            const auto at = std::lower_bound(around.begin(), around.end(), pin.node);
            matrix.others[matrix.graph.first[other] + static_cast<size_t>(at - around.begin())].col(pin.axis).setZero();
        }
    }
}

void applyPins(const Pins& pins, std::span<Vec3> loads) {
    for (const Pins::Pin& pin : pins.held) loads[pin.node][pin.axis] = 0;
}

}  // namespace sunder::stress
