#include "fracture/prescored/detail/placed_regions.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/assert.h"
#include "base/parallel.h"
#include "base/random.h"
#include "fracture/prescored/detail/crumbs.h"
#include "fracture/prescored/detail/patterns.h"
#include "fracture/prescored/detail/portable.h"
#include "fracture/prescored/detail/site_patterns.h"
#include "geometry/cut/lattice_walls.h"

namespace sunder::fracture {

namespace {

constexpr double kWaveCells = 5;       // the shortest wave that a grid can show
constexpr double kStep = 1.189207115;  // between two scales: the fourth root of two
constexpr size_t kMostSites = 60'000;  // of a scored space: labels are 16 bits

std::vector<Vec3> pointsInPattern(const PreparedSolid& body, int pieces, const PlacedRegions& placed) {
    std::vector<Vec3> points = thinned(body.samples.points, 256 + 24 * static_cast<size_t>(pieces));
    for (Vec3& p : points) p = placed.inPattern(p);
    return points;
}

/// Those that get more than a crumb of the body when it breaks into this many.
size_t regionsInUse(const CurvedRegions& regions, const std::vector<Vec3>& points, int pieces) {
    ASSERT(pieces > 0);
    const double least = kLeastShareOfMean * static_cast<double>(points.size()) / pieces;
    std::vector<uint32_t> owned(regionCount(regions), 0);
    for (const uint32_t label : regionsAt(regions, points)) ++owned[label];
    return static_cast<size_t>(std::count_if(owned.begin(), owned.end(), [&](uint32_t n) { return n > least; }));
}

/// Tries candidates 0, 1, ... until they have far too many regions; the first with the nearest number.
template <class Make>
CurvedRegions nearestNumber(int pieces, int candidates, const std::vector<Vec3>& points, const Make& make) {
    CurvedRegions best;
    size_t smallestMiss = std::numeric_limits<size_t>::max();
    for (int n = 0; n < candidates; ++n) {
        CurvedRegions regions = make(n);
        const size_t wanted = static_cast<size_t>(pieces), count = regionsInUse(regions, points, pieces);
        const size_t miss = count > wanted ? count - wanted : wanted - count;
        if (miss < smallestMiss) {
            smallestMiss = miss;
            best = std::move(regions);
        } else if (count > 2 * wanted + 8) {
            break;
        }
    }
    return best;
}

/// How large a piece is far from the centre, when pieces are spaced like this: sum of dV / size^3 = pieces.
double pieceSizeFor(const InteriorSamples& body, int pieces, const WarpedSites& sites, const Vec3& centre) {
    ASSERT(pieces > 0);
    double sum = 0;
    for (const Vec3& p : body.points) {
        const double relative =
            1 - sites.concentration + sites.concentration * std::min(1.0, (p - centre).norm() / sites.farthest);
        sum += 1 / (relative * relative * relative);
    }
    return body.spacing * cubeRoot(sum / pieces);
}

WarpedSites realisticRegions(const PreparedSolid& body, const PrescoredOptions& options, const ImpactPlace& place,
                             const RigidTransform& patternFromBody, uint64_t seed) {
    WarpedSites regions;
    regions.concentration = options.pattern.concentration;
    regions.roughness = options.pattern.roughness;
    regions.shortestWave = kWaveCells * body.grid.frame().cellSize;
    regions.seed = mixSeed(seed, 3);
    double farthest = 0;
    for (const Vec3& p : body.samples.points) farthest = std::max(farthest, (p - place.point).norm());
    regions.farthest = std::max(farthest, body.samples.spacing);
    regions.pieceSize = pieceSizeFor(body.samples, options.pieces, regions, place.point);
    std::vector<Vec3> sites = concentratedSites(body.samples, options.pieces, place.point, regions.concentration, seed);
    // a site is where the warp takes the place that was chosen for it, so that its region is there
    for (Vec3& site : sites) site = regions.warped(patternFromBody * site);
    regions.setSites(std::move(sites));
    return regions;
}

struct ArtistBox {
    MeshRegions regions;  // middle set, scale not
    Vec3 half = Vec3::Ones();
};

ArtistBox artistBox(const PrescoredOptions& options, const AssetsInUse& in) {
    ASSERT(options.pattern.meshes != nullptr);
    Box3 box;
    for (const TriMesh& mesh : *options.pattern.meshes) box.add(boundsOf(mesh));
    ArtistBox artist;
    artist.regions.grids = in.assets.gridsOf(*options.pattern.meshes, std::max(48, options.cells), in.store);
    // a cell more than the mesh's own: between lattice points the distance is not exact
    for (size_t m = 0; m < options.pattern.meshes->size(); ++m) {
        const double cell = (*artist.regions.grids)[m].frame().cellSize;
        artist.regions.boxes.push_back(boundsOf((*options.pattern.meshes)[m]).expanded(cell));
    }
    artist.regions.middle = box.centre();
    artist.half = (0.5 * box.size()).cwiseMax(1e-9 * box.diagonal());
    return artist;
}

double enclosingScale(const std::vector<Vec3>& points, const Vec3& half) {
    double scale = std::numeric_limits<double>::min();
    for (const Vec3& p : points) scale = std::max(scale, p.cwiseAbs().cwiseQuotient(half).maxCoeff());
    return scale;
}

/// From twice the enclosing scale, where few regions are in the body, down to a quarter of it.
CurvedRegions artistRegions(const PrescoredOptions& options, const std::vector<Vec3>& points, const AssetsInUse& in) {
    const ArtistBox artist = artistBox(options, in);
    double scale = 4 * enclosingScale(points, artist.half) * kStep;
    std::vector<double> scales;
    for (int n = 0; n < 20; ++n) scales.push_back(scale /= kStep);
    return nearestNumber(options.pieces, static_cast<int>(scales.size()), points, [&](int n) {
        MeshRegions regions = artist.regions;
        regions.scale = scales[static_cast<size_t>(n)];
        return CurvedRegions(regions);
    });
}

/// Space scored for all bodies: a cube of `half` cells around the centre, with 16 * 2^(level / 4) sites or more.
WarpedSites scoredSites(const PrescoredOptions& options, int half, int level) {
    WarpedSites regions;
    regions.concentration = options.pattern.concentration;
    regions.roughness = options.pattern.roughness;
    regions.shortestWave = kWaveCells;
    regions.farthest = half;
    regions.seed = mixSeed(options.patternSeed, 4 + static_cast<uint64_t>(level));

    // the level's number of sites, denser in the middle: a place is kept as often as its pieces are small
    double wanted = 16;
    for (int l = 0; l < level; ++l) wanted *= kStep;
    const auto count = std::min(kMostSites, static_cast<size_t>(wanted));
    Random random(options.patternSeed, static_cast<uint64_t>(level));
    std::vector<Vec3> sites;
    const double least = 1 - regions.concentration;
    while (sites.size() < count) {
        const Vec3 p(random.uniform(-half, half), random.uniform(-half, half), random.uniform(-half, half));
        const double relative = least + regions.concentration * std::min(1.0, p.norm() / half);
        const double share = least / relative;
        if (random.uniform() < share * share * share) sites.push_back(p);
    }

    // waves go by the size of a piece far from the centre
    regions.pieceSize = 2 * half * cubeRoot(1.0 / static_cast<double>(count));
    regions.setSites(std::move(sites));
    return regions;
}

ContentHash nameOf(const CurvedRegions& regions, int half) {
    ContentHasher hasher(0x2001);
    hasher.add(static_cast<uint64_t>(half));

    // all that a label depends on: two spaces of one name are the same
    if (const auto* warped = std::get_if<WarpedSites>(&regions)) {
        for (const double d :
             {warped->pieceSize, warped->concentration, warped->farthest, warped->roughness, warped->shortestWave}) {
            hasher.add(d);
        }
        hasher.add(warped->seed);
        for (const Vec3& site : warped->sites) hasher.add(site);
    } else {
        // meshes by their distances: that is what regions are told from
        const auto& meshes = std::get<MeshRegions>(regions);
        hasher.add(meshes.scale);
        hasher.add(meshes.middle);
        for (const DistanceGrid& grid : *meshes.grids) {
            hasher.add(grid.frame().origin);
            for (const float v : grid.values()) hasher.add(v);
        }
    }
    return hasher.value();
}

/// Calls body(index, i, j, k) for the grid points whose label may matter.
template <class Body>
void forPointsOf(const DistanceGrid& grid, const Body& body) {
    const GridFrame& frame = grid.frame();
    const float band = static_cast<float>(kLabelBand * frame.cellSize);
    const auto rows = static_cast<size_t>(frame.points[1]) * static_cast<size_t>(frame.points[2]);
    parallelFor(rows, 16, [&](const BlockRange& block) {
        for (size_t row = block.begin; row < block.end; ++row) {
            const auto j = static_cast<int>(row % static_cast<size_t>(frame.points[1]));
            const auto k = static_cast<int>(row / static_cast<size_t>(frame.points[1]));
            for (int i = 0; i < frame.points[0]; ++i) {
                if (grid.at(i, j, k) < band) body(frame.index(i, j, k), i, j, k);
            }
        }
    });
}

}  // namespace

CurvedRegions realisticExact(const ExactWish& wish) {
    return realisticRegions(wish.body, wish.options, wish.place, wish.placed.patternFromBody, wish.seed);
}
CurvedRegions realisticFast(const FastWish& wish) {
    return nearestNumber(wish.options.pieces, 48, wish.points,
                         [&](int level) { return CurvedRegions(scoredSites(wish.options, wish.half, level)); });
}
CurvedRegions artistExact(const ExactWish& wish) { return artistRegions(wish.options, wish.points(), wish.in); }
CurvedRegions artistFast(const FastWish& wish) { return artistRegions(wish.options, wish.points, wish.in); }

std::vector<Vec3> ExactWish::points() const { return pointsInPattern(body, options.pieces, placed); }

double PlacedRegions::difference(uint32_t a, uint32_t b, const Vec3& pointInBody) const {
    return unit * std::visit([&](const auto& r) { return r.difference(a, b, inPattern(pointInBody)); }, regions);
}

PlacedRegions placeExactly(const PreparedSolid& body, const PrescoredOptions& options, const ImpactPlace& place,
                           uint64_t seed, const AssetsInUse& in) {
    PlacedRegions placed;
    placed.patternFromBody = bodyFromPattern(place, seed).inverse();
    placed.regions = options.pattern.kind->exact({body, options, place, placed, seed, in});
    const GridFrame& frame = body.grid.frame();
    placed.labels.assign(frame.pointCount(), 0);
    std::visit(
        [&](const auto& regions) {
            forPointsOf(body.grid, [&](size_t index, int i, int j, int k) {
                placed.labels[index] = regions.regionAt(placed.inPattern(frame.position(i, j, k)));
            });
        },
        placed.regions);
    return placed;
}

PlacedRegions placeFast(const PreparedSolid& body, const PrescoredOptions& options, const ImpactPlace& place,
                        const AssetsInUse& in) {
    const GridFrame& frame = body.grid.frame();
    const double cell = frame.cellSize;
    ASSERT(cell > 0);
    // frames are aligned: points lie on multiples of the cell, so that the rounded impact is one
    const auto rounded = [&](const Vec3& p) -> Int3 {
        const auto whole = [&](int axis) { return static_cast<int>(std::floor(p[axis] / cell + 0.5)); };
        return {whole(0), whole(1), whole(2)};
    };
    const Int3 origin = rounded(frame.origin), impact = rounded(place.point);
    PlacedRegions placed;
    placed.unit = cell;
    placed.patternFromBody.translation = -cell * Vec3(impact[0], impact[1], impact[2]);
    // a body struck at one end reaches as far as it is long; bodies of about one length share a space
    const int longest = *std::max_element(frame.points.begin(), frame.points.end());
    const int half = (longest + 15) / 16 * 16;
    // of the spaces for this length, the one with the nearest number of pieces
    const std::vector<Vec3> points = pointsInPattern(body, options.pieces, placed);
    placed.regions = options.pattern.kind->fast({options, half, points, in});
    const auto space = in.assets.score(placed.regions, half, nameOf(placed.regions, half), in.store);

    // labels are looked up, counted in cells from the impact
    placed.labels.assign(frame.pointCount(), 0);
    forPointsOf(body.grid, [&](size_t index, int i, int j, int k) {
        placed.labels[index] =
            space->at(origin[0] + i - impact[0], origin[1] + j - impact[1], origin[2] + k - impact[2]);
    });
    return placed;
}

}  // namespace sunder::fracture
