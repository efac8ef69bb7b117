#include "io/mesh/off.h"

#include <charconv>

#include <fmt/format.h>

#include "io/files/text_builder.h"
#include "io/files/text_cursor.h"
#include "io/mesh/polygon_soup.h"

namespace sunder {

namespace {

/// What the header word promises for every vertex.
struct OffKind {
    bool uvs = false;
    bool colours = false;
    bool normals = false;
};

class OffReader {
public:
    explicit OffReader(const Source& source) : source_(source), cursor_(source) {}

    MeshFile read() {
        readHeader();
        readVertices();
        readFaces();
        if (cursor_.nextFilledLine()) notes_.push_back("text after the last face passed over");
        return {triangulated(std::move(soup_)), MeshFormat::Off, std::move(notes_)};
    }

private:
    void readHeader() {
        // the word OFF; the counts may follow without a space
        std::string_view word = cursor_.wordAnywhere();
        const size_t wordStart = static_cast<size_t>(word.data() - source_.bytes.data());
        const size_t end = word.find("OFF");
        if (end == std::string_view::npos) {
            throw cursor_.errorAtWord(
                fmt::format("the file starts with {}; an OFF file starts with the word OFF (or COFF, NOFF, STOFF): put "
                            "it on a line "
                            "before the counts",
                            inQuotes(word)));
        }
        // what stands before it says what each vertex has
        std::string_view prefix = word.substr(0, end);
        const auto take = [&](std::string_view part) {
            const bool found = prefix.starts_with(part);
            if (found) prefix.remove_prefix(part.size());
            return found;
        };
        kind_.uvs = take("ST");
        kind_.colours = take("C");
        kind_.normals = take("N");
        if (prefix == "4" || prefix == "n" || prefix == "4n") {
            throw cursor_.errorAtWord(
                fmt::format("{} holds points of other than three dimensions, which are not meshes "
                            "in space; export as plain OFF",
                            inQuotes(word)));
        }
        if (!prefix.empty()) {
            throw cursor_.errorAtWord(
                fmt::format("{} is no OFF header; allowed are OFF with ST, C and N before it", inQuotes(word)));
        }
        readCounts(word.substr(end + 3), wordStart + end + 3);
    }

    /// The counts follow, on the header line or later. Some files forget the blank ("OFF8 12 0").
    void readCounts(std::string_view glued, size_t gluedOffset) {
        // the format says ASCII unless the word BINARY follows
        if (!cursor_.nextFilledLine() && glued.empty()) {
            throw cursor_.errorHere("the file ends where the counts of vertices and faces should stand");
        }
        if (cursor_.peek() == "BINARY") {
            throw cursor_.errorHere("binary OFF is not supported; export as ASCII OFF or as binary PLY");
        }
        // glued to the word or on their own, the same three counts
        if (glued.empty()) {
            vertexCount_ = readCount("count of vertices", cursor_.integer("count of vertices"));
        } else {
            int64_t count = 0;
            const auto [end, error] = std::from_chars(glued.data(), glued.data() + glued.size(), count);
            if (error != std::errc() || end != glued.data() + glued.size()) {
                throw errorAtLine(
                    source_, gluedOffset,
                    fmt::format("'OFF' is followed by {}; a blank or a line end is expected", inQuotes(glued)));
            }
            vertexCount_ = readCount("count of vertices", count);
        }
        // vertices, faces, edges
        faceCount_ = readCount("count of faces", cursor_.integer("count of faces"));
        if (!cursor_.atLineEnd()) cursor_.integer("count of edges");  // nobody fills it in reliably
        cursor_.skipLine();
    }

    /// Each vertex and each face takes a line: at least two bytes.
    size_t readCount(const char* what, int64_t count) const {
        if (count < 0) throw cursor_.errorAtWord(fmt::format("{} is {}; it cannot be negative", what, count));
        if (static_cast<uint64_t>(count) > source_.bytes.size()) {
            throw cursor_.errorAtWord(
                fmt::format("{} is {}, but the whole file has only {}: the header is wrong or the "
                            "file was cut off",
                            what, count, counted(source_.bytes.size(), "byte")));
        }
        return static_cast<size_t>(count);
    }

    void readVertices() {
        soup_.positions.reserve(vertexCount_);
        bool extra = false;
        for (size_t v = 0; v < vertexCount_; ++v) {
            if (!cursor_.nextFilledLine()) throw tooShort("vertex", "vertices", v, vertexCount_);
            Vec3 p;
            p.x() = cursor_.number("x of the vertex");
            p.y() = cursor_.number("y of the vertex");
            p.z() = cursor_.number("z of the vertex");
            soup_.positions.push_back(p);
            readVertexExtras();
            extra = extra || !cursor_.atLineEnd();
            cursor_.skipLine();
        }
        if (extra && !kind_.colours) notes_.push_back("further columns after the vertices passed over");
    }

    /// In this order [geomview, OFF]: normal, colour of any length, texture coordinates.
    void readVertexExtras() {
        if (kind_.normals) {
            const double x = cursor_.anyNumber("x of the normal"), y = cursor_.anyNumber("y of the normal");
            soup_.normals.emplace_back(x, y, cursor_.anyNumber("z of the normal"));
        }
        if (!kind_.uvs) return;
        std::vector<double> rest;
        while (!cursor_.atLineEnd()) rest.push_back(cursor_.number("texture coordinate of the vertex"));
        if (rest.size() < 2) {
            throw cursor_.errorHere("the vertex has no texture coordinates, but the header says ST; give s and t last");
        }
        soup_.uvs.emplace_back(rest[rest.size() - 2], rest[rest.size() - 1]);
    }

    void readFaces() {
        soup_.faceStart.reserve(faceCount_);
        soup_.corners.reserve(std::min(4 * faceCount_, source_.bytes.size()));
        size_t thin = 0;
        for (size_t f = 0; f < faceCount_; ++f) {
            if (!cursor_.nextFilledLine()) throw tooShort("face", "faces", f, faceCount_);
            readFace(thin);
            cursor_.skipLine();  // a colour may follow
        }
        if (thin > 0) notes_.push_back(fmt::format("{} with fewer than 3 vertices passed over", counted(thin, "face")));
    }

    void readFace(size_t& thin) {
        // no face has more corners than the file has bytes: a damaged count must not take all memory
        const int64_t count = cursor_.integer("malformed face line: the count of its vertices");
        if (count < 1 || static_cast<uint64_t>(count) > source_.bytes.size()) {
            throw cursor_.errorAtWord(
                fmt::format("malformed face line: it starts with {}; the number of its vertices is expected", count));
        }
        // attributes are of vertices, so each corner has the number of its vertex
        const size_t start = soup_.corners.size();
        for (int64_t k = 0; k < count; ++k) {
            const int64_t index = cursor_.integer("vertex index of the face");
            if (index < 0 || static_cast<uint64_t>(index) >= vertexCount_) {
                throw cursor_.errorAtWord(fmt::format("vertex index {}, but the file has only {}; indices count from 0",
                                                      index, counted(vertexCount_, "vertex", "vertices")));
            }
            const uint32_t v = static_cast<uint32_t>(index);
            soup_.corners.push_back({v, kind_.uvs ? v : kNoAttribute, kind_.normals ? v : kNoAttribute});
        }
        // points and edges are no faces: forget their corners
        if (count < 3) {
            soup_.corners.resize(start);
            ++thin;
        } else {
            soup_.faceStart.push_back(start);
        }
    }

    InputError tooShort(const char* thing, const char* things, size_t found, size_t promised) const {
        return cursor_.errorHere(
            fmt::format("unexpected end of file: the header promises {}, but there are only {}; the "
                        "header is wrong or the file was cut off",
                        counted(promised, thing, things), found));
    }

    const Source& source_;
    TextCursor cursor_;
    OffKind kind_;
    size_t vertexCount_ = 0, faceCount_ = 0;
    PolygonSoup soup_;
    std::vector<std::string> notes_;
};

}  // namespace

MeshFile readOff(const Source& source) { return OffReader(source).read(); }

std::string offText(const TriMesh& mesh) {
    TextBuilder text;
    text << "OFF\n" << mesh.vertexCount() << ' ' << mesh.triangleCount() << " 0\n";
    for (const Vec3& p : mesh.positions) text << p << '\n';
    for (const Triangle& t : mesh.triangles) text << "3 " << raw(t[0]) << ' ' << raw(t[1]) << ' ' << raw(t[2]) << '\n';
    return text.take();
}

}  // namespace sunder
