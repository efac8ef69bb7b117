#include "studio/project.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/error.h"
#include "base/stopwatch.h"
#include "io/files/file_access.h"
#include "io/files/source.h"
#include "io/mesh/mesh_io.h"
#include "io/recording/recording_format.h"
#include "io/scene/nrrd.h"
#include "schema/json_text.h"

namespace sunder::studio {

namespace fs = std::filesystem;

namespace {

bool isBelow(const fs::path& path, const fs::path& folder) {
    const auto [end, rest] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
    return end == folder.end();
}

/// Without links, as far as it is there.
fs::path resolved(const fs::path& path) {
    std::error_code problem;
    fs::path real = fs::weakly_canonical(path, problem);
    if (problem) throw InputError(inQuotes(path.filename().string()), "cannot be looked for: " + problem.message());
    return real;
}

struct FileTime {
    int64_t seconds = 0, nanoseconds = 0;
    uint64_t size = 0;  // bytes
};
std::optional<FileTime> timeOf(const fs::path& path) {
    struct stat facts {};
    if (stat(path.c_str(), &facts) != 0) return {};
    return FileTime{facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec, static_cast<uint64_t>(facts.st_size)};
}

std::string lowerExtension(const fs::path& path) {
    std::string extension = path.extension().string();
    std::ranges::transform(extension, extension.begin(), [](unsigned char c) { return std::tolower(c); });
    return extension;
}

bool isMeshFile(const fs::path& path) {
    static const std::set<std::string> extensions{".obj", ".ply", ".stl", ".off", ".gltf", ".glb"};
    return extensions.contains(lowerExtension(path));
}

/// "a link"
const char* kindOf(fs::file_type type) {
    switch (type) {
        case fs::file_type::regular:
            return "a file";
        case fs::file_type::directory:
            return "a folder";
        case fs::file_type::symlink:
            return "a link";
        case fs::file_type::fifo:
            return "a pipe";
        default:
            return "a device or something else that is no file";
    }
}

Json parsedOr(const std::string& text, Json otherwise) {
    return schema::jsonIfGood(text).value_or(std::move(otherwise));
}

}  // namespace

bool makeFile(const fs::path& path) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor >= 0) return ::close(descriptor) == 0;
    if (errno == EEXIST) return false;
    throw InputError(path.string(), std::string("cannot be made: ") + std::strerror(errno));
}

bool isVolumeFile(const fs::path& path) { return lowerExtension(path) == ".nrrd"; }

Project::Project(const fs::path& folder) {
    std::error_code problem;
    folder_ = fs::canonical(folder, problem);
    if (problem || !fs::is_directory(folder_))
        throw InputError(folder.string(), "is no folder that can be opened; make it, or name another with --project");
    try {
        lock_ = std::make_unique<FileLock>(own("lock"));
    } catch (const InputError& error) {
        throw InputError(folder_.string(), std::string("Studio cannot work in this folder: it is not writable, or "
                                                       "another Studio is open in it (") +
                                               error.what() + ")");
    }
    tidy();
}

fs::path Project::resolve(const std::string& path) const {
    const auto refuse = [&](const std::string& why) { throw InputError(inQuotes(path), why); };
    if (path.empty()) refuse("is no name of a file; give one, relative to the project folder");
    if (std::ranges::any_of(path, [](unsigned char c) { return c < ' ' || c == 127; }) || path.size() > 1000)
        refuse("is no name of a file");
    const fs::path given(path);
    if (given.is_absolute() || path.find('\\') != std::string::npos)
        refuse("must be relative to the project folder, with / between folders");
    for (const fs::path& part : given) {
        if (part == "..") refuse("leads out of the project folder; only what is in it can be used");
        if (part == kOwnFolder) refuse("is Studio's own; choose another folder");
    }
    const fs::path real = resolved(folder_ / given);
    if (!isBelow(real, folder_)) refuse("is a link that leads out of the project folder; copy the file into it");
    if (isBelow(real, folder_ / kOwnFolder)) refuse("is Studio's own; choose another folder");
    return real;
}

fs::path Project::existing(const std::string& path) const {
    fs::path real = resolve(path);
    if (!fs::is_regular_file(real)) throw InputError(inQuotes(path), "there is no such file in the project folder");
    return real;
}

std::string Project::nameOf(const fs::path& path) const { return path.lexically_relative(folder_).generic_string(); }

fs::path Project::ownPlace(const std::string& name, fs::file_type wanted) const {
    // every part of the way is looked at by itself: links would lead out of the project, pipes would not answer
    fs::path path = folder_;
    const fs::path inside = fs::path(kOwnFolder) / name;
    for (auto part = inside.begin(); part != inside.end(); ++part) {
        path /= *part;
        const bool atEnd = std::next(part) == inside.end();
        const fs::file_type expected = atEnd ? wanted : fs::file_type::directory;
        std::error_code problem;
        const fs::file_type found = fs::symlink_status(path, problem).type();
        if (found == fs::file_type::not_found) {
            problem.clear();
            if (expected == fs::file_type::directory) fs::create_directory(path, problem);
            if (problem) throw InputError(path.string(), "cannot be made: " + problem.message());
        } else if (found != expected) {
            throw InputError(path.string(), fmt::format("is {}, but Studio keeps {} of its own there; remove it",
                                                        kindOf(found), kindOf(expected)));
        }
    }
    return path;
}

fs::path Project::own(const std::string& name) const { return ownPlace(name, fs::file_type::regular); }
fs::path Project::ownFolder(const std::string& name) const { return ownPlace(name, fs::file_type::directory); }

std::vector<fs::path> Project::ownFiles(const std::string& folder) const {
    std::vector<fs::path> files;
    try {
        std::error_code problem;
        for (const fs::directory_entry& entry : fs::directory_iterator(ownFolder(folder), problem))
            if (entry.symlink_status(problem).type() == fs::file_type::regular) files.push_back(entry.path());
    } catch (const InputError&) {
        // what is not Studio's own has nothing of its own in it
    }
    std::ranges::sort(files);
    return files;
}

fs::path Project::newOwn(const std::string& folder, const std::string& stem) const {
    const fs::path place = ownFolder(folder);
    for (int number = 1; number < kMostOwnFiles; ++number) {
        const fs::path path = place / fmt::format("{}{}", stem, number);
        if (fs::symlink_status(path).type() == fs::file_type::not_found) return path;
    }
    throw InputError(place.string(), "is full; remove what is old in it");
}

void Project::removePartsOf(const fs::path& path) const {
    std::error_code problem;
    for (const fs::directory_entry& entry : fs::directory_iterator(path.parent_path(), problem)) {
        removeLeftPart(entry.path(), path.filename().string());
    }
}

void Project::tidy() const {
    // the lock is ours, so nobody else is at work on these; of links only the link goes
    std::error_code ignored;
    try {
        for (const fs::directory_entry& entry : fs::directory_iterator(ownFolder("uploads"), ignored))
            if (entry.symlink_status(ignored).type() != fs::file_type::directory) fs::remove(entry.path(), ignored);
    } catch (const InputError&) {
        // the first upload tells
    }
    // a kept recording that was not finished, and parts of own files
    fs::remove(folder_ / kOwnFolder / kUnfinished, ignored);
    for (const char* folder : {"", "autosave"}) {
        for (const fs::path& file : ownFiles(folder)) removeLeftPart(file, "");
    }
}

Json Project::list(const std::string& folder) const {
    // names are within the project folder; links that lead out of it are passed over like hidden files
    const fs::path real = folder.empty() || folder == "." ? folder_ : resolve(folder);
    if (!fs::is_directory(real)) throw InputError(inQuotes(folder), "there is no such folder in the project folder");
    std::vector<fs::path> found;
    std::error_code problem;
    for (const fs::directory_entry& entry : fs::directory_iterator(real, problem)) {
        // a link that leads nowhere, or to itself, is no use either
        std::error_code lost;
        const fs::path target = fs::canonical(entry.path(), lost);
        if (lost || entry.path().filename().string().starts_with('.') || !isBelow(target, folder_)) continue;
        found.push_back(entry.path());
        if (found.size() == kMostListed) break;
    }
    // the folder of the project has no parent that may be seen
    std::ranges::sort(found);
    Json answer{{"folder", real == folder_ ? "" : nameOf(real)},
                {"parent", real == folder_                 ? Json(nullptr)
                           : real.parent_path() == folder_ ? Json("")
                                                           : Json(nameOf(real.parent_path()))},
                {"folders", Json::array()},
                {"scenes", Json::array()},
                {"recordings", Json::array()},
                {"meshes", Json::array()},
                {"volumes", Json::array()}};
    // files of each kind apart; those of no use here are left out
    for (const fs::path& path : found) {
        const std::optional<FileTime> facts = timeOf(path);
        const bool isFolder = fs::is_directory(path, problem);
        if (!facts || (!isFolder && !fs::is_regular_file(path, problem))) continue;
        const char* kind = isFolder                                  ? "folders"
                           : path.extension() == ".json"             ? "scenes"
                           : path.extension() == kRecordingExtension ? "recordings"
                           : isMeshFile(path)                        ? "meshes"
                           : isVolumeFile(path)                      ? "volumes"
                                                                     : nullptr;
        if (kind == nullptr) continue;
        answer[kind].push_back({{"name", path.filename().string()},
                                {"path", nameOf(path)},
                                {"size", facts->size},
                                {"time", facts->seconds}});
    }
    return answer;
}

Json Project::recent() const {
    Json known = Json::array();
    try {
        const fs::path file = own("recent.json");
        if (fs::exists(file)) known = parsedOr(readWholeFile(file, 1 << 20), Json::array());
    } catch (const InputError&) {
        // a list for people, no more
    }
    Json there = Json::array();
    if (!known.is_array()) return there;
    for (const Json& entry : known) {
        const bool sound = entry.is_object() && entry.contains("path") && entry["path"].is_string();
        std::error_code problem;
        const Json time = sound ? entry.value("time", Json(0)) : Json(0);
        if (sound && fs::is_regular_file(folder_ / entry["path"].get<std::string>(), problem))
            there.push_back({{"path", entry["path"]}, {"time", time.is_number() ? time : Json(0)}});
        if (there.size() == kMostRecent) break;
    }
    return there;
}

std::string Project::remember(const fs::path& path) const {
    const std::string name = nameOf(path);
    Json list = Json::array({{{"path", name}, {"time", secondsSinceEpoch()}}});
    for (const Json& entry : recent())
        if (entry["path"] != name && list.size() < kMostRecent) list.push_back(entry);
    try {
        writeFileAtomically(own("recent.json"), textOf(list));
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

fs::path ProjectMeshes::find(const std::string& file, const char* kind) const {
    const std::string what = kind + (" " + inQuotes(file));
    if (fs::path(file).is_absolute()) throw InputError(what, "give the path relative to the scene");
    const fs::path path = resolved(sceneFolder_ / fs::path(file));
    const std::string name = project_.nameOf(path);
    if (name.empty() || name.starts_with(".."))
        throw InputError(what, "is outside the project folder " + project_.folder().string() +
                                   "; copy it into that, or start Studio with --project naming a folder that has both");
    return project_.resolve(name);
}

fs::path ProjectMeshes::existing(const std::string& file, const char* kind) const {
    fs::path path = find(file, kind);
    if (!fs::is_regular_file(path))
        throw InputError(kind + (" " + inQuotes(file)), "there is no such file (looked for " + project_.nameOf(path) +
                                                            " in the project); paths are relative to the scene");
    return path;
}

TriMesh ProjectMeshes::read(const std::string& file) { return readMesh(existing(file, "mesh")).mesh; }

fracture::VolumeTexture ProjectMeshes::readVolume(const std::string& file) {
    return readNrrd(existing(file, "volume"));
}

std::string ProjectMeshes::stampOf(const std::string& file) const {
    try {
        const std::optional<FileTime> facts = timeOf(find(file, "file"));
        return facts ? fmt::format("{}.{}.{}", facts->seconds, facts->nanoseconds, facts->size) : "";
    } catch (const InputError&) {
        return "";
    }
}

}  // namespace sunder::studio
