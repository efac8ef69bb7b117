#include "io/scene/asset_folder.h"

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "base/error.h"
#include "base/log.h"
#include "io/files/file_access.h"

namespace sunder {

namespace {

namespace fs = std::filesystem;

constexpr const char* kExtension = ".asset";
constexpr double kKeptShare = 0.8;                   // of the limit, once it is exceeded: not again at the next file
constexpr auto kAbandoned = std::chrono::hours(24);  // unfinished files of programs that were killed

/// An environment variable, if it is set.
std::optional<std::string> setting(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

struct StoredFile {
    fs::path path;
    uint64_t bytes = 0;
    fs::file_time_type used;
};

/// The hash that names an asset, and its end, perhaps with that of an unfinished file. A folder may hold other things.
bool isOurs(const fs::directory_entry& entry) {
    const std::string name = entry.path().filename().string();
    const size_t end = name.find(kExtension);
    if (end == std::string::npos || end == 0 || name.find_first_not_of("0123456789abcdef") != end) return false;
    const std::string_view rest = std::string_view(name).substr(end + std::string_view(kExtension).size());
    std::error_code error;
    return (rest.empty() || rest.starts_with(".part")) && fs::is_regular_file(entry.symlink_status(error));
}

/// Other programs may add and remove files meanwhile: what is gone is passed over.
std::vector<StoredFile> filesIn(const fs::path& folder) {
    std::vector<StoredFile> files;
    std::error_code gone;
    for (fs::directory_iterator entry(folder, gone), end; !gone && entry != end; entry.increment(gone)) {
        if (!isOurs(*entry)) continue;
        std::error_code error;
        const StoredFile file{entry->path(), entry->file_size(error), entry->last_write_time(error)};
        if (!error) files.push_back(file);
    }
    return files;
}

}  // namespace

fs::path AssetFolder::pathOf(const fracture::ContentHash& name) const { return folder_ / (name.text() + kExtension); }

std::optional<std::vector<std::byte>> AssetFolder::get(const fracture::ContentHash& name) const {
    const fs::path path = pathOf(name);
    std::error_code error;
    if (!fs::exists(path, error)) return std::nullopt;
    try {
        const std::string bytes = readWholeFile(path, limit_);
        fs::last_write_time(path, fs::file_time_type::clock::now(), error);  // used; if it cannot be noted, so be it
        const auto content = std::as_bytes(std::span(bytes));
        return std::vector<std::byte>(content.begin(), content.end());
    } catch (const InputError& problem) {
        complain(problem.what());
        return std::nullopt;
    }
}

void AssetFolder::put(const fracture::ContentHash& name, std::span<const std::byte> bytes) {
    if (bytes.size() > limit_) return;
    try {
        std::error_code error;
        fs::create_directories(folder_, error);
        if (error) throw InputError(folder_.string(), "cannot be made: " + error.message());
        writeFileAtomically(pathOf(name), {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
        removeOldest();
    } catch (const InputError& problem) {
        complain(problem.what());
    }
}

void AssetFolder::removeOldest() const {
    // what is there; files that nobody finished are not counted, and go when they are old
    std::vector<StoredFile> files = filesIn(folder_);
    const auto now = fs::file_time_type::clock::now();
    uint64_t sum = 0;
    std::error_code error;
    for (StoredFile& file : files) {
        const bool unfinished = file.path.extension() != kExtension;
        if (unfinished && now - file.used > kAbandoned) fs::remove(file.path, error);
        if (unfinished) file.bytes = 0;
        sum += file.bytes;
    }
    // beyond the limit the least recently used go first, down to a share that leaves room for the next
    if (sum <= limit_) return;
    std::sort(files.begin(), files.end(), [](const StoredFile& a, const StoredFile& b) {
        return std::tie(a.used, a.path) < std::tie(b.used, b.path);
    });
    for (const StoredFile& file : files) {
        if (static_cast<double>(sum) <= kKeptShare * static_cast<double>(limit_)) break;
        if (file.bytes == 0) continue;
        fs::remove(file.path, error);
        sum -= file.bytes;
    }
}

void AssetFolder::complain(const std::string& what) const {
    if (complained_.exchange(true)) return;
    logWarning(
        "pattern assets cannot be kept in {}: {}; they are made anew each time. Choose another folder with --cache",
        folder_.string(), what);
}

std::optional<fs::path> usualAssetFolder() {
    if (const auto own = setting("SUNDER_CACHE")) return own->empty() ? std::nullopt : std::optional<fs::path>(*own);
    if (const auto caches = setting("XDG_CACHE_HOME"); caches && !caches->empty()) return fs::path(*caches) / "sunder";
    if (const auto home = setting("HOME"); home && !home->empty()) return fs::path(*home) / ".cache" / "sunder";
    return std::nullopt;
}

}  // namespace sunder
