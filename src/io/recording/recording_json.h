#pragma once

#include <string>

#include "sim/simulation.h"

namespace sunder {

/// The JSON texts inside a recording; docs/recording.md lists their keys.
std::string figuresJson(const sim::StepReport& report);
std::string secondsJson(const sim::StepSeconds& seconds);
std::string eventJson(const sim::BreakReport& report);
std::string releaseJson(const dynamics::BodyState& body);
std::string messageJson(const std::string& message);
std::string hashText(uint64_t hash);  // 16 hex digits

}  // namespace sunder
