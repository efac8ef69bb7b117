#pragma once

#include "cli/output.h"
#include "io/recording_stats.h"

namespace sunder::cli {

/// DESIGN.md, "Contracts for machines": extended, never renamed.
Json toJson(const RecordingStats& stats);
void printStats(const RecordingStats& stats);

}  // namespace sunder::cli
