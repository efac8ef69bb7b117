#pragma once

#include <filesystem>

namespace sunder {

/// A folder of files that has its name only once it is whole: until commit() it stands beside under another, and goes
/// if that never comes.
class OutputFolder {
public:
    /// Throws InputError when there is something under this name already: a folder that an export made may be
    /// overwritten if asked for, an empty one is taken, and whatever else there is stays.
    OutputFolder(const std::filesystem::path& path, bool overwrite);
    ~OutputFolder();
    OutputFolder(const OutputFolder&) = delete;
    OutputFolder& operator=(const OutputFolder&) = delete;

    /// Where to write meanwhile.
    const std::filesystem::path& path() const { return unfinished_; }
    void commit();

private:
    std::filesystem::path target_, unfinished_;
    bool committed_ = false;
};

}  // namespace sunder
