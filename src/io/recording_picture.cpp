#include "io/recording_picture.h"

#include <algorithm>
#include <map>

#include "io/recording_looks.h"

namespace sunder {

namespace {

const Look kHighlight{{0.10, 0.55, 0.08}, 0.2, 0.05};

bool isOrFragmentOf(const std::string& name, const std::string& ancestor) {
    return name == ancestor || name.starts_with(ancestor + "/");
}

void applyView(const scene::View& view, PovScene& picture) {
    if (view.camera) picture.camera = PovCamera{view.camera->position, view.camera->target, view.camera->fieldOfView};
    picture.light = view.light;
    setBackground(view.background, picture);
}

/// Without spots: they would flicker in the distance.
PovPlane halfSpace(const RigidTransform& worldFromPlane, Look look) {
    look.mottle = look.bumps = 0;
    return {worldFromPlane.translation, worldFromPlane.rotation * Vec3(0, 1, 0), look};
}

}  // namespace

PovScene pictureOf(RecordingReader& recording, uint64_t frame, const std::vector<std::string>& highlighted) {
    const std::vector<RecordedBody> bodies = recording.bodies();
    const RecordingLooks allLooks(recording);
    std::map<int64_t, TriMesh> meshes;  // with normals
    PovScene picture;
    if (allLooks.view()) applyView(*allLooks.view(), picture);
    for (const RecordedPose& pose : recording.poses(frame)) {
        const RecordedBody& body = bodies.at(pose.body);
        const Looks looks = allLooks.of(body);
        if (!body.mesh) {
            picture.ground = false;
            picture.planes.push_back(halfSpace(pose.worldFromMesh, looks.outside));
            continue;
        }
        const auto [mesh, fresh] = meshes.try_emplace(*body.mesh);
        if (fresh) mesh->second = shadedMesh(recording, *body.mesh);
        PovObject object{mesh->second, looks.outside, looks.inside, {}, pose.worldFromMesh};
        if (std::any_of(highlighted.begin(), highlighted.end(),
                        [&](const std::string& name) { return isOrFragmentOf(body.name, name); }))
            object.outside = object.inside = kHighlight;
        picture.objects.push_back(std::move(object));
    }
    return picture;
}

}  // namespace sunder
