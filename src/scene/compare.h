#pragma once

#include <string>
#include <vector>

#include "scene/scene.h"

namespace sunder::scene {

/// One value of a scene that is not what it was.
struct SceneChange {
    std::string pointer;        // where, in the file's words: "/bodies/3/mass"
    std::string before, after;  // as messages show them; "absent"
};

/// In what two scenes differ that gives another run, parameters filled in. Titles, looks, views, the number of frames
/// and how often there is a checkpoint give none.
std::vector<SceneChange> changesOfRun(const Scene& before, const Scene& after);

}  // namespace sunder::scene
