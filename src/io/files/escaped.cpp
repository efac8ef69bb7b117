#include "io/files/escaped.h"

#include <fmt/format.h>

#include "io/files/source.h"

namespace sunder {

namespace {

bool isControl(unsigned char byte) { return byte < 0x20 || byte == 0x7f; }

/// U+0080 to U+009F, which old terminals obey like escape sequences.
bool isLateControl(std::string_view character) {
    return character.size() == 2 && character[0] == '\xc2' && static_cast<unsigned char>(character[1]) < 0xa0;
}

}  // namespace

std::string forTerminal(std::string_view text, LineFeeds lineFeeds) {
    std::string shown;
    while (!text.empty()) {
        // a character of UTF-8, or a byte that begins none
        const size_t length = utf8Length(text);
        const std::string_view character = text.substr(0, std::max<size_t>(length, 1));
        text.remove_prefix(character.size());
        const bool kept = character == "\n" && lineFeeds == LineFeeds::Keep;
        const bool obeyed =
            length == 0 || isControl(static_cast<unsigned char>(character[0])) || isLateControl(character);
        if (kept || !obeyed) {
            shown += character;
            continue;
        }
        for (const char c : character) shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
    return shown;
}

std::string forXml(std::string_view text) {
    std::string result;
    for (const char c : utf8FromAny(text)) {
        if (c == '&' || c == '<' || c == '>' || c == '"' || c == '\'' || c == '\n' || c == '\r' || c == '\t') {
            result += fmt::format("&#{};", static_cast<int>(c));
        } else {
            result += isControl(static_cast<unsigned char>(c)) ? '?' : c;
        }
    }
    return result;
}

std::string forCsv(std::string_view text) {
    const bool formula = !text.empty() && std::string_view("=+-@\t\r").find(text[0]) != std::string_view::npos;
    if (!formula && text.find_first_of("\",\n\r") == std::string_view::npos) return std::string(text);
    std::string result = formula ? "\"'" : "\"";
    for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
    return result + '"';
}

std::string forUsd(std::string_view text) {
    std::string result = "\"";
    for (const char c : utf8FromAny(text)) {
        if (c == '"' || c == '\\') result += '\\';
        if (c == '\n') {
            result += "\\n";
        } else if (!isControl(static_cast<unsigned char>(c))) {
            result += c;
        }
    }
    return result + '"';
}

std::string forComment(std::string_view text) {
    std::string result;
    for (const char c : text) result += isControl(static_cast<unsigned char>(c)) ? ' ' : c;
    return result;
}

}  // namespace sunder
