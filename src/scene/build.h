#pragma once

#include "scene/issues.h"
#include "scene/mesh_source.h"
#include "scene/scene.h"
#include "sim/simulation_setup.h"

namespace sunder::scene {

/// What a run is set up from: arrays and instances written out, shapes made, meshes read, methods chosen. The scene
/// must be without errors. Throws SceneError, naming the bodies, when a geometry cannot be had.
sim::SimulationSetup buildSetup(const Scene& scene, MeshSource& meshes, const std::string& file = "scene");

/// What a choice stands for; lent by the scene, or the default material.
const Material& materialOf(const Scene& scene, const MaterialChoice& choice);

}  // namespace sunder::scene
