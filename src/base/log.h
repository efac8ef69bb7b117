#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace sunder {

enum class LogLevel { Debug, Info, Warning, Error, Off };

/// Lines below this level are dropped. Logs go to stderr: stdout is data.
void setLogLevel(LogLevel level);
/// Also writes every line, with time and level, to a file.
void addLogFile(const std::string& path);
void logLine(LogLevel level, std::string_view line);

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
