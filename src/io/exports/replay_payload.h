#pragma once

#include <string>

#include "io/exports/exporter.h"

namespace sunder {

/// What a replay page holds of a recording, uncompressed; web/src/core/payload.ts reads it:
///
///     "SUNDERRP", uint32 version, uint32 size of the header, the header (JSON), blobs
///
/// `blobs` in the header has offset (from the end of the header) and size of each:
///
///     vertices, triangles   replay_meshes.h
///     tracks                replay_tracks.h, bodies ascending
///     bodyNumbers           float32 per body: mass kg, volume m^3, centre of mass in the mesh's coordinates x y z m
///     series                float32, one row over all frames per name in the header's `series`
///
/// and one for each stream that replays have (record_stream.h), by its name: `stress`. Of breaks, `bytes` under the
/// stream's name in an event has offset and size in it; of frames, the header's `streams` has under its name `frames`
/// and, for each, `bytes`.
///
/// Columns under `bodies` have one entry per body; -1 stands for none.
inline constexpr uint32_t kReplayVersion = 1;
inline constexpr const char* kReplayMagic = "SUNDERRP";

std::string replayPayload(RecordingReader& recording, const ExportOptions& options, Progress& progress);

}  // namespace sunder
