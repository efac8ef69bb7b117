#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "dynamics/world.h"
#include "scene/material.h"

namespace sunder::scene {

// A rotation as it was given. Kept that way, so that a file says what its author said.
struct EulerAngles {
    Vec3 degrees = Vec3::Zero();  // about the fixed x, then y, then z axis
};
struct AxisAngle {
    Vec3 axis{0, 1, 0};
    double degrees = 0;
};
struct QuaternionParts {
    double w = 1, x = 0, y = 0, z = 0;  // of any length but zero
};
struct Rotation {
    std::variant<EulerAngles, AxisAngle, QuaternionParts> given;
};

/// A ready-made model: `sunder shapes`; or the half-space "plane".
struct ShapeSettings {
    std::string name;                          // of a row of the catalogue, or "plane"
    std::map<std::string, double> parameters;  // by name; what is absent has the catalogue's value
    int resolution = 48;                       // how finely round shapes are divided
    Vec3 scale = Vec3::Ones();                 // stretches it along its own axes
};

/// What a 1 in a mesh file is.
enum class LengthUnit { Metre, Centimetre, Millimetre, Inch, Foot };
/// Which axis of a mesh file points up.
enum class UpAxis { X, Y, Z };
/// Where the origin goes: as in the file, middle of the box, below that at the lowest point, centre of mass.
enum class Centring { Keep, Box, Base, Mass };

/// A mesh file, and how it becomes metres with y up.
struct MeshSettings {
    std::string file;                     // relative to the scene
    LengthUnit unit = LengthUnit::Metre;  // files do not say
    UpAxis up = UpAxis::Y;                // turned to y
    Centring centre = Centring::Keep;     // the body's position and rotation are of that point
    Vec3 scale = Vec3::Ones();            // stretches it, about its origin
    bool repair = false;                  // false: open and crossing surfaces are refused
};

/// What a body collides as: exact where that is possible, the convex hull, a distance field.
enum class CollisionForm { Auto, Hull, Field };
/// How a body meets others.
struct CollisionSettings {
    CollisionForm form = CollisionForm::Auto;  // Auto: exact for boxes, balls, cylinders and small hulls; else a field
    int cells = 0;                             // of a distance field, along the longest side; 0: chosen
    std::string layer = "default";             // bodies of a layer are ignored together; at most 31 in a scene
    std::vector<std::string> ignores;          // layers
};

// Scripted motions, on top of the body's own position and rotation.
struct Keyframe {
    double time = 0;               // s
    Vec3 position = Vec3::Zero();  // m
    Rotation rotation;
};
enum class Interpolation { Linear, Smooth };
struct KeyframeMotion {
    std::vector<Keyframe> keys;
    Interpolation interpolation = Interpolation::Smooth;
    bool repeat = false;
};
struct SpinMotion {
    Vec3 axis{0, 1, 0};
    double speed = 1;  // rad/s
};
struct OscillationMotion {
    Vec3 displacement = Vec3::Zero();  // m, amplitude
    Vec3 axis{0, 1, 0};
    double swing = 0;   // degrees, amplitude about the axis
    double period = 1;  // s
    double phase = 0;   // part of a period
};
using MotionSettings = std::variant<KeyframeMotion, SpinMotion, OscillationMotion>;

/// The same thing many times on a lattice. Members are called `name/r3c7`: row (y) 3, column (x) 7, counted from 0,
/// with the layer (z) first where there are several, and parts left out where there is one.
struct Array {
    Int3 count{1, 1, 1};                   // columns, rows, layers
    Vec3 step{1, 1, 1};                    // m
    Vec3 offsetEveryOther = Vec3::Zero();  // m, of every second row
    bool halfEnds = false;  // every second row is set off by half a step and closed by a half at either end, along x
    bool centred = false;   // the position is the middle of the members, in x and z, instead of the first one
    Vec3 jitter = Vec3::Zero();  // m, at most, either way; seeded
    int limit = 0;               // at most this many, in order: columns, layers, rows; 0: all
};

/// What a brush painted on a body: percent of its strength at each vertex of its mesh.
struct StrengthPaint {
    int vertices = 0;    // of the mesh or of its canvas: see paintedMesh()
    std::string values;  // base64 of the zlib-compressed bytes, one per vertex
};

/// A file that says how strong a body is where.
struct StrengthVolumeSettings {
    std::string file;  // relative to the scene
};

/// A thing of a scene, or many with an array. The schema checks that exactly one of shape and mesh is there.
struct Body {
    std::string name;                     // unique among its siblings; becomes part of the path "house/wall/r3c7"
    std::optional<ShapeSettings> shape;   // a ready-made model
    std::optional<MeshSettings> mesh;     // or a file
    Vec3 position = Vec3::Zero();         // m
    Rotation rotation;                    // about the model's origin
    Vec3 velocity = Vec3::Zero();         // m/s
    Vec3 angularVelocity = Vec3::Zero();  // rad/s, world
    dynamics::BodyKind kind = dynamics::BodyKind::Dynamic;  // mass, velocities and anchors are for dynamic ones
    std::optional<double> mass;                             // kg, instead of the material's density
    std::optional<double> anchor;                           // N s
    std::optional<double> fragmentAnchor;                   // N s, of what it breaks into
    bool asleep = false;                                    // dynamic: waits to be touched
    MaterialChoice material;                                // what it is made of
    std::optional<fracture::MethodSettings> fracture;       // instead of the material's
    CollisionSettings collision;                            // what it is for others
    std::optional<MotionSettings> motion;                   // kinematic bodies
    double appears = 0;                                     // s; 0: there from the start
    std::optional<StrengthPaint> strengthPaint;             // absent: as strong everywhere
    std::optional<StrengthVolumeSettings> strengthVolume;   // the same; both are multiplied
    std::optional<Array> array;                             // many of it instead of one
};

/// A group, placed.
struct Instance {
    std::string name;              // unique among its siblings; its members are "name/member"
    std::string group;             // by name
    Vec3 position = Vec3::Zero();  // m
    Rotation rotation;             // about the group's origin
    Vec3 velocity = Vec3::Zero();  // m/s, added to the members'
    std::optional<Array> array;    // many of it instead of one
};

}  // namespace sunder::scene
