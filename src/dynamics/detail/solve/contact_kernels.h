#pragma once

#include <cstddef>
#include <cstdint>

/// The inner loops of the contact solver, eight lanes wide, compiled twice: for AVX2 and for any machine. Both give the
/// same bits. Plain data only, so that nothing compiled for AVX2 can leak to machines without it.
///
/// Rows: eight floats of one body, a velocity or displacement (3), an angular velocity or rotation (3), and two that
/// mean nothing.
namespace sunder::dynamics::detail {

struct alignas(32) BodyRow {
    float row[8];
};

/// What the sweeps read and write of the bodies.
struct SolverRows {
    BodyRow* velocity = nullptr;      // m/s, rad/s
    BodyRow* displacement = nullptr;  // m, rad (sum of small rotations), since the start of the frame
    BodyRow* push = nullptr;          // m, rad: the part of it by which bodies were pushed apart, beyond their velocity
};

/// A body's motion between the stages of a substep.
struct alignas(32) CarriedMotion {
    float acceleration[8];  // row: m/s^2, rad/s^2
    float kicked[8];        // row: velocity after the kick, without contacts
    float added[8];         // row: what contacts added to the velocity; the next substep starts with it
    float last[8];          // row: velocity before the last sweep
};

/// What the frame does not change of a body.
struct alignas(32) BodyConstants {
    float rotation[9];  // world from body, row by row
    float inverseMass;
    float inverseInertia[6];  // world: xx yy zz xy yz zx; zero, as the mass, when contacts cannot move it
    float radius;             // m
    float friction, rollingFriction, restitution;
    float pad[4];
};

/// Eight manifolds that share no mobile body. Impulses act on B along the normal, on A against it.
///
/// A point of contact pushes along the manifold's normal n; with the lever arm r from A's centre it turns A by r x n
/// and B by r x n + lever. So its normal velocity is
///
///     n . (vB - vA) + lever . wB + turn . (wB - wA),    turn = r x n,  lever = (centre A - centre B) x n
///
/// and what an impulse at point j does to the velocity at point i is one number, kept for every two points: visits need
/// no lever arms.
struct alignas(32) WideManifold {
    int32_t a[8], b[8];        // bodies
    int32_t writesA, writesB;  // bits of lanes whose body is mobile
    int32_t firstPoint;
    int32_t pointCount;  // the most any lane has
    int32_t hasRolling;
    float inverseMassA[8], inverseMassB[8];
    float inverseInertiaA[6][8], inverseInertiaB[6][8];  // world, xx yy zz xy yz zx
    float normal[3][8], tangent[3][8];                   // the second tangent is normal x tangent
    float fromAToB[3][8];                                // what to add to a lever arm of A to get that of B

    // friction acts in the middle of the points
    float middle[3][8];  // lever arm of A
    float friction[8];
    float tangentMass[3][8];  // inverse of the 2x2 matrix: 11, 12, 22
    float slideMass[8];       // at most the least mass in any tangential direction
    float twistMass[8];
    float twistRadius[8];         // m: torque about the normal <= friction * twistRadius * normal force
    float frictionImpulse[3][8];  // along both tangents, and twist

    // for the first sweep of a substep
    float frictionStart[3][8];  // what the next substep starts from
    float frictionTotal[3][8];  // over the substeps before this one
    float softness[8];          // m: overlap that is left alone
    float pushLimit[8];         // m, the most a point is pushed apart per substep
};

/// One point of each of eight manifolds.
struct alignas(32) WidePoint {
    float turn[3][8];      // m
    float mass[8];         // effective, kg; 0: no such point
    float response[8];     // 1/kg, of the velocity at this point to an impulse at it
    float coupling[3][8];  // 1/kg, to an impulse at the points before it
    float bias[8];         // m/s: closing this fast the point is just reached in this substep
    float impulse[8];      // of this substep, N s

    // for the first sweep of a substep
    float separation[8];  // m, at the start of the frame
    float start[8];       // what the next substep starts from, N s
    float total[8];       // over the substeps before this one, N s
};

/// What few manifolds, or few sweeps, need.
struct alignas(32) WideRest {
    float pointPrevious[4][8];  // impulses before the last visit
    float frictionPrevious[3][8];
    float rolling[8];      // m
    float rollingMass[8];  // of the torque across the normal, same in all directions
    float rollingImpulse[3][8];
    float rollingStart[3][8];
    float rollingTotal[3][8];
    float rollingPrevious[3][8];
    float movesWithA[8];               // 1: the points of contact travel with A, 0: with B
    float approachSpeed[8];            // m/s, at the start of the frame
    float shiftA[3][8], shiftB[3][8];  // sum of (how far the body had moved) x impulse, N m s
};

/// All groups of a frame. A sweep reads the arrays from front to back.
struct WideArrays {
    WideManifold* groups = nullptr;
    WidePoint* points = nullptr;
    WideRest* rests = nullptr;  // one per group
    float* changes = nullptr;   // one per group: squared corrections of normal velocities by its last visit, m^2/s^2
};

/// What eight lanes are filled from. Unused lanes have no points.
struct LaneSources {
    const float* points[8];   // four times: surface point of A, of B (m, body frames), separation (m), impulse (N s)
    const float* carried[8];  // friction (3, N s, world), twist (N m s), rolling (3, N m s, world), grace (m)
    float normal[3][8];       // from A to B, A's frame
    float apart[3][8];        // centre of A - centre of B, m, world
    float count[8];           // points
    float swept[8];           // 1: the surface points are apart as they will be at impact
};

struct FillSettings {
    float softness = 0;   // of the smaller radius
    float pushLimit = 0;  // of the smaller radius
    float nearShare = 0;  // of the smaller radius: points this much farther than the nearest carry nothing yet
    int32_t warmStart = 1;
    int32_t friction = 1;
};

struct SweepSettings {
    float h = 0;            // s, substep
    float inverseH = 0;     // 1/s
    float pushRate = 0.3f;  // share of an overlap that is removed per substep
    float keep = 0.5f;      // how fast the impulses that a substep starts from follow those it ended with
    int32_t rounds = 4;     // over the points of a manifold, per visit
    int32_t friction = 1;
    int32_t push = 1;
    int32_t first = 1;     // of the substep: impulses start anew
    int32_t count = 0;     // with `first`: those of the last substep are added to the totals before
    int32_t remember = 0;  // impulses before the visit, for the momentum of the next
    float momentum = 0;    // share of the last change that is made again before the visit
};

/// What a group's eight manifolds did in a frame.
struct LaneResults {
    float impulse[3][8];                         // N s, on B
    float moment[3][8];                          // N m s, on B, about the middle
    float momentOnA[3][8], momentOnB[3][8];      // N m s, about the centres; A gets the opposite of its own
    float normalImpulse[8];                      // N s
    float friction[3][8];                        // N s, the part of the impulse that is friction
    float frictionOnA[3][8], frictionOnB[3][8];  // N m s, its part of the moments

    // what the next frame starts from
    float start[4][8];          // N s, per point
    float frictionStart[3][8];  // N s, world
    float twistStart[8];        // N m s
    float rollingStart[3][8];   // N m s, world
};

struct ContactKernels {
    const char* name;
    /// Fills all of a group but its bodies, which of them are mobile, and its points' number and place.
    void (*fill)(const WideArrays& arrays, size_t group, const LaneSources& from, const BodyConstants* constants,
                 const BodyRow* velocity, const FillSettings& settings);
    /// Adds to the bodies' motions what the impulses that groups [begin, end) start from give them.
    void (*carry)(const WideArrays& arrays, size_t begin, size_t end, CarriedMotion* motions);
    void (*kick)(BodyRow* velocity, CarriedMotion* motions, size_t count, float h);
    /// A velocity that changed by less than the root of `smooth` (m^2/s^2, per body) did so evenly over the substep.
    void (*drift)(const BodyRow* velocity, BodyRow* displacement, CarriedMotion* motions, const float* smooth,
                  size_t count, const SweepSettings& settings);
    /// Makes a share of the last sweep's change again.
    void (*leap)(BodyRow* velocity, CarriedMotion* motions, size_t count, float momentum);
    /// Visits groups [begin, end) once.
    void (*sweep)(const WideArrays& arrays, size_t begin, size_t end, const SolverRows& bodies,
                  const SweepSettings& settings);
    /// After the last sweep of a substep, before the drift: where its impulses acted.
    void (*noteShifts)(const WideArrays& arrays, size_t group, const BodyRow* displacement);
    /// After the last substep.
    void (*finish)(const WideArrays& arrays, size_t group, float keep, LaneResults& results);
};

/// The best for this machine.
const ContactKernels& contactKernels();
const ContactKernels& portableContactKernels();

}  // namespace sunder::dynamics::detail
