#include "io/looks/scene_looks.h"

#include <gtest/gtest.h>

#include "io/exports/replay_facts.h"
#include "io/render/pov_text.h"
#include "material/catalogue.h"

namespace sunder {

namespace {

scene::Material materialOf(std::string_view look) {
    scene::Material material;
    material.look = look;
    return material;
}

nlohmann::ordered_json servedOf(const std::string& recorded) {
    const ReplayLooks looks(recorded);
    return looks.json().at(0);
}

/// As they were drawn before looks had a table: pictures stay the same.
struct Drawn {
    const char *look, *outside, *inside;
};
constexpr Drawn kDrawn[] = {
    {"plain",
     "texture{pigment{rgbt <0.75,0.74,0.72,0>} finish{ambient 0.12 diffuse 0.78 specular 0.1 "
     "roughness 0.05 reflection{0} }}",
     "texture{pigment{rgbt <0.825,0.818,0.804,0>} finish{ambient 0.12 diffuse 0.78 specular 0.03 "
     "roughness 0.1 reflection{0} }}"},
    {"stone",
     "texture{pigment{granite color_map{[0 rgbt <0.322,0.294,0.252,0>][0.5 rgbt "
     "<0.46,0.42,0.36,0>][1 rgbt <0.598,0.546,0.468,0>]} scale 0.15} normal{granite 0.15 scale "
     "0.15} finish{ambient 0.12 diffuse 0.78 specular 0.05 roughness 0.1 reflection{0} }}",
     "texture{pigment{granite color_map{[0 rgbt <0.4354,0.4158,0.3864,0>][0.5 rgbt "
     "<0.622,0.594,0.552,0>][1 rgbt <0.8086,0.7722,0.7176,0>]} scale 0.15} normal{granite 0.15 "
     "scale 0.15} finish{ambient 0.12 diffuse 0.78 specular 0.03 roughness 0.1 reflection{0} }}"},
    {"concrete",
     "texture{pigment{granite color_map{[0 rgbt <0.41,0.41,0.4018,0>][0.5 rgbt "
     "<0.5,0.5,0.49,0>][1 rgbt <0.59,0.59,0.5782,0>]} scale 0.15} normal{granite 0.1 scale 0.15} "
     "finish{ambient 0.12 diffuse 0.78 specular 0.03 roughness 0.2 reflection{0} }}",
     "texture{pigment{granite color_map{[0 rgbt <0.533,0.533,0.5273,0>][0.5 rgbt "
     "<0.65,0.65,0.643,0>][1 rgbt <0.767,0.767,0.7587,0>]} scale 0.15} normal{granite 0.1 scale "
     "0.15} finish{ambient 0.12 diffuse 0.78 specular 0.03 roughness 0.2 reflection{0} }}"},
    {"brick",
     "texture{pigment{granite color_map{[0 rgbt <0.294,0.098,0.056,0>][0.5 rgbt "
     "<0.42,0.14,0.08,0>][1 rgbt <0.546,0.182,0.104,0>]} scale 0.15} normal{granite 0.2 scale "
     "0.15} finish{ambient 0.12 diffuse 0.78 specular 0.03 roughness 0.2 reflection{0} }}",
     "texture{pigment{granite color_map{[0 rgbt <0.4158,0.2786,0.2492,0>][0.5 rgbt "
     "<0.594,0.398,0.356,0>][1 rgbt <0.7722,0.5174,0.4628,0>]} scale 0.15} normal{granite 0.2 "
     "scale 0.15} finish{ambient 0.12 diffuse 0.78 specular 0.03 roughness 0.2 reflection{0} }}"},
    {"clay",
     "texture{pigment{granite color_map{[0 rgbt <0.4784,0.23,0.138,0>][0.5 rgbt "
     "<0.52,0.25,0.15,0>][1 rgbt <0.5616,0.27,0.162,0>]} scale 0.15} normal{granite 0.04 scale "
     "0.15} finish{ambient 0.12 diffuse 0.78 specular 0.04 roughness 0.15 reflection{0} }}",
     "texture{pigment{granite color_map{[0 rgbt <0.6109,0.437,0.3726,0>][0.5 rgbt "
     "<0.664,0.475,0.405,0>][1 rgbt <0.7171,0.513,0.4374,0>]} scale 0.15} normal{granite 0.04 "
     "scale 0.15} finish{ambient 0.12 diffuse 0.78 specular 0.03 roughness 0.15 reflection{0} }}"},
    {"glass",
     "texture{pigment{rgbt <0.86,0.95,0.92,0.82>} finish{ambient 0.12 diffuse 0.702 specular 0.9 "
     "roughness 0.002 reflection{0.1} conserve_energy}}",
     "texture{pigment{rgbt <0.86,0.95,0.92,0.82>} finish{ambient 0.12 diffuse 0.702 specular 0.9 "
     "roughness 0.002 reflection{0.1} conserve_energy}}"},
    {"ceramic",
     "texture{pigment{rgbt <0.78,0.77,0.73,0>} finish{ambient 0.12 diffuse 0.749 specular 0.6 "
     "roughness 0.01 reflection{0.04} }}",
     "texture{pigment{rgbt <0.846,0.839,0.811,0>} finish{ambient 0.12 diffuse 0.78 specular 0.03 "
     "roughness 0.1 reflection{0} }}"},
    {"wood",
     "texture{pigment{granite color_map{[0 rgbt <0.3,0.165,0.075,0>][0.5 rgbt <0.4,0.22,0.1,0>][1 "
     "rgbt <0.5,0.275,0.125,0>]} scale 0.3} finish{ambient 0.12 diffuse 0.78 specular 0.1 "
     "roughness 0.06 reflection{0} }}",
     "texture{pigment{granite color_map{[0 rgbt <0.435,0.3405,0.2775,0>][0.5 rgbt "
     "<0.58,0.454,0.37,0>][1 rgbt <0.725,0.5675,0.4625,0>]} scale 0.3} finish{ambient 0.12 "
     "diffuse 0.78 specular 0.03 roughness 0.1 reflection{0} }}"},
    {"metal",
     "texture{pigment{rgbt <0.3,0.32,0.35,0>} finish{ambient 0.12 diffuse 0.546 specular 0.8 "
     "roughness 0.01 reflection{0.3} }}",
     "texture{pigment{rgbt <0.51,0.524,0.545,0>} finish{ambient 0.12 diffuse 0.78 specular 0.03 "
     "roughness 0.1 reflection{0} }}"},
    {"ice",
     "texture{pigment{rgbt <0.85,0.93,0.97,0.6>} finish{ambient 0.12 diffuse 0.733 specular 0.7 "
     "roughness 0.01 reflection{0.06} conserve_energy}}",
     "texture{pigment{rgbt <0.85,0.93,0.97,0.6>} finish{ambient 0.12 diffuse 0.733 specular 0.7 "
     "roughness 0.01 reflection{0.06} conserve_energy}}"},
};

TEST(SceneLooks, TenAreRayTracedAsEver) {
    for (const Drawn& drawn : kDrawn) {
        ASSERT_NE(findLook(drawn.look), nullptr) << drawn.look;
        const Looks looks = looksOf(materialOf(drawn.look));
        EXPECT_EQ(pov::texture(looks.outside), drawn.outside) << drawn.look;
        EXPECT_EQ(pov::texture(looks.inside), drawn.inside) << drawn.look;
    }
}

TEST(SceneLooks, EveryRowIsServedWithAllThatTheBrowserDrawsItBy) {
    for (const LookEntry& entry : looks()) {
        const std::string name(entry.name);
        const auto served = servedOf(R"({"m": {"look": ")" + name + "\"}}");
        EXPECT_EQ(served["name"], "m");
        EXPECT_EQ(served["look"], name);
        EXPECT_EQ(served["family"], std::string(nameOf(entry.outside.family))) << name;
        EXPECT_EQ(served["mottle"], entry.outside.mottle) << name;
        EXPECT_EQ(served["bumps"], entry.outside.bumps) << name;
        EXPECT_EQ(served["shine"]["roughness"], entry.outside.roughness) << name;
        EXPECT_EQ(served["shine"]["metallic"], entry.outside.metallic) << name;
        EXPECT_EQ(served["shine"]["opacity"], entry.outside.veil.opacity) << name;
        EXPECT_EQ(served["inside_shine"]["roughness"], entry.crack.roughness) << name;
        EXPECT_EQ(served["colour"][0], entry.outside.colour.x()) << name;
        EXPECT_FALSE(pov::texture(looksOf(materialOf(name)).outside).empty());
    }
}

TEST(SceneLooks, ClayIsClayInTheBrowserToo) {
    const auto clay = servedOf(R"({"pot": {"look": "clay"}})");
    EXPECT_EQ(clay["look"], "clay");
    EXPECT_EQ(clay["family"], "grained");
    EXPECT_GT(clay["colour"][0], 2 * clay["colour"][2].get<double>()) << "red-brown";
    EXPECT_NE(clay["shine"], servedOf(R"({"pot": {"look": "plain"}})")["shine"]);
}

TEST(SceneLooks, OfAProgramThatKnewMoreAreStillDrawn) {
    const auto served = servedOf(R"({"m": {"look": "velvet", "colour": "#ffffff"}})");
    EXPECT_EQ(served["colour"][1], 1.0);
    EXPECT_FALSE(served["family"].get<std::string>().empty());
}

TEST(SceneLooks, OwnColoursStandInForTheLooks) {
    scene::Material material = materialOf("ceramic");
    material.colour = Vec3(1, 0, 0);
    const Looks looks = looksOf(material);
    EXPECT_EQ(looks.outside.colour, Vec3(1, 0, 0));
    EXPECT_EQ(looks.outside.roughness, findLook("ceramic")->outside.roughness);
    EXPECT_GT(looks.inside.colour.y(), 0) << "lighter";
    material.insideColour = Vec3(0, 0, 1);
    EXPECT_EQ(looksOf(material).inside.colour, Vec3(0, 0, 1));
}

}  // namespace

}  // namespace sunder
