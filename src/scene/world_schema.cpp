#include "scene/detail/records.h"

namespace sunder::dynamics {

using namespace schema;

const Record<StepOptions>& recordFor(Of<StepOptions>) {
    using S = StepOptions;
    static const Record<S> record =
        Record<S>("solver", "Parts of the step that can be changed or switched off, to show what they do.")
            // how much is computed
            .field("substeps", &S::substeps, whole(1, 1000), "solver steps per frame")
            .field("sweeps", &S::sweeps, whole(1, 1000), "over all contacts, per substep: at least")
            .field("max_sweeps", &S::maxSweeps, whole(0, 10000), "at most, while contacts disagree; 0: chosen")
            // what is computed: one word for each part of the model
            .field("conserving_rotation", &S::conservingRotation, boolean(), "rotation keeps its energy")
            .field("restitution", &S::restitution, boolean(), "bodies bounce")
            .field("friction", &S::friction, boolean(), "bodies rub")
            .field("clamp_impulses", &S::clampImpulses, boolean(),
                   "no impulse of a collision may raise the energy of its pair")
            .field("second_order", &S::secondOrder, boolean(), "positions move with the mean of old and new velocity")
            .field("warm_start", &S::warmStart, boolean(), "start from the impulses of the step before")
            .field("depenetrate", &S::depenetrate, boolean(), "push apart what overlaps")
            .field("continuous", &S::continuous, boolean(), "fast bodies do not tunnel")
            .field("sleeping", &S::sleeping, boolean(), "what rests is not computed until it is touched")
            .field("energy_guard", &S::energyGuard, boolean(),
                   "no group of touching bodies may gain energy in a frame");
    return record;
}

const Record<UniformField>& recordFor(Of<UniformField>) {
    using F = UniformField;
    static const Record<F> record =
        Record<F>("uniform_field", "The same acceleration everywhere, besides gravity.")
            .tag("type", "uniform")
            .field("acceleration", &F::acceleration, vector3("m/s^2", {-1e6, 1e6}), "of every dynamic body");
    return record;
}

const Record<RadialField>& recordFor(Of<RadialField>) {
    using F = RadialField;
    static const Record<F> record =
        Record<F>("radial_field", "Towards a point or away from it: strength / distance^falloff.")
            .tag("type", "radial")
            .field("centre", &F::centre, vector3("m"), "the point")
            .field("strength", &F::strength, number({-1e9, 1e9}, "m/s^2 at 1 m"), "positive: away")
            .field("falloff", &F::falloff, whole(0, 8), "how fast it weakens with distance")
            .field("reach", &F::reach, number({0, 1e9}, "m"), "nothing beyond; 0: no end");
    return record;
}

const Record<DragField>& recordFor(Of<DragField>) {
    using F = DragField;
    static const Record<F> record =
        Record<F>("drag_field", "Air: slows bodies down to the wind's velocity.")
            .tag("type", "drag")
            .field("linear", &F::linear, number({0, 1e6}, "1/s"), "deceleration per speed")
            .field("quadratic", &F::quadratic, number({0, 1e6}, "1/m"), "deceleration per squared speed")
            .field("angular", &F::angular, number({0, 1e6}, "1/s"), "of rotation")
            .field("wind", &F::wind, vector3("m/s", {-1e5, 1e5}), "what bodies are slowed down to");
    return record;
}

}  // namespace sunder::dynamics

namespace sunder::scene {

const Record<WorldSettings>& recordFor(Of<WorldSettings>) {
    using W = WorldSettings;
    static const Record<W> record =
        Record<W>("world", "Time, gravity and the solver.")
            .field("gravity", &W::gravity, vector3("m/s^2", {-1e4, 1e4}), "acceleration of everything that falls")
            .field("frame_rate", &W::frameRate, number({1, 100000}, "1/s"), "frames per second; one step each")
            .field("frames", &W::frames, whole(1, 1000000), "how long the run is")
            .field("seed", &W::seed, seedNumber(), "of all that is random; the same seed gives the same run")
            .field("solver", &W::solver, schema::record<dynamics::StepOptions>(), "how a step is computed");
    return record;
}

const Record<Blast>& recordFor(Of<Blast>) {
    using B = Blast;
    static const Record<B> record =
        Record<B>("explosion", "Once, a push away from a point, weaker with distance until it ends at the radius.")
            .field("time", &B::time, number({0, 1e6}, "s"), "since the start")
            .field(
                "centre", [](auto& b) -> auto& { return b.explosion.centre; }, vector3("m"), "where")
            .field(
                "radius", [](auto& b) -> auto& { return b.explosion.radius; }, number(positive(1e6), "m"),
                "nothing is pushed beyond")
            .field(
                "impulse", [](auto& b) -> auto& { return b.explosion.impulse; }, number({-1e12, 1e12}, "N s"),
                "on a body at the centre");
    return record;
}

}  // namespace sunder::scene
