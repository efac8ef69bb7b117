#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "dynamics/world.h"
#include "fracture/common/strength_field.h"
#include "fracture/interface/fracture_method.h"
#include "geometry/mesh/body_geometry.h"

namespace sunder::sim {

/// A body of the setup: what it is in the world, and how it breaks.
struct BodySetup {
    std::string name;               // unique, hierarchical: "wall", "wall/r3c7"
    GeometryPtr geometry;           // in the shape's given frame: for pictures and for breaking; null for a half-space
    dynamics::BodyOptions options;  // shape, pose of the given frame, kind, velocity, density, anchor, motion
    std::shared_ptr<const fracture::FractureMethod> method;  // null: never breaks
    std::string methodSettings;  // all of the method's as text: tells runs apart when one is resumed
    std::string material;        // which one of the scene's, for looks
    /// Its fragments, too, stay where they are until contacts give them more than this within one frame, N s.
    std::optional<double> fragmentAnchor;
    double appears = 0;  // s: at most 0, it is there from the start; else it comes as a TimedExplosion does
    std::shared_ptr<const fracture::StrengthField> strength;  // null: the same everywhere
    std::string source;  // where it stands in what the setup was made from ("/bodies/3"); nothing depends on it

    const TriMesh* mesh() const { return geometry ? &geometry->mesh() : nullptr; }  // null for a half-space
};

/// A blast at a time. It breaks what it breaks, then pushes what is there.
struct TimedExplosion {
    double time = 0;                // s: happens at the start of the first frame that ends after it
    dynamics::Explosion explosion;  // m, N s
};

// What a hand does to a body at a time.

/// Puts a body somewhere, or gives it another motion; whatever is absent stays as it is. A velocity makes an anchor
/// give way. What moves by a script cannot be placed, what is static not be given a velocity: a message says so.
struct PlaceAction {
    double time = 0;                      // s, as for explosions
    std::optional<Vec3> position;         // m, of the origin of the mesh's coordinates, also of fragments
    std::optional<Quat> rotation;         // of the mesh's coordinates
    std::optional<Vec3> velocity;         // m/s, of the centre of mass
    std::optional<Vec3> angularVelocity;  // rad/s, world
};
/// One impulse on a dynamic body. A message says so when the body is not dynamic.
struct PushAction {
    double time = 0;              // s, as for explosions
    Vec3 impulse = Vec3::Zero();  // N s
    std::optional<Vec3> point;    // m, world; absent: the centre of mass
};
/// A spring without swing takes a point of a body along a path, from the first frame that ends after the path's first
/// time to the last one that ends with the path or before, and lets it go as it moves then. Between its points the path
/// is straight. When the body breaks, the fragment that is nearest to the point is pulled.
struct PullAction {
    static constexpr double kOnTime = 1e-6;  // of a frame: a pull that ends so little before it does, ends with it
    /// Where the point of the body shall be at a time.
    struct PathPoint {
        double time = 0;               // s, ascending
        Vec3 position = Vec3::Zero();  // m, world
    };
    Vec3 point = Vec3::Zero();    // m, in the mesh's coordinates
    std::vector<PathPoint> path;  // one or more
};
/// Something a hand does, to the body that has this name when the time comes. A message says so when there is none.
struct BodyAction {
    std::string body;                                        // path of names: "wall", "wall/p3"
    std::variant<PlaceAction, PushAction, PullAction> what;  // to do

    double time() const;  // s, when it begins
};

/// All that a run depends on. The same setup gives the same run, whatever the threads.
struct SimulationSetup {
    dynamics::WorldOptions world;              // gravity, and how the solver works
    double dt = 1.0 / 30;                      // s, of a frame
    uint64_t seed = 1;                         // all that is random follows from it
    std::vector<dynamics::ForceField> fields;  // through all of the run
    std::vector<TimedExplosion> explosions;    // in any order
    std::vector<BodySetup> bodies;             // their order is that of their serials, but for those that appear later
    std::vector<BodyAction> actions;           // in any order
    size_t bodyBudget = 20000;  // breaking stops, with a message, when there would be more bodies than this
    int reprocessRounds = 2;    // how often a frame is done again with the fragments it made

    /// Gravity and all uniform fields together, m/s^2.
    Vec3 uniformAcceleration() const;
};

}  // namespace sunder::sim
