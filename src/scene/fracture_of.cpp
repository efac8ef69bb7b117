#include "scene/fracture_of.h"

#include "base/assert.h"
#include "base/error.h"
#include "schema/json_text.h"
#include "sim/simulation.h"

namespace sunder::scene {

using namespace schema;

const Material& materialOf(const Scene& scene, const MaterialChoice& choice) {
    static const Material none;
    if (choice.own) return *choice.own;
    const Material* named = scene.materials.find(choice.name);
    if (named == nullptr) named = readyMaterial(choice.name);
    return named != nullptr ? *named : none;
}

FoundFracture fractureOf(const Scene& scene, const Body& body, const std::string& pointer) {
    if (body.fracture) return {&*body.fracture, below(pointer, "fracture")};
    const Material& material = materialOf(scene, body.material);
    if (!material.fracture) return {};
    const std::string of = body.material.own ? below(pointer, "material") : below("/materials", body.material.name);
    return {&*material.fracture, below(of, "fracture")};
}

namespace {

/// No region of a body is known by files alone.
struct NoFiles : fracture::MethodFiles {
    TriMesh solid(const std::string& file, const std::string& /*pointer*/) override {
        throw InputError(file, "is not read for a preview");
    }
};

}  // namespace

bool showsRegions(const Scene& scene, const Body& body) {
    const FoundFracture found = fractureOf(scene, body, "");
    return found.settings != nullptr && found.settings->entry().traits.showsRegions;
}

std::vector<uint32_t> regionsAt(const Scene& scene, const PlacedBody& placed, uint32_t serial,
                                const GeometryPtr& geometry, std::span<const Vec3> points) {
    const Body& body = *placed.body;
    if (!showsRegions(scene, body) || geometry == nullptr) return {};
    const FoundFracture found = fractureOf(scene, body, "");
    ASSERT(found.settings != nullptr);
    fracture::Solid solid;
    solid.wholeVolume = geometry->volume();
    solid.geometry = geometry;
    solid.seed = sim::seedOfBody(scene.world.seed, placed.name, sim::BodySerial{serial}, body.appears);
    NoFiles files;
    const std::optional<SolidMaterial> material = solidMaterialOf(materialOf(scene, body.material));
    const fracture::MethodPtr method = found.settings->make({files, material ? &*material : nullptr});
    return method == nullptr ? std::vector<uint32_t>() : method->regionsAt(solid, points);
}

}  // namespace sunder::scene
