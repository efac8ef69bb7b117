#include "material/hertz.h"

#include <cmath>

#include <gtest/gtest.h>

#include "material/catalogue.h"

namespace sunder {

namespace {

/// A glass marble of 16 mm that falls by 1 m on thick glass: some tens of microseconds.
TEST(HertzContactTime, TellsHowLongAMarbleTouches) {
    const ElasticMaterial glass = findMaterial("glass")->solid.elastic;
    const double radius = 0.008, mass = 2500 * 4.0 / 3 * 3.14159265358979 * radius * radius * radius;
    const double time = hertzContactTime(mass, radius, reducedStiffness(glass, &glass), 4.43);
    EXPECT_GT(time, 2e-5);
    EXPECT_LT(time, 6e-5);
    // twice as stiff: shorter by 2^(-2/5)
    ElasticMaterial stiffer = glass;
    stiffer.youngsModulus *= 2;
    EXPECT_NEAR(hertzContactTime(mass, radius, reducedStiffness(stiffer, &stiffer), 4.43) / time, std::pow(2, -0.4),
                1e-12);
    EXPECT_NEAR(reducedStiffness(glass, nullptr) / reducedStiffness(glass, &glass), 2, 1e-12);
}

}  // namespace

}  // namespace sunder
