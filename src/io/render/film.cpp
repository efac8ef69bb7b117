#include "io/render/film.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/assert.h"

namespace sunder {

namespace {

const Look kHighlight{.colour = {0.10, 0.55, 0.08}, .highlight = {0.2, 0.05, 0}};

bool isOrFragmentOf(const std::string& name, const std::string& ancestor) {
    return name == ancestor || name.starts_with(ancestor + "/");
}

}  // namespace

Film::Film(RecordingReader& recording, FilmOptions options) : view_(recording), options_(std::move(options)) {
    findLooks();
    if (options_.camera) {
        camera_ = *options_.camera;
    } else if (options_.direction) {
        camera_ = framedCamera(view_.action(), *options_.direction, options_.size);
    } else {
        camera_ = view_.usualCamera(options_.size);
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

}  // namespace sunder
