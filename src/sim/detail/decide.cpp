#include "sim/detail/decide.h"

#include <algorithm>
#include <atomic>
#include <span>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/parallel.h"

namespace sunder::sim::detail {

namespace {

constexpr size_t kMostPrepared = 200;  // bodies whose preparation is kept

/// Mass of the body that pushed, kg; endless when it cannot be moved.
double massAgainst(const dynamics::BodyState& other) {
    const bool mobile = other.kind == dynamics::BodyKind::Dynamic && !other.anchored;
    return mobile ? other.mass : std::numeric_limits<double>::infinity();
}

/// What lasts of a blow by the same body.
const LastingLoad* blowOf(const fracture::Load& load, std::span<const LastingLoad> lasting) {
    const auto same =
        std::ranges::find(lasting, load.giver.index, [](const LastingLoad& one) { return one.load.giver.index; });
    return same == lasting.end() ? nullptr : &*same;
}

/// A body that goes on pushing does so with the speed it came with.
void addLasting(std::span<const LastingLoad> lasting, fracture::Loads& loads) {
    for (fracture::Load& load : loads.list) {
        if (const LastingLoad* blow = blowOf(load, lasting))
            load.approachSpeed = std::max(load.approachSpeed, blow->load.approachSpeed);
    }
    for (const LastingLoad& one : lasting) loads.list.push_back(one.load);
}

}  // namespace

LoadsByBody loadsOf(Simulation::State& state) {
    LoadsByBody all;
    const auto add = [&](const dynamics::Impact& impact, const dynamics::ImpactSide& blow, dynamics::BodyId hit,
                         dynamics::BodyId other) {
        const SimBody& body = state.at(hit);
        if (!state.breakable(body) || body.changedIn == state.frame) return;
        fracture::Loads& loads = all[body.facts.serial];
        loads.duration = state.setup.dt;
        loads.list.push_back({.point = blow.point,
                              .normal = blow.normal,
                              .impulse = blow.impulse,
                              .approachSpeed = impact.approachSpeed,
                              .otherMass = massAgainst(state.world.state(other)),
                              .giver = {other.index, other.generation},
                              .worldPoint = impact.point});
    };
    // what broke the parent goes through its fragments at once; impacts among them are that same blow, not another one
    const auto bornTogether = [&](const SimBody& a, const SimBody& b) {
        return a.facts.born == state.frame && b.facts.born == state.frame && a.facts.root == b.facts.root &&
               a.facts.generation > 0 && b.facts.generation > 0;
    };
    for (const dynamics::Impact& impact : state.world.impacts()) {
        if (bornTogether(state.at(impact.a), state.at(impact.b))) continue;
        add(impact, impact.onA, impact.a, impact.b);
        add(impact, impact.onB, impact.b, impact.a);
    }
    for (auto& [serial, loads] : all) addLasting(state.bodies.at(serial).lasting, loads);
    return all;
}

void remember(Simulation::State& state, const LoadsByBody& all) {
    for (const auto& [serial, loads] : all) {
        const auto found = state.bodies.find(serial);
        if (found == state.bodies.end()) continue;
        SimBody& body = found->second;
        const fracture::FractureMethod& method = *state.setupOf(body).method;
        const std::span<const LastingLoad> before(body.lasting);
        std::vector<LastingLoad> now;
        for (size_t i = 0; i + before.size() < loads.list.size(); ++i) {
            const fracture::Load& load = loads.list[i];
            const LastingLoad* blow = blowOf(load, before);
            const bool isPartOfIt = blow != nullptr && load.approachSpeed <= blow->load.approachSpeed;
            const double left = isPartOfIt ? blow->left : method.lastsFor(body.solid, load, state.setup.dt);
            if (left >= state.setup.dt) now.push_back({load, left});
        }
        body.lasting.insert(body.lasting.end(), now.begin(), now.end());
    }
}

void forget(Simulation::State& state) {
    for (auto& [serial, body] : state.bodies) {
        for (LastingLoad& lasting : body.lasting) lasting.left -= state.setup.dt;
        std::erase_if(body.lasting, [](const LastingLoad& lasting) { return lasting.left < 0; });
    }
}

std::vector<Decision> decide(Simulation::State& state, LoadsByBody& given, const fracture::Context& context,
                             std::vector<std::string>& messages) {
    // the bodies that can break, each with what it met
    const CancelScope scope(context.progress);
    std::vector<Decision> all;
    for (auto& [serial, met] : given) {
        const auto body = state.bodies.find(serial);
        if (body != state.bodies.end() && state.breakable(body->second))
            all.push_back({&body->second, std::move(met), {}, {}});
    }

    // what was prepared is kept for the next blow, but thousands of solids filled with tets take all memory
    std::atomic<size_t> kept = static_cast<size_t>(
        std::ranges::count_if(state.bodies, [](const auto& entry) { return entry.second.breakable != nullptr; }));

    // most loads do nothing, and are ruled out before anything is prepared
    const double gravity = state.setup.uniformAcceleration().norm();
    parallelFor(all.size(), 1, [&](const BlockRange& block) {
        for (size_t i = block.begin; i < block.end; ++i) {
            SimBody& body = *all[i].body;
            ASSERT(body.solid.geometry != nullptr);
            const fracture::FractureMethod& method = *state.setupOf(body).method;
            all[i].loads.mayGoOn = true;
            all[i].loads.gravity = gravity;
            const fracture::Loads& loads = all[i].loads;
            if (!method.mayBreak(body.solid, loads)) continue;
            fracture::Context noting = context;
            noting.body = body.facts.name;
            // what is said of preparing goes to the log: a run that is resumed prepares again
            if (body.breakable == nullptr) {
                body.breakable = method.prepare(body.solid, noting);
                ++kept;
            }
            noting.notes = &all[i].notes;
            all[i].plan = body.breakable->plan(loads, noting);
            if (kept > kMostPrepared) {
                body.breakable.reset();
                --kept;
            }
        }
    });

    // a frame that is done again says the same again: each is told once
    for (const Decision& decision : all) {
        for (const std::string& note : decision.notes) {
            std::string message = fmt::format("frame {}: {}: {}", state.frame, decision.body->facts.name, note);
            if (std::ranges::find(messages, message) == messages.end()) messages.push_back(std::move(message));
        }
    }

    // loads of those that stay as they are go back: they may act in the next frame too
    for (Decision& decision : all) {
        if (decision.plan.empty()) given[decision.body->facts.serial] = std::move(decision.loads);
    }
    std::erase_if(all, [](const Decision& decision) { return decision.plan.empty(); });
    return all;
}

}  // namespace sunder::sim::detail
