#include "geometry/cut/join_pieces.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>

#include "base/assert.h"
#include "base/disjoint_sets.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/mesh/topology.h"
#include "geometry/repair/split_nonmanifold.h"
#include "geometry/tree/bvh.h"

namespace sunder {

namespace {

bool comesBefore(const Vec3& a, const Vec3& b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}

/// Corners of a triangle, bit for bit, that of the lowest position first; those of its twin in another piece come in
/// the opposite order.
using TriangleKey = std::array<double, 9>;

struct OrderedTriangle {
    TriangleKey key;
    Triangle vertices;  // in the same order
};

enum class Direction { AsIs, Turned };
OrderedTriangle ordered(const TriMesh& mesh, TriangleIndex t, Direction direction) {
    Triangle vertices = mesh.triangles[t];
    if (direction == Direction::Turned) std::swap(vertices[1], vertices[2]);
    const auto lowest = std::min_element(vertices.begin(), vertices.end(), [&](VertexIndex a, VertexIndex b) {
        return comesBefore(mesh.positions[a], mesh.positions[b]);
    });
    std::rotate(vertices.begin(), lowest, vertices.end());
    OrderedTriangle result{{}, vertices};
    for (size_t k = 0; k < 9; ++k) result.key[k] = mesh.positions[vertices[k / 3]][static_cast<int>(k % 3)];
    return result;
}

/// A crack face seen by both its pieces.
struct SharedFace {
    TriangleIndex crumbTriangle{}, otherTriangle{};
    Triangle crumbVertices{}, otherVertices{};  // at the same places
    double area = 0;                            // m^2
};

using CrackFaces = std::map<TriangleKey, std::pair<TriangleIndex, Triangle>>;

CrackFaces crackFacesOf(const TriMesh& crumb) {
    CrackFaces faces;
    for (const TriangleIndex t : crumb.triangles.indices()) {
        if (crumb.inside.empty() || crumb.inside[t] == 0) continue;
        const OrderedTriangle face = ordered(crumb, t, Direction::Turned);
        faces.insert({face.key, {t, face.vertices}});
    }
    return faces;
}

std::vector<SharedFace> sharedWith(const CrackFaces& crumb, const Box3& bounds, const TriMesh& other) {
    std::vector<SharedFace> shared;
    for (const TriangleIndex t : other.triangles.indices()) {
        if (other.inside.empty() || other.inside[t] == 0) continue;
        if (!bounds.contains(other.positions[other.triangles[t][0]])) continue;
        const OrderedTriangle face = ordered(other, t, Direction::AsIs);
        const auto twin = crumb.find(face.key);
        if (twin == crumb.end()) continue;
        const auto& [triangle, vertices] = twin->second;
        shared.push_back({triangle, t, vertices, face.vertices, 0.5 * other.areaVector(t).norm()});
    }
    return shared;
}

double areaOf(const std::vector<SharedFace>& faces) {
    double sum = 0;
    for (const SharedFace& face : faces) sum += face.area;
    return sum;
}

/// One mesh of both, without the faces between them. None when they also touch along an edge whose ends both lie on
/// these faces: two edges between the same two vertices are no surface of a solid.
std::optional<TriMesh> joined(const TriMesh& piece, const TriMesh& crumb, const std::vector<SharedFace>& shared) {
    // what either side has of the shared faces is the same vertex and no triangle
    TriMesh mesh = piece;
    append(mesh, crumb);
    const auto firstVertex = static_cast<uint32_t>(piece.vertexCount());
    const auto firstTriangle = static_cast<uint32_t>(piece.triangleCount());
    DisjointSets together(mesh.vertexCount());
    ASSERT(!shared.empty());
    std::vector<uint8_t> gone(mesh.triangleCount(), 0);
    for (const SharedFace& face : shared) {
        gone[raw(face.otherTriangle)] = gone[firstTriangle + raw(face.crumbTriangle)] = 1;
        for (size_t k = 0; k < 3; ++k)
            together.join(raw(face.otherVertices[k]), firstVertex + raw(face.crumbVertices[k]));
    }
    // the rest, on the vertices that stay
    std::vector<TriangleIndex> kept;
    for (const TriangleIndex t : mesh.triangles.indices()) {
        for (VertexIndex& v : mesh.triangles[t]) v = static_cast<VertexIndex>(together.root(raw(v)));
        if (!gone[raw(t)]) kept.push_back(t);
    }
    mesh = subset(mesh, kept);
    // along lines where they only touch they stay apart
    if (isClosedManifold(mesh)) return mesh;
    splitNonManifold(mesh);
    return isClosedManifold(mesh) ? std::optional(std::move(mesh)) : std::nullopt;
}

struct Neighbour {
    size_t piece = 0;
    double area = 0;  // m^2
    std::vector<SharedFace> faces;
};

/// All pieces, and which of them have become parts of others.
class Joiner {
public:
    explicit Joiner(std::vector<CutPiece> pieces) : pieces_(std::move(pieces)), gone_(pieces_.size(), 0) {
        for (const CutPiece& piece : pieces_) {
            volumes_.push_back(volume(piece.mesh));
            bounds_.push_back(boundsOf(piece.mesh));
        }
        around_.resize(pieces_.size());
        const Bvh tree(bounds_);
        for (const auto& [a, b] : tree.overlappingPairs(tree)) {
            if (a != b) around_[a].push_back(b);
        }
    }

    void joinCrumbs(const CrumbLimits& limits) {
        std::vector<size_t> order(pieces_.size());
        std::iota(order.begin(), order.end(), size_t{0});
        std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return volumes_[a] < volumes_[b]; });
        for (const size_t piece : order) {
            if (!maybeCrumb(piece, limits)) continue;
            const std::vector<Neighbour> neighbours = neighboursOf(piece);
            if (neighbours.empty() || !isCrumbBeside(piece, neighbours.front().piece, limits)) continue;
            for (const Neighbour& home : neighbours) {
                if (join(piece, home)) break;
            }
        }
    }

    std::vector<CutPiece> kept() && {
        std::vector<CutPiece> result;
        for (size_t i = 0; i < pieces_.size(); ++i) {
            if (!gone_[i]) result.push_back(std::move(pieces_[i]));
        }
        return result;
    }

private:
    bool isCrumbBeside(size_t piece, size_t other, const CrumbLimits& limits) const {
        return volumes_[piece] < std::max(limits.volume, limits.share * volumes_[other]);
    }
    bool maybeCrumb(size_t piece, const CrumbLimits& limits) const {
        return std::any_of(around_[piece].begin(), around_[piece].end(),
                           [&](uint32_t other) { return !gone_[other] && isCrumbBeside(piece, other, limits); });
    }

    /// Those it shares crack faces with, the one with the largest first.
    std::vector<Neighbour> neighboursOf(size_t piece) const {
        const CrackFaces faces = crackFacesOf(pieces_[piece].mesh);
        std::vector<Neighbour> found;
        for (const uint32_t other : around_[piece]) {
            if (gone_[other]) continue;
            std::vector<SharedFace> shared = sharedWith(faces, bounds_[piece], pieces_[other].mesh);
            if (shared.empty()) continue;
            const double area = areaOf(shared);
            found.push_back({other, area, std::move(shared)});
        }
        std::stable_sort(found.begin(), found.end(),
                         [](const Neighbour& a, const Neighbour& b) { return a.area > b.area; });
        return found;
    }

    bool join(size_t crumb, const Neighbour& home) {
        std::optional<TriMesh> both = joined(pieces_[home.piece].mesh, pieces_[crumb].mesh, home.faces);
        if (!both) return false;
        pieces_[home.piece].mesh = std::move(*both);
        volumes_[home.piece] += volumes_[crumb];
        bounds_[home.piece].add(bounds_[crumb]);
        gone_[crumb] = 1;
        // what was near the crumb is near its home now
        for (const uint32_t other : around_[crumb]) {
            if (other == home.piece) continue;
            around_[home.piece].push_back(other);
            around_[other].push_back(static_cast<uint32_t>(home.piece));
        }
        for (const uint32_t changed : around_[crumb]) unique(around_[changed]);
        unique(around_[home.piece]);
        return true;
    }

    static void unique(std::vector<uint32_t>& numbers) {
        std::sort(numbers.begin(), numbers.end());
        numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    }

    std::vector<CutPiece> pieces_;
    std::vector<uint8_t> gone_;
    std::vector<double> volumes_;  // m^3
    std::vector<Box3> bounds_;
    std::vector<std::vector<uint32_t>> around_;  // pieces whose boxes overlap
};

}  // namespace

std::vector<CutPiece> withoutCrumbs(std::vector<CutPiece> pieces, const CrumbLimits& limits) {
    Joiner joiner(std::move(pieces));
    joiner.joinCrumbs(limits);
    return std::move(joiner).kept();
}

}  // namespace sunder
