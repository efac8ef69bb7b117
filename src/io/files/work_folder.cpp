#include "io/files/work_folder.h"

#include <cerrno>
#include <cstring>
#include <random>
#include <regex>
#include <sys/stat.h>

#include <fmt/format.h>

#include "base/error.h"

namespace sunder {

namespace fs = std::filesystem;

namespace {

constexpr int kAttempts = 100;
constexpr size_t kLongestName = 200;  // bytes; systems allow 255

/// "out/" and "out" are the same folder.
fs::path withoutSlash(const fs::path& path) {
    return path.has_filename() || !path.has_parent_path() ? path : path.parent_path();
}

}  // namespace

fs::path unfinishedName(const fs::path& path) {
    static thread_local std::random_device chance;
    const uint64_t number = uint64_t{chance()} << 32 | chance();
    const fs::path whole = withoutSlash(path);
    return whole.parent_path() /
           fmt::format("{}.part-{:016x}", whole.filename().string().substr(0, kLongestName), number);
}

bool isUnfinishedName(const std::string& name, const std::string& of) {
    static const std::regex unfinished(R"((.+)\.part-[0-9a-f]{16})");
    std::smatch found;
    return std::regex_match(name, found, unfinished) && (of.empty() || found[1] == of.substr(0, kLongestName));
}

WorkFolder::WorkFolder(const fs::path& beside) {
    int reason = EEXIST;
    for (int attempt = 0; attempt < kAttempts && reason == EEXIST; ++attempt) {
        path_ = unfinishedName(beside);
        reason = ::mkdir(path_.c_str(), 0777) == 0 ? 0 : errno;
    }
    if (reason != 0) throw InputError(beside.string(), fmt::format("cannot be written: {}", std::strerror(reason)));
}

WorkFolder::~WorkFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
}

void WorkFolder::rename(const fs::path& name) {
    std::error_code problem;
    fs::rename(path_, withoutSlash(name), problem);
    if (problem) throw InputError(name.string(), fmt::format("cannot be put in place: {}", problem.message()));
    path_.clear();
}

}  // namespace sunder
