#include "scene/fracture_of.h"

#include "base/random.h"
#include "fracture/fem/fem_method.h"
#include "geometry/mesh/mass_properties.h"
#include "scene/json_text.h"

namespace sunder::scene {

const Material& materialOf(const Scene& scene, const MaterialChoice& choice) {
    static const Material none;
    if (choice.own) return *choice.own;
    const Material* named = scene.materials.find(choice.name);
    return named != nullptr ? *named : none;
}

FoundFracture fractureOf(const Scene& scene, const Body& body, const std::string& pointer) {
    if (body.fracture) return {&*body.fracture, below(pointer, "fracture")};
    const Material& material = materialOf(scene, body.material);
    if (!material.fracture) return {};
    const std::string of = body.material.own ? below(pointer, "material") : below("/materials", body.material.name);
    return {&*material.fracture, below(of, "fracture")};
}

std::vector<uint32_t> grainsAt(const Scene& scene, const Body& body, uint32_t serial,
                               std::shared_ptr<const TriMesh> mesh, std::span<const Vec3> points) {
    const FoundFracture found = fractureOf(scene, body, "");
    const auto* fem = found.settings == nullptr ? nullptr : std::get_if<FemSettings>(found.settings);
    if (fem == nullptr || mesh == nullptr) return {};
    fracture::Solid solid;
    solid.wholeVolume = volume(*mesh);
    solid.mesh = std::move(mesh);
    solid.seed = mixSeed(scene.world.seed, serial);  // as a run gives it to bodies that are there from the start
    return fracture::FemMethod(fem->resolved()).grainsAt(solid, points);
}

}  // namespace sunder::scene
