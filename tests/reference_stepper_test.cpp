// The oracle must be right before anything is compared with it: analytic answers only.
#include "tests/reference_stepper.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace sunder::reference {
namespace {

constexpr double kG = 9.81;  // m/s^2

ContactMaterial surface(double friction, double restitution) {
    ContactMaterial material;
    material.friction = friction;
    material.restitution = restitution;
    return material;
}

Body floorOf(const ContactMaterial& material) { return {.shape = HalfSpace{}, .material = material}; }

RigidTransform at(double x, double y, double z) { return {Quat::Identity(), Vec3(x, y, z)}; }

TEST(ReferenceStepper, ThrownBallFollowsTheParabola) {
    Stepper stepper({{.shape = Sphere{0.1}, .pose = at(0, 5, 0), .velocity = Vec3(3, 2, -1)}});
    stepper.advance(0.7);
    const Vec3 expected = Vec3(3 * 0.7, 5 + 2 * 0.7 - 0.5 * kG * 0.49, -0.7);
    EXPECT_LT((stepper.body(0).pose.translation - expected).norm(), 1e-12);
}

TEST(ReferenceStepper, BouncingBallMeetsTheFloorOnTimeAndRisesToTheKnownHeights) {
    const double height = 1, radius = 0.1, e = 0.8;
    const ContactMaterial material = surface(0, e);
    Stepper stepper(
        {floorOf(material), {.shape = Sphere{radius}, .pose = at(0, height + radius, 0), .material = material}});
    const double fall = std::sqrt(2 * height / kG), speed = kG * fall;
    // to the tops of the first three bounces
    double top = fall;
    for (int bounce = 1; bounce <= 3; ++bounce) {
        const double up = std::pow(e, bounce) * speed / kG;
        stepper.advance(top + up - stepper.time());
        EXPECT_NEAR(stepper.body(1).pose.translation.y() - radius, std::pow(e, 2 * bounce) * height, 1e-8);
        top += 2 * up;
    }
    ASSERT_EQ(stepper.collisions().size(), 3u);
    EXPECT_NEAR(stepper.collisions()[0].time, fall, 2e-10);
    EXPECT_NEAR(stepper.collisions()[1].time, fall + 2 * e * speed / kG, 2e-9);
    EXPECT_NEAR(stepper.collisions()[0].impulse.y(), (1 + e) * speed, 1e-8);
}

TEST(ReferenceStepper, BallComesToRestAndStays) {
    const ContactMaterial material = surface(0.5, 0.5);
    Stepper stepper({floorOf(material), {.shape = Sphere{0.1}, .pose = at(0, 0.3, 0), .material = material}});
    stepper.advance(3);
    EXPECT_NEAR(stepper.body(1).pose.translation.y(), 0.1, 1e-6);
    EXPECT_LT(stepper.body(1).velocity.norm(), 1e-6);
}

TEST(ReferenceStepper, BoxSlidesToRestAtTheKnownDistance) {
    const double angle = std::numbers::pi / 12, mu = 0.5, v0 = 2;
    const Quat tilt(Eigen::AngleAxisd(-angle, Vec3::UnitZ()));
    const Vec3 downhill = tilt * Vec3::UnitX(), up = tilt * Vec3::UnitY();
    const ContactMaterial material = surface(mu, 0);
    Stepper stepper({{.shape = HalfSpace{}, .pose = {tilt, Vec3::Zero()}, .material = material},
                     {.shape = Box{Vec3::Constant(0.3)},
                      .pose = {tilt, 0.15 * up},
                      .velocity = v0 * downhill,
                      .material = material}});
    const double braking = kG * (mu * std::cos(angle) - std::sin(angle));
    stepper.advance(v0 / braking + 0.5);
    EXPECT_NEAR(stepper.body(1).pose.translation.dot(downhill), v0 * v0 / (2 * braking), 1e-5);
    EXPECT_LT(stepper.body(1).velocity.norm(), 1e-6);
    EXPECT_NEAR(stepper.body(1).pose.translation.dot(up), 0.15, 1e-6);
}

TEST(ReferenceStepper, BoxStaysOnASlopeBelowTheFrictionAngle) {
    const Quat tilt(Eigen::AngleAxisd(-0.4, Vec3::UnitZ()));  // tan 0.4 = 0.42
    const Vec3 up = tilt * Vec3::UnitY();
    const ContactMaterial material = surface(0.5, 0);
    Stepper stepper({{.shape = HalfSpace{}, .pose = {tilt, Vec3::Zero()}, .material = material},
                     {.shape = Box{Vec3(0.4, 0.2, 0.3)}, .pose = {tilt, 0.1 * up}, .material = material}});
    stepper.advance(1);
    EXPECT_LT((stepper.body(1).pose.translation - 0.1 * up).norm(), 1e-7);
}

TEST(ReferenceStepper, SlidingBallEndsRolling) {
    // a ball thrown along the floor without spin rolls at 5/7 of its speed after 2 v / (7 mu g)
    const double v0 = 2, mu = 0.3, radius = 0.2;
    const ContactMaterial material = surface(mu, 0);
    Stepper stepper(
        {floorOf(material),
         {.shape = Sphere{radius}, .pose = at(0, radius, 0), .velocity = Vec3(v0, 0, 0), .material = material}});
    const double rollingFrom = 2 * v0 / (7 * mu * kG);
    stepper.advance(0.9 * rollingFrom);
    EXPECT_NEAR(stepper.body(1).velocity.x(), v0 - 0.9 * rollingFrom * mu * kG, 1e-6);
    stepper.advance(0.2 * rollingFrom);
    EXPECT_NEAR(stepper.body(1).velocity.x(), v0 * 5 / 7, 1e-5);
    EXPECT_NEAR(stepper.body(1).angularVelocity.z(), -v0 * 5 / 7 / radius, 1e-4);
    stepper.advance(0.5);
    EXPECT_NEAR(stepper.body(1).velocity.x(), v0 * 5 / 7, 1e-5);
}

TEST(ReferenceStepper, ObliqueCollisionOfTwoBalls) {
    // smooth and elastic: the normal parts of the velocities are exchanged (equal masses)
    const ContactMaterial material = surface(0, 1);
    const double r = 0.1, offset = 0.1;
    Stepper stepper({{.shape = Sphere{r}, .pose = at(-1, 0, 0), .velocity = Vec3(3, 0, 0), .material = material},
                     {.shape = Sphere{r}, .pose = at(0, offset, 0), .material = material}},
                    {.gravity = Vec3::Zero()});
    stepper.advance(1);
    const Vec3 normal(std::sqrt(4 * r * r - offset * offset) / (2 * r), offset / (2 * r), 0);
    const Vec3 given = 3 * normal.x() * normal;
    EXPECT_LT((stepper.body(1).velocity - given).norm(), 1e-7);
    EXPECT_LT((stepper.body(0).velocity - (Vec3(3, 0, 0) - given)).norm(), 1e-7);
}

TEST(ReferenceStepper, RoughCollisionTurnsBothBalls) {
    // head on with one spinning, sticking friction: 2/7 of the slip passes over (equal solid spheres)
    const ContactMaterial material = surface(10, 0.5);
    const double r = 0.1, spin = 5;
    Stepper stepper({{.shape = Sphere{r},
                      .pose = at(-0.5, 0, 0),
                      .velocity = Vec3(2, 0, 0),
                      .angularVelocity = Vec3(0, 0, spin),
                      .material = material},
                     {.shape = Sphere{r}, .pose = at(0, 0, 0), .material = material}},
                    {.gravity = Vec3::Zero()});
    stepper.advance(0.5);
    // slip at the contact r*spin along +y of body 0; impulse m slip / 7 on body 1 (reduced mass m/7)
    EXPECT_NEAR(stepper.body(1).velocity.y(), r * spin / 7, 1e-8);
    EXPECT_NEAR(stepper.body(0).velocity.y(), -r * spin / 7, 1e-8);
    EXPECT_NEAR(stepper.body(1).velocity.x(), 2 * 0.75, 1e-8);
    EXPECT_NEAR(stepper.body(0).velocity.x(), 2 * 0.25, 1e-8);
    EXPECT_LT((stepper.momentum() - Vec3(2, 0, 0)).norm(), 1e-12);
}

TEST(ReferenceStepper, SpinningBoxInFlightKeepsEnergyAndMomentum) {
    Stepper stepper(
        {{.shape = Box{Vec3(0.2, 0.4, 0.7)}, .velocity = Vec3(1, 5, 2), .angularVelocity = Vec3(3, 6, 0.1)}});
    const double energy = stepper.energy();
    const Vec3 spin = stepper.angularMomentum();
    stepper.advance(1);
    EXPECT_NEAR(stepper.energy(), energy, 1e-7 * energy);
    const Vec3 orbital = stepper.body(0).pose.translation.cross(stepper.body(0).velocity);
    EXPECT_LT((stepper.angularMomentum() - orbital - spin).norm(), 1e-8 * spin.norm());
}

TEST(ReferenceStepper, ThreeBoxesStandOnEachOther) {
    const ContactMaterial material = surface(0.6, 0);
    std::vector<Body> bodies{floorOf(material)};
    for (int i = 0; i < 3; ++i) {
        bodies.push_back(
            {.shape = Box{Vec3::Constant(0.3)}, .pose = at(0.02 * i, 0.15 + 0.3 * i, 0), .material = material});
    }
    Stepper stepper(bodies);
    stepper.advance(0.5);
    for (int i = 0; i < 3; ++i) {
        EXPECT_LT((stepper.body(i + 1).pose.translation - Vec3(0.02 * i, 0.15 + 0.3 * i, 0)).norm(), 1e-6) << i;
    }
}

TEST(ReferenceStepper, BallPressedBetweenFloorAndBoxCarriesIt) {
    // two balls under a plate: each carries half of it
    const ContactMaterial material = surface(0.6, 0);
    Stepper stepper({floorOf(material),
                     {.shape = Sphere{0.1}, .pose = at(-0.3, 0.1, 0), .material = material},
                     {.shape = Sphere{0.1}, .pose = at(0.3, 0.1, 0), .material = material},
                     {.shape = Box{Vec3(1, 0.1, 0.3)}, .pose = at(0, 0.25, 0), .mass = 3, .material = material}});
    stepper.advance(0.3);
    EXPECT_LT((stepper.body(3).pose.translation - Vec3(0, 0.25, 0)).norm(), 1e-6);
}

TEST(ReferenceStepper, BoxTipsOverItsEdgeInTheKnownTime) {
    // a thin tall box leaning past its balance turns about its lower edge: I theta'' = m g l sin theta
    const ContactMaterial material = surface(5, 0);
    const Vec3 size(0.1, 1, 0.3);
    const double lean = 0.2;  // rad from upright
    const Quat tilt(Eigen::AngleAxisd(-lean, Vec3::UnitZ()));
    const Vec3 centre = -(tilt * Vec3(0.5 * size.x(), -0.5 * size.y(), 0));  // lower edge at the origin
    Stepper stepper({floorOf(material), {.shape = Box{size}, .pose = {tilt, centre}, .material = material}});
    stepper.advance(0.4);

    const double arm = 0.5 * std::hypot(size.x(), size.y());
    const double moment = (size.x() * size.x() + size.y() * size.y()) / 12 + arm * arm;
    double angle = lean - std::atan2(size.x(), size.y()), speed = 0;  // of the arm from upright
    const int steps = 400000;
    for (int i = 0; i < steps; ++i) {
        speed += 0.4 / steps * kG * arm / moment * std::sin(angle);
        angle += 0.4 / steps * speed;
    }
    const Vec3& place = stepper.body(1).pose.translation;
    EXPECT_NEAR(std::atan2(place.x(), place.y()), angle, 1e-4);
    EXPECT_NEAR(place.norm(), arm, 1e-5);
}

}  // namespace
}  // namespace sunder::reference
