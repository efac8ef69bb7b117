#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "io/recording/recording_view.h"
#include "io/render/pov.h"

namespace sunder {

/// One body as it is in a frame.
struct FilmBody {
    uint32_t body = 0;  // in the recording
    size_t look = 0;    // in Film::looks
    RigidTransform worldFromMesh;
};

/// Everything below it is solid, without end.
struct FilmPlane {
    Vec3 point = Vec3::Zero();
    Vec3 normal{0, 1, 0};  // unit, away from the solid
    size_t look = 0;       // in Film::looks
};

struct FilmFrame {
    std::vector<FilmBody> bodies;
    std::vector<FilmPlane> planes;
};

struct NamedLooks {
    std::string name;  // of the material
    Looks looks;
};

struct FilmOptions {
    std::vector<uint64_t> frames;  // that are to be seen, ascending; they decide where a camera of its own stands
    PictureSize size{1280, 720};
    std::optional<Camera> camera;          // instead of the scene's
    std::optional<Vec3> direction;         // of view: all is seen from there
    std::vector<std::string> highlighted;  // bodies that are green, and their fragments
};

/// A recording as its own scene wants it seen: its camera and light, the looks of its materials, its floor where it is.
/// A scene that does not say from where it is to be seen is framed so that the action fits; bodies of a recording
/// without a scene have quiet colours of their own. Camera and light stay as they are through all frames.
class Film {
public:
    Film(RecordingReader& recording, FilmOptions options);

    const FilmOptions& options() const { return options_; }
    const Camera& camera() const { return camera_; }
    const Vec3& light() const { return view_.light(); }  // direction towards it
    const Backdrop& backdrop() const { return view_.backdrop(); }
    const std::vector<NamedLooks>& looks() const { return looks_; }
    const std::vector<RecordedBody>& bodies() const { return view_.bodies(); }
    size_t lookOf(uint32_t body) const { return lookOfBody_[body]; }

    FilmFrame frame(uint64_t number);
    /// The mesh of a body that has one, with normals.
    TriMesh mesh(uint32_t body) const;
    RecordingReader& recording() { return view_.recording(); }

private:
    void findLooks();
    /// Points that should be in the picture.
    std::vector<Vec3> action();

    RecordingView view_;
    FilmOptions options_;
    std::vector<NamedLooks> looks_;
    std::vector<size_t> lookOfBody_;
    Camera camera_;
};

}  // namespace sunder
