#pragma once

#include <cstddef>
#include <cstdint>

/// The inner loops of field contacts, eight points side by side, compiled twice like those of kernels.h. Plain data
/// only.
namespace sunder::dynamics::detail {

/// A compact field, lengths in metres in the lattice's frame.
struct FieldArrays {
    const int16_t* counts = nullptr;
    int32_t points[3] = {0, 0, 0};
    float cellSize = 1;
    float unit = 1;            // m per count
    float low[3] = {0, 0, 0};  // box of the solid
    float high[3] = {0, 0, 0};
};

/// Planes of a convex solid grown by a radius, or, without planes, a segment grown by it.
struct ConvexArrays {
    const float* planes = nullptr;  // normal and offset of each
    int32_t planeCount = 0;
    int32_t planeStride = 4;                             // floats from one to the next
    float end[3] = {0, 0, 0}, direction[3] = {0, 0, 0};  // of the segment
    float inverseSquaredLength = 0;                      // 0: a point
    float radius = 0;
};

/// Points in eights, x[8] y[8] z[8], one cluster after the other.
struct PointArrays {
    const float* clusters = nullptr;
    int32_t clusterCount = 0;
    const float* balls = nullptr;  // x[8] y[8] z[8] radius[8] for eight clusters, or null: nothing is culled
};

/// Takes the points to the frame of the field or of the convex solid, m.
struct Placement {
    float rotation[9];  // rows
    float translation[3];
};

/// A point within reach of a surface.
struct FieldHit {
    uint32_t index = 0;             // 8 * cluster + lane
    float value = 0;                // distance, m
    float gradient[3] = {0, 0, 0};  // unit, away from the surface, frame of the field; zero where there is none
    float sureness = 0;  // length of the field's gradient before: about 1 on smooth parts, less at edges inside
};

struct FieldHits {
    FieldHit* hits = nullptr;  // room for all points
    size_t count = 0;
    float bound = 3e38f;  // m: no point is nearer than this
};

struct FieldKernels {
    void (*inField)(const FieldArrays& field, const PointArrays& points, const Placement& fieldFromPoints, float reach,
                    FieldHits& out);
    void (*inConvex)(const ConvexArrays& convex, const PointArrays& points, const Placement& convexFromPoints,
                     float reach, FieldHits& out);
};

/// The best for this machine.
const FieldKernels& fieldKernels();
const FieldKernels& portableFieldKernels();

}  // namespace sunder::dynamics::detail
