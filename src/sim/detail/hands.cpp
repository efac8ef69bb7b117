#include "sim/detail/hands.h"

#include <algorithm>

#include <Eigen/LU>
#include <fmt/format.h>

#include "geometry/tree/winding_number.h"
#include "sim/detail/rigid_motion.h"

namespace sunder::sim::detail {

namespace {

using dynamics::BodyKind;
using dynamics::BodyState;

constexpr double kFollowing = 0.02;  // s: how far a pulled point lags behind a target that jumps, in time
constexpr double kSteadying = 4;     // 1/s: how fast a body that hangs from a hand stops swinging

SimBody* find(Simulation::State& state, const std::string& name) {
    for (auto& [serial, body] : state.bodies) {
        if (body.facts.name == name) return &body;
    }
    return nullptr;
}

/// Does something to a body; what that gave it, and whether its anchor gave way, is written down.
template <class Work>
void handled(Simulation::State& state, const SimBody& body, StepReport& report, const Work& work) {
    const bool anchored = state.world.state(body.worldId).anchored;
    const double before = state.mechanicalEnergy(body);
    work();
    report.workOfActions += state.mechanicalEnergy(body) - before;
    if (anchored && !state.world.state(body.worldId).anchored) report.letGo.push_back(body.facts.serial);
}

/// Why it cannot be done; empty when it can.
std::string problem(const Simulation::State& state, const SimBody& body, const PlaceAction& action) {
    const bool scripted = body.facts.parent == kNone<BodySerial> && state.setupOf(body).options.motion.has_value();
    if (scripted) return "moves as its motion says: it cannot be placed";
    const bool moved = action.velocity || action.angularVelocity;
    return moved && body.facts.kind == BodyKind::Static ? "is static: it cannot have a velocity" : "";
}
std::string problem(const Simulation::State&, const SimBody& body, const PushAction&) {
    return body.facts.kind == BodyKind::Dynamic ? "" : "does not move freely: it cannot be pushed";
}
std::string problem(const Simulation::State&, const SimBody& body, const PullAction&) {
    return body.facts.kind == BodyKind::Dynamic ? "" : "does not move freely: it cannot be pulled";
}

void begin(Simulation::State& state, const SimBody& body, const PlaceAction& action) {
    dynamics::World& world = state.world;
    const BodyState now = world.state(body.worldId);
    if (action.position || action.rotation)
        world.setPose(body.worldId,
                      {action.rotation.value_or(now.pose.rotation), action.position.value_or(now.pose.translation)});
    if (action.velocity || action.angularVelocity)
        world.setVelocity(body.worldId, action.velocity.value_or(now.velocity),
                          action.angularVelocity.value_or(now.angularVelocity));
}
void begin(Simulation::State& state, const SimBody& body, const PushAction& action) {
    state.world.applyImpulse(body.worldId, action.impulse,
                             action.point.value_or(state.world.state(body.worldId).centre));
}
void begin(Simulation::State& state, const SimBody& body, const PullAction&) {
    state.pulls.push_back({static_cast<uint32_t>(state.actions), body.facts.serial});
}

const char* verb(const PlaceAction&) { return "place"; }
const char* verb(const PushAction&) { return "push"; }
const char* verb(const PullAction&) { return "pull"; }

void begin(Simulation::State& state, const BodyAction& action, StepReport& report) {
    const auto say = [&](const std::string& what) {
        report.messages.push_back(fmt::format("frame {}, {:g} s: {}", state.frame, action.time(), what));
    };
    std::visit(
        [&](const auto& one) {
            const SimBody* body = find(state, action.body);
            if (body == nullptr) return say(fmt::format("there is no body \"{}\" to {}", action.body, verb(one)));
            const std::string why = problem(state, *body, one);
            if (!why.empty()) return say(fmt::format("\"{}\" {}", action.body, why));
            handled(state, *body, report, [&] { begin(state, *body, one); });
        },
        action.what);
}

/// Where a path is at a time; before and after it, at its ends.
Vec3 along(const std::vector<PullAction::PathPoint>& path, double time) {
    const auto next = std::upper_bound(path.begin(), path.end(), time,
                                       [](double t, const PullAction::PathPoint& point) { return t < point.time; });
    if (next == path.begin()) return path.front().position;
    if (next == path.end()) return path.back().position;
    const auto last = std::prev(next);
    return last->position + (time - last->time) / (next->time - last->time) * (next->position - last->position);
}

/// How much the velocity of a point changes by an impulse there: a matrix, 1/kg.
Mat3 mobilityAt(const RigidMotion& motion, const Vec3& arm) {
    Mat3 cross;
    cross << 0, -arm.z(), arm.y(), arm.z(), 0, -arm.x(), -arm.y(), arm.x(), 0;
    return Mat3::Identity() / motion.mass - cross * motion.inertia.inverse() * cross;
}

/// One impulse at the start of the frame, so that whatever is in the way meets a body that moves, as in any collision.
/// With the error e of the point against its target, w the way it makes in a frame relative to it, and g what uniform
/// fields add to that way, the body is set to
///
///     w = -(1 - q)^2 e + q^2 (w0 - g / 2) - g / 2,      e1 = e + w + g / 2
///
/// whose error falls as (1 + n) q^n, without swing and whatever the mass; q is the share that is left per frame.
void pull(Simulation::State& state, const SimBody& body, const PullAction& action) {
    dynamics::World& world = state.world;
    const double dt = state.setup.dt, start = world.time();
    const BodyState now = world.state(body.worldId);
    const RigidMotion motion = motionOf(world, body.worldId, now.mass);
    const Vec3 point = now.pose * action.point, arm = point - motion.centre;
    const Vec3 target = along(action.path, start), way = along(action.path, start + dt) - target;
    const double x = dt / kFollowing, left = 1 / (1 + x + 0.5 * x * x);
    const Vec3 halfFall = 0.5 * dt * dt * state.setup.uniformAcceleration();

    const Vec3 velocity = motion.velocityAt(point);
    const Vec3 relative = dt * velocity - way - halfFall;
    const Vec3 wanted = way - (1 - left) * (1 - left) * (point - target) + left * left * relative - halfFall;
    const Vec3 impulse = mobilityAt(motion, arm).inverse() * (wanted / dt - velocity);
    world.applyImpulse(body.worldId, impulse, point);

    // about the hand, which keeps its velocity
    const BodyState pulled = world.state(body.worldId);
    if (pulled.anchored) return;
    const Vec3 spin = pulled.angularVelocity / (1 + kSteadying * dt);
    const Vec3 atHand = pulled.velocity + pulled.angularVelocity.cross(arm);
    world.setVelocity(body.worldId, atHand - spin.cross(arm), spin);
}

void pullAll(Simulation::State& state, StepReport& report) {
    const auto actionOf = [&](const Pulling& pulling) -> const PullAction& {
        return std::get<PullAction>(state.setup.actions[pulling.action].what);
    };
    const double end = state.world.time() + (1 - PullAction::kOnTime) * state.setup.dt;
    std::erase_if(state.pulls, [&](const Pulling& pulling) {
        return actionOf(pulling).path.back().time < end || !state.bodies.contains(pulling.body);
    });
    for (const Pulling& pulling : state.pulls) {
        const SimBody& body = state.bodies.at(pulling.body);
        handled(state, body, report, [&] { pull(state, body, actionOf(pulling)); });
    }
}

/// m, of a point from a solid.
double distance(const TriMesh& mesh, const Vec3& point) {
    if (WindingNumber(mesh)(point) > 0.5) return 0;
    return std::sqrt(TriangleTree(mesh).closestPoint(point).squaredDistance);
}

}  // namespace

void act(Simulation::State& state, StepReport& report) {
    const double end = state.world.time() + state.setup.dt;
    for (; state.actions < state.setup.actions.size(); ++state.actions) {
        const BodyAction& next = state.setup.actions[state.actions];
        if (next.time() >= end) break;
        begin(state, next, report);
    }
    pullAll(state, report);
}

void passOn(Simulation::State& state, const BreakReport& broken) {
    for (Pulling& pulling : state.pulls) {
        if (pulling.body != broken.body) continue;
        const Vec3 point = std::get<PullAction>(state.setup.actions[pulling.action].what).point;
        double nearest = std::numeric_limits<double>::infinity();
        for (const BodySerial fragment : broken.fragments) {
            const double far = distance(*state.bodies.at(fragment).facts.mesh(), point);
            if (far >= nearest) continue;
            nearest = far;
            pulling.body = fragment;
        }
    }
}

}  // namespace sunder::sim::detail
