#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dynamics/world.h"
#include "fracture/fracture_method.h"
#include "geometry/mesh/tri_mesh.h"

namespace sunder::sim {

struct BodySetup {
    std::string name;                     // unique, hierarchical: "wall", "wall/r3c7"
    std::shared_ptr<const TriMesh> mesh;  // closed, in the shape's given frame: for pictures and for breaking; may be
                                          // null for a half-space
    dynamics::BodyOptions options;        // shape, pose of the given frame, kind, velocity, density, anchor, motion
    std::shared_ptr<const fracture::FractureMethod> method;  // null: never breaks
    std::string methodSettings;  // all of the method's as text: tells runs apart when one is resumed
    std::string material;        // which one of the scene's, for looks
    /// Its fragments, too, stay where they are until contacts give them more than this within one frame, N s.
    std::optional<double> fragmentAnchor;
};

struct TimedExplosion {
    double time = 0;  // s: happens at the start of the first frame that ends after it
    dynamics::Explosion explosion;
};

/// All that a run depends on. The same setup gives the same run, whatever the threads.
struct SimulationSetup {
    dynamics::WorldOptions world;
    double dt = 1.0 / 30;  // s, of a frame
    uint64_t seed = 1;
    std::vector<dynamics::ForceField> fields;
    std::vector<TimedExplosion> explosions;
    std::vector<BodySetup> bodies;
    size_t bodyBudget = 20000;  // breaking stops, with a message, when there would be more bodies than this
    int reprocessRounds = 2;    // how often a frame is done again with the fragments it made
};

}  // namespace sunder::sim
