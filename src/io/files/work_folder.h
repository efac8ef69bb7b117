#pragma once

#include <filesystem>
#include <string>

namespace sunder {

/// A folder to work in, on the disk of what is made there, under a name beside it that nobody had. It goes with all in
/// it when this does, however the work ended. What a killed program left stays, and is in nobody's way.
class WorkFolder {
public:
    /// Throws InputError when it cannot be made.
    explicit WorkFolder(const std::filesystem::path& beside);
    ~WorkFolder();
    WorkFolder(const WorkFolder&) = delete;
    WorkFolder& operator=(const WorkFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }
    /// Gives the folder its final name, which is free or that of an empty folder. Throws InputError.
    void rename(const std::filesystem::path& name);

private:
    std::filesystem::path path_;  // empty: it has its final name
};

/// A name for something unfinished: that of what it will be, shortened if need be, and an end that is different each
/// time. Whoever makes it makes it only if it is not there (O_EXCL, mkdir) and tries again otherwise.
std::filesystem::path unfinishedName(const std::filesystem::path& path);
/// Whether a file's name is one of those. `of`: the name of what it would be; empty: of anything.
bool isUnfinishedName(const std::string& name, const std::string& of);

}  // namespace sunder
