#include "fracture/methods.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/suggest.h"
#include "cli/commands.h"
#include "cli/output.h"

namespace sunder::cli {

namespace {

using fracture::MethodEntry;
using schema::FieldInfo;

struct MethodsArguments {
    std::string name;
    bool json = false;
};

/// Enough for a program to build a form for its settings.
Json describedMethod(const MethodEntry& entry) {
    Json settings = Json::array();
    for (const FieldInfo& field : entry.record->fields)
        settings.push_back({{"key", field.key},
                            {"type", field.type.words},
                            {"allowed", field.type.allowed},
                            {"default", field.defaultValue},
                            {"help", field.help}});
    return {{"name", entry.name()},
            {"help", entry.record->help},
            {"needs_blow", entry.traits.needsBlow},
            {"shows_stress", entry.traits.showsStress},
            {"shows_regions", entry.traits.showsRegions},
            {"settings", settings}};
}

void printMethod(const MethodEntry& entry) {
    print("{}: {}\n", entry.name(), entry.record->help);
    for (const FieldInfo& field : entry.record->fields) {
        std::string facts = field.type.words;
        if (!field.type.allowed.empty()) facts += ", " + field.type.allowed;
        if (!field.defaultValue.is_null()) facts += "; default " + field.defaultValue.dump();
        print("  {:<20} {} ({})\n", field.key, field.help, facts);
    }
}

void runMethods(const MethodsArguments& arguments) {
    // all of them, or the one that was named
    std::vector<const MethodEntry*> chosen;
    std::vector<std::string> names;
    for (const MethodEntry& entry : fracture::methods()) {
        names.push_back(entry.name());
        if (arguments.name.empty() || arguments.name == entry.name()) chosen.push_back(&entry);
    }
    if (chosen.empty())
        throw InputError("sunder methods", fmt::format("there is no method '{}'{}; there are {}", arguments.name,
                                                       suggestion(arguments.name, names), fmt::join(names, ", ")));
    // for programs a list, for people page after page
    if (arguments.json) {
        Json list = Json::array();
        for (const MethodEntry* entry : chosen) list.push_back(describedMethod(*entry));
        return printJson(list);
    }
    for (const MethodEntry* entry : chosen) {
        if (entry != chosen.front()) print("\n");
        printMethod(*entry);
    }
}

}  // namespace

void addMethods(CLI::App& program) {
    auto arguments = std::make_shared<MethodsArguments>();
    CLI::App* command = program.add_subcommand("methods",
                                               "The ways to break things, each with its settings.\n\n"
                                               "  sunder methods                  all of them\n"
                                               "  sunder methods fem              one\n"
                                               "  sunder methods --json           for programs\n\n"
                                               "In a scene: \"fracture\": {\"method\": \"fem\", \"tets\": 4000}; in "
                                               "sunder fracture: --method fem --set tets=4000.\n");
    command->add_option("name", arguments->name, "one of them");
    command->add_flag("--json", arguments->json, "JSON on stdout");
    command->callback([arguments] { runMethods(*arguments); });
}

}  // namespace sunder::cli
