#include "schema/json_text.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include <fmt/format.h>

namespace sunder::schema {

namespace {

struct Place {
    size_t line = 1, column = 1;  // from 1, columns in bytes
};

Place placeOf(std::string_view text, size_t offset) {
    Place place;
    for (const char c : text.substr(0, std::min(offset, text.size()))) {
        ++place.column;
        if (c == '\n') place = {place.line + 1, 1};
    }
    return place;
}

/// Found bytes made fit for a message.
std::string inQuotes(std::string_view found) {
    constexpr size_t kShown = 40;
    std::string text;
    for (const char c : found.substr(0, kShown)) {
        const bool plain = c >= ' ' && c < 127;
        text += plain ? std::string(1, c) : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
    return "'" + text + (found.size() > kShown ? "..." : "") + "'";
}

bool isWordLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-' || c == '+';
}

/// The word at an offset: NaN, Infinity, True, ...
std::string_view wordAround(std::string_view text, size_t offset) {
    size_t begin = std::min(offset, text.size()), end = begin;
    while (begin > 0 && isWordLetter(text[begin - 1])) --begin;
    while (end < text.size() && isWordLetter(text[end])) ++end;
    return text.substr(begin, end - begin);
}

/// Takes nlohmann's events and builds the tree. No recursion, here or there: the depth of a file costs no stack.
class TreeBuilder : public nlohmann::json_sax<Json> {
public:
    TreeBuilder(std::string_view text, Issues& issues) : text_(text), issues_(issues) {}

    Json root;

    bool null() override { return put(nullptr); }
    bool boolean(bool value) override { return put(value); }
    bool number_integer(number_integer_t value) override { return put(value); }
    bool number_unsigned(number_unsigned_t value) override { return put(value); }
    bool number_float(number_float_t value, const string_t&) override { return put(value); }
    bool string(string_t& value) override { return put(std::move(value)); }
    bool binary(binary_t&) override { return false; }  // not in text

    bool start_object(size_t) override { return open(Json::object()); }
    bool start_array(size_t) override { return open(Json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t& name) override {
        Level& level = levels_.back();
        level.key = name;
        level.skipped = !level.keys.insert(name).second;
        if (level.skipped) {
            issues_.add({.pointer = below(pointer(levels_.size() - 1), name),
                         .message = "the key " + inQuotes(name) + " is given twice; keep one of the two",
                         .found = inQuotes(name),
                         .allowed = "every key once"});
        }
        if (level.keys.size() <= kMaxKeys) return true;
        issues_.add({.pointer = pointer(levels_.size() - 1),
                     .message = fmt::format("an object may have at most {} keys", kMaxKeys),
                     .found = "more",
                     .allowed = fmt::format("at most {} keys", kMaxKeys)});
        return false;
    }

    bool parse_error(size_t position, const std::string& token, const nlohmann::detail::exception& error) override {
        const size_t offset = position > 0 ? position - 1 : 0;
        const Place place = placeOf(text_, offset);
        issues_.add(
            {.pointer = {},
             .message = fmt::format("line {}, column {}: {}", place.line, place.column, why(offset, token, error)),
             .found = inQuotes(token),
             .allowed = "JSON with comments"});
        return false;
    }

private:
    struct Level {
        Json value;
        std::set<std::string> keys;  // of an object
        std::string key;             // being filled in
        bool skipped = false;        // a key given twice
    };

    bool put(Json value) {
        if (levels_.empty()) {
            root = std::move(value);
            return true;
        }
        Level& level = levels_.back();
        if (level.value.is_array()) {
            level.value.push_back(std::move(value));
        } else if (!level.skipped) {
            level.value[level.key] = std::move(value);
        }
        return true;
    }
    bool open(Json empty) {
        if (levels_.size() == kMaxDepth) {
            issues_.add({.pointer = {},
                         .message = fmt::format("objects and arrays are nested more than {} deep", kMaxDepth),
                         .found = "more",
                         .allowed = fmt::format("at most {} levels", kMaxDepth)});
            return false;
        }
        levels_.push_back({.value = std::move(empty), .keys = {}, .key = {}});
        return true;
    }
    bool close() {
        Json value = std::move(levels_.back().value);
        levels_.pop_back();
        return put(std::move(value));
    }
    std::string pointer(size_t depth) const {
        std::string path;
        for (size_t i = 0; i < depth; ++i) {
            const Level& level = levels_[i];
            path = below(path, level.value.is_array() ? std::to_string(level.value.size()) : level.key);
        }
        return path;
    }
    /// What a person would say of a syntax error.
    std::string why(size_t offset, const std::string& token, const nlohmann::detail::exception& error) const {
        const std::string_view word = wordAround(text_, offset);
        for (const char* name : {"NaN", "nan", "NAN", "Infinity", "-Infinity", "inf", "-inf", "Inf", "-Inf"}) {
            if (word == name) return inQuotes(word) + " is not a number JSON knows; give a finite number";
        }
        if (error.id == 406) return inQuotes(token) + " is too large for a number; give one below 1e308";
        if (offset >= text_.size()) return "the file ends too early: a } or ] or \" is missing";
        const std::string_view before = text_.substr(0, offset);
        const size_t last = before.find_last_not_of(" \t\r\n");
        const bool closing = text_[offset] == '}' || text_[offset] == ']';
        if (closing && last != std::string_view::npos && before[last] == ',') {
            return fmt::format("a comma before {}; remove it", inQuotes(text_.substr(offset, 1)));
        }
        return fmt::format("cannot read {}; is a comma, a colon or a quote missing before it?",
                           inQuotes(word.empty() ? text_.substr(offset, 1) : word));
    }

    std::string_view text_;
    Issues& issues_;
    std::vector<Level> levels_;
};

/// Where a text opens more objects and arrays in each other than are allowed; npos: nowhere. It need not be JSON.
size_t tooDeepAt(std::string_view text) {
    size_t depth = 0;
    bool inString = false;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inString) {
            if (c == '\\') ++i;
            inString = c != '"';
        } else if (c == '"') {
            inString = true;
        } else if (c == '[' || c == '{') {
            if (++depth > kMaxDepth) return i;
        } else if (c == ']' || c == '}') {
            if (depth > 0) --depth;
        }
    }
    return std::string_view::npos;
}

constexpr size_t kLineWidth = 100;

void print(const Json& json, size_t indent, size_t used, std::string& out) {
    // what fits on the rest of the line stays on it; the top level never does
    const std::string flat = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    const bool nested = json.is_structured() && !json.empty();
    if (!nested || (indent > 0 && used + flat.size() + json.size() <= kLineWidth)) {
        // dump() leaves no space after commas and colons
        if (!nested) {
            out += flat;
            return;
        }
        out += json.is_array() ? '[' : '{';
        for (auto item = json.begin(); item != json.end(); ++item) {
            if (item != json.begin()) out += ", ";
            if (json.is_object()) out += Json(item.key()).dump() + ": ";
            print(*item, indent + 1, 0, out);
        }
        out += json.is_array() ? ']' : '}';
        return;
    }
    // otherwise an entry on each line, its value as flat as the rest of that line allows
    const std::string margin(2 * (indent + 1), ' ');
    out += json.is_array() ? "[\n" : "{\n";
    for (auto item = json.begin(); item != json.end(); ++item) {
        if (item != json.begin()) out += ",\n";
        const std::string key = json.is_object() ? Json(item.key()).dump() + ": " : "";
        out += margin + key;
        print(*item, indent + 1, margin.size() + key.size(), out);
    }
    out += "\n" + std::string(2 * indent, ' ') + (json.is_array() ? "]" : "}");
}

}  // namespace

Json toJson(const Vec3& vector) { return Json::array({vector.x(), vector.y(), vector.z()}); }

Json parseJson(std::string_view text, Issues& issues) {
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // a mark some editors put first
    if (text.size() > kMaxSceneBytes) {
        issues.add({.pointer = {},
                    .message = fmt::format("a scene may have at most {} MB, this one has {}; use arrays and instances, "
                                           "and keep meshes in files of their own",
                                           kMaxSceneBytes >> 20, text.size() >> 20),
                    .found = fmt::format("{} bytes", text.size()),
                    .allowed = fmt::format("at most {} bytes", kMaxSceneBytes)});
        return nullptr;
    }
    TreeBuilder builder(text, issues);
    const bool read = Json::sax_parse(text, &builder, Json::input_format_t::json, true, true);
    return read ? std::move(builder.root) : Json(nullptr);
}

template <class AnyJson>
AnyJson jsonOf(std::string_view text) {
    const size_t deep = tooDeepAt(text);
    if (deep != std::string_view::npos)
        throw BadJson(deep, fmt::format("objects and arrays are nested more than {} deep", kMaxDepth));
    try {
        return AnyJson::parse(text);
    } catch (const nlohmann::detail::parse_error& error) {
        const size_t at = error.byte > 0 ? error.byte - 1 : 0;
        throw BadJson(
            at, at >= text.size() ? std::string("it ends too early") : "cannot read " + inQuotes(text.substr(at, 1)));
    } catch (const nlohmann::detail::exception&) {
        throw BadJson(0, "a number is too large");
    }
}
template Json jsonOf<Json>(std::string_view text);
template nlohmann::json jsonOf<nlohmann::json>(std::string_view text);

std::optional<Json> jsonIfGood(std::string_view text) {
    try {
        return jsonOf(text);
    } catch (const BadJson&) {
        return {};
    }
}

Json valueAt(const Json& json, const std::string& pointer) {
    const Json::json_pointer where(pointer);
    return json.contains(where) ? json.at(where) : Json();
}

std::string printedJson(const Json& json) {
    std::string out;
    print(json, 0, 0, out);
    return out + "\n";
}

std::string shown(const Json& json) {
    if (json.is_object()) return "an object";
    if (json.is_array() && json.size() > 4) return "an array of " + std::to_string(json.size());
    constexpr double kWhole = 1e15;
    if (json.is_number_float() && std::abs(json.get<double>()) < kWhole) return fmt::format("{}", json.get<double>());
    std::string text = json.dump(-1, ' ', true, Json::error_handler_t::replace);
    constexpr size_t kShown = 60;
    return text.size() > kShown ? text.substr(0, kShown) + "..." : text;
}

std::string below(const std::string& pointer, std::string_view key) {
    std::string escaped;
    for (const char c : key) {
        if (c == '~') {
            escaped += "~0";
        } else if (c == '/') {
            escaped += "~1";
        } else {
            escaped += c;
        }
    }
    return pointer + "/" + escaped;
}

}  // namespace sunder::schema
