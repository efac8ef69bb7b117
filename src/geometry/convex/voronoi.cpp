#include "geometry/convex/voronoi.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/assert.h"
#include "base/parallel.h"
#include "geometry/convex/detail/exact_cell.h"
#include "geometry/convex/detail/site_tree.h"

namespace sunder {

namespace {

using detail::ExactCell;
using detail::Generator;
using detail::PlaneSystem;

constexpr double kMergeTolerance = 1e-12;  // of the container's diagonal
constexpr size_t kCellsPerBlock = 64;
constexpr size_t kSitesBeforeWalls = 24;

/// The input brought to a size near 1 by a power of two, so that nothing overflows, and its bits below 2^-160 dropped,
/// so that nothing vanishes.
struct Normalised {
    int exponent = 0;
    detail::SiteTree tree;                // sites, numbered anew: all of the work uses these numbers
    std::vector<Plane> walls;             // of the container, then those that only close the first box
    std::array<Generator, 6> firstBox{};  // walls to start every cell from
    double mergeDistance = 0;

    std::span<const Vec3> sites() const { return tree.points(); }
};

double withoutFinestBits(double x) {
    constexpr double kAllBitsAbove = 0x1p-107, kFinest = 0x1p-160;
    return std::abs(x) >= kAllBitsAbove ? x : std::nearbyint(x / kFinest) * kFinest;
}

/// The container's own walls where they lie across an axis, helpers well outside it otherwise.
void chooseFirstBox(Normalised& input, const Box3& bounds) {
    const auto firstWall = static_cast<Generator>(input.sites().size());
    const size_t ownWalls = input.walls.size();
    const Vec3 middle = bounds.centre(), reach = Vec3::Constant(bounds.diagonal());
    // the six sides of the box that each cell starts from
    for (size_t direction = 0; direction < 6; ++direction) {
        const int axis = static_cast<int>(direction / 2);
        const double sign = direction % 2 ? 1 : -1;
        // a wall of the container that faces this way, and no other
        const auto faces = [&](const Plane& wall) {
            return sign * wall.normal[axis] > 0 && wall.normal[(axis + 1) % 3] == 0 && wall.normal[(axis + 2) % 3] == 0;
        };
        const auto own =
            std::find_if(input.walls.begin(), input.walls.begin() + static_cast<std::ptrdiff_t>(ownWalls), faces);
        // else a helper as far beyond the container as it is large
        size_t wall = static_cast<size_t>(own - input.walls.begin());
        if (wall == ownWalls) {
            wall = input.walls.size();
            input.walls.push_back({sign * Vec3::Unit(axis), sign * middle[axis] + reach[axis]});
        }
        input.firstBox[direction] = firstWall + static_cast<Generator>(wall);
    }
}

Normalised normalised(std::span<const Vec3> sites, const ConvexPolytope& container) {
    int exponent = 0;
    double largest = 0;
    for (const Vec3& p : container.vertices) largest = std::max(largest, p.cwiseAbs().maxCoeff());
    for (const Vec3& p : sites) largest = std::max(largest, p.cwiseAbs().maxCoeff());
    if (largest > 0) std::frexp(largest, &exponent);
    const auto scaled = [&](double x) { return withoutFinestBits(std::ldexp(x, -exponent)); };

    std::vector<Vec3> scaledSites;
    scaledSites.reserve(sites.size());
    for (const Vec3& p : sites) scaledSites.push_back(p.unaryExpr(scaled));
    Normalised result{exponent, detail::SiteTree(scaledSites), {}, {}, 0};
    Box3 bounds;
    for (const Vec3& p : container.vertices) bounds.add(Vec3(p.unaryExpr(scaled)));
    for (const auto& face : container.faces) result.walls.push_back({face.surface.normal, scaled(face.surface.offset)});
    chooseFirstBox(result, bounds);
    result.mergeDistance = kMergeTolerance * bounds.diagonal();
    return result;
}

/// Four generators, ascending: they name a vertex, whichever cell speaks of it.
using VertexName = std::array<Generator, 4>;

VertexName nameOf(Generator site, const std::array<Generator, 3>& planes) {
    VertexName name{site, planes[0], planes[1], planes[2]};
    std::sort(name.begin(), name.end());
    return name;
}

/// Cells of one block of work, one after the other.
struct CellBlock {
    struct Cell {
        uint32_t firstName, nameCount, firstFace, faceCount, firstCorner;
    };
    std::vector<Cell> cells;
    std::vector<VertexName> names;
    std::vector<ExactCell::Face> faces;  // corners counted from the cell's first
    std::vector<uint32_t> corners;       // vertices of the cell
};

/// A site farther than twice the cell's radius cannot reach it.
void cutCell(ExactCell& cell, const Normalised& input, const PlaneSystem& system, detail::SiteWalk& walk,
             Generator site) {
    cell.reset(site, input.firstBox);
    walk.start(site);
    // of the walls, those that the cell reaches
    const auto cutByWalls = [&] {
        for (size_t w = 0; w < input.walls.size() && !cell.empty(); ++w) {
            const auto wall = static_cast<Generator>(input.sites().size() + w);
            if (std::find(input.firstBox.begin(), input.firstBox.end(), wall) != input.firstBox.end()) continue;
            const detail::PlaneRow row = system.row(site, wall);
            const double nearest = row.offset - detail::kRowError * row.offsetSize;
            if (nearest > 0 && nearest * nearest > cell.squaredRadius() * row.normal.squaredNorm()) continue;
            cell.cut(wall);
        }
    };

    // the nearest sites first, so that few walls are in reach; then walls, so that few sites are
    size_t tried = 0;
    bool wallsDone = false;
    // sites come in the order of their distance, until none can reach the cell any more
    while (!cell.empty()) {
        const auto group = walk.next(4 * cell.squaredRadius());
        for (const detail::SiteWalk::Candidate& candidate : group) {
            if (cell.empty()) break;
            if (candidate.point == site || candidate.squaredDistance > 4 * cell.squaredRadius()) continue;
            cell.cut(candidate.point);
            ++tried;
        }
        if (!wallsDone && (group.empty() || tried > kSitesBeforeWalls)) {
            cutByWalls();
            wallsDone = true;
        } else if (group.empty()) {
            break;
        }
    }
}

void record(ExactCell& cell, Generator site, ExactCell::Faces& faces, CellBlock& block) {
    CellBlock::Cell entry{static_cast<uint32_t>(block.names.size()), static_cast<uint32_t>(cell.vertexCount()),
                          static_cast<uint32_t>(block.faces.size()), 0, static_cast<uint32_t>(block.corners.size())};
    if (!cell.empty()) {
        cell.collectFaces(faces);
        entry.faceCount = static_cast<uint32_t>(faces.faces.size());
        for (size_t v = 0; v < cell.vertexCount(); ++v) block.names.push_back(nameOf(site, cell.planesOf(v)));
        block.faces.insert(block.faces.end(), faces.faces.begin(), faces.faces.end());
        block.corners.insert(block.corners.end(), faces.corners.begin(), faces.corners.end());
    }
    block.cells.push_back(entry);
}

struct Cells {
    std::vector<CellBlock> blocks;

    const CellBlock& block(Generator site) const { return blocks[site / kCellsPerBlock]; }
    const CellBlock::Cell& cell(Generator site) const { return block(site).cells[site % kCellsPerBlock]; }
    std::span<const VertexName> names(Generator site) const {
        return std::span(block(site).names).subspan(cell(site).firstName, cell(site).nameCount);
    }
};

Cells cutAllCells(const Normalised& input, const PlaneSystem& system) {
    const size_t count = system.siteCount();
    Cells result;
    result.blocks.resize((count + kCellsPerBlock - 1) / kCellsPerBlock);
    parallelFor(count, kCellsPerBlock, [&](const BlockRange& range) {
        ExactCell cell(system);
        ExactCell::Faces faces;
        detail::SiteWalk walk(input.tree);
        for (size_t i = range.begin; i < range.end; ++i) {
            const auto site = static_cast<Generator>(i);
            cutCell(cell, input, system, walk, site);
            record(cell, site, faces, result.blocks[range.index]);
        }
    });
    return result;
}

/// Vertices are owned by their lowest site and numbered by owner, then name.
struct Vertices {
    std::vector<uint32_t> firstOwned;  // per site, and one past the last
    std::vector<VertexName> names;
    std::vector<Vec3> positions;

    uint32_t find(const VertexName& name) const {
        const auto begin = names.begin() + firstOwned[name[0]], end = names.begin() + firstOwned[name[0] + 1];
        return static_cast<uint32_t>(std::lower_bound(begin, end, name) - names.begin());
    }
};

Vertices numberVertices(const Cells& cells, const PlaneSystem& system) {
    // each vertex belongs to the first of its four planes: it is stored once, with that site
    Vertices result;
    const size_t count = system.siteCount();
    result.firstOwned.assign(count + 1, 0);
    for (Generator site = 0; site < count; ++site) {
        const auto names = cells.names(site);
        result.firstOwned[site + 1] =
            result.firstOwned[site] + static_cast<uint32_t>(std::count_if(names.begin(), names.end(),
                                                                          [&](const auto& n) { return n[0] == site; }));
    }
    // places from the name alone, so all cells around a vertex have the same bits
    result.names.resize(result.firstOwned.back());
    result.positions.resize(result.names.size());
    parallelFor(count, kCellsPerBlock, [&](const BlockRange& range) {
        for (size_t s = range.begin; s < range.end; ++s) {
            const auto site = static_cast<Generator>(s);
            const auto first = result.names.begin() + result.firstOwned[s];
            const auto names = cells.names(site);
            const auto last =
                std::copy_if(names.begin(), names.end(), first, [&](const auto& n) { return n[0] == site; });
            std::sort(first, last);
            for (uint32_t v = result.firstOwned[s]; v < result.firstOwned[s + 1]; ++v) {
                const VertexName& name = result.names[v];
                result.positions[v] = system.position(name[0], {name[1], name[2], name[3]});
            }
        }
    });
    return result;
}

/// Ends of edges too short to keep.
std::vector<std::array<uint32_t, 2>> shortEdges(const Vertices& vertices, std::span<const uint32_t> corners,
                                                std::span<const VoronoiDiagram::Face> faces, double shortest) {
    using Edges = std::vector<std::array<uint32_t, 2>>;
    // blocks in order: the same list for any number of threads
    return parallelReduce(
        faces.size(), 4096, Edges(),
        [&](const BlockRange& range) {
            Edges found;
            for (size_t f = range.begin; f < range.end; ++f) {
                const auto loop = corners.subspan(faces[f].firstCorner, faces[f].cornerCount);
                for (size_t i = 0; i < loop.size(); ++i) {
                    const uint32_t a = loop[i], b = loop[(i + 1) % loop.size()];
                    if (a > b) continue;  // the neighbouring face on the edge has it the other way round
                    const double squared = (vertices.positions[a] - vertices.positions[b]).squaredNorm();
                    if (squared <= shortest * shortest) found.push_back({a, b});
                }
            }
            return found;
        },
        [](Edges all, Edges more) {
            all.insert(all.end(), more.begin(), more.end());
            return all;
        });
}

/// Joins the ends; each vertex gets the number of the one that stands for all: on the most walls, then the lowest.
std::vector<uint32_t> joined(const Vertices& vertices, const std::vector<std::array<uint32_t, 2>>& edges,
                             size_t siteCount) {
    // a forest over the vertices, the root stands for all
    std::vector<uint32_t> parent(vertices.names.size());
    std::iota(parent.begin(), parent.end(), 0u);
    const auto root = [&](uint32_t v) {
        while (parent[v] != v) v = parent[v] = parent[parent[v]];
        return v;
    };
    // a vertex on walls must not be pulled inside
    const auto wallsAt = [&](uint32_t v) {
        const VertexName& name = vertices.names[v];
        return std::count_if(name.begin(), name.end(), [&](Generator g) { return g >= siteCount; });
    };
    for (const auto& [a, b] : edges) {
        uint32_t keep = root(a), drop = root(b);
        if (keep == drop) continue;
        const auto keepWalls = wallsAt(keep), dropWalls = wallsAt(drop);
        if (dropWalls > keepWalls || (dropWalls == keepWalls && drop < keep)) std::swap(keep, drop);
        parent[drop] = keep;
    }
    // each vertex knows its root
    for (uint32_t v = 0; v < parent.size(); ++v) parent[v] = root(v);
    return parent;
}

}  // namespace

namespace detail {

/// Fills a diagram's arrays, stage by stage.
struct DiagramParts {
    std::vector<Vec3>& vertices;
    std::vector<uint32_t>& firstFace;
    std::vector<VoronoiDiagram::Face>& faces;
    std::vector<uint32_t>& corners;
};

}  // namespace detail

namespace {

using detail::DiagramParts;

/// Faces of all cells in the caller's order, corners as numbers of `vertices`, the lowest first.
void layOutFaces(const Cells& cells, const Vertices& vertices, const PlaneSystem& system,
                 std::span<const uint32_t> callersNumbers, DiagramParts& parts) {
    // how much room the cells want: they are laid out in the caller's order
    const size_t count = system.siteCount();
    parts.firstFace.assign(count + 1, 0);
    std::vector<uint32_t> firstCorner(count + 1, 0);
    for (Generator site = 0; site < count; ++site) {
        const uint32_t place = callersNumbers[site];
        parts.firstFace[place + 1] = cells.cell(site).faceCount;
        firstCorner[place + 1] = 3 * cells.cell(site).nameCount;  // three corners per vertex
    }
    std::partial_sum(parts.firstFace.begin(), parts.firstFace.end(), parts.firstFace.begin());
    std::partial_sum(firstCorner.begin(), firstCorner.end(), firstCorner.begin());
    parts.faces.resize(parts.firstFace.back());
    parts.corners.resize(firstCorner.back());
    // each cell fills its own part
    parallelFor(count, kCellsPerBlock, [&](const BlockRange& range) {
        std::vector<uint32_t> numbers;
        for (size_t s = range.begin; s < range.end; ++s) {
            const auto site = static_cast<Generator>(s);
            const uint32_t place = callersNumbers[s];
            const CellBlock& block = cells.block(site);
            const CellBlock::Cell& cell = cells.cell(site);
            numbers.clear();
            for (const VertexName& name : cells.names(site)) numbers.push_back(vertices.find(name));
            uint32_t corner = firstCorner[place];
            for (uint32_t f = 0; f < cell.faceCount; ++f) {
                const ExactCell::Face& from = block.faces[cell.firstFace + f];
                VoronoiDiagram::Face& to = parts.faces[parts.firstFace[place] + f];
                // neighbours by the caller's numbers
                if (system.isSite(from.plane)) {
                    to.neighbour = SiteIndex{callersNumbers[from.plane]};
                } else {
                    to.wall = from.plane - static_cast<uint32_t>(count);
                }
                to.firstCorner = corner;
                to.cornerCount = from.cornerCount;
                for (uint32_t i = 0; i < from.cornerCount; ++i) {
                    parts.corners[corner++] = numbers[block.corners[cell.firstCorner + from.firstCorner + i]];
                }
                // a loop begins with its lowest vertex, and faces are sorted: nothing tells how the cell was cut
                const auto begin = parts.corners.begin() + to.firstCorner;
                std::rotate(begin, std::min_element(begin, begin + to.cornerCount), begin + to.cornerCount);
            }
            std::sort(parts.faces.begin() + parts.firstFace[place], parts.faces.begin() + parts.firstFace[place + 1],
                      [](const auto& a, const auto& b) {
                          return std::pair(raw(a.neighbour), a.wall) < std::pair(raw(b.neighbour), b.wall);
                      });
        }
    });
}

/// Rewrites every loop, leaving out vertices mapped to none and repetitions; faces with fewer than three corners go.
void rewriteLoops(const std::vector<uint32_t>& newVertex, DiagramParts& parts) {
    // the loops anew, cell by cell
    std::vector<VoronoiDiagram::Face> faces;
    std::vector<uint32_t> corners, firstFace{0}, loop;
    for (size_t site = 0; site + 1 < parts.firstFace.size(); ++site) {
        for (uint32_t f = parts.firstFace[site]; f < parts.firstFace[site + 1]; ++f) {
            VoronoiDiagram::Face face = parts.faces[f];
            loop.clear();
            for (uint32_t i = 0; i < face.cornerCount; ++i) {
                const uint32_t v = newVertex[parts.corners[face.firstCorner + i]];
                if (v != kInvalidIndex && (loop.empty() || loop.back() != v)) loop.push_back(v);
            }
            while (loop.size() > 1 && loop.front() == loop.back()) loop.pop_back();
            // what merging left of a face may be an edge or a point
            if (loop.size() < 3) continue;
            face.firstCorner = static_cast<uint32_t>(corners.size());
            face.cornerCount = static_cast<uint32_t>(loop.size());
            std::rotate(loop.begin(), std::min_element(loop.begin(), loop.end()), loop.end());
            corners.insert(corners.end(), loop.begin(), loop.end());
            faces.push_back(face);
        }
        firstFace.push_back(static_cast<uint32_t>(faces.size()));
    }
    parts.faces = std::move(faces);
    parts.corners = std::move(corners);
    parts.firstFace = std::move(firstFace);
}

/// Marks vertices at which three faces of some cell meet. The others lie in the middle of an edge: where four sites are
/// nearly on a circle, the strip between two of them that has just been contracted ended there.
std::vector<uint8_t> cornersOfCells(const DiagramParts& parts, size_t vertexCount) {
    std::vector<uint8_t> isCorner(vertexCount, 0);
    std::vector<uint32_t> around;
    for (size_t site = 0; site + 1 < parts.firstFace.size(); ++site) {
        around.clear();
        for (uint32_t f = parts.firstFace[site]; f < parts.firstFace[site + 1]; ++f) {
            const auto begin = parts.corners.begin() + parts.faces[f].firstCorner;
            around.insert(around.end(), begin, begin + parts.faces[f].cornerCount);
        }
        std::sort(around.begin(), around.end());
        for (size_t i = 2; i < around.size(); ++i) {
            if (around[i] == around[i - 2]) isCorner[around[i]] = 1;
        }
    }
    return isCorner;
}

/// Contracts joined vertices, and numbers those still in use anew, in order.
void contract(std::vector<uint32_t> joinedTo, const Vertices& vertices, DiagramParts& parts) {
    rewriteLoops(joinedTo, parts);
    const std::vector<uint8_t> isCorner = cornersOfCells(parts, vertices.names.size());
    for (uint32_t v = 0; v < isCorner.size(); ++v) {
        joinedTo[v] = kInvalidIndex;
        if (!isCorner[v]) continue;
        joinedTo[v] = static_cast<uint32_t>(parts.vertices.size());
        parts.vertices.push_back(vertices.positions[v]);
    }
    rewriteLoops(joinedTo, parts);
}

}  // namespace

VoronoiDiagram voronoi(std::span<const Vec3> sites, const ConvexPolytope& container) {
    VoronoiDiagram result;
    result.sites_.assign(sites.begin(), sites.end());
    for (const auto& face : container.faces) result.walls_.push_back(face.surface);
    result.firstFace_.assign(sites.size() + 1, 0);
    if (sites.empty() || container.empty()) return result;

    // sites and walls scaled to the unit cube by a power of two
    const Normalised input = normalised(sites, container);
    const PlaneSystem system(input.sites(), input.walls);
    const Cells cells = cutAllCells(input, system);
    // the same vertex of several cells gets one number
    Vertices vertices = numberVertices(cells, system);
    DiagramParts parts{result.vertices_, result.firstFace_, result.faces_, result.corners_};
    layOutFaces(cells, vertices, system, input.tree.oldNumbers(), parts);
    // edges that rounding can turn over are contracted
    const auto edges = shortEdges(vertices, result.corners_, result.faces_, input.mergeDistance);
    if (edges.empty()) {
        result.vertices_ = std::move(vertices.positions);
    } else {
        contract(joined(vertices, edges, sites.size()), vertices, parts);
    }
    // back to the caller's size
    for (Vec3& p : result.vertices_) {
        for (double& x : p) x = std::ldexp(x, input.exponent);
    }
    return result;
}

VoronoiDiagram voronoi(std::span<const Vec3> sites, const Box3& container) {
    return voronoi(sites, container.empty() ? ConvexPolytope() : polytopeOf(container));
}

ConvexPolytope VoronoiDiagram::cell(SiteIndex site) const {
    ASSERT(raw(site) < sites_.size());
    ConvexPolytope result;
    // the vertices that its faces use, ascending
    std::vector<uint32_t> used;
    for (const Face& face : faces(site)) {
        const auto around = loop(face);
        used.insert(used.end(), around.begin(), around.end());
    }
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    for (const uint32_t v : used) result.vertices.push_back(vertices_[v]);
    // the faces, with numbers of these vertices and the plane each lies in
    for (const Face& face : faces(site)) {
        ConvexPolytope::Face made{kInvalidIndex, static_cast<uint32_t>(result.corners.size()), face.cornerCount, {}};
        if (face.neighbour != kNone<SiteIndex>) {
            const Vec3 &mine = sites_[raw(site)], &theirs = sites_[raw(face.neighbour)];
            made.plane = raw(face.neighbour);
            made.surface = Plane::through(0.5 * (mine + theirs), (theirs - mine).normalized());
        } else {
            made.plane = kFirstWall + face.wall;
            made.surface = walls_[face.wall];
        }
        for (const uint32_t v : loop(face)) {
            result.corners.push_back(
                static_cast<uint32_t>(std::lower_bound(used.begin(), used.end(), v) - used.begin()));
        }
        result.faces.push_back(made);
    }
    return result;
}

double VoronoiDiagram::volume(SiteIndex site) const {
    const auto all = faces(site);
    if (all.empty()) return 0;
    const Vec3 reference = vertices_[loop(all.front())[0]];
    double sixVolume = 0;
    for (const Face& face : all) {
        const auto around = loop(face);
        const Vec3 a = vertices_[around[0]] - reference;
        for (size_t i = 1; i + 1 < around.size(); ++i) {
            const Vec3 b = vertices_[around[i]] - reference, c = vertices_[around[i + 1]] - reference;
            sixVolume += a.dot(b.cross(c));
        }
    }
    return sixVolume / 6;
}

}  // namespace sunder
