#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "geometry/mesh/tri_mesh.h"
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

/// The half-space below it is solid; it has no end.
struct PovPlane {
    Vec3 point = Vec3::Zero();  // m
    Vec3 normal{0, 1, 0};       // unit
    Look look;
};

/// A still: meshes, a camera, soft light from the upper left, a ground they stand on. Y is up.
struct PovScene {
    std::vector<PovObject> objects;
    /// From where to look when no camera is given; the distance is chosen so that everything just fits.
    Vec3 viewDirection{-0.45, -0.38, -0.8};
    std::optional<PovCamera> camera;
    std::optional<Vec3> lightDirection;  // towards the main light; without: from the upper left of the camera
    std::vector<PovPlane> planes;
    bool ground = true;                 // below everything, in the colour of the background
    Vec3 background{0.93, 0.94, 0.96};  // linear RGB
    std::optional<Vec3> zenith;         // the background changes to this upwards
};

struct PictureSize {
    int width = 800;
    int height = 600;
};

/// The camera that just fits all points of the scene, seen along its viewDirection.
PovCamera framedCamera(const PovScene& scene, const PictureSize& size);

/// Writes the scene in POV-Ray 3.7's language. Throws InputError when the file cannot be written.
void writePov(const PovScene& scene, const std::filesystem::path& path, const PictureSize& size = {});

/// Writes the .pov beside the picture, runs POV-Ray and removes it. Throws InputError naming what failed: POV-Ray
/// missing (and how to get it), or its own complaint.
void renderPicture(const PovScene& scene, const std::filesystem::path& png, const PictureSize& size = {});

}  // namespace sunder
