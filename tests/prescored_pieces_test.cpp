// Every pattern on every kind of body: pieces are closed, fit together, and nothing is lost; fragments break again.
// SUNDER_FULL_TESTS: all bodies, 20 impacts each.
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "fracture/prescored/prescored.h"
#include "fracture/prescored/test_patterns.h"
#include "geometry/convex/sampling.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/repair/diagnose.h"
#include "geometry/shapes/shapes.h"
#include "io/mesh/mesh_io.h"
#include "tests/piece_checker.h"

namespace sunder::fracture {
namespace {

bool fullTests() { return std::getenv("SUNDER_FULL_TESTS") != nullptr; }

/// Of each body and pattern: 1, in the full tests 20, or as many as SUNDER_FULL_TESTS says when that is more than 1.
int impactCount() {
    if (!fullTests()) return 1;
    const int wanted = std::atoi(std::getenv("SUNDER_FULL_TESTS"));
    return wanted > 1 ? wanted : 20;
}

std::vector<TriMesh> meshesOf(const FracturePlan& plan) {
    std::vector<TriMesh> meshes;
    for (const Fragment& fragment : plan.fragments) meshes.push_back(fragment.mesh());
    return meshes;
}

size_t insideTriangles(std::span<const TriMesh> pieces) {
    size_t count = 0;
    for (const TriMesh& piece : pieces) {
        for (const uint8_t inside : piece.inside) count += inside;
    }
    return count;
}

/// The laws of a break.
void checkBreak(const Solid& solid, const FracturePlan& plan) {
    ASSERT_GE(plan.fragments.size(), 2u);
    double mass = 0;
    for (const Fragment& fragment : plan.fragments) mass += fragment.mass;
    EXPECT_NEAR(mass / solid.mass, 1, 1e-12);
    const std::vector<TriMesh> pieces = meshesOf(plan);
    const PieceReport report = checkPieces(solid.mesh(), pieces);
    EXPECT_TRUE(report.good(1e-9)) << describe(report);
    // each crack face has its twin in another piece; only a whole body has none before it broke
    if (solid.generation == 0) {
        EXPECT_EQ(report.crackTriangles, insideTriangles(pieces));
    }
}

Solid fragmentOf(const Solid& parent, const Fragment& fragment, uint64_t seed) {
    Solid solid = parent;
    solid.geometry = fragment.geometry;
    solid.mass = fragment.mass;
    solid.generation = parent.generation + 1;
    solid.seed = seed;
    return solid;
}

Loads randomPush(const TriMesh& mesh, uint64_t seed) {
    const SurfaceSample sample = sampleSurface(mesh, {.count = 1, .seed = seed}).front();
    Random random(seed, 9);
    const Vec3 aslant = 0.4 * Vec3(random.normal(), random.normal(), random.normal());
    return test::push(sample.point, (aslant - sample.normal).normalized());
}

/// Of each break every fragment is broken once more; one in five of them when `again` is Some.
enum class Again { All, Some };
void breakAndBreakAgain(const TriMesh& mesh, const PrescoredOptions& options, int impacts, Again fragments) {
    PrescoredOptions again = options;
    again.pieces = 4;
    const PrescoredMethod method(options), second(again);
    for (int n = 0; n < impacts; ++n) {
        SCOPED_TRACE("impact " + std::to_string(n));
        const Solid solid = test::solidOf(mesh, 100 + static_cast<uint64_t>(n));
        const Loads loads = randomPush(mesh, static_cast<uint64_t>(n));
        const FracturePlan plan = planOnce(method, solid, loads);
        checkBreak(solid, plan);
        for (size_t f = 0; f < plan.fragments.size(); f += fragments == Again::All ? 1 : 5) {
            if (plan.fragments[f].geometry->volume() < 1e-3 * solid.wholeVolume) continue;  // does not break again
            SCOPED_TRACE("fragment " + std::to_string(f));
            const Solid piece = fragmentOf(solid, plan.fragments[f], f);
            const FracturePlan more = planOnce(second, piece, randomPush(piece.mesh(), f));
            // a small lump may lie in one region of an artist's pattern
            if (options.pattern.kind == patternNamed("artist") && more.empty()) continue;
            checkBreak(piece, more);
        }
    }
}

struct Body {
    friend void PrintTo(const Body& body, std::ostream* out) { *out << body.name; }
    std::string name;
    bool quick = true;  // also without SUNDER_FULL_TESTS
    std::function<TriMesh()> make;
};

TriMesh model(const char* file) {
    const std::filesystem::path path = std::filesystem::path(SUNDER_SHARED_DATA) / "meshes/models" / file;
    return std::filesystem::exists(path) ? readMesh(path).mesh : TriMesh{};
}

/// Everything a face can carry, with seams: UVs as made, sharp and soft normals, materials.
TriMesh painted() {
    TriMesh mesh = makeShape("goblet", {}, 24);
    computeNormals(mesh, 0.5);
    mesh.materialNames = {"foot", "bowl"};
    mesh.materials.clear();
    const double middle = boundsOf(mesh).centre().y();
    for (const TriangleIndex t : mesh.triangles.indices()) mesh.materials.push_back(mesh.corners(t)[0].y() > middle);
    return mesh;
}

std::vector<Body> bodies() {
    return {{"painted", true, painted},
            {"box", true, [] { return makeShape("box", {}, 8); }},
            {"sphere", false, [] { return makeShape("sphere", {}, 24); }},
            {"goblet", true, [] { return makeShape("goblet", {}, 24); }},
            {"animal", false, [] { return makeShape("animal", {}, 32); }},
            {"bunny", true, [] { return model("bunny_5k.obj"); }},
            {"armadillo", false, [] { return model("armadillo_10k.stl"); }},
            {"horse", false, [] { return model("horse_2k.stl"); }},
            {"fertility", false, [] { return model("fertility_10k.off"); }},
            {"goblet_victorian", false, [] { return model("goblet_victorian_11k.stl"); }}};
}

class BrokenBodies : public testing::TestWithParam<std::tuple<Body, PatternKind>> {};

TEST_P(BrokenBodies, AreClosedFitTogetherAndLoseNothing) {
    const auto& [body, pattern] = GetParam();
    if (!body.quick && !fullTests()) GTEST_SKIP() << "in the full tests only";
    const TriMesh mesh = body.make();
    if (mesh.empty()) GTEST_SKIP() << body.name << " is not here (shared test meshes are absent)";
    PrescoredOptions options = test::optionsFor(pattern, 20);
    options.cells = 64;
    const bool thick = body.name == "box" || body.name == "sphere";
    if (thick) options.cells = 32;
    breakAndBreakAgain(mesh, options, impactCount(), fullTests() ? Again::All : Again::Some);
}

TEST(PrescoredPieces, OfCurvedPatternsKeepWhatTheSurfaceCarries) {
    const TriMesh mesh = painted();
    ASSERT_FALSE(mesh.uvs.empty());
    const FracturePlan plan = test::breakOnce(mesh, test::optionsFor(patternNamed("realistic"), 12), 1);
    ASSERT_GE(plan.fragments.size(), 2u);
    double original = 0;  // m^2
    for (const Fragment& fragment : plan.fragments) {
        const TriMesh& piece = fragment.mesh();
        ASSERT_EQ(piece.uvs.size(), piece.triangleCount());
        ASSERT_EQ(piece.normals.size(), piece.triangleCount());
        ASSERT_EQ(piece.materials.size(), piece.triangleCount());
        for (const TriangleIndex t : piece.triangles.indices()) {
            const std::string& material = piece.materialNames.at(piece.materials[t]);
            EXPECT_EQ(material == "inside", piece.inside[t] == 1);
            if (piece.inside[t] == 0) original += 0.5 * piece.areaVector(t).norm();
        }
    }
    EXPECT_NEAR(original, surfaceArea(mesh), 1e-9 * surfaceArea(mesh));
}

TEST(PrescoredPieces, OfCurvedPatternsDoNotCutThemselves) {
    for (const char* shape : {"sphere", "goblet"}) {
        const FracturePlan plan =
            test::breakOnce(makeShape(shape, {}, 24), test::optionsFor(patternNamed("realistic"), 12), 2);
        ASSERT_GE(plan.fragments.size(), 2u);
        for (const Fragment& fragment : plan.fragments) {
            const Diagnosis diagnosis = diagnose(fragment.mesh());
            EXPECT_EQ(diagnosis.find(DefectKind::SelfIntersection), nullptr) << shape << ": " << describe(diagnosis);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Every, BrokenBodies,
                         testing::Combine(testing::ValuesIn(bodies()), testing::ValuesIn(allPatterns())),
                         [](const auto& test) {
                             return std::get<0>(test.param).name + "_" + nameOf(std::get<1>(test.param));
                         });

}  // namespace
}  // namespace sunder::fracture
