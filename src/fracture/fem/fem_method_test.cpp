#include "fracture/fem/fem_method.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "fracture/common/strength_field.h"
#include "fracture/fem/detail/fem_body.h"
#include "geometry/grid/mesh_to_grid.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/mesh/topology.h"
#include "geometry/shapes/shapes.h"
#include "geometry/tet/embedding.h"
#include "geometry/tet/stuffing.h"
#include "material/catalogue.h"

namespace sunder::fracture {

namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

TriMesh boxOf(const Vec3& size) {
    return makeShape("box", {{"width", size.x()}, {"height", size.y()}, {"depth", size.z()}}, 8);
}

/// Middle at the origin.
TriMesh centred(TriMesh mesh) {
    const Vec3 middle = boundsOf(mesh).centre();
    for (Vec3& p : mesh.positions) p -= middle;
    return mesh;
}

FemFractureOptions optionsFor(std::string_view material, int tets) {
    FemFractureOptions options;
    setMaterial(findMaterial(material)->solid, options);
    options.tets = tets;
    options.variation = 0;
    return options;
}

Solid solidOf(TriMesh mesh, const FemFractureOptions& options) {
    Solid solid;
    solid.wholeVolume = volume(mesh);
    solid.mass = options.elastic.density * solid.wholeVolume;
    solid.geometry = makeSolid(std::move(mesh));
    solid.seed = 5;
    return solid;
}

Loads blow(const Vec3& point, const Vec3& impulse, double speed, double otherMass = kNoLimit) {
    Loads loads;
    loads.list.push_back({point, impulse.normalized(), impulse, speed, otherMass});
    return loads;
}

using StrengthPtr = std::shared_ptr<const StrengthField>;

FracturePlan broken(const TriMesh& mesh, const FemFractureOptions& options, const Loads& loads,
                    StrengthPtr strength = {}) {
    const FemMethod method(options);
    Solid solid = solidOf(mesh, options);
    solid.strength = std::move(strength);
    return planOnce(method, solid, loads);
}

/// A concrete beam along x, struck on top in the middle.
constexpr double kLength = 1, kHeight = 0.1;
FracturePlan struckBeam(double impulse, StrengthPtr strength = {}) {
    return broken(centred(boxOf({kLength, kHeight, kHeight})), optionsFor("concrete", 3000),
                  blow(Vec3(0, kHeight / 2, 0), Vec3(0, -impulse, 0), 2, 1), std::move(strength));
}

/// A tenth as strong from x = 0.2 to 0.3 m, and slowly as strong as it is beside.
StrengthPtr weakSlab() {
    VolumeTexture texture{.count = {20, 1, 1}, .values = std::vector<float>(20, 1), .placement = {}};
    texture.values[14] = texture.values[15] = 0.1F;
    const Vec3 half(kLength / 2, kHeight / 2, kHeight / 2);
    const LatticePlacement placement = texture.placementIn({-half, half});
    return std::make_shared<const StrengthField>(
        std::nullopt, StrengthVolume(std::make_shared<const VolumeTexture>(std::move(texture)), placement));
}

double largestMass(const FracturePlan& plan) {
    double most = 0;
    for (const Fragment& f : plan.fragments) most = std::max(most, f.mass);
    return most;
}

}  // namespace

TEST(ContactForces, OfABlowDoNotDependOnTheFrame) {
    const StruckBody body{findMaterial("glass")->solid.elastic, 2.0, 0};
    Loads loads = blow(Vec3::Zero(), Vec3(0, -1, 0), 5, 0.1);
    loads.duration = 1.0 / 30;
    const ContactForce slow = contactForces(loads, body).at(0);
    loads.duration = 1.0 / 960;
    const ContactForce fast = contactForces(loads, body).at(0);
    EXPECT_EQ(slow.force, fast.force);
    EXPECT_EQ(slow.time, fast.time);
    // Hertz, by hand: m = 0.1 * 2 / 2.1 kg, R of 0.1 kg of glass, E = 70e9 / (2 (1 - 0.22^2))
    const double m = 0.2 / 2.1, r = std::cbrt(3 * 0.1 / (4 * std::numbers::pi * 2500)), e = 35e9 / (1 - 0.0484);
    EXPECT_NEAR(slow.time, 2.87 * std::pow(m * m / (r * e * e * 5), 0.2), 1e-9);
    EXPECT_NEAR(slow.force.norm() * slow.time, 1, 1e-12);
}

TEST(ContactForces, OfWhatRestsPushAllThroughTheFrame) {
    const StruckBody body{findMaterial("glass")->solid.elastic, 2.0, 0};
    Loads loads = blow(Vec3::Zero(), Vec3(0, 2 * 9.81 / 60, 0), 9.81 / 60);
    loads.duration = 1.0 / 60;
    EXPECT_NEAR(contactForces(loads, body).at(0).force.norm(), 2 * 9.81, 1e-9);
}

TEST(ContactForces, OfABlowThatIsNotOverAreThoseOfTheWhole) {
    const StruckBody body{findMaterial("glass")->solid.elastic, 2.0, 0};
    const double whole = 5 / (1 / 0.1 + 1 / 2.0);  // N s, that brings both to one speed
    for (const double part : {0.2, 0.6, 1.0}) {
        Loads loads = blow(Vec3::Zero(), Vec3(0, -part * whole, 0), 5, 0.1);
        loads.mayGoOn = true;
        const ContactForce made = contactForces(loads, body).at(0);
        EXPECT_NEAR(made.force.norm() * made.time, whole, 1e-9 * whole) << part;
        // the rest of it, a frame later
        Load rest = loads.list[0];
        rest.impulse *= (1 - part) / part;
        loads.list.push_back(rest);
        Vec3 sum = Vec3::Zero();
        for (const ContactForce& one : contactForces(loads, body)) sum += one.time * one.force;
        EXPECT_NEAR(sum.norm(), whole, 1e-9 * whole) << part;
    }
}

TEST(ContactForces, OfBlowsThatMeetAreThoseOfEach) {
    const StruckBody body{findMaterial("glass")->solid.elastic, 2.0, 0};
    const double whole = 5 / (1 / 0.1 + 1 / 2.0);
    Loads loads = blow(Vec3(0, 0.1, 0), Vec3(0, -whole, 0), 5, 0.1);
    loads.list.push_back(blow(Vec3(0, -0.1, 0), Vec3(0, 0.99 * whole, 0), 5, 0.1).list[0]);
    loads.list[1].giver.index = 1;
    loads.mayGoOn = true;
    for (const ContactForce& made : contactForces(loads, body))
        EXPECT_NEAR(made.force.norm() * made.time, whole, 1e-9 * whole);
}

TEST(FemMethod, ABeamStruckInTheMiddleBreaksFromTheTensileSideInTwo) {
    const FracturePlan plan = struckBeam(2);
    ASSERT_GE(plan.fragments.size(), 2u);
    double halves = 0;
    for (const Fragment& f : plan.fragments) {
        const Box3 box = boundsOf(f.mesh());
        if (f.mass > 0.4 * 24) {
            ++halves;
            EXPECT_GT(std::max(std::abs(box.min.x()), std::abs(box.max.x())), 0.49);
            EXPECT_LT(std::min(std::abs(box.min.x()), std::abs(box.max.x())), 0.06);  // the crack is in the middle
        }
    }
    EXPECT_EQ(halves, 2);
    // "tension 3.8 MPa at (0.01, -0.046, 0), ...": below the middle
    double tension = 0, x = 1, y = 1;
    ASSERT_EQ(std::sscanf(plan.reason.c_str(), "tension %lf MPa at (%lf, %lf", &tension, &x, &y), 3);
    EXPECT_LT(y, -0.3 * kHeight);
    EXPECT_LT(std::abs(x), 0.2 * kHeight);
    // a beam on no supports, pushed in the middle: M = F L / 8, sigma = 6 M / h^3, less for the contact's width
    const double force =
        2 / contactForces(blow(Vec3::Zero(), Vec3(0, -2, 0), 2, 1), {findMaterial("concrete")->solid.elastic, 24, 0})[0]
                .time;
    const double theory = 6 * (force * kLength / 8) / (kHeight * kHeight * kHeight);
    EXPECT_NEAR(1e6 * tension / theory, 0.9, 0.15);
}

TEST(FemMethod, ABeamBreaksInTheWeakSlabOfItsVolume) {
    // a quarter of the middle's moment is there, and a tenth of the strength
    ASSERT_TRUE(struckBeam(1).fragments.empty());
    const FracturePlan plan = struckBeam(1, weakSlab());
    ASSERT_GE(plan.fragments.size(), 2u);
    double cracked = 0;
    for (const Fragment& f : plan.fragments) {
        for (const TriangleIndex t : f.mesh().triangles.indices()) {
            if (!f.mesh().inside[t]) continue;
            const double x = f.mesh().positions[f.mesh().triangles[t][0]].x();
            EXPECT_GT(x, 0.1);
            EXPECT_LT(x, 0.4);
            cracked += f.mesh().areaVector(t).norm();
        }
    }
    EXPECT_GT(cracked, 2 * kHeight * kHeight * 0.9) << "it is cut through";

    const auto positions = [&](int threads) {
        const ThreadLimit limit(threads);
        std::vector<Vec3> all;
        for (const Fragment& f : struckBeam(1, weakSlab()).fragments)
            all.insert(all.end(), f.mesh().positions.begin(), f.mesh().positions.end());
        return all;
    };
    EXPECT_EQ(positions(1), positions(2));
}

TEST(FemMethod, WeakerBlowsLeaveABeamWhole) {
    EXPECT_TRUE(struckBeam(0.5).empty());
    EXPECT_FALSE(struckBeam(2).empty());
}

TEST(FemMethod, FragmentsAreClosedAndHaveAllTheMass) {
    const FracturePlan plan = struckBeam(5);
    ASSERT_GE(plan.fragments.size(), 2u);
    double mass = 0, inside = 0, sum = 0;
    for (const Fragment& f : plan.fragments) {
        EXPECT_TRUE(isClosedManifold(f.mesh()));
        mass += f.mass;
        sum += volume(f.mesh());
        for (const TriangleIndex t : f.mesh().triangles.indices()) {
            if (f.mesh().inside[t]) inside += f.mesh().areaVector(t).norm();
        }
    }
    EXPECT_NEAR(mass, 24, 1e-12);
    EXPECT_NEAR(sum, 0.01, 1e-11);
    EXPECT_GT(inside, 2 * kHeight * kHeight);
}

TEST(FemMethod, AMarbleMakesRadialCracksInGlass) {
    const double side = 0.4;
    const FracturePlan plan = broken(centred(boxOf({side, 0.006, side})), optionsFor("glass", 1000),
                                     blow(Vec3(0, 0.003, 0), Vec3(0, -0.25, 0), 15, 0.03));
    ASSERT_GE(plan.fragments.size(), 4u);
    // pieces at the rim lie all around, and cracks between them point to the blow
    std::array<int, 4> quarters{};
    double radial = 0, all = 0;
    for (const Fragment& f : plan.fragments) {
        const Vec3 centre = massProperties(f.mesh()).centre;
        ++quarters[(centre.x() > 0 ? 1 : 0) + (centre.z() > 0 ? 2 : 0)];
        for (const TriangleIndex t : f.mesh().triangles.indices()) {
            if (!f.mesh().inside[t]) continue;
            const auto corner = f.mesh().corners(t);
            Vec3 middle = (corner[0] + corner[1] + corner[2]) / 3;
            middle.y() = 0;
            if (middle.norm() < 0.05) continue;
            const Vec3 area = f.mesh().areaVector(t);
            all += area.norm();
            radial += area.norm() * (std::abs(area.normalized().dot(middle.normalized())) < 0.5 ? 1 : 0);
        }
    }
    for (const int count : quarters) EXPECT_GE(count, 1);
    EXPECT_GT(radial, 0.6 * all);
}

TEST(FemMethod, GivesTheSameBitsForAnyNumberOfThreads) {
    const auto positions = [](int threads) {
        const ThreadLimit limit(threads);
        std::vector<Vec3> all;
        for (const Fragment& f : struckBeam(5).fragments) {
            all.insert(all.end(), f.mesh().positions.begin(), f.mesh().positions.end());
            if (f.shown) all.insert(all.end(), f.shown->positions.begin(), f.shown->positions.end());
        }
        return all;
    };
    EXPECT_EQ(positions(1), positions(2));
}

TEST(FemMethod, ABodyThatIsCrackedButWholeIsWeakerNextTime) {
    // notched by a blow that does not part it
    FemFractureOptions options = optionsFor("concrete", 3000);
    options.cracking.rounds = 1;
    options.cracking.growth.mostTets = 40;
    const TriMesh beam = centred(boxOf({kLength, kHeight, kHeight}));
    const Loads hard = blow(Vec3(0, kHeight / 2, 0), Vec3(0, -2, 0), 2, 1);
    const FracturePlan plan = broken(beam, options, hard);
    ASSERT_EQ(plan.outcome, Outcome::Cracked);
    ASSERT_EQ(plan.fragments.size(), 1u);
    EXPECT_FALSE(scarsIn(plan.fragments[0].inherited).spots.empty());
    EXPECT_EQ(volume(plan.fragments[0].mesh()), volume(beam));  // and one can see it
    ASSERT_TRUE(plan.fragments[0].shown.has_value());
    EXPECT_TRUE(isClosedManifold(*plan.fragments[0].shown));
    EXPECT_LT(volume(*plan.fragments[0].shown), volume(beam));
    EXPECT_GT(volume(*plan.fragments[0].shown), 0.99 * volume(beam));

    options.cracking = {};
    const FemMethod method(options);
    Solid cracked = solidOf(beam, options);
    const Loads mild = blow(Vec3(0, kHeight / 2, 0), Vec3(0, -1, 0), 2, 1);
    EXPECT_TRUE(planOnce(method, cracked, mild).empty());  // whole: bears it
    cracked.inherited = plan.fragments[0].inherited;
    EXPECT_FALSE(planOnce(method, cracked, mild).empty());
}

TEST(FemMethod, DamagedInheritanceIsNone) {
    Scars scars;
    scars.spots = {{Vec3(1, 2, 3), Vec3(0, 1, 0), 0.5}, {Vec3(4, 5, 6), Vec3(1, 0, 0), 0.1}};
    scars.gaps.resize(2);
    scars.gaps[1].positions = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
    scars.gaps[1].triangles = {{VertexIndex{0}, VertexIndex{1}, VertexIndex{2}}};
    Inheritance bytes = inheritanceOf(scars);
    ASSERT_EQ(scarsIn(bytes).spots.size(), 2u);
    EXPECT_EQ(scarsIn(bytes).spots[1].place, Vec3(4, 5, 6));
    ASSERT_EQ(scarsIn(bytes).gaps.size(), 2u);
    EXPECT_EQ(scarsIn(bytes).gaps[1].triangles[TriangleIndex{0}][2], VertexIndex{2});
    for (const size_t missing : {3u, 20u, 100u}) {
        const Inheritance cut(bytes.begin(), bytes.end() - static_cast<ptrdiff_t>(missing));
        EXPECT_TRUE(scarsIn(cut).empty()) << missing;
    }
    bytes[bytes.size() - 4] = std::byte{7};  // the last corner: of a vertex that is not there
    EXPECT_TRUE(scarsIn(bytes).empty());
    EXPECT_TRUE(scarsIn(Inheritance(40, std::byte{255})).empty());
}

TEST(FemMethod, WoodSplitsAlongItsGrain) {
    // a board that is bent about either axis alike: it breaks between the fibres, which run along x
    FemFractureOptions options = optionsFor("wood", 2500);
    options.grainDirection = Vec3(1, 0, 0);
    const TriMesh board = centred(boxOf({0.5, 0.03, 0.5}));
    const FracturePlan plan = broken(board, options, blow(Vec3(0, 0.015, 0), Vec3(0, -8, 0), 5, 2));
    ASSERT_GE(plan.fragments.size(), 2u);
    double across = 0, all = 0;  // of crack area: faces whose normal is across the grain
    for (const Fragment& f : plan.fragments) {
        for (const TriangleIndex t : f.mesh().triangles.indices()) {
            if (!f.mesh().inside[t]) continue;
            const Vec3 area = f.mesh().areaVector(t);
            all += area.norm();
            across += area.norm() * (std::abs(area.normalized().x()) < 0.5 ? 1 : 0);
        }
    }
    EXPECT_GT(across, 0.7 * all);
    EXPECT_LT(largestMass(plan), 0.9 * 500 * volume(board));
}

TEST(FemMethod, CracksRunBetweenGrains) {
    FemFractureOptions options = optionsFor("marble", 3000);
    const TriMesh block = centred(boxOf({0.3, 0.3, 0.05}));
    const Loads loads = blow(Vec3(0, 0, 0.025), Vec3(0, 0, -7), 10, 10);
    const auto bodyOf = [&](int grains) {
        options.grains.count = grains;
        return makeFemBody(solidOf(block, options), options, {});
    };
    const FemBody plain = bodyOf(0), grained = bodyOf(12);
    EXPECT_TRUE(plain.weakPlane.empty());
    size_t weak = 0;
    for (const TetIndex t : grained.strength.indices()) {
        const bool onWall = grained.weakPlane[t].norm() > 0;
        weak += onWall;
        EXPECT_NEAR(grained.strength[t] / plain.strength[t], onWall ? options.grains.strength : 1, 1e-12);
    }
    EXPECT_GT(weak, grained.strength.size() / 20);
    EXPECT_LT(weak, grained.strength.size());

    // a blow that leaves the block whole when it has no grains; how much of the cracks lies in the walls' tets
    const TetLocator locator(grained.tets);
    options.grains.count = 0;
    EXPECT_TRUE(broken(block, options, loads).empty());
    options.grains.count = 12;
    double inWalls = 0, all = 0;
    for (const Fragment& f : broken(block, options, loads).fragments) {
        for (const TriangleIndex t : f.mesh().triangles.indices()) {
            if (!f.mesh().inside[t]) continue;
            const auto corner = f.mesh().corners(t);
            const TetIndex tet = locator.locate((corner[0] + corner[1] + corner[2]) / 3).tet;
            const double area = f.mesh().areaVector(t).norm();
            all += area;
            inWalls += grained.weakPlane[tet].norm() > 0 ? area : 0;
        }
    }
    EXPECT_GT(all, 0);
    EXPECT_GT(inWalls / all, 1.7 * static_cast<double>(weak) / static_cast<double>(grained.strength.size()));
}

TEST(FemMethod, ADuctileRodBendsAwayFromTheBlowAndStaysBent) {
    FemFractureOptions options = optionsFor("cast_iron", 2000);
    options.ductility = 50;
    // with vertices all along
    const TetMesh filled = stuffIsosurface(gridFromMesh(centred(boxOf({1, 0.05, 0.05})), 0.0125), {.cellSize = 0.04});
    const TriMesh rod = boundaryOf(filled).surface;
    const auto struck = [&](double impulse) {
        return broken(rod, options, blow(Vec3(0, 0.025, 0), Vec3(0, -impulse, 0), 10, 20));
    };
    EXPECT_TRUE(struck(1).empty());  // elastic: springs back
    const FracturePlan plan = struck(22);
    ASSERT_EQ(plan.outcome, Outcome::Dented);
    ASSERT_EQ(plan.fragments.size(), 1u);
    EXPECT_TRUE(isClosedManifold(plan.fragments[0].mesh()));
    EXPECT_NEAR(volume(plan.fragments[0].mesh()) / volume(rod), 1, 0.02);
    EXPECT_EQ(plan.fragments[0].mass, options.elastic.density * volume(rod));
    // the middle goes down, the ends come up
    double middle = 0, ends = 0;
    for (const VertexIndex v : rod.positions.indices()) {
        const double sunk = plan.fragments[0].mesh().positions[v].y() - rod.positions[v].y();
        if (std::abs(rod.positions[v].x()) < 0.07) middle = std::min(middle, sunk);
        if (std::abs(rod.positions[v].x()) > 0.45) ends = std::max(ends, sunk);
    }
    EXPECT_LT(middle, -1e-3);
    EXPECT_GT(ends, 1e-3);
}

TEST(FemMethod, RefusesWhatMakesNoSense) {
    const auto problem = [](auto change) {
        FemFractureOptions options;
        change(options);
        return problemWith(options);
    };
    EXPECT_EQ(problem([](auto&) {}), "");
    EXPECT_NE(problem([](auto& o) { o.elastic.poissonRatio = 0.5; }).find("poisson_ratio"), std::string::npos);
    EXPECT_NE(problem([](auto& o) { o.tets = 10; }).find("tets"), std::string::npos);
    EXPECT_NE(problem([](auto& o) { o.strength.tensile = std::nan(""); }).find("strength"), std::string::npos);
    EXPECT_THROW(FemMethod(FemFractureOptions{.tets = 1}), std::invalid_argument);
}

}  // namespace sunder::fracture
