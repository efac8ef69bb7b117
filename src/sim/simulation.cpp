#include "sim/simulation.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/random.h"
#include "base/stopwatch.h"
#include "sim/detail/apply.h"
#include "sim/detail/hands.h"
#include "sim/detail/whole_bodies.h"

namespace sunder::sim {

using detail::LoadsByBody;
using detail::SimBody;

namespace {

double kineticEnergy(const dynamics::World& world) {
    double sum = 0;
    for (const dynamics::BodyId id : world.bodies()) {
        const dynamics::BodyState body = world.state(id);
        if (body.kind == dynamics::BodyKind::Dynamic)
            sum += 0.5 * body.mass * body.velocity.squaredNorm() + 0.5 * body.angularVelocity.dot(body.angularMomentum);
    }
    return sum;
}

bool anyBreakable(const Simulation::State& state) {
    return std::any_of(state.bodies.begin(), state.bodies.end(),
                       [&](const auto& entry) { return state.breakable(entry.second); });
}

/// What was hit too hard in the last round of the frame before.
LoadsByBody takePending(Simulation::State& state) {
    LoadsByBody pending;
    for (auto& [serial, body] : state.bodies) {
        if (!body.pending.list.empty()) pending[serial] = std::exchange(body.pending, {});
    }
    return pending;
}

/// What an explosion would do to each breakable body: one push from its centre.
LoadsByBody loadsOf(Simulation::State& state, const dynamics::Explosion& explosion) {
    dynamics::World after = state.world;
    after.explode(explosion);
    LoadsByBody all;
    for (const auto& [serial, body] : state.bodies) {
        const dynamics::BodyState before = state.world.state(body.worldId);
        const Vec3 impulse = before.mass * (after.state(body.worldId).velocity - before.velocity);
        if (!state.breakable(body) || impulse.isZero()) continue;
        const Vec3 away = before.centre - explosion.centre;
        const Vec3 point = before.centre - std::min(1.0, body.shape->radius() / away.norm()) * away;
        const RigidTransform meshFromWorld = before.pose.inverse();
        fracture::Loads& loads = all[serial];
        loads.duration = state.setup.dt;
        loads.list.push_back({.point = meshFromWorld * point,
                              .normal = meshFromWorld.rotation * away.normalized(),
                              .impulse = meshFromWorld.rotation * impulse,
                              .worldPoint = point});
    }
    return all;
}

/// Each breaks what it breaks, then pushes what is there.
void explode(Simulation::State& state, const fracture::Context& context, StepReport& report) {
    const double end = state.world.time() + state.setup.dt;
    for (; state.explosions < state.setup.explosions.size(); ++state.explosions) {
        const TimedExplosion& next = state.setup.explosions[state.explosions];
        if (next.time >= end) return;
        LoadsByBody loads = loadsOf(state, next.explosion);
        apply(state, decide(state, loads, context, report.messages), report);
        const double before = kineticEnergy(state.world);
        state.world.explode(next.explosion);
        report.workOfExplosions += kineticEnergy(state.world) - before;
    }
}

/// Adds the wall time of a scope.
class Timed {
public:
    explicit Timed(double& seconds) : seconds_(seconds) {}
    ~Timed() { seconds_ += watch_.wallSeconds(); }
    Timed(const Timed&) = delete;
    Timed& operator=(const Timed&) = delete;

private:
    double& seconds_;
    Stopwatch watch_;
};

}  // namespace

SimBody& Simulation::State::keep(SimBody body, fracture::Inheritance inherited) {
    BodyFacts& facts = body.facts;
    facts.centre = body.shape->bodyFromGiven().inverse().translation;
    body.solid = {facts.geometry,         facts.mass, setupOf(facts).geometry ? setupOf(facts).geometry->volume() : 0,
                  facts.generation,       facts.seed, std::move(inherited),
                  setupOf(facts).strength};
    const uint32_t slot = body.worldId.index;
    if (slot >= serialAt.size()) serialAt.resize(slot + 1, kNone<BodySerial>);
    serialAt[slot] = facts.serial;
    return bodies[facts.serial] = std::move(body);
}

uint32_t Simulation::State::indexOf(BodySerial root) const {
    if (raw(root) < index.first.size()) return index.first[raw(root)];
    const auto found = std::lower_bound(appeared.begin(), appeared.end(), root);
    ASSERT(found != appeared.end() && *found == root);
    return index.late[static_cast<size_t>(found - appeared.begin())];
}

double Simulation::State::mechanicalEnergy(const SimBody& body) const {
    const dynamics::BodyState now = world.state(body.worldId);
    if (now.kind != dynamics::BodyKind::Dynamic) return 0;
    return 0.5 * now.mass * now.velocity.squaredNorm() + 0.5 * now.angularVelocity.dot(now.angularMomentum) -
           now.mass * setup.uniformAcceleration().dot(now.centre);
}

Simulation::Simulation(SimulationSetup setup) : state_(std::make_unique<State>()) {
    detail::check(setup);
    State& state = *state_;
    state.setup = std::move(setup);
    state.index = detail::SetupIndex(state.setup);
    state.world = dynamics::World(state.setup.world);
    for (const dynamics::ForceField& field : state.setup.fields) state.world.addField(field);
    for (const uint32_t i : state.index.first) detail::addWhole(state, i);
}
Simulation::Simulation(std::unique_ptr<State> state) : state_(std::move(state)) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

void Simulation::amend(SimulationSetup setup) {
    detail::check(setup);
    State& state = *state_;
    detail::SetupIndex index(setup, &state.index);
    const double now = state.world.time();
    if (const std::string changed = index.fingerprints.upTo(setup, now).differencesTo(state.fingerprint());
        !changed.empty())
        throw std::invalid_argument("what has happened already cannot be changed; other are: " + changed);
    // what is in use stays in use: methods have prepared bodies, shapes are in the world
    const auto keep = [&](uint32_t before, uint32_t after) {
        const BodySetup& old = state.setup.bodies[before];
        BodySetup& body = setup.bodies[after];
        body.geometry = old.geometry;
        body.method = old.method;
        body.strength = old.strength;
        body.options.shape = old.options.shape;
        body.options.motion = old.options.motion;
    };
    for (size_t i = 0; i < index.first.size(); ++i) keep(state.index.first[i], index.first[i]);
    for (size_t i = 0; i < state.appeared.size(); ++i) keep(state.index.late[i], index.late[i]);
    state.index = detail::SetupIndex(setup, &state.index);
    state.setup = std::move(setup);
}

StepReport Simulation::step(const fracture::Context& context) {
    State& state = *state_;
    // who may stop it gets the frame back as it was
    std::optional<detail::Moment> before;
    if (context.progress != nullptr) before = state;
    const auto goBack = [&] {
        if (before) static_cast<detail::Moment&>(state) = std::move(*before);
    };
    try {
        return tryStep(context);
    } catch (const Cancelled&) {
        goBack();
        throw;
    } catch (const dynamics::StepError& error) {
        const std::string frame = fmt::format("frame {}", state.frame);
        const std::string name = state.at(error.body()).facts.name;
        goBack();
        throw InputError(frame, fmt::format("body \"{}\" {}", name, error.what()));
    }
}

StepReport Simulation::tryStep(const fracture::Context& context) {
    State& state = *state_;
    StepReport report;
    const Timed all(report.seconds.total);
    report.frame = ++state.frame;

    // break what was left over from the frame before, then whatever comes from outside at this time
    {
        const Timed timed(report.seconds.apply);
        detail::forget(state);
        LoadsByBody pending = takePending(state);
        apply(state, decide(state, pending, context, report.messages), report);
        detail::appear(state, report);
        explode(state, context, report);
        detail::act(state, report);
    }

    // move, and do the frame again with the fragments as long as something breaks
    for (;; ++report.rounds) {
        const bool mayBreak = anyBreakable(state);
        std::optional<dynamics::World> start;
        {
            const Timed timed(report.seconds.move);
            if (mayBreak && report.rounds < state.setup.reprocessRounds) start = state.world;
            const CancelScope scope(context.progress);
            report.motion = state.world.step(state.setup.dt);
        }
        if (!mayBreak) break;

        std::vector<detail::Decision> decisions;
        {
            const Timed timed(report.seconds.decide);
            LoadsByBody loads = detail::loadsOf(state);
            decisions = decide(state, loads, context, report.messages);
            if (decisions.empty() || !start) detail::remember(state, loads);
        }
        if (decisions.empty()) break;

        const Timed timed(report.seconds.apply);
        if (!start) {
            for (detail::Decision& decision : decisions) decision.body->pending = std::move(decision.loads);
            break;
        }
        state.world = std::move(*start);
        apply(state, std::move(decisions), report);
    }
    std::sort(report.died.begin(), report.died.end());
    for (const dynamics::BodyId id : report.motion.released) report.letGo.push_back(state.at(id).facts.serial);
    // one that a hand tore off may have broken since
    std::erase_if(report.letGo, [&](BodySerial body) { return !state.bodies.contains(body); });
    std::sort(report.letGo.begin(), report.letGo.end());
    return report;
}

uint64_t seedOfBody(uint64_t runSeed, const std::string& name, BodySerial serial, double appears) {
    if (appears <= 0) return mixSeed(runSeed, raw(serial));
    Hasher hash;
    for (const char letter : name) hash.add(static_cast<uint64_t>(static_cast<unsigned char>(letter)));
    return mixSeed(runSeed, hash.value());
}

uint64_t Simulation::frame() const { return state_->frame; }
double Simulation::time() const { return state_->world.time(); }
const SimulationSetup& Simulation::setup() const { return state_->setup; }
const BodySetup& Simulation::setupOf(const BodyFacts& body) const { return state_->setupOf(body); }
const dynamics::World& Simulation::world() const { return state_->world; }

std::vector<BodySerial> Simulation::bodies() const {
    std::vector<BodySerial> serials;
    for (const auto& [serial, body] : state_->bodies) serials.push_back(serial);
    return serials;
}
const BodyFacts& Simulation::facts(BodySerial body) const { return state_->bodies.at(body).facts; }
dynamics::BodyState Simulation::state(BodySerial body) const {
    return state_->world.state(state_->bodies.at(body).worldId);
}
dynamics::BodyId Simulation::worldId(BodySerial body) const { return state_->bodies.at(body).worldId; }

std::vector<BodyImpact> Simulation::impacts(double leastImpulse, double leastSpeed) const {
    std::vector<BodyImpact> impacts;
    for (const dynamics::Impact& impact : state_->world.impacts(leastImpulse)) {
        if (impact.approachSpeed < leastSpeed) continue;
        impacts.push_back({state_->at(impact.a).facts.serial, state_->at(impact.b).facts.serial, impact.point,
                           impact.normal, impact.impulse, impact.approachSpeed});
    }
    return impacts;
}

uint64_t Simulation::stateHash() const {
    const State& state = *state_;
    Hasher hash;
    hash.add(state.world.stateHash());
    hash.add(state.frame);
    hash.add(uint64_t{state.serials} << 1 | uint64_t{state.breakingStopped});
    hash.add(uint64_t{state.explosions});

    // what is under way
    for (const BodySerial body : state.appeared) hash.add(uint64_t{raw(body)});
    for (const detail::Pulling& pull : state.pulls) hash.add(uint64_t{pull.action} << 32 | uint64_t{raw(pull.body)});

    // bodies, with what they inherited and still feel
    for (const auto& [serial, body] : state.bodies) {
        hash.add(uint64_t{raw(serial)} << 32 | uint64_t{body.worldId.index} << 1 | uint64_t{body.staysWhole});
        hash.add(body.facts.seed);
        hash.add(body.facts.mass);
        hash.add(body.facts.volume());
        for (const std::byte byte : body.solid.inherited) hash.add(static_cast<uint64_t>(byte));
        for (const fracture::Load& load : body.pending.list) {
            for (int k = 0; k < 3; ++k) hash.add(load.impulse[k]);
        }
        for (const detail::LastingLoad& lasting : body.lasting) {
            for (int k = 0; k < 3; ++k) hash.add(lasting.load.impulse[k]);
            hash.add(lasting.left);
        }
    }
    return hash.value();
}

}  // namespace sunder::sim
