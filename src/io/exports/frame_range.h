#pragma once

#include <cstdint>

#include "io/exports/exporter.h"

namespace sunder {

/// Frames of a recording, first and last included.
struct FrameRange {
    uint64_t first = 0, last = 0;
    uint64_t count() const { return last - first + 1; }
};

/// Those asked for, or all there are by now. Throws InputError when they are not all there.
FrameRange framesToExport(const RecordingReader& recording, const ExportOptions& options);

}  // namespace sunder
