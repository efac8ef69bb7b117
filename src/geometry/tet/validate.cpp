#include "geometry/tet/validate.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace sunder {

namespace {

constexpr double kShareError = 1e-6;  // copies are cut again and again, each time rounded

/// Nodes, tets and regions, one by one.
std::string problemWithTets(const TetMesh& mesh) {
    for (const NodeIndex n : mesh.nodes.indices()) {
        if (!mesh.nodes[n].allFinite()) return fmt::format("node {} has no place", raw(n));
    }
    // volumes are asked of tets whose nodes are there
    for (const TetIndex t : mesh.tets.indices()) {
        for (const NodeIndex n : mesh.tets[t]) {
            if (raw(n) >= mesh.nodeCount()) return fmt::format("tet {} has no node {}", raw(t), raw(n));
        }
        const double cubicMetres = volume(mesh, t);
        if (!(cubicMetres > 0)) return fmt::format("tet {} has volume {} m^3", raw(t), cubicMetres);
    }
    if (!mesh.regions.empty() && mesh.regions.size() != mesh.tetCount())
        return fmt::format("{} regions for {} tets", mesh.regions.size(), mesh.tetCount());
    return {};
}

std::string problemWithFaces(const TetMesh& mesh) {
    // with ascending nodes, equal faces stand side by side
    std::vector<std::array<uint32_t, 4>> faces;  // three nodes, tet
    faces.reserve(4 * mesh.tetCount());
    for (const TetIndex t : mesh.tets.indices()) {
        for (const auto& corners : kTetFaces) {
            std::array<uint32_t, 4> face{};
            for (size_t i = 0; i < 3; ++i) face[i] = raw(mesh.tets[t][corners[i]]);
            std::sort(face.begin(), face.begin() + 3);
            face[3] = raw(t);
            faces.push_back(face);
        }
    }
    std::sort(faces.begin(), faces.end());

    for (size_t i = 0; i + 2 < faces.size(); ++i) {
        if (!std::equal(faces[i].begin(), faces[i].begin() + 3, faces[i + 2].begin())) continue;
        return fmt::format("tets {}, {} and {} share a face", faces[i][3], faces[i + 1][3], faces[i + 2][3]);
    }
    return {};
}

/// The shares of a tet's copies are all there is of it.
std::string problemWithShares(const CrackedTets& tets) {
    uint32_t wholeCount = 0;
    for (const TetIndex whole : tets.wholeTet) wholeCount = std::max(wholeCount, raw(whole) + 1);
    IndexedVector<TetIndex, double> sum(wholeCount, 0.0);
    IndexedVector<TetIndex, uint8_t> hasCopy(wholeCount, 0);
    for (const TetIndex t : tets.wholeTet.indices()) {
        if (!(tets.filled[t] > 0 && tets.filled[t] <= 1 + kShareError))
            return fmt::format("{} of tet {} is material", tets.filled[t], raw(t));
        sum[tets.wholeTet[t]] += tets.filled[t];
        hasCopy[tets.wholeTet[t]] = 1;
    }
    for (const TetIndex whole : sum.indices()) {
        if (hasCopy[whole] && std::abs(sum[whole] - 1) > kShareError)
            return fmt::format("the copies of tet {} have {} of its material", raw(whole), sum[whole]);
    }
    return {};
}

std::string problemWithJoints(const CrackedTets& tets) {
    for (const CrackedTets::Joint& joint : tets.joints) {
        if (raw(joint.first) >= tets.mesh.tetCount() || raw(joint.second) >= tets.mesh.tetCount())
            return fmt::format("a joint of tets {} and {}", raw(joint.first), raw(joint.second));
        for (size_t k = 0; k < 3; ++k) {
            if (tets.mesh.tets[joint.first][joint.inFirst[k]] != tets.mesh.tets[joint.second][joint.inSecond[k]])
                return fmt::format("tets {} and {} are joined at different nodes", raw(joint.first), raw(joint.second));
        }
    }

    // each joint is in two lists; one that runs in a circle would be counted without end
    size_t listed = 0;
    for (const TetIndex t : tets.firstJoint.indices()) {
        for (uint32_t j = tets.firstJoint[t]; j != kInvalidIndex;) {
            if (j >= tets.joints.size() || ++listed > 2 * tets.joints.size())
                return fmt::format("the joints of tet {} are no list", raw(t));
            const CrackedTets::Joint& joint = tets.joints[j];
            if (joint.first != t && joint.second != t)
                return fmt::format("tet {} lists a joint of tets {} and {}", raw(t), raw(joint.first),
                                   raw(joint.second));
            j = joint.first == t ? joint.nextOfFirst : joint.nextOfSecond;
        }
    }
    if (listed != 2 * tets.joints.size())
        return fmt::format("{} joints are listed {} times, not twice each", tets.joints.size(), listed);
    return {};
}

}  // namespace

std::string problemWith(const TetMesh& mesh) {
    std::string problem = problemWithTets(mesh);
    if (problem.empty()) problem = problemWithFaces(mesh);
    return problem;
}

std::string problemWith(const CrackedTets& tets) {
    const size_t count = tets.mesh.tetCount();
    if (tets.wholeTet.size() != count || tets.cuts.size() != count || tets.filled.size() != count ||
        tets.firstJoint.size() != count || tets.wholeNode.size() != tets.mesh.nodeCount())
        return "arrays of different lengths";
    std::string problem = problemWithTets(tets.mesh);
    if (problem.empty()) problem = problemWithShares(tets);
    if (problem.empty()) problem = problemWithJoints(tets);
    return problem;
}

}  // namespace sunder
