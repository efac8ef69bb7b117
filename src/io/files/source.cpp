#include "io/files/source.h"

#include <algorithm>

#include <fmt/format.h>

namespace sunder {

namespace {

size_t lineOf(std::string_view text, size_t offset) {
    size_t line = 1;
    for (size_t i = 0; i < offset && i < text.size(); ++i) {
        if (text[i] == '\n' || (text[i] == '\r' && !(i + 1 < text.size() && text[i + 1] == '\n'))) ++line;
    }
    return line;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool startsWithIgnoringCase(std::string_view text, std::string_view start) {
    return text.size() >= start.size() && equalIgnoringCase(text.substr(0, start.size()), start);
}

}  // namespace

InputError errorAtLine(const Source& source, size_t offset, const std::string& message) {
    return InputError(fmt::format("{}: line {}", source.name, lineOf(source.bytes, offset)), message);
}

InputError errorAtByte(const Source& source, size_t offset, const std::string& message) {
    return InputError(fmt::format("{}: byte {}", source.name, offset), message);
}

InputError errorInFile(const Source& source, const std::string& message) { return InputError(source.name, message); }

std::string inQuotes(std::string_view found) {
    constexpr size_t kShown = 40;
    std::string result = "'";
    for (const char c : found.substr(0, kShown)) {
        const unsigned char byte = static_cast<unsigned char>(c);
        result += byte >= 0x20 && byte < 0x7f ? std::string(1, c) : fmt::format("\\x{:02x}", byte);
    }
    return result + (found.size() > kShown ? "...'" : "'");
}

size_t utf8Length(std::string_view text) {
    const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
    if (text.empty()) return 0;
    const unsigned char lead = byte(0);
    if (lead < 0x80) return 1;
    const size_t length = lead >= 0xf0 && lead < 0xf5   ? 4
                          : lead >= 0xe0 && lead < 0xf0 ? 3
                          : lead >= 0xc2 && lead < 0xe0 ? 2
                                                        : 0;
    if (length == 0 || text.size() < length) return 0;
    for (size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0) != 0x80) return 0;
    }
    // overlong forms, surrogates, beyond U+10FFFF
    if ((lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xed && byte(1) >= 0xa0)) return 0;
    if ((lead == 0xf0 && byte(1) < 0x90) || (lead == 0xf4 && byte(1) >= 0x90)) return 0;
    return length;
}

std::string utf8FromAny(std::string_view text) {
    // text that is UTF-8 stays as it is
    bool valid = true;
    for (size_t i = 0; i < text.size() && valid;) {
        const size_t length = utf8Length(text.substr(i));
        valid = length > 0;
        i += length;
    }
    if (valid) return std::string(text);
    // anything else is read as Latin-1, in which every byte is a character
    std::string result;
    for (const char c : text) {
        const unsigned char byte = static_cast<unsigned char>(c);
        if (byte < 0x80) {
            result += c;
        } else {
            result += static_cast<char>(0xc0 | (byte >> 6));
            result += static_cast<char>(0x80 | (byte & 0x3f));
        }
    }
    return result;
}

std::string counted(size_t count, std::string_view singular, std::string_view plural) {
    if (count == 1) return fmt::format("1 {}", singular);
    return plural.empty() ? fmt::format("{} {}s", count, singular) : fmt::format("{} {}", count, plural);
}

bool equalIgnoringCase(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

std::string recogniseForeign(std::string_view bytes) {
    using namespace std::string_view_literals;
    // a repository without its large files
    if (bytes.starts_with("version https://git-lfs.github.com/"sv)) {
        return "a Git LFS pointer, not the mesh itself; fetch it with 'git lfs pull'";
    }
    // other encodings and packed files, by their first bytes
    if (bytes.starts_with("\xff\xfe"sv) || bytes.starts_with("\xfe\xff"sv)) {
        return "UTF-16 text; save it as UTF-8 or ASCII";
    }
    if (bytes.starts_with("\x1f\x8b"sv)) return "a gzip archive; unpack it first";
    if (bytes.starts_with("PK\x03\x04"sv)) return "a ZIP archive; unpack it first";
    if (bytes.starts_with("\xfd"
                          "7zXZ"sv)) {
        return "an xz archive; unpack it first";
    }
    if (bytes.starts_with("\x28\xb5\x2f\xfd"sv)) return "a Zstandard archive; unpack it first";
    // pages and documents, whose first word may stand behind blanks
    const size_t first = bytes.find_first_not_of(" \t\r\n");
    const std::string_view text = first == std::string_view::npos ? std::string_view() : bytes.substr(first);
    if (startsWithIgnoringCase(text, "<!doctype html") || startsWithIgnoringCase(text, "<html")) {
        return "an HTML page (a failed download?); fetch the mesh itself";
    }
    if (text.starts_with("<?xml")) return "an XML file; export the mesh as OBJ, PLY, STL, OFF, glTF or GLB";
    return {};
}

}  // namespace sunder
