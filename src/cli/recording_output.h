#pragma once

#include "cli/output.h"
#include "io/recording/recording_stats.h"

namespace sunder::cli {

/// Scripts read the keys: they are extended, never renamed.
Json toJson(const RecordingStats& stats);
void printStats(const RecordingStats& stats);

/// What `sunder info` says of a recording.
void infoOfRecording(const std::string& file, bool json);

}  // namespace sunder::cli
