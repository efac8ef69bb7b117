#pragma once

#include <optional>
#include <string>

#include "base/error.h"
#include "schema/json.h"

namespace sunder::studio {

using schema::Json;

/// Arguments of commands. Throw InputError that names the argument, what was found and what is allowed.
std::string textIn(const Json& command, const char* key);
std::optional<std::string> textIfIn(const Json& command, const char* key);
uint64_t countIn(const Json& command, const char* key);
std::optional<uint64_t> countIfIn(const Json& command, const char* key);
/// A whole number of a range.
std::optional<uint64_t> countIfIn(const Json& command, const char* key, uint64_t least, uint64_t most);
std::optional<double> numberIfIn(const Json& command, const char* key);
bool flagIn(const Json& command, const char* key);  // false unless given
const Json& objectIn(const Json& command, const char* key);
const Json& listIn(const Json& command, const char* key);

/// On one line; bytes that are no UTF-8 are shown as such rather than fail.
std::string textOf(const Json& json);

}  // namespace sunder::studio
