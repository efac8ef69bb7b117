#include "io/exports/ready_pieces.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/assert.h"
#include "geometry/convex/convex_hull.h"
#include "geometry/mesh/box_uvs.h"
#include "io/exports/simplified.h"
#include "io/files/escaped.h"
#include "io/files/file_access.h"
#include "io/files/source.h"
#include "io/mesh/material_sides.h"
#include "io/mesh/writable.h"
#include "schema/json.h"
#include "schema/json_text.h"

namespace sunder {

namespace {

using schema::Json;
using schema::toJson;

constexpr size_t kHullCorners = 32;      // what game engines recommend at most
constexpr size_t kFewestTriangles = 12;  // a piece keeps as many, whatever the budget

/// Gives crack faces a material of their own, as OBJ and PLY need it; those files know no sides.
void nameSides(TriMesh& mesh, const std::string& usual) {
    if (mesh.materials.empty()) {
        mesh.materialNames = {usual};
        mesh.materials.assign(mesh.triangleCount(), 0);
    }
    // both sides of all materials, so that all pieces of a body have the same table
    const uint32_t count = materialCount(mesh);
    std::vector<std::string> names;
    for (uint32_t m = 0; m < count; ++m) names.push_back(withoutInside(materialName(mesh, m)));
    for (uint32_t m = 0; m < count; ++m) names.push_back(insideNameOf(names[m]));
    mesh.materialNames = std::move(names);
    if (mesh.inside.empty()) return;
    for (const TriangleIndex t : mesh.triangles.indices()) {
        if (mesh.inside[t] != 0) mesh.materials[t] += count;
    }
}

Vec3 pivotOf(Pivot pivot, const TriMesh& mesh, const Vec3& centre) {
    switch (pivot) {
        case Pivot::Body:
            return Vec3::Zero();
        case Pivot::Mass:
            return centre;
        case Pivot::Base:
            break;
    }
    const Box3 box = boundsOf(mesh);
    return {box.centre().x(), box.min.y(), box.centre().z()};
}

/// The corners that are farthest out in the 26 directions of a cube's faces, edges and corners.
std::vector<Vec3> outermost(std::span<const Vec3> points) {
    std::vector<Vec3> chosen;
    for (int x = -1; x <= 1; ++x) {
        for (int y = -1; y <= 1; ++y) {
            for (int z = -1; z <= 1; ++z) {
                const Vec3 direction(x, y, z);
                if (direction.isZero()) continue;
                chosen.push_back(*std::max_element(points.begin(), points.end(), [&](const Vec3& a, const Vec3& b) {
                    return a.dot(direction) < b.dot(direction);
                }));
            }
        }
    }
    return chosen;
}

/// How far a point is outside of a convex mesh, m; 0 inside.
double outsideBy(const Vec3& point, const TriMesh& hull) {
    double most = 0;
    for (const TriangleIndex t : hull.triangles.indices()) {
        const Vec3 area = hull.areaVector(t);
        const double length = area.norm();
        if (length > 0) most = std::max(most, area.dot(point - hull.positions[hull.triangles[t][0]]) / length);
    }
    return most;
}

std::string fileOf(const ReadyPiece& piece, MeshFormat format) {
    return fmt::format("{}.{}", piece.surface.name, nameOf(format));
}

/// What stands at the pivot goes to the origin, for formats that know no places.
NamedMesh aboutPivot(NamedMesh object) {
    for (Vec3& p : object.mesh.positions) p -= object.pivot;
    object.pivot = Vec3::Zero();
    return object;
}

std::vector<NamedMesh> objectsOf(const ReadyPiece& piece) {
    std::vector<NamedMesh> objects{piece.surface};
    if (piece.hull) objects.push_back(*piece.hull);
    return objects;
}

}  // namespace

TriMesh collisionHull(const TriMesh& mesh, size_t mostCorners) {
    ASSERT(mostCorners >= 4);
    // the whole hull has all the corners there are to choose from
    const std::vector<Vec3> points(mesh.positions.begin(), mesh.positions.end());
    const ConvexHull whole = convexHull(points);
    if (whole.dimension < 3) return {};
    if (whole.indices.size() <= mostCorners) return whole.mesh;
    const std::vector<Vec3> corners(whole.mesh.positions.begin(), whole.mesh.positions.end());
    // the outermost, then again and again the one that is missed most
    std::vector<Vec3> chosen = outermost(corners);
    ConvexHull hull = convexHull(chosen);
    const double least = 1e-6 * boundsOf(whole.mesh).diagonal();
    while (hull.dimension == 3 && hull.indices.size() < mostCorners) {
        const auto missed = std::max_element(corners.begin(), corners.end(), [&](const Vec3& a, const Vec3& b) {
            return outsideBy(a, hull.mesh) < outsideBy(b, hull.mesh);
        });
        if (!(outsideBy(*missed, hull.mesh) > least)) break;  // what is left is rounding
        chosen.push_back(*missed);
        hull = convexHull(chosen);
    }
    return hull.dimension == 3 ? hull.mesh : whole.mesh;
}

std::vector<ReadyPiece> readyPieces(const fracture::FracturePlan& plan, const Vec3& middle,
                                    const ReadyOptions& options) {
    // a budget is shared by how many triangles pieces have
    size_t all = 0;
    for (const fracture::Fragment& fragment : plan.fragments) all += fragment.seen().triangleCount();
    const double share =
        options.maxTriangles && all > 0 ? static_cast<double>(*options.maxTriangles) / static_cast<double>(all) : 1;

    const size_t digits = std::max<size_t>(2, std::to_string(plan.fragments.size() - 1).size());
    std::vector<ReadyPiece> pieces;
    for (const fracture::Fragment& fragment : plan.fragments) {
        ReadyPiece piece;
        piece.volume = fragment.geometry->volume();
        piece.mass = fragment.mass;
        const Vec3 shift = options.exploded * (fragment.geometry->mass().centre - middle);
        piece.centre = fragment.geometry->mass().centre + shift;

        // the surface: as exact as the budget allows, with all that programs ask for
        TriMesh mesh = fragment.seen();
        for (Vec3& p : mesh.positions) p += shift;
        if (mesh.normals.empty()) computeNormals(mesh, kCreaseAngle);
        addBoxUvs(mesh);
        nameSides(mesh, options.material.empty() ? options.source : options.material);
        const auto most = static_cast<size_t>(share * static_cast<double>(mesh.triangleCount()));
        if (share < 1) mesh = simplified(mesh, std::max(most, kFewestTriangles));

        piece.surface.name = fmt::format("{}_p{:0{}}", options.source, pieces.size(), digits);
        piece.surface.pivot = pivotOf(options.pivot, mesh, piece.centre);
        piece.surface.numbers = {{"mass", piece.mass}, {"volume", piece.volume}};
        if (options.hulls) {
            if (TriMesh hull = collisionHull(mesh, kHullCorners); !hull.empty())
                piece.hull = {"UCX_" + piece.surface.name, std::move(hull), piece.surface.pivot};
        }
        piece.surface.mesh = std::move(mesh);
        pieces.push_back(std::move(piece));
    }
    return pieces;
}

void writePieces(const std::vector<ReadyPiece>& pieces, const std::filesystem::path& file) {
    std::vector<NamedMesh> objects;
    for (const ReadyPiece& piece : pieces) {
        for (NamedMesh& object : objectsOf(piece)) objects.push_back(std::move(object));
    }
    writeMeshes(objects, file);
}

void writePieceFolder(const std::vector<ReadyPiece>& pieces, const std::filesystem::path& folder, MeshFormat format) {
    const bool hasPlaces = format == MeshFormat::Glb || format == MeshFormat::Gltf;
    std::string csv = "name,file,volume,mass,cx,cy,cz,px,py,pz\n";
    Json list = Json::array();
    for (const ReadyPiece& piece : pieces) {
        std::vector<NamedMesh> objects;
        for (NamedMesh& object : objectsOf(piece))
            objects.push_back(hasPlaces ? std::move(object) : aboutPivot(std::move(object)));
        const std::string file = fileOf(piece, format);
        writeMeshes(objects, folder / file);
        // where the piece was cut out
        const Vec3 &centre = piece.centre, &pivot = piece.surface.pivot;
        csv += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", forCsv(piece.surface.name), forCsv(file), piece.volume,
                           piece.mass, centre.x(), centre.y(), centre.z(), pivot.x(), pivot.y(), pivot.z());
        list.push_back({{"name", utf8FromAny(piece.surface.name)},
                        {"file", utf8FromAny(file)},
                        {"volume", piece.volume},
                        {"mass", piece.mass},
                        {"centre", toJson(centre)},
                        {"pivot", toJson(pivot)}});
    }
    writeFileAtomically(folder / "pieces.csv", csv);
    writeFileAtomically(folder / "pieces.json",
                        schema::printedJson(Json{{"units", "m, kg"}, {"up", "Y"}, {"pieces", list}}) + "\n");
}

}  // namespace sunder
