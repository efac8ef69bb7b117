#include "sim/detail/decide.h"

#include <algorithm>
#include <span>

#include "base/parallel.h"

namespace sunder::sim::detail {

namespace {

/// Of whoever pushed, kg: what does not yield is endless.
double massAgainst(const dynamics::BodyState& other) {
    const bool yields = other.kind == dynamics::BodyKind::Dynamic && !other.anchored;
    return yields ? other.mass : std::numeric_limits<double>::infinity();
}

/// What is still felt of a blow by the same body.
const Felt* blowOf(const fracture::Load& push, std::span<const Felt> felt) {
    const auto same = std::ranges::find(felt, push.from, [](const Felt& one) { return one.push.from; });
    return same == felt.end() ? nullptr : &*same;
}

/// A body that goes on pushing does so with the speed it came with.
void addFelt(std::span<const Felt> felt, Hits& hits) {
    for (fracture::Load& push : hits.loads.pushes) {
        if (const Felt* blow = blowOf(push, felt))
            push.approachSpeed = std::max(push.approachSpeed, blow->push.approachSpeed);
    }
    for (const Felt& one : felt) {
        hits.loads.pushes.push_back(one.push);
        hits.others.push_back(one.other);
    }
}

}  // namespace

HitsByBody hitsOf(Simulation::State& state) {
    HitsByBody all;
    const auto add = [&](const dynamics::Blow& blow, double speed, dynamics::BodyId hit, dynamics::BodyId other) {
        const SimBody& body = state.at(hit);
        if (!state.breakable(body) || body.changedIn == state.frame) return;
        Hits& hits = all[body.facts.serial];
        hits.loads.duration = state.setup.dt;
        hits.loads.pushes.push_back({.point = blow.point,
                                     .normal = blow.normal,
                                     .impulse = blow.impulse,
                                     .approachSpeed = speed,
                                     .otherMass = massAgainst(state.world.state(other)),
                                     .from = other.index});
        hits.others.push_back(other);
    };
    // what broke the parent goes through its fragments at once; pushes among them are that same blow, not another one
    const auto bornTogether = [&](const SimBody& a, const SimBody& b) {
        return a.facts.born == state.frame && b.facts.born == state.frame && a.facts.root == b.facts.root &&
               a.facts.generation > 0 && b.facts.generation > 0;
    };
    for (const dynamics::Impact& impact : state.world.impacts()) {
        if (bornTogether(state.at(impact.a), state.at(impact.b))) continue;
        add(impact.onA, impact.approachSpeed, impact.a, impact.b);
        add(impact.onB, impact.approachSpeed, impact.b, impact.a);
    }
    for (auto& [serial, hits] : all) addFelt(state.bodies.at(serial).felt, hits);
    return all;
}

void remember(Simulation::State& state, const HitsByBody& hits) {
    for (const auto& [serial, met] : hits) {
        const auto found = state.bodies.find(serial);
        if (found == state.bodies.end()) continue;
        SimBody& body = found->second;
        const fracture::FractureMethod& method = *state.setupOf(body).method;
        const std::span<const Felt> before(body.felt);
        std::vector<Felt> now;
        for (size_t i = 0; i + before.size() < met.loads.pushes.size(); ++i) {
            const fracture::Load& push = met.loads.pushes[i];
            const Felt* blow = blowOf(push, before);
            const bool isPartOfIt = blow != nullptr && push.approachSpeed <= blow->push.approachSpeed;
            const double left = isPartOfIt ? blow->left : method.feltFor(body.solid, push, state.setup.dt);
            if (left >= state.setup.dt) now.push_back({push, met.others[i], left});
        }
        body.felt.insert(body.felt.end(), now.begin(), now.end());
    }
}

void forget(Simulation::State& state) {
    for (auto& [serial, body] : state.bodies) {
        for (Felt& felt : body.felt) felt.left -= state.setup.dt;
        std::erase_if(body.felt, [](const Felt& felt) { return felt.left < 0; });
    }
}

std::vector<Decision> decide(Simulation::State& state, HitsByBody& hits, const fracture::Context& context) {
    const CancelScope scope(context.progress);
    std::vector<Decision> all;
    for (auto& [serial, met] : hits) {
        const auto body = state.bodies.find(serial);
        if (body != state.bodies.end() && state.breakable(body->second))
            all.push_back({&body->second, std::move(met), {}});
    }
    parallelFor(all.size(), 1, [&](const BlockRange& block) {
        for (size_t i = block.begin; i < block.end; ++i) {
            SimBody& body = *all[i].body;
            const fracture::FractureMethod& method = *state.setupOf(body).method;
            all[i].hits.loads.mayGoOn = true;
            const fracture::Loads& loads = all[i].hits.loads;
            if (!method.mayBreak(body.solid, loads)) continue;
            if (body.breakable == nullptr) body.breakable = method.prepare(body.solid, context);
            all[i].plan = body.breakable->plan(loads, context);
        }
    });
    for (Decision& decision : all) {
        if (decision.plan.empty()) hits[decision.body->facts.serial] = std::move(decision.hits);
    }
    std::erase_if(all, [](const Decision& decision) { return decision.plan.empty(); });
    return all;
}

}  // namespace sunder::sim::detail
