#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "io/looks/camera.h"
#include "io/recording/recording_looks.h"
#include "io/recording/recording_reader.h"
#include "math/box.h"

namespace sunder {

/// What a recording shows, for all who draw it, export it or put it into a page: bodies as they are known when it is
/// made, how its own scene wants them seen, and frame by frame where they are. It adds nothing of its own: who wants
/// another camera or tolerance has it beside this.
class RecordingView {
public:
    /// Reads the bodies there are by now. The recording outlives the view.
    explicit RecordingView(RecordingReader& recording);

    RecordingReader& recording() const { return recording_; }  // for what the view does not show

    const std::vector<RecordedBody>& bodies() const { return bodies_; }     // all that ever lived, by number
    const RecordedBody& body(uint32_t id) const { return bodies_.at(id); }  // std::out_of_range: none of bodies()
    /// The body of the scene it was part of.
    const RecordedBody& rootOf(const RecordedBody& body) const { return bodies_.at(body.root); }

    const RecordingLooks& looks() const { return looks_; }           // by material
    const std::optional<Camera>& camera() const { return camera_; }  // of the scene; nothing: all is to be seen
    const Vec3& light() const { return light_; }                     // direction towards it, of any length
    const Backdrop& backdrop() const { return backdrop_; }           // the scene's, or the usual one

    /// The poses of all bodies that live in a frame, ascending. Throws InputError when one of them is none of bodies().
    std::vector<RecordedPose> poses(uint64_t frame) const;
    /// Says which bodies count; empty: all.
    using Chosen = std::function<bool(const RecordedBody&)>;
    /// The corners of the boxes of the bodies there that have a surface: what a picture of that frame should hold.
    std::vector<Vec3> corners(uint64_t frame, const Chosen& chosen = {});

    /// What every picture of the run should hold: what moves as it begins, where it breaks first, and where the first
    /// pieces go; without a break what moves through the whole run. Not the last splinter, and nothing that begins far
    /// from all else.
    std::vector<Vec3> action();
    /// The scene's own camera, or one that all pictures, films and replays share: it looks at the action.
    Camera usualCamera(const PictureSize& size);

private:
    /// As corners(), of what moves; of a scene in which nothing does, of everything.
    std::vector<Vec3> movingCorners(uint64_t frame);
    const Box3& boxOf(int64_t mesh);  // in the mesh's coordinates

    RecordingReader& recording_;
    std::vector<RecordedBody> bodies_;
    RecordingLooks looks_;
    std::optional<Camera> camera_;
    Vec3 light_;
    Backdrop backdrop_;
    std::map<int64_t, Box3> boxes_;            // by mesh
    std::optional<std::vector<Vec3>> action_;  // once it was asked for
};

}  // namespace sunder
