#pragma once

#include "io/exports/exporter.h"

namespace sunder {

/// A folder for everything else: a mesh file per piece, and tables of bodies, transforms, impacts and breaks, in CSV
/// and JSON; docs/export.md. Memory does not grow with the recording.
void exportPieces(RecordingReader& recording, const std::filesystem::path& output, const ExportOptions& options,
                  Progress& progress);

}  // namespace sunder
