#pragma once

#include "io/exports/exporter.h"

namespace sunder {

/// A .glb with one node per body, its mesh once, and one animation: docs/export.md. Memory does not grow with the
/// recording but for the JSON part, about 2 kB per body.
void exportGlb(RecordingReader& recording, const std::filesystem::path& output, const ExportOptions& options,
               Progress& progress);

}  // namespace sunder
