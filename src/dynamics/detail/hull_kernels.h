#pragma once

#include <cstddef>
#include <cstdint>

/// The inner loops of the separating axis test, eight lanes wide, compiled twice: for AVX2 and for any machine. Both
/// give the same bits. Plain data only, so that nothing compiled for AVX2 can leak to machines without it.
namespace sunder::dynamics::detail {

/// A hull as the separating axis test wants it; arrays padded to eights.
struct HullArrays {
    int vertices = 0;  // padded
    const float *x = nullptr, *y = nullptr, *z = nullptr;
    int faces = 0;
    const float* planes = nullptr;  // normal and offset of each face
    int planeStride = 4;            // floats from one to the next
    int edges = 0;                  // true count
    int paddedEdges = 0;            // to eights
    // a point of the edge; its direction d; the normals of its two faces, with n1 x n2 along d
    const float *ex = nullptr, *ey = nullptr, *ez = nullptr, *dx = nullptr, *dy = nullptr, *dz = nullptr;
    const float *n1x = nullptr, *n1y = nullptr, *n1z = nullptr, *n2x = nullptr, *n2y = nullptr, *n2z = nullptr;
};

enum class SatFeature : uint32_t { FaceOfA, FaceOfB, Edges };

struct SatResult {
    float separation = 0;       // m, along the axis; negative: overlap
    float axis[3] = {0, 0, 0};  // unit, from A to B
    SatFeature feature = SatFeature::FaceOfA;
    int indexA = 0, indexB = 0;  // face, or edge of each
};

struct HullKernels {
    const char* name;
    /// Arrays of both in one frame, whose origin is inside A. The axis of largest separation; faces of B must beat
    /// faces of A, and edges faces, by `preference` (m), so that the choice does not flicker.
    SatResult (*sat)(const HullArrays& a, const HullArrays& b, float reach, float preference);
    /// How far B lies beyond A along a unit axis: least of B minus greatest of A.
    float (*separationAlong)(const HullArrays& a, const HullArrays& b, const float axisA[3], const float axisB[3],
                             float offset);
};

/// The best for this machine.
const HullKernels& hullKernels();
const HullKernels& portableHullKernels();

}  // namespace sunder::dynamics::detail
