#include "io/mesh/ply_header.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "io/files/text_cursor.h"

namespace sunder {

namespace {

std::optional<PlyType> plyTypeOf(std::string_view name) {
    constexpr std::array<std::array<std::string_view, 2>, 8> kNames = {{{"char", "int8"},
                                                                        {"uchar", "uint8"},
                                                                        {"short", "int16"},
                                                                        {"ushort", "uint16"},
                                                                        {"int", "int32"},
                                                                        {"uint", "uint32"},
                                                                        {"float", "float32"},
                                                                        {"double", "float64"}}};
    for (size_t i = 0; i < kNames.size(); ++i) {
        if (name == kNames[i][0] || name == kNames[i][1]) return static_cast<PlyType>(i);
    }
    return std::nullopt;
}

class HeaderReader {
public:
    explicit HeaderReader(const Source& source) : source_(source), cursor_(source) {}

    PlyHeader read() {
        const std::string_view magic = cursor_.word();
        if (magic != "ply") {
            throw cursor_.errorAtWord(
                fmt::format("the file starts with {}; a PLY file starts with the line 'ply'",
                            inQuotes(source_.bytes.substr(0, std::min<size_t>(magic.size(), 20)))));
        }
        cursor_.skipLine();
        bool ended = false;
        while (!ended) {
            if (!cursor_.nextFilledLine()) {
                throw cursor_.errorHere("the file ends within the header; the line 'end_header' is expected");
            }
            ended = readLine();
        }
        if (!hasFormat_) throw cursor_.errorHere("the header has no line 'format ascii 1.0' (or binary_...)");
        header_.bodyOffset = bodyStart();
        return std::move(header_);
    }

private:
    bool readLine() {
        const std::string_view keyword = cursor_.word();
        if (keyword == "end_header") return true;
        if (keyword == "comment") {
            header_.comments.emplace_back(cursor_.restOfLine());
        } else if (keyword == "format") {
            readFormat();
        } else if (keyword == "element") {
            readElement();
        } else if (keyword == "property") {
            readProperty();
        } else if (keyword != "obj_info") {
            throw cursor_.errorAtWord(
                fmt::format("{} in the header; allowed are format, comment, obj_info, element, property and end_header",
                            inQuotes(keyword)));
        }
        cursor_.skipLine();
        return false;
    }

    void readFormat() {
        const std::string_view name = cursor_.word();
        if (name == "ascii") {
            header_.encoding = PlyEncoding::Ascii;
        } else if (name == "binary_little_endian") {
            header_.encoding = PlyEncoding::LittleEndian;
        } else if (name == "binary_big_endian") {
            header_.encoding = PlyEncoding::BigEndian;
        } else {
            throw cursor_.errorAtWord(fmt::format(
                "format {}; allowed are ascii, binary_little_endian and binary_big_endian", inQuotes(name)));
        }
        const std::string_view version = cursor_.word();
        if (version != "1.0")
            throw cursor_.errorAtWord(fmt::format("PLY version {}; only 1.0 exists", inQuotes(version)));
        hasFormat_ = true;
    }

    void readElement() {
        PlyElement element;
        element.name = std::string(cursor_.word());
        if (element.name.empty()) throw cursor_.errorAtWord("element without a name; expected: element NAME COUNT");
        const int64_t count = cursor_.integer("count of the element");
        if (count < 0) {
            throw cursor_.errorAtWord(
                fmt::format("element {} has count {}; it cannot be negative", inQuotes(element.name), count));
        }
        if (header_.find(element.name)) {
            throw cursor_.errorAtWord(fmt::format("element {} is declared twice", inQuotes(element.name)));
        }
        element.count = static_cast<size_t>(count);
        header_.elements.push_back(std::move(element));
    }

    void readProperty() {
        // a property belongs to the element above it
        if (header_.elements.empty()) {
            throw cursor_.errorAtWord("property before any element; expected: element NAME COUNT first");
        }
        PlyProperty property;
        property.isList = cursor_.peek() == "list";
        // a list has two types: of its count, and of its values
        if (property.isList) {
            cursor_.word();
            property.countType = readType();
            if (!isWhole(property.countType)) {
                throw cursor_.errorAtWord("the count of a list cannot be a float or double; use uchar, int, ...");
            }
        }
        property.type = readType();
        property.name = std::string(cursor_.word());
        if (property.name.empty()) {
            throw cursor_.errorAtWord("property without a name; expected: property TYPE NAME");
        }
        header_.elements.back().properties.push_back(std::move(property));
    }

    PlyType readType() {
        const std::string_view name = cursor_.word();
        const std::optional<PlyType> type = plyTypeOf(name);
        if (type) return *type;
        throw cursor_.errorAtWord(
            fmt::format("type {}; allowed are char, uchar, short, ushort, int, uint, float, double", inQuotes(name)));
    }

    /// Right behind the line end of end_header. Its style is that of the first line: a binary body may start with the
    /// byte of LF.
    size_t bodyStart() {
        cursor_.restOfLine();
        size_t at = cursor_.offset();
        const std::string_view bytes = source_.bytes;
        const size_t firstEnd = bytes.find_first_of("\r\n");
        const bool crOnly = bytes[firstEnd] == '\r' && !(firstEnd + 1 < bytes.size() && bytes[firstEnd + 1] == '\n');
        if (at < bytes.size() && bytes[at] == '\r') {
            ++at;
            if (!crOnly && at < bytes.size() && bytes[at] == '\n') ++at;
        } else if (at < bytes.size()) {
            ++at;
        }
        return at;
    }

    const Source& source_;
    TextCursor cursor_;
    PlyHeader header_;
    bool hasFormat_ = false;
};

}  // namespace

size_t sizeOf(PlyType type) {
    constexpr std::array<size_t, 8> kSizes = {1, 1, 2, 2, 4, 4, 4, 8};
    return kSizes[static_cast<size_t>(type)];
}

size_t PlyElement::minBytes() const {
    size_t sum = 0;
    for (const PlyProperty& p : properties) sum += sizeOf(p.isList ? p.countType : p.type);
    return sum;
}

const PlyElement* PlyHeader::find(std::string_view name) const {
    const auto found =
        std::find_if(elements.begin(), elements.end(), [&](const PlyElement& e) { return e.name == name; });
    return found == elements.end() ? nullptr : &*found;
}

PlyHeader readPlyHeader(const Source& source) { return HeaderReader(source).read(); }

}  // namespace sunder
