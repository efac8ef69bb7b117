#pragma once

#include <cstdint>
#include <vector>

#include "geometry/mesh/tri_mesh.h"

namespace sunder {

struct SurfaceSample {
    TriangleIndex triangle = kNone<TriangleIndex>;
    Vec3 barycentric = Vec3::Zero();  // sums to 1
    Vec3 point = Vec3::Zero();        // m
    Vec3 normal = Vec3::Zero();       // of the triangle, unit
};

enum class SampleSpread {
    Random,    // independent of each other
    BlueNoise  // evenly apart: four times as many random ones, then the most crowded are removed [yuksel2015]
};

struct SamplingOptions {
    size_t count = 1000;
    uint64_t seed = 0;
    /// 0: samples per area alone; 1: all where the surface bends, by how much its edges fold times their length.
    double curvatureShare = 0;
    SampleSpread spread = SampleSpread::Random;
};

/// Seeded points on a surface; sample i depends on the seed and i alone (before thinning). Nothing for a surface
/// without area.
std::vector<SurfaceSample> sampleSurface(const TriMesh& mesh, const SamplingOptions& options);

/// The probability of each triangle, as used by sampleSurface; sums to 1, or all zero without area.
IndexedVector<TriangleIndex, double> sampleDensity(const TriMesh& mesh, double curvatureShare);

}  // namespace sunder
