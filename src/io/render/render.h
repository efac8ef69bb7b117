#pragma once

#include <filesystem>

#include "base/progress.h"
#include "io/render/film.h"
#include "io/render/povray.h"

namespace sunder {

/// How pictures of a film are drawn.
struct RenderOptions {
    PovQuality quality = PovQuality::Good;  // how much work each is worth
    int jobs = 0;                           // frames at once; 0: one per core
    bool replace = false;                   // pictures of these names that were made otherwise are overwritten
};

/// "frame_00012.png"
std::string frameFile(uint64_t frame);

/// Draws the film's frames into a folder, which may have other things in it, as frame_00012.png. What a run before this
/// one finished, from the same recording with the same settings, is kept; a picture of that name that was made
/// otherwise gives an InputError unless it may be replaced. Pictures appear when they are whole. Returns POV-Ray's
/// warnings, each once.
std::vector<std::string> renderFrames(Film& film, const std::filesystem::path& folder, const RenderOptions& options,
                                      Progress& progress);

/// One frame, the film's first, into one file.
void renderStill(Film& film, const std::filesystem::path& png, PovQuality quality, const Progress& progress);

/// A folder of ours for the frames of a film that is being made, under a name that the next try finds. It is made when
/// it is not there. Throws InputError for a folder that we did not make, with something in it.
void prepareFramesFolder(const std::filesystem::path& folder);

/// These frames of a folder as a film that plays everywhere (H.264). Throws InputError: ffmpeg missing (and how to get
/// it), or its own complaint.
void encodeFilm(const std::filesystem::path& folder, const std::vector<uint64_t>& frames,
                const std::filesystem::path& mp4, double framesPerSecond, const Progress& progress);

}  // namespace sunder
