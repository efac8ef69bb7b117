#include "fracture/fem/cracking.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/parallel.h"
#include "base/stopwatch.h"
#include "fracture/fem/detail/cut_places.h"
#include "geometry/tree/triangle_tree.h"
#include "math/sym_eigen.h"

namespace sunder::fracture {

namespace {

constexpr double kLeastProgress = 0.0005;  // of the tets: rounds that cut fewer are the last
constexpr double kRelief = 0.8;            // of a crack's size: so far around it tension is less than it was
constexpr double kSection = 1.2;
constexpr double kBearing = 0.02;     // of the body's volume: parts that are smaller bear no load
constexpr double kMostCut = 1.9;      // times as many tets as there were
constexpr double kReach = 2;          // cells over which a contact is spread, at least
constexpr size_t kLeastTets = 8;      // a crack through fewer counts for none
constexpr int kMostSmall = 60;        // of these in a round
constexpr double kLeastStart = 0.25;  // share of a tet that must be filled for a crack to begin there
constexpr double kClose = 0.45;       // cells: a crack that is so near is run into
constexpr int kPatience = 2;          // rounds in which a crack did not grow until it is left alone
constexpr double kResidual = 1e-4;    // of solving anew, relative
constexpr int kMaxIterations = 400;
constexpr double kBelievable =
    0.1;  // residual up to which stress that iterations did not bring to kResidual still counts

/// Stress as a material with a grain feels it: what pulls across the grain counts for more, so that one strength
/// holds for all directions.
///
///     s' = B s B,  B = g g^T + (I - g g^T) / sqrt(a)
///
///     g  unit, along the grain;  a  strength across it, in parts of that along it
class FeltStress {
public:
    FeltStress(const Vec3& grain, double acrossGrain) : plain_(grain.isZero() || acrossGrain == 1) {
        ASSERT(acrossGrain > 0);
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
        : forces_(forces),
          body_(body),
          options_(options),
          felt_(body.grain, body.acrossGrain),
          cutPlaces_(kClose * body.cellSize) {
        ASSERT(body.tets != nullptr && body.solver != nullptr && body.strength != nullptr);
        ASSERT(body.strength->size() == body.tets->tetCount());
        ASSERT(body.share.empty() || body.share.size() == body.tets->tetCount());
        made_.tets = uncracked(*body.tets);
        strength_ = *body.strength;
        mayBegin_.assign(strength_.size(), 1);
        if (body.weakPlane != nullptr) weakPlane_ = *body.weakPlane;
        drive_.extension = body.extension;
        growth_ = options.growth;
        growth_.mostTets = std::min(growth_.mostTets, sectionOf(body.tets->tetCount()));
        drive_.endsSoon = [this](const Vec3& place, const Vec3& direction) { return endsSoon(place, direction); };
    }

    Cracking run(const Context& context) && {
        // before anything cracked
        const stress::FemSolver& whole = *body_.solver;
        const stress::StressSolution first =
            whole.solve(nodalForces(whole.mesh(), body_.share, forces_, kReach * body_.cellSize));
        take(first);
        noteWorst();

        // cracks run in the stress as it is, then stress is solved for as cracks have changed it
        const Stopwatch watch;
        while (made_.rounds < options_.rounds) {
            context.stage(
                fmt::format("growing cracks, round {} of {}{}", made_.rounds + 1, options_.rounds, timeLeft(watch)));
            const size_t before = made_.tets.mesh.tetCount();
            extendAll();
            beginSome();
            const size_t cut = made_.tets.mesh.tetCount() - before;
            if (cut == 0) break;
            ++made_.rounds;
            // what still cracks is less than would change the pieces
            if (static_cast<double>(cut) < kLeastProgress * static_cast<double>(body_.tets->tetCount())) break;
            if (static_cast<double>(made_.tets.mesh.tetCount()) >
                kMostCut * static_cast<double>(body_.tets->tetCount()))
                break;  // full of cracks: it would take long to tell what else they do
            if (made_.rounds == options_.rounds) break;
            context.stage(fmt::format("stress, round {} of {}, {}{}", made_.rounds + 1, options_.rounds,
                                      made_.cracks == 1 ? "1 crack" : fmt::format("{} cracks", made_.cracks),
                                      timeLeft(watch)));
            if (!solveAnew()) break;
        }
        return std::move(made_);
    }

private:
    /// For whoever waits: rounds take about as long as those before, and cracks may come to rest sooner.
    std::string timeLeft(const Stopwatch& watch) const {
        if (made_.rounds == 0) return "";
        const double left = watch.wallSeconds() / made_.rounds * (options_.rounds - made_.rounds);
        return left < 1 ? "" : fmt::format("; {:.0f} s more at most", left);
    }

    /// About how many tets a plane through the middle of a chunky body cuts: a crack that ran farther in the stress
    /// from before it came would not know of itself.
    static size_t sectionOf(size_t tets) {
        return static_cast<size_t>(kSection * std::pow(static_cast<double>(tets), 2.0 / 3));
    }

    struct ActiveCrack {
        CrackSurface surface;
        int number = 0;
        int idle = 0;  // rounds
    };

    void note(const CrackSurface& surface, int number) {
        for (const TetIndex t : surface.through.indices()) {
            if (surface.through[t]) cutPlaces_.add(number, middleOf(made_.tets.mesh, t));
        }
    }

    CrackDrive drive() const {
        CrackDrive drive = drive_;
        drive.stress = &stress_;
        drive.strength = &strength_;
        drive.weakPlane = body_.weakPlane != nullptr ? &weakPlane_ : nullptr;
        return drive;
    }

    /// Takes the stress of the uncracked tets.
    void take(const stress::StressSolution& solution) {
        made_.worstSolve = solution.convergence;
        stress_ = averagedStress(*body_.tets, solution);
        for (SymMat3& stress : stress_) stress = felt_(stress);
        measureTension();
        for (const NodeIndex n : made_.tets.wholeNode) displacement_.push_back(solution.displacement[n]);
        for (const SymMat3& stress : solution.atNode) made_.stressAtNode.push_back(felt_(stress));
        for (const double energy : solution.energy) made_.strainEnergy += energy;
        made_.displacement = solution.displacement;
    }

    void measureTension() {
        const CrackDrive now = drive();
        tension_.assign(stress_.size(), 0);
        parallelFor(stress_.size(), 1024, [&](const BlockRange& block) {
            for (size_t t = block.begin; t < block.end; ++t) {
                if (stress_[TetIndex(t)].trace() != 0) tension_[TetIndex(t)] = largestTension(now, TetIndex(t));
            }
        });
    }

    void noteWorst() {
        WorstPlace& worst = made_.worst;
        for (const TetIndex t : tension_.indices()) {
            if (tension_[t] <= worst.ratio) continue;
            const SymEigen eigen = symmetricEigen(stress_[t]);
            worst = {tension_[t],  middleOf(made_.tets.mesh, t), eigen.values[2],
                     strength_[t], eigen.vectors.col(2),         eigen.values[0]};
        }
    }

    /// How much of the material ahead is left until it ends, at the surface or at another crack.
    bool endsSoon(const Vec3& place, const Vec3& direction) const {
        const double most = options_.ligament * body_.cellSize;
        constexpr int kLooksAhead = 4;
        for (int step = 1; step <= kLooksAhead; ++step) {
            const Vec3 ahead = place + (most * step / kLooksAhead) * direction;
            if (body_.distance(ahead) >= 0) return true;
            if (cutPlaces_.anyOther(growing_, ahead)) return true;
        }
        return false;
    }

    void extendAll() {
        for (size_t c = 0; c < active_.size(); ++c) {
            growing_ = active_[c].number;
            CrackSurface more = extendCrack(made_.tets, drive(), active_[c].surface, growth_);
            if (more.tets == 0) {
                ++active_[c].idle;
                continue;
            }
            active_[c].idle = 0;
            note(more, active_[c].number);
            apply(more);
            for (const TetIndex t : more.through.indices()) more.through[t] |= active_[c].surface.through[t];
            active_[c].surface = std::move(more);
        }
        std::erase_if(active_, [](const ActiveCrack& crack) { return crack.idle >= kPatience; });
    }

    void beginSome() {
        std::vector<Vec3> cut;  // middles of tets that were cut in this round
        std::vector<TetIndex> starts = strained();
        auto next = starts.begin();
        largest_ = 0;
        int small = 0;
        for (int n = 0; n < options_.perRound && made_.cracks < options_.cracks;) {
            // the next place that no crack of this round has relieved
            next = firstAwayFrom(cut, next, starts.end());
            if (next == starts.end()) break;
            const TetIndex start = *next;
            growing_ = made_.cracks;
            CrackSurface surface = beginCrack(made_.tets, drive(), start, growth_);
            // how wide the crack is: it relieves what is around it as far as that
            double area = 0;
            for (const TetIndex t : surface.through.indices()) {
                if (!surface.through[t]) continue;
                cut.push_back(middleOf(made_.tets.mesh, t));
                area += kAreaOfCut * std::pow(6 * volume(made_.tets.mesh, t), 2.0 / 3);
            }
            largest_ = std::max(largest_, std::sqrt(area));
            // the crack becomes part of the mesh, and may run on in later rounds
            mayBegin_[start] = 0;
            note(surface, made_.cracks);
            if (!apply(surface)) continue;  // there was no material on both of its sides
            const size_t cutTets = surface.tets;
            active_.push_back({std::move(surface), made_.cracks, 0});
            // what breaks the last ligaments is part of other cracks
            if (cutTets < kLeastTets && ++small < kMostSmall) continue;
            ++made_.cracks;
            ++n;
        }
    }

    /// The tets in which a crack may begin, the most strained first.
    std::vector<TetIndex> strained() const {
        const TetComponents components = componentsOf(made_.tets);
        const std::vector<double> volumes = volumesOf(components);
        std::vector<TetIndex> found;
        for (const TetIndex t : tension_.indices()) {
            if (tension_[t] > 1 && mayBegin_[t] && volumes[components.of[t]] >= options_.leastVolume)
                found.push_back(t);
        }
        std::sort(found.begin(), found.end(), [this](TetIndex a, TetIndex b) {
            return tension_[a] > tension_[b] || (tension_[a] == tension_[b] && a < b);
        });
        return found;
    }

    /// The first that cracks of this round have not relieved. They never make less of it: what was passed over stays
    /// so.
    std::vector<TetIndex>::iterator firstAwayFrom(const std::vector<Vec3>& cut, std::vector<TetIndex>::iterator begin,
                                                  std::vector<TetIndex>::iterator end) const {
        const PointTree tree(cut);
        const double spacing = options_.spacing * body_.cellSize, relieved = kRelief * largest_;
        return std::find_if(begin, end, [&](TetIndex t) {
            if (!cut.empty()) {
                const double distance = std::sqrt(tree.nearest(middleOf(made_.tets.mesh, t)).squaredDistance);
                // a free face takes the tension off what is near it; it comes back over the crack's own size
                if (distance < spacing || tension_[t] * distance < relieved) return false;
            }
            return made_.tets.filled[t] >= kLeastStart;
        });
    }

    /// m^3
    std::vector<double> volumesOf(const TetComponents& components) const {
        std::vector<double> volumes(components.count, 0.0);
        for (const TetIndex t : made_.tets.filled.indices())
            volumes[components.of[t]] += volume(made_.tets.mesh, t) * made_.tets.filled[t];
        return volumes;
    }

    /// False when it cuts nothing.
    bool apply(CrackSurface& surface) {
        const CrackedFurther further = crack(made_.tets, surface.side, surface.through);
        carryOver(surface, further);
        carryOver(stress_, further.tets);
        carryOver(tension_, further.tets);
        carryOver(strength_, further.tets);
        carryOver(mayBegin_, further.tets);
        if (body_.weakPlane != nullptr) carryOver(weakPlane_, further.tets);
        for (ActiveCrack& crack : active_) carryOver(crack.surface, further);
        carryOver(displacement_, further.nodes);
        return !further.tets.empty();
    }

    /// On the cracked tets, as far as anything pushes them: what has come off and is not touched is free of stress.
    /// False: what was found cannot be believed.
    bool solveAnew() {
        // the tets that are pushed, as a mesh of their own
        const CrackedTets& all = made_.tets;
        ASSERT(displacement_.size() == all.mesh.nodeCount());
        const std::vector<TetIndex> pushed = pushedTets();
        TetMesh mesh;
        std::vector<double> share;
        std::vector<NodeIndex> nodes;  // of `all`, by node of the part
        IndexedVector<NodeIndex, NodeIndex> place(all.mesh.nodeCount(), kNone<NodeIndex>);
        for (const TetIndex t : pushed) {
            Tet tet = all.mesh.tets[t];
            for (NodeIndex& n : tet) {
                if (place[n] == kNone<NodeIndex>) {
                    place[n] = NodeIndex(static_cast<uint32_t>(nodes.size()));
                    nodes.push_back(n);
                    mesh.nodes.push_back(all.mesh.nodes[n]);
                }
                n = place[n];
            }
            mesh.tets.push_back(tet);
            share.push_back(all.filled[t] * (body_.share.empty() ? 1 : body_.share[raw(all.wholeTet[t])]));
        }
        // what nothing pushes is free of stress
        stress_.assign(all.mesh.tetCount(), SymMat3());
        tension_.assign(all.mesh.tetCount(), 0);
        if (pushed.empty()) return true;

        // their stress; iterations begin with what is known
        stress::FemOptions options = body_.solver->options();
        options.tolerance = kResidual;
        options.maxIterations = kMaxIterations;
        options.solver = stress::LinearSolver::Iterative;  // factoring takes longer, and would serve one load only
        const stress::FemSolver solver(mesh, body_.material, options, share);
        std::vector<Vec3> start;
        for (const NodeIndex n : nodes) start.push_back(displacement_[n]);
        const stress::StressSolution solution =
            solver.stressOf(solver.displacements(nodalForces(solver.mesh(), share, forces_, kReach * body_.cellSize),
                                                 completed(std::move(start), solver.mesh())));
        // a solution far from equilibrium would crack what really holds: growth ends here
        if (solution.convergence.residual > made_.worstSolve.residual) made_.worstSolve = solution.convergence;
        if (solution.convergence.residual > kBelievable) return false;
        // stress and displacement of the pushed part, numbered as in the whole; they are where the next round begins
        const IndexedVector<TetIndex, SymMat3> averaged = averagedStress(mesh, solution);
        for (size_t i = 0; i < pushed.size(); ++i) stress_[pushed[i]] = felt_(averaged[TetIndex(i)]);
        measureTension();
        for (size_t i = 0; i < nodes.size(); ++i) displacement_[nodes[i]] = solution.displacement[NodeIndex(i)];
        return true;
    }

    /// Those of components that forces act on. Chips that have come off under a blow bear nothing: they are pressed on
    /// against what is behind them, and that bears it.
    std::vector<TetIndex> pushedTets() const {
        // parts that come to less than a small share of the body bear nothing
        const TetMesh& mesh = made_.tets.mesh;
        const TetComponents components = componentsOf(made_.tets);
        const std::vector<double> volumes = volumesOf(components);
        const double whole = std::accumulate(volumes.begin(), volumes.end(), 0.0);
        // a contact pushes the parts within its reach, and always the nearest one
        std::vector<uint8_t> isPushed(components.count, 0);
        for (const ContactForce& contact : forces_) {
            const auto overBearing = [&](const auto& work) {
                for (const TetIndex t : mesh.tets.indices()) {
                    if (volumes[components.of[t]] < kBearing * whole) continue;
                    for (const NodeIndex n : mesh.tets[t]) work(t, (mesh.nodes[n] - contact.point).squaredNorm());
                }
            };
            double nearest = std::numeric_limits<double>::infinity();
            overBearing([&](TetIndex, double squared) { nearest = std::min(nearest, squared); });
            const double reach = std::max({kReach * body_.cellSize, contact.radius, 1.5 * std::sqrt(nearest)});
            overBearing([&](TetIndex t, double squared) {
                if (squared < reach * reach) isPushed[components.of[t]] = 1;
            });
        }
        // all tets of these parts: each is in equilibrium as a whole
        std::vector<TetIndex> pushed;
        for (const TetIndex t : mesh.tets.indices()) {
            if (isPushed[components.of[t]]) pushed.push_back(t);
        }
        return pushed;
    }

    /// What is known of the displacements: those before, at midpoints of edges between their ends.
    static std::vector<Vec3> completed(std::vector<Vec3> start, const stress::FemMesh& mesh) {
        ASSERT(start.size() == mesh.corners);
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
    CrackGrowthOptions growth_;
    double largest_ = 0;  // m, across, of the cracks that began in this round
    IndexedVector<TetIndex, SymMat3> stress_;
    IndexedVector<TetIndex, double> tension_;  // the largest, in parts of the strength there; above 1 a crack begins
    IndexedVector<TetIndex, double> strength_;
    IndexedVector<TetIndex, Vec3> weakPlane_;
    IndexedVector<NodeIndex, Vec3> displacement_;
    std::vector<ActiveCrack> active_;
    CutPlaces cutPlaces_;                        // middles of the tets that cracks cut
    int growing_ = 0;                            // number of the crack that runs now
    IndexedVector<TetIndex, uint8_t> mayBegin_;  // 0: a crack began there
};

}  // namespace

IndexedVector<TetIndex, SymMat3> averagedStress(const TetMesh& mesh, const stress::StressSolution& solution) {
    ASSERT(solution.atNode.size() == mesh.nodeCount());
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

Cracking crackBy(std::span<const ContactForce> forces, const CrackableBody& body, const CrackingOptions& options,
                 const Context& context) {
    Cracking made = Cracker(forces, body, options).run(context);
    if (made.worstSolve.residual > kBelievable)
        context.warn(fmt::format(
            "its stress with {} cracks could be solved to a residual of {:.2g} only ({} iterations): its cracks end "
            "there",
            made.cracks, made.worstSolve.residual, made.worstSolve.iterations));
    return made;
}

}  // namespace sunder::fracture
