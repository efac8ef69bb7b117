#include "fracture/fem/crack_pieces.h"

#include <algorithm>
#include <map>
#include <memory>

#include "base/parallel.h"
#include "fracture/noise.h"
#include "geometry/cut/cut_by_cells.h"
#include "geometry/cut/lattice_walls.h"
#include "geometry/tet/embedding.h"
#include "geometry/tree/triangle_tree.h"

namespace sunder::fracture {

namespace {

/// The copies that each tet of the uncut mesh has come to.
struct CopiesOfTets {
    std::vector<uint32_t> first;  // copies of tet t: copies[first[t] .. first[t + 1])
    std::vector<TetIndex> copies;

    CopiesOfTets(const CrackedTets& tets, size_t wholeCount) : first(wholeCount + 1, 0) {
        for (const TetIndex whole : tets.wholeTet) ++first[raw(whole) + 1];
        for (size_t t = 0; t < wholeCount; ++t) first[t + 1] += first[t];
        copies.resize(tets.wholeTet.size());
        std::vector<uint32_t> next = first;
        for (const TetIndex copy : tets.wholeTet.indices()) copies[next[raw(tets.wholeTet[copy])]++] = copy;
    }
    std::span<const TetIndex> of(size_t whole) const {
        return std::span(copies).subspan(first[whole], first[whole + 1] - first[whole]);
    }
};

/// Corners in a tet's barycentric coordinates.
using Outline = std::vector<Vec4>;

/// Where a cut is 0 in the tet, in order around it; empty when it does not pass through.
Outline outlineOf(const TetCut& cut) {
    std::vector<int> above, below;
    for (int i = 0; i < 4; ++i) (cut[i] > 0 ? above : below).push_back(i);
    const auto crossing = [&](int a, int b) -> Vec4 {
        return (cut[a] * Vec4::Unit(b) - cut[b] * Vec4::Unit(a)) / (cut[a] - cut[b]);
    };
    if (above.empty() || below.empty()) return {};
    if (above.size() == 2)
        return {crossing(above[0], below[0]), crossing(above[0], below[1]), crossing(above[1], below[1]),
                crossing(above[1], below[0])};
    const std::vector<int>&one = above.size() == 1 ? above : below, &three = above.size() == 1 ? below : above;
    return {crossing(one[0], three[0]), crossing(one[0], three[1]), crossing(one[0], three[2])};
}

Outline clipped(const Outline& outline, const TetCut& cut) {
    Outline kept;
    for (size_t i = 0; i < outline.size(); ++i) {
        const Vec4 &a = outline[i], &b = outline[(i + 1) % outline.size()];
        const double atA = cut.dot(a), atB = cut.dot(b);
        if (atA > 0) kept.push_back(a);
        if ((atA > 0) != (atB > 0)) kept.push_back((atA * b - atB * a) / (atA - atB));
    }
    return kept;
}

/// The face between two copies of one tet: empty when they do not meet.
Outline outlineBetween(const std::vector<TetCut>& first, const std::vector<TetCut>& second) {
    const size_t common = std::min(first.size(), second.size());
    size_t differs = 0;
    while (differs < common && first[differs] == second[differs]) ++differs;
    if (differs == common || first[differs] != -second[differs]) return {};
    Outline outline = outlineOf(first[differs]);
    for (size_t k = 0; k < first.size() && !outline.empty(); ++k) {
        if (k != differs) outline = clipped(outline, first[k]);
    }
    for (size_t k = differs + 1; k < second.size() && !outline.empty(); ++k) outline = clipped(outline, second[k]);
    return outline;
}

/// Which way the first of two copies lies of a face between them: the gradient of the cut it is on the positive side
/// of.
Vec3 towardsFirst(const TetMesh& mesh, TetIndex t, const TetCut& cut) {
    const auto corner = mesh.corners(t);
    Mat3 edges;
    Vec3 rise;
    for (int k = 0; k < 3; ++k) {
        edges.row(k) = corner[static_cast<size_t>(k) + 1] - corner[0];
        rise[k] = cut[k + 1] - cut[0];
    }
    return edges.inverse() * rise;
}

/// All faces between each two components, and how far from them a point is.
class WallSheets {
public:
    WallSheets(const std::vector<CrackFace>& faces, const Vec3& unit) {
        for (const CrackFace& face : faces) {
            TriMesh& mesh = sheets_[{face.first, face.second}].mesh;
            const auto start = static_cast<uint32_t>(mesh.positions.size());
            for (const Vec3& p : face.outline) mesh.positions.push_back(p.cwiseProduct(unit));
            for (uint32_t i = 2; i < face.outline.size(); ++i) {
                mesh.triangles.push_back({VertexIndex{start}, VertexIndex{start + i - 1}, VertexIndex{start + i}});
            }
        }
        for (auto& [pair, sheet] : sheets_) sheet.tree = std::make_unique<TriangleTree>(sheet.mesh);
    }

    /// Negative on the side of `a`; 0 when the two do not touch.
    double difference(const Vec3& point, uint32_t a, uint32_t b) const {
        const auto found = sheets_.find({std::min(a, b), std::max(a, b)});
        if (found == sheets_.end()) return 0;
        const SurfacePoint nearest = found->second.tree->closestPoint(point);
        const Vec3 normal = found->second.mesh.areaVector(nearest.triangle).normalized();
        const double towardsHigher = normal.dot(point - nearest.point);
        return a < b ? towardsHigher : -towardsHigher;
    }

private:
    struct Sheet {
        TriMesh mesh;  // a soup: normals from the lower component to the higher
        std::unique_ptr<TriangleTree> tree;
    };
    std::map<std::pair<uint32_t, uint32_t>, Sheet> sheets_;
};

/// The component at a point, found in the copies of the tet that holds it or is the nearest.
class ComponentFinder {
public:
    ComponentFinder(const TetMesh& whole, const CrackedTets& tets, const TetComponents& components)
        : tets_(tets), components_(components), locator_(whole), copies_(tets, whole.tetCount()) {}

    uint32_t at(const Vec3& point) const {
        const TetPoint in = locator_.locate(point);
        const auto copies = copies_.of(raw(in.tet));
        if (copies.size() == 1) return components_.of[copies[0]];
        Vec4 weights = in.weights.cwiseMax(0.0);
        weights /= weights.sum();
        TetIndex best = copies[0];
        double most = -std::numeric_limits<double>::infinity();
        for (const TetIndex copy : copies) {
            double least = std::numeric_limits<double>::infinity();
            for (const TetCut& cut : tets_.cuts[copy]) least = std::min(least, cut.dot(weights));
            if (least > most) {
                most = least;
                best = copy;
            }
        }
        return components_.of[best];
    }

private:
    const CrackedTets& tets_;
    const TetComponents& components_;
    TetLocator locator_;
    CopiesOfTets copies_;
};

/// Labels of all points within reach of the solid.
std::vector<uint32_t> labelsOn(const DistanceGrid& grid, const Vec3& unit, const ComponentFinder& finder) {
    const GridFrame& frame = grid.frame();
    std::vector<uint32_t> labels(frame.pointCount(), 0);
    const double band = (kLabelBand + 1) * frame.cellSize;
    const auto layer = static_cast<size_t>(frame.points[0]) * static_cast<size_t>(frame.points[1]);
    parallelFor(static_cast<size_t>(frame.points[2]), 1, [&](const BlockRange& block) {
        for (size_t n = block.begin * layer; n < block.end * layer; ++n) {
            if (grid.values()[n] > band) continue;
            const auto i = static_cast<int>(n % static_cast<size_t>(frame.points[0]));
            const auto j = static_cast<int>(n / static_cast<size_t>(frame.points[0])) % frame.points[1];
            const auto k = static_cast<int>(n / layer);
            labels[n] = finder.at(frame.position(i, j, k).cwiseQuotient(unit));
        }
    });
    return labels;
}

/// Two octaves.
double roughnessAt(const Vec3& point, const CrackRoughness& roughness) {
    const Vec3 place = point / roughness.length;
    return roughness.height *
           (vectorNoise(place, roughness.seed).x() + 0.5 * vectorNoise(2 * place, roughness.seed).y());
}

}  // namespace

Vec3 areaOf(const std::vector<Vec3>& outline) {
    Vec3 sum = Vec3::Zero();
    for (size_t i = 2; i < outline.size(); ++i) sum += (outline[i - 1] - outline[0]).cross(outline[i] - outline[0]);
    return 0.5 * sum;
}

std::vector<CrackFace> crackFaces(const CrackedTets& tets, const TetComponents& components, CrackKind kind) {
    size_t wholeCount = 0;
    for (const TetIndex whole : tets.wholeTet) wholeCount = std::max<size_t>(wholeCount, raw(whole) + 1);
    const CopiesOfTets all(tets, wholeCount);
    std::vector<CrackFace> faces;
    for (size_t whole = 0; whole < wholeCount; ++whole) {
        const auto copies = all.of(whole);
        for (size_t i = 0; i < copies.size(); ++i) {
            for (size_t j = i + 1; j < copies.size(); ++j) {
                const uint32_t a = components.of[copies[i]], b = components.of[copies[j]];
                if ((a == b) != (kind == CrackKind::Partial)) continue;
                const auto &first = tets.cuts[copies[i]], &second = tets.cuts[copies[j]];
                const Outline outline = outlineBetween(first, second);
                if (outline.size() < 3) continue;
                CrackFace face{std::min(a, b), std::max(a, b), {}};
                const auto corner = tets.mesh.corners(copies[i]);
                for (const Vec4& w : outline) {
                    face.outline.push_back(w[0] * corner[0] + w[1] * corner[1] + w[2] * corner[2] + w[3] * corner[3]);
                }
                const Vec3 area = areaOf(face.outline);
                if (!(area.norm() > 0)) continue;
                size_t differs = 0;
                while (first[differs] == second[differs]) ++differs;
                const Vec3 toFirst = towardsFirst(tets.mesh, copies[i], first[differs]);
                const bool pointsToFirst = area.dot(toFirst) > 0;
                if (pointsToFirst == (a <= b)) std::reverse(face.outline.begin(), face.outline.end());
                faces.push_back(std::move(face));
            }
        }
    }
    return faces;
}

std::vector<CutPiece> crackPieces(const TriMesh& solid, const DistanceGrid& grid, const TetMesh& whole,
                                  const CrackedTets& tets, const Vec3& unit, const CrackRoughness& roughness) {
    const TetComponents components = componentsOf(tets);
    const WallSheets sheets(crackFaces(tets, components, CrackKind::Through), unit);
    const ComponentFinder finder(whole, tets, components);
    const std::vector<uint32_t> labels = labelsOn(grid, unit, finder);
    LatticeRegions regions;
    regions.solid = &grid;
    regions.labels = labels;
    regions.count = components.count;
    regions.difference = [&](const Vec3& point, uint32_t a, uint32_t b) {
        const double plain = sheets.difference(point, a, b);
        if (roughness.height == 0 || plain == 0) return plain;
        const double bump = roughnessAt(point.cwiseQuotient(unit), roughness);
        return plain + (a < b ? bump : -bump);
    };
    return cutByWalls(solid, latticeWalls(regions));
}

}  // namespace sunder::fracture
