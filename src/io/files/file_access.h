#pragma once

#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

namespace sunder {

/// The whole file, in one go. Throws InputError.
std::string readWholeFile(const std::filesystem::path& path, uint64_t atMost = std::numeric_limits<uint64_t>::max());

/// Writes beside the file, then renames: the path holds the old contents or the new, never half of them. Throws
/// InputError.
void writeFileAtomically(const std::filesystem::path& path, std::string_view bytes);

/// A file written bit by bit that has its name only once it is whole: until commit() it stands beside under another,
/// and goes if that never comes. All throw InputError.
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
