#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/tet/tet_mesh.h"

namespace sunder {

/// Files of tets: all are read and written.
enum class TetFormat { Gmsh22, Gmsh41, NetgenVol, TetGen };
/// How numbers are written: as text, or as they are in memory.
enum class TetEncoding { Ascii, Binary };

/// What a reader found, with remarks a user may want to know ("12 hexahedra passed over").
struct TetFile {
    TetMesh mesh;                    // every tet has positive volume, every node a tet
    std::vector<std::string> notes;  // for people; none: all was understood
};

/// By extension, any case.
bool isTetFile(const std::filesystem::path& path);

/// Reads .msh (Gmsh 2.2 and 4.1, ASCII and binary), .vol (Netgen) or .node/.ele (TetGen; either name). Tets with
/// negative volume are turned, nodes without a tet are dropped, second-order tets give their corners. Regions are
/// physical tags, material numbers or region attributes. Throws InputError.
TetFile readTetFile(const std::filesystem::path& path);
TetMesh readTetMesh(const std::filesystem::path& path);  // for those who do not want the remarks
/// The same from memory; `name` is used in messages.
TetFile readGmsh(std::string_view bytes, const std::string& name);
TetFile readNetgenVol(std::string_view bytes, const std::string& name);  // the same of a .vol file
/// The same of the two files of TetGen: nodes and elements.
TetFile readTetGen(std::string_view nodeBytes, const std::string& nodeName, std::string_view eleBytes,
                   const std::string& eleName);

/// Format by extension (.msh writes 4.1 unless told otherwise; TetGen writes both its files). Numbers keep all their
/// digits. Only Gmsh has a binary encoding. Throws InputError.
void writeTetMesh(const TetMesh& mesh, const std::filesystem::path& path);
void writeTetMesh(const TetMesh& mesh, const std::filesystem::path& path, TetFormat format,
                  TetEncoding encoding = TetEncoding::Ascii);

}  // namespace sunder
