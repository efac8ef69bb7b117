#include "geometry/cut/lattice_walls.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "base/assert.h"
#include "base/indexed_vector.h"
#include "base/parallel.h"
#include "geometry/cut/detail/cell_sheets.h"
#include "math/predicates.h"

namespace sunder {

namespace {

using namespace detail;

constexpr double kReach = 1;           // cells from the solid: any cell that it touches has a corner nearer than 0.87
constexpr double kEdgeInset = 0.02;    // cells: how near to the ends of its edge a node may be
constexpr double kMiddleInset = 0.05;  // cells: how near to the border of its face or cell
constexpr double kPrecision = 1e-3;    // cells: of places on edges
constexpr double kDerivativeStep = 0.01;  // cells
constexpr int kNewtonSteps = 4;

/// Where labels change along an edge of the lattice.
struct EdgeNode {
    Int3 point{};  // its lower end
    int axis = 0;
    uint32_t low = 0, high = 0;  // labels
};

/// Where three or four regions meet on a face of the lattice.
struct FaceNode {
    Int3 point{};  // its lowest corner
    int axis = 0;
    std::array<uint32_t, 4> labels{};
    std::array<uint32_t, 4> edges{};  // nodes around it, or none
};

/// A cell whose corners differ.
struct WallCell {
    Int3 at{};
    CornerLabels labels{};
    std::array<uint32_t, 12> edges{};  // nodes
    std::array<uint32_t, 6> faces{};
    uint8_t joinedFirst = 0;  // faces whose first corners are joined, a bit each
};

/// Everything there is, numbered: nodes on edges, then on faces.
struct WallCells {
    std::vector<WallCell> cells;  // in lattice order
    std::vector<EdgeNode> edges;
    std::vector<FaceNode> faces;
};

Int3 cornerOf(const Int3& cell, int corner) {
    return {cell[0] + (corner & 1), cell[1] + (corner >> 1 & 1), cell[2] + (corner >> 2)};
}

/// Nodes by the lattice point they begin at, in the two layers that a layer of cells lies between.
class LayerNodes {
public:
    explicit LayerNodes(const Int3& points)
        : points_(points),
          layers_{std::vector<uint32_t>(6 * perLayer(), kInvalidIndex),
                  std::vector<uint32_t>(6 * perLayer(), kInvalidIndex)} {}

    void forget(int layer) { std::fill(layers_[layer & 1].begin(), layers_[layer & 1].end(), kInvalidIndex); }
    uint32_t& edge(const Int3& point, int axis) { return slot(point, axis); }
    uint32_t& face(const Int3& point, int axis) { return slot(point, 3 + axis); }

private:
    size_t perLayer() const { return static_cast<size_t>(points_[0]) * static_cast<size_t>(points_[1]); }
    uint32_t& slot(const Int3& p, int kind) {
        const size_t inLayer = static_cast<size_t>(p[0]) + static_cast<size_t>(points_[0]) * static_cast<size_t>(p[1]);
        return layers_[p[2] & 1][6 * inLayer + static_cast<size_t>(kind)];
    }

    Int3 points_;
    std::array<std::vector<uint32_t>, 2> layers_;
};

class CellFinder {
public:
    explicit CellFinder(const LatticeRegions& regions)
        : regions_(regions), frame_(regions.solid->frame()), nodes_(frame_.points) {}

    WallCells find() {
        for (int k = 0; k + 1 < frame_.points[2]; ++k) {
            nodes_.forget(k + 1);
            for (int j = 0; j + 1 < frame_.points[1]; ++j) findInRow(j, k);
        }
        return std::move(found_);
    }

private:
    void findInRow(int j, int k) {
        // the row's four lines of lattice points
        std::array<const uint32_t*, 4> labels{};
        std::array<const float*, 4> values{};
        for (int b = 0; b < 4; ++b) {
            const size_t begin = frame_.index(0, j + b % 2, k + b / 2);
            labels[static_cast<size_t>(b)] = regions_.labels.data() + begin;
            values[static_cast<size_t>(b)] = regions_.solid->values().data() + begin;
        }
        // walls are wanted where labels differ, in and near the solid only
        const auto reach = static_cast<float>(kReach * frame_.cellSize);
        for (int i = 0; i + 1 < frame_.points[0]; ++i) {
            bool near = false, same = true;
            for (size_t b = 0; b < 4; ++b) {
                near = near || values[b][i] < reach || values[b][i + 1] < reach;
                same = same && labels[b][i] == labels[0][i] && labels[b][i + 1] == labels[0][i];
            }
            if (!near || same) continue;
            WallCell cell;
            cell.at = {i, j, k};
            for (size_t c = 0; c < 8; ++c) cell.labels[c] = labels[c / 2][static_cast<size_t>(i) + c % 2];
            addNodes(cell);
            found_.cells.push_back(cell);
        }
    }

    void addNodes(WallCell& cell) {
        for (int e = 0; e < 12; ++e) {
            const LatticeEdge edge = latticeEdge(e);
            const uint32_t low = cell.labels[static_cast<size_t>(edge.low)];
            const uint32_t high = cell.labels[static_cast<size_t>(edge.high)];
            if (low == high) continue;
            const Int3 point = cornerOf(cell.at, edge.low);
            uint32_t& node = nodes_.edge(point, e / 4);
            if (node == kInvalidIndex) {
                node = static_cast<uint32_t>(found_.edges.size());
                found_.edges.push_back({point, e / 4, low, high});
            }
            cell.edges[static_cast<size_t>(e)] = node;
        }
        for (int f = 0; f < 6; ++f) lookAtFace(cell, f);
    }

    void lookAtFace(WallCell& cell, int f) {
        const LatticeFace& face = latticeFace(f);
        // around the face: where labels differ, the edge between them has a node
        FaceNode made{cornerOf(cell.at, face.corners[0]), f / 2, {}, {}};
        int changes = 0;
        for (size_t k = 0; k < 4; ++k) {
            made.labels[k] = cell.labels[static_cast<size_t>(face.corners[k])];
            const uint32_t next = cell.labels[static_cast<size_t>(face.corners[(k + 1) % 4])];
            const bool differ = made.labels[k] != next;
            made.edges[k] = differ ? cell.edges[static_cast<size_t>(face.edges[k])] : kInvalidIndex;
            changes += differ ? 1 : 0;
        }
        // all four edges crossed by two regions: either may hang together across the face
        const bool first = made.labels[0] == made.labels[2], second = made.labels[1] == made.labels[3];
        if (changes == 4 && first && second) {
            // the same for both cells at the face: the lower label is asked for
            const uint32_t a = std::min(made.labels[0], made.labels[1]), b = std::max(made.labels[0], made.labels[1]);
            const Vec3 middle =
                0.5 * (positionOf(cornerOf(cell.at, face.corners[0])) + positionOf(cornerOf(cell.at, face.corners[2])));
            const bool joinsLower = regions_.difference(middle, a, b) < 0;
            if (joinsLower == (made.labels[0] == a)) cell.joinedFirst = static_cast<uint8_t>(cell.joinedFirst | 1 << f);
        }
        // a wall line that ends within the face needs a node of its own, shared with the cell beyond
        if (changes < 3 || (changes == 4 && (first || second))) return;
        uint32_t& node = nodes_.face(made.point, made.axis);
        if (node == kInvalidIndex) {
            node = static_cast<uint32_t>(found_.faces.size());
            found_.faces.push_back(made);
        }
        cell.faces[static_cast<size_t>(f)] = node;
    }

    Vec3 positionOf(const Int3& p) const { return frame_.position(p[0], p[1], p[2]); }

    const LatticeRegions& regions_;
    const GridFrame& frame_;
    LayerNodes nodes_;
    WallCells found_;
};

/// Root of a function that is not positive at 0 and not negative at 1, by false position with the Illinois rule
/// [dowell1971].
template <class Function>
double rootBetween(const Function& f, double valueAt0, double valueAt1) {
    double low = 0, high = 1, lowValue = valueAt0, highValue = valueAt1, t = 0.5;
    int kept = 0;  // which end stayed in the last round
    for (int round = 0; round < 12 && high - low > kPrecision; ++round) {
        const double drop = highValue - lowValue, before = t;
        t = drop > 0 ? std::clamp(low - lowValue * (high - low) / drop, low, high) : 0.5 * (low + high);
        if (round > 0 && std::abs(t - before) < 0.1 * kPrecision) break;
        const double value = f(t);
        const bool below = value < 0;
        (below ? low : high) = t;
        (below ? lowValue : highValue) = value;
        if (kept == (below ? 1 : 2)) (below ? highValue : lowValue) *= 0.5;
        kept = below ? 1 : 2;
    }
    return t;
}

/// Finds the places of nodes.
class NodePlacer {
public:
    explicit NodePlacer(const LatticeRegions& regions) : regions_(regions), frame_(regions.solid->frame()) {}

    Vec3 onEdge(const EdgeNode& node) const {
        const Vec3 low = position(node.point);
        Int3 end = node.point;
        ++end[static_cast<size_t>(node.axis)];
        const double from = low[node.axis], way = position(end)[node.axis] - from;
        Vec3 point = low;
        const auto difference = [&](double t) {
            point[node.axis] = from + t * way;
            return regions_.difference(point, node.low, node.high);
        };
        const double atLow = difference(0), atHigh = difference(1);
        // points that were given to a neighbouring region have other labels than their place tells
        const bool known = atLow <= 0 && atHigh >= 0 && atHigh > atLow;
        const double t = known ? rootBetween(difference, atLow, atHigh) : 0.5;
        point[node.axis] = from + std::clamp(t, kEdgeInset, 1 - kEdgeInset) * way;
        return point;
    }

    Vec3 onFace(const FaceNode& node, const std::vector<Vec3>& edgeNodes) const {
        Vec3 start = Vec3::Zero();
        int count = 0;
        for (const uint32_t e : node.edges) {
            if (e == kInvalidIndex) continue;
            start += edgeNodes[e];
            ++count;
        }
        start /= count;
        start[node.axis] = position(node.point)[node.axis];  // rounding must not take it off the face
        return whereAllMeet(node.labels, start, node.point, node.axis);
    }

    Vec3 inCell(const WallCell& cell, const Vec3& start) const {
        return whereAllMeet(cell.labels, start, cell.at, kNoAxis);
    }

private:
    static constexpr int kNoAxis = 3;

    Vec3 position(const Int3& p) const { return frame_.position(p[0], p[1], p[2]); }

    /// The point nearest to all walls between these regions: Gauss-Newton with small steps where they leave it free.
    /// Stays well within the cell or the face across `fixedAxis`.
    Vec3 whereAllMeet(std::span<const uint32_t> labels, const Vec3& start, const Int3& cell, int fixedAxis) const {
        // the middle part of the cell: nodes on its rim would make slivers
        const double h = frame_.cellSize;
        const Vec3 low = position(cell) + Vec3::Constant(kMiddleInset * h),
                   high = low + (1 - 2 * kMiddleInset) * Vec3::Constant(h);
        Vec3 point = start;
        const auto keepWithin = [&] {
            for (int axis = 0; axis < 3; ++axis) {
                if (axis != fixedAxis) point[axis] = std::clamp(point[axis], low[axis], high[axis]);
            }
        };
        keepWithin();
        ASSERT(!labels.empty());
        for (int step = 0; step < kNewtonSteps; ++step) {
            // each further region, once, wants its difference to the first to vanish
            Mat3 normal = Mat3::Zero();
            Vec3 pull = Vec3::Zero();
            for (size_t i = 1; i < labels.size(); ++i) {
                const bool seen = std::find(labels.begin(), labels.begin() + static_cast<std::ptrdiff_t>(i),
                                            labels[i]) != labels.begin() + static_cast<std::ptrdiff_t>(i);
                if (seen) continue;
                const double here = regions_.difference(point, labels[0], labels[i]);
                Vec3 gradient = Vec3::Zero();
                for (int axis = 0; axis < 3; ++axis) {
                    if (axis == fixedAxis) continue;
                    Vec3 beside = point;
                    beside[axis] += kDerivativeStep * h;
                    gradient[axis] = (regions_.difference(beside, labels[0], labels[i]) - here) / (kDerivativeStep * h);
                }
                normal += gradient * gradient.transpose();
                pull -= here * gradient;
            }
            // damped by a little, for directions that the walls leave free
            normal.diagonal().array() += 1e-4 * normal.trace() + 1e-300;
            const Vec3 move = normal.ldlt().solve(pull);
            if (!move.allFinite()) break;
            const Vec3 before = point;
            point += move;
            keepWithin();
            if ((point - before).norm() < kPrecision * h) break;
        }
        return point;
    }

    const LatticeRegions& regions_;
    const GridFrame& frame_;
};

/// Walls in their cells, so that the cell of a point can be told from what is around it.
struct WallIndex {
    GridFrame frame;
    std::vector<uint32_t> labels;        // of the lattice
    std::vector<size_t> cells;           // lattice index of the lowest corner, ascending
    std::vector<uint32_t> firstWall;     // per cell, and one more
    std::vector<CellWalls::Wall> walls;  // as in CellWalls
    std::vector<Vec3> positions;

    uint32_t regionAt(const Vec3& point) const;

private:
    struct Answer {
        uint32_t region = 0;
        bool clear = true;  // the line of sight hits no edge of a wall
    };
    Answer seenFrom(const Int3& corner, const Vec3& point, std::span<const CellWalls::Wall> inCell) const;
};

/// The region of the last wall on the way from a corner to the point, or of the corner.
WallIndex::Answer WallIndex::seenFrom(const Int3& corner, const Vec3& point,
                                      std::span<const CellWalls::Wall> inCell) const {
    // walls that the way crosses: the ends are on different sides, and the line passes between the corners
    const Vec3 from = frame.position(corner[0], corner[1], corner[2]);
    Answer answer{labels[frame.index(corner[0], corner[1], corner[2])], true};
    double last = -1;
    for (const CellWalls::Wall& wall : inCell) {
        const Vec3 &a = positions[wall.corners[0]], &b = positions[wall.corners[1]], &c = positions[wall.corners[2]];
        const int start = orient3d(a, b, c, from), end = orient3d(a, b, c, point);
        if (start == end) continue;
        const int u = orient3d(from, point, a, b), v = orient3d(from, point, b, c), w = orient3d(from, point, c, a);
        if (std::min({u, v, w}) < 0 && std::max({u, v, w}) > 0) continue;
        // through a corner, an edge or along the wall: the answer may be wrong, and says so
        if (u * v * w * start * end == 0) answer.clear = false;
        // the last one counts
        const Vec3 n = (b - a).cross(c - a);
        const double along = n.dot(a - from) / n.dot(point - from);
        if (along <= last) continue;
        last = along;
        answer.region = end > 0 ? wall.neighbour : wall.cell;
    }
    return answer;
}

uint32_t WallIndex::regionAt(const Vec3& point) const {
    Int3 at{};
    for (size_t axis = 0; axis < 3; ++axis) {
        const double x = (point[static_cast<int>(axis)] - frame.origin[static_cast<int>(axis)]) / frame.cellSize;
        at[axis] = std::clamp(static_cast<int>(std::floor(x)), 0, frame.points[axis] - 2);
    }
    const size_t index = frame.index(at[0], at[1], at[2]);
    const auto found = std::lower_bound(cells.begin(), cells.end(), index);
    if (found == cells.end() || *found != index) return labels[index];
    const size_t cell = static_cast<size_t>(found - cells.begin());
    const auto inCell = std::span(walls).subspan(firstWall[cell], firstWall[cell + 1] - firstWall[cell]);
    Answer answer;
    for (int corner = 0; corner < 8; ++corner) {
        answer = seenFrom(cornerOf(at, corner), point, inCell);
        if (answer.clear) break;
    }
    return answer.region;
}

/// The walls of some cells; nodes of their own are numbered from 0 behind all others.
struct BlockWalls {
    std::vector<CellWalls::Wall> walls;
    std::vector<Vec3> middles;
    std::vector<uint32_t> wallCount;  // per cell
};

BlockWalls wallsOf(std::span<const WallCell> cells, const std::vector<Vec3>& nodes, size_t edgeCount,
                   const NodePlacer& placer) {
    BlockWalls block;
    for (const WallCell& cell : cells) {
        // nodes on edges come first, then those on faces; the cell's own middle is behind those of all cells
        const auto number = [&](SurfaceNode node) {
            return node.kind == SurfaceNode::Kind::OnEdge ? cell.edges[node.index]
                                                          : static_cast<uint32_t>(edgeCount) + cell.faces[node.index];
        };
        // the lines on its faces are what its walls end at, the same for the cell beyond
        const std::vector<WallLine> lines = linesOnFaces(cell.labels, [&](int face) {
            return (cell.joinedFirst >> face & 1) != 0 ? JoinedCorners::First : JoinedCorners::Second;
        });
        const std::vector<SheetTriangle> triangles =
            sheetsIn(lines, [&](SurfaceNode node) { return nodes[number(node)]; });
        const auto middle = static_cast<uint32_t>(nodes.size() + block.middles.size());
        // walls of three and more regions meet in the middle
        if (!triangles.empty() && triangles.front().toMiddle) {
            Vec3 mean = Vec3::Zero();
            for (const WallLine& line : lines) mean += nodes[number(line.from)] + nodes[number(line.to)];
            block.middles.push_back(placer.inCell(cell, mean / (2.0 * static_cast<double>(lines.size()))));
        }
        for (const SheetTriangle& t : triangles) {
            const uint32_t last = t.toMiddle ? middle : number(t.corners[2]);
            block.walls.push_back({t.right, t.left, {number(t.corners[0]), number(t.corners[1]), last}});
        }
        block.wallCount.push_back(static_cast<uint32_t>(triangles.size()));
    }
    return block;
}

}  // namespace

CellWalls latticeWalls(const LatticeRegions& regions) {
    constexpr size_t kPerBlock = 256;
    const GridFrame& frame = regions.solid->frame();
    ASSERT(frame.cellSize > 0 && regions.labels.size() == frame.pointCount());
    const WallCells found = CellFinder(regions).find();

    // places of what cells share
    const NodePlacer placer(regions);
    CellWalls result;
    result.cellCount = regions.count;
    const size_t edgeCount = found.edges.size();
    result.positions.resize(edgeCount + found.faces.size());
    parallelFor(edgeCount, kPerBlock, [&](const BlockRange& range) {
        for (size_t i = range.begin; i < range.end; ++i) result.positions[i] = placer.onEdge(found.edges[i]);
    });
    parallelFor(found.faces.size(), kPerBlock, [&](const BlockRange& range) {
        for (size_t i = range.begin; i < range.end; ++i) {
            result.positions[edgeCount + i] = placer.onFace(found.faces[i], result.positions);
        }
    });

    // cell by cell
    std::vector<BlockWalls> blocks((found.cells.size() + kPerBlock - 1) / kPerBlock);
    parallelFor(found.cells.size(), kPerBlock, [&](const BlockRange& range) {
        blocks[range.index] = wallsOf(std::span(found.cells).subspan(range.begin, range.end - range.begin),
                                      result.positions, edgeCount, placer);
    });

    // together, and where each cell's begin
    auto index = std::make_shared<WallIndex>();
    index->firstWall.push_back(0);
    const size_t shared = result.positions.size();
    for (const BlockWalls& block : blocks) {
        const auto shift = static_cast<uint32_t>(result.positions.size() - shared);
        for (CellWalls::Wall wall : block.walls) {
            if (wall.corners[2] >= shared) wall.corners[2] += shift;
            result.walls.push_back(wall);
        }
        result.positions.insert(result.positions.end(), block.middles.begin(), block.middles.end());
        for (const uint32_t count : block.wallCount) index->firstWall.push_back(index->firstWall.back() + count);
    }
    // what tells later which region a point is in
    index->frame = frame;
    index->labels.assign(regions.labels.begin(), regions.labels.end());
    for (const WallCell& cell : found.cells) index->cells.push_back(frame.index(cell.at[0], cell.at[1], cell.at[2]));
    index->walls = result.walls;
    index->positions = result.positions;
    result.cellAt = [index](const Vec3& point) { return index->regionAt(point); };
    return result;
}

}  // namespace sunder
