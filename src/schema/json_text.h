#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "schema/issues.h"
#include "schema/json.h"

namespace sunder::schema {

inline constexpr size_t kMaxSceneBytes = 16 << 20;  // larger scenes want arrays, instances and mesh files
inline constexpr size_t kMaxDepth = 64;             // objects in objects
inline constexpr size_t kMaxKeys = 2000;            // in one object

/// JSON with // and /* */ comments. What cannot be read is an issue with line and column, a key given twice one with
/// its pointer; the first one counts. Null when nothing was read.
Json parseJson(std::string_view text, Issues& issues);

/// What of a text is no JSON, or nested more than kMaxDepth deep.
struct BadJson : std::runtime_error {
    /// `why` is a part of a sentence, as what() gives it; `where` is a byte of the text, from 0.
    BadJson(size_t where, const std::string& why) : std::runtime_error(why), byte(where) {}
    size_t byte;  // from 0, in the text
};

/// JSON of whatever file, of any length: recordings, glTF, values of the command line. All JSON that is no scene is
/// read here and with jsonIfGood(), so that none is deeper than the stack bears. `AnyJson`: schema::Json or
/// nlohmann::json. Throws BadJson.
template <class AnyJson = Json>
AnyJson jsonOf(std::string_view text);

/// The same; nothing where it would throw.
std::optional<Json> jsonIfGood(std::string_view text);

/// The value at a JSON pointer; null where a part of it leads nowhere.
Json valueAt(const Json& json, const std::string& pointer);

/// Two spaces deep; what fits a line stays on it.
std::string printedJson(const Json& json);

/// "-5", "\"brik\"", "an object": a value as a message shows it, shortened.
std::string shown(const Json& json);

/// `pointer` + "/" + key, with ~ and / escaped.
std::string below(const std::string& pointer, std::string_view key);

}  // namespace sunder::schema
