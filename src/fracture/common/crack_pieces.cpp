#include "fracture/common/crack_pieces.h"

#include <algorithm>
#include <map>
#include <memory>

#include "base/assert.h"
#include "base/parallel.h"
#include "fracture/common/crack_faces.h"
#include "fracture/common/noise.h"
#include "geometry/cut/cut_by_cells.h"
#include "geometry/cut/lattice_walls.h"
#include "geometry/tet/embedding.h"
#include "geometry/tree/triangle_tree.h"

namespace sunder::fracture {

namespace {

/// All faces between each two components, and how far from them a point is.
class WallSheets {
public:
    WallSheets(const std::vector<CrackFace>& faces, const Vec3& stretch) {
        for (const CrackFace& face : faces) {
            TriMesh& mesh = sheets_[{face.first, face.second}].mesh;
            const auto start = static_cast<uint32_t>(mesh.positions.size());
            for (const Vec3& p : face.outline) mesh.positions.push_back(p.cwiseProduct(stretch));
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
        ASSERT(in.tet != kNone<TetIndex>);
        const auto copies = copies_.of(in.tet);
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
std::vector<uint32_t> labelsOn(const DistanceGrid& grid, const Vec3& stretch, const ComponentFinder& finder) {
    const GridFrame& frame = grid.frame();
    std::vector<uint32_t> labels(frame.pointCount(), 0);
    ASSERT(grid.values().size() == frame.pointCount());
    const double band = (kLabelBand + 1) * frame.cellSize;
    const auto layer = static_cast<size_t>(frame.points[0]) * static_cast<size_t>(frame.points[1]);
    parallelFor(static_cast<size_t>(frame.points[2]), 1, [&](const BlockRange& block) {
        for (size_t n = block.begin * layer; n < block.end * layer; ++n) {
            if (grid.values()[n] > band) continue;
            const auto i = static_cast<int>(n % static_cast<size_t>(frame.points[0]));
            const auto j = static_cast<int>(n / static_cast<size_t>(frame.points[0])) % frame.points[1];
            const auto k = static_cast<int>(n / layer);
            labels[n] = finder.at(frame.position(i, j, k).cwiseQuotient(stretch));
        }
    });
    return labels;
}

}  // namespace

double roughnessAt(const Vec3& point, const CrackRoughness& roughness) {
    if (roughness.height == 0) return 0;
    const Vec3 place = point / roughness.length;
    return roughness.height *
           (vectorNoise(place, roughness.seed).x() + 0.5 * vectorNoise(2 * place, roughness.seed).y());
}

std::vector<CutPiece> crackPieces(const TriMesh& solid, const DistanceGrid& grid, const TetMesh& whole,
                                  const CrackedTets& tets, const Vec3& stretch, const CrackRoughness& roughness) {
    const TetComponents components = componentsOf(tets);
    const WallSheets sheets(crackFaces(tets, components, CrackKind::Through), stretch);
    const ComponentFinder finder(whole, tets, components);
    const std::vector<uint32_t> labels = labelsOn(grid, stretch, finder);
    LatticeRegions regions;
    regions.solid = &grid;
    regions.labels = labels;
    regions.count = components.count;
    regions.difference = [&](const Vec3& point, uint32_t a, uint32_t b) {
        const double plain = sheets.difference(point, a, b);
        if (roughness.height == 0 || plain == 0) return plain;
        const double bump = roughnessAt(point.cwiseQuotient(stretch), roughness);
        return plain + (a < b ? bump : -bump);
    };
    return cutByWalls(solid, latticeWalls(regions));
}

}  // namespace sunder::fracture
