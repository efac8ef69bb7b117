#include "geometry/cut/detail/lattice_cell.h"

#include <algorithm>

namespace sunder::detail {

namespace {

int edgeBetween(int a, int b) {
    for (int e = 0; e < 12; ++e) {
        const LatticeEdge edge = latticeEdge(e);
        if (edge.low == std::min(a, b) && edge.high == std::max(a, b)) return e;
    }
    return -1;
}

std::array<LatticeFace, 6> makeFaces() {
    std::array<LatticeFace, 6> faces;
    for (int f = 0; f < 6; ++f) {
        const int axis = f / 2, u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3;
        const int base = f % 2 == 0 ? 0 : 1 << axis;
        LatticeFace& face = faces[static_cast<size_t>(f)];
        face.corners = {base, base + u, base + u + v, base + v};  // counter-clockwise seen from the upper end
        if (f % 2 == 0) std::swap(face.corners[1], face.corners[3]);
        for (size_t k = 0; k < 4; ++k) face.edges[k] = edgeBetween(face.corners[k], face.corners[(k + 1) % 4]);
    }
    return faces;
}

}  // namespace

LatticeEdge latticeEdge(int edge) {
    const int axis = edge / 4, u = (axis + 1) % 3, v = (axis + 2) % 3;
    const int low = (edge & 1) << u | (edge >> 1 & 1) << v;
    return {low, low | 1 << axis};
}

const LatticeFace& latticeFace(int face) {
    static const std::array<LatticeFace, 6> faces = makeFaces();
    return faces[static_cast<size_t>(face)];
}

std::vector<WallLoop> loopsOf(const std::vector<WallLine>& lines) {
    std::vector<WallLoop> loops;
    std::vector<uint8_t> used(lines.size(), 0);
    // walls of three and more regions end in faces: no loops
    for (const WallLine& line : lines) {
        if (line.to.kind == SurfaceNode::Kind::OnFace) return {};
    }
    for (size_t first = 0; first < lines.size(); ++first) {
        if (used[first]) continue;
        WallLoop loop;
        SurfaceNode at = lines[first].from;
        // a node on an edge has one line on each of the two faces there: one comes, one goes
        for (size_t next = first; next < lines.size();) {
            used[next] = 1;
            loop.push_back(lines[next]);
            at = lines[next].to;
            for (next = 0; next < lines.size() && (used[next] || !(lines[next].from == at)); ++next) {
            }
        }
        loops.push_back(std::move(loop));
    }
    return loops;
}

}  // namespace sunder::detail
