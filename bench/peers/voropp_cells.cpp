#include "bench/peers/voropp_cells.h"

#include <cmath>
#include <vector>

#include <voro++/voro++.hh>

namespace sunder::bench {

double voroppCells(std::span<const Vec3> sites, const Box3& box) {
    // five to eight particles per block is what its documentation recommends
    const int blocks = std::max(1, static_cast<int>(std::cbrt(static_cast<double>(sites.size()) / 5)));
    voro::container container(box.min.x(), box.max.x(), box.min.y(), box.max.y(), box.min.z(), box.max.z(), blocks,
                              blocks, blocks, false, false, false, 8);
    for (size_t i = 0; i < sites.size(); ++i) {
        container.put(static_cast<int>(i), sites[i].x(), sites[i].y(), sites[i].z());
    }
    voro::c_loop_all loop(container);
    voro::voronoicell_neighbor cell;
    double sum = 0;
    std::vector<double> vertices;
    std::vector<int> neighbours, faces;
    if (loop.start()) {
        do {
            if (!container.compute_cell(cell, loop)) continue;
            double x, y, z;
            loop.pos(x, y, z);
            cell.vertices(x, y, z, vertices);
            cell.face_vertices(faces);
            cell.neighbors(neighbours);
            sum += cell.volume();
        } while (loop.inc());
    }
    return sum;
}

}  // namespace sunder::bench
