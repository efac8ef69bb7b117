#include "io/file_access.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/error.h"

namespace sunder {

namespace {

/// Closes its file when it goes.
class FileHandle {
public:
    explicit FileHandle(int descriptor) : descriptor_(descriptor) {}
    ~FileHandle() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    FileHandle(const FileHandle&) = delete;
    FileHandle& operator=(const FileHandle&) = delete;
    int get() const { return descriptor_; }
    bool open() const { return descriptor_ >= 0; }
    /// False when the last bytes could not be written.
    bool close() {
        const int result = ::close(descriptor_);
        descriptor_ = -1;
        return result == 0;
    }

private:
    int descriptor_;
};

/// Deletes an unfinished file unless told to keep it.
struct Unfinished {
    std::filesystem::path path;
    bool keep = false;
    ~Unfinished() {
        if (!keep) ::unlink(path.c_str());
    }
};

std::string systemReason() { return std::strerror(errno); }

bool writeAll(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        bytes.remove_prefix(static_cast<size_t>(written));
    }
    return true;
}

/// A name beside `path` that no file has yet, opened for writing.
int createBeside(const std::filesystem::path& path, std::filesystem::path& created) {
    for (int attempt = 0; attempt < 100; ++attempt) {
        created = path;
        created += fmt::format(".part{}-{}", ::getpid(), attempt);
        const int descriptor = ::open(created.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0 || errno != EEXIST) return descriptor;
    }
    return -1;
}

}  // namespace

std::string readWholeFile(const std::filesystem::path& path, uint64_t atMost) {
    const FileHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.open()) throw InputError(path.string(), fmt::format("cannot be opened: {}", systemReason()));
    struct stat facts {};
    if (::fstat(file.get(), &facts) != 0) {
        throw InputError(path.string(), fmt::format("cannot be examined: {}", systemReason()));
    }
    if (!S_ISREG(facts.st_mode)) {
        throw InputError(path.string(),
                         S_ISDIR(facts.st_mode) ? "is a folder; a file is expected" : "is not a regular file");
    }
    if (static_cast<uint64_t>(facts.st_size) > atMost) {
        throw InputError(path.string(), fmt::format("has {} bytes; at most {} can be read", facts.st_size, atMost));
    }
    std::string bytes(static_cast<size_t>(facts.st_size), '\0');
    size_t filled = 0;
    while (filled < bytes.size()) {
        const ssize_t got = ::read(file.get(), bytes.data() + filled, bytes.size() - filled);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) throw InputError(path.string(), fmt::format("cannot be read: {}", systemReason()));
        if (got == 0) break;  // it shrank meanwhile
        filled += static_cast<size_t>(got);
    }
    bytes.resize(filled);
    return bytes;
}

void writeFileAtomically(const std::filesystem::path& path, std::string_view bytes) {
    Unfinished unfinished;
    FileHandle file(createBeside(path, unfinished.path));
    if (!file.open()) {
        unfinished.keep = true;
        throw InputError(path.string(), fmt::format("cannot be written: {}", systemReason()));
    }
    if (!writeAll(file.get(), bytes) || ::fsync(file.get()) != 0 || !file.close()) {
        throw InputError(path.string(), fmt::format("cannot be written: {}", systemReason()));
    }
    if (::rename(unfinished.path.c_str(), path.c_str()) != 0) {
        throw InputError(path.string(), fmt::format("cannot be put in place: {}", systemReason()));
    }
    unfinished.keep = true;
}

}  // namespace sunder
