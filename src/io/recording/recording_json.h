#pragma once

#include <span>
#include <string>

#include "io/recording/record_stream.h"
#include "sim/simulation.h"

namespace sunder {

/// The JSON texts inside a recording; docs/recording.md lists their keys.
std::string figuresJson(const sim::StepReport& report);
std::string secondsJson(const sim::StepSeconds& seconds);
/// With what `streams` have to say of the break.
std::string eventJson(const sim::BreakReport& report, std::span<const RecordStream> streams);
std::string releaseJson(const dynamics::BodyState& body);
std::string messageJson(const std::string& message);
std::string hashText(uint64_t hash);  // 16 hex digits

}  // namespace sunder
