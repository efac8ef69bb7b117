#include "scene/settings.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/suggest.h"
#include "scene/detail/records.h"
#include "schema/json_text.h"

namespace sunder::scene {

namespace {

std::vector<std::string> splitPointer(const std::string& pointer) {
    ASSERT(pointer.starts_with('/'));
    std::vector<std::string> parts;
    for (size_t i = 0; i < pointer.size(); ++i) {
        if (pointer[i] == '/') {
            parts.emplace_back();
        } else if (pointer[i] == '~' && i + 1 < pointer.size() && (pointer[i + 1] == '0' || pointer[i + 1] == '1')) {
            parts.back() += pointer[++i] == '0' ? '~' : '/';
        } else {
            parts.back() += pointer[i];
        }
    }
    return parts;
}

std::vector<std::string> splitDots(const std::string& path) {
    std::vector<std::string> parts{""};
    for (const char c : path) {
        if (c == '.') {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    return parts;
}

std::optional<size_t> indexOf(const std::string& part) {
    size_t index = 0;
    const auto [stop, error] = std::from_chars(part.data(), part.data() + part.size(), index);
    if (error != std::errc() || stop != part.data() + part.size()) return std::nullopt;
    return index;
}

/// The entry of a list that is called so, or has that number.
Json* entryOf(Json& list, const std::string& part) {
    for (Json& entry : list) {
        if (entry.is_object() && entry.contains("name") && entry["name"] == part) return &entry;
    }
    const std::optional<size_t> index = indexOf(part);
    return index && *index < list.size() ? &list[*index] : nullptr;
}

/// What could have been meant by the next part of a path.
std::vector<std::string> choicesAt(const Json& json, bool top) {
    std::vector<std::string> known;
    if (top) known = recordOf<Scene>().recordInfo().keys();
    if (top && json.contains("parameters") && json["parameters"].is_object()) {
        for (const auto& item : json["parameters"].items()) known.push_back(item.key());
    }
    if (!top && json.is_object()) {
        for (const auto& item : json.items()) known.push_back(item.key());
    }
    if (json.is_array()) {
        for (const Json& entry : json) {
            if (entry.is_object() && entry.contains("name") && entry["name"].is_string())
                known.push_back(entry["name"]);
        }
        if (!json.empty()) known.push_back("0 to " + std::to_string(json.size() - 1));
    }
    return known;
}

/// Goes down a path, adding keys that are not there. Null when a part leads nowhere: an entry that a list has not, a
/// key of the file that no scene has, or something below a plain value.
struct Step {
    Json* value = nullptr;
    size_t failedAt = 0;  // the part that led nowhere
    const Json* parent = nullptr;
};
Step follow(const std::vector<std::string>& parts, Json& scene) {
    const std::vector<std::string> top = recordOf<Scene>().recordInfo().keys();
    ASSERT(!parts.empty());
    Json* at = &scene;
    for (size_t i = 0; i < parts.size(); ++i) {
        Json* const parent = at;
        if (parent->is_array()) {
            at = entryOf(*parent, parts[i]);
        } else if (parent->is_object() || parent->is_null()) {
            const bool known = i > 0 || std::find(top.begin(), top.end(), parts[i]) != top.end();
            at = known ? &(*parent)[parts[i]] : nullptr;
        } else {
            at = nullptr;
        }
        if (at == nullptr) return {nullptr, i, parent};
    }
    return {at, parts.size(), nullptr};
}

/// A setting as a message shows it.
std::string shortened(const std::string& setting) {
    constexpr int kShown = 80;  // bytes
    return setting.size() > static_cast<size_t>(kShown) ? fmt::format("{:.{}}...", setting, kShown) : setting;
}

void refuse(const std::string& setting, const std::string& message, Issues& issues) {
    issues.add({.pointer = {},
                .message = "--set " + shortened(setting) + ": " + message,
                .found = shortened(setting),
                .allowed = "NAME=VALUE, where NAME is a parameter, a path or a JSON pointer"});
}

/// What is no JSON is a word.
Json valueIn(const std::string& text) { return jsonIfGood(text).value_or(Json(text)); }

}  // namespace

void applySetting(const std::string& setting, Json& scene, Issues& issues) {
    // a name and a value
    const size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0) {
        return refuse(setting, "give a name and a value, as in --set world.frames=60", issues);
    }
    if (!scene.is_object()) return;  // reading will say so
    const std::string path = setting.substr(0, equals);
    const Json value = valueIn(setting.substr(equals + 1));

    // parameters go before paths, since scenes name them for that
    if (scene.contains("parameters") && scene["parameters"].is_object() && scene["parameters"].contains(path)) {
        scene["parameters"][path] = value;
        return;
    }
    // a path with dots or slashes; the first part that is not there is named, with what there is
    const std::vector<std::string> parts = path[0] == '/' ? splitPointer(path) : splitDots(path);
    if (parts.size() > kMaxDepth)
        return refuse(setting, fmt::format("a path may have at most {} parts", kMaxDepth), issues);
    Json changed = scene;
    const Step step = follow(parts, changed);
    if (step.value == nullptr) {
        ASSERT(step.failedAt < parts.size() && step.parent != nullptr);
        const bool top = step.failedAt == 0;
        const std::string word = top ? path : parts[step.failedAt];
        return refuse(setting,
                      std::string("there is no ") + (top ? "parameter or path '" : "'") + word + "'" +
                          suggestion(word, choicesAt(*step.parent, top)),
                      issues);
    }
    // a table cannot become a number by mistake
    if (step.value->is_structured() && !step.value->empty() && !value.is_structured()) {
        return refuse(setting, "'" + path + "' is not a single value; name one below it", issues);
    }
    *step.value = value;
    scene = std::move(changed);
}

}  // namespace sunder::scene
