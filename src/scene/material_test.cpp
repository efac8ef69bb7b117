#include "scene/material.h"

#include <gtest/gtest.h>

#include "fracture/fem/fem_method.h"
#include "material/catalogue.h"
#include "scene/build.h"
#include "scene/check.h"
#include "scene/fracture_of.h"
#include "scene/looks.h"
#include "scene/materials_json.h"
#include "scene/parse.h"
#include "scene/schema_text.h"

namespace sunder::scene {

namespace {

struct NoMeshes : MeshSource {
    TriMesh read(const std::string& file) override { throw std::invalid_argument(file); }
    fracture::VolumeTexture readVolume(const std::string& file) override { throw std::invalid_argument(file); }
};

ParsedScene parsed(const std::string& rest) { return parseScene("{\"version\": 1, " + rest + "}", "test.json"); }

Scene sceneOf(const std::string& rest) {
    const ParsedScene all = parsed(rest);
    EXPECT_EQ(all.issues.errors(), 0u) << rest << all.issues.describe();
    return all.scene;
}

/// Of a scene with one material "m".
Material materialFrom(const std::string& json) {
    return sceneOf("\"materials\": {\"m\": " + json + "}").materials.items.at(0).second;
}

/// What a method of stress is told of the first body.
fracture::FemFractureOptions femOf(const std::string& rest) {
    NoMeshes meshes;
    const sim::SimulationSetup setup = buildSetup(sceneOf(rest), meshes);
    return dynamic_cast<const fracture::FemMethod&>(*setup.bodies.at(0).method).options();
}

std::vector<schema::Issue> geometryIssues(const std::string& rest) {
    const Scene scene = sceneOf(rest);
    NoMeshes meshes;
    schema::Issues issues;
    checkGeometry(scene, meshes, issues);
    return issues.list();
}

constexpr const char* kFemBox =
    R"("bodies": [{"name": "a", "shape": "box", "material": "m", "fracture": {"method": "fem"}}])";

std::string femBoxOf(const std::string& material, const std::string& settings = "") {
    std::string box = kFemBox;
    if (!settings.empty()) box.insert(box.find("\"fem\"") + 5, ", " + settings);
    return "\"materials\": {\"m\": " + material + "}, " + box;
}

TEST(Catalogue, EveryRowIsInSchemaDocsAndScenes) {
    const std::string schemaText = jsonSchemaText(), docs = schemaDocs();
    const schema::Json definition = schema::Json::parse(schemaText)["$defs"]["material"]["properties"];
    const std::string baseWords = definition["base"].dump(), lookWords = definition["look"].dump();
    for (const MaterialEntry& entry : materials()) {
        const std::string name(entry.name);
        EXPECT_NE(baseWords.find('"' + name + '"'), std::string::npos) << name;
        EXPECT_NE(docs.find("| `" + name + "` |"), std::string::npos) << name;
        // by itself, and as a base
        const Scene scene = sceneOf(R"("bodies": [{"name": "a", "shape": "box", "material": ")" + name + "\"}]");
        const Material& direct = materialOf(scene, scene.bodies[0].material);
        const Material based = materialFrom("{\"base\": \"" + name + "\"}");
        for (const Material* material : {&direct, &based}) {
            EXPECT_EQ(material->density, entry.solid.elastic.density) << name;
            EXPECT_EQ(material->contact, entry.contact) << name;
            EXPECT_EQ(material->look, entry.look) << name;
            EXPECT_EQ(solidMaterialOf(*material), entry.solid) << name;
        }
        EXPECT_EQ(looksJson(scene)[name]["look"], std::string(entry.look));
    }
    for (const LookEntry& entry : looks()) {
        const std::string name(entry.name);
        EXPECT_NE(lookWords.find('"' + name + '"'), std::string::npos) << name;
        EXPECT_NE(docs.find("| `" + name + "` |"), std::string::npos) << name;
        EXPECT_EQ(materialFrom("{\"look\": \"" + name + "\"}").look, name);
    }
    EXPECT_EQ(materialsJson().size(), materials().size());
    EXPECT_EQ(looksListJson().size(), looks().size());
}

TEST(Catalogue, HabitsArePatternsThatThereAre) {
    for (const schema::Json& entry : materialsJson()) {
        if (entry["habit"].is_null()) continue;
        schema::Json fracture = entry["habit"];
        fracture["method"] = "prescored";
        fracture["threshold"] = 1;
        EXPECT_EQ(parsed("\"materials\": {\"m\": {\"fracture\": " + fracture.dump() + "}}").issues.errors(), 0u)
            << entry["name"];
    }
}

TEST(Material, IsItsBaseAndWhatIsOther) {
    const Material material = materialFrom(
        R"({"base": "ceramic", "friction": 0.7, "look": "clay", "strength": 1e6, "crack_roughness": 0.2})");
    const MaterialEntry& ceramic = *findMaterial("ceramic");
    EXPECT_EQ(material.density, ceramic.solid.elastic.density);
    EXPECT_EQ(material.contact.friction, 0.7);
    EXPECT_EQ(material.look, "clay");
    SolidMaterial solid = ceramic.solid;
    solid.strength.tensile = 1e6;
    solid.roughness = 0.2;
    EXPECT_EQ(solidMaterialOf(material), solid);

    // the density is said once: methods have that of the material
    solid.elastic.density = 2000;
    EXPECT_EQ(solidMaterialOf(
                  materialFrom(R"({"density": 2000, "strength": 1e6, "crack_roughness": 0.2, "base": "ceramic"})")),
              solid);
}

TEST(Material, WithoutABaseMeansWhatItAlwaysDid) {
    const Material plain = materialFrom("{}");
    EXPECT_EQ(plain.density, 2500);
    EXPECT_EQ(plain.contact, ContactMaterial());
    EXPECT_EQ(plain.look, "stone");
    EXPECT_FALSE(solidMaterialOf(plain));
    // one constant of its own: the others are concrete's
    SolidMaterial solid = findMaterial("concrete")->solid;
    solid.elastic.density = 2500;
    solid.elastic.youngsModulus = 1e9;
    EXPECT_EQ(solidMaterialOf(materialFrom(R"({"stiffness": 1e9})")), solid);
}

TEST(Material, OfTheSceneGoesBeforeAReadyOneOfItsName) {
    const Scene scene = sceneOf(
        R"("materials": {"ceramic": {"density": 100}}, "bodies": [{"name": "a", "shape": "box", "material": "ceramic"}])");
    EXPECT_EQ(materialOf(scene, scene.bodies[0].material).density, 100);
    EXPECT_FALSE(solidMaterialOf(materialOf(scene, scene.bodies[0].material)));
}

TEST(Material, IsSavedAsItsBaseAndWhatIsOther) {
    const std::string text = sceneText(sceneOf(
        R"("parameters": {"d": 7800, "kind": "steel"}, "materials": {
            "a": {"base": "ceramic", "density": 2400, "friction": 0.6, "look": "ceramic"},
            "b": {"base": "$kind", "density": "$d"}, "c": {"density": 2500, "friction": 0.6}})"));
    const schema::Json materials = schema::Json::parse(text)["materials"];
    EXPECT_EQ(materials["a"], (schema::Json{{"base", "ceramic"}, {"friction", 0.6}}));  // 0.6 is not ceramic's
    EXPECT_EQ(materials["b"], (schema::Json{{"base", "$kind"}, {"density", "$d"}}));
    EXPECT_EQ(materials["c"], schema::Json::object());
}

TEST(Material, ThatIsUnknownGetsADidYouMean) {
    const auto issues = parsed(R"("bodies": [{"name": "a", "shape": "box", "material": "ceramik"}])").issues;
    EXPECT_NE(issues.describe().find("did you mean 'ceramic'?"), std::string::npos) << issues.describe();
    EXPECT_TRUE(parsed(R"("materials": {"m": {"base": "cheese"}})").issues.failed());
}

TEST(Material, ReachesMethodsOfStress) {
    const SolidMaterial& glass = findMaterial("glass")->solid;
    const fracture::FemFractureOptions based = femOf(femBoxOf(R"({"base": "glass", "crack_energy": 3})"));
    EXPECT_EQ(based.elastic, glass.elastic);
    EXPECT_EQ(based.strength.tensile, glass.strength.tensile);
    EXPECT_EQ(based.strength.energy, 3);
    EXPECT_EQ(based.roughness, glass.roughness);
    // what the settings say themselves goes before it, and a material they name stands in for it but for its density
    EXPECT_EQ(femOf(femBoxOf(R"({"base": "glass"})", R"("strength": 1e6)")).strength.tensile, 1e6);
    const fracture::FemFractureOptions other = femOf(femBoxOf(R"({"base": "glass"})", R"("material": "plaster")"));
    EXPECT_EQ(other.strength, findMaterial("plaster")->solid.strength);
    EXPECT_EQ(other.elastic.density, glass.elastic.density);
    // a ready one without any material of the scene
    EXPECT_EQ(femOf(R"("bodies": [{"name": "a", "shape": "box", "material": "marble", "fracture": {"method": "fem"}}])")
                  .elastic,
              findMaterial("marble")->solid.elastic);
    // none at all: concrete, as ever
    EXPECT_EQ(femOf(femBoxOf("{}")).elastic, findMaterial("concrete")->solid.elastic);
}

TEST(Material, OfTwoDensitiesGetsAWarningThatNamesBoth) {
    const auto issues = geometryIssues(femBoxOf(R"({"density": 2400})", R"("material": "plaster")"));
    ASSERT_EQ(issues.size(), 1u);
    EXPECT_EQ(issues[0].severity, schema::Issue::Severity::Warning);
    EXPECT_EQ(issues[0].pointer, "/bodies/0/fracture");
    EXPECT_NE(issues[0].message.find("2400 kg/m^3"), std::string::npos) << issues[0].message;
    EXPECT_NE(issues[0].message.find("1100 kg/m^3"), std::string::npos) << issues[0].message;
    // one density, or one within the scatter of handbooks
    for (const char* good : {R"({"density": 1100})", R"({"density": 1120})", R"({"base": "plaster", "density": 2400})"})
        EXPECT_TRUE(geometryIssues(femBoxOf(good, R"("material": "plaster")")).empty()) << good;
    EXPECT_TRUE(geometryIssues(femBoxOf(R"({"base": "steel"})")).empty());
    EXPECT_EQ(geometryIssues(femBoxOf(R"({"density": 7800})")).size(), 1u);  // concrete's constants
}

TEST(Material, HasTheRangesOfTheMethodsThatReadIt) {
    const schema::Json definitions = schema::Json::parse(jsonSchemaText())["$defs"];
    for (const auto& [own, theirs] : {std::pair{"stiffness", "stiffness"},
                                      {"poisson_ratio", "poisson_ratio"},
                                      {"strength", "strength"},
                                      {"extension", "extension"},
                                      {"across_grain", "across_grain"},
                                      {"crack_energy", "crack_energy"},
                                      {"crack_roughness", "roughness"}}) {
        schema::Json of = definitions["material"]["properties"][own], by = definitions["fem"]["properties"][theirs];
        of.erase("description");
        by.erase("description");
        EXPECT_EQ(of, by) << own;
    }
}

}  // namespace

}  // namespace sunder::scene
