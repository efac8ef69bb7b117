#include <filesystem>
#include <string>

#include <fmt/format.h>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "io/scene/scene_io.h"
#include "scene/check.h"
#include "scene/schema_text.h"

namespace sunder::cli {

namespace {

namespace fs = std::filesystem;

struct ValidateArguments {
    std::string file;
    std::vector<std::string> settings;
    bool json = false, schema = false, docs = false, canonical = false;
};

/// One mistake, as editors want it: where, what is there, what may be.
Json issueJson(const schema::Issues& issues, const schema::Issue& issue) {
    const bool warning = issue.severity == schema::Issue::Severity::Warning;
    return {{"severity", warning ? "warning" : "error"},
            {"file", issues.file()},
            {"pointer", issue.pointer},
            {"message", issue.message},
            {"found", issue.found},
            {"allowed", issue.allowed}};
}

/// Mistakes go to stderr, that all is well to stdout; JSON always to stdout.
void report(const ValidateArguments& arguments, const scene::ParsedScene& parsed) {
    const schema::Issues& issues = parsed.issues;
    if (arguments.json) {
        Json list = Json::array();
        for (const schema::Issue& issue : issues.list()) list.push_back(issueJson(issues, issue));
        printJson(
            {{"file", arguments.file}, {"valid", !issues.failed()}, {"errors", issues.errors()}, {"issues", list}});
        return;
    }
    printLines(stderr, issues.describe());
    if (!issues.failed()) {
        print("{}: good: {:.0f} bodies, {} frames\n", arguments.file, scene::bodyCount(parsed.scene),
              parsed.scene.world.frames);
    } else {
        print(stderr, "{}: {} {}\n", arguments.file, issues.errors(), issues.errors() == 1 ? "error" : "errors");
    }
}

/// Ends with code 1 when the scene has errors; warnings alone are fine.
void runValidate(const ValidateArguments& arguments) {
    if (arguments.schema || arguments.docs) {
        printRaw(stdout, arguments.schema ? scene::jsonSchemaText() : scene::schemaDocs());
        return;
    }
    if (arguments.file.empty()) throw CLI::RequiredError("scene");
    scene::ParsedScene parsed = examineScene(arguments.file, arguments.settings);
    FolderMeshes meshes(fs::path(arguments.file).parent_path());
    scene::checkBuild(parsed.scene, meshes, parsed.issues);
    if (arguments.canonical && !parsed.issues.failed()) {
        printLines(stdout, scene::sceneText(parsed.scene));
        return;
    }
    report(arguments, parsed);
    if (parsed.issues.failed()) throw CLI::RuntimeError(1);
}

}  // namespace

void addValidate(CLI::App& program) {
    auto arguments = std::make_shared<ValidateArguments>();
    CLI::App* command = program.add_subcommand("validate",
                                               "Is a scene good? Names every mistake, where it stands, and what is "
                                               "allowed there.\n\n"
                                               "  sunder validate scenes/demo-ball-through-wall.json\n"
                                               "  sunder validate wall.json --set wall.pieces=60 --json\n");
    command->add_option("scene", arguments->file, "the scene file");
    command->add_option("--set", arguments->settings,
                        "change a value first: PARAMETER=VALUE, a.path=VALUE or /a/pointer=VALUE; may be repeated");
    command->add_flag("--json", arguments->json, "one JSON object on stdout");
    command->add_flag("--canonical", arguments->canonical, "print the scene as it would be saved");
    command->add_flag("--schema", arguments->schema, "print the JSON Schema of scenes");
    command->add_flag("--docs", arguments->docs, "print docs/scene.md");
    command->callback([arguments] { runValidate(*arguments); });
}

}  // namespace sunder::cli
