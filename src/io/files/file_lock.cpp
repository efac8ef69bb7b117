#include "io/files/file_lock.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/error.h"
#include "io/files/file_access.h"

namespace sunder {

namespace {

/// Never makes a file where a link leads, and never waits for a pipe. Negative: it cannot be opened.
int openForLock(const std::filesystem::path& path) {
    constexpr int kFlags = O_RDWR | O_CLOEXEC | O_NONBLOCK;
    const int descriptor = ::open(path.c_str(), kFlags | O_CREAT | O_NOFOLLOW, 0666);
    return descriptor < 0 && errno == ELOOP ? ::open(path.c_str(), kFlags) : descriptor;
}

}  // namespace

FileLock::FileLock(const std::filesystem::path& path) : descriptor_(openForLock(path)) {
    if (descriptor_ < 0)
        throw InputError(path.string(), fmt::format("cannot be opened for writing: {}", std::strerror(errno)));
    struct stat facts {};
    if (::fstat(descriptor_, &facts) != 0 || !S_ISREG(facts.st_mode)) {
        ::close(descriptor_);
        throw InputError(path.string(), fmt::format("is {}; a file is expected", kindOfFile(facts.st_mode)));
    }
    // one byte far behind the end, where SQLite and readers never look; the lock ends with the descriptor
    struct flock range {};
    range.l_type = F_WRLCK;
    range.l_whence = SEEK_SET;
    range.l_start = off_t{1} << 62;
    range.l_len = 1;
    if (::fcntl(descriptor_, F_OFD_SETLK, &range) == 0) return;
    // another run has the lock, or this disk keeps none
    const int reason = errno;
    ::close(descriptor_);
    if (reason == EAGAIN || reason == EACCES)
        throw InputError(path.string(),
                         "another run is writing into it; wait until it ends, or choose another name with -o");
    throw InputError(path.string(),
                     fmt::format("cannot be locked: {}. Network disks often keep no locks: record on a disk "
                                 "of this machine and copy the recording when the run has ended",
                                 std::strerror(reason)));
}

FileLock::~FileLock() { ::close(descriptor_); }

}  // namespace sunder
