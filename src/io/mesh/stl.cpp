#include "io/mesh/stl.h"

#include <fmt/format.h>

#include "geometry/mesh/weld.h"
#include "io/files/byte_order.h"
#include "io/files/text_cursor.h"
#include "io/mesh/polygon_soup.h"

namespace sunder {

namespace {

constexpr size_t kHeaderBytes = 84;  // 80 of free text and the count
constexpr size_t kFacetBytes = 50;   // normal and three vertices as floats, two attribute bytes

/// Three corners of their own; welded later.
void addFacet(TriMesh& mesh, const std::array<Vec3, 3>& corners) {
    Triangle triangle;
    for (size_t k = 0; k < 3; ++k) triangle[k] = mesh.positions.push_back(corners[k]);
    mesh.triangles.push_back(triangle);
}

/// "solid NAME" on a line of its own, and "facet" or "endsolid" next.
bool looksLikeAscii(const Source& source) {
    TextCursor cursor(source);
    if (!equalIgnoringCase(cursor.wordAnywhere(), "solid")) return false;
    cursor.restOfLine();
    const std::string_view next = cursor.wordAnywhere();
    return next.empty() || equalIgnoringCase(next, "facet") || equalIgnoringCase(next, "endsolid");
}

class AsciiReader {
public:
    explicit AsciiReader(const Source& source) : source_(source), cursor_(source) {}

    MeshFile read() {
        MeshFile file;
        file.format = MeshFormat::Stl;
        size_t solids = 0;
        while (cursor_.nextFilledLine()) {
            readSolid(file.mesh);
            ++solids;
        }
        if (solids > 1) file.notes.push_back(fmt::format("{} solids in one file", solids));
        return file;
    }

private:
    void readSolid(TriMesh& mesh) {
        expect("solid");
        cursor_.restOfLine();  // its name
        for (;;) {
            const std::string_view word = cursor_.wordAnywhere();
            if (equalIgnoringCase(word, "endsolid")) break;
            if (!equalIgnoringCase(word, "facet")) throw unexpected(word, "'facet' or 'endsolid'");
            readFacet(mesh);
        }
        cursor_.restOfLine();  // the name again
    }

    void readFacet(TriMesh& mesh) {
        expect("normal");
        for (int axis = 0; axis < 3; ++axis) value("the facet's normal", Finite::Any);
        expect("outer");
        expect("loop");
        std::array<Vec3, 3> corners;
        for (Vec3& corner : corners) {
            expect("vertex");
            corner.x() = value("x of the vertex", Finite::Only);
            corner.y() = value("y of the vertex", Finite::Only);
            corner.z() = value("z of the vertex", Finite::Only);
        }
        expect("endloop");
        expect("endfacet");
        addFacet(mesh, corners);
    }

    enum class Finite { Only, Any };
    double value(const char* what, Finite finite) {
        if (!cursor_.nextFilledLine()) throw unexpected({}, what);
        return finite == Finite::Only ? cursor_.number(what) : cursor_.anyNumber(what);
    }

    void expect(std::string_view keyword) {
        const std::string_view word = cursor_.wordAnywhere();
        if (!equalIgnoringCase(word, keyword)) throw unexpected(word, inQuotes(keyword));
    }

    /// An empty word stands for the end of the file.
    InputError unexpected(std::string_view word, const std::string& expected) const {
        if (word.empty()) {
            return cursor_.errorAtWord(fmt::format(
                "unexpected end of file where {} should stand; the file was cut off: export it again", expected));
        }
        return cursor_.errorAtWord(
            fmt::format("{} where {} should stand; a facet is 'facet normal', 'outer loop', three "
                        "'vertex', 'endloop', 'endfacet'",
                        inQuotes(word), expected));
    }

    const Source& source_;
    TextCursor cursor_;
};

std::array<Vec3, 3> loadFacet(const Source& source, size_t offset) {
    std::array<Vec3, 3> corners;
    for (size_t k = 0; k < 9; ++k) {
        const size_t at = offset + 12 + 4 * k;
        corners[k / 3][static_cast<int>(k % 3)] = loadAs<float>(source.bytes, at);
    }
    return corners;
}

void checkBinarySize(const Source& source) {
    const size_t size = source.bytes.size();
    // too short for the header of 80 bytes and the count
    if (size < kHeaderBytes) {
        throw errorInFile(source, fmt::format("not an STL file: {} are too few for a binary one (at least 84), and it "
                                              "does not start with 'solid' and 'facet' as an ASCII one",
                                              counted(size, "byte")));
    }
    const size_t count = loadAs<uint32_t>(source.bytes, 80);
    const size_t needed = kHeaderBytes + kFacetBytes * count;
    // a program that was stopped leaves the count of an unfinished header
    if (count == 0 && size > kHeaderBytes) {
        throw errorAtByte(
            source, 80,
            fmt::format("the header says 0 facets, but {} of data follow ({}); the program that wrote it did "
                        "not finish the header: export again",
                        counted(size - kHeaderBytes, "byte"), counted((size - kHeaderBytes) / kFacetBytes, "facet")));
    }
    // longer than promised is harmless, shorter is not
    if (size < needed) {
        throw errorAtByte(
            source, 80,
            fmt::format("truncated: the header says {}, which take {} bytes, but the file has {} (room for "
                        "{}); the header is wrong or the file was cut off",
                        counted(count, "facet"), needed, size, (size - kHeaderBytes) / kFacetBytes));
    }
}

MeshFile readBinary(const Source& source) {
    // the size was checked against the count, so all facets are there
    checkBinarySize(source);
    MeshFile file;
    file.format = MeshFormat::Stl;
    const size_t count = loadAs<uint32_t>(source.bytes, 80);
    file.mesh.positions.reserve(3 * count);
    file.mesh.triangles.reserve(count);
    // three vertices for each facet: STL does not say which are the same
    for (size_t facet = 0; facet < count; ++facet) {
        const size_t offset = kHeaderBytes + kFacetBytes * facet;
        const std::array<Vec3, 3> corners = loadFacet(source, offset);
        for (const Vec3& p : corners) {
            if (p.allFinite()) continue;
            throw errorAtByte(
                source, offset,
                fmt::format("facet {} has the vertex ({}, {}, {}), a non-finite coordinate; only finite ones "
                            "are allowed: repair the file or export it again",
                            facet, p.x(), p.y(), p.z()));
        }
        addFacet(file.mesh, corners);
    }
    // some programs append data of their own
    const size_t trailing = source.bytes.size() - kHeaderBytes - kFacetBytes * count;
    if (trailing > 0)
        file.notes.push_back(fmt::format("{} after the last facet passed over", counted(trailing, "byte")));
    return file;
}

bool hasExactBinarySize(const Source& source) {
    return source.bytes.size() >= kHeaderBytes &&
           source.bytes.size() == kHeaderBytes + kFacetBytes * size_t{loadAs<uint32_t>(source.bytes, 80)};
}

}  // namespace

MeshFile readStl(const Source& source) {
    const bool ascii = !hasExactBinarySize(source) && looksLikeAscii(source);
    MeshFile file = ascii ? AsciiReader(source).read() : readBinary(source);
    weldExact(file.mesh);
    return file;
}

std::string stlBytes(const TriMesh& mesh) {
    std::string bytes = "binary STL written by Sunder";  // must not start with "solid"
    bytes.resize(80, ' ');
    bytes.reserve(kHeaderBytes + kFacetBytes * mesh.triangleCount());
    store(bytes, static_cast<uint32_t>(mesh.triangleCount()));
    for (const TriangleIndex t : mesh.triangles.indices()) {
        for (const double value : unitOrZero(mesh.areaVector(t))) store(bytes, static_cast<float>(value));
        for (const Vec3& p : mesh.corners(t)) {
            for (const double value : p) store(bytes, static_cast<float>(value));
        }
        store(bytes, uint16_t{0});
    }
    return bytes;
}

}  // namespace sunder
