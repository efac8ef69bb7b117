#pragma once

#include "scene/mesh_source.h"
#include "scene/scene.h"
#include "schema/issues.h"
#include "sim/simulation_setup.h"

namespace sunder::scene {

/// What a run is set up from: arrays and instances written out, shapes made, meshes read, methods chosen. The scene
/// must be without errors. Throws SceneError, naming the bodies, when a geometry cannot be had.
sim::SimulationSetup buildSetup(const Scene& scene, MeshSource& meshes, const std::string& file = "scene");

}  // namespace sunder::scene
