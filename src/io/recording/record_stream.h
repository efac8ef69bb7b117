#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "sim/frame_sink.h"

namespace sunder {

/// What a stream keeps of one frame or of one break.
struct StreamEntry {
    uint64_t items = 0;            // how many things the bytes hold, for those who do not decode them
    std::vector<std::byte> bytes;  // uncompressed
};

/// What the digest of a recording takes from each entry. The first two streams are older than the rule.
enum class StreamDigest { Data, KeyAndData, NameKeyAndData };

/// One kind of thing that a run leaves behind besides bodies, poses and events. A stream is described here once, beside
/// its codec, and is a row of recordStreams(): it is then written, read, dropped with its frames, resumed, part of the
/// digest, of replays and of what Studio sends. Its table has the columns key(), `items` and `data` (zstd).
struct RecordStream {
    /// Makes the entry of a frame.
    using OfFrame = std::optional<StreamEntry> (*)(const sim::FrameRecord& frame);
    /// Makes the entry of a break.
    using OfBreak = std::optional<StreamEntry> (*)(const sim::BreakReport& report);

    const char* name;                                 // of the table, the blob of replays, on Studio's wire
    const char* items;                                // the column that counts them
    std::variant<OfFrame, OfBreak> encode;            // nothing: that frame or break has no entry
    void (*check)(std::span<const std::byte> bytes);  // decodes; throws std::runtime_error when damaged
    /// For streams of breaks: what the event itself says under the stream's name; null where there is nothing to say.
    nlohmann::ordered_json (*facts)(const sim::BreakReport& report) = nullptr;
    size_t mostReplayBytes = 0;                          // before the page is packed; 0: not in replays
    StreamDigest digest = StreamDigest::NameKeyAndData;  // new streams leave it as it is

    bool ofFrames() const { return std::holds_alternative<OfFrame>(encode); }  // else of breaks
    /// What names an entry: a frame's number, or the id of a break's event.
    const char* key() const { return ofFrames() ? "frame" : "event"; }
};

/// All there are. An order that a recording's digest depends on: new ones come last.
std::span<const RecordStream> recordStreams();

/// Throws InputError, naming those there are.
const RecordStream& streamNamed(std::span<const RecordStream> streams, std::string_view name);

}  // namespace sunder
