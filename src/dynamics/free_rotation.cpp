#include "dynamics/free_rotation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/assert.h"

namespace sunder::dynamics {
namespace {

/// Everything below happens in the body frame: only the angular momentum seen from there changes, and inertia stays
/// diagonal. A turn by d about an axis of the body makes the orientation q d.
struct BodyView {
    Vec3 momentum;         // kg m^2/s, principal axes
    Vec3 angularVelocity;  // rad/s, principal axes
    double energy;         // J
};

BodyView seenFrom(const Quat& orientation, const Vec3& inverseMoments, const Vec3& angularMomentum) {
    BodyView view;
    view.momentum = orientation.conjugate() * angularMomentum;
    view.angularVelocity = inverseMoments.cwiseProduct(view.momentum);
    view.energy = 0.5 * view.momentum.dot(view.angularVelocity);
    return view;
}

/// sin x / x on |x| <= pi/4, by the series to x^16 (the next term is below 1e-19); y = x^2.
double sincSeries(double y) {
    constexpr double c1 = -1.0 / 6, c2 = 1.0 / 120, c3 = -1.0 / 5040, c4 = 1.0 / 362880, c5 = -1.0 / 39916800,
                     c6 = 1.0 / 6227020800, c7 = -1.0 / 1307674368000, c8 = 1.0 / 355687428096000;
    return 1 + y * (c1 + y * (c2 + y * (c3 + y * (c4 + y * (c5 + y * (c6 + y * (c7 + y * c8)))))));
}

/// cos x on |x| <= pi/4, likewise.
double cosSeries(double y) {
    constexpr double c1 = -0.5, c2 = 1.0 / 24, c3 = -1.0 / 720, c4 = 1.0 / 40320, c5 = -1.0 / 3628800,
                     c6 = 1.0 / 479001600, c7 = -1.0 / 87178291200, c8 = 1.0 / 20922789888000;
    return 1 + y * (c1 + y * (c2 + y * (c3 + y * (c4 + y * (c5 + y * (c6 + y * (c7 + y * c8)))))));
}

struct SinCos {
    double sin, cos;
};

/// Any x; whole quarter turns are taken off with pi/2 in three pieces, the first two of 33 bits, so that their
/// multiples are exact up to a million turns.
SinCos sinCos(double x) {
    constexpr double piece1 = 0x1.921fb544p+0, piece2 = 0x1.0b4611a6p-34, piece3 = 0x1.3198a2e037073p-69;
    constexpr double quartersPerRadian = 0.63661977236758134308;
    const double quarters = std::floor(x * quartersPerRadian + 0.5);
    const double rest = ((x - quarters * piece1) - quarters * piece2) - quarters * piece3;
    const double y = rest * rest, s = rest * sincSeries(y), c = cosSeries(y);
    const double quadrant = quarters - 4 * std::floor(0.25 * quarters);
    if (quadrant == 0) return {s, c};
    if (quadrant == 1) return {c, -s};
    if (quadrant == 2) return {-s, -c};
    return {-c, s};
}

/// A turn about a unit axis that makes one energy into another, if this axis can.
///
///     k = a sin e cos e + c sin^2 e      so      tan e = 2 k / (a + sgn(a) sqrt(g)),   g = a^2 + 4 k (c - k)
///
///     e  the smaller of the two angles
///     k  the energy to lose, J
///     a  m . omega, with m = s x L and s the axis
///     c  E - m . I^-1 m / 2
///
/// The same as [su2009] eq. 9 to 11 with the sign they leave out, but without squares of sums.
struct EnergyTurn {
    double a, c, k, g;

    EnergyTurn(const BodyView& view, const Vec3& inverseMoments, const Vec3& axis, double energyToLose) {
        const Vec3 m = axis.cross(view.momentum);
        a = m.dot(view.angularVelocity);
        c = view.energy - 0.5 * m.dot(inverseMoments.cwiseProduct(m));
        k = energyToLose;
        g = a * a + 4 * k * (c - k);
    }

    /// A g below zero counts as the double root.
    Quat about(const Vec3& axis) const {
        const double root = std::sqrt(std::max(g, 0.0));
        const double across = a < 0 ? a - root : a + root;
        const double length = std::sqrt(across * across + 4 * k * k);
        if (!(length > 0)) return Quat::Identity();
        const double cosine = std::abs(across) / length;
        const double sine = (across < 0 ? -2 * k : 2 * k) / length;
        const double halfCosine = std::sqrt(0.5 * (1 + cosine));
        const Vec3 imaginary = (0.5 * sine / halfCosine) * axis;
        return {halfCosine, imaginary.x(), imaginary.y(), imaginary.z()};
    }
};

/// One correction towards an energy that this momentum allows. The first axis is along L x omega, where the energy
/// changes fastest; where that has no answer or no direction, the turn goes straight towards the principal axis of
/// greatest or least inertia, on whose way every lower or higher energy lies.
Quat correction(const BodyView& view, const Vec3& inverseMoments, double energyToLose) {
    constexpr double kTooSlow = 1e-5;  // part of the energy gained per radian under which the first axis is not trusted

    const Vec3 steepest = view.momentum.cross(view.angularVelocity);
    const double steepestLength = steepest.norm();
    if (steepestLength > 0) {
        const Vec3 axis = steepest / steepestLength;
        const EnergyTurn turn(view, inverseMoments, axis, energyToLose);
        if (turn.g >= 0 && std::abs(turn.a) > kTooSlow * view.energy) return turn.about(axis);
    }

    int principal = 0;
    if (energyToLose > 0) {
        inverseMoments.minCoeff(&principal);
    } else {
        inverseMoments.maxCoeff(&principal);
    }
    const Vec3 towards = view.momentum.cross(Vec3::Unit(principal));
    const double length = towards.norm();
    if (!(length > 0)) return Quat::Identity();  // already there
    const Vec3 axis = towards / length;
    return EnergyTurn(view, inverseMoments, axis, energyToLose).about(axis);
}

Quat corrected(Quat orientation, const Vec3& inverseMoments, const Vec3& angularMomentum, double energy) {
    // a turn of many times the energy leaves round-off of the larger one; the second pass removes that
    constexpr int kPasses = 3;
    constexpr double kRoundOff = 4 * std::numeric_limits<double>::epsilon();
    for (int pass = 0; pass < kPasses; ++pass) {
        const BodyView view = seenFrom(orientation, inverseMoments, angularMomentum);
        const double energyToLose = view.energy - energy;
        if (!(std::abs(energyToLose) > kRoundOff * energy)) break;
        orientation = (orientation * correction(view, inverseMoments, energyToLose)).normalized();
    }
    return orientation;
}

}  // namespace

Vec3 angularVelocity(const Rotor& rotor) {
    return rotor.orientation * (rotor.orientation.conjugate() * rotor.angularMomentum).cwiseQuotient(rotor.moments);
}

double rotationalEnergy(const Rotor& rotor) {
    return seenFrom(rotor.orientation, rotor.moments.cwiseInverse(), rotor.angularMomentum).energy;
}

Quat rotationBy(const Vec3& rotationVector) {
    constexpr double kSeriesEnd = 0.616;  // (pi/4)^2
    const double squaredHalf = 0.25 * rotationVector.squaredNorm();
    double cosine, sineOverAngle;
    if (squaredHalf < kSeriesEnd) {
        cosine = cosSeries(squaredHalf);
        sineOverAngle = 0.5 * sincSeries(squaredHalf);
    } else {
        const double half = std::sqrt(squaredHalf);
        const SinCos turn = sinCos(half);
        cosine = turn.cos;
        sineOverAngle = 0.5 * turn.sin / half;
    }
    return {cosine, sineOverAngle * rotationVector.x(), sineOverAngle * rotationVector.y(),
            sineOverAngle * rotationVector.z()};
}

Quat withRotationalEnergy(const Rotor& rotor, double energy) {
    ASSERT(rotor.moments.minCoeff() > 0);
    const Vec3 inverseMoments = rotor.moments.cwiseInverse();
    const double halfSquare = 0.5 * rotor.angularMomentum.squaredNorm();
    const double allowed =
        std::clamp(energy, halfSquare * inverseMoments.minCoeff(), halfSquare * inverseMoments.maxCoeff());
    return corrected(rotor.orientation, inverseMoments, rotor.angularMomentum, allowed);
}

Quat turnedFreely(const Rotor& rotor, double dt) {
    constexpr double kLargestTurn = 0.1;     // rad per sub-rotation
    constexpr int kMostSubRotations = 4096;  // from 400 rad per step on, sub-rotations grow instead
    constexpr double kSteady = 1e-14;        // of |L| |omega|: the axis does not move, one turn is exact

    ASSERT(rotor.moments.minCoeff() > 0);
    const Vec3 inverseMoments = rotor.moments.cwiseInverse();
    Quat orientation = rotor.orientation;
    BodyView view = seenFrom(orientation, inverseMoments, rotor.angularMomentum);
    const double energy = view.energy;
    if (!(energy > 0)) return orientation;

    // predict: each sub-rotation by h (omega + h/2 I^-1 (L x omega)), as many as the spin asks for
    double left = dt;
    for (int done = 0; done < kMostSubRotations; ++done) {
        const Vec3 misaligned = view.momentum.cross(view.angularVelocity);
        const double squaredSpeed = view.angularVelocity.squaredNorm();
        double parts = 1;
        if (misaligned.squaredNorm() > kSteady * kSteady * view.momentum.squaredNorm() * squaredSpeed) {
            const double turns = std::ceil(std::sqrt(squaredSpeed) * std::abs(left) / kLargestTurn);
            parts = std::min(turns, double(kMostSubRotations - done));
        }
        const double h = parts > 1 ? left / parts : left;
        const Vec3 acceleration = inverseMoments.cwiseProduct(misaligned);
        orientation = orientation * rotationBy(h * (view.angularVelocity + (0.5 * h) * acceleration));
        if (!(parts > 1)) break;
        left -= h;
        view = seenFrom(orientation, inverseMoments, rotor.angularMomentum);
    }

    // correct: the energy it had
    return corrected(orientation.normalized(), inverseMoments, rotor.angularMomentum, energy);
}

Vec3 rotationVector(const Quat& rotation) {
    const double sign = rotation.w() < 0 ? -1 : 1, sine = rotation.vec().norm();
    if (sine == 0) return Vec3::Zero();
    // tan of a quarter of the angle, at most 1; two more halvings bring it where the series is short
    double t = sine / (1 + std::abs(rotation.w()));
    for (int i = 0; i < 2; ++i) t = t / (1 + std::sqrt(1 + t * t));
    const double square = t * t;
    double sum = 0;
    for (int k = 31; k >= 1; k -= 2) sum = 1.0 / k - square * sum;
    return (sign * 16 * t * sum / sine) * rotation.vec();
}

Quat turnAbout(const Vec3& axis, double radians) {
    const double length = axis.norm();
    if (!(length > 0)) return Quat::Identity();
    return rotationBy((std::remainder(radians, 2 * std::numbers::pi) / length) * axis).normalized();
}

double sineOfTurns(double turns) {
    // a rotation by the double angle about z has the sine in its quaternion
    const double angle = 2 * std::numbers::pi * std::remainder(turns, 1.0);
    return rotationBy(Vec3(0, 0, 2 * angle)).z();
}

}  // namespace sunder::dynamics
