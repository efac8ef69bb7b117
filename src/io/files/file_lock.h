#pragma once

#include <filesystem>

namespace sunder {

/// Keeps others from writing the same file, for as long as it lives or the program does. It is a lock on a byte far
/// beyond the end of the file, so nobody who only reads or writes notices. Whoever has the file open for SQLite closes
/// that first: closing any descriptor of a file takes away the locks that SQLite has on it.
class FileLock {
public:
    /// Makes the file when there is none, but not where a link leads. Throws InputError when it cannot be opened for
    /// writing, or when somebody else has the lock.
    explicit FileLock(const std::filesystem::path& path);
    ~FileLock();
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

private:
    int descriptor_;
};

}  // namespace sunder
