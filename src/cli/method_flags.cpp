#include "cli/method_flags.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "base/error.h"
#include "base/suggest.h"
#include "cli/output.h"
#include "schema/json_text.h"

namespace sunder::cli {

namespace {

namespace fs = std::filesystem;
using fracture::MethodEntry;
using schema::FieldInfo;
using schema::Json;

constexpr const char* kSet = "--set ";

/// smallest_piece -> --smallest-piece
std::string flagOf(const std::string& key) {
    std::string flag = "--" + key;
    std::replace(flag.begin(), flag.end(), '_', '-');
    return flag;
}

/// Null when the method has no such setting.
const FieldInfo* fieldOf(const MethodEntry& entry, const std::string& key) {
    for (const FieldInfo& field : entry.record->fields) {
        if (field.key == key) return &field;
    }
    return nullptr;
}

/// "prescored: of a body that breaks (whole number, 2 to 100000; default 25)"
std::string helpOf(const MethodEntry& entry, const FieldInfo& field) {
    std::string facts = field.type.words;
    if (!field.type.allowed.empty()) facts += ", " + field.type.allowed;
    if (!field.defaultValue.is_null() && !field.defaultValue.empty()) facts += "; default " + field.defaultValue.dump();
    return fmt::format("{}: {} ({})", entry.name(), field.help, facts);
}

/// The value of a field that is a list of files: a folder stands for all files in it, by name.
Json filesOf(const std::string& text) {
    Json list = Json::array();
    for (const std::string& part : CLI::detail::split(text, ',')) {
        if (!fs::exists(part))
            throw InputError(part, "is no folder and no file; give a folder, or files with commas between them");
        if (!fs::is_directory(part)) {
            list.push_back(part);
            continue;
        }
        static const std::set<std::string> kBeside{".mtl", ".csv", ".json"};  // what folders of pieces have besides
        std::vector<std::string> inside;
        for (const fs::directory_entry& entry : fs::directory_iterator(part)) {
            // what is hidden is a mark of ours, or of a file manager
            const bool hidden = entry.path().filename().string().starts_with(".");
            if (entry.is_regular_file() && !hidden && !kBeside.contains(entry.path().extension().string()))
                inside.push_back(entry.path().string());
        }
        std::sort(inside.begin(), inside.end());
        for (std::string& file : inside) list.push_back(std::move(file));
    }
    return list;
}

/// A value as people type it: JSON, or X,Y,Z for several numbers, or a word.
Json valueOf(const FieldInfo& field, const std::string& text) {
    const bool listOfWords = field.type.schema.contains("items") && field.type.schema["items"].contains("type") &&
                             field.type.schema["items"]["type"] == "string";
    if (listOfWords && !text.starts_with('[')) return filesOf(text);
    std::optional<Json> value = schema::jsonIfGood(text);
    if (!value && text.find(',') != std::string::npos) value = schema::jsonIfGood("[" + text + "]");
    return value.value_or(Json(text));
}

/// The flag or --set that a mistake is about.
std::string whereOf(const schema::Issue& issue, const Json& bySet) {
    if (issue.pointer.empty()) return "sunder fracture";
    const std::string key = issue.pointer.substr(1, issue.pointer.find('/', 1) - 1);
    return bySet.contains(key) ? kSet + key : flagOf(key);
}

}  // namespace

void MethodFlags::addTo(CLI::App& command, const std::vector<std::string>& others) {
    std::vector<std::string> names;
    // methods share keys: one flag stands for a key in all of them, with the help of each
    for (const MethodEntry& entry : fracture::methods()) {
        if (entry.record->fields.empty()) continue;
        names.push_back(entry.name());
        for (const FieldInfo& field : entry.record->fields) {
            if (std::ranges::find(others, field.key) != others.end()) continue;
            const auto same = std::ranges::find(flags_, field.key, [](const auto& flag) { return flag->key; });
            if (same != flags_.end()) {
                (*same)->methods.push_back(entry.name());
                (*same)->option->description((*same)->option->get_description() + "; " + helpOf(entry, field));
                continue;
            }
            auto flag = std::make_shared<Flag>();
            flag->key = field.key;
            flag->methods = {entry.name()};
            flag->option = command.add_option(flagOf(field.key), flag->value, helpOf(entry, field));
            flag->option->group("Settings of methods");
            flags_.push_back(std::move(flag));
        }
    }
    // the method itself, and settings by key for scripts
    command.add_option("--method", method_, joined(names) + " (sunder methods says what each does)")
        ->capture_default_str();
    command.add_option("--set", sets_, "a setting of the method, as KEY=VALUE; may be repeated");
}

Json MethodFlags::given(const MethodEntry& entry) const {
    Json json{{entry.record->tagKey, entry.name()}};
    for (const auto& flag : flags_) {
        if (flag->option->count() == 0) continue;
        const FieldInfo* field = fieldOf(entry, flag->key);
        if (field == nullptr)
            throw InputError(flagOf(flag->key),
                             fmt::format("is a setting of {}, but the method is {}; leave it away or "
                                         "choose --method {}",
                                         joined(flag->methods), entry.name(), flag->methods.front()));
        json[flag->key] = valueOf(*field, flag->value);
    }
    return json;
}

fracture::MethodSettings MethodFlags::settings(const Json& over) const {
    const MethodEntry* entry = fracture::findMethod(method_);
    if (entry == nullptr || entry->record->fields.empty()) {
        std::vector<std::string> names;
        for (const MethodEntry& one : fracture::methods()) {
            if (!one.record->fields.empty()) names.push_back(one.name());
        }
        throw InputError("--method", fmt::format("there is no method '{}'{}; there are {}", method_,
                                                 suggestion(method_, names), joined(names)));
    }

    // what flags say, and over it what --set says
    Json json = given(*entry), bySet = Json::object();
    for (const std::string& set : sets_) {
        const size_t equals = set.find('=');
        if (equals == std::string::npos || equals == 0)
            throw InputError(kSet + set, "give a setting and a value, as in --set pieces=40");
        const std::string key = set.substr(0, equals);
        const FieldInfo* field = fieldOf(*entry, key);
        const std::string text = set.substr(equals + 1);
        bySet[key] = json[key] = field != nullptr ? valueOf(*field, text) : Json(text);
    }

    json.update(over);

    // the method's own record reads them, as it does from a scene
    schema::Issues issues("sunder fracture");
    const Json noParameters;
    schema::Reader reader(issues, noParameters);
    fracture::MethodSettings settings;
    fracture::methodSettings()->read(json, settings, reader);
    if (issues.failed()) throw InputError(whereOf(issues.list().front(), bySet), issues.list().front().message);
    return settings;
}

}  // namespace sunder::cli
