#include "geometry/mesh/tri_mesh.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "geometry/mesh/topology.h"

namespace sunder {

namespace {

/// Both sides' entries one after the other; a side without any gets `neutral` for each of its triangles. Nothing if
/// both have none.
template <class T>
void appendOptional(IndexedVector<TriangleIndex, T>& mine, size_t myCount,
                    const IndexedVector<TriangleIndex, T>& theirs, size_t theirCount, const T& neutral) {
    if (mine.empty() && theirs.empty()) return;
    if (mine.empty()) mine.resize(myCount, neutral);
    if (theirs.empty()) {
        mine.resize(myCount + theirCount, neutral);
    } else {
        mine.items().insert(mine.end(), theirs.begin(), theirs.end());
    }
}

template <class T>
void chooseOptional(IndexedVector<TriangleIndex, T>& to, const IndexedVector<TriangleIndex, T>& from,
                    const std::vector<TriangleIndex>& chosen) {
    if (from.empty()) return;
    to.reserve(chosen.size());
    for (const TriangleIndex t : chosen) to.push_back(from[t]);
}

std::array<Vec3, 3> faceNormals(const TriMesh& mesh, TriangleIndex t) {
    const Vec3 n = mesh.areaVector(t);
    const double length = n.norm();
    const Vec3 unit = length > 0 ? Vec3(n / length) : Vec3(0, 0, 1);
    return {unit, unit, unit};
}

/// Interior angle at a corner; 0 for degenerate corners.
double cornerAngle(const TriMesh& mesh, TriangleIndex t, size_t corner) {
    const auto p = mesh.corners(t);
    const Vec3 u = p[(corner + 1) % 3] - p[corner], v = p[(corner + 2) % 3] - p[corner];
    const double sine = u.cross(v).norm(), cosine = u.dot(v);
    return sine == 0 && cosine == 0 ? 0 : std::atan2(sine, cosine);
}

}  // namespace

Box3 boundsOf(const TriMesh& mesh) {
    Box3 box;
    for (const Triangle& triangle : mesh.triangles) {
        for (const VertexIndex v : triangle) box.add(mesh.positions[v]);
    }
    return box;
}

double surfaceArea(const TriMesh& mesh) {
    double twice = 0;
    for (const TriangleIndex t : mesh.triangles.indices()) twice += mesh.areaVector(t).norm();
    return 0.5 * twice;
}

TriMesh transformed(const TriMesh& mesh, const RigidTransform& newFromOld) {
    TriMesh result = mesh;
    for (Vec3& p : result.positions) p = newFromOld * p;
    for (auto& corner : result.normals) {
        for (Vec3& n : corner) n = newFromOld.rotation * n;
    }
    return result;
}

TriMesh scaled(const TriMesh& mesh, double factor) {
    ASSERT(factor > 0);
    TriMesh result = mesh;
    for (Vec3& p : result.positions) p *= factor;
    return result;
}

void append(TriMesh& mesh, const TriMesh& other) {
    ASSERT(&mesh != &other);
    const size_t myCount = mesh.triangleCount(), theirCount = other.triangleCount();
    const uint32_t firstVertex = static_cast<uint32_t>(mesh.vertexCount());
    const uint32_t firstMaterial = static_cast<uint32_t>(mesh.materialNames.size());

    // without uvs all corners are at one place of the picture; without marks all is original surface
    appendOptional(mesh.uvs, myCount, other.uvs, theirCount, {Vec2(0, 0), Vec2(0, 0), Vec2(0, 0)});
    appendOptional(mesh.inside, myCount, other.inside, theirCount, uint8_t{0});

    // normals: the neutral value is the face's own
    if (!mesh.normals.empty() || !other.normals.empty()) {
        if (mesh.normals.empty()) {
            for (const TriangleIndex t : mesh.triangles.indices()) mesh.normals.push_back(faceNormals(mesh, t));
        }
        for (const TriangleIndex t : other.triangles.indices()) {
            mesh.normals.push_back(other.normals.empty() ? faceNormals(other, t) : other.normals[t]);
        }
    }

    // materials: names are joined, equal ones shared
    if (!mesh.materials.empty() || !other.materials.empty() || !mesh.materialNames.empty() ||
        !other.materialNames.empty()) {
        std::vector<uint32_t> newNumber;
        for (const std::string& name : other.materialNames) {
            const auto known = std::find(mesh.materialNames.begin(), mesh.materialNames.begin() + firstMaterial, name);
            newNumber.push_back(static_cast<uint32_t>(known - mesh.materialNames.begin()));
            if (known == mesh.materialNames.begin() + firstMaterial) {
                newNumber.back() = static_cast<uint32_t>(mesh.materialNames.size());
                mesh.materialNames.push_back(name);
            }
        }
        mesh.materials.resize(myCount, 0);
        for (const TriangleIndex t : other.triangles.indices()) {
            const uint32_t material = other.materials.empty() ? 0 : other.materials[t];
            mesh.materials.push_back(material < newNumber.size() ? newNumber[material] : material);
        }
    }

    // vertices and triangles, behind those that are there
    mesh.positions.items().insert(mesh.positions.end(), other.positions.begin(), other.positions.end());
    mesh.triangles.reserve(myCount + theirCount);
    for (Triangle triangle : other.triangles) {
        for (VertexIndex& v : triangle) v = static_cast<VertexIndex>(raw(v) + firstVertex);
        mesh.triangles.push_back(triangle);
    }
}

TriMesh subset(const TriMesh& mesh, const std::vector<TriangleIndex>& chosen) {
    // vertices in the order in which the chosen triangles meet them
    TriMesh result;
    result.materialNames = mesh.materialNames;
    IndexedVector<VertexIndex, VertexIndex> newIndex(mesh.vertexCount(), kNone<VertexIndex>);
    result.triangles.reserve(chosen.size());
    for (const TriangleIndex t : chosen) {
        Triangle triangle = mesh.triangles[t];
        for (VertexIndex& v : triangle) {
            VertexIndex& renumbered = newIndex[v];
            if (renumbered == kNone<VertexIndex>) renumbered = result.positions.push_back(mesh.positions[v]);
            v = renumbered;
        }
        result.triangles.push_back(triangle);
    }

    // what triangles carry goes with them
    chooseOptional(result.uvs, mesh.uvs, chosen);
    chooseOptional(result.normals, mesh.normals, chosen);
    chooseOptional(result.materials, mesh.materials, chosen);
    chooseOptional(result.inside, mesh.inside, chosen);
    return result;
}

void flipTriangle(TriMesh& mesh, TriangleIndex t) {
    std::swap(mesh.triangles[t][1], mesh.triangles[t][2]);
    if (!mesh.uvs.empty()) std::swap(mesh.uvs[t][1], mesh.uvs[t][2]);
    if (!mesh.normals.empty()) {
        std::swap(mesh.normals[t][1], mesh.normals[t][2]);
        for (Vec3& n : mesh.normals[t]) n = -n;
    }
}

void flipOrientation(TriMesh& mesh) {
    for (const TriangleIndex t : mesh.triangles.indices()) flipTriangle(mesh, t);
}

size_t removeUnusedVertices(TriMesh& mesh) {
    IndexedVector<VertexIndex, VertexIndex> newIndex(mesh.vertexCount(), kNone<VertexIndex>);
    for (const Triangle& triangle : mesh.triangles) {
        for (const VertexIndex v : triangle) newIndex[v] = v;
    }
    IndexedVector<VertexIndex, Vec3> kept;
    for (const VertexIndex v : mesh.positions.indices()) {
        if (newIndex[v] != kNone<VertexIndex>) newIndex[v] = kept.push_back(mesh.positions[v]);
    }
    const size_t removed = mesh.vertexCount() - kept.size();
    if (removed == 0) return 0;
    mesh.positions = std::move(kept);
    for (Triangle& triangle : mesh.triangles) {
        for (VertexIndex& v : triangle) v = newIndex[v];
    }
    return removed;
}

void computeNormals(TriMesh& mesh, double creaseAngle) {
    // normals of faces; those of no area have none and add nothing
    const MeshTopology topology(mesh);
    const double minCosine = std::cos(creaseAngle);
    IndexedVector<TriangleIndex, Vec3> face(mesh.triangleCount());
    for (const TriangleIndex t : mesh.triangles.indices()) face[t] = faceNormals(mesh, t)[0];

    mesh.normals.assign(mesh.triangleCount(), {});
    // each corner: the mean over the fan around its vertex, by angle, of faces that make no crease with its own
    for (const TriangleIndex t : mesh.triangles.indices()) {
        for (size_t corner = 0; corner < 3; ++corner) {
            const VertexIndex v = mesh.triangles[t][corner];
            Vec3 sum = Vec3::Zero();
            for (const TriangleIndex other : topology.triangles(v)) {
                if (face[other].dot(face[t]) < minCosine) continue;
                if (!mesh.inside.empty() && mesh.inside[other] != mesh.inside[t]) continue;
                for (size_t c = 0; c < 3; ++c) {
                    if (mesh.triangles[other][c] == v) sum += cornerAngle(mesh, other, c) * face[other];
                }
            }
            const double length = sum.norm();
            mesh.normals[t][corner] = length > 0 ? Vec3(sum / length) : face[t];
        }
    }
}

}  // namespace sunder
