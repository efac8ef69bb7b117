#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scene/expand.h"
#include "scene/fracture_of.h"

namespace sunder::scene {

/// A body as the scene begins with it, all but its geometry: what a run is set up from, and what is shown before one.
struct StartBody {
    PlacedBody placed;                                     // the scene's floor has no `body` in it
    const Material* material = nullptr;                    // never null; lent by the scene
    std::string materialKey;                               // as looks name it
    dynamics::BodyKind kind = dynamics::BodyKind::Static;  // of the floor: static
    RigidTransform pose;                                   // of its given frame, at time 0
    std::optional<dynamics::Motion> motion;                // kinematic bodies
    FoundFracture fracture;                                // no settings: never breaks

    double appears() const { return placed.body ? placed.body->appears : 0; }  // s
    bool isHalfSpace() const;                                                  // has no geometry: a plane, or the floor
};

/// The floor, if there is one, then the bodies in the order of the file: the order of their numbers in a run, but for
/// those that appear later. The scene must be without errors and outlive what is returned.
std::vector<StartBody> startBodies(const Scene& scene);

}  // namespace sunder::scene
