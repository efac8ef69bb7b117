#include "sim/detail/decide.h"

#include "base/parallel.h"

namespace sunder::sim::detail {

namespace {

/// Of whoever pushed, kg: what does not yield is endless.
double massAgainst(const dynamics::BodyState& other) {
    const bool yields = other.kind == dynamics::BodyKind::Dynamic && !other.anchored;
    return yields ? other.mass : std::numeric_limits<double>::infinity();
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
                                     .otherMass = massAgainst(state.world.state(other))});
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
    return all;
}

// hits are moved out of it  NOLINTNEXTLINE(performance-unnecessary-value-param)
std::vector<Decision> decide(Simulation::State& state, HitsByBody hits) {
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
            if (body.prepared == nullptr) body.prepared = method.prepare(body.solid);
            all[i].plan = method.plan(body.solid, *body.prepared, loads);
        }
    });
    std::erase_if(all, [](const Decision& decision) { return decision.plan.empty(); });
    return all;
}

}  // namespace sunder::sim::detail
