#pragma once

#include <memory>
#include <span>
#include <vector>

#include "dynamics/detail/solve/collision_phase.h"
#include "dynamics/detail/solve/contact_solver.h"
#include "dynamics/detail/solve/solver_bodies.h"

namespace sunder::dynamics::detail {

/// The patches that can act in this frame, eight abreast, in colours: groups of one colour share no mobile body,
/// so they can be solved at once.
class ContactLanes {
public:
    /// For the patches of one frame; only groups of one colour may run at once, the last ones not even these.
    static constexpr int kMaxColours = 64;
    static constexpr size_t kBlock = 8;  // groups that one thread takes at a time

    ContactLanes(const std::vector<ContactPatch>& patches, const SolverBodies& bodies, const SolverSettings& settings,
                 StagedLoops& loops);

    WideArrays arrays() { return {groups_.get(), points_.get(), rests_.get(), changes_.data()}; }
    std::span<const WideManifold> groups() const { return {groups_.get(), groupCount()}; }
    std::span<const float> changes() const { return changes_; }
    size_t groupCount() const { return patchOfLane_.size() / 8; }
    /// kInvalidIndex: the lane is empty.
    uint32_t patchOf(size_t group, int lane) const { return patchOfLane_[8 * group + static_cast<size_t>(lane)]; }
    size_t manifoldCount() const { return manifolds_; }
    size_t pointCount() const { return pointCount_; }
    size_t colourCount() const;

    /// Lanes whose materials bounce, in the order of the patches.
    std::vector<Restituting> restituting(const Bodies& bodies, const SolverBodies& solver) const;

    /// Runs job(begin, end) over the groups, colour by colour; groups of one colour in parallel.
    template <class Job>
    void eachColour(StagedLoops& loops, bool backwards, Job&& job) {
        const auto run = [&](size_t colour) {
            const size_t begin = colourStart_[colour], end = colourStart_[colour + 1];
            if (colour == kMaxColours) {
                if (end > begin) job(begin, end);
                return;
            }
            loops.parallelFor(end - begin, kBlock,
                              [&](const BlockRange& block) { job(begin + block.begin, begin + block.end); });
        };
        for (size_t i = 0; i <= kMaxColours; ++i) run(backwards ? kMaxColours - i : i);
    }

private:
    void findFalls();
    bool acts(const ContactPatch& patch) const;
    std::vector<uint32_t> actingInOrderOfPlace(StagedLoops& loops);
    void assign(const std::vector<uint32_t>& acting);
    void sortByPoints(std::span<uint32_t> block) const;
    void fill(StagedLoops& loops);

    const std::vector<ContactPatch>& patches_;
    const SolverBodies& bodies_;
    const SolverSettings& settings_;
    std::vector<float> falls_;  // per slot, m: how far a body may fall in the frame
    std::vector<uint32_t> patchOfLane_;
    std::vector<size_t> colourStart_;  // groups
    std::unique_ptr<WideManifold[]> groups_;
    std::unique_ptr<WidePoint[]> points_;
    std::unique_ptr<WideRest[]> rests_;
    std::vector<float> changes_;
    size_t manifolds_ = 0, pointCount_ = 0;
};

}  // namespace sunder::dynamics::detail
