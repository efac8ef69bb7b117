#include "io/recording_picture.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "io/scene_looks.h"
#include "scene/build.h"
#include "scene/expand.h"
#include "scene/parse.h"

namespace sunder {

namespace {

constexpr double kCreaseAngle = 0.35;  // rad; that of surfaces made from grids

const Look kHighlight{{0.10, 0.55, 0.08}, 0.2, 0.05};

/// What the scene in the recording says about the picture.
class SceneOfRecording {
public:
    explicit SceneOfRecording(const RecordingReader& recording) {
        if (recording.meta("scene").empty()) return;
        const scene::Json settings = scene::Json::parse(recording.meta("settings"), nullptr, false);
        std::vector<std::string> changes;
        if (settings.is_object() && settings.contains("set")) changes = settings.at("set");
        scene::ParsedScene parsed = scene::parseScene(recording.meta("scene"), recording.meta("scene_name"), changes);
        if (parsed.issues.failed()) return;
        scene_ = std::move(parsed.scene);
        if (scene_->floor.present) materials_["floor"] = &scene::materialOf(*scene_, scene_->floor.material);
        for (const scene::PlacedBody& placed : scene::placedBodies(*scene_))
            materials_[placed.name] = &scene::materialOf(*scene_, placed.body->material);
    }

    /// Null when the scene knows no such body.
    const scene::Material* materialOfRoot(const std::string& name) const {
        const auto found = materials_.find(name);
        return found != materials_.end() ? found->second : nullptr;
    }
    const scene::View* view() const { return scene_ ? &scene_->view : nullptr; }

private:
    std::optional<scene::Scene> scene_;
    std::map<std::string, const scene::Material*> materials_;  // by the name of a body, lent by scene_
};

bool isOrFragmentOf(const std::string& name, const std::string& ancestor) {
    return name == ancestor || name.starts_with(ancestor + "/");
}

void applyView(const scene::View& view, PovScene& picture) {
    const scene::Camera whole;
    const scene::Camera& camera = view.camera;
    const bool given = camera.position != whole.position || camera.target != whole.target;
    if (given) picture.camera = PovCamera{camera.position, camera.target, camera.fieldOfView};
    picture.light = view.light;
    picture.background = colourOf(view.background);
}

/// Without spots: they would flicker in the distance.
PovPlane halfSpace(const RigidTransform& worldFromPlane, Look look) {
    look.mottle = look.bumps = 0;
    return {worldFromPlane.translation, worldFromPlane.rotation * Vec3(0, 1, 0), look};
}

}  // namespace

PovScene pictureOf(RecordingReader& recording, uint64_t frame, const std::vector<std::string>& highlighted) {
    const std::vector<RecordedBody> bodies = recording.bodies();
    const SceneOfRecording scene(recording);
    std::map<int64_t, TriMesh> meshes;  // with normals
    PovScene picture;
    if (scene.view() != nullptr) applyView(*scene.view(), picture);
    for (const RecordedPose& pose : recording.poses(frame)) {
        const RecordedBody& body = bodies[pose.body];
        const scene::Material* material = scene.materialOfRoot(bodies[body.root].name);
        const Looks looks = material != nullptr ? looksOf(*material) : Looks{pieceLook(body.root), PovObject{}.inside};
        if (!body.mesh) {
            picture.ground = false;
            picture.planes.push_back(halfSpace(pose.worldFromMesh, looks.outside));
            continue;
        }
        const auto [mesh, fresh] = meshes.try_emplace(*body.mesh);
        if (fresh) {
            mesh->second = *recording.mesh(*body.mesh);
            if (mesh->second.normals.empty()) computeNormals(mesh->second, kCreaseAngle);
        }
        PovObject object{mesh->second, looks.outside, looks.inside, {}, pose.worldFromMesh};
        if (std::any_of(highlighted.begin(), highlighted.end(),
                        [&](const std::string& name) { return isOrFragmentOf(body.name, name); }))
            object.outside = object.inside = kHighlight;
        picture.objects.push_back(std::move(object));
    }
    return picture;
}

}  // namespace sunder
