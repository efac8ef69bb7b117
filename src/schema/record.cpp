#include "schema/record.h"

#include <algorithm>

#include "base/suggest.h"
#include "schema/json_text.h"

namespace sunder::schema {

std::vector<std::string> RecordInfo::keys() const {
    std::vector<std::string> list;
    if (!tagKey.empty()) list.push_back(tagKey);
    for (const FieldInfo& field : fields) list.push_back(field.key);
    return list;
}

bool checkKeys(const RecordInfo& record, const Json& json, Reader& reader) {
    if (!json.is_object()) {
        reader.fail(json, "an object {...} that describes the " + record.name);
        return false;
    }
    const std::vector<std::string> known = record.keys();
    for (const auto& item : json.items()) {
        if (std::find(known.begin(), known.end(), item.key()) != known.end()) continue;
        const Reader::Below below(reader, item.key());
        reader.failUnknown("key", item.key(), known);
    }
    for (const FieldInfo& field : record.fields) {
        if (field.required && !json.contains(field.key)) {
            reader.say("the " + record.name + " needs \"" + field.key + "\": " + field.help, nullptr,
                       "an object with \"" + field.key + "\"");
        }
    }
    return true;
}

TypeInfo recordTypeInfo(const RecordInfo& record) {
    Json schema{{"$ref", "#/$defs/" + record.name}};
    std::string words = "[" + record.name + "](#" + record.name + ")";
    if (!record.shorthand.empty()) {
        for (const FieldInfo& field : record.fields) {
            if (field.key != record.shorthand) continue;
            schema = {{"anyOf", Json::array({field.type.schema, schema})}};
            words.insert(0, field.type.words + " or ");
        }
    }
    return {schema, words, {}, {&record}};
}

std::string firstProblem(const Issues& issues) {
    if (!issues.failed()) return {};
    const Issue& first = issues.list().front();
    return first.pointer.empty() ? first.message : first.pointer.substr(1) + ": " + first.message;
}

std::string readTag(const std::vector<const RecordInfo*>& alternatives, const Json& json, Reader& reader) {
    // a table whose tag names the alternative
    const std::string& key = alternatives.front()->tagKey;
    std::vector<std::string> known;
    for (const RecordInfo* alternative : alternatives) known.push_back(alternative->tagValue);
    if (!json.is_object()) {
        reader.fail(json, "an object {\"" + key + "\": ...}" + "");
        return {};
    }
    // each mistake names what could stand there
    const auto given = json.find(key);
    if (given == json.end()) {
        std::string list;
        for (size_t i = 0; i < known.size(); ++i) list += (i ? ", " : "") + known[i];
        reader.say("\"" + key + "\" is missing; give one of " + list, nullptr, "one of " + list);
        return {};
    }
    // the tag as it is known, or a suggestion of one like it
    const Reader::Below below(reader, key);
    if (!given->is_string()) {
        reader.fail(*given, "a word in quotes");
        return {};
    }
    const std::string tag = given->get<std::string>();
    if (std::find(known.begin(), known.end(), tag) != known.end()) return tag;
    reader.failUnknown(key, tag, known);
    return {};
}

TypeInfo variantInfo(const std::vector<const RecordInfo*>& alternatives) {
    Json options = Json::array();
    std::string words;
    for (const RecordInfo* alternative : alternatives) {
        options.push_back({{"$ref", "#/$defs/" + alternative->name}});
        words += (words.empty() ? "" : " or ") + ("[" + alternative->name + "](#" + alternative->name + ")");
    }
    return {{{"oneOf", options}}, words, {}, alternatives};
}

}  // namespace sunder::schema
