#pragma once

#include <array>
#include <vector>

#include "dynamics/manifold.h"
#include "dynamics/shape.h"
#include "math/rigid_transform.h"

namespace sunder::dynamics::detail {

/// Where two shapes are to be compared. Offsets are taken from A's centre, so nothing is lost far from the origin.
struct PairPose {
    Mat3 rotationA = Mat3::Identity();  // world from body
    Mat3 rotationB = Mat3::Identity();
    Vec3 offset = Vec3::Zero();  // B's centre from A's, m, world axes
};

/// What a pair remembers from frame to frame to answer faster. Plain data, part of a snapshot.
struct PairMemory {
    Vec3f axis = Vec3f::Zero();  // last separating direction or normal, in A's frame; zero: none
    float separation = 0;        // along it, m; when nothing was found: the shapes are at least this far apart
    /// Of field contacts, the keys + 1 of the first points of the last manifolds; 0: none. They are chosen again where
    /// others are about as good: a heap in which contacts change places never comes to rest.
    std::array<uint32_t, 12> kept{};
};

/// Appends the manifolds of two shapes nearer than `reach` to each other (a length, m). Points whose separation is
/// more than `reach` are left out. Exact for convex shapes; A and B may be of any kinds except two half-spaces.
void collide(const Shape& a, const Shape& b, const PairPose& pose, float reach, PairMemory& memory,
             std::vector<Manifold>& manifolds);

// One file each; all follow collide()'s rules.
void collideHulls(const ConvexCore& a, const ConvexCore& b, const PairPose& pose, float reach, PairMemory& memory,
                  std::vector<Manifold>& manifolds);
/// At least one has a radius (sphere or capsule).
void collideRounded(const ConvexCore& a, const ConvexCore& b, const PairPose& pose, float reach, PairMemory& memory,
                    std::vector<Manifold>& manifolds);
/// B is a half-space.
void collideWithHalfSpace(const Shape& a, const PairPose& pose, float reach, std::vector<Manifold>& manifolds);
/// At least one is a field solid; the other is one, or convex.
void collideFields(const Shape& a, const Shape& b, const PairPose& pose, float reach, PairMemory& memory,
                   std::vector<Manifold>& manifolds);

/// Of two such shapes, how far apart they are at least, m, as their contacts see it: by the particles of one in the
/// field or the faces of the other; more than `reach` when they would not touch within it. Much faster than the
/// distance between their surfaces, and coarser beyond `reach`.
double fieldsApart(const Shape& a, const Shape& b, const PairPose& pose, double reach);

/// By how much that may fall short because of this shape, m: a field is exact at its lattice points only.
double fieldSlack(const Shape& shape);

/// Distance between two shapes, m; zero or negative when they overlap. Exact for convex shapes and half-spaces; where a
/// field solid takes part, at most one per cent less than the distance between its surface and the other's.
double distanceBetween(const Shape& a, const Shape& b, const PairPose& pose);
bool overlaps(const Shape& a, const Shape& b, const PairPose& pose);

/// The same contact seen from the other body: swaps A and B in manifolds[first..]. `offset` is that of the pose they
/// were found with: to the former B's centre from the former A's.
void swapBodies(std::vector<Manifold>& manifolds, size_t first, const Vec3& offset);

/// A point of contact before reduction.
struct Candidate {
    Vec3f fromA = Vec3f::Zero();
    float separation = 0;
    uint32_t key = 0;
    Vec3f normal = Vec3f::Zero();  // from A to B
    float hold = 0;                // m: it counts as that much deeper because it was kept the last time
};
/// Groups candidates by normal (within about 25 degrees) and keeps at most four of each group: the deepest, and those
/// that span the largest area. The order of the input does not matter. Leaves no candidates
/// behind.
void reduceToManifolds(std::vector<Candidate>& candidates, std::vector<Manifold>& manifolds);

}  // namespace sunder::dynamics::detail
