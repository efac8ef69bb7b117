#include "io/exports/output_folder.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"

namespace sunder {

namespace {

namespace fs = std::filesystem;

/// "out/" and "out" are the same folder.
fs::path withoutSlash(const fs::path& path) {
    return path.has_filename() || !path.has_parent_path() ? path : path.parent_path();
}

/// Files of the export name its folder, in languages in which these have no way to be written.
void checkName(const fs::path& path) {
    const std::string name = path.filename().string();
    const bool good = std::ranges::none_of(
        name, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '"' || c == '\\'; });
    if (!good)
        throw InputError(path.string(),
                         "has a quote, a backslash or a control character in its name; choose another name");
}

/// The name, if a folder may be made under it.
fs::path checkedName(const fs::path& path, Overwrite overwrite) {
    fs::path name = withoutSlash(path);
    checkName(name);
    checkReplaceableFolder(name, overwrite);
    std::error_code problem;
    if (name.has_parent_path() && !fs::is_directory(name.parent_path(), problem))
        throw InputError(name.string(), "the folder " + name.parent_path().string() + " does not exist; make it first");
    return name;
}

}  // namespace

OutputFolder::OutputFolder(const fs::path& path, bool overwrite)
    : overwrite_(overwrite ? Overwrite::Yes : Overwrite::No),
      target_(checkedName(path, overwrite_)),
      unfinished_(target_) {
    markFolder(unfinished_.path());
}

void OutputFolder::commit() {
    // it may be another since
    checkReplaceableFolder(target_, overwrite_);
    std::error_code problem;
    if (!isFolderOfOurs(target_)) return unfinished_.rename(target_);
    // the old one steps aside, into a folder that goes, and comes back when the new one cannot take its place
    const WorkFolder aside(target_);
    const fs::path old = aside.path() / "old";
    fs::rename(target_, old, problem);
    if (problem) throw InputError(target_.string(), fmt::format("cannot be replaced: {}", problem.message()));
    try {
        unfinished_.rename(target_);
    } catch (const InputError&) {
        fs::rename(old, target_, problem);
        throw;
    }
}

}  // namespace sunder
