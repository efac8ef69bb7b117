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

/// In some of the frames. A body that broke within the frame of its birth is in none.
bool isSeen(const RecordedBody& body, const FrameRange& range);

}  // namespace sunder
