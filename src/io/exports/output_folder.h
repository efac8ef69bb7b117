#pragma once

#include <filesystem>

#include "io/files/replaceable.h"
#include "io/files/work_folder.h"

namespace sunder {

/// A folder of files that has its name only once it is whole: until commit() it stands beside under another, and goes
/// if that never comes.
class OutputFolder {
public:
    /// Throws InputError when there is something under this name already that may not be replaced
    /// (checkReplaceableFolder), and for names that its own files could not hold.
    OutputFolder(const std::filesystem::path& path, bool overwrite);

    /// Where to write meanwhile.
    const std::filesystem::path& path() const { return unfinished_.path(); }
    void commit();

private:
    Overwrite overwrite_;
    std::filesystem::path target_;
    WorkFolder unfinished_;
};

}  // namespace sunder
