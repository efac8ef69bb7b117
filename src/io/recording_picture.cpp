#include "io/recording_picture.h"

#include <map>

namespace sunder {

PovScene pictureOf(RecordingReader& recording, uint64_t frame) {
    const std::vector<RecordedBody> bodies = recording.bodies();
    std::map<std::string, size_t> materials;  // in order of first use
    std::map<int64_t, std::shared_ptr<const TriMesh>> meshes;
    PovScene scene;
    for (const RecordedPose& pose : recording.poses(frame)) {
        const RecordedBody& body = bodies[pose.body];
        if (!body.mesh) continue;
        std::shared_ptr<const TriMesh>& mesh = meshes[*body.mesh];
        if (mesh == nullptr) mesh = recording.mesh(*body.mesh);
        PovObject object;
        object.mesh = transformed(*mesh, pose.worldFromMesh);
        if (object.mesh.normals.empty()) computeNormals(object.mesh, 0.6);
        const std::string look = body.material.empty() ? "body " + std::to_string(body.root) : body.material;
        object.outside = pieceLook(materials.emplace(look, materials.size()).first->second);
        scene.objects.push_back(std::move(object));
    }
    return scene;
}

}  // namespace sunder
