#include <stdexcept>

#include "base/archive.h"
#include "dynamics/detail/state/transfer.h"
#include "dynamics/detail/world_state.h"
#include "dynamics/world.h"

namespace sunder::dynamics {

namespace {

constexpr uint32_t kVersion = 3;  // of these bytes; count up whenever a field is added

/// Every field of the state.
template <class Archive, class S>
void transferState(Archive& archive, S& state) {
    transferAll(archive, state.options, state.time, state.lastFrame, state.lastSubstep, state.freeSlots);
    transferAll(archive, state.bodies, state.fields, state.table.pairs, state.table.patches, state.impacts);
}

}  // namespace

std::vector<std::byte> World::save() const {
    ByteWriter writer;
    transfer(writer, kVersion);
    transferState(writer, std::as_const(*state_));
    return writer.take();
}

uint64_t World::contentHash() const {
    ByteHasher hash;
    transferState(hash, std::as_const(*state_));
    for (const detail::Body& body : state_->bodies) {
        if (body.alive) transfer(hash, *body.shape);
    }
    return hash.value();
}

World World::load(std::span<const std::byte> bytes, const std::function<ShapePtr(BodyId)>& shapeOf) {
    // read everything
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

    // what bytes do not hold
    for (uint32_t i = 0; i < state.bodies.size(); ++i) {
        detail::Body& body = state.bodies[i];
        if (!body.alive) continue;
        body.shape = shapeOf(state.idOf(i));
        if (body.shape == nullptr) throw std::runtime_error("saved world: body " + std::to_string(i) + " has no shape");
    }

    // damaged bytes must not be followed into arrays
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
