#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fracture/interface/fracture_method.h"
#include "math/vec.h"

namespace sunder::sim {

enum class BodySerial : uint32_t;

/// Linear and angular momentum of some bodies, and what errors in them are measured by.
struct Momentum {
    Vec3 linear = Vec3::Zero();   // kg m/s
    Vec3 angular = Vec3::Zero();  // kg m^2/s, about one point
    double linearScale = 0;       // sum of m |v|
    double angularScale = 0;      // sum of m |r| |v| + |I w|
};

/// One break: which body, why, and that nothing was made or lost. All measured from the bodies before and after, not
/// from what was meant to happen.
struct BreakReport {
    BodySerial body{};                                      // that broke; it lives no more
    std::string name;                                       // of that body, see BodyFacts
    std::string method;                                     // by name, as in scenes
    std::string reason;                                     // for people, as the plan gave it
    std::vector<BodySerial> fragments;                      // ascending; one when it stayed in one piece
    fracture::Outcome outcome = fracture::Outcome::Broken;  // or cracked or dented, in one piece
    Vec3 point = Vec3::Zero();                              // m, world: the hardest hit
    double impulse = 0;                                     // N s, of it
    std::optional<fracture::StressPicture> stress;  // what it felt, from methods that know; in its mesh's coordinates

    double massBefore = 0, massAfter = 0;        // kg
    double volumeBefore = 0, volumeAfter = 0;    // m^3, of the meshes
    Momentum before, after;                      // of the body and of its fragments, about its centre
    double kineticBefore = 0, kineticAfter = 0;  // J, of the same
    Momentum paidBefore, paidAfter;  // of the body and the one that hit it, before and after they paid for breaking
    double energyWanted = 0;         // J that breaking costs
    double energyTaken = 0;          // J that the motion could pay
    size_t openPieces = 0;           // fragments whose mesh is not closed and manifold: none

    /// Did it crack or get dented, and stayed together?
    bool inOnePiece() const { return outcome != fracture::Outcome::Broken; }

    // relative errors
    double massError() const;
    double volumeError() const;
    double momentumError() const;
    double angularMomentumError() const;
};

/// Wall time of a frame's stages, s.
struct StepSeconds {
    /// Collisions and motion; what breaks; swapping bodies for fragments; all of the frame. Summed over its rounds.
    double move = 0, decide = 0, apply = 0, total = 0;
};

}  // namespace sunder::sim
