#include "io/files/replaceable.h"

#include <cerrno>
#include <cstring>
#include <optional>
#include <sys/stat.h>

#include <fmt/format.h>

#include "base/error.h"
#include "io/files/file_access.h"

namespace sunder {

namespace {

namespace fs = std::filesystem;

/// What stands under a name itself, and where a link leads; nothing: it is free.
struct Standing {
    bool isLink = false;
    std::optional<mode_t> mode;  // of what a link leads to; nothing: it leads nowhere
};

std::optional<Standing> standingAt(const fs::path& path) {
    struct stat facts {};
    if (::lstat(path.c_str(), &facts) != 0) {
        if (errno == ENOENT) return {};
        throw InputError(path.string(), fmt::format("cannot be examined: {}", std::strerror(errno)));
    }
    if (!S_ISLNK(facts.st_mode)) return Standing{false, facts.st_mode};
    if (::stat(path.c_str(), &facts) != 0) return Standing{true, {}};
    return Standing{true, facts.st_mode};
}

/// "is a pipe", "is a link to a folder", "is a link that leads nowhere"
std::string described(const Standing& standing) {
    if (!standing.mode) return "is a link that leads nowhere";
    return fmt::format("is {}{}", standing.isLink ? "a link to " : "", kindOfFile(*standing.mode));
}

}  // namespace

void checkReplaceable(const fs::path& path, Overwrite overwrite) {
    const std::optional<Standing> standing = standingAt(path);
    if (!standing) return;
    // a folder is the usual mistake; whatever else is no file belongs to somebody else
    if (standing->mode && S_ISDIR(*standing->mode) && !standing->isLink)
        throw InputError(path.string(), "is a folder; give the name of a file");
    if (!standing->mode || !S_ISREG(*standing->mode))
        throw InputError(path.string(), described(*standing) +
                                            "; only regular files are replaced, and links to them: choose "
                                            "another name");
    if (overwrite == Overwrite::No)
        throw InputError(path.string(), "is there already; choose another name or add --force to overwrite it");
}

void checkReplaceableFolder(const fs::path& path, Overwrite overwrite) {
    const std::optional<Standing> standing = standingAt(path);
    if (!standing) return;
    if (standing->isLink)
        throw InputError(path.string(), described(*standing) +
                                            "; a folder is not written through a link: choose "
                                            "another name");
    if (!S_ISDIR(*standing->mode))
        throw InputError(path.string(), described(*standing) + "; choose another name for the folder");
    // only what an earlier run made may go, and only when asked for
    std::error_code problem;
    if (fs::is_empty(path, problem)) return;
    if (problem) throw InputError(path.string(), fmt::format("cannot be examined: {}", problem.message()));
    if (!isFolderOfOurs(path))
        throw InputError(path.string(),
                         "is a folder with things in it that no export made; choose another name, or empty it");
    if (overwrite == Overwrite::No)
        throw InputError(path.string(), "is there already; choose another name or add --force to overwrite it");
}

bool isFolderOfOurs(const fs::path& path) {
    struct stat folder {
    }, mark{};
    return ::lstat(path.c_str(), &folder) == 0 && S_ISDIR(folder.st_mode) &&
           ::lstat((path / kFolderMark).c_str(), &mark) == 0 && S_ISREG(mark.st_mode);
}

void markFolder(const fs::path& folder) { writeFileAtomically(folder / kFolderMark, ""); }

}  // namespace sunder
