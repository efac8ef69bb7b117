#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "io/recording/recording_reader.h"
#include "io/render/render.h"

namespace sunder {

/// Ray-traced pictures of a recording, as somebody asks for them.
struct FilmRequest {
    std::filesystem::path output;  // x.png: one frame or a contact sheet; x.mp4: a film; without an extension: a folder
    std::optional<uint64_t> frame, from, to, every;
    std::optional<int> width, height;  // pixels
    std::optional<Vec3> view;          // direction
    std::optional<Vec3> eye, target;   // m
    std::optional<double> fieldOfView, framesPerSecond;
    std::vector<std::string> highlighted;  // bodies
    RenderOptions options;
    bool contactSheet = false, keepFrames = false, force = false;
};

/// Makes them. Returns POV-Ray's warnings, each once. Throws InputError for a request that cannot be met; whether the
/// output is there already is for the caller to look at.
std::vector<std::string> renderFilm(RecordingReader& recording, const FilmRequest& request, Progress& progress);

/// The frames of a contact sheet: the first and the last, what the hardest breaks are like just before, then and soon
/// after; and between these, where nothing else is, evenly. Up to twelve, ascending.
std::vector<uint64_t> momentsOf(const RecordingReader& recording, uint64_t from, uint64_t to);

}  // namespace sunder
