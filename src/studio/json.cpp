#include "studio/json.h"

#include <cmath>

#include <fmt/format.h>

#include "schema/json_text.h"

namespace sunder::studio {

namespace {

[[noreturn]] void refuse(const Json& command, const char* key, const std::string& allowed) {
    const bool given = command.is_object() && command.contains(key);
    throw InputError(
        key, "must be " + allowed + ", found " + (given ? schema::shown(command[key]) : std::string("nothing")));
}

const Json* find(const Json& command, const char* key) {
    if (!command.is_object()) return nullptr;
    const auto found = command.find(key);
    return found == command.end() || found->is_null() ? nullptr : &*found;
}

}  // namespace

std::string textIn(const Json& command, const char* key) {
    if (std::optional<std::string> text = textIfIn(command, key)) return *text;
    refuse(command, key, "a text");
}

std::optional<std::string> textIfIn(const Json& command, const char* key) {
    const Json* value = find(command, key);
    if (value == nullptr) return {};
    if (!value->is_string()) refuse(command, key, "a text");
    return value->get<std::string>();
}

uint64_t countIn(const Json& command, const char* key) {
    if (const std::optional<uint64_t> count = countIfIn(command, key)) return *count;
    refuse(command, key, "a whole number from 0 on");
}

std::optional<uint64_t> countIfIn(const Json& command, const char* key) {
    constexpr double kMost = 1e15;  // whole numbers that JavaScript has
    const Json* value = find(command, key);
    if (value == nullptr) return {};
    const double number = value->is_number() ? value->get<double>() : -1;
    if (!(number >= 0 && number <= kMost && number == std::floor(number)))
        refuse(command, key, "a whole number from 0 on");
    return static_cast<uint64_t>(number);
}

std::optional<uint64_t> countIfIn(const Json& command, const char* key, uint64_t least, uint64_t most) {
    const Json* value = find(command, key);
    if (value == nullptr) return {};
    const double number = value->is_number() ? value->get<double>() : -1;
    const bool inRange = number >= static_cast<double>(least) && number <= static_cast<double>(most);
    if (!inRange || number != std::floor(number))
        refuse(command, key, fmt::format("a whole number from {} to {}", least, most));
    return static_cast<uint64_t>(number);
}

std::optional<double> numberIfIn(const Json& command, const char* key) {
    const Json* value = find(command, key);
    if (value == nullptr) return {};
    if (!value->is_number() || !std::isfinite(value->get<double>())) refuse(command, key, "a number");
    return value->get<double>();
}

bool flagIn(const Json& command, const char* key) {
    const Json* value = find(command, key);
    if (value == nullptr) return false;
    if (!value->is_boolean()) refuse(command, key, "true or false");
    return value->get<bool>();
}

const Json& objectIn(const Json& command, const char* key) {
    const Json* value = find(command, key);
    if (value == nullptr || !value->is_object()) refuse(command, key, "an object");
    return *value;
}

const Json& listIn(const Json& command, const char* key) {
    const Json* value = find(command, key);
    if (value == nullptr || !value->is_array()) refuse(command, key, "a list");
    return *value;
}

std::string textOf(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace sunder::studio
