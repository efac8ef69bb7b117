#include <optional>
#include <string>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/ranges.h"
#include "io/render/film_request.h"

namespace sunder::cli {

namespace {

struct RenderArguments {
    std::string recording;
    FilmRequest request;
    std::vector<double> view, eye, target;
};

/// Nothing when the option was not given.
std::optional<Vec3> vectorIn(const std::vector<double>& numbers) {
    if (numbers.size() != 3) return {};
    return Vec3(numbers[0], numbers[1], numbers[2]);
}

/// Warnings go to stderr: stdout has the name of the picture alone.
void runRender(RenderArguments& arguments) {
    FilmRequest& request = arguments.request;
    request.view = vectorIn(arguments.view);
    request.eye = vectorIn(arguments.eye);
    request.target = vectorIn(arguments.target);
    RecordingReader recording(arguments.recording);
    if (!request.output.extension().empty()) checkOutput(request.output, request.force);
    for (const std::string& warning : renderFilm(recording, request, terminalProgress()))
        print(stderr, "POV-Ray: {}\n", warning);
    print("{}\n", request.output.string());
}

}  // namespace

void addRender(CLI::App& program) {
    auto arguments = std::make_shared<RenderArguments>();
    CLI::App* command = program.add_subcommand(
        "render",
        "Ray-traced pictures of a recording, as its scene's view says (needs POV-Ray; films need ffmpeg).\n\n"
        "  sunder render wall.sunder -o wall.mp4                    a film; stopped, it goes on with the same command\n"
        "  sunder render wall.sunder -o wall.png --frame 20         one frame; without --frame the last\n"
        "  sunder render wall.sunder -o frames --every 2            a folder of frame_00000.png, frame_00002.png, ...\n"
        "  sunder render wall.sunder -o sheet.png --contact-sheet   twelve moments on one page\n"
        "  sunder export wall.sunder -o wall.pov                    the files for POV-Ray, for a set-up of your own\n");
    // what is shown: one frame, some or all
    const auto size = wholeWithin(16, 16384);
    command->add_option("recording", arguments->recording, "the recording; it may be in the making")->required();
    command->add_option("-o,--output", arguments->request.output, "x.png, x.mp4, or a folder")->required();
    command->add_option("--frame", arguments->request.frame, "of one picture; without: the last")
        ->check(wholeWithin(0, kLargestWhole));
    command->add_option("--from", arguments->request.from, "the first frame; without: 0")
        ->check(wholeWithin(0, kLargestWhole));
    command->add_option("--to", arguments->request.to, "the last frame; without: the last there is")
        ->check(wholeWithin(0, kLargestWhole));
    command->add_option("--every", arguments->request.every, "only every so many frames")
        ->check(wholeWithin(1, kMostFrames));
    // how large and how good
    command->add_option("--width", arguments->request.width, "pixels; without: 1280")->check(size);
    command->add_option("--height", arguments->request.height, "pixels; without: 720")->check(size);
    const std::map<std::string, PovQuality> qualities{
        {"draft", PovQuality::Draft}, {"good", PovQuality::Good}, {"best", PovQuality::Best}};
    command
        ->add_option("--quality", arguments->request.options.quality,
                     "draft (hard shadows), good, best (also light thrown back by things; several times slower)")
        ->transform(CLI::CheckedTransformer(qualities));
    // from where; without that the scene's view counts
    command->add_option("--view", arguments->view, "direction of view, as X Y Z (Y is up): all is seen from there")
        ->expected(3)
        ->check(finite());
    command->add_option("--eye", arguments->eye, "where to look from, as X Y Z, with --target")
        ->expected(3)
        ->check(finite());
    command->add_option("--target", arguments->target, "where to look at, as X Y Z, with --eye")
        ->expected(3)
        ->check(finite());
    command->add_option("--fov", arguments->request.fieldOfView, "degrees across the picture, with --eye; without: 30")
        ->check(within(1, 170));
    // the film
    command->add_option("--highlight", arguments->request.highlighted, "bodies to draw in green, by name");
    command->add_option("--fps", arguments->request.framesPerSecond, "of a film; without: real time")
        ->check(within(0.1, 1000));
    command->add_option("--jobs", arguments->request.options.jobs, "frames at once; without: one per core")
        ->check(wholeWithin(1, 1024));
    command->add_flag("--contact-sheet", arguments->request.contactSheet,
                      "twelve frames, or every --every, on one picture");
    command->add_flag("--keep-frames", arguments->request.keepFrames, "keep the pictures of a film in OUTPUT.frames");
    // what becomes of files
    command->add_flag("--force", arguments->request.force, "overwrite the output");
    command->callback([arguments] { runRender(*arguments); });
}

}  // namespace sunder::cli
