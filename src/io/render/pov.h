#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "geometry/mesh/tri_mesh.h"
#include "io/looks/camera.h"
#include "io/looks/look.h"

namespace sunder {

/// One surface of a still.
struct PovObject {
    TriMesh mesh;  // smooth where it has normals, flat where not
    Look outside;  // for all other triangles
    /// For triangles marked `inside`.
    Look inside = kFreshBreak;
    /// When not empty: the look of each triangle by its material index (last one for larger indices).
    std::vector<Look> byMaterial;
};

/// A still: meshes, a camera, soft light from the upper left, a ground they stand on. Y is up.
struct PovScene {
    std::vector<PovObject> objects;  // m, in the world
    /// From where to look when no camera is given; the distance is chosen so that everything just fits.
    Vec3 viewDirection = kUsualDirection;
    std::optional<Camera> camera;       // goes before viewDirection
    bool ground = true;                 // where the lowest point is
    Vec3 background{0.93, 0.94, 0.96};  // linear RGB
};

/// The camera that just fits all points of the scene, along its viewDirection.
Camera framedCamera(const PovScene& scene, const PictureSize& size);

/// Writes the scene in POV-Ray 3.7's language. Throws InputError when the file cannot be written.
void writePov(const PovScene& scene, const std::filesystem::path& path, const PictureSize& size = {});

/// Writes the .pov into a folder that goes, and runs POV-Ray. Throws InputError as runPovray.
void renderPicture(const PovScene& scene, const std::filesystem::path& png, const PictureSize& size = {});

}  // namespace sunder
