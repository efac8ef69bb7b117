#include "cli/output.h"

#include <csignal>
#include <cstdio>

#include <fmt/format.h>

#include "base/error.h"

namespace sunder::cli {

void checkOutput(const std::filesystem::path& path, bool force) {
    if (std::filesystem::is_directory(path)) throw InputError(path.string(), "is a folder; give the name of a file");
    if (std::filesystem::exists(path) && !force) {
        throw InputError(path.string(), "is there already; choose another name or add --force to overwrite it");
    }
    const std::filesystem::path folder = path.parent_path();
    if (!folder.empty() && !std::filesystem::is_directory(folder)) {
        throw InputError(path.string(), "the folder " + folder.string() + " does not exist; make it first");
    }
}

void printJson(const Json& json) {
    // names in files may hold bytes that are no UTF-8; show them as replacement characters rather than fail
    std::printf("%s\n", json.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
}

std::string describeBytes(size_t bytes) {
    const double b = static_cast<double>(bytes);
    if (b < 1e3) return fmt::format("{} bytes", bytes);
    if (b < 1e6) return fmt::format("{:.1f} kB", b / 1e3);
    if (b < 1e9) return fmt::format("{:.1f} MB", b / 1e6);
    return fmt::format("{:.2f} GB", b / 1e9);
}

std::string describeSize(const Vec3& size) {
    return fmt::format("{:.4g} x {:.4g} x {:.4g}", size.x(), size.y(), size.z());
}

Progress& terminalProgress() {
    static TerminalProgress terminal;
    static Progress progress(&terminal);
    // cancel() only sets an atomic flag, so a signal handler may call it; who asks twice is not kept waiting
    const auto stop = [](int number) {
        progress.cancel();
        std::signal(number, SIG_DFL);
    };
    std::signal(SIGINT, stop);
    std::signal(SIGTERM, stop);
    return progress;
}

}  // namespace sunder::cli
