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

/// An empty file under a name that nothing has; false when something does. Throws InputError when it cannot be made.
bool makeFile(const std::filesystem::path& path);

/// By its name: a volume of strengths (.nrrd).
bool isVolumeFile(const std::filesystem::path& path);

/// The folder that Studio works in. Whatever the browser names is looked for in here and nowhere else: a path that
/// leaves the folder, by itself or through a link, is refused. What Studio keeps for itself is in the folder .sunder,
/// which the browser cannot name, and in which links, pipes and devices are refused: somebody else put them there.
class Project {
public:
    static constexpr const char* kOwnFolder = ".sunder";
    static constexpr const char* kUnfinished = "unfinished.sunder";  // of it
    static constexpr size_t kMostRecent = 20, kMostListed = 5000;
    static constexpr int kMostOwnFiles = 100000;  // of one kind

    /// Throws InputError when there is no such folder, or another Studio works in it.
    explicit Project(const std::filesystem::path& folder);

    const std::filesystem::path& folder() const { return folder_; }  // without links
    /// Where `path`, as the browser says it, is. There may be no such file. Throws InputError.
    std::filesystem::path resolve(const std::string& path) const;
    /// ... of a file that must be there.
    std::filesystem::path existing(const std::string& path) const;
    /// How the browser would say it. It must be in the folder.
    std::string nameOf(const std::filesystem::path& path) const;

    /// A place for a file of Studio's own; its folder is made. Throws InputError when anything but folders is on the
    /// way, or anything but a file at its end.
    std::filesystem::path own(const std::string& name) const;
    /// A folder of Studio's own, made when there is none. Throws InputError likewise.
    std::filesystem::path ownFolder(const std::string& name) const;
    /// The files in such a folder, ascending; whatever else is there is passed over. None when it cannot be read.
    std::vector<std::filesystem::path> ownFiles(const std::string& folder) const;
    /// A place for a file of Studio's own, with a number that nothing has yet. Throws InputError.
    std::filesystem::path newOwn(const std::string& folder, const std::string& stem) const;
    /// Takes away what a save of this file left behind that was killed.
    void removePartsOf(const std::filesystem::path& path) const;

    /// {folder, parent, folders, scenes, recordings, meshes, volumes}, names ascending.
    Json list(const std::string& folder) const;

    /// [{path, time}], the last one first; those that are still there. None when the list cannot be read.
    Json recent() const;
    /// Why it could not be remembered; empty: it was. Nothing else depends on it.
    std::string remember(const std::filesystem::path& path) const;

private:
    std::filesystem::path ownPlace(const std::string& name, std::filesystem::file_type wanted) const;
    /// What a program that was killed left behind.
    void tidy() const;

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
