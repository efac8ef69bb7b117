#include "io/recording_picture.h"

#include <cmath>
#include <map>

#include "scene/looks.h"

namespace sunder {

namespace {

/// sRGB, as people give colours, to linear.
Vec3 linear(const Vec3& colour) {
    return colour.unaryExpr([](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); });
}

/// Colour (sRGB) and shine of a look, before the scene's own colours.
Look lookNamed(scene::Look look) {
    switch (look) {
        case scene::Look::Plain:
            return {{0.78, 0.78, 0.78}, 0.05, 0.1, 0, 0, 1};
        case scene::Look::Stone:
            return {{0.72, 0.68, 0.62}, 0.04, 0.15, 0, 0, 1};
        case scene::Look::Concrete:
            return {{0.66, 0.67, 0.67}, 0.02, 0.2, 0, 0, 1};
        case scene::Look::Brick:
            return {{0.64, 0.34, 0.26}, 0.02, 0.2, 0, 0, 1};
        case scene::Look::Glass:
            return {{0.90, 0.97, 0.94}, 0.8, 0.003, 0.12, 0.82, 1.5};
        case scene::Look::Ceramic:
            return {{0.93, 0.91, 0.87}, 0.6, 0.01, 0.06, 0, 1};
        case scene::Look::Wood:
            return {{0.66, 0.48, 0.31}, 0.08, 0.08, 0, 0, 1};
        case scene::Look::Metal:
            return {{0.62, 0.64, 0.67}, 0.7, 0.02, 0.35, 0, 1};
        case scene::Look::Ice:
            return {{0.86, 0.93, 0.98}, 0.6, 0.008, 0.08, 0.6, 1.31};
    }
    return {};
}

Look outsideOf(const scene::Material& material) {
    Look look = lookNamed(material.look);
    look.colour = linear(material.colour.value_or(look.colour));
    return look;
}

/// A fresh break is lighter than the outside and has no shine, unless one sees through it.
Look insideOf(const scene::Material& material) {
    constexpr double kLighter = 0.35;  // of the way to white
    Look look = lookNamed(material.look);
    const Vec3 outside = material.colour.value_or(look.colour);
    const Vec3 fresh = look.transparency > 0 ? outside : Vec3(outside + kLighter * (Vec3::Ones() - outside));
    look.colour = linear(material.insideColour.value_or(fresh));
    if (look.transparency == 0) {
        look.specular = 0.02;
        look.roughness = 0.2;
        look.reflection = 0;
    }
    return look;
}

void setBackground(scene::Background background, PovScene& picture) {
    switch (background) {
        case scene::Background::Studio:
            return;
        case scene::Background::Sky:
            picture.background = {0.80, 0.87, 0.95};
            picture.zenith = Vec3(0.16, 0.33, 0.66);
            return;
        case scene::Background::Dark:
            picture.background = {0.015, 0.016, 0.02};
            return;
        case scene::Background::White:
            picture.background = {1, 1, 1};
            return;
    }
}

scene::Json jsonIn(const std::string& text) { return scene::Json::parse(text, nullptr, false); }

PovScene emptyPicture(const scene::View& view) {
    PovScene picture;
    picture.ground = false;
    if (view.camera) picture.camera = PovCamera{view.camera->position, view.camera->target, view.camera->fieldOfView};
    picture.lightDirection = view.light;
    setBackground(view.background, picture);
    return picture;
}

}  // namespace

PovScene pictureOf(RecordingReader& recording, uint64_t frame) {
    const std::vector<RecordedBody> bodies = recording.bodies();
    const std::map<std::string, scene::Material> looks = scene::looksFrom(jsonIn(recording.meta("looks")));
    std::map<int64_t, std::shared_ptr<const TriMesh>> meshes;
    PovScene picture = emptyPicture(scene::viewFrom(jsonIn(recording.meta("view"))));
    for (const RecordedPose& pose : recording.poses(frame)) {
        const RecordedBody& body = bodies.at(pose.body);
        const auto found = looks.find(body.material);
        const scene::Material material = found == looks.end() ? scene::Material() : found->second;
        if (!body.mesh) {  // a half-space, solid below its x z plane
            picture.planes.push_back(
                {pose.worldFromMesh.translation, pose.worldFromMesh.rotation * Vec3(0, 1, 0), outsideOf(material)});
            continue;
        }
        std::shared_ptr<const TriMesh>& mesh = meshes[*body.mesh];
        if (mesh == nullptr) mesh = recording.mesh(*body.mesh);
        PovObject object;
        object.mesh = transformed(*mesh, pose.worldFromMesh);
        if (object.mesh.normals.empty()) computeNormals(object.mesh, 0.6);
        object.outside = outsideOf(material);
        object.inside = insideOf(material);
        picture.objects.push_back(std::move(object));
    }
    return picture;
}

}  // namespace sunder
