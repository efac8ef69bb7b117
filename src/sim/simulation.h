#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/break_report.h"
#include "sim/simulation_setup.h"

/// The loop of a run: bodies move, methods are asked what breaks, fragments take the place of bodies, each frame is
/// told.
namespace sunder::sim {

/// A body in a run: those of the setup that are there from the start come first, in its order, then fragments and late
/// bodies as they come. Its index in this order names it for ever, also in recordings.
enum class BodySerial : uint32_t {};

/// What does not change in a body's life.
struct BodyFacts {
    BodySerial serial{};                    // its number in the run
    std::string name;                       // path: the parent's name, "/p", number of the fragment
    BodySerial parent = kNone<BodySerial>;  // that it broke out of; none: a body of the setup
    BodySerial root{};                      // the body of the setup it was part of; its own serial when it is one
    int generation = 0;                     // how often it broke since
    uint64_t born = 0;                      // frame
    uint64_t seed = 0;                      // of this body alone
    double mass = 0;                        // kg; what a body that cannot move would weigh
    Vec3 centre = Vec3::Zero();             // of mass, in the mesh's coordinates, m
    dynamics::BodyKind kind = dynamics::BodyKind::Dynamic;  // fragments are dynamic, whatever the parent was
    GeometryPtr geometry;  // fragments keep the parent's coordinates; null for a half-space
    /// What is seen of it, where that is not the mesh; told when it is born, and not known in a run that was loaded.
    std::shared_ptr<const TriMesh> shown;

    const TriMesh* mesh() const { return geometry ? &geometry->mesh() : nullptr; }  // null for a half-space
    double volume() const { return geometry ? geometry->volume() : 0; }             // m^3
};

/// Seed of a whole body, for all that is random in it. A body that comes late has a seed by its name: the seed stays
/// when others come or go.
uint64_t seedOfBody(uint64_t runSeed, const std::string& name, BodySerial serial, double appears);

/// Two bodies that met in a frame: what all their contacts along one normal did together.
struct BodyImpact {
    BodySerial a{}, b{};          // in the world's order, see dynamics::Impact
    Vec3 point = Vec3::Zero();    // m, world
    Vec3 normal = Vec3::Zero();   // unit, from a to b
    Vec3 impulse = Vec3::Zero();  // N s, on b; a gets the opposite
    double approachSpeed = 0;     // m/s, before they touched
};

/// What one frame did.
struct StepReport {
    uint64_t frame = 0;                 // the number of this one; 1 is the first that moves
    dynamics::StepResult motion;        // of the last round
    std::vector<BreakReport> breaks;    // in the order they happened, over all rounds
    std::vector<BodyFacts> born;        // also those that broke again within the frame
    std::vector<BodySerial> died;       // ascending
    std::vector<BodySerial> letGo;      // whose anchors gave way, ascending
    std::vector<std::string> messages;  // for people: the budget is used up, a plan was refused
    int rounds = 0;                     // how often the frame was done again with fragments
    double workOfExplosions = 0;        // J
    double workOfActions = 0;           // J, mechanical energy that placing and pushing bodies gave
    double energyFreed = 0;             // J, mechanical energy of fragments whose parent could not move
    double appeared = 0;                // J, mechanical energy that late bodies came with
    StepSeconds seconds;                // never part of a digest
};

/// Moves bodies, one step per frame, and breaks those that are hit too hard.
///
/// A frame in which bodies break is done again from its start, with the fragments in their place, so that what broke
/// them loses only what breaking and pushing took; so is the next one if fragments break in turn, up to
/// `reprocessRounds` times. What fragments of one body do to each other in the frame of their birth breaks nothing: it
/// is the blow that made them. Whatever is hit too hard in the last of these breaks when the next frame begins.
class Simulation {
public:
    /// Throws std::invalid_argument for a setup that makes no sense, naming the body.
    explicit Simulation(SimulationSetup setup);
    ~Simulation();
    Simulation(Simulation&&) noexcept;
    Simulation& operator=(Simulation&&) noexcept;

    /// Throws Cancelled when the context asks to stop while a body is being broken, InputError with frame and body when
    /// bodies move beyond all numbers or far too many are in one place. With a context that has a progress the frame is
    /// then as if it had not begun.
    StepReport step(const fracture::Context& context = {});

    /// From now on this setup. It may differ from the one before in what has not happened yet: bodies that appear,
    /// explosions and actions from time() on, what is left of a path that a body is pulled along; and in what no frame
    /// depends on (sources, names of materials). The run goes on bit for bit as if it had been there from the start.
    /// Throws std::invalid_argument, naming what differs, for any other; nothing has changed then. Cheap for a changed
    /// copy of setup().
    void amend(SimulationSetup setup);

    uint64_t frame() const;                // done so far
    double time() const;                   // s
    const SimulationSetup& setup() const;  // as amended; explosions and actions sorted by time
    /// What the body, or the one it was part of, was set up from; also of bodies that are gone.
    const BodySetup& setupOf(const BodyFacts& body) const;
    const dynamics::World& world() const;  // to ask for contacts, rays, options

    /// Alive, ascending.
    std::vector<BodySerial> bodies() const;
    const BodyFacts& facts(BodySerial body) const;     // of a living body
    dynamics::BodyState state(BodySerial body) const;  // of a living body
    dynamics::BodyId worldId(BodySerial body) const;   // of a living body

    /// What met in the last frame as it was in the end, with whatever broke in it in pieces; all at least as hard and
    /// as fast as asked for (N s, m/s). What broke a body is in its BreakReport.
    std::vector<BodyImpact> impacts(double leastImpulse, double leastSpeed) const;

    /// The published number of a frame, kept in recordings: see dynamics::World::stateHash(). Equal for equal runs
    /// whatever the threads.
    uint64_t stateHash() const;

    /// All of it but the setup and the geometry of fragments: load() with the same setup, or one that amend() would
    /// take, and these goes on bit for bit. load() throws std::runtime_error for bytes that are damaged or of another
    /// setup.
    std::vector<std::byte> save() const;
    /// The geometry of a fragment that lives in saved bytes: as Simulation::facts() had it, bit for bit.
    using GeometryOf = std::function<GeometryPtr(BodySerial)>;
    /// The run as save() found it, with the geometry of each fragment that lives.
    static Simulation load(SimulationSetup setup, std::span<const std::byte> bytes, const GeometryOf& geometryOf);

    struct State;  // known to sim/detail alone

private:
    StepReport tryStep(const fracture::Context& context);
    explicit Simulation(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace sunder::sim
