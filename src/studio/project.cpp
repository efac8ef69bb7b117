#include "studio/project.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <sys/stat.h>

#include <fmt/format.h>

#include "base/error.h"
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

int64_t secondsNow() {
    return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
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

Json parsedOr(const std::string& text, Json otherwise) {
    Json json = Json::parse(text, nullptr, false);
    return json.is_discarded() ? otherwise : json;
}

}  // namespace

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

fs::path Project::own(const std::string& name) const {
    const fs::path path = folder_ / kOwnFolder / name;
    std::error_code problem;
    fs::create_directories(path.parent_path(), problem);
    if (problem) throw InputError(path.parent_path().string(), "cannot be made: " + problem.message());
    return path;
}

Json Project::list(const std::string& folder) const {
    // names are within the project folder; links that lead out of it are passed over like hidden files
    const fs::path real = folder.empty() || folder == "." ? folder_ : resolve(folder);
    if (!fs::is_directory(real)) throw InputError(inQuotes(folder), "there is no such folder in the project folder");
    std::vector<fs::path> found;
    std::error_code problem;
    for (const fs::directory_entry& entry : fs::directory_iterator(real, problem)) {
        const fs::path target = resolved(entry.path());
        if (entry.path().filename().string().starts_with('.') || !isBelow(target, folder_)) continue;
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
        if (!facts) continue;
        const char* kind = fs::is_directory(path)                    ? "folders"
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
    const fs::path file = own("recent.json");
    Json known = fs::exists(file) ? parsedOr(readWholeFile(file, 1 << 20), Json::array()) : Json::array();
    Json there = Json::array();
    if (!known.is_array()) return there;
    for (const Json& entry : known) {
        const bool sound = entry.is_object() && entry.contains("path") && entry["path"].is_string();
        if (sound && fs::is_regular_file(folder_ / entry["path"].get<std::string>())) there.push_back(entry);
    }
    return there;
}

void Project::remember(const fs::path& path) const {
    const std::string name = nameOf(path);
    Json list = Json::array({{{"path", name}, {"time", secondsNow()}}});
    for (const Json& entry : recent())
        if (entry["path"] != name && list.size() < kMostRecent) list.push_back(entry);
    writeFileAtomically(own("recent.json"), textOf(list));
}

fs::path Project::autosaveOf(const std::string& scene) const {
    // one file for each scene, whatever folder it is in
    std::string name;
    for (const char c : scene)
        name += c == '/' ? std::string("%2f") : c == '%' ? std::string("%25") : std::string(1, c);
    return own("autosave/" + (name.empty() ? "untitled" : "scene " + name));
}

void Project::keepUnsaved(const std::string& scene, const std::string& text, uint64_t edits) const {
    const Json kept{{"scene", scene}, {"time", secondsNow()}, {"edits", edits}, {"text", text}};
    writeFileAtomically(autosaveOf(scene), textOf(kept));
}

void Project::forgetUnsaved(const std::string& scene) const {
    std::error_code ignored;
    fs::remove(autosaveOf(scene), ignored);
}

std::optional<Recovery> Project::unsaved(const std::string& scene) const {
    const fs::path file = autosaveOf(scene);
    if (!fs::exists(file)) return {};
    const Json kept = parsedOr(readWholeFile(file, 4 * schema::kMaxSceneBytes), Json());
    if (!kept.is_object()) return {};
    Recovery recovery;
    try {
        recovery = {kept.at("text").get<std::string>(), kept.at("time").get<int64_t>(),
                    kept.at("edits").get<uint64_t>()};
    } catch (const Json::exception&) {
        return {};  // half a file, of another program
    }
    const std::optional<FileTime> saved = scene.empty() ? std::nullopt : timeOf(folder_ / scene);
    if (saved && saved->seconds > recovery.time) return {};
    return recovery;
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
