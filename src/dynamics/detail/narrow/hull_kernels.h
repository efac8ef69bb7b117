#pragma once

#include <cstddef>
#include <cstdint>

/// The inner loops of the separating axis test, eight lanes wide, compiled twice: for AVX2 and for any machine. Both
/// give the same bits. Plain data only, so that nothing compiled for AVX2 can leak to machines without it.
namespace sunder::dynamics::detail {

/// Corners of a hull, padded to eights.
struct CornerArrays {
    int padded = 0;
    const float *x = nullptr, *y = nullptr, *z = nullptr;
};

/// Normal and offset of each face.
struct PlaneArrays {
    int count = 0;
    const float* values = nullptr;
    int stride = 4;  // floats from one to the next
};

/// Edges of a hull, padded to eights: a point, the direction d to the other end, and the normals of the two faces, with
/// n1 x n2 along d.
struct EdgeArrays {
    int count = 0, padded = 0;
    const float *x = nullptr, *y = nullptr, *z = nullptr, *dx = nullptr, *dy = nullptr, *dz = nullptr;
    const float *n1x = nullptr, *n1y = nullptr, *n1z = nullptr, *n2x = nullptr, *n2y = nullptr, *n2z = nullptr;
};

/// A ball inside a solid, from which follows how far the solid can be away at most.
struct InnerBall {
    float centre[3] = {0, 0, 0};
    float radius = 0;
};

struct FarthestFace {
    int face = -1;         // none
    float separation = 0;  // m
};

struct FarthestEdges {
    int a = -1, b = -1;         // none
    float separation = 0;       // m
    float axis[3] = {0, 0, 0};  // unit, from A to B
};

struct HullKernels {
    const char* name;
    /// The face that the other solid's corners lie farthest beyond, if by more than `least`. The first one by more than
    /// `reach` ends the search.
    FarthestFace (*farthestFace)(const PlaneArrays& planes, const CornerArrays& other, const InnerBall& inOther,
                                 float least, float reach);
    /// Writes which edges may have an axis along which the other solid lies more than `least` away; returns how many.
    int (*edgesTowards)(const EdgeArrays& edges, const InnerBall& inOther, float least, uint32_t* found);
    /// The pair of edges whose common normal has the largest separation, if it is more than `least`. Both in one frame,
    /// whose origin is inside A.
    FarthestEdges (*farthestEdges)(const EdgeArrays& a, const EdgeArrays& b, float least);
    /// How far B lies beyond A along a unit axis: least of B minus greatest of A.
    float (*separationAlong)(const CornerArrays& a, const CornerArrays& b, const float axisA[3], const float axisB[3],
                             float offset);
};

/// The best for this machine.
const HullKernels& hullKernels();
const HullKernels& portableHullKernels();

}  // namespace sunder::dynamics::detail
