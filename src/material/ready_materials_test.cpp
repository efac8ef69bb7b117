#include "material/ready_materials.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

namespace sunder {

namespace {

TEST(ReadyMaterials, HaveNamesOfTheirOwnAndSoundConstants) {
    std::set<std::string_view> names;
    for (const ReadyMaterial& material : readyMaterials()) {
        EXPECT_TRUE(names.insert(material.name).second) << material.name;
        EXPECT_EQ(findReadyMaterial(material.name), &material);
        EXPECT_GT(material.elastic.density, 500 - 1);
        EXPECT_GT(material.elastic.mu(), 0);
        EXPECT_GT(material.elastic.lambda(), 0);
        // brittle solids break at a strain of some hundredths of a percent to a percent
        const double strain = material.strength.tensile / material.elastic.youngsModulus;
        EXPECT_GT(strain, 5e-5) << material.name;
        EXPECT_LT(strain, 1e-2) << material.name;
        // Griffith's crack that strength stands for, K^2 / (pi s^2) with K^2 = G E: less than a metre, more than a
        // grain
        const double flaw = material.strength.energy * material.elastic.youngsModulus /
                            (3.14159265358979 * material.strength.tensile * material.strength.tensile);
        EXPECT_GT(flaw, 1e-5) << material.name;
        EXPECT_LT(flaw, 0.5) << material.name;
        EXPECT_GT(material.roughness, 0) << material.name;
        EXPECT_LT(material.roughness, 0.5) << material.name << ": walls would fold";
    }
    EXPECT_EQ(names.size(), 9u);
    EXPECT_EQ(findReadyMaterial("cheese"), nullptr);
}

/// A glass marble of 16 mm that falls by 1 m on thick glass: some tens of microseconds.
TEST(ReadyMaterials, HertzTellsHowLongAMarbleTouches) {
    const ElasticMaterial glass = findReadyMaterial("glass")->elastic;
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
