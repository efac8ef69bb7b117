#include "io/render.h"

#include <algorithm>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "io/exports/frame_range.h"
#include "io/film.h"
#include "io/image.h"

namespace sunder::cli {

namespace fs = std::filesystem;

namespace {

constexpr uint64_t kSheetFrames = 12;
constexpr int kSheetColumns = 4;

struct RenderArguments {
    std::string recording;
    fs::path output;
    std::optional<uint64_t> frame, from, to, every;
    std::optional<int> width, height;
    std::vector<double> view, eye, target;
    std::optional<double> fieldOfView, framesPerSecond;
    std::vector<std::string> highlighted;
    RenderOptions options;
    bool contactSheet = false, keepFrames = false, force = false;
};

enum class Product { Still, ContactSheet, Film, Folder };

Product productOf(const RenderArguments& arguments) {
    const std::string extension = arguments.output.extension().string();
    if (extension == ".mp4" && !arguments.contactSheet) return Product::Film;
    if (extension == ".png") return arguments.contactSheet ? Product::ContactSheet : Product::Still;
    if (arguments.contactSheet)
        throw InputError(arguments.output.string(), "a contact sheet is one picture: give a .png");
    if (extension.empty()) return Product::Folder;
    throw InputError(arguments.output.string(),
                     fmt::format("cannot render to '{}'; there are .png (one frame), .mp4, and a folder", extension));
}

std::vector<uint64_t> framesOf(const RenderArguments& arguments, const RecordingReader& recording, Product product) {
    if (product == Product::Still) {
        const uint64_t last = recording.lastFrame(), frame = arguments.frame.value_or(last);
        if (frame <= last) return {frame};
        throw InputError("--frame", fmt::format("there is no frame {}; the recording's last one is {}", frame, last));
    }
    if (arguments.frame) throw InputError("--frame", "is for one picture; say --from and --to");
    const auto [from, to] = framesToExport(recording, {.firstFrame = arguments.from, .lastFrame = arguments.to});
    std::vector<uint64_t> frames;
    if (product == Product::ContactSheet && !arguments.every) {
        const uint64_t count = std::min(kSheetFrames, to - from + 1);
        for (uint64_t i = 0; i < count; ++i) frames.push_back(from + (count > 1 ? i * (to - from) / (count - 1) : 0));
        return frames;
    }
    for (uint64_t frame = from; frame <= to; frame += arguments.every.value_or(1)) frames.push_back(frame);
    return frames;
}

std::optional<Vec3> vectorIn(const std::vector<double>& numbers) {
    if (numbers.size() != 3) return {};
    return Vec3(numbers[0], numbers[1], numbers[2]);
}

FilmOptions filmOptions(const RenderArguments& arguments, RecordingReader& recording, Product product) {
    FilmOptions options;
    options.frames = framesOf(arguments, recording, product);
    if (product == Product::ContactSheet) options.size = {400, 225};
    options.size.width = arguments.width.value_or(options.size.width);
    options.size.height = arguments.height.value_or(options.size.height);
    if (product == Product::Film && (options.size.width % 2 != 0 || options.size.height % 2 != 0))
        throw InputError("--width", fmt::format("a film of {} x {} pixels cannot be encoded: both must be even",
                                                options.size.width, options.size.height));
    options.highlighted = arguments.highlighted;
    options.direction = vectorIn(arguments.view);
    const std::optional<Vec3> eye = vectorIn(arguments.eye), target = vectorIn(arguments.target);
    if (eye.has_value() != target.has_value()) throw InputError("--eye", "goes with --target");
    if (eye) options.camera = PovCamera{*eye, *target, arguments.fieldOfView.value_or(PovCamera{}.fieldOfView)};
    return options;
}

fs::path framesFolder(const fs::path& output) {
    fs::path folder = output;
    return folder += ".frames";
}

void writeSheet(const Film& film, const fs::path& folder, const fs::path& png) {
    std::vector<Image> images;
    for (const uint64_t frame : film.options().frames) images.push_back(readPng(folder / frameFile(frame)));
    writePng(contactSheet(images, kSheetColumns, 4, {255, 255, 255}), png);
}

void render(const RenderArguments& arguments, Product product, Film& film) {
    const bool ownFolder = product != Product::Folder;
    const fs::path folder = ownFolder ? framesFolder(arguments.output) : arguments.output;
    RenderOptions options = arguments.options;
    options.replace = arguments.force || ownFolder;  // frames of an unfinished film are nobody's but ours
    for (const std::string& warning : renderFrames(film, folder, options, terminalProgress()))
        fmt::print(stderr, "POV-Ray: {}\n", warning);
    if (product == Product::ContactSheet) writeSheet(film, folder, arguments.output);
    if (product == Product::Film) {
        const double every = static_cast<double>(arguments.every.value_or(1));
        encodeFilm(folder, film.options().frames, arguments.output,
                   arguments.framesPerSecond.value_or(1 / (film.recording().dt() * every)));
    }
    if (ownFolder && !arguments.keepFrames) fs::remove_all(folder);
}

void runRender(const RenderArguments& arguments) {
    const Product product = productOf(arguments);
    RecordingReader recording(arguments.recording);
    if (product != Product::Folder) checkOutput(arguments.output, arguments.force);
    Film film(recording, filmOptions(arguments, recording, product));
    if (product == Product::Still) {
        renderStill(film, arguments.output, arguments.options.quality);
    } else {
        render(arguments, product, film);
    }
    fmt::print("{}\n", arguments.output.string());
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
    const auto size = CLI::Range(16, 16384);
    command->add_option("recording", arguments->recording, "the recording; it may be in the making")->required();
    command->add_option("-o,--output", arguments->output, "x.png, x.mp4, or a folder")->required();
    command->add_option("--frame", arguments->frame, "of one picture; without: the last");
    command->add_option("--from", arguments->from, "the first frame; without: 0");
    command->add_option("--to", arguments->to, "the last frame; without: the last there is");
    command->add_option("--every", arguments->every, "only every so many frames")->check(CLI::Range(1, 1000000));
    command->add_option("--width", arguments->width, "pixels; without: 1280")->check(size);
    command->add_option("--height", arguments->height, "pixels; without: 720")->check(size);
    const std::map<std::string, PovQuality> qualities{
        {"draft", PovQuality::Draft}, {"good", PovQuality::Good}, {"best", PovQuality::Best}};
    command
        ->add_option("--quality", arguments->options.quality,
                     "draft (hard shadows), good, best (also light thrown back by things; several times slower)")
        ->transform(CLI::CheckedTransformer(qualities));
    command->add_option("--view", arguments->view, "direction of view, as X Y Z (Y is up): all is seen from there")
        ->expected(3);
    command->add_option("--eye", arguments->eye, "where to look from, as X Y Z, with --target")->expected(3);
    command->add_option("--target", arguments->target, "where to look at, as X Y Z, with --eye")->expected(3);
    command->add_option("--fov", arguments->fieldOfView, "degrees across the picture, with --eye; without: 30")
        ->check(CLI::Range(1.0, 170.0));
    command->add_option("--highlight", arguments->highlighted, "bodies to draw in green, by name");
    command->add_option("--fps", arguments->framesPerSecond, "of a film; without: real time")
        ->check(CLI::Range(0.1, 1000.0));
    command->add_option("--jobs", arguments->options.jobs, "frames at once; without: one per core")
        ->check(CLI::Range(1, 1024));
    command->add_flag("--contact-sheet", arguments->contactSheet, "twelve frames, or every --every, on one picture");
    command->add_flag("--keep-frames", arguments->keepFrames, "keep the pictures of a film in OUTPUT.frames");
    command->add_flag("--force", arguments->force, "overwrite the output");
    command->callback([arguments] { runRender(*arguments); });
}

}  // namespace sunder::cli
