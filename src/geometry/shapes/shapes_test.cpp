#include "geometry/shapes/shapes.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <optional>
#include <set>

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "base/random.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/mesh/topology.h"
#include "geometry/tree/self_intersections.h"

namespace sunder {

namespace {

constexpr double kPi = std::numbers::pi;

bool fullTests() { return std::getenv("SUNDER_FULL_TESTS") != nullptr; }

/// Smallest height over longest side of any triangle.
double worstTriangle(const TriMesh& mesh) {
    double worst = 1;
    for (const TriangleIndex t : mesh.triangles.indices()) {
        const auto [a, b, c] = mesh.corners(t);
        const double longest = std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
        worst = std::min(worst, mesh.areaVector(t).norm() / longest);
    }
    return worst;
}

size_t boundaryLoops(const TriMesh& mesh) {
    const MeshTopology topology(mesh);
    std::map<VertexIndex, VertexIndex> next;
    for (const EdgeIndex e : indexRange<EdgeIndex>(topology.edgeCount())) {
        if (!topology.isBoundary(e)) continue;
        const HalfEdge side = topology.sides(e)[0];
        const Triangle& t = mesh.triangles[side.triangle];
        next[t[side.corner]] = t[(side.corner + 1) % 3];
    }
    size_t loops = 0;
    while (!next.empty()) {
        ++loops;
        for (auto at = next.begin(); at != next.end();) {
            const VertexIndex to = at->second;
            next.erase(at);
            at = next.find(to);
        }
    }
    return loops;
}

/// Every edge has one side, or two that run in opposite directions.
bool consistentlyOriented(const TriMesh& mesh) {
    const MeshTopology topology(mesh);
    for (const EdgeIndex e : indexRange<EdgeIndex>(topology.edgeCount())) {
        const auto sides = topology.sides(e);
        if (sides.size() > 2) return false;
        if (sides.size() < 2) continue;
        if (mesh.triangles[sides[0].triangle][sides[0].corner] == mesh.triangles[sides[1].triangle][sides[1].corner]) {
            return false;
        }
    }
    return true;
}

void expectAttributes(const TriMesh& mesh) {
    ASSERT_EQ(mesh.uvs.size(), mesh.triangleCount());
    ASSERT_EQ(mesh.normals.size(), mesh.triangleCount());
    size_t badNormals = 0, badUvs = 0;
    for (const TriangleIndex t : mesh.triangles.indices()) {
        const Vec3 face = mesh.areaVector(t);
        for (size_t i = 0; i < 3; ++i) {
            const Vec3& n = mesh.normals[t][i];
            badNormals += !(std::abs(n.norm() - 1) < 1e-9 && n.dot(face) > 0);
            badUvs += !(mesh.uvs[t][i].allFinite() && mesh.uvs[t][i].cwiseAbs().maxCoeff() < 10);
        }
    }
    EXPECT_EQ(badNormals, 0u);
    EXPECT_EQ(badUvs, 0u);
}

/// What every shape promises, whatever its parameters.
void expectClean(const ShapeInfo& info, const TriMesh& mesh) {
    ASSERT_FALSE(mesh.empty());
    EXPECT_LT(mesh.triangleCount(), 5'000'000u);
    expectAttributes(mesh);
    if (info.open) {
        EXPECT_TRUE(consistentlyOriented(mesh));
        EXPECT_EQ(boundaryLoops(mesh), 1u);
    } else {
        EXPECT_TRUE(isClosedManifold(mesh));
        EXPECT_GT(volume(mesh), 0);
    }
    EXPECT_GT(worstTriangle(mesh), 1e-4);
    EXPECT_TRUE(selfIntersections(mesh, 1).empty());
}

/// The middle length of the default shape, m.
double typicalLength(const ShapeInfo& info) {
    std::vector<double> lengths;
    for (const ShapeParameter& p : info.parameters) {
        if (!p.whole && p.value > 0) lengths.push_back(p.value);
    }
    std::sort(lengths.begin(), lengths.end());
    return lengths.empty() ? 1 : lengths[lengths.size() / 2];
}

/// Random values, each up to twelve times smaller or larger than the default and in its range; nothing if a hundred
/// tries did not go together.
std::optional<TriMesh> randomShape(const ShapeInfo& info, Random& random, int resolution, ShapeValues& values) {
    for (int attempt = 0; attempt < 100; ++attempt) {
        // nearer to the defaults the longer it takes
        const double reach = 1.0 - 0.009 * attempt;
        for (const ShapeParameter& p : info.parameters) {
            double value = p.value + reach * (random.uniform(p.min, p.max) - p.value);
            if (!p.whole && p.min > 0 && p.max > 20 * p.min) {
                const double factor = std::exp(2.5 * reach * random.uniform(-1, 1));
                value = std::clamp(p.value * factor, p.min, p.max);
            }
            // a feature that may be left out, with a range far wider than the shape: off, or as large as the rest is;
            // drawn evenly from the whole range, a cone's top would never be narrower than its base
            const double typical = typicalLength(info);
            if (!p.whole && p.min == 0 && p.max > 20 * typical) {
                const double size = typical * std::exp(2.5 * random.uniform(-1, 1));
                value = random.uniform() < 0.3 ? 0 : std::min(size, p.max);
            }
            values[p.name] = p.whole ? std::round(value) : value;
        }
        try {
            return makeShape(info.name, values, resolution);
        } catch (const std::invalid_argument&) {
            continue;
        }
    }
    return std::nullopt;
}

std::string shown(const ShapeValues& values) {
    std::string text;
    for (const auto& [name, value] : values) text += name + "=" + std::to_string(value) + " ";
    return text;
}

std::string messageOf(const std::string& name, const ShapeValues& values, int resolution = 24) {
    try {
        makeShape(name, values, resolution);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

/// Made once and looked at by several tests.
const TriMesh& defaultShape(const std::string& name) {
    static std::map<std::string, TriMesh> made;
    const auto [at, isNew] = made.try_emplace(name);
    if (isNew) at->second = makeShape(name, {}, 24);
    return at->second;
}

/// Costs seconds rather than milliseconds, and is as fine at 8 as at 48.
bool isDear(const ShapeInfo& info) {
    return info.name == "animal" || info.name == "figure" || info.name == "gyroid_block";
}

class EveryShape : public testing::TestWithParam<std::string> {};

}  // namespace

TEST_P(EveryShape, IsCleanAtEveryResolution) {
    const ShapeInfo& info = *findShape(GetParam());
    std::vector<int> resolutions = isDear(info) ? std::vector{8, 72} : std::vector{8, 24, 48, 96};
    if (fullTests()) resolutions.insert(resolutions.end(), {13, 131, 200, 400});
    for (const int resolution : resolutions) {
        SCOPED_TRACE(info.name + " at " + std::to_string(resolution));
        const TriMesh mesh = makeShape(info.name, {}, resolution);
        expectClean(info, mesh);
        EXPECT_GE(worstTriangle(mesh), 0.01);
    }
}

TEST_P(EveryShape, IsCleanForRandomParameters) {
    const ShapeInfo& info = *findShape(GetParam());
    Random random(2026, 1);
    const int rounds = fullTests() ? 40 : isDear(info) ? 1 : 6;
    for (int round = 0; round < rounds; ++round) {
        const int resolution = std::array{8, 17, 30}[static_cast<size_t>(round % 3)];
        ShapeValues values;
        const std::optional<TriMesh> mesh = randomShape(info, random, resolution, values);
        SCOPED_TRACE(info.name + " at " + std::to_string(resolution) + ": " + shown(values));
        ASSERT_TRUE(mesh) << "no values that go together";
        expectClean(info, *mesh);
    }
}

namespace {

std::vector<std::string> shapeNames() {
    std::vector<std::string> names;
    for (const ShapeInfo& info : allShapes()) names.push_back(info.name);
    return names;
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(Shapes, EveryShape, testing::ValuesIn(shapeNames()),
                         [](const auto& test) { return test.param; });

TEST(Shapes, ListIsComplete) {
    for (const char* name :
         {"box",        "rounded_box", "sphere",        "ellipsoid",    "cylinder",      "cone",   "capsule",
          "torus",      "prism",       "wall",          "brick_wall",   "plate",         "bowl",   "goblet",
          "wine_glass", "vase",        "hollow_sphere", "pillar",       "fluted_column", "table",  "pane",
          "mushroom",   "star",        "moebius_band",  "gyroid_block", "animal",        "figure", "boat",
          "bowl_shell", "hemisphere",  "sheet",         "mug",          "bottle",        "shelf"}) {
        EXPECT_NE(findShape(name), nullptr) << name;
    }
    EXPECT_EQ(findShape("teapot"), nullptr);
    std::set<std::string> names;
    for (const ShapeInfo& info : allShapes()) {
        EXPECT_TRUE(names.insert(info.name).second) << info.name;
        EXPECT_FALSE(info.help.empty());
        for (const ShapeParameter& p : info.parameters) {
            EXPECT_FALSE(p.help.empty()) << info.name << "." << p.name;
            EXPECT_TRUE(p.min <= p.value && p.value <= p.max && p.min < p.max) << info.name << "." << p.name;
        }
    }
}

TEST(Shapes, VolumesConvergeToTheKnownOnes) {
    struct Known {
        const char* name;
        ShapeValues values;
        double volume;
    };
    const double r = 0.12;
    const double roundedBox = std::pow(1 - 2 * r, 3) + 6 * std::pow(1 - 2 * r, 2) * r + 3 * kPi * r * r * (1 - 2 * r) +
                              4.0 / 3 * kPi * r * r * r;
    const std::vector<Known> all{
        {"box", {{"width", 2}, {"height", 3}, {"depth", 0.5}}, 3.0},
        {"rounded_box", {{"rounding", r}}, roundedBox},
        {"sphere", {{"radius", 2}}, 4.0 / 3 * kPi * 8},
        {"ellipsoid", {{"width", 2}, {"height", 4}, {"depth", 1}}, 4.0 / 3 * kPi * 1 * 2 * 0.5},
        {"cylinder", {{"radius", 0.5}, {"height", 2}}, kPi * 0.25 * 2},
        {"cone", {{"radius", 0.5}, {"height", 2}}, kPi * 0.25 * 2 / 3},
        {"cone", {{"radius", 1}, {"top_radius", 0.5}, {"height", 3}}, kPi * (1 + 0.5 + 0.25)},
        {"capsule", {{"radius", 0.25}, {"height", 1.5}}, kPi * 0.0625 * 1 + 4.0 / 3 * kPi * 0.015625},
        {"torus", {{"radius", 1}, {"tube_radius", 0.25}}, 2 * kPi * kPi * 0.0625},
        {"hollow_sphere", {{"radius", 1}, {"wall", 0.2}}, 4.0 / 3 * kPi * (1 - 0.512)},
        {"moebius_band", {{"radius", 1}, {"width", 0.5}, {"thickness", 0.1}}, 2 * kPi * 0.05},
        {"shelf",
         {{"width", 1}, {"height", 2}, {"depth", 0.5}, {"boards", 4}, {"board", 0.1}},
         0.5 * 0.1 * (2 * 2 + 4 * (1 - 2 * 0.1))},
    };
    for (const Known& known : all) {
        SCOPED_TRACE(known.name);
        // the error falls with the square of the edge length, down to rounding; counts are only about what was asked
        // for
        const double coarse = std::abs(volume(makeShape(known.name, known.values, 96)) / known.volume - 1);
        const double fine = std::abs(volume(makeShape(known.name, known.values, 384)) / known.volume - 1);
        EXPECT_LT(coarse, 0.02);
        EXPECT_LT(fine, std::max(coarse / 5, 1e-12));
    }
}

namespace {

/// The middle surface of the cup's wall times its thickness, and the handle that stands out of it.
double mugEstimate(const ShapeValues& v) {
    const double wall = v.at("wall"), grip = v.at("handle_radius"), height = v.at("height");
    const double radius = v.at("radius"), middle = radius - 0.5 * wall, heel = 1.5 * wall;
    // floor within the heel, the heel by Pappus, side, a half round rim by Pappus
    const double floor = kPi * (radius - heel) * (radius - heel) * wall;
    const double fromHeel =
        4 * (heel * heel * heel - wall * wall * wall / 8) / (3 * kPi * (heel * heel - wall * wall / 4));
    const double turned = 2 * kPi * (radius - heel + fromHeel) * 0.25 * kPi * (heel * heel - wall * wall / 4);
    const double side = 2 * kPi * middle * wall * (height - 0.5 * wall - heel);
    const double rim = 2 * kPi * middle * 0.5 * kPi * wall * wall / 4;
    // the handle: three sides of a rectangle with round corners
    const double depth = v.at("handle_reach") - grip, length = height - 0.5 * wall - heel;
    const double span = length - 2 * std::max(0.2 * length, 1.8 * grip);
    const double bend = 0.8 * std::min(depth, 0.5 * span);
    const double bar = 2 * depth + span - (4 - kPi) * bend;
    return floor + turned + side + rim + kPi * grip * grip * bar;
}

/// Walls of body, neck and shoulder, which is a cubic curve, and the bottom.
double bottleEstimate(const ShapeValues& v) {
    const double wall = v.at("wall"), radius = v.at("radius"), neck = v.at("neck_radius");
    const double rise = 1.2 * (radius - neck), neckHeight = v.at("neck_height");
    const double body = (radius - 0.5 * wall) * (v.at("height") - neckHeight - rise);
    const auto onShoulder = [&](double t) {
        const double s = 1 - t;
        return Vec2(s * s * (s + 3 * t) * radius + t * t * (t + 3 * s) * neck,
                    rise * (3 * s * s * t * 0.55 + 3 * s * t * t * 0.5 + t * t * t));
    };
    double shoulder = 0;
    constexpr int kPieces = 100;
    for (int i = 0; i < kPieces; ++i) {
        const Vec2 from = onShoulder(static_cast<double>(i) / kPieces);
        const Vec2 to = onShoulder(static_cast<double>(i + 1) / kPieces);
        shoulder += (0.5 * (from.x() + to.x()) - 0.5 * wall) * (to - from).norm();
    }
    return wall * (2 * kPi * (body + shoulder + (neck - 0.5 * wall) * neckHeight) + kPi * radius * radius);
}

double shelfEstimate(const ShapeValues& v) {
    const double board = v.at("board"), between = v.at("width") - 2 * board;
    return board * v.at("depth") * (2 * v.at("height") + v.at("boards") * between);
}

}  // namespace

TEST(Shapes, WallsAndBoardsHaveTheVolumeThatTheirMeasuresGive) {
    struct Estimated {
        const char* name;
        double (*volume)(const ShapeValues&);
        double tolerance;
    };
    for (const auto& [name, estimate, tolerance] :
         {Estimated{"mug", mugEstimate, 0.03}, {"bottle", bottleEstimate, 0.05}, {"shelf", shelfEstimate, 1e-9}}) {
        Random random(7, 1);
        for (int round = 0; round < 6; ++round) {
            ShapeValues values;
            const std::optional<TriMesh> mesh = randomShape(*findShape(name), random, 72, values);
            ASSERT_TRUE(mesh) << name;
            EXPECT_NEAR(volume(*mesh) / estimate(values), 1, tolerance) << name << ": " << shown(values);
        }
    }
}

TEST(Shapes, AMugAndABottleAreHollowAndOpenAtTheTop) {
    for (const char* name : {"mug", "bottle"}) {
        const TriMesh& mesh = defaultShape(name);
        const double wall = name == std::string("mug") ? 0.004 : 0.0035;
        // looked at from above along the axis, the first surface is the floor, a wall's thickness above the ground
        double first = -1;
        for (const TriangleIndex t : mesh.triangles.indices()) {
            const auto [a, b, c] = mesh.corners(t);
            const auto side = [](const Vec3& from, const Vec3& to) {
                const double x = 1e-5, z = 2e-5;  // beside any vertex on the axis
                return (to.z() - from.z()) * (x - from.x()) - (to.x() - from.x()) * (z - from.z());
            };
            const double ab = side(a, b), bc = side(b, c), ca = side(c, a);
            const bool covers = (ab > 0 && bc > 0 && ca > 0) || (ab < 0 && bc < 0 && ca < 0);
            if (covers) first = std::max(first, (a.y() + b.y() + c.y()) / 3);
        }
        EXPECT_NEAR(first, wall, 0.1 * wall) << name;
    }
}

TEST(Shapes, GenusIsAsExpected) {
    const auto genusOf = [](const char* name, const ShapeValues& values = {}) {
        const TriMesh mesh = values.empty() ? defaultShape(name) : makeShape(name, values, 24);
        return genus(mesh, MeshTopology(mesh));
    };
    EXPECT_EQ(genusOf("torus"), 1);
    EXPECT_EQ(genusOf("moebius_band"), 1);
    EXPECT_EQ(genusOf("moebius_band", {{"half_twists", 2}}), 1);
    EXPECT_EQ(genusOf("mug"), 1);
    EXPECT_EQ(genusOf("bottle"), 0);
    EXPECT_EQ(genusOf("table"), 0);
    // one more board, one more opening
    EXPECT_EQ(genusOf("shelf"), 4);
    EXPECT_EQ(genusOf("shelf", {{"boards", 2}}), 1);
    EXPECT_EQ(genusOf("star"), 0);
    EXPECT_EQ(genusOf("animal"), 0);
    EXPECT_EQ(genusOf("wine_glass"), 0);
    EXPECT_EQ(genusOf("hollow_sphere", {{"opening_radius", 0.01}}), 0);
    EXPECT_GE(genusOf("figure"), 2);
    EXPECT_GE(genusOf("gyroid_block"), 2);
}

TEST(Shapes, ComponentsAreAsExpected) {
    const auto componentsOf = [](const char* name, const ShapeValues& values = {}) {
        const TriMesh mesh = values.empty() ? defaultShape(name) : makeShape(name, values, 24);
        return connectedComponents(mesh, MeshTopology(mesh)).count;
    };
    EXPECT_EQ(componentsOf("table"), 1u);
    EXPECT_EQ(componentsOf("shelf"), 1u);
    EXPECT_EQ(componentsOf("mug"), 1u);
    EXPECT_EQ(componentsOf("animal"), 1u);
    EXPECT_EQ(componentsOf("gyroid_block"), 1u);
    EXPECT_EQ(componentsOf("hollow_sphere"), 2u);
    EXPECT_EQ(componentsOf("hollow_sphere", {{"opening_radius", 0.01}}), 1u);
    // ten courses, every other one with one brick more
    EXPECT_EQ(componentsOf("brick_wall"), 65u);
}

TEST(Shapes, StandOnTheGroundOrAroundTheOrigin) {
    for (const ShapeInfo& info : allShapes()) {
        SCOPED_TRACE(info.name);
        const Box3 box = boundsOf(defaultShape(info.name));
        const bool centred =
            std::set<std::string>{"box",           "rounded_box", "sphere", "ellipsoid",   "cylinder",
                                  "cone",          "capsule",     "torus",  "prism",       "moebius_band",
                                  "hollow_sphere", "star",        "sheet",  "gyroid_block"}
                .contains(info.name);
        if (centred) {
            // polygons and stars need not reach as far below as above
            EXPECT_LT(std::abs(box.centre().y()), 0.15 * box.diagonal());
        } else {
            EXPECT_NEAR(box.min.y(), 0, 1e-3 * box.diagonal());
        }
    }
}

TEST(Shapes, SizeIsAsAsked) {
    const Box3 box = boundsOf(makeShape("box", {{"width", 2}, {"height", 3}, {"depth", 4}}, 8));
    EXPECT_EQ(box.size(), Vec3(2, 3, 4));
    EXPECT_NEAR(boundsOf(makeShape("wine_glass", {}, 48)).max.y(), 0.22, 0.001);
    EXPECT_NEAR(boundsOf(makeShape("vase", {{"height", 0.5}}, 48)).max.y(), 0.5, 0.005);
    EXPECT_NEAR(boundsOf(makeShape("pillar", {{"height", 5}}, 48)).max.y(), 5, 1e-9);
    const Box3 mug = boundsOf(makeShape("mug", {}, 48));
    EXPECT_NEAR(mug.min.y(), 0, 1e-5);
    EXPECT_NEAR(mug.max.y(), 0.095, 2e-4);
    EXPECT_NEAR(mug.min.x(), -0.041, 2e-4);
    EXPECT_NEAR(mug.max.x(), 0.041 + 0.03, 2e-4);
    EXPECT_NEAR(boundsOf(makeShape("bottle", {}, 48)).size().y(), 0.3, 1e-9);
    const Vec3 shelf = boundsOf(makeShape("shelf", {}, 48)).size();
    EXPECT_LT((shelf - Vec3(0.8, 1.8, 0.3)).norm(), 1e-9);
    EXPECT_NEAR(boundsOf(defaultShape("animal")).size().x(), 0.6, 0.03);
    EXPECT_NEAR(boundsOf(defaultShape("figure")).max.y(), 0.8, 0.02);
}

TEST(Shapes, TrianglesGrowWithTheSquareOfTheResolution) {
    for (const char* name : {"sphere", "box", "cylinder", "vase", "torus", "star", "wall", "pillar"}) {
        const double coarse = static_cast<double>(makeShape(name, {}, 96).triangleCount());
        const double fine = static_cast<double>(makeShape(name, {}, 192).triangleCount());
        EXPECT_GT(fine, 2.5 * coarse) << name;
        EXPECT_LT(fine, 5.5 * coarse) << name;
    }
}

TEST(Shapes, SameBitsForAnyNumberOfThreads) {
    for (const char* name : {"animal", "gyroid_block"}) {
        TriMesh one;
        {
            const ThreadLimit limit(1);
            one = makeShape(name, {}, 24);
        }
        const TriMesh& many = defaultShape(name);
        EXPECT_EQ(one.positions, many.positions);
        EXPECT_EQ(one.triangles, many.triangles);
        EXPECT_EQ(one.normals, many.normals);
    }
}

TEST(Shapes, HardEdgesAreHardAndSmoothOnesSmooth) {
    // a cylinder has two normals at each rim vertex and one everywhere else
    const TriMesh mesh = makeShape("cylinder", {{"radius", 0.5}, {"height", 1}}, 24);
    for (const TriangleIndex t : mesh.triangles.indices()) {
        for (size_t i = 0; i < 3; ++i) {
            const Vec3& n = mesh.normals[t][i];
            const Vec3& p = mesh.positions[mesh.triangles[t][i]];
            const bool level = std::abs(std::abs(n.y()) - 1) < 1e-12;
            const Vec3 outward = Vec3(p.x(), 0, p.z()) / 0.5;
            EXPECT_TRUE(level || (n - outward).norm() < 1e-12);
        }
    }
}

TEST(Shapes, PicturesAreNeitherMirroredNorLost) {
    for (const ShapeInfo& info : allShapes()) {
        const TriMesh& mesh = defaultShape(info.name);
        size_t mirrored = 0, lost = 0;
        for (const auto& [a, b, c] : mesh.uvs) {
            const Vec2 ab = b - a, ac = c - a;
            const double area = ab.x() * ac.y() - ab.y() * ac.x();
            mirrored += area < 0;
            lost += std::abs(area) < 1e-9;
        }
        EXPECT_EQ(mirrored, 0u) << info.name;
        EXPECT_EQ(lost, 0u) << info.name;
    }
}

TEST(Shapes, ARefusalNamesTheValueFoundAndWhatIsAllowed) {
    EXPECT_EQ(messageOf("sphere", {{"radius", -1}}), "sphere: radius must be 0.001 to 100 (radius, m), got -1");
    EXPECT_EQ(messageOf("prism", {{"sides", 4.5}}),
              "prism: sides must be a whole number, 3 to 24 (number of sides), got 4.5");
    EXPECT_EQ(messageOf("wine_glass", {{"wall", 0.02}}),
              "wine_glass: wall must be at most 0.15 of bowl_radius, got 0.02; "
              "with bowl_radius = 0.043 give 0.0003 to 0.00645, or change bowl_radius");
    EXPECT_EQ(messageOf("vase", {{"lip_radius", 0.5}}),
              "vase: lip_radius must be 1 to 2.5 times neck_radius, got 0.5; "
              "with neck_radius = 0.048 give 0.048 to 0.12, or change neck_radius");
    EXPECT_EQ(messageOf("table", {{"width", 0.3}}),
              "table: width must be more than 2 overhang + 3 leg, got 0.3; "
              "with leg = 0.08 and overhang = 0.04 give more than 0.32 and up to 20, or change leg or overhang");
    EXPECT_EQ(messageOf("cone", {{"top_radius", 0.5}}),
              "cone: top_radius must be smaller than radius, got 0.5; "
              "with radius = 0.5 give 0 to less than 0.5, or change radius");
    EXPECT_EQ(messageOf("pillar", {{"radius", 10}, {"height", 0.1}}),
              "pillar: height must be at least 6 times radius, got 0.1; "
              "with radius = 10 give 60 to 100, or change radius");
    // nothing in the parameter's own range would do
    EXPECT_NE(messageOf("goblet", {{"height", 0.03}, {"cup_radius", 2}})
                  .find("cup_height must be 1 to 5 times cup_radius, and at most 0.65 of height, got 0.095; "
                        "no cup_height fits height = 0.03 and cup_radius = 2: change height or cup_radius"),
              std::string::npos);
}

TEST(Shapes, AllMistakesAreNamedAtOnce) {
    const std::string bowl = messageOf("bowl", {{"radius", 0.04}, {"height", 0.095}, {"wall", 0.02}});
    for (const char* part :
         {"bowl: 3 parameters are not allowed: (1) foot_radius must be", "(2) height must be", "(3) wall must be"}) {
        EXPECT_NE(bowl.find(part), std::string::npos) << bowl;
    }
    const std::string mug = messageOf("mug", {{"height", 0.3}, {"wall", 0.02}, {"handle_reach", 0.004}});
    for (const char* part : {"mug: 4 parameters are not allowed: (1) height must be", "(2) wall must be",
                             "(3) handle_radius must be", "(4) handle_reach must be"}) {
        EXPECT_NE(mug.find(part), std::string::npos) << mug;
    }
    const std::string bottle = messageOf("bottle", {{"neck_radius", 0.05}, {"neck_height", 0.2}});
    EXPECT_NE(bottle.find("bottle: 2 parameters are not allowed: (1) neck_radius"), std::string::npos) << bottle;
    const std::string shelf = messageOf("shelf", {{"boards", 40}, {"board", 0.4}});
    EXPECT_NE(shelf.find("shelf: 3 parameters are not allowed: (1) width"), std::string::npos) << shelf;
    const std::string ranges = messageOf("sphere", {{"radius", -1}, {"colour", 3}});
    EXPECT_NE(ranges.find("unknown parameter 'colour'"), std::string::npos) << ranges;
    EXPECT_NE(ranges.find("radius must be 0.001 to 100"), std::string::npos) << ranges;
}

TEST(Shapes, TheLimitsARefusalNamesCanBeTyped) {
    // 0.03 times 0.36 is rounded below 0.0108
    EXPECT_NE(messageOf("vase", {{"wall", 0.011}}).find("0.0003 to 0.0108,"), std::string::npos);
    EXPECT_EQ(messageOf("vase", {{"wall", 0.0108}}), "");
    // cos(36 degrees) has no end of digits: six, rounded inward
    EXPECT_NE(messageOf("star", {{"inner_radius", 0.45}}).find("0.075 to 0.384283,"), std::string::npos);
    EXPECT_EQ(messageOf("star", {{"inner_radius", 0.384283}}), "");
    EXPECT_NE(messageOf("star", {{"inner_radius", 0.384284}}), "");
    EXPECT_NE(messageOf("fluted_column", {{"flutes", 15}, {"flute_depth", 0.2}}).find("0.01 to 0.167551,"),
              std::string::npos);
    EXPECT_EQ(messageOf("fluted_column", {{"flutes", 15}, {"flute_depth", 0.167551}}), "");
}

TEST(Shapes, MistakesAreNamed) {
    EXPECT_NE(messageOf("goblt", {}).find("did you mean 'goblet'"), std::string::npos);
    EXPECT_NE(messageOf("xyzzy", {}).find("known: box, "), std::string::npos);
    EXPECT_NE(messageOf("vase", {{"heigth", 1}}).find("did you mean 'height'"), std::string::npos);
    EXPECT_NE(messageOf("sphere", {{"radius", -1}}).find("0.001 to 100"), std::string::npos);
    EXPECT_NE(messageOf("sphere", {{"radius", std::nan("")}}).find("must be"), std::string::npos);
    EXPECT_NE(messageOf("prism", {{"sides", 4.5}}).find("whole number"), std::string::npos);
    EXPECT_NE(messageOf("torus", {{"tube_radius", 5}}).find("the hole closes"), std::string::npos);
    EXPECT_NE(messageOf("wine_glass", {{"wall", 0.02}}).find("wall must be at most 0.15"), std::string::npos);
    EXPECT_NE(messageOf("box", {}, 4).find("resolution must be 8 to 512"), std::string::npos);
    EXPECT_NE(messageOf("box", {}, 5000).find("resolution must be 8 to 512"), std::string::npos);
    EXPECT_EQ(messageOf("box", {}), "");
}

}  // namespace sunder
