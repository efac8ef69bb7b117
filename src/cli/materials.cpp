#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/output.h"
#include "material/catalogue.h"
#include "scene/materials_json.h"

namespace sunder::cli {

namespace {

void printMaterials() {
    // one row a material, with its units above
    constexpr const char* kRow = "{:<10} {:>8} {:>9} {:>8} {:>8} {:>9} {:>12} {:>9}  {:<9} {}\n";
    print(kRow, "material", "density", "stiffness", "Poisson", "strength", "crack", "friction", "crack", "look", "");
    print(kRow, "", "kg/m^3", "GPa", "ratio", "MPa", "energy", "coefficient", "roughness", "", "");
    print(kRow, "", "", "", "", "", "J/m^2", "", "", "", "");
    for (const MaterialEntry& entry : materials()) {
        const SolidMaterial& solid = entry.solid;
        const auto number = [](double value) { return fmt::format("{:g}", value); };
        print(kRow, entry.name, number(solid.elastic.density), number(1e-9 * solid.elastic.youngsModulus),
              number(solid.elastic.poissonRatio), number(1e-6 * solid.strength.tensile), number(solid.strength.energy),
              number(entry.contact.friction), number(solid.roughness), entry.look, entry.help);
    }
    print("\nlooks\n");
    for (const LookEntry& entry : looks()) print("{:<10} {}\n", entry.name, entry.help);
}

}  // namespace

void addMaterials(CLI::App& program) {
    auto json = std::make_shared<bool>(false);
    CLI::App* command =
        program.add_subcommand("materials",
                               "The catalogue of ready materials and looks.\n\n"
                               "  sunder materials                a table with units\n"
                               "  sunder materials --json         for programs, all constants, SI units\n\n"
                               "In a scene: a body has \"material\": \"ceramic\", or a material of the scene has "
                               "\"base\": \"ceramic\" and what "
                               "is other; in sunder fracture: --material ceramic.\n");
    command->add_flag("--json", *json, "JSON on stdout");
    command->callback([json] {
        if (*json) return printJson({{"materials", scene::materialsJson()}, {"looks", scene::looksListJson()}});
        printMaterials();
    });
}

}  // namespace sunder::cli
