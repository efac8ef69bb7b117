#include <string>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/output.h"
#include "io/exports/exporter.h"

namespace sunder::cli {

namespace {

struct ExportArguments {
    std::string recording, output;
    ExportOptions options;
    bool force = false;
};

void runExport(const ExportArguments& arguments) {
    const Exporter& exporter = exporterFor(arguments.output);
    RecordingReader recording(arguments.recording);
    checkOutput(arguments.output, arguments.force);
    exporter.write(recording, arguments.output, arguments.options, terminalProgress());
    fmt::print("{}\n", arguments.output);
}

}  // namespace

void addExport(CLI::App& program) {
    auto arguments = std::make_shared<ExportArguments>();
    std::string help = "Hands a recording over to other tools.\n\n  sunder export wall.sunder -o wall.glb\n\n";
    for (const Exporter& exporter : exporters())
        help += fmt::format("  {:8}{}\n", *exporter.extension ? exporter.extension : "FOLDER", exporter.description);
    CLI::App* command = program.add_subcommand("export", help);
    command->add_option("recording", arguments->recording, "the recording")->required();
    command->add_option("-o,--output", arguments->output, "what to write; its ending says how")->required();
    command->add_option("--from", arguments->options.firstFrame, "the first frame; without: 0");
    command->add_option("--to", arguments->options.lastFrame, "the last frame; without: the last there is");
    command->add_flag("--force", arguments->force, "overwrite the output");
    command->callback([arguments] { runExport(*arguments); });
}

}  // namespace sunder::cli
