#include "material/catalogue.h"

#include <set>

#include <gtest/gtest.h>

namespace sunder {

namespace {

TEST(Materials, HaveNamesOfTheirOwnAndSoundConstants) {
    std::set<std::string_view> names;
    for (const MaterialEntry& material : materials()) {
        EXPECT_TRUE(names.insert(material.name).second) << material.name;
        EXPECT_EQ(findMaterial(material.name), &material);
        const SolidMaterial& solid = material.solid;
        EXPECT_GT(solid.elastic.density, 500 - 1);
        EXPECT_GT(solid.elastic.mu(), 0);
        EXPECT_GT(solid.elastic.lambda(), 0);
        // brittle solids break at a strain of some hundredths of a percent to a percent
        const double strain = solid.strength.tensile / solid.elastic.youngsModulus;
        EXPECT_GT(strain, 5e-5) << material.name;
        EXPECT_LT(strain, 1e-2) << material.name;
        // Griffith's crack that strength stands for, K^2 / (pi s^2) with K^2 = G E: less than a metre, more than a
        // grain
        const double flaw = solid.strength.energy * solid.elastic.youngsModulus /
                            (3.14159265358979 * solid.strength.tensile * solid.strength.tensile);
        EXPECT_GT(flaw, 1e-5) << material.name;
        EXPECT_LT(flaw, 0.5) << material.name;
        EXPECT_GT(solid.roughness, 0) << material.name;
        EXPECT_LT(solid.roughness, 0.5) << material.name << ": walls would fold";
        EXPECT_GT(material.contact.friction, 0) << material.name;
        ASSERT_NE(lookOfMaterial(material.name), nullptr) << material.name;
        EXPECT_EQ(lookOfMaterial(material.name)->name, material.look);
    }
    EXPECT_GE(names.size(), 12u);
    EXPECT_EQ(materialNames().size(), names.size());
    EXPECT_EQ(findMaterial("cheese"), nullptr);
    EXPECT_EQ(lookOfMaterial("cheese"), nullptr);
}

TEST(Looks, HaveNamesOfTheirOwnAndTermsInTheirRanges) {
    std::set<std::string_view> names;
    for (const LookEntry& entry : looks()) {
        EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
        EXPECT_EQ(findLook(entry.name), &entry);
        EXPECT_FALSE(entry.help.empty()) << entry.name;
        for (const Look& look : {entry.outside, crackFaceOf(entry, entry.outside)}) {
            EXPECT_GE(look.colour.minCoeff(), 0) << entry.name;
            EXPECT_LE(look.colour.maxCoeff(), 1) << entry.name;
            for (const double share : {look.roughness, look.metallic, look.transmission, look.mottle, look.bumps,
                                       look.highlight.strength, look.highlight.mirror, look.veil.opacity,
                                       look.veil.glow, look.flecks, look.pores, look.speckle, look.warmth}) {
                EXPECT_GE(share, 0) << entry.name;
                EXPECT_LE(share, 1) << entry.name;
            }
            EXPECT_GE(look.ior, 1) << entry.name;
            EXPECT_GT(look.grain, 0) << entry.name;
            EXPECT_FALSE(nameOf(look.family).empty()) << entry.name;
            // what lets light through in one renderer does in the other
            EXPECT_EQ(look.transmission > 0, look.veil.opacity < 1) << entry.name;
        }
    }
    EXPECT_EQ(findLook("cheese"), nullptr);
    EXPECT_EQ(plainLook().name, "plain");
}

TEST(Looks, AFreshBreakIsLighterAndDullerUnlessItIsSeenThrough) {
    for (const LookEntry& entry : looks()) {
        const Look inside = crackFaceOf(entry, entry.outside);
        EXPECT_GE(inside.roughness, entry.outside.roughness) << entry.name;
        if (entry.outside.transmission > 0) {
            EXPECT_EQ(inside.colour, entry.outside.colour) << entry.name;
            EXPECT_EQ(inside.transmission, entry.outside.transmission) << entry.name;
        } else {
            EXPECT_GT(inside.colour.sum(), entry.outside.colour.sum()) << entry.name;
            EXPECT_EQ(inside.highlight.mirror, 0) << entry.name;
        }
    }
}

}  // namespace

}  // namespace sunder
