#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <vector>

#include "io/recording/recording_reader.h"
#include "math/box.h"

namespace sunder {

/// Where vertices may be. Meshes whose bodies came from one another share a lattice, so that the crack faces of
/// neighbours have the same vertices on it, bit for bit.
struct ReplayLattice {
    Vec3 origin = Vec3::Zero();  // m
    double step = 1;             // m
};

struct ReplayMesh {
    int64_t id = 0;      // in the recording
    size_t lattice = 0;  // index
    size_t vertices = 0, triangles = 0;
    size_t outside = 0;  // so many triangles come first; the others were made by cracks
    Box3 box;            // in the mesh's coordinates, m
};

/// Meshes of a replay, each once.
struct ReplayMeshes {
    std::vector<ReplayLattice> lattices;
    std::vector<ReplayMesh> meshes;
    std::map<int64_t, size_t> indexOf;  // by the recording's id
    /// Three signed numbers per vertex: steps from the one before it; the first of a mesh from the origin.
    std::vector<std::byte> vertices;
    /// Three signed numbers per triangle: each index minus the one before it; the first of a mesh minus 0.
    std::vector<std::byte> triangles;
};

/// Steps across a lattice, along its longest side.
inline constexpr double kReplayLatticeSteps = 65535;

/// The meshes of the bodies given. Triangles without area on the lattice are left out.
ReplayMeshes replayMeshes(const RecordingReader& recording, std::span<const RecordedBody> bodies);

}  // namespace sunder
