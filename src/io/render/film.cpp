#include "io/render/film.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/assert.h"

namespace sunder {

namespace {

constexpr size_t kFramesLookedAt = 12;  // for framing
constexpr double kStragglers = 0.03;    // of all points: those farthest away need not be in the picture

const Look kHighlight{.colour = {0.10, 0.55, 0.08}, .highlight = {0.2, 0.05, 0}};

bool isOrFragmentOf(const std::string& name, const std::string& ancestor) {
    return name == ancestor || name.starts_with(ancestor + "/");
}

/// Up to kFramesLookedAt of them, evenly, the first and the last among them.
std::vector<uint64_t> someOf(const std::vector<uint64_t>& frames) {
    if (frames.size() <= kFramesLookedAt) return frames;
    std::vector<uint64_t> some;
    for (size_t i = 0; i < kFramesLookedAt; ++i)
        some.push_back(frames[i * (frames.size() - 1) / (kFramesLookedAt - 1)]);
    return some;
}

double medianOf(std::vector<double> values) {
    ASSERT(!values.empty());
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// One splinter that flies far would make all else tiny.
void dropStragglers(std::vector<Vec3>& points) {
    if (points.empty()) return;
    Vec3 middle;
    for (int axis = 0; axis < 3; ++axis) {
        std::vector<double> along;
        along.reserve(points.size());
        for (const Vec3& p : points) along.push_back(p[axis]);
        middle[axis] = medianOf(std::move(along));
    }
    std::ranges::stable_sort(points, {}, [&](const Vec3& p) { return (p - middle).squaredNorm(); });
    points.resize(points.size() - static_cast<size_t>(kStragglers * static_cast<double>(points.size())));
}

}  // namespace

Film::Film(RecordingReader& recording, FilmOptions options) : view_(recording), options_(std::move(options)) {
    findLooks();
    if (options_.camera) {
        camera_ = *options_.camera;
    } else if (view_.camera() && !options_.direction) {
        camera_ = *view_.camera();
    } else {
        camera_ = framedCamera(action(), options_.direction.value_or(kUsualDirection), options_.size);
    }
}

void Film::findLooks() {
    const RecordingLooks& own = view_.looks();
    std::map<std::string, size_t> known;
    for (const RecordedBody& body : bodies()) {
        const bool highlighted = std::ranges::any_of(
            options_.highlighted, [&](const std::string& name) { return isOrFragmentOf(body.name, name); });
        const std::string material = body.material.empty() ? "default" : body.material;
        const std::string name = highlighted                ? "highlight"
                                 : own.knows(body.material) ? material
                                                            : fmt::format("body_{}", body.root);
        const auto [entry, fresh] = known.try_emplace(name, looks_.size());
        if (fresh) looks_.push_back({name, highlighted ? Looks{kHighlight, kHighlight} : own.of(body)});
        lookOfBody_.push_back(entry->second);
    }
}

FilmFrame Film::frame(uint64_t number) {
    FilmFrame frame;
    for (const RecordedPose& pose : view_.poses(number)) {
        ASSERT(pose.body < lookOfBody_.size());
        const RigidTransform& place = pose.worldFromMesh;
        if (view_.body(pose.body).mesh) {
            frame.bodies.push_back({pose.body, lookOfBody_[pose.body], place});
        } else {
            frame.planes.push_back({place.translation, place.rotation * Vec3(0, 1, 0), lookOfBody_[pose.body]});
        }
    }
    return frame;
}

TriMesh Film::mesh(uint32_t body) const { return shadedMesh(view_.recording(), *view_.body(body).mesh); }

std::vector<Vec3> Film::action() {
    const bool anyMoves = std::ranges::any_of(bodies(), [](const RecordedBody& b) { return b.kind == "dynamic"; });
    const auto acts = [&](const RecordedBody& body) {  // a floor may reach far
        return !anyMoves || body.kind == "dynamic";
    };
    std::vector<Vec3> points;
    for (const uint64_t number : someOf(options_.frames)) {
        const std::vector<Vec3> corners = view_.corners(number, acts);
        points.insert(points.end(), corners.begin(), corners.end());
    }
    dropStragglers(points);
    return points;
}

}  // namespace sunder
