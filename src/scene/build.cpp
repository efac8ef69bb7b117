#include "scene/build.h"

#include <map>
#include <set>
#include <stdexcept>

#include "base/random.h"
#include "fracture/prescored/prescored.h"
#include "scene/check.h"
#include "scene/expand.h"
#include "scene/geometry.h"
#include "scene/json_text.h"
#include "scene/motion.h"

namespace sunder::scene {

namespace {

using MethodPtr = std::shared_ptr<const fracture::FractureMethod>;

/// Calls and turns what it throws for the user's mistakes into an issue at a place of the file.
template <class Work>
void told(const std::string& pointer, Issues& issues, const Work& work) {
    const auto add = [&](const std::string& message) {
        issues.add({.pointer = pointer, .message = message, .found = {}, .allowed = "a solid"});
    };
    try {
        work();
    } catch (const InputError& error) {
        add(error.what());
    } catch (const std::invalid_argument& error) {
        add(error.what());
    }
}

/// Where the geometry of a body stands in the file.
std::string geometryPointer(const Body& body, const std::string& pointer) {
    return below(pointer, body.shape ? "shape" : "mesh");
}

MethodPtr methodFor(const Unbreakable&, MeshSource&) { return nullptr; }
MethodPtr methodFor(const PrescoredSettings& settings, MeshSource& meshes) {
    fracture::PrescoredOptions options = settings.options;
    if (!settings.patternFiles.empty()) {
        auto regions = std::make_shared<std::vector<TriMesh>>();
        for (const std::string& file : settings.patternFiles) regions->push_back(meshes.read(file));
        options.pattern.meshes = std::move(regions);
    }
    return std::make_shared<fracture::PrescoredMethod>(std::move(options));
}

class Builder {
public:
    Builder(const Scene& scene, MeshSource& meshes, const std::string& file)
        : scene_(scene), meshes_(meshes), issues_(file) {}

    sim::SimulationSetup build() {
        sim::SimulationSetup setup;
        setup.world = {.gravity = scene_.world.gravity, .step = scene_.world.solver};
        setup.dt = 1 / scene_.world.frameRate;
        setup.seed = scene_.world.seed;
        setup.fields = scene_.fields;
        for (const Blast& blast : scene_.explosions) setup.explosions.push_back({blast.time, blast.explosion});
        setup.bodyBudget = static_cast<size_t>(scene_.limits.maxBodies);
        setup.reprocessRounds = scene_.limits.reprocessRounds;

        if (scene_.floor.present) setup.bodies.push_back(floorBody());
        for (const PlacedBody& placed : placedBodies(scene_)) {
            if (const BodyGeometry* geometry = geometryFor(placed)) setup.bodies.push_back(bodyFor(placed, *geometry));
        }
        issues_.throwIfFailed();
        return setup;
    }

private:
    sim::BodySetup floorBody() const {
        const Material& material = materialOf(scene_, scene_.floor.material);
        sim::BodySetup floor;
        floor.name = "floor";
        floor.options.shape = dynamics::makeHalfSpace();
        floor.options.pose.translation.y() = scene_.floor.height;
        floor.options.kind = dynamics::BodyKind::Static;
        floor.options.density = material.density;
        floor.options.material = material.contact;
        floor.material = scene_.floor.material.name;
        return floor;
    }

    /// Members of arrays and instances share what they are made from; null, once told, when it cannot be had.
    const BodyGeometry* geometryFor(const PlacedBody& placed) {
        const auto key = std::make_pair(placed.body, placed.scale.x());
        const auto [entry, fresh] = geometries_.try_emplace(key);
        if (fresh) {
            told(geometryPointer(*placed.body, placed.pointer), issues_,
                 [&] { entry->second = geometryOf(*placed.body, placed.scale, meshes_, scene_.world.seed); });
        }
        return entry->second.shape ? &entry->second : nullptr;
    }

    /// One method for all bodies of the same settings.
    MethodPtr methodOf(const PlacedBody& placed) {
        const Material& material = materialOf(scene_, placed.body->material);
        const std::optional<FractureSettings>& settings =
            placed.body->fracture ? placed.body->fracture : material.fracture;
        if (!settings) return nullptr;
        const auto [entry, fresh] = methods_.try_emplace(&*settings);
        if (fresh) {
            told(below(placed.pointer, "fracture"), issues_, [&] {
                entry->second = std::visit([&](const auto& chosen) { return methodFor(chosen, meshes_); }, *settings);
            });
        }
        return entry->second;
    }

    /// A bit per layer, in the order they appear.
    uint32_t layerBit(const std::string& layer) {
        const auto [entry, fresh] = layers_.try_emplace(layer, static_cast<uint32_t>(layers_.size()));
        return 1u << entry->second;
    }

    sim::BodySetup bodyFor(const PlacedBody& placed, const BodyGeometry& geometry) {
        const Body& body = *placed.body;
        const Material& material = materialOf(scene_, body.material);
        sim::BodySetup setup;
        setup.name = placed.name;
        setup.mesh = geometry.mesh;
        setup.material = body.material.name;
        if (body.kind == dynamics::BodyKind::Dynamic || geometry.mesh) setup.method = methodOf(placed);
        setup.fragmentAnchor = body.fragmentAnchor;

        dynamics::BodyOptions& options = setup.options;
        options.shape = geometry.shape;
        options.pose = placed.pose();
        options.kind = body.kind;
        if (body.kind == dynamics::BodyKind::Dynamic) {
            options.velocity = placed.velocity;
            options.angularVelocity = placed.angularVelocity;
        }
        options.density = material.density;
        options.mass = body.mass;
        options.material = material.contact;
        options.group = layerBit(body.collision.layer);
        for (const std::string& layer : body.collision.ignores) options.collidesWith &= ~layerBit(layer);
        options.anchor = body.anchor;
        options.asleep = body.asleep;
        if (body.motion) {
            options.motion = [motion = *body.motion, start = placed.poseInGroup,
                              worldFromGroup = placed.worldFromGroup](double time) {
                return worldFromGroup * moved(motion, start, time);
            };
            options.pose = options.motion(0);
        }
        return setup;
    }

    const Scene& scene_;
    MeshSource& meshes_;
    Issues issues_;
    // only looked up, never walked through: addresses decide nothing
    std::map<std::pair<const Body*, double>, BodyGeometry> geometries_;
    std::map<const FractureSettings*, MethodPtr> methods_;
    std::map<std::string, uint32_t> layers_;
};

}  // namespace

sim::SimulationSetup buildSetup(const Scene& scene, MeshSource& meshes, const std::string& file) {
    return Builder(scene, meshes, file).build();
}

const Material& materialOf(const Scene& scene, const MaterialChoice& choice) {
    static const Material plain;
    if (choice.own) return *choice.own;
    const Material* named = scene.materials.find(choice.name);
    return named != nullptr ? *named : plain;
}

void checkGeometry(const Scene& scene, MeshSource& meshes, Issues& issues) {
    const auto checkAll = [&](const std::vector<Body>& bodies, const std::string& pointer) {
        for (size_t i = 0; i < bodies.size(); ++i) {
            Body body = bodies[i];
            // what could not even be read has been told already
            const bool given = body.shape ? !body.shape->name.empty() : body.mesh && !body.mesh->file.empty();
            if (!given) continue;
            if (body.shape) body.shape->resolution = 8;  // quick: what does not go together shows at any resolution
            const std::string at = below(below(pointer, "bodies"), std::to_string(i));
            told(geometryPointer(body, at), issues, [&] { (void)meshOf(body, Vec3::Ones(), meshes); });
        }
    };
    for (const auto& [name, group] : scene.groups.items) checkAll(group.bodies, below("/groups", name));
    checkAll(scene.bodies, "");
}

}  // namespace sunder::scene
