#include "geometry/grid/detail/closed_sign.h"

#include "geometry/grid/detail/lattice_rows.h"
#include "geometry/grid/detail/line_crossings.h"

namespace sunder::detail {

IndexedVector<VertexIndex, Vec3> positionsInCells(const TriMesh& mesh, const GridFrame& frame) {
    IndexedVector<VertexIndex, Vec3> positions(mesh.vertexCount());
    for (const VertexIndex v : mesh.positions.indices())
        positions[v] = (mesh.positions[v] - frame.origin) / frame.cellSize;
    return positions;
}

void applyClosedSign(const TriMesh& mesh, const IndexedVector<VertexIndex, Vec3>& cellPositions, DistanceGrid& grid) {
    const GridFrame& frame = grid.frame();
    const LineCrossings crossings(mesh, cellPositions, frame.points);
    forEachRow(frame, [&](int j, int k) {
        float* row = grid.values().data() + frame.index(0, j, k);
        int winding = 0, begin = 0;
        for (const auto& crossing : crossings.onLine(j, k)) {
            if (winding >= 1) negate(row, begin, crossing.first);
            begin = crossing.first;
            winding += crossing.step;
        }
        if (winding >= 1) negate(row, begin, frame.points[0]);
    });
}

}  // namespace sunder::detail
