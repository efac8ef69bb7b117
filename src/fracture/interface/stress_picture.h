#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "fracture/interface/contact_force.h"

namespace sunder::fracture {

/// What one place in a body bore.
struct StressAt {
    Vec3 place = Vec3::Zero();      // m
    double tension = 0;             // Pa, largest principal stress; negative where it is pressed from all sides
    double least = 0;               // Pa, least principal stress
    double strength = 0;            // Pa
    Vec3 direction = Vec3::Zero();  // unit, of the largest principal stress

    double ratio() const { return tension / strength; }  // above 1 a crack begins
};

/// What a body felt just before it broke: it shows why. In the coordinates of the solid's mesh, stress as the material
/// feels it: where strength depends on the direction, it is scaled so that one strength holds for all.
struct StressPicture {
    std::vector<StressAt> points;  // all over the body, or its surface
    /// Cells between points; stress is linear in each. Tets; a triangle names its last corner twice, a segment three
    /// times. None: what is nearest counts.
    std::vector<std::array<uint32_t, 4>> cells;
    StressAt worst;                      // where the criterion of fracture was exceeded most; none of the points
    std::vector<ContactForce> contacts;  // what it was struck by
    double strainEnergy = 0;             // J, before anything cracked
    int cracks = 0;                      // that began
    int rounds = 0;                      // of cracking and solving for the stress anew
    size_t elements = 0;                 // that stress was solved with
};

/// Points that a picture has at most: a file of it stays small, and no screen shows more.
inline constexpr size_t kMostPicturePoints = 20'000;

/// Leaves in each cube of a lattice the most strained point alone, the cubes as small as `most` points allow, and the
/// cells between those that are left. Nothing changes when there are no more points.
void coarsen(StressPicture& picture, size_t most);

}  // namespace sunder::fracture
