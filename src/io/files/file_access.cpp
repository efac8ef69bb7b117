#include "io/files/file_access.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/error.h"
#include "io/files/replaceable.h"
#include "io/files/work_folder.h"

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

/// False with errno set; the system may take less than it is given.
bool writeAll(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        bytes.remove_prefix(static_cast<size_t>(written));
    }
    return true;
}

/// A lock says that somebody is at work on an unfinished file: it ends with the descriptors of it, also when the
/// program is killed. False when it was taken for left, and removed, before it could be locked.
bool claim(int descriptor) {
    struct stat facts {};
    ::flock(descriptor, LOCK_SH);  // disks without locks: nobody can lock it there, so nobody removes it
    return ::fstat(descriptor, &facts) != 0 || facts.st_nlink > 0;
}

/// A file beside `path` under a name that nobody had, opened for reading and writing; negative, and no name, when there
/// is none.
int createBeside(const std::filesystem::path& path, std::filesystem::path& created) {
    for (int attempt = 0; attempt < 100; ++attempt) {
        created = unfinishedName(path);
        const int descriptor = ::open(created.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0 && claim(descriptor)) return descriptor;
        if (descriptor >= 0)
            ::close(descriptor);
        else if (errno != EEXIST)
            break;
    }
    created.clear();
    return -1;
}

}  // namespace

const char* kindOfFile(mode_t mode) {
    if (S_ISREG(mode)) return "a file";
    if (S_ISDIR(mode)) return "a folder";
    if (S_ISFIFO(mode)) return "a pipe";
    if (S_ISSOCK(mode)) return "a socket";
    return S_ISCHR(mode) || S_ISBLK(mode) ? "a device" : "no file";
}

void checkRegularFile(const std::filesystem::path& path) {
    struct stat facts {};
    if (::stat(path.c_str(), &facts) != 0)
        throw InputError(path.string(), fmt::format("cannot be opened: {}", systemReason()));
    if (!S_ISREG(facts.st_mode))
        throw InputError(path.string(), fmt::format("is {}; a file is expected", kindOfFile(facts.st_mode)));
}

std::string firstBytes(const std::filesystem::path& path, size_t count) {
    const FileHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat facts {};
    if (!file.open() || ::fstat(file.get(), &facts) != 0 || !S_ISREG(facts.st_mode)) return {};
    std::string bytes(count, '\0');
    const ssize_t got = ::pread(file.get(), bytes.data(), bytes.size(), 0);
    bytes.resize(got > 0 ? static_cast<size_t>(got) : 0);
    return bytes;
}

std::string readWholeFile(const std::filesystem::path& path, uint64_t atMost) {
    // open first and examine what is open: the path may come to mean another file meanwhile. A pipe that nobody writes
    // must not keep us waiting
    const FileHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!file.open()) throw InputError(path.string(), fmt::format("cannot be opened: {}", systemReason()));
    struct stat facts {};
    if (::fstat(file.get(), &facts) != 0) {
        throw InputError(path.string(), fmt::format("cannot be examined: {}", systemReason()));
    }
    // folders and pipes have no size to trust
    if (!S_ISREG(facts.st_mode))
        throw InputError(path.string(), fmt::format("is {}; a file is expected", kindOfFile(facts.st_mode)));
    if (static_cast<uint64_t>(facts.st_size) > atMost) {
        throw InputError(path.string(), fmt::format("has {} bytes; at most {} can be read", facts.st_size, atMost));
    }
    // the system may hand over less than asked for, or be interrupted
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

namespace {

/// Collects small pieces and writes them in large ones.
class BufferedWriter {
public:
    BufferedWriter(int descriptor, std::filesystem::path path) : descriptor_(descriptor), path_(std::move(path)) {
        if (descriptor_ < 0) fail();
    }

    void write(std::string_view bytes) {
        if (buffer_.size() + bytes.size() > kBufferBytes) flush();
        if (bytes.size() > kBufferBytes) {
            put(bytes);
        } else {
            buffer_ += bytes;
        }
        size_ += bytes.size();
    }
    void flush() {
        put(buffer_);
        buffer_.clear();
    }
    uint64_t size() const { return size_; }
    [[noreturn]] void fail() const {
        throw InputError(path_.string(), fmt::format("cannot be written: {}", systemReason()));
    }

private:
    static constexpr size_t kBufferBytes = size_t{1} << 18;
    void put(std::string_view bytes) const {
        if (!writeAll(descriptor_, bytes)) fail();
    }

    int descriptor_;
    std::filesystem::path path_;
    std::string buffer_;
    uint64_t size_ = 0;
};

}  // namespace

struct AtomicFile::State {
    explicit State(const std::filesystem::path& path)
        : target(path),
          file(createBeside(path, unfinished.path)),
          claimed(file.open() ? ::fcntl(file.get(), F_DUPFD_CLOEXEC, 0) : -1),
          writer(file.get(), path) {}
    std::filesystem::path target;
    Unfinished unfinished;
    FileHandle file;
    FileHandle claimed;  // keeps the lock from the end of writing until it has its name
    BufferedWriter writer;
};

AtomicFile::AtomicFile(const std::filesystem::path& path) {
    checkReplaceable(path, Overwrite::Yes);
    state_ = std::make_unique<State>(path);
}
AtomicFile::~AtomicFile() = default;

void AtomicFile::write(std::string_view bytes) { state_->writer.write(bytes); }

void AtomicFile::commit() {
    state_->writer.flush();
    if (::fsync(state_->file.get()) != 0 || !state_->file.close()) state_->writer.fail();
    checkReplaceable(state_->target, Overwrite::Yes);  // it may be another since
    if (::rename(state_->unfinished.path.c_str(), state_->target.c_str()) != 0) {
        throw InputError(state_->target.string(), fmt::format("cannot be put in place: {}", systemReason()));
    }
    state_->unfinished.keep = true;
}

void writeFileAtomically(const std::filesystem::path& path, std::string_view bytes) {
    AtomicFile file(path);
    file.write(bytes);
    file.commit();
}

void removeLeftPart(const std::filesystem::path& path, const std::string& of) {
    if (!isUnfinishedName(path.filename().string(), of)) return;
    const FileHandle file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat facts {};
    if (!file.open() || ::fstat(file.get(), &facts) != 0 || !S_ISREG(facts.st_mode)) return;
    if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0) ::unlink(path.c_str());
}

struct ScratchFile::State {
    explicit State(const std::filesystem::path& beside)
        : path(beside), file(createBeside(beside, name)), writer(file.get(), beside) {
        ::unlink(name.c_str());
    }
    std::filesystem::path path, name;
    FileHandle file;
    BufferedWriter writer;
};

ScratchFile::ScratchFile(const std::filesystem::path& beside) : state_(std::make_unique<State>(beside)) {}
ScratchFile::~ScratchFile() = default;
ScratchFile::ScratchFile(ScratchFile&&) noexcept = default;
ScratchFile& ScratchFile::operator=(ScratchFile&&) noexcept = default;

void ScratchFile::write(std::string_view bytes) { state_->writer.write(bytes); }
uint64_t ScratchFile::size() const { return state_->writer.size(); }

void ScratchFile::copyTo(AtomicFile& file) {
    state_->writer.flush();
    std::string part(size_t{1} << 18, '\0');
    for (uint64_t at = 0; at < size();) {
        const ssize_t got = ::pread(state_->file.get(), part.data(), part.size(), static_cast<off_t>(at));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) throw InputError(state_->path.string(), fmt::format("cannot be read back: {}", systemReason()));
        file.write(std::string_view(part).substr(0, static_cast<size_t>(got)));
        at += static_cast<uint64_t>(got);
    }
}

}  // namespace sunder
