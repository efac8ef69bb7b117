#include "io/render/pov.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "io/files/file_access.h"
#include "io/files/replaceable.h"
#include "io/files/work_folder.h"
#include "io/render/pov_text.h"
#include "io/render/povray.h"

namespace sunder {

namespace {

pov::MeshTextures texturesOf(const PovObject& object) {
    pov::MeshTextures result;
    std::vector<Look> looks = object.byMaterial.empty() ? std::vector<Look>{object.outside} : object.byMaterial;
    const size_t insideLook = looks.size();
    looks.push_back(object.inside);
    for (const Look& look : looks) result.textures.push_back(pov::texture(look));
    result.ofTriangle.reserve(object.mesh.triangleCount());
    for (const TriangleIndex t : object.mesh.triangles.indices()) {
        const size_t material = object.mesh.materials.empty() ? 0 : object.mesh.materials[t];
        const bool inside = !object.mesh.inside.empty() && object.mesh.inside[t] != 0;
        result.ofTriangle.push_back(inside ? insideLook : std::min(material, insideLook - 1));
    }
    if (object.outside.transmission > 0) result.ior = object.outside.ior;
    return result;
}

Box3 boundsOf(const PovScene& scene) {
    Box3 box;
    for (const PovObject& object : scene.objects) {
        for (const Vec3& p : object.mesh.positions) box.add(p);
    }
    if (box.empty()) box = {Vec3::Constant(-1), Vec3::Constant(1)};
    return box;
}

/// Placed by what there is to see, from the upper left of the camera.
std::string lightsOf(const Box3& box, const Camera& camera) {
    const ViewAxes axes = axesAlong(camera.target - camera.position);
    const Vec3 towardsKey = -1.6 * axes.right + 2.6 * Vec3(0, 1, 0) - 1.5 * axes.forward;
    return pov::lights(box.centre(), std::max(box.diagonal(), 1e-12), towardsKey, axes);
}

/// Nothing when the camera is below it: it would hide everything.
std::string groundOf(const PovScene& scene, const Box3& box, const Camera& camera) {
    const double height = box.min.y() - 1e-4 * std::max(box.diagonal(), 1e-12);
    if (!scene.ground || camera.position.y() <= height) return "";
    return fmt::format("plane{{y,{:.9g} texture{{pigment{{rgb {}}} finish{{ambient 0.2 diffuse 0.75}}}}}}\n", height,
                       pov::vector(0.8 * scene.background));
}

}  // namespace

Camera framedCamera(const PovScene& scene, const PictureSize& size) {
    std::vector<Vec3> points;
    for (const PovObject& object : scene.objects)
        points.insert(points.end(), object.mesh.positions.begin(), object.mesh.positions.end());
    return framedCamera(points, scene.viewDirection, size);
}

void writePov(const PovScene& scene, const std::filesystem::path& path, const PictureSize& size) {
    const Camera camera = scene.camera.value_or(framedCamera(scene, size));
    const Box3 box = boundsOf(scene);
    std::string text = povrayHeader(PovQuality::Good);
    text += fmt::format("background{{rgb {}}}\n", pov::vector(scene.background));
    text += pov::camera(camera) + lightsOf(box, camera) + groundOf(scene, box, camera);
    for (const PovObject& object : scene.objects) {
        if (!object.mesh.empty()) text += pov::mesh2(object.mesh, texturesOf(object));
    }
    writeFileAtomically(path, text);
}

void renderPicture(const PovScene& scene, const std::filesystem::path& png, const PictureSize& size) {
    checkReplaceable(png, Overwrite::Yes);
    const WorkFolder work(png);
    const std::filesystem::path file = work.path() / "still.pov";
    writePov(scene, file, size);
    runPovray({.pov = file, .png = png, .size = size}, Progress());
}

}  // namespace sunder
