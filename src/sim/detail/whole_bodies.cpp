#include "sim/detail/whole_bodies.h"

#include <cmath>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/random.h"
#include "sim/detail/apply.h"

namespace sunder::sim::detail {

namespace {

void check(bool ok, const std::string& what) {
    if (!ok) throw std::invalid_argument(what);
}

/// With the body's name before what it complains of.
template <class Work>
auto named(const BodySetup& body, const Work& work) {
    try {
        return work();
    } catch (const std::invalid_argument& error) {
        throw std::invalid_argument("body \"" + body.name + "\": " + error.what());
    }
}

bool isFinite(const std::optional<Vec3>& value) { return !value || value->allFinite(); }
bool isFinite(const PlaceAction& action) {
    const bool turned =
        !action.rotation || (action.rotation->coeffs().allFinite() && action.rotation->squaredNorm() > 0);
    return std::isfinite(action.time) && isFinite(action.position) && turned && isFinite(action.velocity) &&
           isFinite(action.angularVelocity);
}
bool isFinite(const PushAction& action) {
    return std::isfinite(action.time) && action.impulse.allFinite() && isFinite(action.point);
}
bool isFinite(const PullAction& action) {
    for (const PullAction::PathPoint& point : action.path) {
        if (!std::isfinite(point.time) || !point.position.allFinite()) return false;
    }
    return action.point.allFinite();
}

void check(const BodyAction& action) {
    const std::string which = "the action on \"" + action.body + "\" ";
    check(std::visit([](const auto& one) { return isFinite(one); }, action.what),
          which + "must be of finite numbers, with a rotation that is not zero");
    const auto* pull = std::get_if<PullAction>(&action.what);
    if (pull == nullptr) return;
    check(!pull->path.empty(), which + "needs a path");
    for (size_t i = 1; i < pull->path.size(); ++i)
        check(pull->path[i - 1].time < pull->path[i].time,
              fmt::format("{}has a path whose times do not ascend: {} s, then {} s", which, pull->path[i - 1].time,
                          pull->path[i].time));
}

/// kg; of a body that cannot move, what it would weigh.
double massOf(const dynamics::BodyOptions& options) {
    return options.mass.value_or(options.density * options.shape->volume());
}

}  // namespace

void check(const SimulationSetup& setup) {
    check(setup.dt > 0 && std::isfinite(setup.dt),
          "a frame's time dt must be positive (s), got " + std::to_string(setup.dt));
    check(setup.reprocessRounds >= 0,
          "reprocessRounds must be 0 or more, got " + std::to_string(setup.reprocessRounds));
    std::set<std::string> names;
    dynamics::World trial(setup.world);  // what comes late must not fail then
    for (const BodySetup& body : setup.bodies) {
        check(!body.name.empty(), "every body needs a name");
        check(names.insert(body.name).second, "two bodies are named \"" + body.name + "\"; names must differ");
        check(body.options.shape != nullptr, "body \"" + body.name + "\" needs a shape");
        check(body.method == nullptr || body.geometry != nullptr,
              "body \"" + body.name + "\" has a fracture method, but no mesh to break");
        check(std::isfinite(body.appears), "body \"" + body.name + "\" must appear at a finite time");
        check(body.strength == nullptr || body.geometry != nullptr,
              "body \"" + body.name + "\" has a strength of its own, but no mesh to break");
        if (body.appears > 0) named(body, [&] { trial.add(body.options); });
    }
    for (const BodyAction& action : setup.actions) check(action);
}

SimBody& addWhole(Simulation::State& state, uint32_t index) {
    const BodySetup& body = state.setup.bodies[index];
    const dynamics::BodyId id = named(body, [&] { return state.world.add(body.options); });
    const double massInWorld = state.world.state(id).mass;
    const BodySerial serial{state.serials};
    BodyFacts facts;
    facts.name = body.name;
    facts.root = serial;
    facts.born = state.frame;
    facts.seed = seedOfBody(state.setup.seed, body.name, serial, body.appears);
    facts.mass = massInWorld > 0 ? massInWorld : massOf(body.options);
    facts.kind = body.options.kind;
    facts.geometry = body.geometry;
    if (body.appears > 0) state.appeared.push_back(serial);
    return addBody(state, std::move(facts), body.options.shape, {}, id);
}

void appear(Simulation::State& state, StepReport& report) {
    const double end = state.world.time() + state.setup.dt;
    while (state.appeared.size() < state.index.late.size()) {
        const uint32_t next = state.index.late[state.appeared.size()];
        if (state.setup.bodies[next].appears >= end) return;
        const SimBody& body = addWhole(state, next);
        report.appeared += state.mechanicalEnergy(body);
        report.born.push_back(body.facts);
    }
}

}  // namespace sunder::sim::detail
