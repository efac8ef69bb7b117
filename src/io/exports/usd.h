#pragma once

#include "io/exports/exporter.h"

namespace sunder {

/// USD as text: one Xform per body with time samples, visibility, its mesh and materials; docs/export.md. Written as it
/// goes along: memory does not grow with the recording.
void exportUsd(RecordingReader& recording, const std::filesystem::path& output, const ExportOptions& options,
               Progress& progress);

}  // namespace sunder
