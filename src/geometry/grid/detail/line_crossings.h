#pragma once

#include <cstdint>
#include <vector>

#include "geometry/grid/distance_grid.h"
#include "geometry/mesh/tri_mesh.h"

namespace sunder::detail {

/// Where the lines of lattice points along x pass through the surface, exactly. A line is taken to run an infinitesimal
/// step beside its lattice points (y + e, z + e^2), so it meets every triangle in its inside or not at all, and the
/// crossings of a closed mesh add up whatever corner or edge they fall on [edelsbrunner1990].
class LineCrossings {
public:
    struct Crossing {
        uint32_t line;  // j + points[1] * k
        int first;      // first lattice point past the crossing, 0 .. points[0]
        int step;       // by how much the winding number changes there: +1 into the solid
    };

    LineCrossings(const TriMesh& mesh, const IndexedVector<VertexIndex, Vec3>& cellPositions, const Int3& points);

    /// The crossings of one line, by ascending `first`.
    std::span<const Crossing> onLine(int j, int k) const {
        const size_t line = static_cast<size_t>(j) + static_cast<size_t>(points_[1]) * static_cast<size_t>(k);
        return std::span(crossings_).subspan(start_[line], start_[line + 1] - start_[line]);
    }

private:
    Int3 points_;
    std::vector<Crossing> crossings_;
    std::vector<uint32_t> start_;  // per line, and the end
};

}  // namespace sunder::detail
