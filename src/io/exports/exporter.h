#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "base/progress.h"
#include "io/recording_reader.h"

namespace sunder {

struct ExportOptions {
    std::optional<uint64_t> firstFrame, lastFrame;  // without: all there are
};

/// One way to hand a recording over.
struct Exporter {
    const char* extension;    // ".glb"; empty: a folder
    const char* description;  // for --help
    void (*write)(RecordingReader& recording, const std::filesystem::path& output, const ExportOptions& options,
                  Progress& progress);
};

/// All there are, in the order in which help lists them.
std::span<const Exporter> exporters();

/// Chosen by the extension of the output; a name without one is a folder. Throws InputError for any other.
const Exporter& exporterFor(const std::filesystem::path& output);

}  // namespace sunder
