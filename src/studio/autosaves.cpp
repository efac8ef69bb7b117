#include "studio/autosaves.h"

#include <algorithm>
#include <span>

#include "base/error.h"
#include "base/stopwatch.h"
#include "io/files/file_access.h"
#include "io/recording/recording_format.h"
#include "schema/json_text.h"

namespace sunder::studio {

namespace fs = std::filesystem;

namespace {

constexpr const char* kFolder = "autosave";

/// How the names of a scene's autosaves begin. A hash: paths may be longer than names of files.
std::string stemOf(const std::string& scene) {
    return contentHash(std::as_bytes(std::span(scene.data(), scene.size()))) + "-";
}

/// Earlier versions kept one file for each scene, under its name.
bool isOfEarlierVersion(const std::string& name) { return name == "untitled" || name.starts_with("scene "); }

/// Nothing when it is half a file, or of another program.
std::optional<Recovery> readRecovery(const fs::path& file) {
    try {
        const Json kept = schema::jsonOf(readWholeFile(file, 4 * schema::kMaxSceneBytes));
        return Recovery{.id = file.filename().string(),
                        .time = kept.at("time").get<int64_t>(),
                        .work = {.scene = kept.at("scene").get<std::string>(),
                                 .base = kept.value("base", ""),
                                 .text = kept.at("text").get<std::string>(),
                                 .edits = kept.at("edits").get<uint64_t>()}};
    } catch (const schema::BadJson&) {
        return {};
    } catch (const Json::exception&) {
        return {};
    } catch (const InputError&) {
        return {};
    }
}

/// The number at the end of a name; names of one scene are given in this order.
uint64_t numberInId(const std::string& id) {
    const size_t dash = id.rfind('-');
    return dash == std::string::npos ? 0 : std::strtoull(id.c_str() + dash + 1, nullptr, 10);
}

}  // namespace

std::string Autosaves::begin(const std::string& scene) const {
    return project_.newOwn(kFolder, stemOf(scene)).filename().string();
}

void Autosaves::keep(const std::string& id, const UnsavedWork& work) const {
    const Json kept{{"scene", work.scene},
                    {"base", work.base},
                    {"time", secondsSinceEpoch()},
                    {"edits", work.edits},
                    {"text", work.text}};
    writeFileAtomically(project_.own(std::string(kFolder) + "/" + id), textOf(kept));
}

void Autosaves::forget(const std::string& id) const {
    try {
        std::error_code ignored;
        fs::remove(project_.ownFolder(kFolder) / id, ignored);
    } catch (const InputError&) {
        // a folder that is not Studio's own has nothing of it
    }
}

std::vector<Recovery> Autosaves::of(const std::string& scene) const {
    const std::string stem = stemOf(scene);
    std::vector<Recovery> all;
    for (const fs::path& file : project_.ownFiles(kFolder)) {
        const std::string name = file.filename().string();
        if (!name.starts_with(stem) && !isOfEarlierVersion(name)) continue;
        std::optional<Recovery> recovery = readRecovery(file);
        if (recovery && recovery->work.scene == scene) all.push_back(std::move(*recovery));
    }
    std::ranges::sort(all, [](const Recovery& a, const Recovery& b) {
        return a.time != b.time ? a.time > b.time : numberInId(a.id) > numberInId(b.id);
    });
    if (all.size() > kMostOffered) all.resize(kMostOffered);
    return all;
}

}  // namespace sunder::studio
