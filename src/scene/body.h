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
    std::string name;
    std::map<std::string, double> parameters;
    int resolution = 48;
    Vec3 scale = Vec3::Ones();
};

enum class LengthUnit { Metre, Centimetre, Millimetre, Inch, Foot };
enum class UpAxis { X, Y, Z };
enum class Centring { Keep, Box, Base, Mass };

struct MeshSettings {
    std::string file;  // relative to the scene
    LengthUnit unit = LengthUnit::Metre;
    UpAxis up = UpAxis::Y;
    Centring centre = Centring::Keep;
    Vec3 scale = Vec3::Ones();
    bool repair = false;
};

enum class CollisionForm { Auto, Hull, Field };
struct CollisionSettings {
    CollisionForm form = CollisionForm::Auto;
    int cells = 0;  // of a distance field, along the longest side; 0: chosen
    std::string layer = "default";
    std::vector<std::string> ignores;  // layers
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
    int vertices = 0;
    std::string values;  // base64 of the zlib-compressed bytes, one per vertex
};

/// A file that says how strong a body is where.
struct StrengthVolumeSettings {
    std::string file;  // relative to the scene
};

struct Body {
    std::string name;
    std::optional<ShapeSettings> shape;
    std::optional<MeshSettings> mesh;
    Vec3 position = Vec3::Zero();  // m
    Rotation rotation;
    Vec3 velocity = Vec3::Zero();         // m/s
    Vec3 angularVelocity = Vec3::Zero();  // rad/s, world
    dynamics::BodyKind kind = dynamics::BodyKind::Dynamic;
    std::optional<double> mass;            // kg, instead of the material's density
    std::optional<double> anchor;          // N s
    std::optional<double> fragmentAnchor;  // N s, of what it breaks into
    bool asleep = false;
    MaterialChoice material;
    std::optional<fracture::MethodSettings> fracture;  // instead of the material's
    CollisionSettings collision;
    std::optional<MotionSettings> motion;  // kinematic bodies
    double appears = 0;                    // s; 0: there from the start
    std::optional<StrengthPaint> strengthPaint;
    std::optional<StrengthVolumeSettings> strengthVolume;
    std::optional<Array> array;
};

/// A group, placed.
struct Instance {
    std::string name;
    std::string group;
    Vec3 position = Vec3::Zero();  // m
    Rotation rotation;
    Vec3 velocity = Vec3::Zero();  // m/s, added to the members'
    std::optional<Array> array;
};

}  // namespace sunder::scene
