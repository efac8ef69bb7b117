#pragma once

#include "io/exports/exporter.h"

namespace sunder {

/// A .pvd for ParaView, and beside it a folder with one .vtu for each frame (or each N-th): docs/export.md. Memory: the
/// surfaces of one frame.
void exportVtk(RecordingReader& recording, const std::filesystem::path& output, const ExportOptions& options,
               Progress& progress);

}  // namespace sunder
