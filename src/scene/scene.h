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

struct WorldSettings {
    Vec3 gravity{0, -9.81, 0};  // m/s^2
    double frameRate = 30;      // 1/s
    int frames = 150;
    uint64_t seed = 1;
    dynamics::StepOptions solver;
};

/// A plane to fall on, y up.
struct Floor {
    bool present = false;
    double height = 0;  // m
    MaterialChoice material;
};

/// A named set of bodies, placed as often as wanted.
struct Group {
    std::vector<Body> bodies;
    std::vector<Instance> instances;  // of other groups
};

struct Blast {
    double time = 0;  // s
    dynamics::Explosion explosion;
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

struct Limits {
    int maxBodies = 20000;    // breaking stops when there would be more
    int reprocessRounds = 2;  // how often a frame is done again with the fragments it made
};

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

inline constexpr int kSceneVersion = 1;

struct Scene {
    std::string schema;  // what "$schema" said, for editors
    int version = kSceneVersion;
    std::string title;
    std::string description;
    schema::Json parameters = schema::Json::object();  // name -> value
    WorldSettings world;
    schema::NamedList<Material> materials;
    schema::NamedList<Group> groups;
    Floor floor;
    std::vector<Body> bodies;
    std::vector<Instance> instances;
    std::vector<dynamics::ForceField> fields;
    std::vector<Blast> explosions;
    std::vector<Action> actions;
    Limits limits;
    Output output;
    View view;

    schema::References references;  // which values were given by parameters; so that saving keeps them
};

}  // namespace sunder::scene
