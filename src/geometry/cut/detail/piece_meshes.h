#pragma once

#include <vector>

#include "geometry/cut/cut_by_cells.h"
#include "geometry/cut/detail/piece_faces.h"

namespace sunder::detail {

/// Makes meshes of the faces of one cell: with attributes, each connected part with its cavities by itself, the largest
/// first. Vertices and edges where parts only touch are taken apart; flakes without thickness are left out.
class PieceMaker {
public:
    PieceMaker(const TriMesh& solid, const MeshTopology& topology, const WallComplex& walls, const Crossings& crossings,
               std::span<const Vec3> positions);

    std::vector<CutPiece> make(uint32_t cell, std::span<const PieceFace> faces) const;

private:
    TriMesh meshOf(std::span<const PieceFace> faces) const;
    void addSurface(const PieceFace& face, TriMesh& mesh) const;
    void addWall(const PieceFace& face, TriMesh& mesh) const;
    Vec3 barycentric(Node node, TriangleIndex t) const;
    bool isFlake(const TriMesh& mesh, double volume) const;

    const TriMesh& solid_;
    const MeshTopology& topology_;
    const WallComplex& walls_;
    const Crossings& crossings_;
    std::span<const Vec3> positions_;
    double size_ = 0;  // m, the solid's diagonal
    std::vector<std::string> materialNames_;
    uint32_t insideMaterial_ = 0;
};

}  // namespace sunder::detail
