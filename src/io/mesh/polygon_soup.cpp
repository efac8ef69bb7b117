#include "io/mesh/polygon_soup.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "geometry/mesh/triangulate.h"

namespace sunder {

namespace {

/// With all attributes that the soup has, so that their lists stay as long as that of triangles.
void addTriangle(TriMesh& mesh, const PolygonSoup& soup, size_t face, const std::array<FaceCorner, 3>& corners) {
    Triangle triangle;
    ASSERT(corners[0].position < mesh.positions.size() && corners[1].position < mesh.positions.size() &&
           corners[2].position < mesh.positions.size());
    for (size_t k = 0; k < 3; ++k) triangle[k] = static_cast<VertexIndex>(corners[k].position);
    const TriangleIndex t = mesh.triangles.push_back(triangle);
    // corners without an attribute get a harmless one, because others have it
    if (!soup.uvs.empty()) {
        std::array<Vec2, 3> uvs;
        for (size_t k = 0; k < 3; ++k) {
            ASSERT(corners[k].uv == kNoAttribute || corners[k].uv < soup.uvs.size());
            uvs[k] = corners[k].uv == kNoAttribute ? Vec2(0, 0) : soup.uvs[corners[k].uv];
        }
        mesh.uvs.push_back(uvs);
    }
    if (!soup.normals.empty()) {
        std::array<Vec3, 3> normals;
        for (size_t k = 0; k < 3; ++k) {
            ASSERT(corners[k].normal == kNoAttribute || corners[k].normal < soup.normals.size());
            // a missing or useless normal becomes that of the triangle; one without area gets any
            Vec3 n =
                corners[k].normal == kNoAttribute ? Vec3(Vec3::Zero()) : unitOrZero(soup.normals[corners[k].normal]);
            if (n.isZero(0)) n = unitOrZero(mesh.areaVector(t));
            normals[k] = n.isZero(0) ? Vec3(0, 0, 1) : n;
        }
        mesh.normals.push_back(normals);
    }
    // attributes of the face go to each of its triangles
    if (!soup.faceMaterial.empty()) mesh.materials.push_back(soup.faceMaterial[face]);
    if (!soup.faceInside.empty()) mesh.inside.push_back(soup.faceInside[face]);
}

}  // namespace

Vec3 unitOrZero(const Vec3& v) {
    const double largest = v.cwiseAbs().maxCoeff();
    if (!(largest > 0) || !v.allFinite()) return Vec3::Zero();
    const Vec3 scaled = v / largest;  // so that squares neither overflow nor vanish
    return scaled.allFinite() ? Vec3(scaled / scaled.norm()) : Vec3(Vec3::Zero());
}

TriMesh triangulated(PolygonSoup&& soup) {
    TriMesh mesh;
    mesh.positions = std::move(soup.positions);
    mesh.materialNames = std::move(soup.materialNames);
    // attributes that nothing has are left out altogether
    const bool anyUv =
        std::any_of(soup.corners.begin(), soup.corners.end(), [](const FaceCorner& c) { return c.uv != kNoAttribute; });
    const bool anyNormal = std::any_of(soup.corners.begin(), soup.corners.end(),
                                       [](const FaceCorner& c) { return c.normal != kNoAttribute; });
    if (!anyUv) soup.uvs.clear();
    if (!anyNormal) soup.normals.clear();
    if (std::all_of(soup.faceInside.begin(), soup.faceInside.end(), [](uint8_t f) { return f == 0; })) {
        soup.faceInside.clear();
    }

    // a triangle stays as it is, other polygons are cut by their outline
    const size_t triangleCount = soup.corners.size() - 2 * soup.faceCount();
    mesh.triangles.reserve(triangleCount);
    if (anyUv) mesh.uvs.reserve(triangleCount);
    if (anyNormal) mesh.normals.reserve(triangleCount);
    std::vector<Vec3> outline;
    for (size_t face = 0; face < soup.faceCount(); ++face) {
        const std::span<const FaceCorner> corners =
            std::span(soup.corners).subspan(soup.faceStart[face], soup.cornerCount(face));
        ASSERT(corners.size() >= 3);
        if (corners.size() == 3) {
            addTriangle(mesh, soup, face, {corners[0], corners[1], corners[2]});
            continue;
        }
        outline.clear();
        for (const FaceCorner& c : corners) outline.push_back(mesh.positions[static_cast<VertexIndex>(c.position)]);
        for (const PolygonTriangle& t : triangulatePolygon(outline)) {
            addTriangle(mesh, soup, face, {corners[t[0]], corners[t[1]], corners[t[2]]});
        }
    }
    return mesh;
}

}  // namespace sunder
