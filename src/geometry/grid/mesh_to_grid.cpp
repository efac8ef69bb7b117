#include "geometry/grid/mesh_to_grid.h"

#include <cmath>

#include "base/parallel.h"
#include "geometry/tree/triangle_tree.h"
#include "geometry/tree/winding_number.h"

namespace sunder {

DistanceGrid gridFromMesh(const TriMesh& mesh, const GridFrame& frame, const GridOptions&, Progress* progress) {
    const TriangleTree tree(mesh);
    const WindingNumber winding(mesh);
    DistanceGrid grid(frame);
    if (progress) progress->start("distance grid", frame.points[2]);
    parallelFor(static_cast<size_t>(frame.points[2]), 1, [&](const BlockRange& block) {
        const int k = static_cast<int>(block.begin);
        for (int j = 0; j < frame.points[1]; ++j) {
            for (int i = 0; i < frame.points[0]; ++i) {
                const Vec3 p = frame.position(i, j, k);
                const double distance = std::sqrt(tree.closestPoint(p).squaredDistance);
                grid.at(i, j, k) = static_cast<float>(winding(p) >= 0.5 ? -distance : distance);
            }
        }
        if (progress) progress->advance();
    });
    if (progress) progress->finish();
    return grid;
}

DistanceGrid gridFromMesh(const TriMesh& mesh, double cellSize, const GridOptions& options, Progress* progress) {
    const int padding = static_cast<int>(std::ceil(options.bandCells));
    return gridFromMesh(mesh, alignedFrame(boundsOf(mesh), cellSize, padding), options, progress);
}

double cellSizeFor(const TriMesh& mesh, int cells) {
    ASSERT(cells > 0);
    return boundsOf(mesh).size().maxCoeff() / cells;
}

}  // namespace sunder
