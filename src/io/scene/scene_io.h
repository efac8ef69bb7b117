#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "scene/mesh_source.h"
#include "scene/parse.h"
#include "sim/simulation_setup.h"

namespace sunder {

/// Meshes and volumes beside a scene file.
class FolderMeshes : public scene::MeshSource {
public:
    /// Names in the scene are relative to the folder.
    explicit FolderMeshes(std::filesystem::path folder) : folder_(std::move(folder)) {}
    TriMesh read(const std::string& file) override;
    /// NRRD: docs/scene.md, "strength_volume". Throws InputError when it cannot be had.
    fracture::VolumeTexture readVolume(const std::string& file) override;

private:
    std::filesystem::path find(const std::string& file, const char* kind) const;

    std::filesystem::path folder_;
};

/// Reads a scene file and all that is wrong with it, meshes and shapes included. `settings`: "wall.pieces=60". Throws
/// InputError only when there is no file to read.
scene::ParsedScene examineScene(const std::filesystem::path& path, const std::vector<std::string>& settings = {});

/// ... of a file that was read already; meshes are looked for beside it.
scene::ParsedScene examineSceneText(const std::string& text, const std::filesystem::path& path,
                                    const std::vector<std::string>& settings = {});

/// Throws schema::SceneError, with every mistake, unless the scene is good.
scene::Scene readScene(const std::filesystem::path& path, const std::vector<std::string>& settings = {});
/// As sceneText(). The file is whole or as it was before. Throws InputError when it cannot be written.
void writeScene(const scene::Scene& scene, const std::filesystem::path& path);

/// A run from a file: reads the scene and builds what it is set up from.
sim::SimulationSetup setupFrom(const scene::Scene& scene, const std::filesystem::path& path);

/// By extension.
bool isSceneFile(const std::filesystem::path& path);

}  // namespace sunder
