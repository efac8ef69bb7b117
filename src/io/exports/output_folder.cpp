#include "io/exports/output_folder.h"

#include <unistd.h>

#include <fmt/format.h>

#include "base/error.h"
#include "io/files/file_access.h"

namespace sunder {

namespace {

namespace fs = std::filesystem;

/// By this file a later export knows that all in the folder was made by one.
constexpr const char* kMark = ".sunder-export";

/// "out/" and "out" are the same folder.
fs::path withoutSlash(const fs::path& path) {
    return path.has_filename() || !path.has_parent_path() ? path : path.parent_path();
}

/// Only what an earlier export made may go, and only when asked for.
void checkReplaceable(const fs::path& path, bool overwrite) {
    if (!fs::exists(path)) return;
    if (!fs::is_directory(path)) throw InputError(path.string(), "is a file; choose another name for the folder");
    if (fs::is_empty(path)) return;
    if (!fs::exists(path / kMark))
        throw InputError(path.string(),
                         "is a folder with things in it that no export made; choose another name, or empty it");
    if (!overwrite)
        throw InputError(path.string(), "is there already; choose another name or add --force to overwrite it");
}

}  // namespace

OutputFolder::OutputFolder(const fs::path& path, bool overwrite) : target_(withoutSlash(path)) {
    checkReplaceable(target_, overwrite);
    if (target_.has_parent_path() && !fs::is_directory(target_.parent_path()))
        throw InputError(target_.string(),
                         "the folder " + target_.parent_path().string() + " does not exist; make it first");
    unfinished_ = target_;
    unfinished_ += fmt::format(".part{}", ::getpid());
    std::error_code problem;
    if (!fs::create_directory(unfinished_, problem))
        throw InputError(target_.string(), fmt::format("cannot be written: {}", problem.message()));
    writeFileAtomically(unfinished_ / kMark, "");
}

OutputFolder::~OutputFolder() {
    std::error_code ignored;
    if (!committed_) fs::remove_all(unfinished_, ignored);
}

void OutputFolder::commit() {
    fs::path old = target_;
    old += fmt::format(".old{}", ::getpid());
    const bool replaces = fs::exists(target_);
    std::error_code problem;
    if (replaces) fs::rename(target_, old, problem);
    if (!problem) fs::rename(unfinished_, target_, problem);
    if (problem) throw InputError(target_.string(), fmt::format("cannot be put in place: {}", problem.message()));
    committed_ = true;
    if (replaces) fs::remove_all(old);
}

}  // namespace sunder
