#pragma once

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

/// Two spaces deep; what fits a line stays on it.
std::string printedJson(const Json& json);

/// "-5", "\"brik\"", "an object": a value as a message shows it, shortened.
std::string shown(const Json& json);

/// `pointer` + "/" + key, with ~ and / escaped.
std::string below(const std::string& pointer, std::string_view key);

}  // namespace sunder::schema
