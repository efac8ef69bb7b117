#include <stdexcept>

#include "base/archive.h"
#include "base/parallel.h"
#include "geometry/mesh/mass_properties.h"
#include "sim/detail/apply.h"
#include "sim/fragment_shape.h"

// Every field of a run's state that is not its setup or a mesh is listed here once, for saving and for loading.
namespace sunder::sim {

using detail::Hits;
using detail::SimBody;

namespace {

constexpr uint32_t kVersion = 2;  // of these bytes; count up whenever a field is added

template <class T, class Of>
concept Some = std::is_same_v<std::remove_const_t<T>, Of>;

template <class Archive, Some<fracture::Load> T>
void transferLoad(Archive& archive, T& load) {
    transferAll(archive, load.point, load.normal, load.impulse, load.approachSpeed, load.otherMass);
}

template <class Archive, Some<Hits> T>
void transferHits(Archive& archive, T& hits) {
    const size_t count = transferCount(archive, hits.loads.pushes.size());
    if constexpr (Archive::kReads) {
        hits.loads.pushes.resize(count);
        hits.others.resize(count);
    }
    for (auto& load : hits.loads.pushes) transferLoad(archive, load);
    for (auto& other : hits.others) transferAll(archive, other.index, other.generation);
    transfer(archive, hits.loads.duration);
}

/// All but the shape, the mesh, and what follows from these.
template <class Archive, Some<SimBody> T>
void transferBody(Archive& archive, T& body) {
    auto& facts = body.facts;
    transferAll(archive, facts.serial, facts.name, facts.parent, facts.root, facts.generation, facts.born, facts.seed,
                facts.mass, facts.kind, body.worldId.index, body.worldId.generation, body.solid.inherited,
                body.staysWhole);
    transferHits(archive, body.pending);
}

/// Shapes of fragments from their meshes, as when they were born.
void giveShapes(std::vector<SimBody>& bodies, const SimulationSetup& setup, const Simulation::MeshOf& meshOf) {
    for (SimBody& body : bodies) {
        const uint32_t serial = raw(body.facts.serial);
        const bool whole = serial < setup.bodies.size();
        body.facts.mesh = whole ? setup.bodies[serial].mesh : meshOf(body.facts.serial);
        if (!whole && body.facts.mesh == nullptr)
            throw std::runtime_error("saved run: the mesh of " + body.facts.name + " is missing");
    }
    parallelFor(bodies.size(), 1, [&](const BlockRange& block) {
        for (size_t i = block.begin; i < block.end; ++i) {
            SimBody& body = bodies[i];
            const uint32_t serial = raw(body.facts.serial);
            body.shape = serial < setup.bodies.size()
                             ? setup.bodies[serial].options.shape
                             : makeFragmentShape(*body.facts.mesh, MeshTopology(*body.facts.mesh));
            body.facts.volume = body.facts.mesh ? volume(*body.facts.mesh) : 0;
        }
    });
}

}  // namespace

std::vector<std::byte> Simulation::save() const {
    const State& state = *state_;
    ByteWriter writer;
    transferAll(writer, kVersion, state.fingerprint.parts, state.frame, state.serials, state.explosions,
                state.breakingStopped);
    transferCount(writer, state.bodies.size());
    for (const auto& [serial, body] : state.bodies) transferBody(writer, body);
    const std::vector<std::byte> world = state.world.save();
    transfer(writer, world);
    return writer.take();
}

Simulation Simulation::load(SimulationSetup setup, std::span<const std::byte> bytes, const MeshOf& meshOf) {
    ByteReader reader(bytes);
    auto loaded = std::make_unique<State>();
    State& state = *loaded;
    state.setup = std::move(setup);
    state.prepareSetup();
    uint32_t version = 0;
    transfer(reader, version);
    if (version != kVersion)
        throw std::runtime_error("the saved run is of version " + std::to_string(version) +
                                 ", this program reads version " + std::to_string(kVersion));
    detail::Fingerprint saved;
    transferAll(reader, saved.parts, state.frame, state.serials, state.explosions, state.breakingStopped);
    if (const std::string changed = state.fingerprint.differencesTo(saved); !changed.empty())
        throw std::runtime_error("the saved run is of another scene; other are: " + changed);
    std::vector<SimBody> bodies(transferCount(reader, 0));
    for (SimBody& body : bodies) transferBody(reader, body);
    std::vector<std::byte> world;
    transfer(reader, world);
    giveShapes(bodies, state.setup, meshOf);

    for (SimBody& body : bodies) {
        BodyFacts& facts = body.facts;
        if (raw(facts.root) >= state.setup.bodies.size() || body.worldId.index > world.size())
            throw std::runtime_error("the saved run is damaged: it has a body of no scene");
        fracture::Inheritance inherited = std::move(body.solid.inherited);
        state.keep(std::move(body), std::move(inherited));
    }
    const auto partsOf = [&](dynamics::BodyId id) -> dynamics::BodyParts {
        if (id.index >= state.serialAt.size() || !state.bodies.contains(state.serialAt[id.index])) return {};
        const SimBody& body = state.bodies.at(state.serialAt[id.index]);
        const bool whole = raw(body.facts.serial) < state.setup.bodies.size();
        return {body.shape, whole ? state.setupOf(body).options.motion : dynamics::Motion{}};
    };
    state.world = dynamics::World::load(world, partsOf);
    return Simulation(std::move(loaded));
}

}  // namespace sunder::sim
