#include "cli/output.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <iostream>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "base/error.h"
#include "io/files/replaceable.h"
#include "io/files/source.h"

namespace sunder::cli {

namespace {

/// What is written beside an output, under a name made of its own.
std::vector<std::filesystem::path> companionsOf(const std::filesystem::path& path) {
    const auto with = [&](const char* extension) { return std::filesystem::path(path).replace_extension(extension); };
    const std::string extension = path.extension().string();
    if (extension == ".obj") return {with(".mtl")};
    if (extension == ".node") return {with(".ele")};
    if (extension == ".ele") return {with(".node")};
    return {};
}

}  // namespace

void checkOutput(const std::filesystem::path& path, bool force) {
    const Overwrite overwrite = force ? Overwrite::Yes : Overwrite::No;
    checkReplaceable(path, overwrite);
    for (const std::filesystem::path& companion : companionsOf(path)) checkReplaceable(companion, overwrite);
    const std::filesystem::path folder = path.parent_path();
    std::error_code problem;
    if (!folder.empty() && !std::filesystem::is_directory(folder, problem)) {
        throw InputError(path.string(), "the folder " + folder.string() + " does not exist; make it first");
    }
}

void checkPngOutput(const std::filesystem::path& path, bool force) {
    if (!equalIgnoringCase(path.extension().string(), ".png"))
        throw InputError(path.string(), "is no name of a picture; give one that ends in .png");
    checkOutput(path, force);
}

void printRaw(std::FILE* stream, std::string_view text) { std::fwrite(text.data(), 1, text.size(), stream); }

std::string joined(std::span<const std::string> words) { return fmt::format("{}", fmt::join(words, ", ")); }

void printJson(const Json& json) {
    // names in files may hold bytes that are no UTF-8; show them as replacement characters rather than fail
    printLines(stdout, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
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

namespace {

volatile std::sig_atomic_t stopSignal = SIGINT;  // the last one that asked for a stop

}  // namespace

Progress& terminalProgress() {
    static TerminalProgress terminal;
    static Progress progress(&terminal);
    // cancel() only sets an atomic flag, so a signal handler may call it; who asks twice is not kept waiting
    const auto stop = [](int number) {
        stopSignal = number;
        progress.cancel();
        std::signal(number, SIG_DFL);
    };
    std::signal(SIGINT, stop);
    std::signal(SIGTERM, stop);
    return progress;
}

int stoppedCode() { return 128 + stopSignal; }

void prepareStreams() {
    std::signal(SIGXFSZ, SIG_IGN);
    // in their order: open() takes the lowest number that is free. Nothing can be written into what is opened here
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(stream, F_GETFD) < 0) (void)::open("/dev/null", O_RDONLY);
    }
}

bool finishOutput() {
    // what C++'s stream holds goes through the same descriptor
    errno = 0;
    std::cout.flush();
    const bool flushed = std::fflush(stdout) == 0 && !std::cout.fail();
    if (flushed && std::ferror(stdout) == 0) return true;
    const std::string reason = errno != 0 ? std::strerror(errno) : "an earlier part was lost";
    print(stderr, "sunder: stdout: the answer could not be written: {}\n", reason);
    return false;
}

}  // namespace sunder::cli
