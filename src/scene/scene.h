#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "dynamics/world.h"
#include "scene/body.h"
#include "scene/material.h"
#include "schema/reader.h"
#include "sim/simulation_setup.h"

/// What the user describes. Plain values with defaults; the schema (scene_schema.cpp) says how they look in a file.
namespace sunder::scene {

/// What holds everywhere, and for how long.
struct WorldSettings {
    Vec3 gravity{0, -9.81, 0};     // m/s^2
    double frameRate = 30;         // 1/s
    int frames = 150;              // how long a run is
    uint64_t seed = 1;             // all that is random follows from it
    dynamics::StepOptions solver;  // parts of the step, to be switched off
};

/// A plane to fall on, y up.
struct Floor {
    bool present = false;     // else there is nothing to fall on
    double height = 0;        // m
    MaterialChoice material;  // how it rubs, bounces and looks
};

/// A named set of bodies, placed as often as wanted.
struct Group {
    std::vector<Body> bodies;         // of its own, in the group's coordinates
    std::vector<Instance> instances;  // of other groups
};

/// An explosion at a time.
struct Blast {
    double time = 0;                // s
    dynamics::Explosion explosion;  // m, N s
};

// What a hand does to a body at a time. A body is named by its path: "wall", "wall/p3".
struct Placing {
    double time = 0;  // s
    std::string body;
    std::optional<Vec3> position;  // m, of the model's origin
    std::optional<Rotation> rotation;
    std::optional<Vec3> velocity;         // m/s
    std::optional<Vec3> angularVelocity;  // rad/s, world
};
struct Pushing {
    double time = 0;  // s
    std::string body;
    Vec3 impulse = Vec3::Zero();  // N s
    std::optional<Vec3> point;    // m, world
};
struct Pulling {
    std::string body;
    Vec3 point = Vec3::Zero();  // m, in the model's coordinates
    std::vector<sim::PullAction::PathPoint> path;
};
using Action = std::variant<Placing, Pushing, Pulling>;

/// Where breaking ends.
struct Limits {
    int maxBodies = 20000;    // breaking stops when there would be more
    int reprocessRounds = 2;  // how often a frame is done again with the fragments it made
};

/// Where the recording goes, and what is in it besides the motion.
struct Output {
    std::string file;                  // where the recording goes, relative to the scene; empty: the scene's name
    bool impacts = true;               // are recorded
    double leastImpulse = 0;           // N s; weaker impacts are not recorded
    std::optional<double> leastSpeed;  // m/s; nor are slower ones
    int checkpointEvery = 30;          // frames; a run resumes from the last one
};

// For pictures; no result depends on them.
struct Camera {
    Vec3 position{4, 2.5, 6};  // m
    Vec3 target{0, 1, 0};      // m
    double fieldOfView = 40;   // degrees, across the picture's width
};
enum class Background { Studio, Sky, Dark, White };
struct View {
    std::optional<Camera> camera;  // absent: all is seen
    Vec3 light{3, 6, 4};           // direction towards the main light
    Background background = Background::Studio;
};

inline constexpr int kSceneVersion = 1;  // of the format; files of a later one are refused

/// All that a scene file says, defaults filled in.
struct Scene {
    std::string schema;                                // what "$schema" said, for editors
    int version = kSceneVersion;                       // of the format
    std::string title;                                 // one line, for people
    std::string description;                           // for people: what there is to see
    schema::Json parameters = schema::Json::object();  // name -> value
    WorldSettings world;                               // time, gravity, solver
    schema::NamedList<Material> materials;             // that bodies name; they go before ready ones
    schema::NamedList<Group> groups;                   // that instances place
    Floor floor;                                       // its body is called "floor"
    std::vector<Body> bodies;                          // in this order they are numbered in a run; late ones follow
    std::vector<Instance> instances;                   // groups, placed
    std::vector<dynamics::ForceField> fields;          // through all of the run
    std::vector<Blast> explosions;                     // in any order
    std::vector<Action> actions;                       // in any order
    Limits limits;                                     // where breaking ends
    Output output;                                     // what is recorded
    View view;                                         // how pictures are made

    schema::References references;  // which values were given by parameters; so that saving keeps them
};

}  // namespace sunder::scene
