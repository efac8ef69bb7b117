#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace sunder {

/// How much a line matters to whoever reads it. Off is a threshold for setLogLevel(), above all lines.
enum class LogLevel { Debug, Info, Warning, Error, Off };

/// Lines below this level are dropped. Logs go to stderr: stdout is data.
void setLogLevel(LogLevel level);
/// Also writes every line that is not dropped, with time and level, to a file. Not while others log.
void addLogFile(const std::string& path);
/// To stderr and to all log files. May be called from any thread; lines do not mix.
void logLine(LogLevel level, std::string_view line);

// A line in the way of fmt: logInfo("{} bodies", count). It is made even if its level is dropped: not for inner loops.
template <class... Args>
void logDebug(fmt::format_string<Args...> format, Args&&... args) {
    logLine(LogLevel::Debug, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void logInfo(fmt::format_string<Args...> format, Args&&... args) {
    logLine(LogLevel::Info, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void logWarning(fmt::format_string<Args...> format, Args&&... args) {
    logLine(LogLevel::Warning, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void logError(fmt::format_string<Args...> format, Args&&... args) {
    logLine(LogLevel::Error, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace sunder
