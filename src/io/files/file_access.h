#pragma once

#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace sunder {

/// "a file", "a pipe", "a device": by the mode that the system gives.
const char* kindOfFile(mode_t mode);
/// Throws InputError for what is not there and for pipes, devices, sockets and folders. It opens nothing: to close a
/// descriptor would take away the locks that SQLite has on the file.
void checkRegularFile(const std::filesystem::path& path);
/// The beginning of a file; less where it has less, empty where it cannot be read or is no regular file.
std::string firstBytes(const std::filesystem::path& path, size_t count);

/// The whole file, in one go; never waits for a pipe. Throws InputError.
std::string readWholeFile(const std::filesystem::path& path, uint64_t atMost = std::numeric_limits<uint64_t>::max());

/// Writes beside the file, then renames: the path holds the old contents or the new, never half of them. Throws
/// InputError.
void writeFileAtomically(const std::filesystem::path& path, std::string_view bytes);

/// Removes an unfinished file that a program which is gone left under an unfinishedName() of `of` (empty: of anything);
/// what somebody is at work on stays, and whatever is no such file.
void removeLeftPart(const std::filesystem::path& path, const std::string& of);

/// A file written bit by bit, into the place of what checkReplaceable() allows, that has its name only once it is
/// whole: until commit() it stands beside under another, and goes if that never comes. All throw InputError.
class AtomicFile {
public:
    explicit AtomicFile(const std::filesystem::path& path);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    void write(std::string_view bytes);
    void commit();

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// A place on disk for what does not fit into memory, on the disk of `beside`; it has no name, so nothing stays behind.
/// All throw InputError.
class ScratchFile {
public:
    explicit ScratchFile(const std::filesystem::path& beside);
    ~ScratchFile();
    ScratchFile(ScratchFile&&) noexcept;
    ScratchFile& operator=(ScratchFile&&) noexcept;

    void write(std::string_view bytes);
    uint64_t size() const;  // bytes
    /// Everything, from the start.
    void copyTo(AtomicFile& file);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace sunder
