#pragma once

#include <map>
#include <optional>
#include <string>

#include "geometry/mesh/tri_mesh.h"
#include "io/looks/scene_looks.h"
#include "io/recording/recording_reader.h"

namespace sunder {

/// Looks of bodies whose material is unknown: quiet colours, one for each body of the scene and its fragments.
Looks looksWithoutMaterial(uint32_t root);

/// How a recording's own scene wants it seen.
class RecordingLooks {
public:
    /// Takes a copy of what the recording says.
    explicit RecordingLooks(const RecordingReader& recording);

    /// False in recordings without a scene.
    bool knows(const std::string& material) const { return materials_.contains(material); }
    Looks of(const RecordedBody& body) const;  // for materials that are not known: looksWithoutMaterial()
    const std::optional<scene::View>& view() const { return view_; }  // none: the recording has no scene

private:
    std::map<std::string, scene::Material> materials_;
    std::optional<scene::View> view_;
};

/// A mesh of the recording with normals: its own, or smooth ones with creases.
TriMesh shadedMesh(const RecordingReader& recording, int64_t mesh);

}  // namespace sunder
