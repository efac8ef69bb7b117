#include "io/mesh/obj.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "io/files/text_cursor.h"
#include "io/mesh/name_table.h"
#include "io/mesh/polygon_soup.h"

namespace sunder {

namespace {

/// Statements of the OBJ specification that say nothing about triangles.
constexpr std::array kPassedOver = {
    "o",          "s",         "mtllib", "vp",    "cstype", "deg",   "bmat",     "step",     "parm", "trim",   "hole",
    "scrv",       "sp",        "end",    "con",   "mg",     "bevel", "c_interp", "d_interp", "lod",  "usemap", "maplib",
    "shadow_obj", "trace_obj", "ctech",  "stech", "bzp",    "bsp",   "cdc",      "cdp",      "res",  "call",   "csh"};
constexpr std::array kNotedElements = {"l", "p"};
constexpr std::array kFreeForm = {"curv", "curv2", "surf"};
/// Statements whose loss would change the solid; in another case they are a mistake, not someone's extension.
constexpr std::array kGeometry = {"v", "vt", "vn", "f", "fo"};
/// More different unknown statements than any exporter writes: not an OBJ file.
constexpr size_t kMostExtensions = 16;

template <size_t N>
bool isOneOf(const std::array<const char*, N>& list, std::string_view word) {
    return std::find(list.begin(), list.end(), word) != list.end();
}

/// Like a name: letters, digits, _ - . : and a letter or _ first. Numbers, punctuation and bytes beyond ASCII are not.
bool looksLikeKeyword(std::string_view word) {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    const auto allowed = [&](char c) {
        return letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == ':';
    };
    return word.size() <= 40 && !word.empty() && letter(word.front()) && std::all_of(word.begin(), word.end(), allowed);
}

class ObjReader {
public:
    explicit ObjReader(const Source& source) : source_(source), cursor_(source, TextCursor::Continuation::Backslash) {}

    MeshFile read() {
        while (cursor_.nextFilledLine()) {
            readStatement();
            cursor_.skipLine();
        }
        if (soup_.faceCount() == 0) explainMissingFaces();
        checkIndices();
        chooseMaterials();
        MeshFile file{triangulated(std::move(soup_)), MeshFormat::Obj, std::move(notes_)};
        for (const auto& [keyword, count] : passedOver_) {
            file.notes.push_back(fmt::format("{} passed over", counted(count, fmt::format("'{}' element", keyword))));
        }
        for (const auto& [keyword, count] : extensions_) {
            file.notes.push_back(
                fmt::format("{} passed over: not in the OBJ format, perhaps an extension of the program that wrote it",
                            counted(count, fmt::format("'{}' statement", keyword))));
        }
        return file;
    }

private:
    void readStatement() {
        const std::string_view keyword = cursor_.word();
        // geometry
        if (keyword == "v") {
            soup_.positions.push_back(readTriple("x of the vertex", "y of the vertex", "z of the vertex"));
        } else if (keyword == "f" || keyword == "fo") {
            readFace();
        } else if (keyword == "vt") {
            readUv();
        } else if (keyword == "vn") {
            const double x = cursor_.anyNumber("x of the normal"), y = cursor_.anyNumber("y of the normal");
            soup_.normals.emplace_back(x, y, cursor_.anyNumber("z of the normal"));
        } else if (keyword == "usemtl") {
            // what the next faces belong to
            const std::string_view name = cursor_.restOfLine();
            material_ = materials_.number(name.empty() ? "default" : utf8FromAny(name));
            hasMaterials_ = true;
        } else if (keyword == "g") {
            readGroup();
        } else if (isOneOf(kNotedElements, keyword) || isOneOf(kFreeForm, keyword)) {
            // lines, curves and surfaces are counted for a note; the rest is ignored or a mistake
            ++passedOver_[std::string(keyword)];
        } else if (!isOneOf(kPassedOver, keyword)) {
            readUnknown(keyword);
        }
    }

    /// Programs add statements of their own; they are passed over as long as this is an OBJ file at all.
    void readUnknown(std::string_view keyword) {
        const bool mistaken = std::any_of(kGeometry.begin(), kGeometry.end(),
                                          [&](const char* known) { return equalIgnoringCase(keyword, known); });
        if (!looksLikeKeyword(keyword) || mistaken || isOtherFormat(keyword)) throw unknownStatement(keyword);
        if (!firstUnknown_) firstUnknown_ = unknownStatement(keyword);
        ++extensions_[std::string(keyword)];
        if (extensions_.size() > kMostExtensions) throw *firstUnknown_;
    }

    /// Throws when something that was passed over is the likely reason.
    void explainMissingFaces() const {
        for (const char* keyword : kFreeForm) {
            const auto found = passedOver_.find(keyword);
            if (found == passedOver_.end()) continue;
            throw errorInFile(source_, fmt::format("{} but no polygons; free-form curves and surfaces are not "
                                                   "supported: export as polygons (faces)",
                                                   counted(found->second, fmt::format("'{}' element", keyword))));
        }
        if (firstUnknown_) throw *firstUnknown_;
    }

    Vec3 readTriple(const char* x, const char* y, const char* z) {
        Vec3 p;
        p.x() = cursor_.number(x);
        p.y() = cursor_.number(y);
        p.z() = cursor_.number(z);
        return p;  // a weight or a colour may follow
    }

    void readUv() {
        Vec2 uv(cursor_.number("u of the texture coordinate"), 0);
        if (!cursor_.atLineEnd()) uv.y() = cursor_.number("v of the texture coordinate");
        soup_.uvs.push_back(uv);
    }

    void readGroup() {
        inside_ = 0;
        group_ = "default";
        bool first = true;
        for (std::string_view name = cursor_.word(); !name.empty(); name = cursor_.word()) {
            if (name == kInsideGroup) inside_ = 1;
            if (first) group_ = utf8FromAny(name);
            first = false;
        }
        if (group_ == kInsideGroup || group_ == kSurfaceGroup) group_ = "default";
    }

    void readFace() {
        const size_t start = soup_.corners.size();
        const size_t offset = cursor_.offset();
        for (std::string_view word = cursor_.word(); !word.empty(); word = cursor_.word()) readCorner(word);
        const size_t count = soup_.corners.size() - start;
        if (count < 3) {
            throw errorAtLine(source_, offset,
                              fmt::format("face with {}; at least 3 are needed{}: delete the line or export again",
                                          counted(count, "vertex", "vertices"),
                                          cursor_.atEnd() ? " (the file ends here: was it cut off?)" : ""));
        }
        soup_.faceStart.push_back(start);
        faceOffset_.push_back(offset);
        if (material_ == kInvalidIndex) material_ = materials_.number("default");
        faceMaterial_.push_back(material_);
        faceGroup_.push_back(groups_.number(group_));
        soup_.faceInside.push_back(inside_);
    }

    void readCorner(std::string_view word) {
        FaceCorner corner;
        std::string_view rest = word;
        corner.position = readIndex(word, rest, soup_.positions.size(), "vertex", "vertices");
        if (!rest.empty()) {
            rest.remove_prefix(1);
            if (!rest.empty() && rest.front() != '/') {
                corner.uv = readIndex(word, rest, soup_.uvs.size(), "texture coordinate", "texture coordinates");
            }
            if (!rest.empty()) {
                rest.remove_prefix(1);
                if (!rest.empty()) corner.normal = readIndex(word, rest, soup_.normals.size(), "normal", "normals");
            }
        }
        if (!rest.empty()) throw badCorner(word);
        soup_.corners.push_back(corner);
    }

    /// Takes a number and what ends it off the front of `rest`. Positive indices are checked at the end, when all
    /// vertices are known; here they are only kept from wrapping round.
    uint32_t readIndex(std::string_view word, std::string_view& rest, size_t sofar, const char* thing,
                       const char* things) const {
        // a number too large for any file is clamped: it fails the check of its range like any other
        int64_t index = 0;
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), index);
        if (error == std::errc::result_out_of_range) {
            index = rest.front() == '-' ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
        } else if (error != std::errc()) {
            throw badCorner(word);
        }
        rest.remove_prefix(static_cast<size_t>(end - rest.data()));
        // only a slash or the end of the word may follow
        if (!rest.empty() && rest.front() != '/') throw badCorner(word);
        if (index == 0) {
            throw cursor_.errorAtWord(
                fmt::format("{} index 0 in {}; indices count from 1 (or from -1 backwards)", thing, inQuotes(word)));
        }
        // negative ones count back from the line they stand on
        if (index < 0) {
            if (index < -static_cast<int64_t>(sofar)) {
                throw cursor_.errorAtWord(fmt::format("{} index {} in {}, but there are only {} before this line",
                                                      thing, index, inQuotes(word), counted(sofar, thing, things)));
            }
            return static_cast<uint32_t>(static_cast<int64_t>(sofar) + index);
        }
        return static_cast<uint32_t>(std::min<int64_t>(index - 1, kNoAttribute - 1));
    }

    InputError badCorner(std::string_view word) const {
        return cursor_.errorAtWord(fmt::format(
            "{} is no face corner; allowed are v, v/vt, v//vn and v/vt/vn with whole numbers", inQuotes(word)));
    }

    static bool isOtherFormat(std::string_view keyword) {
        return keyword.ends_with("OFF") || keyword == "ply" || equalIgnoringCase(keyword, "solid") ||
               keyword.starts_with("glTF");
    }

    InputError unknownStatement(std::string_view keyword) const {
        std::string hint = "if it is harmless, delete it or put # before it";
        if (keyword.ends_with("OFF")) hint = "this looks like OFF content in a .obj file: rename it to .off";
        if (keyword == "ply") hint = "this looks like PLY content in a .obj file: rename it to .ply";
        if (equalIgnoringCase(keyword, "solid")) hint = "this looks like STL content in a .obj file: rename it to .stl";
        if (keyword.starts_with('{')) hint = "this looks like JSON in a .obj file: is it a .gltf?";
        if (keyword.starts_with("glTF")) hint = "this looks like GLB content in a .obj file: rename it to .glb";
        return cursor_.errorAtWord(
            fmt::format("{} is no OBJ statement (v, vt, vn, f, g, o, s, usemtl, ...); {}", inQuotes(keyword), hint));
    }

    void checkIndices() const {
        for (size_t face = 0; face < soup_.faceCount(); ++face) {
            for (size_t k = 0; k < soup_.cornerCount(face); ++k) {
                const FaceCorner& corner = soup_.corners[soup_.faceStart[face] + k];
                if (corner.position >= soup_.positions.size()) {
                    throw outOfRange(face, k, 0, counted(soup_.positions.size(), "vertex", "vertices"));
                }
                if (corner.uv != kNoAttribute && corner.uv >= soup_.uvs.size()) {
                    throw outOfRange(face, k, 1, counted(soup_.uvs.size(), "texture coordinate"));
                }
                if (corner.normal != kNoAttribute && corner.normal >= soup_.normals.size()) {
                    throw outOfRange(face, k, 2, counted(soup_.normals.size(), "normal"));
                }
            }
        }
    }

    /// Reads the face once more to show the number as it stands in the file.
    InputError outOfRange(size_t face, size_t corner, int part, const std::string& there) const {
        const Source line{source_.name, source_.bytes.substr(faceOffset_[face]), {}};
        TextCursor words(line, TextCursor::Continuation::Backslash);
        std::string_view word;
        for (size_t k = 0; k <= corner; ++k) word = words.word();
        const size_t place = faceOffset_[face] + static_cast<size_t>(word.data() - line.bytes.data());
        std::string_view number = word;
        for (int k = 0; k < part; ++k) number.remove_prefix(number.find('/') + 1);
        number = number.substr(0, number.find('/'));
        return errorAtLine(source_, place,
                           fmt::format("index {} in face corner {}, but the file has only {}; indices count from 1",
                                       number, inQuotes(word), there));
    }

    void chooseMaterials() {
        const std::vector<std::string>& groups = groups_.names();
        if (hasMaterials_) {
            soup_.faceMaterial = std::move(faceMaterial_);
            soup_.materialNames = materials_.names();
        } else if (groups.size() > 1 || (groups.size() == 1 && groups[0] != "default")) {
            soup_.faceMaterial = std::move(faceGroup_);
            soup_.materialNames = groups_.names();
        }
    }

    const Source& source_;
    TextCursor cursor_;
    PolygonSoup soup_;
    std::vector<size_t> faceOffset_;
    NameTable materials_, groups_;
    std::vector<uint32_t> faceMaterial_, faceGroup_;
    bool hasMaterials_ = false;
    uint32_t material_ = kInvalidIndex;
    std::string group_ = "default";
    uint8_t inside_ = 0;
    std::map<std::string, size_t> passedOver_, extensions_;
    std::optional<InputError> firstUnknown_;
    std::vector<std::string> notes_;
};

}  // namespace

MeshFile readObj(const Source& source) { return ObjReader(source).read(); }

}  // namespace sunder
