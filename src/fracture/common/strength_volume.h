#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "geometry/mesh/tri_mesh.h"
#include "math/vec.h"

namespace sunder::fracture {

/// Where the samples of a lattice are.
struct LatticePlacement {
    Vec3 origin = Vec3::Zero();     // m, of the first sample
    Mat3 steps = Mat3::Identity();  // m; column k: from a sample to the next along axis k
};

/// Strength on a lattice, as a file has it.
struct VolumeTexture {
    static constexpr size_t kMostSamples = size_t{512} * 512 * 512;  // readers refuse files of more
    static constexpr double kStrongest = 1000;                       // times the material's strength

    Int3 count{1, 1, 1};                        // samples along each axis
    std::vector<float> values;                  // 1 as the material says; the first axis runs fastest
    std::optional<LatticePlacement> placement;  // in the body's coordinates; absent: it spans the body's box
    bool samplesAtEnds = false;  // spanning a box: the first and last lie on its sides, rather than half a step inside

    /// As the file says, or spread over a box.
    LatticePlacement placementIn(const Box3& box) const;
};

/// A volume texture put into a body.
class StrengthVolume {
public:
    /// The placement's steps span space.
    StrengthVolume(std::shared_ptr<const VolumeTexture> texture, const LatticePlacement& placement);

    /// Between the samples trilinear; beyond the lattice as at its nearest point.
    double at(const Vec3& point) const;
    /// Hash of the samples and the placement.
    uint64_t contentHash() const;

private:
    std::shared_ptr<const VolumeTexture> texture_;
    LatticePlacement placement_;
    Mat3 inverse_;  // samples per m
};

}  // namespace sunder::fracture
