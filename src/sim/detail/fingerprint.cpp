#include "sim/detail/fingerprint.h"

#include <algorithm>

#include "base/archive.h"
#include "dynamics/transfer.h"

namespace sunder::sim::detail {

namespace {

uint64_t hashOf(const BodyGeometry& geometry) {
    const TriMesh& mesh = geometry.mesh();
    ByteHasher hash;
    transferCount(hash, mesh.vertexCount());
    for (const Vec3& position : mesh.positions) transfer(hash, position);
    for (const Triangle& triangle : mesh.triangles) transfer(hash, triangle);
    if (const Shell* shell = geometry.shell()) transfer(hash, shell->thickness);
    return hash.value();
}

void addStart(ByteHasher& hash, const dynamics::BodyOptions& options) {
    transferAll(hash, options.pose, options.velocity, options.angularVelocity, options.kind, options.asleep,
                options.motion);
}

void addSurface(ByteHasher& hash, const BodySetup& body) {
    const dynamics::BodyOptions& options = body.options;
    transferAll(hash, options.density, options.mass, options.material, options.anchor, body.fragmentAnchor,
                options.group, options.collidesWith);
}

void add(ByteHasher& hash, const PlaceAction& action, double) {
    transferAll(hash, action.time, action.position, action.rotation, action.velocity, action.angularVelocity);
}
void add(ByteHasher& hash, const PushAction& action, double) {
    transferAll(hash, action.time, action.impulse, action.point);
}
/// Frames up to a time know the path as far as the first point at or after it; that it ends there tells them nothing.
void add(ByteHasher& hash, const PullAction& action, double time) {
    transfer(hash, action.point);
    bool ended = true;
    for (const PullAction::PathPoint& point : action.path) {
        transferAll(hash, point.time, point.position);
        ended = point.time < time;
        if (!ended) break;
    }
    transfer(hash, ended);
}

/// Hashes of some bodies, part by part.
struct BodyHashes {
    ByteHasher names, starts, shapes, surfaces, methods, materials;

    void add(const BodySetup& body, uint64_t meshHash) {
        transfer(names, body.name);
        addStart(starts, body.options);
        transfer(shapes, *body.options.shape);
        transfer(shapes, meshHash);
        addSurface(surfaces, body);
        const std::string method = body.method ? std::string(body.method->name()) : std::string();
        const uint64_t strength = body.strength ? body.strength->contentHash() : 0;
        transferAll(methods, method, body.methodSettings, strength);
        transfer(materials, body.material);
    }
    std::array<const ByteHasher*, 6> parts() const {
        return {&names, &starts, &shapes, &surfaces, &methods, &materials};
    }
};

}  // namespace

std::vector<uint32_t> lateBodies(const SimulationSetup& setup) {
    std::vector<uint32_t> late;
    for (uint32_t i = 0; i < setup.bodies.size(); ++i) {
        if (setup.bodies[i].appears > 0) late.push_back(i);
    }
    std::stable_sort(late.begin(), late.end(),
                     [&](uint32_t a, uint32_t b) { return setup.bodies[a].appears < setup.bodies[b].appears; });
    return late;
}

uint64_t Fingerprints::hashOf(const GeometryPtr& geometry, const Fingerprints* known) {
    if (geometry == nullptr) return 0;
    const auto [entry, fresh] = meshes_.try_emplace(geometry.get());
    if (!fresh) return entry->second;
    const bool knew = known != nullptr && known->meshes_.contains(geometry.get());
    return entry->second = knew ? known->meshes_.at(geometry.get()) : detail::hashOf(*geometry);
}

Fingerprints::Fingerprints(const SimulationSetup& setup, const Fingerprints* known) {
    // what is the same at all times
    ByteHasher frameRate, seed, world, fields, limits;
    transfer(frameRate, setup.dt);
    transfer(seed, setup.seed);
    transfer(world, setup.world);
    transfer(fields, setup.fields);
    transferAll(limits, setup.bodyBudget, setup.reprocessRounds);

    // bodies that are there from the start together, late ones each by itself
    BodyHashes first;
    for (const BodySetup& body : setup.bodies) {
        if (body.appears <= 0) first.add(body, hashOf(body.geometry, known));
    }
    for (const uint32_t i : lateBodies(setup)) {
        const BodySetup& body = setup.bodies[i];
        BodyHashes one;
        one.add(body, hashOf(body.geometry, known));
        ByteHasher all;
        transfer(all, body.appears);
        for (const ByteHasher* part : one.parts()) {
            const uint64_t value = part->value();
            transfer(all, value);
        }
        late_.push_back({body.appears, all.value()});
    }
    start_ = {{frameRate.value(), seed.value(), world.value(), fields.value(), 0, limits.value(), first.names.value(),
               first.starts.value(), first.shapes.value(), first.surfaces.value(), first.methods.value(),
               first.materials.value(), 0, 0}};
}

Fingerprint Fingerprints::upTo(const SimulationSetup& setup, double time) const {
    ByteHasher explosions, late, actions;
    for (const TimedExplosion& explosion : setup.explosions) {
        if (explosion.time >= time) break;
        transferAll(explosions, explosion.time, explosion.explosion);
    }
    for (const Late& body : late_) {
        if (body.appears < time) transfer(late, body.hash);
    }
    const double known = time - PullAction::kOnTime * setup.dt;
    for (const BodyAction& action : setup.actions) {
        if (action.time() >= time) break;
        const auto kind = static_cast<uint8_t>(action.what.index());
        transferAll(actions, action.body, kind);
        std::visit([&](const auto& one) { add(actions, one, known); }, action.what);
    }
    Fingerprint fingerprint = start_;
    constexpr size_t kExplosions = 4, kLate = 12, kActions = 13;
    fingerprint.parts[kExplosions] = explosions.value();
    fingerprint.parts[kLate] = late.value();
    fingerprint.parts[kActions] = actions.value();
    return fingerprint;
}

std::string Fingerprint::differencesTo(const Fingerprint& other) const {
    std::string list;
    for (size_t i = 0; i < parts.size(); ++i) {
        if (parts[i] != other.parts[i]) list += (list.empty() ? "" : ", ") + std::string(kParts[i]);
    }
    return list;
}

}  // namespace sunder::sim::detail
