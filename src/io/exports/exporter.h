#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "base/progress.h"
#include "io/mesh/mesh_io.h"
#include "io/recording/recording_reader.h"

namespace sunder {

/// What an export takes from the command line. Options of other exporters are ignored.
struct ExportOptions {
    std::optional<uint64_t> firstFrame, lastFrame;  // without: all there are
    std::optional<double> tolerance;           // m, how far surfaces may be from where they were; without: a default
    uint64_t every = 1;                        // of series of files: each N-th frame
    MeshFormat pieceFormat = MeshFormat::Obj;  // of folders: Obj or Ply
    bool blenderScript = false;                // also write import_blender.py beside the output
    std::set<std::string> withoutStreams;      // of replays: names of what is left out
    bool overwrite = false;                    // what belongs to the output, such as a folder beside it
};

/// One way to hand a recording over.
struct Exporter {
    const char* extension;    // ".glb"; empty: a folder
    const char* label;        // as a list of formats names it: "glTF"
    const char* description;  // for whom, as --help and Studio say
    /// Makes the file or folder. Throws InputError, naming what cannot be read or written.
    void (*write)(RecordingReader& recording, const std::filesystem::path& output, const ExportOptions& options,
                  Progress& progress);
    bool oneFile = true;            // nothing belongs to it that lies beside it
    std::string_view options = {};  // those of the command line that only some exporters have: "--tolerance --every"
};

/// All there are, in the order in which help lists them.
std::span<const Exporter> exporters();

/// Chosen by the extension of the output; a name without one is a folder. Throws InputError for any other.
const Exporter& exporterFor(const std::filesystem::path& output);

}  // namespace sunder
