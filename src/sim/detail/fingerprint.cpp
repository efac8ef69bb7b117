#include "sim/detail/fingerprint.h"

#include <algorithm>

#include "base/hash.h"

namespace sunder::sim::detail {

namespace {

void add(Hasher& hash, const Vec3& v) {
    for (int k = 0; k < 3; ++k) hash.add(v[k]);
}
void add(Hasher& hash, const Quat& rotation) {
    for (int k = 0; k < 4; ++k) hash.add(rotation.coeffs()[k]);
}
void add(Hasher& hash, const RigidTransform& pose) {
    add(hash, pose.translation);
    add(hash, pose.rotation);
}
void add(Hasher& hash, const std::string& text) {
    hash.add(uint64_t{text.size()});
    for (const char letter : text) hash.add(static_cast<uint64_t>(letter));
}
void add(Hasher& hash, const std::optional<double>& value) {
    hash.add(uint64_t{value.has_value()});
    hash.add(value.value_or(0));
}
void add(Hasher& hash, const dynamics::StepOptions& options) {
    for (const int number : {options.substeps, options.sweeps, options.maxSweeps})
        hash.add(static_cast<uint64_t>(number));
    for (const bool on :
         {options.conservingRotation, options.restitution, options.friction, options.clampImpulses, options.secondOrder,
          options.warmStart, options.depenetrate, options.continuous, options.sleeping, options.energyGuard})
        hash.add(uint64_t{on});
}

void add(Hasher& hash, const dynamics::UniformField& field) { add(hash, field.acceleration); }
void add(Hasher& hash, const dynamics::RadialField& field) {
    add(hash, field.centre);
    hash.add(field.strength);
    hash.add(static_cast<uint64_t>(field.falloff));
    hash.add(field.reach);
}
void add(Hasher& hash, const dynamics::DragField& field) {
    for (const double value : {field.linear, field.quadratic, field.angular}) hash.add(value);
    add(hash, field.wind);
}

/// A function cannot be looked into: where does it take the body?
void add(Hasher& hash, const dynamics::Motion& motion) {
    hash.add(uint64_t{motion != nullptr});
    if (motion == nullptr) return;
    for (const double time : {0.0, 0.013, 0.11, 0.37, 0.9, 2.3, 7.1, 19.0}) add(hash, motion(time));
}

void add(Hasher& hash, const dynamics::Shape& shape) {
    hash.add(shape.volume());
    hash.add(shape.radius());
    add(hash, shape.moments());
    add(hash, shape.bodyFromGiven());
}

uint64_t hashOf(const TriMesh& mesh) {
    Hasher hash;
    hash.add(uint64_t{mesh.vertexCount()});
    for (const Vec3& position : mesh.positions) add(hash, position);
    for (const Triangle& triangle : mesh.triangles) {
        for (const VertexIndex v : triangle) hash.add(uint64_t{raw(v)});
    }
    return hash.value();
}

void addSurface(Hasher& hash, const BodySetup& body) {
    const dynamics::BodyOptions& options = body.options;
    hash.add(options.density);
    add(hash, options.mass);
    for (const double value :
         {options.material.friction, options.material.restitution, options.material.rollingFriction})
        hash.add(value);
    add(hash, options.anchor);
    add(hash, body.fragmentAnchor);
    hash.add(uint64_t{options.group} << 32 | options.collidesWith);
}

void add(Hasher& hash, const TimedExplosion& explosion) {
    for (const double value : {explosion.time, explosion.explosion.radius, explosion.explosion.impulse})
        hash.add(value);
    add(hash, explosion.explosion.centre);
}

template <class T>
void add(Hasher& hash, const std::optional<T>& value, const T& absent) {
    hash.add(uint64_t{value.has_value()});
    add(hash, value.value_or(absent));
}
void add(Hasher& hash, const PlaceAction& action, double) {
    hash.add(action.time);
    add<Vec3>(hash, action.position, Vec3::Zero());
    add<Quat>(hash, action.rotation, Quat::Identity());
    add<Vec3>(hash, action.velocity, Vec3::Zero());
    add<Vec3>(hash, action.angularVelocity, Vec3::Zero());
}
void add(Hasher& hash, const PushAction& action, double) {
    hash.add(action.time);
    add(hash, action.impulse);
    add<Vec3>(hash, action.point, Vec3::Zero());
}
/// Frames up to a time know the path as far as the first point at or after it; that it ends there tells them nothing.
void add(Hasher& hash, const PullAction& action, double time) {
    add(hash, action.point);
    bool ended = true;
    for (const PullAction::PathPoint& point : action.path) {
        hash.add(point.time);
        add(hash, point.position);
        ended = point.time < time;
        if (!ended) break;
    }
    hash.add(uint64_t{ended});
}

void addStart(Hasher& hash, const dynamics::BodyOptions& options) {
    add(hash, options.pose);
    add(hash, options.velocity);
    add(hash, options.angularVelocity);
    hash.add(static_cast<uint64_t>(options.kind) << 1 | uint64_t{options.asleep});
    add(hash, options.motion);
}

/// Of some bodies.
struct BodyHashes {
    Hasher names, starts, shapes, surfaces, methods, materials;

    void add(const BodySetup& body, uint64_t meshHash) {
        detail::add(names, body.name);
        addStart(starts, body.options);
        detail::add(shapes, *body.options.shape);
        if (body.mesh) shapes.add(meshHash);
        addSurface(surfaces, body);
        detail::add(methods, body.method ? std::string(body.method->name()) : std::string());
        detail::add(methods, body.methodSettings);
        if (body.strength) methods.add(body.strength->contentHash());
        detail::add(materials, body.material);
    }
    std::array<const Hasher*, 6> parts() const { return {&names, &starts, &shapes, &surfaces, &methods, &materials}; }
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

uint64_t Fingerprints::hashOf(const std::shared_ptr<const TriMesh>& mesh, const Fingerprints* known) {
    if (mesh == nullptr) return 0;
    const auto [entry, fresh] = meshes_.try_emplace(mesh.get());
    if (!fresh) return entry->second;
    const bool knew = known != nullptr && known->meshes_.contains(mesh.get());
    return entry->second = knew ? known->meshes_.at(mesh.get()) : detail::hashOf(*mesh);
}

Fingerprints::Fingerprints(const SimulationSetup& setup, const Fingerprints* known) {
    Hasher frameRate, seed, world, fields, limits;
    frameRate.add(setup.dt);
    seed.add(setup.seed);
    add(world, setup.world.gravity);
    add(world, setup.world.step);
    for (const dynamics::ForceField& field : setup.fields) {
        fields.add(uint64_t{field.index()});
        std::visit([&](const auto& chosen) { add(fields, chosen); }, field);
    }
    limits.add(uint64_t{setup.bodyBudget});
    limits.add(static_cast<uint64_t>(setup.reprocessRounds));

    BodyHashes first;
    for (const BodySetup& body : setup.bodies) {
        if (body.appears <= 0) first.add(body, hashOf(body.mesh, known));
    }
    for (const uint32_t i : lateBodies(setup)) {
        const BodySetup& body = setup.bodies[i];
        BodyHashes one;
        one.add(body, hashOf(body.mesh, known));
        Hasher all;
        all.add(body.appears);
        for (const Hasher* part : one.parts()) all.add(part->value());
        late_.push_back({body.appears, all.value()});
    }
    start_ = {{frameRate.value(), seed.value(), world.value(), fields.value(), 0, limits.value(), first.names.value(),
               first.starts.value(), first.shapes.value(), first.surfaces.value(), first.methods.value(),
               first.materials.value(), 0, 0}};
}

Fingerprint Fingerprints::upTo(const SimulationSetup& setup, double time) const {
    Hasher explosions, late, actions;
    for (const TimedExplosion& explosion : setup.explosions) {
        if (explosion.time >= time) break;
        add(explosions, explosion);
    }
    for (const Late& body : late_) {
        if (body.appears < time) late.add(body.hash);
    }
    const double known = time - PullAction::kOnTime * setup.dt;
    for (const BodyAction& action : setup.actions) {
        if (action.time() >= time) break;
        add(actions, action.body);
        actions.add(uint64_t{action.what.index()});
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
