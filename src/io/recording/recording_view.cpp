#include "io/recording/recording_view.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/error.h"
#include "io/looks/box_corners.h"

namespace sunder {

namespace {

bool isUsable(const Camera& camera) {
    return isSane(camera.position) && isSane(camera.target) && hasDirection(camera.target - camera.position) &&
           camera.fieldOfView > 0 && camera.fieldOfView < 180;
}

constexpr size_t kFramesLookedAt = 12;
constexpr double kStragglers = 0.03;  // of all points: those farthest away need not be in the picture
constexpr double kFirstPieces = 0.3;  // s after a break: where its pieces are then, belongs to it
constexpr double kFarFromAll = 4;     // times the size of the action: what begins farther away comes into it

double medianOf(std::vector<double> values) {
    ASSERT(!values.empty());
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

Vec3 middleOf(const std::vector<Vec3>& points) {
    Vec3 middle;
    for (int axis = 0; axis < 3; ++axis) {
        std::vector<double> along;
        along.reserve(points.size());
        for (const Vec3& p : points) along.push_back(p[axis]);
        middle[axis] = medianOf(std::move(along));
    }
    return middle;
}

/// One splinter that flies far would make all else tiny.
void dropStragglers(std::vector<Vec3>& points) {
    if (points.empty()) return;
    const Vec3 middle = middleOf(points);
    std::ranges::stable_sort(points, {}, [&](const Vec3& p) { return (p - middle).squaredNorm(); });
    points.resize(points.size() - static_cast<size_t>(kStragglers * static_cast<double>(points.size())));
}

/// Up to kFramesLookedAt, evenly, the first and the last among them.
std::vector<uint64_t> someFrames(uint64_t last) {
    std::vector<uint64_t> some;
    const uint64_t count = std::min<uint64_t>(kFramesLookedAt, last + 1);
    for (uint64_t i = 0; i < count; ++i) some.push_back(count > 1 ? i * last / (count - 1) : 0);
    return some;
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

std::vector<Vec3> RecordingView::movingCorners(uint64_t frame) {
    // a floor may reach far
    const bool anyMoves = std::ranges::any_of(bodies_, [](const RecordedBody& b) { return b.kind == "dynamic"; });
    return corners(frame, [&](const RecordedBody& body) { return !anyMoves || body.kind == "dynamic"; });
}

std::vector<Vec3> RecordingView::action() {
    if (action_) return *action_;
    // the first breaks, and what came of them
    const uint64_t last = recording_.lastFrame();
    std::set<uint64_t> frames;
    std::vector<Vec3> points;
    for (const RecordedEvent& event : recording_.events()) {
        if (!event.isBreak() || event.frame > last || frames.size() >= kFramesLookedAt) continue;
        const auto later = static_cast<uint64_t>(std::lround(std::clamp(kFirstPieces / recording_.dt(), 0.0, 1e6)));
        frames.insert(event.frame);
        frames.insert(std::min(last, event.frame + later));
    }
    if (frames.empty()) {
        const std::vector<uint64_t> some = someFrames(last);
        frames.insert(some.begin(), some.end());
    }
    for (const uint64_t frame : frames) {
        const std::vector<Vec3> some = movingCorners(frame);
        points.insert(points.end(), some.begin(), some.end());
    }
    dropStragglers(points);

    // what falls or is thrown is seen before it arrives
    const std::vector<Vec3> start = movingCorners(0);
    Box3 box;
    for (const Vec3& p : points) box.add(p);
    for (const Vec3& p : start) {
        if (points.empty() || (p - box.centre()).norm() <= kFarFromAll * box.diagonal()) points.push_back(p);
    }
    action_ = std::move(points);
    return *action_;
}

Camera RecordingView::usualCamera(const PictureSize& size) {
    return camera_ ? *camera_ : framedCamera(action(), kUsualDirection, size);
}

const Box3& RecordingView::boxOf(int64_t mesh) {
    const auto [box, fresh] = boxes_.try_emplace(mesh);
    if (fresh) box->second = boundsOf(*recording_.mesh(mesh));
    return box->second;
}

}  // namespace sunder
