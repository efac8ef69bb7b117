#include "fracture/fem/cracking.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.h"
#include "geometry/tree/triangle_tree.h"
#include "math/sym_eigen.h"

namespace sunder::fracture {

namespace {

constexpr double kReach = 2;          // cells over which a contact is spread, at least
constexpr double kLeastStart = 0.25;  // share of a tet that must be filled for a crack to begin there
constexpr int kPatience = 2;          // rounds in which a crack did not grow until it is left alone
constexpr double kResidual = 1e-5;    // of solving anew, relative
constexpr int kMaxIterations = 1500;
constexpr double kCheapFactor = 3e9;  // operations: factoring anew is faster than iterating

Vec3 middleOf(const TetMesh& mesh, TetIndex t) {
    const auto corner = mesh.corners(t);
    return 0.25 * (corner[0] + corner[1] + corner[2] + corner[3]);
}

template <class T>
void carry(IndexedVector<TetIndex, T>& values, const CrackedFurther& further) {
    IndexedVector<TetIndex, T> carried;
    carried.reserve(further.tetBefore.size());
    for (const TetIndex t : further.tetBefore) carried.push_back(values[t]);
    values = std::move(carried);
}

/// Stress as a material with a grain feels it: what pulls across the grain counts for more, so that one strength
/// holds for all directions.
///
///     s' = B s B,  B = g g^T + (I - g g^T) / sqrt(a)
///
///     g  unit, along the grain;  a  strength across it, in parts of that along it
class FeltStress {
public:
    FeltStress(const Vec3& grain, double acrossGrain) : plain_(grain.isZero() || acrossGrain == 1) {
        const Mat3 along = grain * grain.transpose();
        stretch_ = along + (Mat3::Identity() - along) / std::sqrt(acrossGrain);
    }
    SymMat3 operator()(const SymMat3& stress) const {
        return plain_ ? stress : SymMat3::from(stretch_ * stress.matrix() * stretch_);
    }

private:
    bool plain_;
    Mat3 stretch_;
};

class Cracker {
public:
    Cracker(std::span<const ContactForce> forces, const CrackableBody& body, const CrackingOptions& options)
        : forces_(forces), body_(body), options_(options), felt_(body.grain, body.acrossGrain) {
        made_.tets = uncracked(*body.tets);
        strength_ = *body.strength;
        if (body.weakPlane != nullptr) weakPlane_ = *body.weakPlane;
        drive_.extension = body.extension;
        drive_.endsSoon = [this](const Vec3& place, const Vec3& direction) { return endsSoon(place, direction); };
    }

    Cracking run() && {
        const stress::FemSolver& whole = *body_.solver;
        take(whole.solve(nodalForces(whole.mesh(), body_.share, forces_, kReach * body_.cellSize)));
        noteWorst();
        while (made_.rounds < options_.rounds) {
            const bool grown = extendAll(), begun = beginSome();
            if (!grown && !begun) break;
            if (++made_.rounds < options_.rounds) solveAnew();
        }
        return std::move(made_);
    }

private:
    struct ActiveCrack {
        CrackSurface surface;
        int idle = 0;  // rounds
    };

    CrackDrive drive() const {
        CrackDrive drive = drive_;
        drive.stress = &stress_;
        drive.strength = &strength_;
        drive.weakPlane = body_.weakPlane != nullptr ? &weakPlane_ : nullptr;
        return drive;
    }

    void take(const stress::StressSolution& solution) {
        stress_ = averagedStress(made_.tets.mesh, solution);
        for (SymMat3& stress : stress_) stress = felt_(stress);
        displacement_.assign(solution.displacement.begin(), solution.displacement.end());
    }

    void noteWorst() {
        const CrackDrive now = drive();
        WorstPlace& worst = made_.worst;
        for (const TetIndex t : stress_.indices()) {
            const double ratio = largestTension(now, t);
            if (ratio <= worst.ratio) continue;
            const SymEigen eigen = symmetricEigen(stress_[t]);
            worst = {ratio, middleOf(made_.tets.mesh, t), eigen.values[2], strength_[t], eigen.vectors.col(2)};
        }
    }

    /// How much of the material ahead is left until it ends.
    bool endsSoon(const Vec3& place, const Vec3& direction) const {
        const double most = options_.ligament * body_.cellSize;
        constexpr int kSteps = 4;
        for (int step = 1; step <= kSteps; ++step) {
            if (body_.distance(place + (most * step / kSteps) * direction) >= 0) return true;
        }
        return false;
    }

    bool extendAll() {
        bool grown = false;
        for (size_t c = 0; c < active_.size(); ++c) {
            CrackSurface more = extendCrack(made_.tets, drive(), active_[c].surface, options_.growth);
            if (more.tets == 0) {
                ++active_[c].idle;
                continue;
            }
            active_[c].idle = 0;
            grown = true;
            CrackSurface all = more;
            for (const TetIndex t : all.through.indices()) all.through[t] |= active_[c].surface.through[t];
            active_[c].surface = std::move(all);
            apply(more);
        }
        std::erase_if(active_, [](const ActiveCrack& crack) { return crack.idle >= kPatience; });
        return grown;
    }

    bool beginSome() {
        std::vector<Vec3> cut;  // middles of tets that were cut in this round
        bool begun = false;
        for (int n = 0; n < options_.perRound && made_.cracks < options_.cracks; ++n) {
            const TetIndex start = worstAwayFrom(cut);
            if (start == kNone<TetIndex>) break;
            const CrackSurface surface = beginCrack(made_.tets, drive(), start, options_.growth);
            for (const TetIndex t : surface.through.indices()) {
                if (surface.through[t]) cut.push_back(middleOf(made_.tets.mesh, t));
            }
            active_.push_back({surface, 0});
            ++made_.cracks;
            begun = true;
            apply(surface);
        }
        return begun;
    }

    /// The most strained tet in which a crack may begin.
    TetIndex worstAwayFrom(const std::vector<Vec3>& cut) const {
        const CrackDrive now = drive();
        std::vector<std::pair<double, TetIndex>> candidates;
        const std::vector<double> volumes = componentVolumes();
        for (const TetIndex t : stress_.indices()) {
            if (volumes[components_.of[t]] < options_.leastVolume) continue;
            const double ratio = largestTension(now, t);
            if (ratio > 1) candidates.emplace_back(ratio, t);
        }
        std::sort(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) {
            return a.first > b.first || (a.first == b.first && a.second < b.second);
        });
        const PointTree tree(cut);
        const double spacing = options_.spacing * body_.cellSize;
        for (const auto& [ratio, t] : candidates) {
            if (!cut.empty() && tree.nearest(middleOf(made_.tets.mesh, t)).squaredDistance < spacing * spacing)
                continue;
            if (filledShare(std::span<const TetCut>(made_.tets.cuts[t])) < kLeastStart) continue;
            return t;
        }
        return kNone<TetIndex>;
    }

    std::vector<double> componentVolumes() const {
        components_ = componentsOf(made_.tets);
        std::vector<double> volumes(components_.count, 0.0);
        for (const TetIndex t : made_.tets.cuts.indices()) {
            volumes[components_.of[t]] +=
                volume(made_.tets.mesh, t) *
                (made_.tets.cuts[t].empty() ? 1 : filledShare(std::span<const TetCut>(made_.tets.cuts[t])));
        }
        return volumes;
    }

    void apply(const CrackSurface& surface) {
        CrackedFurther further = crack(made_.tets, surface.side, surface.through);
        made_.tets = std::move(further.tets);
        carry(stress_, further);
        carry(strength_, further);
        if (body_.weakPlane != nullptr) carry(weakPlane_, further);
        for (ActiveCrack& crack : active_) crack.surface = carryOver(crack.surface, further);
        std::vector<Vec3> carried;
        carried.reserve(further.nodeBefore.size());
        for (const NodeIndex n : further.nodeBefore) carried.push_back(displacement_[raw(n)]);
        displacement_ = std::move(carried);
    }

    void solveAnew() {
        const TetMesh& mesh = made_.tets.mesh;
        std::vector<double> share;
        share.reserve(mesh.tetCount());
        for (const TetIndex t : mesh.tets.indices()) {
            const std::vector<TetCut>& cuts = made_.tets.cuts[t];
            const double stiff = body_.share.empty() ? 1 : body_.share[raw(made_.tets.wholeTet[t])];
            share.push_back(stiff * (cuts.empty() ? 1 : filledShare(std::span<const TetCut>(cuts))));
        }
        stress::FemOptions options = body_.solver->options();
        options.tolerance = kResidual;
        options.maxIterations = kMaxIterations;
        options.solver = body_.solver->operations() > kCheapFactor || body_.solver->operations() == 0
                             ? stress::LinearSolver::Iterative
                             : stress::LinearSolver::Direct;
        const stress::FemSolver solver(mesh, body_.material, options, share);
        std::vector<Vec3> loads = nodalForces(solver.mesh(), share, forces_, kReach * body_.cellSize);
        take(solver.stressOf(solver.displacements(std::move(loads), nullptr, startFor(solver.mesh()))));
    }

    /// What is known of the displacements: those before, at midpoints of edges between their ends.
    std::vector<Vec3> startFor(const stress::FemMesh& mesh) const {
        std::vector<Vec3> start = displacement_;
        start.resize(mesh.nodes.size(), Vec3::Zero());
        if (mesh.order == stress::ElementOrder::Linear) return start;
        for (const auto& element : mesh.elements) {
            for (size_t e = 0; e < 6; ++e) {
                const auto& ends = stress::kTetEdges[e];
                start[element[4 + e]] = 0.5 * (start[element[ends[0]]] + start[element[ends[1]]]);
            }
        }
        return start;
    }

    std::span<const ContactForce> forces_;
    const CrackableBody& body_;
    const CrackingOptions& options_;
    FeltStress felt_;
    Cracking made_;
    CrackDrive drive_;
    IndexedVector<TetIndex, SymMat3> stress_;
    IndexedVector<TetIndex, double> strength_;
    IndexedVector<TetIndex, Vec3> weakPlane_;
    std::vector<Vec3> displacement_;  // by node
    std::vector<ActiveCrack> active_;
    mutable TetComponents components_;
};

}  // namespace

IndexedVector<TetIndex, SymMat3> averagedStress(const TetMesh& mesh, const stress::StressSolution& solution) {
    IndexedVector<TetIndex, SymMat3> averaged;
    averaged.resize(mesh.tetCount());
    parallelFor(mesh.tetCount(), 1024, [&](const BlockRange& block) {
        for (size_t t = block.begin; t < block.end; ++t) {
            SymMat3 sum;
            for (const NodeIndex n : mesh.tets[TetIndex(t)]) sum = sum + solution.atNode[n];
            averaged[TetIndex(t)] = 0.25 * sum;
        }
    });
    return averaged;
}

Cracking crackBy(std::span<const ContactForce> forces, const CrackableBody& body, const CrackingOptions& options) {
    return Cracker(forces, body, options).run();
}

}  // namespace sunder::fracture
