#include "scene/compare.h"

#include <set>

#include "base/assert.h"
#include "scene/parse.h"
#include "schema/json_text.h"

namespace sunder::scene {

using namespace schema;

namespace {

std::string shownOrAbsent(const Json* json) { return json == nullptr ? "absent" : shown(*json); }

const Json* find(const Json* json, const std::string& key) {
    if (json == nullptr || !json->is_object()) return nullptr;
    const auto found = json->find(key);
    return found == json->end() ? nullptr : &*found;
}
const Json* find(const Json* json, size_t index) {
    return json != nullptr && json->is_array() && index < json->size() ? &(*json)[index] : nullptr;
}

bool changesNothing(const std::string& pointer) {
    static const std::set<std::string> places{"/$schema", "/title",        "/description", "/parameters",
                                              "/view",    "/world/frames", "/output/file", "/output/checkpoint_every"};
    if (places.contains(pointer)) return true;
    const std::string key = pointer.substr(pointer.rfind('/') + 1);  // only materials have these
    return key == "look" || key == "colour" || key == "inside_colour";
}

/// Short rows of numbers are told as a whole.
bool isRow(const Json& json) {
    if (!json.is_array() || json.size() > 4) return false;
    for (const Json& item : json) {
        if (item.is_structured()) return false;
    }
    return true;
}

void compare(const Json* before, const Json* after, const std::string& pointer, std::vector<SceneChange>& changes) {
    if (!pointer.empty() && changesNothing(pointer)) return;
    if (before != nullptr && after != nullptr && *before == *after) return;
    ASSERT(before != nullptr || after != nullptr);
    // objects by key, lists by index, anything else and rows of numbers as one value
    const bool objects = before != nullptr && after != nullptr && before->is_object() && after->is_object();
    const bool lists =
        before != nullptr && after != nullptr && before->is_array() && after->is_array() && !isRow(*after);
    if (objects) {
        for (const auto& item : before->items())
            compare(&item.value(), find(after, item.key()), below(pointer, item.key()), changes);
        for (const auto& item : after->items()) {
            if (find(before, item.key()) == nullptr)
                compare(nullptr, &item.value(), below(pointer, item.key()), changes);
        }
    } else if (lists) {
        for (size_t i = 0; i < std::max(before->size(), after->size()); ++i)
            compare(find(before, i), find(after, i), below(pointer, std::to_string(i)), changes);
    } else {
        changes.push_back({pointer, shownOrAbsent(before), shownOrAbsent(after)});
    }
}

}  // namespace

std::vector<SceneChange> changesOfRun(const Scene& before, const Scene& after) {
    const Json was = sceneJson(before), is = sceneJson(after);
    std::vector<SceneChange> changes;
    compare(&was, &is, "", changes);
    return changes;
}

}  // namespace sunder::scene
