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

    PairPose swapped() const { return {rotationB, rotationA, -offset}; }
};

/// What a pair remembers from frame to frame to answer faster. Plain data, part of a snapshot.
struct PairMemory {
    Vec3f axis = Vec3f::Zero();  // last separating direction or normal, in A's frame; zero: none
    float separation = 0;        // along it, m; when nothing was found: the shapes are at least this far apart
    /// For field contacts, the keys + 1 of the first points of the last manifolds; 0: none. They are chosen again where
    /// others are about as good: a heap in which contacts change places never comes to rest.
    std::array<uint32_t, 12> kept{};
};

/// Appends the manifolds of two shapes nearer than `reach` to each other (a length, m). Points whose separation is
/// more than `reach` are left out. Exact for convex shapes; A and B may be of any kinds except two half-spaces.
void collide(const Shape& a, const Shape& b, const PairPose& pose, float reach, PairMemory& memory,
             std::vector<Manifold>& manifolds);

/// Distance between two shapes, m; zero or negative when they overlap. Exact for convex shapes and half-spaces; where a
/// field solid takes part, at most one per cent less than the distance between its surface and the other's.
double distanceBetween(const Shape& a, const Shape& b, const PairPose& pose);
bool overlaps(const Shape& a, const Shape& b, const PairPose& pose);

/// How far apart two shapes are at least, m, as their contacts see it; where these are coarser than the surfaces it is
/// much faster than the distance, and more than `reach` says only that they do not touch within it.
double contactDistance(const Shape& a, const Shape& b, const PairPose& pose, double reach);

/// What can be asked of two shapes of given kinds: an entry of the table of pairs (collide.cpp). The functions keep the
/// promises of collide(), distanceBetween() and contactDistance().
struct ShapePair {
    void (*collide)(const Shape& a, const Shape& b, const PairPose& pose, float reach, PairMemory& memory,
                    std::vector<Manifold>& manifolds);
    double (*distance)(const Shape& a, const Shape& b, const PairPose& pose);
    /// Null: the distance is that of the contacts.
    double (*contactDistance)(const Shape& a, const Shape& b, const PairPose& pose, double reach) = nullptr;
};

}  // namespace sunder::dynamics::detail
