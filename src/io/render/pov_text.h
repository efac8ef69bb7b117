#pragma once

#include <span>
#include <string>

#include "io/render/pov.h"
#include "math/box.h"
#include "math/rigid_transform.h"

/// Pieces of POV-Ray's language, for stills (pov.h) and films (pov_film.h).
namespace sunder::pov {

std::string vector(const Vec3& v);

/// `texture{...}`
std::string texture(const Look& look);

/// `matrix<...>`: rows of images of the axes, then the way.
std::string matrix(const RigidTransform& worldFromMesh);

struct MeshTextures {
    std::vector<std::string> textures;                // each `texture{...}`
    IndexedVector<TriangleIndex, size_t> ofTriangle;  // which of them
    double ior = 0;                                   // not 0: light passes through
};

/// `mesh2{...}`: smooth where the mesh has normals, flat where not.
std::string mesh2(const TriMesh& mesh, const MeshTextures& textures);

/// `camera{...}` for pictures of whatever size POV-Ray is told.
std::string camera(const Camera& camera);

/// A soft key light and a weak fill without shadow, from the other side. `towardsKey` in units of `reach`.
std::string lights(const Vec3& middle, double reach, const Vec3& towardsKey, const ViewAxes& axes);

}  // namespace sunder::pov
