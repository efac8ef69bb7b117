#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "io/render/pov.h"

namespace sunder {

/// How much work a picture is worth.
enum class PovQuality {
    Draft,  // hard shadows, jagged edges: to see what happens
    Good,   // soft shadows, smooth edges
    Best,   // also light that other things throw back; several times slower
};

/// What a file for POV-Ray begins with.
std::string povrayHeader(PovQuality quality);

/// One picture to render.
struct PovrayJob {
    std::filesystem::path pov, png;         // read; written
    PictureSize size;                       // of the picture
    PovQuality quality = PovQuality::Good;  // how much work it is worth
    std::vector<std::string> declarations;  // "Frame=12"
    int threads = 0;                        // 0: POV-Ray's choice, all cores
    std::filesystem::path work;             // a folder for what is unfinished; empty: beside the picture
};

/// Renders; the picture appears under its name only when it is whole. Returns POV-Ray's warnings. Throws InputError
/// naming what failed: POV-Ray missing (and how to get it), or its own complaint; Cancelled, at once, when `progress`
/// is.
std::vector<std::string> runPovray(const PovrayJob& job, const Progress& progress);

}  // namespace sunder
