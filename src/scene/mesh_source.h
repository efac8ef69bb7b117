#pragma once

#include <string>

#include "fracture/common/strength_volume.h"
#include "geometry/mesh/tri_mesh.h"

namespace sunder::scene {

/// Where the meshes and volumes that a scene names come from; io has one that reads files beside the scene.
class MeshSource {
public:
    virtual ~MeshSource() = default;
    /// As it stands in the file. Throws InputError when it cannot be had.
    virtual TriMesh read(const std::string& file) = 0;
    /// Strength as a file has it. Throws InputError when it cannot be had.
    virtual fracture::VolumeTexture readVolume(const std::string& file) = 0;
};

}  // namespace sunder::scene
