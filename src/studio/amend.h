#pragma once

#include <optional>

#include "fracture/interface/asset_store.h"
#include "scene/mesh_source.h"
#include "scene/scene.h"
#include "sim/simulation_setup.h"
#include "studio/json.h"

namespace sunder::studio {

/// A scene with all its values written out: sceneJson(scene).
struct FullScene {
    scene::Scene scene;
    Json full;
};

/// From when on two scenes make different runs.
struct Difference {
    bool none = false;                // never
    std::optional<double> from = {};  // s: only what appears, is done or explodes from then on; absent: from the start
};
Difference differenceOf(const FullScene& before, const FullScene& after);

/// A setup for a run that goes on with another scene, which differs only as differenceOf(before, after).from says. What
/// the setup so far has of bodies that did not change is taken from there: building shapes takes long.
sim::SimulationSetup amendedSetup(const sim::SimulationSetup& setup, const FullScene& before, const FullScene& after,
                                  scene::MeshSource& meshes);

}  // namespace sunder::studio
