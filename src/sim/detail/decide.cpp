#include "sim/detail/decide.h"

#include <algorithm>
#include <span>

#include "base/assert.h"
#include "base/parallel.h"

namespace sunder::sim::detail {

namespace {

/// Mass of the body that pushed, kg; endless when it cannot be moved.
double massAgainst(const dynamics::BodyState& other) {
    const bool mobile = other.kind == dynamics::BodyKind::Dynamic && !other.anchored;
    return mobile ? other.mass : std::numeric_limits<double>::infinity();
}

/// What is still felt of a blow by the same body.
const Felt* blowOf(const fracture::Load& push, std::span<const Felt> felt) {
    const auto same = std::ranges::find(felt, push.giver.index, [](const Felt& one) { return one.push.giver.index; });
    return same == felt.end() ? nullptr : &*same;
}

/// A body that goes on pushing does so with the speed it came with.
void addFelt(std::span<const Felt> felt, fracture::Loads& loads) {
    for (fracture::Load& push : loads.pushes) {
        if (const Felt* blow = blowOf(push, felt))
            push.approachSpeed = std::max(push.approachSpeed, blow->push.approachSpeed);
    }
    for (const Felt& one : felt) loads.pushes.push_back(one.push);
}

}  // namespace

LoadsByBody loadsOf(Simulation::State& state) {
    LoadsByBody all;
    const auto add = [&](const dynamics::Impact& impact, const dynamics::Blow& blow, dynamics::BodyId hit,
                         dynamics::BodyId other) {
        const SimBody& body = state.at(hit);
        if (!state.breakable(body) || body.changedIn == state.frame) return;
        fracture::Loads& loads = all[body.facts.serial];
        loads.duration = state.setup.dt;
        loads.pushes.push_back({.point = blow.point,
                                .normal = blow.normal,
                                .impulse = blow.impulse,
                                .approachSpeed = impact.approachSpeed,
                                .otherMass = massAgainst(state.world.state(other)),
                                .giver = {other.index, other.generation},
                                .worldPoint = impact.point});
    };
    // what broke the parent goes through its fragments at once; pushes among them are that same blow, not another one
    const auto bornTogether = [&](const SimBody& a, const SimBody& b) {
        return a.facts.born == state.frame && b.facts.born == state.frame && a.facts.root == b.facts.root &&
               a.facts.generation > 0 && b.facts.generation > 0;
    };
    for (const dynamics::Impact& impact : state.world.impacts()) {
        if (bornTogether(state.at(impact.a), state.at(impact.b))) continue;
        add(impact, impact.onA, impact.a, impact.b);
        add(impact, impact.onB, impact.b, impact.a);
    }
    for (auto& [serial, loads] : all) addFelt(state.bodies.at(serial).felt, loads);
    return all;
}

void remember(Simulation::State& state, const LoadsByBody& all) {
    for (const auto& [serial, loads] : all) {
        const auto found = state.bodies.find(serial);
        if (found == state.bodies.end()) continue;
        SimBody& body = found->second;
        const fracture::FractureMethod& method = *state.setupOf(body).method;
        const std::span<const Felt> before(body.felt);
        std::vector<Felt> now;
        for (size_t i = 0; i + before.size() < loads.pushes.size(); ++i) {
            const fracture::Load& push = loads.pushes[i];
            const Felt* blow = blowOf(push, before);
            const bool isPartOfIt = blow != nullptr && push.approachSpeed <= blow->push.approachSpeed;
            const double left = isPartOfIt ? blow->left : method.feltFor(body.solid, push, state.setup.dt);
            if (left >= state.setup.dt) now.push_back({push, left});
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

std::vector<Decision> decide(Simulation::State& state, LoadsByBody& given, const fracture::Context& context) {
    // the bodies that can break, each with what it met
    const CancelScope scope(context.progress);
    std::vector<Decision> all;
    for (auto& [serial, met] : given) {
        const auto body = state.bodies.find(serial);
        if (body != state.bodies.end() && state.breakable(body->second))
            all.push_back({&body->second, std::move(met), {}});
    }

    // most loads do nothing, and are ruled out before anything is prepared
    parallelFor(all.size(), 1, [&](const BlockRange& block) {
        for (size_t i = block.begin; i < block.end; ++i) {
            SimBody& body = *all[i].body;
            ASSERT(body.solid.mesh != nullptr);
            const fracture::FractureMethod& method = *state.setupOf(body).method;
            all[i].loads.mayGoOn = true;
            const fracture::Loads& loads = all[i].loads;
            if (!method.mayBreak(body.solid, loads)) continue;
            if (body.breakable == nullptr) body.breakable = method.prepare(body.solid, context);
            all[i].plan = body.breakable->plan(loads, context);
        }
    });

    // loads of those that stay as they are go back: they may be felt in the next frame too
    for (Decision& decision : all) {
        if (decision.plan.empty()) given[decision.body->facts.serial] = std::move(decision.loads);
    }
    std::erase_if(all, [](const Decision& decision) { return decision.plan.empty(); });
    return all;
}

}  // namespace sunder::sim::detail
