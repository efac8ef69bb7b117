#include "scene/materials_json.h"

#include <string>

#include "material/catalogue.h"

namespace sunder::scene {

using schema::Json;

Json materialsJson() {
    Json list = Json::array();
    for (const MaterialEntry& entry : materials()) {
        const SolidMaterial& solid = entry.solid;
        Json habit;
        if (!entry.habit.pattern.empty())
            habit = {{"pattern", std::string(entry.habit.pattern)}, {"pieces", entry.habit.pieces}};
        list.push_back({{"name", std::string(entry.name)},
                        {"help", std::string(entry.help)},
                        {"density", solid.elastic.density},
                        {"friction", entry.contact.friction},
                        {"restitution", entry.contact.restitution},
                        {"rolling_friction", entry.contact.rollingFriction},
                        {"stiffness", solid.elastic.youngsModulus},
                        {"poisson_ratio", solid.elastic.poissonRatio},
                        {"strength", solid.strength.tensile},
                        {"extension", solid.strength.extension},
                        {"across_grain", solid.strength.acrossGrain},
                        {"crack_energy", solid.strength.energy},
                        {"breaking_speed", solid.breakingSpeed},
                        {"crack_roughness", solid.roughness},
                        {"look", std::string(entry.look)},
                        {"habit", habit}});
    }
    return list;
}

Json looksListJson() {
    Json list = Json::array();
    for (const LookEntry& entry : looks())
        list.push_back({{"name", std::string(entry.name)}, {"help", std::string(entry.help)}});
    return list;
}

}  // namespace sunder::scene
