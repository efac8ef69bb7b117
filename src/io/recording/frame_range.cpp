#include "io/recording/frame_range.h"

#include <fmt/format.h>

#include "base/error.h"

namespace sunder {

namespace {

void checkFrame(const char* option, uint64_t frame, uint64_t last) {
    if (frame > last)
        throw InputError(option, fmt::format("there is no frame {}; the recording's last one is {}", frame, last));
}

}  // namespace

FrameRange framesBetween(const RecordingReader& recording, std::optional<uint64_t> first,
                         std::optional<uint64_t> last) {
    const uint64_t end = recording.lastFrame();
    const FrameRange range{first.value_or(0), last.value_or(end)};
    checkFrame("--from", range.first, end);
    checkFrame("--to", range.last, end);
    if (range.first > range.last)
        throw InputError("--from", fmt::format("frame {} comes after --to {}; exchange them", range.first, range.last));
    return range;
}

bool isSeen(const RecordedBody& body, const FrameRange& range) {
    const uint64_t end = body.died.value_or(range.last + 1);
    return body.born < end && body.born <= range.last && end > range.first;
}

}  // namespace sunder
