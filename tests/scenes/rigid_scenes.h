#pragma once

#include <map>
#include <string>
#include <vector>

#include "dynamics/world.h"
#include "tests/scenes/layouts.h"

/// Small worlds that show what the rigid body engine must do, for tests, benchmarks and pictures. Each is a function of
/// its arguments alone. Y is up, the floor is y = 0, SI units.
namespace sunder::scenes {

struct Scene {
    std::string description;
    dynamics::World world;
    std::vector<dynamics::BodyId> pieces;           // what moves, in order of creation
    std::map<std::string, dynamics::BodyId> named;  // what a test asks about
    std::map<std::string, double> expected;         // known answers, by name; units in the builder's comment
};

/// Nothing falls asleep: for measuring.
inline dynamics::WorldOptions awake() {
    dynamics::WorldOptions options;
    options.step.sleeping = false;
    return options;
}

// piles

struct PileOptions {
    size_t count = 1000;
    uint64_t seed = 1;
    size_t distinctShapes = 256;
    dynamics::WorldOptions world;
};
/// Convex fragments poured into an open box: those of convexPile(), pieces[i] is its layout.pieces[i].
Scene pile(const PileOptions& options = {});
/// The same with non-convex ones, every one different, each with a distance grid of its own.
struct ConcavePileOptions {
    size_t count = 1000;
    uint64_t seed = 1;
    dynamics::FieldOptions field;
    dynamics::WorldOptions world;
};
Scene concavePile(const ConcavePileOptions& options = {});

// things that stand

Scene stackOfCubes(size_t count = 10, double side = 0.3, const dynamics::WorldOptions& options = {});
Scene brickWall(size_t rows = 20, size_t perRow = 20, const dynamics::WorldOptions& options = {});
/// named: light, heavy (a thousand times its mass).
Scene heavyOnLight(double ratio = 1000, const dynamics::WorldOptions& options = {});
/// Pairs of cards lean against each other, sheets lie across; one pair less on every storey.
Scene cardHouse(int storeys = 3, const dynamics::WorldOptions& options = {});
/// named: first (given a push), last.
Scene dominoes(int count = 20, const dynamics::WorldOptions& options = {});

// moving machines; named: machine

Scene rotatingDrum(const dynamics::WorldOptions& options = {});
/// The same drum with a block in it that falls apart into 250 pieces and is tumbled.
Scene halfFullDrum(const dynamics::WorldOptions& options = {});
/// Boxes on a platform that rises by expected["rise"], m, from time 1 s to 5 s, and stays.
Scene elevator(const dynamics::WorldOptions& options = {});
/// A box is set down on a belt of expected["speed"], m/s. named: box.
Scene conveyor(const dynamics::WorldOptions& options = {});

// sliding, striking, spinning

/// A cube of 0.3 m slides down a slope from speed v0. named: cube, slope. expected: distance, m, along the slope until
/// it stops (0 when it never does); speed, m/s, and braking, m/s^2, that make up the way there.
Scene incline(double angle, double friction, double v0, const dynamics::WorldOptions& options = {});
/// [su2009] figure 2. named: striker.
Scene struckStack(const dynamics::WorldOptions& options = {});
/// Spins nearly about its middle axis, without gravity. named: nut. expected: flipTime, s.
Scene wingNut(double speed = 200, dynamics::WorldOptions options = {});
/// A sphere runs into four that touch, elastic, without gravity or friction. expected: speed, m/s.
Scene newtonsCradle(dynamics::WorldOptions options = {});
/// Fifteen touching spheres in a triangle and one that hits them, elastic, without gravity or friction.
Scene billiardBreak(dynamics::WorldOptions options = {});
/// A ball at 100 m/s against a wall of 2 cm. named: ball, wall. With a dynamic plate instead, it pushes.
enum class Target { StaticWall, FreePlate };
Scene fastBall(Target target, double speed = 100, const dynamics::WorldOptions& options = {});

/// 27 rods fly and spin in a closed box, elastic, without gravity or friction: their energy should stay what it is.
Scene rattlingRods(dynamics::WorldOptions options = {});

// newborn fragments

struct SnugCubeOptions {
    size_t count = 200;
    uint64_t seed = 1;
    double inflation = 0;  // each piece is larger by this part of its size
    bool floor = false;    // under it, with gravity; without: free space
    bool replaced = true;  // born by World::replace from a whole cube; otherwise simply added
    dynamics::WorldOptions world;
};
/// A cube of 1 m in Voronoi pieces that fill it.
Scene snugCube(const SnugCubeOptions& options = {});
/// [su2009] figure 1: a pillar falls onto the floor at 7 m/s and comes apart into long thin shards that bounce, the
/// hard case for the energy of rotation.
Scene shatteredPillar(const dynamics::WorldOptions& options = {});

}  // namespace sunder::scenes
