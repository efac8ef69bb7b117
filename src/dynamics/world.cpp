#include "dynamics/world.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/assert.h"
#include "base/hash.h"
#include "dynamics/detail/narrow/ray.h"
#include "dynamics/detail/world_state.h"

namespace sunder::dynamics {

using detail::Body;

namespace {

void check(bool ok, const std::string& what) {
    if (!ok) throw std::invalid_argument("body: " + what);
}

void checkFinite(const Vec3& value, const std::string& what) {
    if (!value.allFinite()) throw std::invalid_argument(what + " must be finite");
}

void check(const StepOptions& options) {
    if (options.substeps < 1)
        throw std::invalid_argument("step: substeps must be 1 or more, got " + std::to_string(options.substeps));
    if (options.sweeps < 1)
        throw std::invalid_argument("step: sweeps must be 1 or more, got " + std::to_string(options.sweeps));
    if (options.maxSweeps < 0)
        throw std::invalid_argument("step: maxSweeps must be 0 (automatic) or more, got " +
                                    std::to_string(options.maxSweeps));
}

void check(const ForceField& field) {
    if (const auto* uniform = std::get_if<UniformField>(&field)) {
        checkFinite(uniform->acceleration, "uniform field: acceleration");
    } else if (const auto* radial = std::get_if<RadialField>(&field)) {
        checkFinite(radial->centre, "radial field: centre");
        if (!std::isfinite(radial->strength) || !std::isfinite(radial->reach))
            throw std::invalid_argument("radial field: strength and reach must be finite");
    } else if (const auto* drag = std::get_if<DragField>(&field)) {
        checkFinite(drag->wind, "drag: wind");
        if (!(drag->linear >= 0) || !(drag->quadratic >= 0) || !(drag->angular >= 0))
            throw std::invalid_argument("drag: rates must be 0 or more");
    }
}

bool finite(const RigidTransform& pose) {
    return pose.translation.allFinite() && pose.rotation.coeffs().allFinite() && pose.rotation.squaredNorm() > 0;
}

void checkMotion(const Motion& motion) {
    check(finite(motion.start) && finite(motion.worldFromGroup), "a motion's places must be finite");
    if (const auto* keys = std::get_if<KeyframePath>(&motion.path)) {
        const auto inOrder = [](const MotionKey& a, const MotionKey& b) { return a.time < b.time; };
        check(std::is_sorted(keys->keys.begin(), keys->keys.end(), inOrder),
              "the keys of a motion must ascend in time");
        for (const MotionKey& key : keys->keys)
            check(std::isfinite(key.time) && finite({key.rotation, key.position}),
                  "the keys of a motion must be finite");
    } else if (const auto* spin = std::get_if<SpinPath>(&motion.path)) {
        check(spin->axis.allFinite() && std::isfinite(spin->speed), "a spin must be finite");
    } else if (const auto* wave = std::get_if<OscillationPath>(&motion.path)) {
        check(wave->displacement.allFinite() && wave->axis.allFinite() && std::isfinite(wave->swing) &&
                  std::isfinite(wave->phase),
              "an oscillation must be finite");
        check(wave->period > 0 && std::isfinite(wave->period),
              "the period of an oscillation must be positive (s), got " + std::to_string(wave->period));
    }
}

void check(const BodyOptions& options) {
    check(options.shape != nullptr, "needs a shape");
    check(finite(options.pose), "pose must be finite, with a rotation that is not zero");
    check(options.velocity.allFinite() && options.angularVelocity.allFinite(), "velocities must be finite");
    const bool endless = options.shape->kind() == ShapeKind::HalfSpace;
    check(!endless || options.kind != BodyKind::Dynamic, "a half-space has no mass; make it static or kinematic");
    check(options.kind == BodyKind::Kinematic || !options.motion, "only kinematic bodies take a motion");
    if (options.motion) checkMotion(*options.motion);
    if (options.mass) {
        check(*options.mass > 0 && std::isfinite(*options.mass),
              "mass must be positive (kg), got " + std::to_string(*options.mass));
    } else {
        check(options.density > 0 && std::isfinite(options.density),
              "density must be positive (kg/m^3), got " + std::to_string(options.density));
    }
    const ContactMaterial& m = options.material;
    check(m.friction >= 0 && std::isfinite(m.friction),
          "friction must be 0 or more, got " + std::to_string(m.friction));
    check(m.restitution >= 0 && m.restitution <= 1, "restitution must be 0 to 1, got " + std::to_string(m.restitution));
    check(m.rollingFriction >= 0 && std::isfinite(m.rollingFriction),
          "rolling friction must be 0 or more (m), got " + std::to_string(m.rollingFriction));
    check(!options.anchor || *options.anchor >= 0, "an anchor's limit must be 0 or more (N s)");
}

}  // namespace

const char* nameOf(BodyKind kind) {
    switch (kind) {
        case BodyKind::Static:
            return "static";
        case BodyKind::Kinematic:
            return "kinematic";
        case BodyKind::Dynamic:
            break;
    }
    return "dynamic";
}

const Body& World::State::body(BodyId id) const {
    if (id.index >= bodies.size() || !bodies[id.index].alive || bodies[id.index].generation != id.generation) {
        throw std::out_of_range("no body " + std::to_string(id.index) + " of generation " +
                                std::to_string(id.generation) + " in this world");
    }
    return bodies[id.index];
}
Body& World::State::body(BodyId id) { return const_cast<Body&>(std::as_const(*this).body(id)); }

BodyId World::State::add(const BodyOptions& given) {
    // the lowest free slot, or a new one
    check(given);
    uint32_t index = static_cast<uint32_t>(bodies.size());
    if (freeSlots.empty()) {
        bodies.emplace_back();
    } else {
        index = freeSlots.back();
        freeSlots.pop_back();
    }

    // what it is
    Body body;
    body.alive = true;
    body.generation = bodies[index].generation;
    body.shape = given.shape;
    body.kind = given.kind;
    body.material = given.material;
    body.group = given.group;
    body.collidesWith = given.collidesWith;
    body.anchor = given.anchor.value_or(-1);
    if (given.motion) body.motion = std::make_shared<const Motion>(*given.motion);

    // where it is and how it moves; what is not dynamic has no mass
    const RigidTransform givenPose = given.motion ? poseAt(*given.motion, time) : given.pose;
    const RigidTransform pose = givenPose * given.shape->bodyFromGiven().inverse();
    body.position = pose.translation;
    body.setOrientation(pose.rotation);
    if (given.kind == BodyKind::Dynamic) {
        const double density = given.mass ? *given.mass / given.shape->volume() : given.density;
        body.mass = density * given.shape->volume();
        body.moments = density * given.shape->moments();
        body.angularMomentum = body.applyInertia(given.angularVelocity);
    }
    if (given.kind != BodyKind::Static) {
        body.velocity = given.velocity;
        body.angularVelocity = given.angularVelocity;
    }
    body.asleep = given.asleep && given.kind == BodyKind::Dynamic;
    body.restPlace = body.swingPlace = body.lingerPlace = {0, body.position, body.orientation};
    ASSERT(!bodies[index].alive);
    bodies[index] = std::move(body);
    return idOf(index);
}

void World::State::remove(BodyId id) {
    Body& gone = body(id);
    gone.alive = false;
    ++gone.generation;
    gone.shape = nullptr;
    gone.motion = nullptr;
    // what touched it wakes
    for (const detail::Pair& pair : table.pairs) {
        if (pair.patchCount == 0 || (pair.a != id.index && pair.b != id.index)) continue;
        Body& other = bodies[pair.a == id.index ? pair.b : pair.a];
        other.asleep = false;
        other.still = other.swingPlace.time = 0;
    }
    for (const detail::Pair& pair : table.pairs) {
        if (pair.a != id.index && pair.b != id.index) continue;
        for (uint32_t p = 0; p < pair.patchCount; ++p) table.patches[pair.firstPatch + p].a = kInvalidIndex;
    }
    std::erase_if(table.pairs, [&](const detail::Pair& pair) { return pair.a == id.index || pair.b == id.index; });
    freeSlots.insert(std::lower_bound(freeSlots.begin(), freeSlots.end(), id.index, std::greater<>()), id.index);
}

World::World(const WorldOptions& options) : state_(std::make_unique<State>()) {
    checkFinite(options.gravity, "world: gravity");
    check(options.step);
    state_->options = options;
}
World::~World() = default;
World::World(const World& other) : state_(std::make_unique<State>(*other.state_)) {}
World& World::operator=(const World& other) {
    if (this != &other) *state_ = *other.state_;
    return *this;
}
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

BodyId World::add(const BodyOptions& body) { return state_->add(body); }
void World::remove(BodyId body) { state_->remove(body); }

std::vector<BodyId> World::replace(BodyId parent, std::span<const BodyOptions> fragments) {
    for (const BodyOptions& fragment : fragments) check(fragment);  // all or nothing
    state_->remove(parent);
    std::vector<BodyId> ids;
    for (const BodyOptions& fragment : fragments) ids.push_back(state_->add(fragment));
    return ids;
}

void World::addField(const ForceField& field) {
    check(field);
    state_->fields.push_back(field);
    for (uint32_t i = 0; i < state_->bodies.size(); ++i) {
        if (state_->bodies[i].alive) wake(state_->idOf(i));
    }
}

void World::explode(const Explosion& explosion) {
    checkFinite(explosion.centre, "explosion: centre");
    check(explosion.radius > 0 && std::isfinite(explosion.radius) && std::isfinite(explosion.impulse),
          "an explosion's radius must be positive (m) and its impulse finite (N s)");
    for (uint32_t i = 0; i < state_->bodies.size(); ++i) {
        Body& body = state_->bodies[i];
        if (!body.alive || body.kind != BodyKind::Dynamic) continue;
        const Vec3 away = body.position - explosion.centre;
        const double distance = away.norm();
        if (distance >= explosion.radius || distance == 0) continue;
        const Vec3 impulse = explosion.impulse * (1 - distance / explosion.radius) / distance * away;
        applyImpulse(state_->idOf(i), impulse,
                     body.position - std::min(distance, body.shape->radius()) / distance * away);
    }
}

void World::applyImpulse(BodyId id, const Vec3& impulse, const Vec3& point) {
    Body& body = state_->body(id);
    checkFinite(impulse, "body: impulse");
    checkFinite(point, "body: point of an impulse");
    if (body.kind != BodyKind::Dynamic) return;
    if (body.anchor >= 0) {
        if (impulse.norm() <= body.anchor) return;
        body.anchor = -1;
    }
    wake(id);
    body.velocity += impulse / body.mass;
    body.angularMomentum += (point - body.position).cross(impulse);
    body.angularVelocity = body.applyInverseInertia(body.angularMomentum);
}

void World::setVelocity(BodyId id, const Vec3& velocity, const Vec3& angularVelocity) {
    Body& body = state_->body(id);
    checkFinite(velocity, "body: velocity");
    checkFinite(angularVelocity, "body: angular velocity");
    if (body.kind == BodyKind::Static) return;
    wake(id);
    if (!velocity.isZero() || !angularVelocity.isZero()) body.anchor = -1;
    body.velocity = velocity;
    body.angularVelocity = angularVelocity;
    if (body.kind == BodyKind::Dynamic) body.angularMomentum = body.applyInertia(angularVelocity);
}

void World::setPose(BodyId id, const RigidTransform& pose) {
    Body& body = state_->body(id);
    checkFinite(pose.translation, "body: pose");
    check(pose.rotation.coeffs().allFinite() && pose.rotation.squaredNorm() > 0,
          "a pose's rotation must be finite and not zero");
    // What lay on it must look again, also what was put there asleep and never touched it.
    const Box3 left = body.shape->bounds(body.pose());
    for (Body& other : state_->bodies) {
        if (!other.alive || other.kind != BodyKind::Dynamic) continue;
        const double near = 0.01 * other.shape->radius();
        if (!other.shape->bounds(other.pose()).expanded(near).overlaps(left)) continue;
        other.asleep = false;
        other.still = other.swingPlace.time = 0;
    }
    const RigidTransform own = pose * body.shape->bodyFromGiven().inverse();
    body.position = own.translation;
    body.setOrientation(own.rotation);
    body.fatBox = Box3();
    if (body.kind == BodyKind::Dynamic) body.angularVelocity = body.applyInverseInertia(body.angularMomentum);
    body.lastMotion = std::numeric_limits<double>::infinity();  // what its pairs remember is void
    wake(id);
}

void World::wake(BodyId id) {
    Body& body = state_->body(id);
    body.asleep = false;
    body.still = body.swingPlace.time = body.lingerPlace.time = 0;
}

StepResult World::step(double dt) {
    if (!(dt > 0) || !std::isfinite(dt))
        throw std::invalid_argument("step: dt must be positive (s), got " + std::to_string(dt));
    return state_->step(dt);
}

double World::time() const { return state_->time; }
const WorldOptions& World::options() const { return state_->options; }
void World::setOptions(const StepOptions& options) {
    check(options);
    state_->options.step = options;
}

bool World::contains(BodyId id) const {
    return id.index < state_->bodies.size() && state_->bodies[id.index].alive &&
           state_->bodies[id.index].generation == id.generation;
}

BodyState World::state(BodyId id) const {
    const Body& body = state_->body(id);
    return {body.pose() * body.shape->bodyFromGiven(),
            body.position,
            body.velocity,
            body.angularVelocity,
            body.angularMomentum,
            body.mass,
            body.asleep,
            body.kind,
            body.anchor >= 0};
}

const Shape& World::shape(BodyId id) const { return *state_->body(id).shape; }
ShapePtr World::sharedShape(BodyId id) const { return state_->body(id).shape; }

std::vector<BodyId> World::bodies() const {
    std::vector<BodyId> ids;
    for (uint32_t i = 0; i < state_->bodies.size(); ++i) {
        if (state_->bodies[i].alive) ids.push_back(state_->idOf(i));
    }
    return ids;
}

std::vector<Impact> World::impacts(double leastImpulse) const {
    std::vector<Impact> impacts;
    for (const Impact& impact : state_->impacts) {
        if (impact.impulse.norm() >= leastImpulse && contains(impact.a) && contains(impact.b))
            impacts.push_back(impact);
    }
    return impacts;
}

std::vector<Contact> World::contacts() const {
    std::vector<Contact> contacts;
    const State& s = *state_;
    for (const detail::ContactPatch& patch : s.table.patches) {
        if (patch.a == kInvalidIndex) continue;  // one of them is gone
        const Body &a = s.bodies[patch.a], &b = s.bodies[patch.b];
        Contact contact;
        contact.a = s.idOf(patch.a);
        contact.b = s.idOf(patch.b);
        contact.normal = a.rotation * patch.normal.cast<double>();
        contact.count = patch.count;
        for (int i = 0; i < patch.count; ++i) {
            const auto at = static_cast<size_t>(i);
            const Vec3 onA = a.position + a.rotation * patch.points[at].onA.cast<double>();
            const Vec3 onB = b.position + b.rotation * patch.points[at].onB.cast<double>();
            contact.points[at] = 0.5 * (onA + onB);
            contact.separation[at] = contact.normal.dot(onB - onA);
            contact.impulse[at] = double{patch.points[at].impulse} * s.lastFrame / s.lastSubstep;
        }
        contacts.push_back(contact);
    }
    return contacts;
}

std::optional<RayHit> World::castRay(const Vec3& origin, const Vec3& direction, double maxDistance,
                                     uint32_t groups) const {
    checkFinite(origin, "ray: origin");
    checkFinite(direction, "ray: direction");
    const double length = direction.norm();
    if (!(length > 0)) throw std::invalid_argument("ray: direction must not be zero");
    const Vec3 along = direction / length;
    std::optional<RayHit> nearest;
    for (uint32_t i = 0; i < state_->bodies.size(); ++i) {
        const Body& body = state_->bodies[i];
        if (!body.alive || (body.group & groups) == 0) continue;
        const double limit = nearest ? nearest->distance : maxDistance;
        const Vec3 start = body.rotation.transpose() * (origin - body.position);
        const auto hit = detail::castRay(*body.shape, start, body.rotation.transpose() * along, limit);
        if (!hit || (nearest && hit->distance >= nearest->distance)) continue;
        nearest = RayHit{state_->idOf(i), hit->distance, origin + hit->distance * along, body.rotation * hit->normal};
    }
    return nearest;
}

std::vector<BodyId> World::overlapping(const Shape& shape, const RigidTransform& pose, uint32_t groups) const {
    const RigidTransform own = pose * shape.bodyFromGiven().inverse();
    const Box3 box = shape.bounds(own);
    std::vector<BodyId> ids;
    for (uint32_t i = 0; i < state_->bodies.size(); ++i) {
        const Body& body = state_->bodies[i];
        if (!body.alive || (body.group & groups) == 0 || !body.shape->bounds(body.pose()).overlaps(box)) continue;
        if (shape.kind() == ShapeKind::HalfSpace && body.shape->kind() == ShapeKind::HalfSpace) continue;
        const detail::PairPose pair{own.rotation.toRotationMatrix(), body.rotation, body.position - own.translation};
        if (detail::overlaps(shape, *body.shape, pair)) ids.push_back(state_->idOf(i));
    }
    return ids;
}

uint64_t World::stateHash() const {
    // settings
    Hasher hash;
    const State& s = *state_;
    hash.add(s.time);
    for (int k = 0; k < 3; ++k) hash.add(s.options.gravity[k]);
    const StepOptions& step = s.options.step;
    hash.add(static_cast<uint64_t>(step.substeps) << 32 | static_cast<uint64_t>(step.sweeps) << 16 |
             static_cast<uint64_t>(step.maxSweeps));
    uint64_t switches = 0;
    for (const bool on :
         {step.conservingRotation, step.restitution, step.friction, step.clampImpulses, step.secondOrder,
          step.warmStart, step.depenetrate, step.continuous, step.sleeping, step.energyGuard})
        switches = switches << 1 | uint64_t{on};
    hash.add(switches);

    // fields
    for (const ForceField& field : s.fields) {
        hash.add(static_cast<uint64_t>(field.index()));
        const auto addAll = [&](const Vec3& v, std::initializer_list<double> numbers) {
            for (int k = 0; k < 3; ++k) hash.add(v[k]);
            for (const double x : numbers) hash.add(x);
        };
        if (const auto* uniform = std::get_if<UniformField>(&field)) addAll(uniform->acceleration, {});
        if (const auto* radial = std::get_if<RadialField>(&field))
            addAll(radial->centre, {radial->strength, static_cast<double>(radial->falloff), radial->reach});
        if (const auto* drag = std::get_if<DragField>(&field))
            addAll(drag->wind, {drag->linear, drag->quadratic, drag->angular});
    }

    // where bodies are, how they move, how near they are to sleep
    const auto addVector = [&](const auto& v) {
        for (int k = 0; k < 3; ++k) hash.add(v[k]);
    };
    for (const Body& body : s.bodies) {
        hash.add(uint64_t{body.alive} | uint64_t{body.asleep} << 1 | uint64_t{body.generation} << 32);
        if (!body.alive) continue;
        addVector(body.position);
        addVector(body.velocity);
        addVector(body.angularMomentum);
        addVector(body.angularVelocity);
        addVector(body.orientation.coeffs());
        hash.add(body.orientation.w());
        hash.add(body.still);
        hash.add(body.swingPlace.time);
        hash.add(body.lingerPlace.time);
        hash.add(body.wakeShare);
        hash.add(body.anchor);
    }

    // what pairs remember, and the impulses the next frame starts from
    for (const detail::Pair& pair : s.table.pairs) {
        hash.add(pair.key());
        hash.add(pair.gap);
        hash.add(pair.seenGap);
        hash.add(pair.load);
        hash.add(pair.grace);
        hash.add(pair.resisted);
        addVector(pair.memory.axis);
        for (const uint32_t key : pair.memory.kept) hash.add(uint64_t{key});
    }
    for (const detail::ContactPatch& patch : s.table.patches) {
        hash.add(uint64_t{patch.a} << 32 | patch.b);
        for (int i = 0; i < patch.count; ++i) hash.add(patch.points[static_cast<size_t>(i)].impulse);
        addVector(patch.friction);
    }
    return hash.value();
}

}  // namespace sunder::dynamics
