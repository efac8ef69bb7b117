#pragma once

#include <cstdint>
#include <optional>

#include "io/recording/recording_reader.h"

namespace sunder {

/// Frames of a recording, first and last included.
struct FrameRange {
    uint64_t first = 0, last = 0;                        // numbers of frames; 0 is the start
    uint64_t count() const { return last - first + 1; }  // 1 or more
};

/// Those from --from to --to, or all there are by now. Throws InputError when they are not all there.
FrameRange framesBetween(const RecordingReader& recording, std::optional<uint64_t> first, std::optional<uint64_t> last);

/// In some of the frames. A body that broke within the frame of its birth is in none.
bool isSeen(const RecordedBody& body, const FrameRange& range);

}  // namespace sunder
