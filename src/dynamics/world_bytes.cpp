#include <stdexcept>

#include "base/archive.h"
#include "dynamics/detail/world_state.h"
#include "dynamics/world.h"

// Every field of the state is listed here once, for saving and for loading.
namespace sunder::dynamics {

namespace {

constexpr uint32_t kVersion = 2;  // of these bytes; count up whenever a field is added

template <class T, class Of>
concept Some = std::is_same_v<std::remove_const_t<T>, Of>;

}  // namespace

template <class Archive, Some<ContactMaterial> T>
void transfer(Archive& archive, T& m) {
    transferAll(archive, m.friction, m.restitution, m.rollingFriction);
}

template <class Archive, Some<BodyId> T>
void transfer(Archive& archive, T& id) {
    transferAll(archive, id.index, id.generation);
}

template <class Archive, Some<StepOptions> T>
void transfer(Archive& archive, T& step) {
    transferAll(archive, step.substeps, step.sweeps, step.maxSweeps, step.conservingRotation, step.restitution,
                step.friction, step.clampImpulses, step.secondOrder, step.warmStart, step.depenetrate, step.continuous,
                step.sleeping, step.energyGuard);
}

template <class Archive, Some<ForceField> T>
void transfer(Archive& archive, T& field) {
    uint8_t kind = static_cast<uint8_t>(field.index());
    transfer(archive, kind);
    if constexpr (Archive::kReads) {
        if (kind > 2) throw std::runtime_error("saved world: unknown kind of force field " + std::to_string(kind));
        if (kind == 0) field = UniformField{};
        if (kind == 1) field = RadialField{};
        if (kind == 2) field = DragField{};
    }
    if (auto* uniform = std::get_if<UniformField>(&field)) transferAll(archive, uniform->acceleration);
    if (auto* radial = std::get_if<RadialField>(&field))
        transferAll(archive, radial->centre, radial->strength, radial->falloff, radial->reach);
    if (auto* drag = std::get_if<DragField>(&field))
        transferAll(archive, drag->linear, drag->quadratic, drag->angular, drag->wind);
}

template <class Archive, Some<Impact> T>
void transfer(Archive& archive, T& impact) {
    transferAll(archive, impact.a, impact.b, impact.point, impact.normal, impact.impulse, impact.normalImpulse,
                impact.approachSpeed, impact.time);
    for (auto* blow : {&impact.onA, &impact.onB}) transferAll(archive, blow->point, blow->normal, blow->impulse);
}

namespace detail {

/// All but the shape and the motion.
template <class Archive, Some<Body> T>
void transfer(Archive& archive, T& body) {
    transferAll(archive, body.alive, body.newborn, body.generation, body.kind);
    dynamics::transfer(archive, body.material);
    transferAll(archive, body.group, body.collidesWith, body.anchor, body.mass, body.moments);
    transferAll(archive, body.position, body.orientation, body.velocity, body.angularMomentum, body.angularVelocity,
                body.rotation);
    transferAll(archive, body.asleep, body.still, body.near.time, body.near.position, body.near.orientation);
    transferAll(archive, body.around.time, body.around.position, body.around.orientation, body.about.time);
    transferAll(archive, body.about.position, body.about.orientation, body.wakeShare);
    transferAll(archive, body.fatBox.min, body.fatBox.max, body.boxSpare, body.boxFall, body.lastMotion);
}

template <class Archive, Some<Pair> T>
void transfer(Archive& archive, T& pair) {
    transferAll(archive, pair.a, pair.b, pair.memory.axis, pair.memory.separation, pair.memory.kept, pair.gap,
                pair.grace, pair.resisted, pair.resistedAt, pair.load, pair.firstPatch, pair.patchCount, pair.seenGap,
                pair.seenOffset, pair.seenTurn);
}

template <class Archive, Some<ContactPatch::Point> T>
void transfer(Archive& archive, T& point) {
    transferAll(archive, point.onA, point.onB, point.separation, point.impulse);
}

/// All points, also those beyond count: what they hold may be looked at by those who read whole rows.
template <class Archive, Some<ContactPatch> T>
void transfer(Archive& archive, T& patch) {
    transferAll(archive, patch.a, patch.b, patch.normal, patch.meetAfter, patch.count, patch.points, patch.friction,
                patch.twist, patch.rolling, patch.grace);
}

}  // namespace detail

namespace {

template <class Archive, class S>
void transferState(Archive& archive, S& state) {
    transferAll(archive, state.options.gravity, state.options.step, state.time, state.lastFrame, state.lastSubstep,
                state.freeSlots);
    transferAll(archive, state.bodies, state.fields, state.table.pairs, state.table.patches, state.impacts);
}

}  // namespace

std::vector<std::byte> World::save() const {
    ByteWriter writer;
    transfer(writer, kVersion);
    transferState(writer, std::as_const(*state_));
    return writer.take();
}

World World::load(std::span<const std::byte> bytes, const std::function<BodyParts(BodyId)>& partsOf) {
    ByteReader reader(bytes);
    uint32_t version = 0;
    transfer(reader, version);
    if (version != kVersion)
        throw std::runtime_error("saved world is of version " + std::to_string(version) +
                                 ", this program reads version " + std::to_string(kVersion));
    World world;
    State& state = *world.state_;
    transferState(reader, state);
    if (reader.left() > 0)
        throw std::runtime_error("saved world has " + std::to_string(reader.left()) + " bytes too many");
    for (uint32_t i = 0; i < state.bodies.size(); ++i) {
        detail::Body& body = state.bodies[i];
        if (!body.alive) continue;
        BodyParts parts = partsOf(state.idOf(i));
        if (parts.shape == nullptr)
            throw std::runtime_error("saved world: body " + std::to_string(i) + " has no shape");
        body.shape = std::move(parts.shape);
        body.motion = std::move(parts.motion);
    }
    // what follows opens arrays by these
    for (const detail::Pair& pair : state.table.pairs) {
        const bool known = pair.a < state.bodies.size() && pair.b < state.bodies.size() &&
                           uint64_t{pair.firstPatch} + pair.patchCount <= state.table.patches.size();
        if (!known) throw std::runtime_error("saved world is damaged: a pair of bodies that are not there");
    }
    for (const detail::ContactPatch& patch : state.table.patches) {
        const bool known = patch.a == kInvalidIndex || (patch.a < state.bodies.size() && patch.b < state.bodies.size());
        if (!known || patch.count < 0 || patch.count > Manifold::kMaxPoints)
            throw std::runtime_error("saved world is damaged: a contact of bodies that are not there");
    }
    return world;
}

}  // namespace sunder::dynamics
