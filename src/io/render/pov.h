#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "geometry/mesh/tri_mesh.h"
#include "math/rigid_transform.h"
#include "math/vec.h"

namespace sunder {

/// How a surface looks to POV-Ray.
struct Look {
    Vec3 colour{0.75, 0.74, 0.72};  // linear RGB, 0..1
    double specular = 0.1;          // highlight strength
    double roughness = 0.05;        // highlight width
    double reflection = 0;          // mirror share
    double transparency = 0;        // 1 = clear
    double ior = 1;                 // refraction index, when transparent
    double mottle = 0;              // how much the colour varies through the solid, as a share of it
    double grain = 0.05;            // m, size of its spots
    double bumps = 0;               // unevenness that only light shows
    bool operator==(const Look&) const = default;
};

/// Colours that tell neighbours apart, in a fixed order: pieceLook(0), pieceLook(1), ...
Look pieceLook(size_t number);

struct PovObject {
    TriMesh mesh;  // smooth where it has normals, flat where not
    Look outside;
    /// For triangles marked `inside`.
    Look inside{{0.80, 0.42, 0.28}, 0.03, 0.2, 0, 0, 1};
    /// When not empty: the look of each triangle by its material index (last one for larger indices).
    std::vector<Look> byMaterial;
};

struct PovCamera {
    Vec3 position;
    Vec3 target;
    double fieldOfView = 30;  // degrees, horizontal
};

/// From where to look when no camera is given.
inline const Vec3 kUsualDirection{-0.45, -0.38, -0.8};

/// A still: meshes, a camera, soft light from the upper left, a ground they stand on. Y is up.
struct PovScene {
    std::vector<PovObject> objects;
    /// From where to look when no camera is given; the distance is chosen so that everything just fits.
    Vec3 viewDirection = kUsualDirection;
    std::optional<PovCamera> camera;
    bool ground = true;                 // where the lowest point is
    Vec3 background{0.93, 0.94, 0.96};  // linear RGB
};

struct PictureSize {
    int width = 800;
    int height = 600;
};

/// Right and up of a picture, and the direction into it; unit, at right angles.
struct ViewAxes {
    Vec3 right, up, forward;
};
/// Upright, unless the view goes straight up or down.
ViewAxes axesAlong(const Vec3& direction);

/// The camera that just fits all points, seen along the direction.
PovCamera framedCamera(std::span<const Vec3> points, const Vec3& direction, const PictureSize& size);
/// The same for all points of the scene, along its viewDirection.
PovCamera framedCamera(const PovScene& scene, const PictureSize& size);

/// Writes the scene in POV-Ray 3.7's language. Throws InputError when the file cannot be written.
void writePov(const PovScene& scene, const std::filesystem::path& path, const PictureSize& size = {});

/// Writes the .pov beside the picture, runs POV-Ray and removes it. Throws InputError as runPovray.
void renderPicture(const PovScene& scene, const std::filesystem::path& png, const PictureSize& size = {});

}  // namespace sunder
