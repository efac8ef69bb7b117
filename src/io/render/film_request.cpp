#include "io/render/film_request.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/error.h"
#include "io/files/replaceable.h"
#include "io/recording/frame_range.h"
#include "io/render/film.h"
#include "io/render/image.h"
#include "schema/json_text.h"

namespace sunder {

namespace fs = std::filesystem;

namespace {

constexpr uint64_t kSheetFrames = 12;
constexpr int kSheetColumns = 4;

constexpr int kLeastPixelsAsked = 16, kMostPixelsAsked = 16384;
constexpr double kLeastAngle = 1, kMostAngle = 170;   // degrees
constexpr double kLeastRate = 0.1, kMostRate = 1000;  // frames per second
constexpr double kFarthest = 1e30;                    // m

enum class Product { Still, ContactSheet, Film, Folder };

/// What is to be made follows from the name of the output.
Product productOf(const FilmRequest& request) {
    const std::string extension = request.output.extension().string();
    if (extension == ".mp4" && !request.contactSheet) return Product::Film;
    if (extension == ".png") return request.contactSheet ? Product::ContactSheet : Product::Still;
    if (request.contactSheet) throw InputError(request.output.string(), "a contact sheet is one picture: give a .png");
    if (extension.empty()) return Product::Folder;
    throw InputError(request.output.string(),
                     fmt::format("cannot render to '{}'; there are .png (one frame), .mp4, and a folder", extension));
}

/// Throws InputError that names the option; NaN is in no range.
template <class Number>
void checkWithin(const char* option, const std::optional<Number>& value, Number least, Number most) {
    if (value && !(*value >= least && *value <= most))
        throw InputError(option, fmt::format("is {}; {} to {} is allowed", *value, least, most));
}

void checkPlace(const char* option, const std::optional<Vec3>& place) {
    if (place && !(place->cwiseAbs().maxCoeff() <= kFarthest))
        throw InputError(option, fmt::format("is ({}, {}, {}); three finite numbers are needed", place->x(), place->y(),
                                             place->z()));
}

/// What can be said of a request before its recording is looked at.
void checkRequest(const FilmRequest& request) {
    // numbers within reason
    checkWithin("--every", request.every, uint64_t{1}, uint64_t{1'000'000});
    checkWithin("--width", request.width, kLeastPixelsAsked, kMostPixelsAsked);
    checkWithin("--height", request.height, kLeastPixelsAsked, kMostPixelsAsked);
    checkWithin("--fov", request.fieldOfView, kLeastAngle, kMostAngle);
    checkWithin("--fps", request.framesPerSecond, kLeastRate, kMostRate);
    // a view that goes somewhere
    checkPlace("--view", request.view);
    checkPlace("--eye", request.eye);
    checkPlace("--target", request.target);
    if (request.view && !hasDirection(*request.view))
        throw InputError("--view", "has no direction: its three numbers are 0; give where to look, as in 0 -0.5 -1");
    if (request.eye.has_value() != request.target.has_value()) throw InputError("--eye", "goes with --target");
    if (request.eye && !hasDirection(*request.target - *request.eye))
        throw InputError("--eye", "is where --target is: there is no direction to look in; move one of them");
}

/// Ascending, and all there.
std::vector<uint64_t> framesOf(const FilmRequest& request, const RecordingReader& recording, Product product) {
    if (product == Product::Still) {
        const uint64_t last = recording.lastFrame(), frame = request.frame.value_or(last);
        if (frame <= last) return {frame};
        throw InputError("--frame", fmt::format("there is no frame {}; the recording's last one is {}", frame, last));
    }
    if (request.frame) throw InputError("--frame", "is for one picture; say --from and --to");
    const auto [from, to] = framesBetween(recording, request.from, request.to);
    std::vector<uint64_t> frames;
    if (product == Product::ContactSheet && !request.every) {
        return momentsOf(recording, from, to);
    }
    for (uint64_t frame = from; frame <= to; frame += request.every.value_or(1)) frames.push_back(frame);
    return frames;
}

FilmOptions filmOptions(const FilmRequest& request, RecordingReader& recording, Product product) {
    FilmOptions options;
    options.frames = framesOf(request, recording, product);
    if (product == Product::ContactSheet) options.size = {400, 225};
    options.size.width = request.width.value_or(options.size.width);
    options.size.height = request.height.value_or(options.size.height);
    if (product == Product::Film && (options.size.width % 2 != 0 || options.size.height % 2 != 0))
        throw InputError("--width", fmt::format("a film of {} x {} pixels cannot be encoded: both must be even",
                                                options.size.width, options.size.height));
    options.highlighted = request.highlighted;
    options.direction = request.view;
    const std::optional<Vec3>&eye = request.eye, &target = request.target;
    if (eye) options.camera = Camera{*eye, *target, request.fieldOfView.value_or(Camera{}.fieldOfView)};
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

/// Pictures of frames first, then what is made from them; returns POV-Ray's warnings.
std::vector<std::string> renderSeries(const FilmRequest& request, Product product, Film& film, Progress& progress) {
    const bool ownFolder = product != Product::Folder;
    const fs::path folder = ownFolder ? framesFolder(request.output) : request.output;
    if (ownFolder) {
        checkReplaceable(request.output, Overwrite::Yes);
        prepareFramesFolder(folder);
    }
    RenderOptions options = request.options;
    options.replace = request.force || ownFolder;  // frames of an unfinished film are nobody's but ours
    std::vector<std::string> warnings = renderFrames(film, folder, options, progress);
    if (product == Product::ContactSheet) writeSheet(film, folder, request.output);
    if (product == Product::Film) {
        const double every = static_cast<double>(request.every.value_or(1));
        encodeFilm(folder, film.options().frames, request.output,
                   request.framesPerSecond.value_or(1 / (film.recording().dt() * every)), progress);
    }
    std::error_code ignored;
    if (ownFolder && !request.keepFrames) fs::remove_all(folder, ignored);
    return warnings;
}

}  // namespace

std::vector<uint64_t> momentsOf(const RecordingReader& recording, uint64_t from, uint64_t to) {
    constexpr uint64_t kForBreaks = 8;  // of kSheetFrames
    const uint64_t count = std::min(kSheetFrames, to - from + 1);
    std::set<uint64_t> chosen{from, to};
    // breaks by the impulse that did it; one frame may have several
    std::map<uint64_t, double> hardest;
    for (const RecordedEvent& event : recording.events()) {
        if (!event.isBreak() || event.frame < from || event.frame > to) continue;
        const schema::Json data = schema::jsonIfGood(event.data).value_or(schema::Json());
        const schema::Json impulse = schema::valueAt(data, "/impulse");
        double& most = hardest[event.frame];
        if (impulse.is_number()) most = std::max(most, impulse.get<double>());
    }
    std::vector<std::pair<double, uint64_t>> breaks;
    for (const auto& [frame, impulse] : hardest) breaks.push_back({-impulse, frame});
    std::ranges::sort(breaks);
    for (const auto& [impulse, frame] : breaks) {
        for (const uint64_t moment : {frame, frame + 3, frame > from ? frame - 1 : frame}) {
            if (chosen.size() < std::min(count, kForBreaks)) chosen.insert(std::min(moment, to));
        }
    }
    // the widest gaps are halved
    while (chosen.size() < count) {
        uint64_t widest = 0, middle = from;
        for (auto next = std::next(chosen.begin()); next != chosen.end(); ++next) {
            const uint64_t before = *std::prev(next), gap = *next - before;
            if (gap > widest) {
                widest = gap;
                middle = before + gap / 2;
            }
        }
        chosen.insert(middle);
    }
    return {chosen.begin(), chosen.end()};
}

std::vector<std::string> renderFilm(RecordingReader& recording, const FilmRequest& request, Progress& progress) {
    const Product product = productOf(request);
    checkRequest(request);
    Film film(recording, filmOptions(request, recording, product));
    if (product != Product::Still) return renderSeries(request, product, film, progress);
    renderStill(film, request.output, request.options.quality, progress);
    return {};
}

}  // namespace sunder
