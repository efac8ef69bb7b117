#pragma once

#include <cstddef>
#include <cstdint>

/// The inner loops, eight lanes wide, compiled twice: for AVX2 and for any machine. Both give the same bits. Plain data
/// only, so that nothing compiled for AVX2 can leak to machines without it.
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

/// What the sweeps read and write of a body: one cache line.
struct alignas(64) SolverBody {
    float velocity[3];  // m/s
    float angular[3];   // rad/s
    float pad0[2];
    float displacement[3];  // m, since the start of the frame, pushes included
    float rotation[3];      // rad, sum of small rotations since the start of the frame
    float pad1[2];
};

/// How far a body was pushed apart from others, beyond what its velocity moved it. Part of displacement and rotation.
struct alignas(32) SolverPush {
    float displacement[3];  // m
    float rotation[3];      // rad
    float pad[2];
};

/// Eight manifolds that share no dynamic body. Sign convention: impulses act on B along the normal, on A against it.
struct alignas(32) WideManifold {
    int32_t a[8], b[8];        // bodies
    int32_t writesA, writesB;  // bits of lanes whose body is dynamic
    int32_t pointCount;        // the most any lane has
    int32_t hasRolling;
    float change;  // by the last visit: sum of squared normal velocity corrections, m^2/s^2
    float invMassA[8], invMassB[8];
    float invInertiaA[6][8], invInertiaB[6][8];  // world, xx yy zz xy yz zx
    float normal[3][8], tangent[3][8];           // the second tangent is normal x tangent
    float friction[8];
    float movesWithA[8];               // 1: the points of contact travel with A, 0: with B
    float shiftA[3][8], shiftB[3][8];  // sum of (how far the body had moved) x impulse, N m s
    float fromAToB[3][8];              // what to add to a lever arm of A to get that of B: centre A - centre B
    float softness[8];                 // m: overlap that is left alone
    float pushLimit[8];                // m, the most a point is pushed apart per sweep

    // friction acts in the middle of the points
    float middle[3][8];       // lever arm of A
    float tangentMass[3][8];  // inverse of the 2x2 matrix: 11, 12, 22
    float slideMass[8];       // at most the least mass in any tangential direction
    float twistMass[8];
    float twistRadius[8];         // m: torque about the normal <= friction * twistRadius * normal force
    float frictionImpulse[3][8];  // along both tangents, and twist
    float frictionPrevious[3][8];
    float frictionStart[3][8];  // what the next substep starts from
    float frictionTotal[3][8];  // over the substeps
    float rolling[8];           // m
    float rollingMass[8];       // of the torque across the normal, same in all directions
    float rollingImpulse[3][8];
    float rollingPrevious[3][8];
    float rollingStart[3][8];
    float rollingTotal[3][8];

    struct Point {
        float arm[3][8];      // from A's centre, m
        float separation[8];  // m, at the start of the frame
        float mass[8];        // effective, kg
        float impulse[8];     // of this substep, N s
        float previous[8];    // before the last visit, N s
        float start[8];       // what the next substep starts from, N s
        float total[8];       // over the substeps, N s
    } points[4];
};

struct SweepSettings {
    float h = 0;            // s, substep
    float inverseH = 0;     // 1/s
    float pushRate = 0.3f;  // share of an overlap that is removed per sweep
    int32_t rounds = 3;     // over the points of a manifold, per visit
    int32_t friction = 1;
    int32_t push = 1;
    float momentum = 0;  // share of the last change that is made again before the visit
    int32_t first = 1;   // of the substep: impulses start anew
    int32_t last = 1;    // of the substep: impulses are added to the totals
};

struct Kernels {
    const char* name;
    /// Arrays of both in one frame, whose origin is inside A. The axis of largest separation; faces of B must beat
    /// faces of A, and edges faces, by `preference` (m), so that the choice does not flicker.
    SatResult (*sat)(const HullArrays& a, const HullArrays& b, float reach, float preference);
    /// How far B lies beyond A along a unit axis: least of B minus greatest of A.
    float (*separationAlong)(const HullArrays& a, const HullArrays& b, const float axisA[3], const float axisB[3],
                             float offset);
    /// After the last sweep of a substep: counts its impulses. `keep`: how fast those that the next one starts from
    /// follow.
    void (*addToTotals)(WideManifold* groups, size_t count, const SolverBody* bodies, float keep);
    void (*sweep)(WideManifold* groups, size_t count, SolverBody* bodies, SolverPush* pushes,
                  const SweepSettings& settings);
};

/// The best for this machine.
const Kernels& kernels();
const Kernels& portableKernels();

}  // namespace sunder::dynamics::detail
