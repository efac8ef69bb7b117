#include "io/scene/scene_io.h"

#include "base/error.h"
#include "io/files/file_access.h"
#include "io/files/source.h"
#include "io/mesh/mesh_io.h"
#include "io/scene/nrrd.h"
#include "scene/build.h"
#include "scene/check.h"
#include "schema/json_text.h"

namespace sunder {

namespace fs = std::filesystem;

fs::path FolderMeshes::find(const std::string& file, const char* kind) const {
    fs::path path = folder_ / fs::path(file);
    if (!fs::exists(path)) {
        throw InputError(kind + (" " + inQuotes(file)),
                         "there is no such file (looked for " + path.string() + "); paths are relative to the scene");
    }
    return path;
}

TriMesh FolderMeshes::read(const std::string& file) { return readMesh(find(file, "mesh")).mesh; }

fracture::VolumeTexture FolderMeshes::readVolume(const std::string& file) { return readNrrd(find(file, "volume")); }

scene::ParsedScene examineScene(const fs::path& path, const std::vector<std::string>& settings) {
    // one byte more than allowed, so that the parser says what is too long
    return examineSceneText(readWholeFile(path, schema::kMaxSceneBytes + 1), path, settings);
}

scene::ParsedScene examineSceneText(const std::string& text, const fs::path& path,
                                    const std::vector<std::string>& settings) {
    scene::ParsedScene parsed = scene::parseScene(text, path.string(), settings);
    FolderMeshes meshes(path.parent_path());
    scene::checkGeometry(parsed.scene, meshes, parsed.issues);
    return parsed;
}

scene::Scene readScene(const fs::path& path, const std::vector<std::string>& settings) {
    scene::ParsedScene parsed = examineScene(path, settings);
    parsed.issues.throwIfFailed();
    return std::move(parsed.scene);
}

void writeScene(const scene::Scene& scene, const fs::path& path) { writeFileAtomically(path, scene::sceneText(scene)); }

sim::SimulationSetup setupFrom(const scene::Scene& scene, const fs::path& path) {
    FolderMeshes meshes(path.parent_path());
    return scene::buildSetup(scene, meshes, path.string());
}

bool isSceneFile(const fs::path& path) { return equalIgnoringCase(path.extension().string(), ".json"); }

}  // namespace sunder
