#pragma once

#include <cstdint>
#include <vector>

#include "geometry/mesh/tri_mesh.h"

namespace sunder {

/// One of the points that sampleSurface() chose.
struct SurfaceSample {
    TriangleIndex triangle = kNone<TriangleIndex>;  // in which it lies
    Vec3 barycentric = Vec3::Zero();                // sums to 1
    Vec3 point = Vec3::Zero();                      // m
    Vec3 normal = Vec3::Zero();                     // of the triangle, unit
};

/// How samples lie beside each other.
enum class SampleSpread {
    Random,    // independent of each other
    BlueNoise  // evenly apart: four times as many random ones, then the most crowded are removed [yuksel2015]
};

/// How many samples there are, and where.
struct SamplingOptions {
    size_t count = 1000;  // exactly so many where there is any area
    uint64_t seed = 0;    // other seeds, other samples
    /// 0: samples per area alone; 1: all where the surface bends, by how much its edges fold times their length.
    double curvatureShare = 0;
    SampleSpread spread = SampleSpread::Random;  // independent, or evenly apart
};

/// Seeded points on a surface; sample i depends on the seed and i alone (before thinning). Nothing for a surface
/// without area.
std::vector<SurfaceSample> sampleSurface(const TriMesh& mesh, const SamplingOptions& options);

/// The probability of each triangle, as used by sampleSurface; sums to 1, or all zero without area.
IndexedVector<TriangleIndex, double> sampleDensity(const TriMesh& mesh, double curvatureShare);

}  // namespace sunder
