#include "sim/detail/apply.h"

#include <array>
#include <stdexcept>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/parallel.h"
#include "base/random.h"
#include "sim/detail/hands.h"
#include "sim/detail/rigid_motion.h"
#include "sim/fragment_shape.h"

namespace sunder::sim::detail {

namespace {

/// A fragment, ready to become a body.
struct Piece {
    GeometryPtr geometry;
    std::shared_ptr<const TriMesh> shown;
    double mass = 0;
    fracture::Inheritance inherited;
    dynamics::ShapePtr shape;
    bool closed = false;
    std::string complaint;  // why it cannot be a body
};

/// One body that breaks, with all that its swap needs.
struct Swap {
    SimBody* parent = nullptr;
    const fracture::Loads* loads = nullptr;
    std::vector<Piece> pieces;
    RigidMotion motion;  // of the parent, after the energy of breaking was taken
    BreakReport report;
};

/// Shapes and checks of all fragments: most of the work of breaking, and each is independent of the others.
void makeShapes(std::vector<Swap>& swaps) {
    std::vector<std::pair<Piece*, const SimBody*>> all;  // each with its parent
    for (Swap& swap : swaps) {
        for (Piece& piece : swap.pieces) all.emplace_back(&piece, swap.parent);
    }
    parallelFor(all.size(), 1, [&](const BlockRange& block) {
        for (size_t i = block.begin; i < block.end; ++i) {
            auto& [made, parent] = all[i];
            Piece& piece = *made;
            const MeshTopology topology(piece.geometry->mesh());
            piece.closed = isClosedManifold(piece.geometry->mesh(), topology);
            try {
                piece.shape = makeFragmentShape(*piece.geometry, topology, {parent->facts.mesh(), parent->shape.get()});
            } catch (const std::invalid_argument& error) {
                piece.complaint = error.what();
            }
            if (!(piece.mass > 0)) piece.complaint = "a fragment has no mass";
        }
    });
}

std::vector<Swap> swapsOf(Simulation::State& state, std::vector<Decision>& decisions, StepReport& report) {
    std::vector<Swap> swaps;
    size_t bodies = state.bodies.size();
    for (Decision& decision : decisions) {
        fracture::FracturePlan& plan = decision.plan;
        // the budget stops breaking for good: a run that could not say so would end in endless small pieces
        const bool inOnePiece = plan.outcome != fracture::Outcome::Broken;
        if (bodies - 1 + plan.fragments.size() > state.setup.bodyBudget && !inOnePiece) {
            state.breakingStopped = true;
            report.messages.push_back(fmt::format(
                "frame {}: {} would break into {} pieces, but there are {} bodies and the budget is {}: "
                "nothing breaks from here on. Allow more bodies or fewer pieces",
                state.frame, decision.body->facts.name, plan.fragments.size(), bodies, state.setup.bodyBudget));
            break;
        }
        bodies += plan.fragments.size() - 1;

        // a plan becomes a swap: what is shown is shared from here on, for reports and recordings have it too
        Swap swap;
        swap.parent = decision.body;
        swap.loads = &decision.loads;
        swap.report.outcome = plan.outcome;
        swap.report.reason = std::move(plan.reason);
        swap.report.stress = std::move(plan.stress);
        swap.report.energyWanted = plan.energy;
        for (fracture::Fragment& fragment : plan.fragments) {
            Piece piece;
            piece.geometry = std::move(fragment.geometry);
            if (fragment.shown) piece.shown = std::make_shared<const TriMesh>(std::move(*fragment.shown));
            piece.mass = fragment.mass;
            piece.inherited = std::move(fragment.inherited);
            swap.pieces.push_back(std::move(piece));
        }
        swaps.push_back(std::move(swap));
    }
    return swaps;
}

/// Leaves whole what has a piece that cannot be a body.
void refuseBadPieces(const Simulation::State& state, std::vector<Swap>& swaps, StepReport& report) {
    std::erase_if(swaps, [&](const Swap& swap) {
        for (const Piece& piece : swap.pieces) {
            if (piece.complaint.empty()) continue;
            report.messages.push_back(
                fmt::format("frame {}: {} stays whole: {}", state.frame, swap.parent->facts.name, piece.complaint));
            swap.parent->staysWhole = true;
            return true;
        }
        return false;
    });
}

bool isMobile(const dynamics::BodyState& body) { return body.kind == dynamics::BodyKind::Dynamic && !body.anchored; }

Vec3 velocityAt(const dynamics::BodyState& body, const Vec3& point) {
    if (body.kind == dynamics::BodyKind::Static || body.anchored) return Vec3::Zero();
    return body.velocity + body.angularVelocity.cross(point - body.centre);
}

/// Breaking takes energy, but no momentum: an impulse between the body and the one that hit it hardest slows both down
/// against each other. What stands still can give nothing but takes its share of the impulse.
void payForBreaking(dynamics::World& world, Swap& swap) {
    const dynamics::BodyId id = swap.parent->worldId;
    const double mass = swap.parent->facts.mass;
    swap.motion = motionOf(world, id, mass);
    BreakReport& report = swap.report;
    const fracture::Load* hardest = fracture::hardest(*swap.loads);
    if (hardest == nullptr) return;
    report.point = hardest->worldPoint;
    report.impulse = hardest->impulse.norm();
    const dynamics::BodyId other{hardest->giver.index, hardest->giver.generation};
    if (!world.contains(other)) return;

    // both are where the frame began: so is the place on the body
    const RigidTransform pose = world.state(id).pose;
    const Vec3 point = pose * hardest->point;
    const Vec3 normal = (pose.rotation * hardest->normal).normalized();
    // as hard an impulse as takes the energy, but never more than stops them against each other
    const dynamics::BodyState otherState = world.state(other);
    const bool otherIsMobile = isMobile(otherState);
    RigidMotion &own = swap.motion, hitter;
    if (otherIsMobile) hitter = motionOf(world, other, otherState.mass);
    const double approach = normal.dot(velocityAt(otherState, point) - own.velocityAt(point));
    const double yielding = own.yielding(point, normal) + (otherIsMobile ? hitter.yielding(point, normal) : 0);
    const Vec3 impulse = impulseThatTakes(report.energyWanted, approach, yielding) * normal;
    if (impulse.isZero()) return;

    // the account of what is paid, about one point
    const Vec3 centre = own.centre;
    const auto momentum = [&] {
        const std::array<RigidMotion, 2> pair{own, hitter};
        return momentumOf(std::span(pair).first(otherIsMobile ? 2 : 1), centre);
    };
    report.paidBefore = momentum();
    const double kinetic = own.kinetic() + hitter.kinetic();
    if (!otherIsMobile) {  // the ground, or a scripted body, gives the impulse
        report.paidBefore.linear += impulse;
        report.paidBefore.angular += (point - centre).cross(impulse);
    }
    own.push(impulse, point);
    if (isMobile(world.state(id))) world.applyImpulse(id, impulse, point);
    if (otherIsMobile) {
        world.applyImpulse(other, -impulse, point);
        hitter = motionOf(world, other, otherState.mass);
    }
    report.paidAfter = momentum();
    report.energyTaken = kinetic - own.kinetic() - hitter.kinetic();
}

BodyFacts factsOf(const Simulation::State& state, const SimBody& parent, const Piece& piece, size_t number,
                  bool inOnePiece) {
    BodyFacts facts;
    facts.name = parent.facts.name + (inOnePiece ? "" : fmt::format("/p{}", number));
    facts.parent = parent.facts.serial;
    facts.root = parent.facts.root;
    facts.generation = parent.facts.generation + (inOnePiece ? 0 : 1);
    facts.born = state.frame;
    facts.seed = mixSeed(parent.facts.seed, number + 1);
    facts.mass = piece.mass;
    facts.geometry = piece.geometry;
    facts.shown = piece.shown;
    return facts;
}

dynamics::BodyOptions optionsOf(const BodySetup& root, const Piece& piece, const RigidMotion& motion,
                                const RigidTransform& pose) {
    dynamics::BodyOptions options;
    options.shape = piece.shape;
    options.pose = pose;
    options.mass = piece.mass;
    options.material = root.options.material;
    options.group = root.options.group;
    options.collidesWith = root.options.collidesWith;
    options.anchor = root.fragmentAnchor;
    options.velocity = motion.velocity;
    options.angularVelocity = motion.angularVelocity;
    return options;
}

/// J, of what could not move before and now can: part of the account from here on.
double mechanicalEnergy(const Simulation::State& state, std::span<const RigidMotion> bodies) {
    const Vec3 uniform = state.setup.uniformAcceleration();
    double energy = 0;
    for (const RigidMotion& body : bodies) energy += body.kinetic() - body.mass * uniform.dot(body.centre);
    return energy;
}

/// The parent goes, the pieces come.
void replaceParent(Simulation::State& state, Swap& swap, StepReport& step) {
    dynamics::World& world = state.world;
    const SimBody& parent = *swap.parent;
    const BodySetup& root = state.setupOf(parent);
    const dynamics::BodyState before = world.state(parent.worldId);
    // another swap may have pushed it since it paid
    if (isMobile(before)) swap.motion = motionOf(world, parent.worldId, parent.facts.mass);

    // the motion of the parent, shared among its pieces
    std::vector<RigidMotion> motions;
    for (const Piece& piece : swap.pieces) motions.push_back(atRest(*piece.shape, piece.mass, before.pose));
    if (root.fragmentAnchor) swap.motion = atRest(*parent.shape, parent.facts.mass, before.pose);  // held, as it was
    shareMotion(swap.motion, motions);
    std::vector<dynamics::BodyOptions> options;
    for (size_t i = 0; i < motions.size(); ++i)
        options.push_back(optionsOf(root, swap.pieces[i], motions[i], before.pose));
    const std::vector<dynamics::BodyId> ids = world.replace(parent.worldId, options);

    // what was there, for the report
    BreakReport& report = swap.report;
    report.body = parent.facts.serial;
    report.name = parent.facts.name;
    report.method = root.method->name();
    report.massBefore = parent.facts.mass;
    report.volumeBefore = parent.facts.volume();
    report.before = momentumOf({&swap.motion, 1}, swap.motion.centre);
    report.kineticBefore = swap.motion.kinetic();
    // what is there now: mass and momentum as the world has them, not as they were asked for
    ASSERT(ids.size() == swap.pieces.size());
    for (size_t i = 0; i < ids.size(); ++i) {
        Piece& piece = swap.pieces[i];
        SimBody& body = addBody(state, factsOf(state, parent, piece, i, report.inOnePiece()), piece.shape,
                                std::move(piece.inherited), ids[i]);
        if (report.inOnePiece()) body.changedIn = state.frame;
        motions[i] = motionOf(world, ids[i], piece.mass);
        report.fragments.push_back(body.facts.serial);
        report.massAfter += world.state(ids[i]).mass;
        report.volumeAfter += piece.geometry->volume();
        report.kineticAfter += motions[i].kinetic();
        report.openPieces += !piece.closed;
        step.born.push_back(body.facts);
    }
    report.after = momentumOf(motions, swap.motion.centre);
    if (before.kind != dynamics::BodyKind::Dynamic) step.energyFreed += mechanicalEnergy(state, motions);
    passOn(state, report);
    step.died.push_back(report.body);
    state.bodies.erase(report.body);
    step.breaks.push_back(std::move(report));
}

}  // namespace

void apply(Simulation::State& state, std::vector<Decision> decisions, StepReport& report) {
    std::vector<Swap> swaps = swapsOf(state, decisions, report);
    makeShapes(swaps);
    refuseBadPieces(state, swaps, report);
    for (Swap& swap : swaps) payForBreaking(state.world, swap);
    for (Swap& swap : swaps) replaceParent(state, swap, report);
}

SimBody& addBody(Simulation::State& state, BodyFacts facts, dynamics::ShapePtr shape, fracture::Inheritance inherited,
                 dynamics::BodyId id) {
    SimBody body;
    facts.serial = BodySerial{state.serials++};
    body.facts = std::move(facts);
    body.shape = std::move(shape);
    body.worldId = id;
    return state.keep(std::move(body), std::move(inherited));
}

}  // namespace sunder::sim::detail
