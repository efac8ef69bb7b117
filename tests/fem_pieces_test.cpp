// Blows on real models, in several materials: pieces are closed, fit together, and nothing is lost; fragments break
// again. SUNDER_FULL_TESTS: 20 impacts on 5 models in 3 materials.
#include <cstdlib>
#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "fracture/fem/fem_method.h"
#include "fracture/interface/test_methods.h"
#include "geometry/convex/sampling.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/mesh/topology.h"
#include "geometry/mesh/triangle_intersection.h"
#include "geometry/tree/self_intersections.h"
#include "io/mesh/mesh_io.h"
#include "material/catalogue.h"
#include "sim/fragment_shape.h"
#include "sim/simulation.h"
#include "tests/piece_checker.h"

namespace sunder::fracture {
namespace {

bool fullTests() { return std::getenv("SUNDER_FULL_TESTS") != nullptr; }

/// A model, 30 cm along its longest side.
TriMesh model(const char* file) {
    const std::filesystem::path path = std::filesystem::path(SUNDER_SHARED_DATA) / "meshes/models" / file;
    if (!std::filesystem::exists(path)) return {};
    TriMesh mesh = readMesh(path).mesh;
    const Box3 box = boundsOf(mesh);
    const double scale = 0.3 / box.size().maxCoeff();
    for (Vec3& p : mesh.positions) p = scale * (p - box.centre());
    return mesh;
}

FemFractureOptions optionsFor(const char* material) {
    FemFractureOptions options;
    setMaterial(findMaterial(material)->solid, options);
    options.tets = 4000;
    options.elements = ElementChoice::Linear;  // quickly: what is cut out does not depend on how stress was found
    return options;
}

Solid solidOf(TriMesh mesh, const FemFractureOptions& options, uint64_t seed) {
    Solid solid;
    solid.wholeVolume = volume(mesh);
    solid.mass = options.elastic.density * solid.wholeVolume;
    solid.geometry = makeSolid(std::move(mesh));
    solid.seed = seed;
    return solid;
}

/// Somewhere on the surface, aslant: enough to give the body a speed.
Loads randomBlow(const Solid& solid, double speed, uint64_t seed) {
    const SurfaceSample sample = sampleSurface(solid.mesh(), {.count = 1, .seed = seed}).front();
    Random random(seed, 9);
    const Vec3 aslant = 0.4 * Vec3(random.normal(), random.normal(), random.normal());
    const Vec3 direction = (aslant - sample.normal).normalized();
    Loads loads;
    loads.list.push_back({sample.point, direction, solid.mass * speed * direction, speed, solid.mass});
    return loads;
}

/// What is shown is a little less than what is there.
void checkShown(const Fragment& fragment) {
    if (!fragment.shown) return;
    EXPECT_TRUE(isClosedManifold(*fragment.shown));
    EXPECT_EQ(selfIntersections(*fragment.shown).size(), selfIntersections(fragment.mesh()).size());
    const double share = volume(*fragment.shown) / volume(fragment.mesh());
    EXPECT_LT(share, 1);
    EXPECT_GT(share, 0.8);
}

/// Breaks a body as it was told, at the first push.
struct AsTold : test::UnpreparedMethod {
    FracturePlan told;

    explicit AsTold(FracturePlan plan) : told(std::move(plan)) {}
    std::string_view name() const override { return "as told"; }
    bool mayBreak(const Solid& solid, const Loads& /*loads*/) const override { return solid.generation == 0; }
    FracturePlan planOf(const Solid& /*solid*/, const Loads& /*loads*/) const override { return told; }
};

/// Lets the body come to the ground, turning, and break there by the plan.
void checkMotion(const Solid& solid, const FracturePlan& plan) {
    sim::BodySetup ground, body;
    ground.name = "ground";
    body.name = "body";
    ground.options.shape = dynamics::makeHalfSpace();
    ground.options.kind = dynamics::BodyKind::Static;
    body.geometry = solid.geometry;
    body.method = std::make_shared<AsTold>(plan);
    body.options.shape = sim::makeFragmentShape(*solid.geometry, MeshTopology(solid.mesh()));
    body.options.density = solid.mass / solid.wholeVolume;
    body.options.pose.translation = {0, 0.01 - boundsOf(solid.mesh()).min.y(), 0};
    body.options.velocity = {1, -3, 2};
    body.options.angularVelocity = {2, -1, 3};
    sim::SimulationSetup setup;
    setup.bodies = {ground, body};
    sim::Simulation simulation(std::move(setup));
    std::vector<sim::BreakReport> breaks;
    for (int i = 0; i < 5 && breaks.empty(); ++i) breaks = simulation.step().breaks;
    ASSERT_EQ(breaks.size(), 1u);
    EXPECT_EQ(breaks[0].fragments.size(), plan.fragments.size());
    EXPECT_LE(breaks[0].massError(), 1e-12);
    EXPECT_LE(breaks[0].momentumError(), 1e-12);
    EXPECT_LE(breaks[0].angularMomentumError(), 1e-12);
    EXPECT_LE(breaks[0].volumeError(), 1e-9);
}

/// The laws of a break; false when it stayed whole.
bool checkBreak(const Solid& solid, const FracturePlan& plan) {
    if (plan.outcome == Outcome::Cracked || plan.outcome == Outcome::Dented) checkShown(plan.fragments[0]);
    for (const Fragment& fragment : plan.fragments) checkShown(fragment);
    if (plan.fragments.empty()) return false;
    double mass = 0;
    Vec3 moment = Vec3::Zero();  // of mass: where all fragments go on as the body did, it keeps its momentum
    std::vector<TriMesh> pieces;
    for (const Fragment& fragment : plan.fragments) {
        mass += fragment.mass;
        moment += fragment.mass * massProperties(fragment.mesh()).centre;
        pieces.push_back(fragment.mesh());
    }
    EXPECT_NEAR(mass / solid.mass, 1, 1e-12);
    const Vec3 centre = massProperties(solid.mesh()).centre;
    EXPECT_LT((moment / mass - centre).norm(), 1e-9 * boundsOf(solid.mesh()).diagonal());
    const PieceReport report = checkPieces(solid.mesh(), pieces);
    EXPECT_TRUE(report.good(1e-9)) << describe(report);
    return true;
}

class StruckModels : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(StruckModels, ComeApartWithoutLoss) {
    const auto& [file, material] = GetParam();
    const bool quick = std::string(file) == "bunny_5k.obj" || std::string(material) == "glass";
    if (!quick && !fullTests()) GTEST_SKIP() << "in the full tests only";
    const TriMesh mesh = model(file);
    if (mesh.empty()) GTEST_SKIP() << file << " is not here (shared test meshes are absent)";
    const FemMethod method(optionsFor(material));
    const Solid solid = solidOf(mesh, method.options(), 11);
    const auto breakable = method.prepare(solid, {});
    int broke = 0;
    for (int n = 0; n < (fullTests() ? 20 : 2); ++n) {
        SCOPED_TRACE("impact " + std::to_string(n));
        const auto seed = static_cast<uint64_t>(n);
        // harder and harder: some leave it whole, some shatter it
        const Loads blow = randomBlow(solid, 5.0 * (1 << (n % 5 + 1)), seed);
        const FracturePlan plan = method.mayBreak(solid, blow) ? breakable->plan(blow, {}) : FracturePlan();
        if (!checkBreak(solid, plan)) continue;
        checkMotion(solid, plan);
        ++broke;
        if (n % 5 != 0) continue;
        for (size_t f = 0; f < plan.fragments.size(); f += 4) {
            Solid piece = solid;
            piece.geometry = plan.fragments[f].geometry;
            piece.mass = plan.fragments[f].mass;
            piece.generation = 1;
            piece.inherited = plan.fragments[f].inherited;
            if (piece.volume() < 0.02 * solid.wholeVolume) continue;
            SCOPED_TRACE("fragment " + std::to_string(f));
            checkBreak(piece, planOnce(method, piece, randomBlow(piece, 20, f)));
        }
    }
    if (fullTests()) {
        EXPECT_GT(broke, 3);
    }
}

std::string nameOf(const testing::TestParamInfo<std::tuple<const char*, const char*>>& info) {
    std::string name = std::string(std::get<0>(info.param)) + "_" + std::get<1>(info.param);
    for (char& c : name) {
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
    }
    return name;
}
INSTANTIATE_TEST_SUITE_P(Fem, StruckModels,
                         testing::Combine(testing::Values("bunny_5k.obj", "armadillo_10k.stl", "horse_2k.stl",
                                                          "fertility_10k.off", "goblet_victorian_11k.stl"),
                                          testing::Values("glass", "concrete", "marble")),
                         nameOf);

}  // namespace
}  // namespace sunder::fracture
