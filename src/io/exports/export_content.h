#pragma once

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "io/exports/exporter.h"
#include "io/recording/frame_range.h"
#include "io/recording/recording_view.h"

namespace sunder {

/// One surface of a material, as other programs will list it.
struct ExportedMaterial {
    std::string name;     // "stone", "stone_inside"; no two alike
    std::string base;     // "stone", of both
    bool inside = false;  // of what breaking laid open
    Look look;            // colours linear
};

/// The materials that bodies use, numbered in order of first use.
class MaterialTable {
public:
    /// Empty at first. The looks outlive it.
    explicit MaterialTable(const RecordingLooks& looks) : looks_(looks) {}

    /// `root`: the body of the scene that `body` was part of; it lends its name to a material without one.
    /// `meshMaterial`: what the mesh itself calls it; empty where it does not.
    size_t number(const RecordedBody& body, const RecordedBody& root, const std::string& meshMaterial, bool inside);
    const std::vector<ExportedMaterial>& all() const { return materials_; }  // by number, so far

    /// Equal for bodies whose materials are the same. By root where the scene says nothing.
    using Key = std::pair<std::string, uint32_t>;
    /// What bodies are compared by; gives the material no number.
    Key keyOf(const RecordedBody& body) const;

private:
    std::string freshName(std::string wanted) const;

    const RecordingLooks& looks_;
    std::map<std::pair<Key, std::string>, std::string> bases_;  // by key and the mesh's name for it
    std::map<std::pair<std::string, bool>, size_t> numbers_;
    std::vector<ExportedMaterial> materials_;
};

/// When a body is there, within the frames that are exported.
struct Life {
    uint64_t from = 0, until = 0;  // frames; `until` is the first without it
    bool appears = false;          // after the first frame
    bool disappears = false;       // in or before the last frame
};

/// What there is to export: all bodies that are seen in some of the frames, their surfaces and materials, camera,
/// light.
class ExportContent {
public:
    /// Reads bodies, looks and the first frame; nothing of the others. The recording outlives the content. Throws
    /// InputError for frames or a tolerance that cannot be had.
    ExportContent(RecordingReader& recording, const ExportOptions& options);

    RecordingReader& recording() const { return view_.recording(); }  // for what only some exporters want
    std::vector<RecordedPose> poses(uint64_t frame) const { return view_.poses(frame); }  // ascending by body
    FrameRange frames() const { return frames_; }                                         // that are exported
    double dt() const { return dt_; }                                                     // s
    double framesPerSecond() const;                  // a whole number if it is one but for rounding
    double tolerance() const { return tolerance_; }  // m, how far surfaces may be from where they were

    /// Ascending. Those who broke within the frame of their birth were never seen.
    const std::vector<RecordedBody>& bodies() const { return seen_; }
    /// Any body of the recording: parents may be gone before the first frame.
    const RecordedBody& body(uint32_t id) const { return view_.body(id); }
    /// The body of the scene that a fragment was part of; a body of the scene is its own.
    const RecordedBody& rootOf(const RecordedBody& body) const { return view_.rootOf(body); }
    /// UTF-8 and its own among bodies(): one that cracked in one piece is followed by another of the same name,
    /// "brick_2".
    std::string nameOf(const RecordedBody& body) const;
    Life lifeOf(const RecordedBody& body) const;  // of one of bodies()

    /// Equal for bodies whose surfaces are the same, also relative to the centre of mass.
    using SurfaceKey = std::pair<int64_t, std::array<double, 3>>;
    /// Exporters make a surface once for all bodies with this key.
    static SurfaceKey surfaceKey(const RecordedBody& body);
    /// With normals, in the mesh's coordinates. A half-space is a large square, somewhat larger than what stands on it.
    TriMesh meshOf(const RecordedBody& body) const;
    /// The material of each triangle.
    std::vector<size_t> materialsOf(const RecordedBody& body, const TriMesh& mesh);
    /// Those that materialsOf() met so far, by number.
    const std::vector<ExportedMaterial>& materials() const { return materials_.all(); }
    /// Equal for bodies of one material.
    MaterialTable::Key materialKey(const RecordedBody& body) const { return materials_.keyOf(body); }

    Camera camera() const { return camera_; }  // of a picture that is kPictureAspect times as wide as high
    Vec3 light() const { return light_; }      // unit, towards it

private:
    void findBounds();

    FrameRange frames_;  // asked for before the bodies: a run that goes on adds to both
    RecordingView view_;
    double dt_ = 0, tolerance_ = 0;
    std::vector<RecordedBody> seen_;
    std::map<uint32_t, std::string> names_;  // of seen_, by id
    MaterialTable materials_;
    Box3 bounds_;                // of what is there in the first frame, m
    std::vector<Vec3> corners_;  // of the boxes of the bodies there
    RigidTransform ground_;      // of the first half-space
    Camera camera_;
    Vec3 light_;
};

inline constexpr double kPictureAspect = 16.0 / 9;  // width over height of the picture that a camera is exported for

/// How far the farthest vertex is from a point, m.
double radiusAbout(const TriMesh& mesh, const Vec3& centre);

/// Looks along -Z, Y is up: the camera of glTF and USD.
RigidTransform worldFromCamera(const Camera& camera);
/// Shines along -Z: the light of glTF and USD. `towards`: it, from everywhere.
Quat worldFromSun(const Vec3& towards);

}  // namespace sunder
