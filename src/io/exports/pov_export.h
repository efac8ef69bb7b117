#pragma once

#include "io/exports/exporter.h"

namespace sunder {

/// Files for POV-Ray (io/render/pov_film.h), for those who render with a set-up of their own: docs/export.md. Memory:
/// the surfaces that appear in one frame.
void exportPov(RecordingReader& recording, const std::filesystem::path& output, const ExportOptions& options,
               Progress& progress);

}  // namespace sunder
