#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "base/indexed_vector.h"
#include "dynamics/manifold.h"
#include "dynamics/motion.h"
#include "dynamics/shape.h"
#include "material/contact_material.h"
#include "math/rigid_transform.h"

/// Rigid bodies: shapes and motions in, a World that steps them, poses and impacts out.
namespace sunder::dynamics {

/// Names one body for as long as the world lives. A stale id is detected, never silently reused.
struct BodyId {
    uint32_t index = kInvalidIndex;  // of a place in the world; places of bodies that are gone are used again
    uint32_t generation = 0;         // how many bodies had that place before
    friend auto operator<=>(const BodyId&, const BodyId&) = default;  // NOLINT(modernize-use-nullptr): a false alarm
};

/// What may move a body: whatever it meets, nothing, or only its script or the velocity it was given.
enum class BodyKind : uint8_t {
    Dynamic,
    Static,
    Kinematic  // moves as it is told, whatever it meets
};
/// As scenes and recordings have it: "dynamic", "static", "kinematic".
const char* nameOf(BodyKind kind);

/// A body to be. World::add() and World::replace() throw std::invalid_argument for what makes no sense.
struct BodyOptions {
    ShapePtr shape;                       // never null
    RigidTransform pose;                  // of the shape's given frame, m
    BodyKind kind = BodyKind::Dynamic;    // a half-space cannot be dynamic
    Vec3 velocity = Vec3::Zero();         // m/s, of the centre of mass
    Vec3 angularVelocity = Vec3::Zero();  // rad/s, world
    double density = 2500;                // kg/m^3
    std::optional<double> mass;           // kg, instead of the density
    ContactMaterial material;             // how it rubs and bounces
    uint32_t group = 1;                   // bits
    uint32_t collidesWith = ~0u;          // bits; two bodies touch when each one's group is among the other's
    /// The body stays where it is until contacts give it more than this within one frame, N s.
    std::optional<double> anchor;
    std::optional<Motion> motion;  // kinematic only: it then starts where the motion says
    bool asleep = false;           // dynamic bodies: lies still until something wakes it
};

// Force fields act on dynamic bodies for as long as they are in the world.
struct UniformField {
    Vec3 acceleration = Vec3::Zero();  // m/s^2
};
struct RadialField {
    Vec3 centre = Vec3::Zero();  // m
    double strength = 0;         // m/s^2 at 1 m, positive = away
    int falloff = 2;             // acceleration = strength / r^falloff
    double reach = 0;            // m; nothing beyond; 0 = no end
};
struct DragField {
    double linear = 0;         // 1/s: dv/dt = -linear (v - wind)
    double quadratic = 0;      // 1/m: dv/dt = -quadratic |v - wind| (v - wind)
    double angular = 0;        // 1/s
    Vec3 wind = Vec3::Zero();  // m/s
};
using ForceField = std::variant<UniformField, RadialField, DragField>;

/// A blast: every dynamic body gets impulse * (1 - distance/radius) away from the centre, applied where the blast
/// meets its bounding ball. Once.
struct Explosion {
    Vec3 centre = Vec3::Zero();  // m
    double radius = 1;           // m
    double impulse = 0;          // N s at the centre
};

/// Every part of the step can be switched off, to show what it does.
struct StepOptions {
    int substeps = 8;   // solver steps per frame; contacts are found once, or more often where bodies are fast
    int sweeps = 2;     // over all contacts, per substep: at least
    int maxSweeps = 0;  // at most, while contacts disagree; 0: 16 for large scenes, more for small ones
    bool conservingRotation = true;  // free bodies keep their rotational energy, as they keep angular momentum
    bool restitution = true;         // false: nothing bounces, and clampImpulses has nothing to do
    bool friction = true;            // of all three kinds: sliding, twisting, rolling
    bool clampImpulses = true;       // no impulse of a collision may raise the energy of its pair
    bool secondOrder = true;         // positions move with the mean of old and new velocity
    bool warmStart = true;           // the solver begins with the impulses of the substep before
    bool depenetrate = true;         // overlap is pushed out: places change, velocities do not
    bool continuous = true;   // fast bodies do not tunnel: they are swept, and their frame has more collision passes
    bool sleeping = true;     // what hardly moves is left out until something wakes it
    bool energyGuard = true;  // no group of touching bodies may gain energy in a frame
};

/// What holds for all bodies of a world.
struct WorldOptions {
    Vec3 gravity{0, -9.81, 0};  // m/s^2
    StepOptions step;           // may be changed between steps: World::setOptions()
};

/// What an impact was to one of its bodies, in the body's given frame as it was when they met: where it moved in the
/// rest of the frame, and how it turned, is no part of it.
struct ImpactSide {
    Vec3 point = Vec3::Zero();    // m, on the body's own surface
    Vec3 normal = Vec3::Zero();   // unit, into the body
    Vec3 impulse = Vec3::Zero();  // N s, on the body
};

/// Two bodies that met in a frame: what all contacts of a pair along one normal did together.
struct Impact {
    BodyId a, b;                  // a has the lower index
    Vec3 point = Vec3::Zero();    // world, m, at the end of the frame; where the impulse acts
    Vec3 normal = Vec3::Zero();   // unit, from a to b
    Vec3 impulse = Vec3::Zero();  // N s, on b; a gets the opposite
    double normalImpulse = 0;     // N s, >= 0
    double approachSpeed = 0;     // m/s, >= 0, the largest before the contact
    double time = 0;              // s, of the world, at the start of the part of the frame it happened in
    ImpactSide onA, onB;          // the same, as each of the two felt it
};

/// A touching pair after the step.
struct Contact {
    BodyId a, b;                                          // a has the lower index
    Vec3 normal = Vec3::Zero();                           // from a to b
    int count = 0;                                        // of points in use, the first ones
    std::array<Vec3, Manifold::kMaxPoints> points;        // world, m
    std::array<double, Manifold::kMaxPoints> separation;  // m
    std::array<double, Manifold::kMaxPoints> impulse;     // N s of this frame, along the normal
};

/// Where the energy of a frame went, each entry measured by itself:
/// after = before + fields + kinematic - contact - friction - clamping + depenetration + error.
struct EnergyAccount {
    double linear = 0, rotational = 0;    // J, kinetic, after
    double potential = 0;                 // J, in the uniform fields, after
    double mechanicalBefore = 0;          // J
    double workOfFields = 0;              // J, of non-uniform fields and drag
    double workOfKinematic = 0;           // J, done by moving bodies on dynamic ones
    double lostInContact = 0;             // J, along normals
    double lostInFriction = 0;            // J
    double lostInClamping = 0;            // J, taken back by the energy guard and by falling asleep
    double depenetration = 0;             // J, potential energy that pushing apart gave
    double error = 0;                     // J, what the entries leave over
    Vec3 momentum = Vec3::Zero();         // kg m/s, of dynamic bodies
    Vec3 angularMomentum = Vec3::Zero();  // kg m^2/s, about the origin

    double mechanical() const { return linear + rotational + potential; }  // J, after
};

/// How much there was to do in a frame.
struct StepCounters {
    /// Bodies, and those that contacts can move, at the end. Pairs whose boxes overlap, manifolds, their points, and
    /// colours (sets of manifolds that share no moving body): in the last pass. Narrow tests, of the shapes of a pair:
    /// in all passes.
    size_t bodies = 0, awake = 0, pairs = 0, narrowTests = 0, manifolds = 0, points = 0, colours = 0;
    /// In all passes: pairs looked at along their way because they are fast, bounces, sweeps over all contacts. And the
    /// number of collision passes.
    size_t sweptPairs = 0, collisions = 0, sweeps = 0, passes = 0;
    size_t withoutMomentum = 0;  // substeps in which the sweeps' momentum ran away and was stopped
};

/// What a step tells unasked. World::impacts() and World::contacts() tell what met.
struct StepResult {
    double time = 0;                                   // s, at the end of the frame
    EnergyAccount energy;                              // of the frame
    StepCounters counters;                             // for benchmarks and statistics: no result depends on them
    std::vector<BodyId> released;                      // anchors that gave way
    double worstPenetration = 0, meanPenetration = 0;  // m, over touching points at the end of the frame
};

/// A step that cannot be taken. The world is of no use after it: a copy made before may be.
class StepError : public std::runtime_error {
public:
    /// `trouble`: what is wrong with the body, as the rest of a sentence about it.
    StepError(BodyId body, const std::string& trouble) : std::runtime_error(trouble), body_(body) {}
    BodyId body() const { return body_; }  // the first one that it is about

private:
    BodyId body_;
};

/// One body, read.
struct BodyState {
    RigidTransform pose;                  // of the given frame
    Vec3 centre = Vec3::Zero();           // of mass, m, world
    Vec3 velocity = Vec3::Zero();         // m/s, of the centre
    Vec3 angularVelocity = Vec3::Zero();  // rad/s, world
    Vec3 angularMomentum = Vec3::Zero();  // kg m^2/s, world, about the centre; zero unless dynamic
    double mass = 0;                      // kg; 0 unless dynamic
    bool asleep = false;                  // left out of the step until something wakes it
    BodyKind kind = BodyKind::Dynamic;    // as it was added
    bool anchored = false;                // held where it is until it is hit hard enough
};

/// The first thing on a ray.
struct RayHit {
    BodyId body;                 // of equally near ones the lowest index
    double distance = 0;         // m
    Vec3 point = Vec3::Zero();   // m, world
    Vec3 normal = Vec3::Zero();  // unit, out of the body; against the ray where that starts inside
};

/// Rigid bodies, one step per frame. Everything in it is a value: a copy is a snapshot, assigning it back restores,
/// and the run goes on bit for bit as if nothing had happened. The same for any number of threads.
class World {
public:
    /// Throws std::invalid_argument for gravity that is not finite, or less than one substep or sweep.
    explicit World(const WorldOptions& options = {});
    ~World();
    World(const World&);
    World& operator=(const World&);
    World(World&&) noexcept;
    World& operator=(World&&) noexcept;

    /// The name is good until the body is removed or replaced. Throws std::invalid_argument, saying what is wrong.
    BodyId add(const BodyOptions& body);
    /// What touched the body wakes. Throws std::out_of_range for a stale id, as all that is asked of a body does.
    void remove(BodyId body);
    /// One transaction: the parent goes, the fragments come, in the given order; what touched the parent wakes. The
    /// fragments start with a contact grace: where they overlap each other at birth, that overlap is not pushed out
    /// faster than it can be without a jump.
    std::vector<BodyId> replace(BodyId parent, std::span<const BodyOptions> fragments);
    /// Acts from the next step on, for good; every body wakes. Throws std::invalid_argument for numbers out of range.
    void addField(const ForceField& field);
    /// Changes velocities at once, moves nothing yet. Throws std::invalid_argument for numbers out of range.
    void explode(const Explosion& explosion);
    /// N s at a world point. Moves dynamic bodies only, anchored ones only if it is more than the anchor bears.
    void applyImpulse(BodyId body, const Vec3& impulse, const Vec3& point);
    void setVelocity(BodyId body, const Vec3& velocity, const Vec3& angularVelocity);  // not zero: an anchor gives way
    /// Puts the body's given frame there, m; linear and angular momentum stay. The body and what lay at its old place
    /// wake.
    void setPose(BodyId body, const RigidTransform& pose);
    /// Also one that is awake: the time after which it may fall asleep begins anew.
    void wake(BodyId body);

    /// One frame of dt, s; all bodies move. Throws std::invalid_argument unless dt is positive and finite, StepError
    /// when the place or speed of a body is no number any more, or far too many bodies are in one place.
    StepResult step(double dt);

    /// What touched in the last step, ordered by (a, b): all that carried an impulse of at least this much, N s.
    std::vector<Impact> impacts(double leastImpulse = 0) const;
    /// Where bodies touch, or nearly, after the last step, ordered by (a, b).
    std::vector<Contact> contacts() const;

    double time() const;                  // s: all steps so far
    const WorldOptions& options() const;  // as they are now
    /// For the steps to come; gravity stays as it is. Throws std::invalid_argument as the constructor does.
    void setOptions(const StepOptions& options);
    bool contains(BodyId body) const;         // false: the body is gone
    BodyState state(BodyId body) const;       // as it is between steps
    const Shape& shape(BodyId body) const;    // lent: good as long as the body is there
    ShapePtr sharedShape(BodyId body) const;  // to keep, or to make another body with
    std::vector<BodyId> bodies() const;       // ascending by index

    /// The published number of a frame, kept in recordings: where everything is, how it moves and what presses it, and
    /// the settings. Equal for equal runs whatever the threads. Masses, materials and the like, which a run does not
    /// change, and what only saves time are not in it: contentHash() sees all.
    uint64_t stateHash() const;
    /// A number for every field of the state: equal when the bytes of save() and the shapes are.
    uint64_t contentHash() const;

    /// The whole state but the bodies' shapes, which load() asks for: the loaded world goes on bit for bit. Bytes are
    /// read by the version that wrote them. load() throws std::runtime_error for any others.
    std::vector<std::byte> save() const;
    static World load(std::span<const std::byte> bytes, const std::function<ShapePtr(BodyId)>& shapeOf);

    /// The nearest body of these groups (bits) that the ray meets within maxDistance, m; of any kind, asleep or awake.
    /// Asks every body in turn. Throws std::invalid_argument for a direction of length zero.
    std::optional<RayHit> castRay(const Vec3& origin, const Vec3& direction, double maxDistance,
                                  uint32_t groups = ~0u) const;
    /// Bodies that overlap a shape placed at a pose of its given frame, ascending.
    std::vector<BodyId> overlapping(const Shape& shape, const RigidTransform& pose, uint32_t groups = ~0u) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace sunder::dynamics
