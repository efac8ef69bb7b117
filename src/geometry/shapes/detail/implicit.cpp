#include "geometry/shapes/detail/implicit.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "base/parallel.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/mesh/topology.h"
#include "geometry/shapes/detail/lattice.h"
#include "geometry/surface/isosurface.h"
#include "geometry/tree/self_intersections.h"

namespace sunder::shapes {

namespace {

DistanceGrid gridOf(const ImplicitSolid& solid) {
    ASSERT(solid.cellSize > 0 && !solid.bounds.empty());
    // two cells and more around the bounds, so that the surface closes within the lattice
    GridFrame frame;
    frame.cellSize = solid.cellSize;
    frame.origin = solid.bounds.min.array() - 2.5 * solid.cellSize;
    for (size_t axis = 0; axis < 3; ++axis) {
        const double size = solid.bounds.size()[static_cast<Eigen::Index>(axis)];
        frame.points[axis] = static_cast<int>(std::ceil(size / solid.cellSize - 1e-6)) + 6;
    }
    DistanceGrid grid(frame);
    // in blocks: one that the surface cannot reach needs no more than the sign of its middle
    constexpr int kBlock = 8;
    Int3 blocks;
    for (size_t axis = 0; axis < 3; ++axis) blocks[axis] = (frame.points[axis] + kBlock - 1) / kBlock;
    const size_t blockCount =
        static_cast<size_t>(blocks[0]) * static_cast<size_t>(blocks[1]) * static_cast<size_t>(blocks[2]);
    const double reach = solid.steepest * 0.5 * kBlock * std::sqrt(3.0) * solid.cellSize;
    parallelFor(blockCount, 16, [&](const BlockRange& range) {
        for (size_t block = range.begin; block < range.end; ++block) {
            const int plane = blocks[0] * blocks[1], b = static_cast<int>(block);
            const Int3 first{b % blocks[0] * kBlock, b % plane / blocks[0] * kBlock, b / plane * kBlock};
            const double middle = solid.distance(frame.position(first[0], first[1], first[2]) +
                                                 Vec3::Constant(0.5 * (kBlock - 1) * solid.cellSize));
            const bool far = std::abs(middle) > reach;
            for (int k = first[2]; k < std::min(first[2] + kBlock, frame.points[2]); ++k) {
                for (int j = first[1]; j < std::min(first[1] + kBlock, frame.points[1]); ++j) {
                    for (int i = first[0]; i < std::min(first[0] + kBlock, frame.points[0]); ++i) {
                        grid.at(i, j, k) = static_cast<float>(far ? middle : solid.distance(frame.position(i, j, k)));
                    }
                }
            }
        }
    });
    return grid;
}

/// Puts vertices back where surfaces came to cross: tips and fins thinner than a cell can fold when they are evened
/// out, while the isosurface they came from does not.
void undoCrossings(TriMesh& mesh, const IndexedVector<VertexIndex, Vec3>& before) {
    for (;;) {
        bool changed = false;
        for (const IntersectingPair& pair : selfIntersections(mesh)) {
            for (const TriangleIndex t : {pair.first, pair.second}) {
                for (const VertexIndex v : mesh.triangles[t]) {
                    changed = changed || mesh.positions[v] != before[v];
                    mesh.positions[v] = before[v];
                }
            }
        }
        if (!changed) return;
    }
}

}  // namespace

void keepLargestPiece(TriMesh& mesh) {
    const std::vector<std::vector<TriangleIndex>> pieces = connectedComponents(mesh, MeshTopology(mesh)).lists();
    if (pieces.size() <= 1) return;
    const std::vector<TriangleIndex>* largest = nullptr;
    double largestVolume = 0;
    for (const std::vector<TriangleIndex>& piece : pieces) {
        const double pieceVolume = volume(subset(mesh, piece));
        if (!largest || pieceVolume > largestVolume) largest = &piece, largestVolume = pieceVolume;
    }
    IndexedVector<TriangleIndex, Triangle> kept;
    for (const TriangleIndex t : *largest) kept.push_back(mesh.triangles[t]);
    mesh.triangles = std::move(kept);
}

TriMesh implicitMesh(const ImplicitSolid& solid) {
    IsosurfaceOptions options;
    options.keepCreases = false;
    PartedSurface surface{
        .mesh = {}, .partsOf = {}, .parts = {solid.distance}, .cellSize = solid.cellSize, .settle = {}};
    const TriMesh raw = isosurface(gridOf(solid), options);
    surface.mesh.positions = raw.positions;
    surface.mesh.triangles = raw.triangles;
    keepLargestPiece(surface.mesh);
    surface.partsOf.assign(surface.mesh.vertexCount(), 1);
    const IndexedVector<VertexIndex, Vec3> before = surface.mesh.positions;
    evenOut(surface, 4);
    undoCrossings(surface.mesh, before);
    setNormals(surface);
    removeUnusedVertices(surface.mesh);
    projectUvs(surface.mesh, solid.bounds.size().maxCoeff());
    return std::move(surface.mesh);
}

}  // namespace sunder::shapes
