#include "sim/detail/fingerprint.h"

#include <map>

#include "base/hash.h"

namespace sunder::sim::detail {

namespace {

void add(Hasher& hash, const Vec3& v) {
    for (int k = 0; k < 3; ++k) hash.add(v[k]);
}
void add(Hasher& hash, const RigidTransform& pose) {
    add(hash, pose.translation);
    for (int k = 0; k < 4; ++k) hash.add(pose.rotation.coeffs()[k]);
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

void addStart(Hasher& hash, const dynamics::BodyOptions& options) {
    add(hash, options.pose);
    add(hash, options.velocity);
    add(hash, options.angularVelocity);
    hash.add(static_cast<uint64_t>(options.kind) << 1 | uint64_t{options.asleep});
    add(hash, options.motion);
}

}  // namespace

Fingerprint fingerprintOf(const SimulationSetup& setup) {
    Hasher frameRate, seed, world, fields, explosions, limits, names, starts, shapes, surfaces, methods;
    frameRate.add(setup.dt);
    seed.add(setup.seed);
    add(world, setup.world.gravity);
    add(world, setup.world.step);
    for (const dynamics::ForceField& field : setup.fields) {
        fields.add(uint64_t{field.index()});
        std::visit([&](const auto& chosen) { add(fields, chosen); }, field);
    }
    for (const TimedExplosion& explosion : setup.explosions) {
        for (const double value : {explosion.time, explosion.explosion.radius, explosion.explosion.impulse})
            explosions.add(value);
        add(explosions, explosion.explosion.centre);
    }
    limits.add(uint64_t{setup.bodyBudget});
    limits.add(static_cast<uint64_t>(setup.reprocessRounds));

    std::map<const TriMesh*, uint64_t> meshes;  // only looked up: many bodies have one mesh
    for (const BodySetup& body : setup.bodies) {
        add(names, body.name);
        addStart(starts, body.options);
        add(shapes, *body.options.shape);
        if (body.mesh) {
            const auto [entry, fresh] = meshes.try_emplace(body.mesh.get());
            if (fresh) entry->second = hashOf(*body.mesh);
            shapes.add(entry->second);
        }
        addSurface(surfaces, body);
        add(methods, body.method ? std::string(body.method->name()) : std::string());
        add(methods, body.methodSettings);
    }
    return {{frameRate.value(), seed.value(), world.value(), fields.value(), explosions.value(), limits.value(),
             names.value(), starts.value(), shapes.value(), surfaces.value(), methods.value()}};
}

std::string Fingerprint::differencesTo(const Fingerprint& other) const {
    std::string list;
    for (size_t i = 0; i < parts.size(); ++i) {
        if (parts[i] != other.parts[i]) list += (list.empty() ? "" : ", ") + std::string(kParts[i]);
    }
    return list;
}

}  // namespace sunder::sim::detail
