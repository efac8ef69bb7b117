#include <string>

#include <fmt/format.h>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/ranges.h"
#include "io/exports/blender_script.h"
#include "io/exports/exporter.h"

namespace sunder::cli {

namespace {

struct ExportArguments {
    std::string recording, output;
    std::string piecesAs;
    ExportOptions options;
};

/// Options that the chosen kind of output has no use for are told, not passed over.
void checkOptions(const CLI::App& command, const Exporter& exporter) {
    for (const char* option : {"--tolerance", "--every", "--pieces-as", "--blender-script", "--without-stress"}) {
        if (command.count(option) == 0 || exporter.options.find(option) != std::string_view::npos) continue;
        std::string users;
        for (const Exporter& other : exporters()) {
            if (other.options.find(option) == std::string_view::npos) continue;
            users += fmt::format("{}{}", users.empty() ? "" : ", ", *other.extension ? other.extension : "a folder");
        }
        throw InputError(option, fmt::format("is not for {}; it is for {}",
                                             *exporter.extension ? exporter.extension : "a folder", users));
    }
}

/// Blender takes frame rate and range from nowhere in the file; who does not know loses an hour.
void tellOfBlender(const ExportArguments& arguments) {
    const std::filesystem::path output = arguments.output;
    const std::filesystem::path script = output.parent_path() / kBlenderScriptName;
    print(stderr, "{}blender --python {} -- {}\n",
          arguments.options.blenderScript ? "for Blender: " : "for Blender, with --blender-script: ", script.string(),
          output.string());
}

/// Mistakes in the options are told before anything is written.
void runExport(const CLI::App& command, ExportArguments& arguments) {
    const Exporter& exporter = exporterFor(arguments.output);
    checkOptions(command, exporter);
    if (!arguments.piecesAs.empty()) arguments.options.pieceFormat = meshFormatOf("piece." + arguments.piecesAs);
    RecordingReader recording(arguments.recording);
    if (*exporter.extension) checkOutput(arguments.output, arguments.options.overwrite);
    exporter.write(recording, arguments.output, arguments.options, terminalProgress());
    print("{}\n", arguments.output);
    if (exporter.options.find("--blender-script") != std::string_view::npos) tellOfBlender(arguments);
}

}  // namespace

void addExport(CLI::App& program) {
    auto arguments = std::make_shared<ExportArguments>();
    // the list of formats comes from the exporters themselves
    std::string help =
        "Hands a recording over to other tools (docs/export.md).\n\n"
        "  sunder export wall.sunder -o wall.glb --blender-script\n"
        "  sunder export wall.sunder -o wall.usda --from 10 --to 60\n"
        "  sunder export wall.sunder -o wall_pieces --pieces-as ply\n\n";
    for (const Exporter& exporter : exporters())
        help += fmt::format("  {:8}{}: {}\n", *exporter.extension ? exporter.extension : "FOLDER", exporter.label,
                            exporter.description);
    CLI::App* command = program.add_subcommand("export", help);
    // what and where to
    command->add_option("recording", arguments->recording, "the recording")->required();
    command->add_option("-o,--output", arguments->output, "what to write; its ending says how")->required();
    // which frames, and how exactly
    command->add_option("--from", arguments->options.firstFrame, "the first frame; without: 0")
        ->check(wholeWithin(0, kLargestWhole));
    command->add_option("--to", arguments->options.lastFrame, "the last frame; without: the last there is")
        ->check(wholeWithin(0, kLargestWhole));
    command->add_option("--tolerance", arguments->options.tolerance,
                        "m: how far surfaces may be from where they were, so that keys can be left out; without: a "
                        "thousandth of the smallest body's radius; 0: a key in every frame");
    command->add_option("--every", arguments->options.every, "write each N-th frame")
        ->check(wholeWithin(1, kMostFrames));
    // what only some formats know
    command->add_option("--pieces-as", arguments->piecesAs, "format of the pieces in a folder; without: obj")
        ->check(CLI::IsMember({"obj", "ply"}));
    command->add_flag("--blender-script", arguments->options.blenderScript,
                      "also write import_blender.py beside the output: sets frame rate and range, and visibility");
    command->add_flag_callback(
        "--without-stress", [arguments] { arguments->options.withoutStreams.insert("stress"); },
        "leave out what bodies felt when they broke: a smaller replay");
    command->add_flag("--force", arguments->options.overwrite, "overwrite the output");
    command->callback([arguments, command] { runExport(*command, *arguments); });
}

}  // namespace sunder::cli
