#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "io/tet/tet_io.h"
#include "io/tet/tet_writers.h"
#include "try_mesh.h"

namespace sunder::fuzz {

/// TetGen's two files in one input: points, this line, tets.
inline constexpr std::string_view kBetweenFiles = "%%\n";

inline TetFile readTets(std::string_view bytes) {
    if (bytes.starts_with('$')) return readGmsh(bytes, "in.msh");
    if (bytes.starts_with("mesh3d")) return readNetgenVol(bytes, "in.vol");
    const size_t between = bytes.find(kBetweenFiles);
    const std::string_view ele = between == std::string_view::npos ? "" : bytes.substr(between + kBetweenFiles.size());
    return readTetGen(bytes.substr(0, between), "in.node", ele, "in.ele");
}

inline void checkSame(const TetMesh& found, const TetMesh& expected) {
    promise(found.nodes == expected.nodes, "nodes are exact");
    promise(found.tets == expected.tets, "tets are exact");
    promise(found.regions == expected.regions, "regions are kept");
}

/// Reads bytes; they must give a sound mesh that every format keeps, or an InputError.
inline void tryTets(std::string_view bytes) {
    TetMesh mesh;
    try {
        mesh = readTets(bytes).mesh;
    } catch (const InputError&) {
        return;
    }
    promise(mesh.tetCount() > 0, "there are tets");
    promise(mesh.regions.empty() || mesh.regions.size() == mesh.tetCount(), "one region per tet");
    for (const Vec3& x : mesh.nodes) promise(x.allFinite(), "nodes are finite");
    for (const Tet& tet : mesh.tets) {
        for (const NodeIndex n : tet) promise(raw(n) < mesh.nodeCount(), "indices are in range");
    }
    // the exact predicate that tells which way a tet turns has the range of its products
    for (const Vec3& x : mesh.nodes) {
        for (int axis = 0; axis < 3; ++axis) {
            const double size = std::abs(x[axis]);
            if (size > 1e90 || (size > 0 && size < 1e-90)) return;
        }
    }
    for (const TetEncoding encoding : {TetEncoding::Ascii, TetEncoding::Binary}) {
        checkSame(readGmsh(gmsh22Of(mesh, encoding), "back").mesh, mesh);
        checkSame(readGmsh(gmsh41Of(mesh, encoding), "back").mesh, mesh);
    }
    checkSame(readNetgenVol(netgenVolOf(mesh), "back").mesh, mesh);
    checkSame(readTetGen(tetgenNodesOf(mesh), "back", tetgenElementsOf(mesh), "back").mesh, mesh);
}

}  // namespace sunder::fuzz
