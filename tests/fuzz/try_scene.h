#pragma once

#include <set>
#include <string_view>

#include "scene/check.h"
#include "scene/expand.h"
#include "scene/parse.h"
#include "try_mesh.h"

namespace sunder::fuzz {

/// What a scene without errors must be.
inline void checkScene(const scene::Scene& scene) {
    const std::string saved = scene::sceneText(scene);
    const scene::ParsedScene back = scene::parseScene(saved, "back");
    promise(!back.issues.failed(), "what is saved can be read");
    promise(scene::sceneJson(back.scene) == scene::sceneJson(scene), "saving loses nothing");
    promise(scene::sceneText(back.scene) == saved, "saving again changes nothing");

    constexpr double kFew = 2000;
    if (scene::bodyCount(scene) > kFew) return;
    std::set<std::string> names;
    for (const scene::PlacedBody& placed : scene::placedBodies(scene)) {
        promise(names.insert(placed.name).second, "names are unique");
        const RigidTransform pose = placed.pose();
        promise(pose.translation.allFinite() && pose.rotation.coeffs().allFinite(), "poses are finite");
        promise(std::abs(pose.rotation.norm() - 1) < 1e-9, "rotations have length one");
    }
}

/// Reads text; it must give a sound scene or a list of issues, each with a sentence. True when it is a scene.
inline bool tryScene(std::string_view text) {
    const scene::ParsedScene parsed = scene::parseScene(text, "in");
    for (const schema::Issue& issue : parsed.issues.list())
        promise(!issue.message.empty(), "every issue has a sentence");
    if (!parsed.issues.failed()) checkScene(parsed.scene);
    return !parsed.issues.failed();
}

}  // namespace sunder::fuzz
