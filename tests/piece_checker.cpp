#include "tests/piece_checker.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <sstream>
#include <vector>

#include "geometry/tree/triangle_tree.h"

namespace sunder {

namespace {

constexpr double kOnSurface = 1e-11;  // of the solid's diagonal: how far rounding may move a corner off its triangle
constexpr double kVolumeRounding = 1e-15;  // of the cube of a piece's diagonal
constexpr double kAttribute = 1e-6;        // UVs and normals: of one triangle's range

/// Every directed edge has exactly one partner in the other direction, and the triangles around a vertex are one fan.
bool isClosed(const TriMesh& mesh) {
    std::map<std::array<uint32_t, 2>, std::array<uint32_t, 2>> sides;  // (from, to) -> triangle, corner
    std::vector<uint32_t> corners(mesh.vertexCount(), 0);
    std::vector<std::array<uint32_t, 2>> some(mesh.vertexCount());
    for (uint32_t t = 0; t < mesh.triangleCount(); ++t) {
        const Triangle& triangle = mesh.triangles[TriangleIndex{t}];
        for (uint32_t k = 0; k < 3; ++k) {
            const uint32_t a = raw(triangle[k]), b = raw(triangle[(k + 1) % 3]);
            if (a == b || !sides.insert({{a, b}, {t, k}}).second) return false;
            ++corners[a];
            some[a] = {t, k};
        }
    }
    for (const auto& [ends, side] : sides) {
        if (sides.count({ends[1], ends[0]}) == 0) return false;
    }
    for (uint32_t v = 0; v < mesh.vertexCount(); ++v) {
        if (corners[v] == 0) return false;  // unused
        std::array<uint32_t, 2> at = some[v];
        uint32_t around = 0;
        do {
            const Triangle& triangle = mesh.triangles[TriangleIndex{at[0]}];
            at = sides.at({v, raw(triangle[(at[1] + 2) % 3])});
        } while (++around <= corners[v] && at != some[v]);
        if (around != corners[v]) return false;
    }
    return true;
}

double volumeAbout(const TriMesh& mesh, const Vec3& origin) {
    long double six = 0;
    for (const Triangle& t : mesh.triangles) {
        const Vec3 a = mesh.positions[t[0]] - origin, b = mesh.positions[t[1]] - origin,
                   c = mesh.positions[t[2]] - origin;
        six += a.dot(b.cross(c));
    }
    return static_cast<double>(six / 6);
}

/// Corners of a triangle as numbers that compare, the lowest first; `turned` in the opposite direction.
using TriangleKey = std::array<double, 9>;
TriangleKey keyOf(std::array<Vec3, 3> corners, bool turned) {
    if (turned) std::swap(corners[1], corners[2]);
    const auto less = [](const Vec3& a, const Vec3& b) {
        return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
    };
    std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end(), less), corners.end());
    TriangleKey key;
    for (size_t k = 0; k < 9; ++k) key[k] = corners[k / 3][static_cast<int>(k % 3)] + 0.0;  // no negative zero
    return key;
}

class SurfaceMatcher {
public:
    explicit SurfaceMatcher(const TriMesh& solid)
        : solid_(solid), tree_(solid), slack_(kOnSurface * boundsOf(solid).diagonal()) {}

    /// Does some triangle of the solid hold this one, with the same attributes?
    bool holds(const TriMesh& piece, TriangleIndex t) const {
        const auto corners = piece.corners(t);
        Box3 place;
        place.add(Vec3((corners[0] + corners[1] + corners[2]) / 3));
        const auto candidates = tree_.overlapping(place.expanded(slack_));
        return std::any_of(candidates.begin(), candidates.end(),
                           [&](TriangleIndex s) { return holds(s, piece, t, corners); });
    }

private:
    bool holds(TriangleIndex s, const TriMesh& piece, TriangleIndex t, const std::array<Vec3, 3>& corners) const {
        const auto [a, b, c] = solid_.corners(s);
        if (!solid_.materials.empty() && piece.materials[t] != solid_.materials[s]) return false;
        if ((piece.inside.empty() ? 0 : piece.inside[t]) != (solid_.inside.empty() ? 0 : solid_.inside[s]))
            return false;
        for (size_t k = 0; k < 3; ++k) {
            const SurfacePoint point = closestPointOnTriangle(corners[k], a, b, c);
            if (point.squaredDistance > slack_ * slack_) return false;
            const Vec3& w = point.barycentric;
            if (!solid_.uvs.empty()) {
                const auto& uv = solid_.uvs[s];
                const Vec2 expected = w[0] * uv[0] + w[1] * uv[1] + w[2] * uv[2];
                const double range = (uv[1] - uv[0]).norm() + (uv[2] - uv[0]).norm();
                if ((piece.uvs[t][k] - expected).norm() > kAttribute * range + 1e-12) return false;
            }
            if (!solid_.normals.empty()) {
                const auto& n = solid_.normals[s];
                const Vec3 expected = w[0] * n[0] + w[1] * n[1] + w[2] * n[2];
                if (expected.norm() < 0.1) continue;
                if ((piece.normals[t][k] - expected.normalized()).norm() > kAttribute) return false;
            }
        }
        return true;
    }

    const TriMesh& solid_;
    TriangleTree tree_;
    double slack_;
};

std::string place(size_t piece, TriangleIndex t, const TriMesh& mesh) {
    std::ostringstream text;
    text << "piece " << piece << ", triangle " << raw(t) << " at ("
         << ((mesh.corners(t)[0] + mesh.corners(t)[1] + mesh.corners(t)[2]) / 3).transpose() << ")";
    return text.str();
}

}  // namespace

PieceReport checkPieces(const TriMesh& solid, std::span<const TriMesh> pieces) {
    PieceReport report;
    report.pieces = pieces.size();
    const auto problem = [&](const std::string& text) {
        if (report.firstProblem.empty()) report.firstProblem = text;
    };

    const Vec3 origin = boundsOf(solid).centre();
    long double volumeSum = 0;
    std::map<TriangleKey, size_t> owner;  // of each triangle
    for (size_t p = 0; p < pieces.size(); ++p) {
        if (!isClosed(pieces[p])) {
            ++report.openPieces;
            problem("piece " + std::to_string(p) + " is not closed and manifold");
        }
        const double volume = volumeAbout(pieces[p], origin);
        volumeSum += volume;
        // the sign of a needle's volume is lost in rounding
        const Box3 bounds = boundsOf(pieces[p]);
        if (!(volumeAbout(pieces[p], bounds.centre()) > -kVolumeRounding * std::pow(bounds.diagonal(), 3))) {
            ++report.inwardPieces;
            problem("piece " + std::to_string(p) + " is turned inside out");
        }
        for (const TriangleIndex t : pieces[p].triangles.indices())
            owner.insert({keyOf(pieces[p].corners(t), false), p});
    }
    const double solidVolume = volumeAbout(solid, origin);
    report.volumeError = std::abs(static_cast<double>(volumeSum) - solidVolume) / solidVolume;

    const SurfaceMatcher matcher(solid);
    long double surface = 0;
    for (size_t p = 0; p < pieces.size(); ++p) {
        for (const TriangleIndex t : pieces[p].triangles.indices()) {
            const auto twin = owner.find(keyOf(pieces[p].corners(t), true));
            if (twin != owner.end() && twin->second != p) {
                ++report.crackTriangles;
                if (pieces[p].inside.empty() || !pieces[p].inside[t]) {
                    ++report.crackNotInside;
                    problem(place(p, t, pieces[p]) + " is a crack but not inside");
                }
                continue;
            }
            const double area = 0.5 * pieces[p].areaVector(t).norm();
            surface += area;
            if (!matcher.holds(pieces[p], t)) {
                ++report.strayTriangles;
                problem(place(p, t, pieces[p]) + " is neither a crack nor a part of the surface with its attributes");
            }
        }
    }
    report.areaError = std::abs(static_cast<double>(surface) - surfaceArea(solid)) / surfaceArea(solid);
    return report;
}

std::string describe(const PieceReport& report) {
    std::ostringstream text;
    text << report.pieces << " pieces, " << report.openPieces << " open, " << report.inwardPieces << " inward, "
         << report.crackTriangles << " crack triangles (" << report.crackNotInside << " not inside), "
         << report.strayTriangles << " stray, volume error " << report.volumeError << ", area error "
         << report.areaError;
    if (!report.firstProblem.empty()) text << "; first: " << report.firstProblem;
    return text.str();
}

}  // namespace sunder
