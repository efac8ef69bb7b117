#include "fracture/fem/crack_picture.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "fracture/fem/fem_method.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/shapes/shapes.h"
#include "material/catalogue.h"

namespace sunder::fracture {

namespace {

constexpr double kLength = 1, kHeight = 0.1;  // m, of a beam of concrete along x, struck on top in the middle
constexpr double kImpulse = 2, kSpeed = 2, kStriker = 1;  // N s, m/s, kg

FemFractureOptions concrete(int tets) {
    FemFractureOptions options;
    setMaterial(findMaterial("concrete")->solid, options);
    options.tets = tets;
    options.variation = 0;
    return options;
}

Loads blow(double impulse) {
    Loads loads;
    const Vec3 down(0, -impulse, 0);
    loads.list.push_back({Vec3(0, kHeight / 2, 0), down.normalized(), down, kSpeed, kStriker});
    return loads;
}

FracturePlan struckBeam(const FemFractureOptions& options, double impulse = kImpulse) {
    TriMesh beam = makeShape("box", {{"width", kLength}, {"height", kHeight}, {"depth", kHeight}}, 8);
    const Vec3 middle = boundsOf(beam).centre();
    for (Vec3& p : beam.positions) p -= middle;
    Solid solid;
    solid.wholeVolume = volume(beam);
    solid.mass = options.elastic.density * solid.wholeVolume;
    solid.geometry = makeSolid(std::move(beam));
    const FemMethod method(options);
    return planOnce(method, solid, blow(impulse));
}

/// N
double forceOfBlow() {
    return kImpulse / contactForces(blow(kImpulse), {findMaterial("concrete")->solid.elastic, 24, 0}).at(0).time;
}

/// The mean of the points near a place.
StressAt near(const StressPicture& picture, const Vec3& place, double reach) {
    StressAt mean;
    double count = 0;
    for (const StressAt& point : picture.points) {
        if ((point.place - place).norm() > reach) continue;
        mean.tension += point.tension;
        mean.least += point.least;
        mean.direction += (point.direction.x() < 0 ? -1 : 1) * point.direction;
        ++count;
    }
    EXPECT_GT(count, 0);
    return {place, mean.tension / count, mean.least / count, 0, mean.direction / count};
}

}  // namespace

TEST(StressPicture, OfABeamHasTheStressAndTheEnergyOfBeamTheory) {
    const FracturePlan plan = struckBeam(concrete(3000));
    ASSERT_TRUE(plan.stress);
    const StressPicture& picture = *plan.stress;

    // what struck it
    ASSERT_EQ(picture.contacts.size(), 1u);
    const double force = picture.contacts[0].force.norm();
    EXPECT_NEAR(force / forceOfBlow(), 1, 0.02);  // known to 1/64
    EXPECT_LT((picture.contacts[0].point - Vec3(0, kHeight / 2, 0)).norm(), 0.1 * kHeight);

    // a beam on no supports, pushed in the middle: M = F L / 8 there, sigma = 6 M / h^3, less for the contact's width
    const double theory = 6 * (force * kLength / 8) / (kHeight * kHeight * kHeight);
    EXPECT_NEAR(picture.worst.tension / theory, 0.9, 0.15);
    EXPECT_EQ(picture.worst.strength, concrete(3000).strength.tensile);
    EXPECT_LT(picture.worst.place.y(), -0.3 * kHeight);
    EXPECT_LT(std::abs(picture.worst.place.x()), 0.2 * kHeight);
    EXPECT_GT(std::abs(picture.worst.direction.x()), 0.95);
    // pulled below, and by as much as it is pulled there pressed above; nothing at the ends
    const StressAt below = near(picture, Vec3(0, -kHeight / 2, 0), 0.4 * kHeight);
    EXPECT_NEAR(below.tension / theory, 0.9, 0.2);
    EXPECT_GT(std::abs(below.direction.x()), 0.9);
    EXPECT_NEAR(near(picture, Vec3(0, kHeight / 2, 0), 0.4 * kHeight).least / theory, -0.9, 0.3);
    EXPECT_NEAR(near(picture, Vec3(kLength / 2, 0, 0), kHeight).tension / theory, 0, 0.05);
    // M = F x^2 / 2L from either end: the integral of M^2 / 2EI is F^2 L^3 / 640 EI, and shear adds 6 %
    const double bending =
        force * force * std::pow(kLength, 3) / (640 * concrete(3000).elastic.youngsModulus * std::pow(kHeight, 4) / 12);
    EXPECT_NEAR(picture.strainEnergy / (1.06 * bending), 1, 0.2);

    // its tets fill the beam as far as they have to, which makes it a little softer than theory has it
    double filled = 0;
    for (const auto& tet : picture.cells) {
        const Vec3 a = picture.points[tet[0]].place;
        filled += (picture.points[tet[1]].place - a)
                      .cross(picture.points[tet[2]].place - a)
                      .dot(picture.points[tet[3]].place - a) /
                  6;
    }
    EXPECT_GT(filled / (kLength * kHeight * kHeight), 0.9);
    EXPECT_LT(filled / (kLength * kHeight * kHeight), 1.001);
    EXPECT_EQ(picture.elements, picture.cells.size());
    EXPECT_GE(picture.cracks, 1);
    EXPECT_GE(picture.rounds, 1);
}

TEST(StressPicture, IsMadeOfWhatIsOnlyChangedAndNotOfWhatStaysAsItIs) {
    EXPECT_FALSE(struckBeam(concrete(3000), 0.5).stress);
    FemFractureOptions ductile = concrete(3000);
    ductile.ductility = 5;
    ductile.tearing = 100;
    const FracturePlan plan = struckBeam(ductile);
    ASSERT_EQ(plan.outcome, Outcome::Dented);
    ASSERT_TRUE(plan.stress);
    EXPECT_EQ(plan.stress->cracks, 0);
    EXPECT_EQ(plan.stress->worst.strength, 100 * concrete(3000).strength.tensile);  // that cracks take
}

TEST(StressPicture, IsTheSameOnOneAndTwoThreads) {
    std::vector<StressPicture> pictures;
    for (const int threads : {1, 2}) {
        const ThreadLimit limit(threads);
        pictures.push_back(*struckBeam(concrete(2000)).stress);
    }
    ASSERT_EQ(pictures[0].points.size(), pictures[1].points.size());
    for (size_t i = 0; i < pictures[0].points.size(); ++i) {
        EXPECT_EQ(pictures[0].points[i].tension, pictures[1].points[i].tension);
        EXPECT_EQ(pictures[0].points[i].direction, pictures[1].points[i].direction);
    }
    EXPECT_EQ(pictures[0].strainEnergy, pictures[1].strainEnergy);
}

TEST(StressPicture, OfASurfaceOrALineIsCoarsenedToo) {
    StressPicture picture;
    for (uint32_t i = 0; i < 100; ++i) {
        StressAt point;
        point.place = Vec3(i % 10, i / 10, 0);
        point.tension = i;
        point.strength = 1;
        picture.points.push_back(point);
    }
    for (uint32_t i = 0; i + 11 < 100; ++i) picture.cells.push_back({i, i + 1, i + 10, i + 10});
    picture.cells.push_back({0, 99, 99, 99});
    coarsen(picture, 30);
    EXPECT_LE(picture.points.size(), 30u);
    size_t triangles = 0, segments = 0;
    for (const auto& cell : picture.cells) {
        EXPECT_EQ(cell[2], cell[3]);
        EXPECT_NE(cell[0], cell[1]);
        (cell[1] == cell[2] ? segments : triangles) += 1;
    }
    EXPECT_EQ(segments, 1u);
    EXPECT_GT(triangles, 5u);
}

TEST(StressPicture, OfManyPointsKeepsTheWorstOfEachCell) {
    StressPicture picture = *struckBeam(concrete(3000)).stress;
    StressAt worst = picture.points[0];
    for (const StressAt& point : picture.points) {
        if (point.ratio() > worst.ratio()) worst = point;
    }
    const size_t before = picture.points.size(), tets = picture.cells.size();
    coarsen(picture, before);
    EXPECT_EQ(picture.points.size(), before);
    coarsen(picture, before / 3);
    EXPECT_LE(picture.points.size(), before / 3);
    EXPECT_GT(picture.points.size(), before / 12);
    EXPECT_LT(picture.cells.size(), tets);
    EXPECT_GT(picture.cells.size(), 0u);
    bool kept = false;
    for (const StressAt& point : picture.points) kept |= point.place == worst.place && point.tension == worst.tension;
    EXPECT_TRUE(kept);
    for (const auto& tet : picture.cells) {
        for (const uint32_t corner : tet) EXPECT_LT(corner, picture.points.size());
    }
}

}  // namespace sunder::fracture
