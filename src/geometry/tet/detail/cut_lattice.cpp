#include "geometry/tet/detail/cut_lattice.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/assert.h"
#include "base/parallel.h"

namespace sunder::detail {

namespace {

constexpr double kShortLength = 0.8660254037844386;  // sqrt(3) / 2 cells
constexpr double lengthOf(int direction) { return isLong(direction) ? 1.0 : kShortLength; }

constexpr uint16_t bit(int direction) { return static_cast<uint16_t>(1u << direction); }
constexpr uint32_t rank(uint16_t mask, int direction) {
    return static_cast<uint32_t>(std::popcount(static_cast<unsigned>(mask & (bit(direction) - 1u))));
}

template <class Body>
void forEachDirection(uint16_t mask, Body&& body) {
    for (unsigned rest = mask; rest != 0; rest &= rest - 1) body(std::countr_zero(rest));
}

/// Where the field crosses zero between an inner and an outer point, as a fraction from the inner one: regula falsi
/// with the Illinois weights. A value that is not a number counts as outside.
double findCrossing(const SolidField& field, const Vec3& inner, const Vec3& outer, double innerValue,
                    double outerValue) {
    ASSERT(innerValue < 0);
    constexpr int kMaxSteps = 8;
    constexpr double kTolerance = 1e-4;  // of the edge
    const double smallValue = kTolerance * (outer - inner).norm();
    double low = 0, high = 1;
    double lowValue = innerValue, highValue = outerValue;
    double t = 0.5;
    // each step moves one end of the interval; the other end's value is halved, or it would never move
    for (int step = 0; step < kMaxSteps; ++step) {
        t = low + (high - low) * (lowValue / (lowValue - highValue));
        if (!(t >= low && t <= high)) t = 0.5 * (low + high);
        const double value = field(inner + t * (outer - inner));
        if (std::abs(value) <= smallValue) break;
        if (value < 0) {
            low = t;
            lowValue = value;
            highValue *= 0.5;
        } else {
            high = t;
            highValue = value;
            lowValue *= 0.5;
        }
    }
    return t;
}

/// Turns counts into sums of all before, with the total last.
std::vector<size_t> sumsBefore(const std::vector<size_t>& counts) {
    std::vector<size_t> sums(counts.size() + 1, 0);
    for (size_t i = 0; i < counts.size(); ++i) sums[i + 1] = sums[i] + counts[i];
    return sums;
}

}  // namespace

SolidField::SolidField(const DistanceGrid& grid) : grid_(&grid), gridBounds_(grid.frame().bounds()) {
    // the inner points, layer by layer
    struct Part {
        Box3 box;
        size_t count = 0;
    };
    const GridFrame& frame = grid.frame();
    const Part all = parallelReduce(
        static_cast<size_t>(std::max(0, frame.points[2])), 1, Part(),
        [&](const BlockRange& layer) {
            const int k = static_cast<int>(layer.begin);
            Part part;
            for (int j = 0; j < frame.points[1]; ++j) {
                for (int i = 0; i < frame.points[0]; ++i) {
                    if (!(grid.at(i, j, k) < 0)) continue;
                    part.box.add(Vec3(i, j, k));
                    ++part.count;
                }
            }
            return part;
        },
        [](Part a, const Part& b) {
            if (b.count > 0) a.box.add(b.box);
            a.count += b.count;
            return a;
        });
    innerPointCount_ = all.count;
    if (all.count == 0) return;
    // the interpolant is negative at most one grid cell beyond a negative point
    const Box3 cells = all.box.expanded(1);
    bounds_ = {(frame.origin + frame.cellSize * cells.min).cwiseMax(gridBounds_.min),
               (frame.origin + frame.cellSize * cells.max).cwiseMin(gridBounds_.max)};
}

double SolidField::operator()(const Vec3& point) const {
    const double value = grid_->value(point);
    const double beyondBounds = (gridBounds_.min - point).cwiseMax(point - gridBounds_.max).maxCoeff();
    return value < 0 ? std::max(value, beyondBounds) : value;
}

double SolidField::volume() const {
    const double h = grid_->frame().cellSize;
    return static_cast<double>(innerPointCount_) * h * h * h;
}

CutLattice::CutLattice(const SolidField& field, double cellSize, Progress& progress)
    : lattice_(field.bounds(), cellSize) {
    sample(field, progress);
    findCuts(field, progress);
    warp();
    numberNodes();
    countTets();
}

/// Layers of cubes all of whose points have all their neighbours in the lattice.
template <class Body>
void CutLattice::forEachInnerLayer(Body&& body) const {
    parallelFor(static_cast<size_t>(lattice_.cubes()[2] - 2), 1,
                [&](const BlockRange& block) { body(static_cast<int>(block.begin) + 1); });
}

template <class Body>
void CutLattice::forEachPointInLayer(int k, Body&& body) const {
    const Int3& cubes = lattice_.cubes();
    for (int j = 1; j < cubes[1] - 1; ++j) {
        const size_t begin = 2 * lattice_.cube(1, j, k);
        const size_t end = 2 * lattice_.cube(cubes[0] - 1, j, k);
        for (size_t point = begin; point < end; ++point) body(point);
    }
}

/// body(shape, points, stencil) for the tets that are not empty.
template <class Body>
void CutLattice::forEachTetInLayer(int k, Body&& body) const {
    const StencilTable& table = stencilTable();
    const Int3& cubes = lattice_.cubes();
    for (int j = 1; j < cubes[1] - 1; ++j) {
        for (int i = 1; i < cubes[0] - 1; ++i) {
            const size_t base = 2 * lattice_.cube(i, j, k);
            for (size_t shape = 0; shape < kTetShapes.size(); ++shape) {
                std::array<size_t, 4> points;
                for (size_t c = 0; c < 4; ++c) {
                    points[c] = static_cast<size_t>(static_cast<ptrdiff_t>(base) + lattice_.tetOffset(shape, c));
                }
                const size_t tetCase = caseOf(side_[points[0]], side_[points[1]], side_[points[2]], side_[points[3]]);
                const Stencil& stencil = table[shape][tetCase];
                if (stencil.count > 0) body(kTetShapes[shape], points, stencil);
            }
        }
    }
}

void CutLattice::sample(const SolidField& field, Progress& progress) {
    value_.resize(lattice_.pointCount());
    side_.resize(lattice_.pointCount());
    const Int3& cubes = lattice_.cubes();
    parallelFor(static_cast<size_t>(cubes[2]), 1, [&](const BlockRange& layer) {
        const int k = static_cast<int>(layer.begin);
        for (int j = 0; j < cubes[1]; ++j) {
            for (int i = 0; i < cubes[0]; ++i) {
                const size_t corner = 2 * lattice_.cube(i, j, k);
                for (const size_t point : {corner, corner + 1}) {
                    const double value = field(lattice_.position(i, j, k, point != corner));
                    value_[point] = value;
                    side_[point] = value < 0 ? Side::Inside : value == 0 ? Side::On : Side::Outside;
                }
            }
        }
        progress.advance();
    });
}

void CutLattice::findCuts(const SolidField& field, Progress& progress) {
    ASSERT(side_.size() == lattice_.pointCount());
    crossings_.assign(lattice_.pointCount(), 0);
    firstCut_.assign(lattice_.pointCount(), kInvalidIndex);
    const auto layers = static_cast<size_t>(lattice_.cubes()[2]);

    // which edges
    std::vector<size_t> cutsInLayer(layers, 0);
    forEachInnerLayer([&](int k) {
        size_t count = 0;
        forEachPointInLayer(k, [&](size_t point) {
            const Side mine = side_[point];
            if (mine == Side::On) return;
            const Side wanted = mine == Side::Inside ? Side::Outside : Side::Inside;
            unsigned mask = 0;
            for (int direction = 0; direction < kDirections; ++direction) {
                if (side_[lattice_.neighbour(point, direction)] == wanted) mask |= bit(direction);
            }
            crossings_[point] = static_cast<uint16_t>(mask);
            if (mine == Side::Inside) count += static_cast<size_t>(std::popcount(mask));
        });
        cutsInLayer[static_cast<size_t>(k)] = count;
    });

    // where on them, from the inner end
    const std::vector<size_t> cutsBefore = sumsBefore(cutsInLayer);
    cutAt_.resize(cutsBefore.back());
    // every cut is stored with its inner end, in order of points, then directions
    forEachInnerLayer([&](int k) {
        size_t next = cutsBefore[static_cast<size_t>(k)];
        forEachPointInLayer(k, [&](size_t point) {
            if (side_[point] != Side::Inside || crossings_[point] == 0) return;
            firstCut_[point] = static_cast<uint32_t>(next);
            const Vec3 inner = lattice_.position(point);
            forEachDirection(crossings_[point], [&](int direction) {
                const size_t other = lattice_.neighbour(point, direction);
                cutAt_[next++] = findCrossing(field, inner, lattice_.position(other), value_[point], value_[other]);
            });
        });
        progress.advance();
    });
    value_ = {};
}

/// From the point to the cut of one of its crossed edges, as a fraction of the edge.
double CutLattice::fractionToCut(size_t point, int direction) const {
    const auto fromInner = [&](size_t inner, int d) { return cutAt_[firstCut_[inner] + rank(crossings_[inner], d)]; };
    if (firstCut_[point] != kInvalidIndex) return fromInner(point, direction);
    return 1 - fromInner(lattice_.neighbour(point, direction), opposite(direction));
}

/// One point after the other, as a point that moves takes the cuts of all its edges away from its neighbours: parallel
/// moves could bring all corners of a tet to the surface and lose it.
void CutLattice::warp() {
    warpDirection_.assign(lattice_.pointCount(), -1);
    for (int k = 1; k < lattice_.cubes()[2] - 1; ++k) {
        forEachPointInLayer(k, [&](size_t point) {
            // of the cuts that are too near to the point, the nearest draws it to the surface
            double nearest = 2;  // cells
            int chosen = -1;
            forEachDirection(crossings_[point], [&](int direction) {
                if (side_[lattice_.neighbour(point, direction)] == Side::On) return;  // moved: the cut is gone
                const double fraction = fractionToCut(point, direction);
                const double distance = fraction * lengthOf(direction);
                if (fraction < alphaOf(direction) && distance < nearest) {
                    nearest = distance;
                    chosen = direction;
                }
            });
            if (chosen < 0) return;
            warpDirection_[point] = static_cast<int8_t>(chosen);
            side_[point] = Side::On;
        });
    }
}

bool CutLattice::hasInnerNeighbour(size_t point) const {
    for (int direction = 0; direction < kDirections; ++direction) {
        if (side_[lattice_.neighbour(point, direction)] == Side::Inside) return true;
    }
    return false;
}

/// Every inner point is a node, followed by the cuts of its edges; a point on the surface is one if it has an inner
/// neighbour, and so a tet. In order of lattice points.
void CutLattice::numberNodes() {
    ASSERT(crossings_.size() == lattice_.pointCount());
    cuts_.assign(lattice_.pointCount(), 0);
    firstNode_.assign(lattice_.pointCount(), kInvalidIndex);
    std::vector<size_t> nodesInLayer(static_cast<size_t>(lattice_.cubes()[2]), 0);
    forEachInnerLayer([&](int k) {
        size_t count = 0;  // numbered from the layer's first for now
        forEachPointInLayer(k, [&](size_t point) {
            if (side_[point] == Side::Inside) {
                // cuts whose outer end has moved to the surface are gone
                unsigned left = 0;
                forEachDirection(crossings_[point], [&](int direction) {
                    if (side_[lattice_.neighbour(point, direction)] == Side::Outside) left |= bit(direction);
                });
                cuts_[point] = static_cast<uint16_t>(left);
                firstNode_[point] = static_cast<uint32_t>(count);
                count += 1 + static_cast<size_t>(std::popcount(left));
            } else if (side_[point] == Side::On && hasInnerNeighbour(point)) {
                firstNode_[point] = static_cast<uint32_t>(count++);
            }
        });
        nodesInLayer[static_cast<size_t>(k)] = count;
    });
    nodesBeforeLayer_ = sumsBefore(nodesInLayer);
    // now from the first of all
    forEachInnerLayer([&](int k) {
        forEachPointInLayer(k, [&](size_t point) {
            if (firstNode_[point] == kInvalidIndex) return;
            firstNode_[point] += static_cast<uint32_t>(nodesBeforeLayer_[static_cast<size_t>(k)]);
        });
    });
}

void CutLattice::countTets() {
    std::vector<size_t> tetsInLayer(static_cast<size_t>(lattice_.cubes()[2]), 0);
    forEachInnerLayer([&](int k) {
        size_t count = 0;
        forEachTetInLayer(k, [&](const TetShape&, const auto&, const Stencil& stencil) { count += stencil.count; });
        tetsInLayer[static_cast<size_t>(k)] = count;
    });
    tetsBeforeLayer_ = sumsBefore(tetsInLayer);
}

Vec3 CutLattice::nodePosition(size_t point) const {
    const Vec3 home = lattice_.position(point);
    const int direction = warpDirection_[point];
    if (direction < 0) return home;
    return home + fractionToCut(point, direction) * (lattice_.position(lattice_.neighbour(point, direction)) - home);
}

TetMesh CutLattice::mesh() const {
    // nodes: points, moved where they were drawn to the surface, and cuts
    TetMesh mesh;
    mesh.nodes.resize(nodesBeforeLayer_.back());
    mesh.tets.resize(tetsBeforeLayer_.back());
    forEachInnerLayer([&](int k) {
        forEachPointInLayer(k, [&](size_t point) {
            if (firstNode_[point] == kInvalidIndex) return;
            uint32_t next = firstNode_[point];
            mesh.nodes[static_cast<NodeIndex>(next++)] = nodePosition(point);
            forEachDirection(cuts_[point], [&](int direction) {
                const Vec3 home = lattice_.position(point);
                const Vec3 edge = lattice_.position(lattice_.neighbour(point, direction)) - home;
                mesh.nodes[static_cast<NodeIndex>(next++)] = home + fractionToCut(point, direction) * edge;
            });
        });
    });
    // tets: the stencil of each lattice tet, in which a corner or a cut is named by two of the four points
    forEachInnerLayer([&](int k) {
        size_t next = tetsBeforeLayer_[static_cast<size_t>(k)];
        forEachTetInLayer(k, [&](const TetShape& shape, const std::array<size_t, 4>& points, const Stencil& stencil) {
            for (const StencilTet& stencilTet : stencil.list()) {
                Tet& tet = mesh.tets[static_cast<TetIndex>(next++)];
                for (size_t c = 0; c < 4; ++c) {
                    const auto [from, to] = stencilTet[c];
                    const size_t point = points[from];
                    const uint32_t own = firstNode_[point];
                    const int direction = shape.direction[from][to];
                    tet[c] = static_cast<NodeIndex>(from == to ? own : own + 1 + rank(cuts_[point], direction));
                }
            }
        });
    });
    return mesh;
}

/// Whether neither a corner of the lattice tet round a point nor any neighbour of these corners is inside.
bool CutLattice::farFromTets(const Vec3& point) const {
    const Vec3 at = lattice_.coordinates(point);
    const Vec3 whole = at.array().floor();
    const Vec3 fromCentre = at - whole - Vec3::Constant(0.5);

    // towards the cube's side along the axis farthest out, then the side's edge along the next: two centres, two
    // corners
    const Vec3 out = fromCentre.cwiseAbs();
    std::array<int, 3> axis{0, 1, 2};
    std::sort(axis.begin(), axis.end(), [&](int a, int b) { return out[a] != out[b] ? out[a] > out[b] : a < b; });
    const auto up = [&](int a) { return fromCentre[a] >= 0 ? 1 : 0; };
    const size_t centre =
        2 * lattice_.cube(static_cast<int>(whole[0]), static_cast<int>(whole[1]), static_cast<int>(whole[2])) + 1;
    const int towardsSide = 2 * axis[0] + up(axis[0]);
    const int cornerBelow = kFirstShort + (up(axis[0]) << axis[0]) + (up(axis[1]) << axis[1]);
    const int cornerAbove = cornerBelow + (1 << axis[2]);

    // the four corners, and their neighbours, from which a warped tet may reach here
    const std::array<size_t, 4> corners{centre, lattice_.neighbour(centre, towardsSide),
                                        lattice_.neighbour(centre, cornerBelow),
                                        lattice_.neighbour(centre, cornerAbove)};
    const auto isInner = [&](size_t corner) { return side_[corner] == Side::Inside; };
    if (std::any_of(corners.begin(), corners.end(), isInner)) return false;
    return std::none_of(corners.begin(), corners.end(), [&](size_t corner) { return hasInnerNeighbour(corner); });
}

double CutLattice::lostVolume(const SolidField& field) const {
    const GridFrame& frame = field.grid().frame();
    const size_t lost = parallelReduce(
        static_cast<size_t>(frame.points[2]), 1, size_t{0},
        [&](const BlockRange& layer) {
            const int k = static_cast<int>(layer.begin);
            size_t count = 0;
            for (int j = 0; j < frame.points[1]; ++j) {
                for (int i = 0; i < frame.points[0]; ++i) {
                    if (field.grid().at(i, j, k) < 0 && farFromTets(frame.position(i, j, k))) ++count;
                }
            }
            return count;
        },
        [](size_t a, size_t b) { return a + b; });
    return static_cast<double>(lost) * frame.cellSize * frame.cellSize * frame.cellSize;
}

}  // namespace sunder::detail
