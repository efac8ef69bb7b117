#include "io/tet/tet_io.h"

#include <optional>

#include <fmt/format.h>

#include "io/files/file_access.h"
#include "io/files/source.h"
#include "io/tet/tet_writers.h"

namespace sunder {

namespace {

constexpr uint64_t kMaxBytes = uint64_t{16} << 30;

std::optional<TetFormat> formatByExtension(const std::filesystem::path& path) {
    const std::string extension = path.extension().string();
    if (equalIgnoringCase(extension, ".msh")) return TetFormat::Gmsh41;
    if (equalIgnoringCase(extension, ".vol")) return TetFormat::NetgenVol;
    if (equalIgnoringCase(extension, ".node") || equalIgnoringCase(extension, ".ele")) return TetFormat::TetGen;
    return std::nullopt;
}

TetFormat formatOf(const std::filesystem::path& path) {
    if (const auto format = formatByExtension(path)) return *format;
    const std::string extension = path.extension().string();
    throw InputError(path.string(), fmt::format("the extension {} names no tet format; there are .msh (Gmsh), .vol "
                                                "(Netgen) and .node/.ele (TetGen)",
                                                inQuotes(extension)));
}

std::string readBytes(const std::filesystem::path& path) {
    std::string bytes = readWholeFile(path, kMaxBytes);
    const Source source{path.string(), bytes, {}};
    if (bytes.empty()) throw errorInFile(source, "empty file (0 bytes); was the export interrupted?");
    if (const std::string foreign = recogniseForeign(bytes); !foreign.empty()) {
        throw errorInFile(source, fmt::format("not a tet mesh: the file is {}", foreign));
    }
    return bytes;
}

}  // namespace

bool isTetFile(const std::filesystem::path& path) { return formatByExtension(path).has_value(); }

TetFile readTetFile(const std::filesystem::path& path) {
    switch (formatOf(path)) {
        case TetFormat::Gmsh22:
        case TetFormat::Gmsh41:
            return readGmsh(readBytes(path), path.string());
        case TetFormat::NetgenVol:
            return readNetgenVol(readBytes(path), path.string());
        case TetFormat::TetGen:
            break;
    }
    const std::filesystem::path nodePath = std::filesystem::path(path).replace_extension(".node");
    const std::filesystem::path elePath = std::filesystem::path(path).replace_extension(".ele");
    return readTetGen(readBytes(nodePath), nodePath.string(), readBytes(elePath), elePath.string());
}

TetMesh readTetMesh(const std::filesystem::path& path) { return readTetFile(path).mesh; }

void writeTetMesh(const TetMesh& mesh, const std::filesystem::path& path) { writeTetMesh(mesh, path, formatOf(path)); }

void writeTetMesh(const TetMesh& mesh, const std::filesystem::path& path, TetFormat format, TetEncoding encoding) {
    // an encoding that the format lacks is refused before anything is written
    if (encoding == TetEncoding::Binary && format != TetFormat::Gmsh22 && format != TetFormat::Gmsh41) {
        throw InputError(path.string(), "only Gmsh's .msh has a binary encoding; write text or choose .msh");
    }
    switch (format) {
        case TetFormat::Gmsh22:
            writeFileAtomically(path, gmsh22Of(mesh, encoding));
            break;
        case TetFormat::Gmsh41:
            writeFileAtomically(path, gmsh41Of(mesh, encoding));
            break;
        case TetFormat::NetgenVol:
            writeFileAtomically(path, netgenVolOf(mesh));
            break;
        // TetGen keeps nodes and tets in two files
        case TetFormat::TetGen:
            writeFileAtomically(std::filesystem::path(path).replace_extension(".node"), tetgenNodesOf(mesh));
            writeFileAtomically(std::filesystem::path(path).replace_extension(".ele"), tetgenElementsOf(mesh));
            break;
    }
}

}  // namespace sunder
