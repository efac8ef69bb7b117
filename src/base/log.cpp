#include "base/log.h"

#include <memory>

#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

namespace sunder {

namespace {

spdlog::logger& logger() {
    static const std::shared_ptr<spdlog::logger> instance = [] {
        auto terminal = std::make_shared<spdlog::sinks::stderr_color_sink_mt>();
        terminal->set_pattern("%^%l%$: %v");
        return std::make_shared<spdlog::logger>("sunder", std::move(terminal));
    }();
    return *instance;
}

spdlog::level::level_enum spdlogLevel(LogLevel level) {
    switch (level) {
        case LogLevel::Debug:
            return spdlog::level::debug;
        case LogLevel::Info:
            return spdlog::level::info;
        case LogLevel::Warning:
            return spdlog::level::warn;
        case LogLevel::Error:
            return spdlog::level::err;
        case LogLevel::Off:
            break;
    }
    return spdlog::level::off;
}

}  // namespace

void setLogLevel(LogLevel level) { logger().set_level(spdlogLevel(level)); }

void addLogFile(const std::string& path) {
    auto file = std::make_shared<spdlog::sinks::basic_file_sink_mt>(path);
    file->set_pattern("%Y-%m-%dT%H:%M:%S.%e %l %v");
    logger().sinks().push_back(std::move(file));
}

void logLine(LogLevel level, std::string_view line) {
    logger().log(spdlogLevel(level), spdlog::string_view_t(line.data(), line.size()));
}

}  // namespace sunder
