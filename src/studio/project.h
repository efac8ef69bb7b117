#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "io/files/file_lock.h"
#include "scene/mesh_source.h"
#include "studio/json.h"

namespace sunder::studio {

/// What was not saved when Studio ended.
struct Recovery {
    std::string text;  // of the scene
    int64_t time = 0;  // s since 1970
    uint64_t edits = 0;
};

/// By its name: a volume of strengths (.nrrd).
bool isVolumeFile(const std::filesystem::path& path);

/// The folder that Studio works in. Whatever the browser names is looked for in here and nowhere else: a path that
/// leaves the folder, by itself or through a link, is refused. What Studio keeps for itself is in the folder .sunder,
/// which the browser cannot name.
class Project {
public:
    static constexpr const char* kOwnFolder = ".sunder";
    static constexpr size_t kMostRecent = 20, kMostListed = 5000;

    /// Throws InputError when there is no such folder, or another Studio works in it.
    explicit Project(const std::filesystem::path& folder);

    const std::filesystem::path& folder() const { return folder_; }  // without links
    /// Where `path`, as the browser says it, is. There may be no such file. Throws InputError.
    std::filesystem::path resolve(const std::string& path) const;
    /// ... of a file that must be there.
    std::filesystem::path existing(const std::string& path) const;
    /// How the browser would say it. It must be in the folder.
    std::string nameOf(const std::filesystem::path& path) const;

    /// A place of Studio's own; its folder is made.
    std::filesystem::path own(const std::string& name) const;

    /// {folder, parent, folders, scenes, recordings, meshes, volumes}, names ascending.
    Json list(const std::string& folder) const;

    Json recent() const;  // [{path, time}], the last one first; those that are still there
    void remember(const std::filesystem::path& path) const;

    /// Kept by the name of the scene; empty for one that has none.
    void keepUnsaved(const std::string& scene, const std::string& text, uint64_t edits) const;
    void forgetUnsaved(const std::string& scene) const;
    /// Newer than the scene's file, that is.
    std::optional<Recovery> unsaved(const std::string& scene) const;

private:
    std::filesystem::path autosaveOf(const std::string& scene) const;

    std::filesystem::path folder_;
    std::unique_ptr<FileLock> lock_;
};

/// The meshes and volumes that a scene names, relative to its folder, as long as they are in the project.
class ProjectMeshes : public scene::MeshSource {
public:
    ProjectMeshes(const Project& project, std::filesystem::path sceneFolder)
        : project_(project), sceneFolder_(std::move(sceneFolder)) {}
    TriMesh read(const std::string& file) override;
    fracture::VolumeTexture readVolume(const std::string& file) override;
    /// Changes when the file does; empty when there is none.
    std::string stampOf(const std::string& file) const;

private:
    /// `kind`, for messages: mesh or volume.
    std::filesystem::path find(const std::string& file, const char* kind) const;
    /// ... of a file that must be there.
    std::filesystem::path existing(const std::string& file, const char* kind) const;

    const Project& project_;
    std::filesystem::path sceneFolder_;
};

}  // namespace sunder::studio
