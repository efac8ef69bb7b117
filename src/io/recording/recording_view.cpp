#include "io/recording/recording_view.h"

#include <fmt/format.h>

#include "base/error.h"
#include "io/looks/box_corners.h"

namespace sunder {

namespace {

bool isUsable(const Camera& camera) {
    return isSane(camera.position) && isSane(camera.target) && hasDirection(camera.target - camera.position) &&
           camera.fieldOfView > 0 && camera.fieldOfView < 180;
}

}  // namespace

RecordingView::RecordingView(RecordingReader& recording)
    : recording_(recording), bodies_(recording.bodies()), looks_(recording) {
    const scene::View view = looks_.view().value_or(scene::View{});
    // a camera or a light that no scene can have is as good as none
    if (view.camera) camera_ = Camera{view.camera->position, view.camera->target, view.camera->fieldOfView};
    if (camera_ && !isUsable(*camera_)) camera_.reset();
    light_ = hasDirection(view.light) && isSane(view.light) ? view.light : scene::View{}.light;
    backdrop_ = backdropOf(view.background);
}

std::vector<RecordedPose> RecordingView::poses(uint64_t frame) const {
    std::vector<RecordedPose> poses = recording_.poses(frame);
    if (!poses.empty() && poses.back().body >= bodies_.size())
        throw InputError(fmt::format("frame {}", frame),
                         fmt::format("moves body {}, which was not there when the recording was opened; open it again",
                                     poses.back().body));
    return poses;
}

std::vector<Vec3> RecordingView::corners(uint64_t frame, const Chosen& chosen) {
    std::vector<Vec3> corners;
    for (const RecordedPose& pose : poses(frame)) {
        const RecordedBody& body = bodies_[pose.body];
        if (!body.mesh || (chosen && !chosen(body))) continue;
        for (const Vec3& p : cornersOf(boxOf(*body.mesh), pose.worldFromMesh)) corners.push_back(p);
    }
    return corners;
}

const Box3& RecordingView::boxOf(int64_t mesh) {
    const auto [box, fresh] = boxes_.try_emplace(mesh);
    if (fresh) box->second = boundsOf(*recording_.mesh(mesh));
    return box->second;
}

}  // namespace sunder
