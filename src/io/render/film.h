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
    uint32_t body = 0;             // in the recording
    size_t look = 0;               // in Film::looks
    RigidTransform worldFromMesh;  // m
};

/// Everything below it is solid, without end.
struct FilmPlane {
    Vec3 point = Vec3::Zero();  // m, any of the plane
    Vec3 normal{0, 1, 0};       // unit, away from the solid
    size_t look = 0;            // in Film::looks
};

/// What is to be drawn of a frame.
struct FilmFrame {
    std::vector<FilmBody> bodies;   // with a mesh, ascending
    std::vector<FilmPlane> planes;  // half-spaces, which have none
};

/// A material as files for other programs have it.
struct NamedLooks {
    std::string name;  // of the material
    Looks looks;       // outside and inside
};

/// Which frames of a recording are drawn, and what is other than the scene wants it.
struct FilmOptions {
    std::vector<uint64_t> frames;          // that are to be seen, ascending
    PictureSize size{1280, 720};           // of every picture
    std::optional<Camera> camera;          // instead of the scene's
    std::optional<Vec3> direction;         // of view: all is seen from there
    std::vector<std::string> highlighted;  // bodies that are green, and their fragments
};

/// A recording as its own scene wants it seen: its camera and light, the looks of its materials, its floor where it is.
/// A scene that does not say from where it is to be seen is framed so that the action fits; bodies of a recording
/// without a scene have quiet colours of their own. Camera and light stay as they are through all frames.
class Film {
public:
    /// Chooses looks and camera: RecordingView::usualCamera() unless told otherwise. The recording outlives the film.
    Film(RecordingReader& recording, FilmOptions options);

    const FilmOptions& options() const { return options_; }                     // as they were given
    const Camera& camera() const { return camera_; }                            // of all frames
    const Vec3& light() const { return view_.light(); }                         // direction towards it
    const Backdrop& backdrop() const { return view_.backdrop(); }               // behind everything
    const std::vector<NamedLooks>& looks() const { return looks_; }             // that bodies have, each once
    const std::vector<RecordedBody>& bodies() const { return view_.bodies(); }  // all that ever lived, by number
    size_t lookOf(uint32_t body) const { return lookOfBody_[body]; }            // in looks(); body: one of bodies()

    /// What is there in a frame. Throws InputError when there is no such frame.
    FilmFrame frame(uint64_t number);
    /// The mesh of a body that has one, with normals.
    TriMesh mesh(uint32_t body) const;
    RecordingReader& recording() { return view_.recording(); }  // that it was made from

private:
    void findLooks();

    RecordingView view_;
    FilmOptions options_;
    std::vector<NamedLooks> looks_;
    std::vector<size_t> lookOfBody_;
    Camera camera_;
};

}  // namespace sunder
