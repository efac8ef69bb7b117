#include "scene/material.h"

#include <map>

#include "material/catalogue.h"

namespace sunder::scene {

const Material* readyMaterial(const std::string& name) {
    static const std::map<std::string, Material> ready = [] {
        std::map<std::string, Material> all;
        for (const MaterialEntry& entry : materials()) {
            Material& material = all[std::string(entry.name)];
            material.base = entry.name;
            material.density = entry.solid.elastic.density;
            material.contact = entry.contact;
            material.look = entry.look;
        }
        return all;
    }();
    const auto found = ready.find(name);
    return found == ready.end() ? nullptr : &found->second;
}

std::optional<SolidMaterial> solidMaterialOf(const Material& material) {
    const MaterialEntry* base = findMaterial(material.base);
    const SolidOverrides& own = material.solid;
    if (base == nullptr && own == SolidOverrides()) return std::nullopt;
    SolidMaterial solid = (base != nullptr ? *base : usualMaterial()).solid;
    solid.elastic.density = material.density;
    solid.elastic.youngsModulus = own.youngsModulus.value_or(solid.elastic.youngsModulus);
    solid.elastic.poissonRatio = own.poissonRatio.value_or(solid.elastic.poissonRatio);
    solid.strength.tensile = own.strength.value_or(solid.strength.tensile);
    solid.strength.extension = own.extension.value_or(solid.strength.extension);
    solid.strength.acrossGrain = own.acrossGrain.value_or(solid.strength.acrossGrain);
    solid.strength.energy = own.crackEnergy.value_or(solid.strength.energy);
    solid.breakingSpeed = own.breakingSpeed.value_or(solid.breakingSpeed);
    solid.roughness = own.crackRoughness.value_or(solid.roughness);
    return solid;
}

}  // namespace sunder::scene
