#include <algorithm>
#include <stdexcept>

#include "base/archive.h"
#include "base/parallel.h"
#include "sim/detail/simulation_state.h"
#include "sim/detail/whole_bodies.h"
#include "sim/fragment_shape.h"

// Every field of a run's state that is not its setup or a mesh is listed here once, for saving and for loading.
namespace sunder::sim {

using detail::SimBody;

namespace {

constexpr uint32_t kVersion = 6;  // of these bytes; count up whenever a field is added

template <class Archive, Some<fracture::Load> T>
void transferLoad(Archive& archive, T& load) {
    transferAll(archive, load.point, load.normal, load.impulse, load.approachSpeed, load.otherMass, load.giver.index,
                load.giver.generation, load.worldPoint);
}

template <class Archive, Some<fracture::Loads> T>
void transferLoads(Archive& archive, T& loads) {
    const size_t count = transferCount(archive, loads.list.size());
    if constexpr (Archive::kReads) loads.list.resize(count);
    for (auto& load : loads.list) transferLoad(archive, load);
    transfer(archive, loads.duration);
}

/// All but the shape, the geometry, and what follows from these.
template <class Archive, Some<SimBody> T>
void transferBody(Archive& archive, T& body) {
    auto& facts = body.facts;
    transferAll(archive, facts.serial, facts.name, facts.parent, facts.root, facts.generation, facts.born, facts.seed,
                facts.mass, facts.kind, body.worldId.index, body.worldId.generation, body.solid.inherited,
                body.staysWhole);
    transferLoads(archive, body.pending);
    const size_t lasting = transferCount(archive, body.lasting.size());
    if constexpr (Archive::kReads) body.lasting.resize(lasting);
    for (auto& one : body.lasting) {
        transferLoad(archive, one.load);
        transfer(archive, one.left);
    }
}

bool isWhole(const SimBody& body) { return body.facts.parent == kNone<BodySerial>; }

/// Shapes of fragments from their geometry, as when they were born.
void giveShapes(std::vector<SimBody>& bodies, const Simulation::State& state,
                const Simulation::GeometryOf& geometryOf) {
    for (SimBody& body : bodies) {
        body.facts.geometry = isWhole(body) ? state.setupOf(body).geometry : geometryOf(body.facts.serial);
        if (!isWhole(body) && body.facts.geometry == nullptr)
            throw std::runtime_error("saved run: the mesh of " + body.facts.name + " is missing");
    }
    parallelFor(bodies.size(), 1, [&](const BlockRange& block) {
        for (size_t i = block.begin; i < block.end; ++i) {
            SimBody& body = bodies[i];
            body.shape = isWhole(body) ? state.setupOf(body).options.shape
                                       : makeFragmentShape(*body.facts.geometry, MeshTopology(*body.facts.mesh()));
        }
    });
}

/// Where the run is, besides its bodies.
template <class Archive, Some<Simulation::State> T>
void transferPlace(Archive& archive, T& state) {
    transferAll(archive, state.frame, state.serials, state.appeared, state.explosions, state.actions,
                state.breakingStopped);
    const size_t pulls = transferCount(archive, state.pulls.size());
    if constexpr (Archive::kReads) state.pulls.resize(pulls);
    for (auto& pull : state.pulls) transferAll(archive, pull.action, pull.body);
}

/// The counts fit the setup, once its fingerprint does.
void checkPlace(const Simulation::State& state) {
    bool good = state.appeared.size() <= state.index.late.size() && state.explosions <= state.setup.explosions.size() &&
                state.actions <= state.setup.actions.size() &&
                std::is_sorted(state.appeared.begin(), state.appeared.end());
    for (const detail::Pulling& pull : state.pulls) good = good && pull.action < state.actions;
    if (!good) throw std::runtime_error("the saved run is damaged: it counts more than the scene has");
}

/// Was the body's root set up?
bool isKnown(const Simulation::State& state, const SimBody& body) {
    const BodySerial root = body.facts.root;
    return raw(root) < state.index.first.size() ||
           std::binary_search(state.appeared.begin(), state.appeared.end(), root);
}

}  // namespace

std::vector<std::byte> Simulation::save() const {
    const State& state = *state_;
    ByteWriter writer;
    const double time = state.world.time();
    const detail::Fingerprint fingerprint = state.fingerprint();
    transferAll(writer, kVersion, time, fingerprint.parts);
    transferPlace(writer, state);
    transferCount(writer, state.bodies.size());
    for (const auto& [serial, body] : state.bodies) transferBody(writer, body);
    const std::vector<std::byte> world = state.world.save();
    transfer(writer, world);
    return writer.take();
}

Simulation Simulation::load(SimulationSetup setup, std::span<const std::byte> bytes, const GeometryOf& geometryOf) {
    // what follows from the setup alone
    ByteReader reader(bytes);
    auto loaded = std::make_unique<State>();
    State& state = *loaded;
    state.setup = std::move(setup);
    detail::check(state.setup);
    state.index = detail::SetupIndex(state.setup);

    // bytes of another version or of another scene are refused before anything of them is believed
    uint32_t version = 0;
    transfer(reader, version);
    if (version != kVersion)
        throw std::runtime_error("the saved run is of version " + std::to_string(version) +
                                 ", this program reads version " + std::to_string(kVersion));
    double time = 0;
    detail::Fingerprint saved;
    transferAll(reader, time, saved.parts);
    const detail::Fingerprint own = state.index.fingerprints.upTo(state.setup, time);
    if (const std::string changed = own.differencesTo(saved); !changed.empty())
        throw std::runtime_error("the saved run is of another scene; other are: " + changed);

    // bodies, as far as the bytes have them; shapes are made anew from meshes
    transferPlace(reader, state);
    checkPlace(state);
    std::vector<SimBody> bodies(transferCount(reader, 0));
    for (SimBody& body : bodies) transferBody(reader, body);
    std::vector<std::byte> world;
    transfer(reader, world);
    for (const SimBody& body : bodies) {
        if (!isKnown(state, body) || body.worldId.index > world.size())
            throw std::runtime_error("the saved run is damaged: it has a body of no scene");
    }
    giveShapes(bodies, state, geometryOf);

    // the world comes last: it asks for the shapes by its own ids
    for (SimBody& body : bodies) {
        fracture::Inheritance inherited = std::move(body.solid.inherited);
        state.keep(std::move(body), std::move(inherited));
    }
    const auto shapeOf = [&](dynamics::BodyId id) -> dynamics::ShapePtr {
        if (id.index >= state.serialAt.size() || !state.bodies.contains(state.serialAt[id.index])) return {};
        return state.bodies.at(state.serialAt[id.index]).shape;
    };
    state.world = dynamics::World::load(world, shapeOf);
    return Simulation(std::move(loaded));
}

}  // namespace sunder::sim
