#include <set>

#include "fracture/fem/fem_method.h"
#include "io/files/byte_order.h"
#include "io/recording/recording_stress.h"
#include "io/scene/scene_io.h"
#include "scene/build.h"
#include "scene/parse.h"
#include "sim/simulation.h"
#include "studio/test_session.h"

namespace sunder::studio {
namespace {

class SessionStressTest : public test::SessionTest {};

/// A ball of steel falls on the middle of a beam of concrete.
Json struckBeam() {
    const Json fem{{"method", "fem"}, {"material", "concrete"}, {"tets", 1500}, {"max_generations", 1}, {"grains", 9}};
    return {{"version", 1},
            {"world", {{"frames", 4}}},
            {"materials", {{"concrete", {{"density", 2400}, {"fracture", fem}}}, {"steel", {{"density", 7800}}}}},
            {"bodies",
             {{{"name", "beam"},
               {"shape", {{"name", "box"}, {"width", 1}, {"height", 0.1}, {"depth", 0.1}}},
               {"position", {0, 1, 0}},
               {"material", "concrete"}},
              {{"name", "ball"},
               {"shape", {{"name", "sphere"}, {"radius", 0.04}}},
               {"position", {0, 1.3, 0}},
               {"velocity", {0, -8, 0}},
               {"material", "steel"}}}}};
}

std::string_view textOf(const Answer& answer) {
    return {reinterpret_cast<const char*>(answer.bytes.data()), answer.bytes.size()};
}

TEST_F(SessionStressTest, TellsWhatABodyFeltWhenItBroke) {
    openScene(struckBeam());
    runToEnd();
    const Json events = ask({{"do", "events"}})["events"];
    size_t broken = 0;
    while (broken < events.size() && events[broken]["kind"] != "fracture") ++broken;
    ASSERT_LT(broken, events.size());
    const Json& stress = events[broken]["stress"];
    EXPECT_GT(stress["worst"]["tension"].get<double>(), stress["worst"]["strength"].get<double>());
    EXPECT_LT(stress["worst"]["place"][1].get<double>(), 0.03);  // below: the blow came from above
    const Answer answered = answer({{"do", "stress"}, {"event", broken}});
    ASSERT_TRUE(answered.binary) << answered.json;
    EXPECT_EQ(stressFromBytes(answered.bytes).points.size(), stress["points"].get<size_t>());
    const Answer same = answer({{"do", "stream"}, {"name", "stress"}, {"of", broken}});
    EXPECT_EQ(same.bytes, answered.bytes);
    EXPECT_EQ(same.json["known"], true);
    const Answer none = answer({{"do", "stream"}, {"name", "stress"}, {"of", 999}});
    EXPECT_EQ(none.json["known"], false);
    EXPECT_TRUE(none.bytes.empty());
    const Answer met = answer({{"do", "stream"}, {"name", "impact"}, {"of", events[broken]["frame"]}});
    EXPECT_EQ(met.bytes.size() % 48, 0u);
    EXPECT_EQ(met.bytes.size() / 48, ask({{"do", "impacts"}, {"frame", events[broken]["frame"]}})["impacts"].size());
    EXPECT_NE(refusal({{"do", "stream"}, {"name", "dust"}, {"of", 0}}).find("impact, stress"), std::string::npos);
    EXPECT_NE(refusal({{"do", "stress"}, {"event", 999}}), "");
    EXPECT_NE(refusal({{"do", "stress"}}), "");
}

TEST_F(SessionStressTest, ShowsTheGrainsThatTheRunWillHave) {
    openScene(struckBeam());
    const Json bodies = ask({{"do", "bodies"}})["bodies"];
    const Answer answered = answer({{"do", "grains"}, {"body", bodies[0]["id"]}});
    ASSERT_TRUE(answered.binary) << answered.json;
    const std::string_view bytes = textOf(answered);
    const auto vertices = loadAs<uint32_t>(bytes, 0), triangles = loadAs<uint32_t>(bytes, 4);
    const size_t grainsAt = 12 + 12 * (size_t{vertices} + triangles);
    ASSERT_EQ(bytes.size(), grainsAt + 4 * size_t{vertices});

    // the same of a run's own method, body and seed
    const scene::ParsedScene parsed = scene::parseScene(struckBeam().dump(), "scene", {});
    FolderMeshes meshes(file("."));
    const sim::Simulation simulation(scene::buildSetup(parsed.scene, meshes));
    const sim::BodyFacts& beam = simulation.facts(sim::BodySerial{bodies[0]["id"].get<uint32_t>()});
    fracture::Solid solid;
    solid.geometry = beam.geometry;
    solid.wholeVolume = beam.volume();
    solid.seed = beam.seed;
    std::vector<Vec3> points;
    for (size_t v = 0; v < vertices; ++v)
        points.emplace_back(loadAs<float>(bytes, 12 + 12 * v), loadAs<float>(bytes, 16 + 12 * v),
                            loadAs<float>(bytes, 20 + 12 * v));
    const auto& method = dynamic_cast<const fracture::FemMethod&>(*simulation.setupOf(beam).method);
    const std::vector<uint32_t> expected = method.regionsAt(solid, points);
    std::set<uint32_t> seen;
    size_t same = 0;
    for (size_t v = 0; v < vertices; ++v) {
        const auto grain = loadAs<uint32_t>(bytes, grainsAt + 4 * v);
        same += grain == expected[v];
        seen.insert(grain);
    }
    EXPECT_GT(static_cast<double>(same), 0.99 * vertices);  // places are rounded to floats
    EXPECT_GE(seen.size(), 5u);

    // another seed, other grains; none of what has none
    ask(edit("add", "/materials/concrete/fracture/grain_seed", 2));
    EXPECT_NE(textOf(answer({{"do", "grains"}, {"body", bodies[0]["id"]}})), bytes);
    EXPECT_TRUE(answer({{"do", "grains"}, {"body", bodies[1]["id"]}}).bytes.empty());
    EXPECT_NE(refusal({{"do", "grains"}, {"body", 77}}), "");
}

}  // namespace
}  // namespace sunder::studio
