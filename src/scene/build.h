#pragma once

#include "fracture/prescored/asset_store.h"
#include "scene/issues.h"
#include "scene/mesh_source.h"
#include "scene/scene.h"
#include "sim/simulation_setup.h"

namespace sunder::scene {

/// What a run is set up from: arrays and instances written out, shapes made, meshes read, methods chosen. The scene
/// must be without errors. Throws SceneError, naming the bodies, when a geometry cannot be had. `assets`, if any, is
/// where methods keep what takes long to make; it outlives the setup.
sim::SimulationSetup buildSetup(const Scene& scene, MeshSource& meshes, const std::string& file = "scene",
                                fracture::AssetStore* assets = nullptr);

}  // namespace sunder::scene
