#pragma once

#include <functional>
#include <span>
#include <vector>

#include "io/exports/export_content.h"

namespace sunder {

/// Where one body was, frame by frame.
struct PoseTrack {
    const RecordedBody* body = nullptr;  // lent by the content
    uint64_t first = 0;                  // frame
    std::vector<Vec3> positions;         // of its centre of mass, m, world
    std::vector<Quat> rotations;         // from the mesh's coordinates to the world
};

/// The tracks of all bodies, by and by: as many at a time as fit into `budget` bytes, at least one. Each time the
/// recording is read anew, so memory does not grow with its length.
void forEachTracks(const ExportContent& content, const std::function<void(std::span<const PoseTrack>)>& use,
                   Progress& progress, size_t budget = size_t{128} << 20);

/// The frames (from 0) between which straight lines miss no position by more than the tolerance (m). Frame 0 is one of
/// them; it alone when nothing moves. After the last one the body stays where it is.
std::vector<uint32_t> positionKeys(std::span<const Vec3> positions, double tolerance);
/// The same for rotations, both for interpolation at constant speed (slerp: glTF, USD) and for that of components
/// (Blender's curves). `tolerance`: angle, rad.
std::vector<uint32_t> rotationKeys(std::span<const Quat> rotations, double tolerance);

/// With signs such that components can be interpolated too.
std::vector<Quat> rotationsAt(const PoseTrack& track, std::span<const uint32_t> keys);

/// The keys of one body.
struct TrackKeys {
    std::vector<uint32_t> positions, rotations;  // indices into the track's own, ascending, 0 among them
};
/// Keys with which no vertex is further than the tolerance (m) from where it was in any frame. `radius`: of the
/// farthest vertex from the centre of mass, m.
TrackKeys keysOf(const PoseTrack& track, double tolerance, double radius);

}  // namespace sunder
