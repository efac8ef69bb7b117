#include "io/render/pov_text.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "base/assert.h"

namespace sunder::pov {

namespace {

/// Corner normals with equal ones at a vertex shared, as POV-Ray wants them.
struct SharedNormals {
    std::vector<Vec3> normals;
    IndexedVector<TriangleIndex, std::array<size_t, 3>> ofCorner;
};

/// Each different normal once, as smooth meshes mostly have one for each vertex.
SharedNormals shareNormals(const TriMesh& mesh) {
    ASSERT(mesh.normals.size() == mesh.triangleCount());
    // only normals at the same vertex are compared: a search through all would take the square of their number
    SharedNormals result;
    IndexedVector<VertexIndex, std::vector<size_t>> atVertex(mesh.vertexCount());
    result.ofCorner.resize(mesh.triangleCount());
    for (const TriangleIndex t : mesh.triangles.indices()) {
        for (size_t corner = 0; corner < 3; ++corner) {
            const Vec3& normal = mesh.normals[t][corner];
            std::vector<size_t>& known = atVertex[mesh.triangles[t][corner]];
            const auto same = std::find_if(known.begin(), known.end(), [&](size_t n) {
                return (result.normals[n] - normal).squaredNorm() < 1e-10;
            });
            if (same != known.end()) {
                result.ofCorner[t][corner] = *same;
            } else {
                known.push_back(result.normals.size());
                result.ofCorner[t][corner] = result.normals.size();
                result.normals.push_back(normal);
            }
        }
    }
    return result;
}

}  // namespace

std::string vector(const Vec3& v) { return fmt::format("<{:.9g},{:.9g},{:.9g}>", v.x(), v.y(), v.z()); }

std::string texture(const Look& look) {
    const std::string finish =
        fmt::format("finish{{ambient 0.12 diffuse {:.3g} specular {:.3g} roughness {:.3g} reflection{{{:.3g}}} {}}}",
                    0.78 * (1 - look.highlight.mirror), look.highlight.strength, std::max(1e-4, look.highlight.width),
                    look.highlight.mirror, look.transmission > 0 ? "conserve_energy" : "");
    const auto shade = [&](double factor) {
        const Vec3 c = (factor * look.colour).cwiseMin(1);
        return fmt::format("rgbt <{:.4g},{:.4g},{:.4g},{:.3g}>", c.x(), c.y(), c.z(), look.transmission);
    };
    // granite's spots are a third as large as its unit
    const std::string size = fmt::format("scale {:.4g}", 3 * look.grain);
    const std::string pigment = look.mottle > 0
                                    ? fmt::format("granite color_map{{[0 {}][0.5 {}][1 {}]}} {}",
                                                  shade(1 - look.mottle), shade(1), shade(1 + look.mottle), size)
                                    : shade(1);
    const std::string normal =
        look.bumps > 0 ? fmt::format("normal{{granite {:.3g} {}}} ", look.bumps, size) : std::string();
    return fmt::format("texture{{pigment{{{}}} {}{}}}", pigment, normal, finish);
}

std::string matrix(const RigidTransform& worldFromMesh) {
    const Mat3 m = worldFromMesh.rotation.toRotationMatrix();
    const Vec3& t = worldFromMesh.translation;
    std::string s = "matrix<";
    for (int axis = 0; axis < 3; ++axis) s += fmt::format("{:.9g},{:.9g},{:.9g},", m(0, axis), m(1, axis), m(2, axis));
    return s + fmt::format("{:.9g},{:.9g},{:.9g}>", t.x(), t.y(), t.z());
}

std::string mesh2(const TriMesh& mesh, const MeshTextures& textures) {
    ASSERT(textures.ofTriangle.size() == mesh.triangleCount());
    // places
    std::string s = "mesh2{\n";
    auto to = std::back_inserter(s);
    fmt::format_to(to, "vertex_vectors{{{}", mesh.vertexCount());
    for (const Vec3& p : mesh.positions) s += ",\n" + vector(p);
    s += "}\n";

    // normals by number: corners around a vertex mostly have the same
    SharedNormals shared;
    if (!mesh.normals.empty()) {
        shared = shareNormals(mesh);
        fmt::format_to(to, "normal_vectors{{{}", shared.normals.size());
        for (const Vec3& n : shared.normals) fmt::format_to(to, ",\n<{:.5f},{:.5f},{:.5f}>", n.x(), n.y(), n.z());
        s += "}\n";
    }

    // textures, and which triangle has which
    fmt::format_to(to, "texture_list{{{}", textures.textures.size());
    for (const std::string& texture : textures.textures) s += ",\n" + texture;
    s += "}\n";

    fmt::format_to(to, "face_indices{{{}", mesh.triangleCount());
    for (const TriangleIndex t : mesh.triangles.indices()) {
        const Triangle& v = mesh.triangles[t];
        fmt::format_to(to, ",\n<{},{},{}>,{}", raw(v[0]), raw(v[1]), raw(v[2]), textures.ofTriangle[t]);
    }
    s += "}\n";

    if (!mesh.normals.empty()) {
        fmt::format_to(to, "normal_indices{{{}", mesh.triangleCount());
        for (const auto& n : shared.ofCorner) fmt::format_to(to, ",\n<{},{},{}>", n[0], n[1], n[2]);
        s += "}\n";
    }
    // a solid that light passes through needs an inside direction and a refraction index
    if (textures.ior > 0) fmt::format_to(to, "inside_vector y interior{{ior {:.3g}}}\n", textures.ior);
    return s + "}\n";
}

std::string camera(const Camera& camera) {
    const ViewAxes axes = axesAlong(camera.target - camera.position);
    // POV-Ray is left-handed; a mirrored right vector makes it right-handed like everything else here
    return fmt::format("camera{{location {} right -x*image_width/image_height up y sky {} angle {:.4g} look_at {}}}\n",
                       vector(camera.position), vector(axes.up), camera.fieldOfView, vector(camera.target));
}

std::string lights(const Vec3& middle, double reach, const Vec3& towardsKey, const ViewAxes& axes) {
    const double side = towardsKey.dot(axes.right) > 0 ? -2.2 : 2.2;
    const Vec3 key = middle + reach * towardsKey;
    const Vec3 fill = middle + reach * (side * axes.right + 0.8 * Vec3(0, 1, 0) - 1.8 * axes.forward);
    return fmt::format("light_source{{{} rgb 0.95 area_light {} {} 7 7 adaptive 1 jitter circular orient}}\n",
                       vector(key), vector(0.8 * reach * Vec3(1, 0, 0)), vector(0.8 * reach * Vec3(0, 0, 1))) +
           fmt::format("light_source{{{} rgb 0.35 shadowless}}\n", vector(fill));
}

}  // namespace sunder::pov
