// How hard a blow must be to crack a beam does not depend on how fine the tets are. The numbers are in
// docs/methods/fem.md.
#include <cmath>
#include <cstdio>

#include <gtest/gtest.h>

#include "fracture/fem/detail/fem_body.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/shapes/shapes.h"
#include "material/catalogue.h"

namespace sunder::fracture {

namespace {

// a free beam along x that is struck in the middle of its top
constexpr double kLength = 0.4, kHeight = 0.1, kWidth = 0.07;  // m
constexpr double kContact = 1e-3;                              // s
constexpr double kContactRadius = 0.5 * kHeight;               // m, two cells of the coarsest

FemBody beamOf(int layers, ElementChoice elements) {
    FemFractureOptions options;
    setMaterial(findMaterial("concrete")->solid, options);
    options.elements = elements;
    options.variation = 0;
    const double cell = kHeight / layers, volume = kLength * kHeight * kWidth;
    options.tets = static_cast<int>(12 * volume / (cell * cell * cell));  // a lattice's cube has 12
    options.maxTets = 1'000'000;
    TriMesh mesh = makeShape("box", {{"width", kLength}, {"height", kHeight}, {"depth", kWidth}}, 8);
    const Vec3 middle = boundsOf(mesh).centre();
    for (Vec3& p : mesh.positions) p -= middle;
    Solid solid;
    solid.wholeVolume = volume;
    solid.mass = options.elastic.density * volume;
    solid.geometry = makeSolid(std::move(mesh));
    FemBody body = makeFemBody(solid, options, {});
    EXPECT_NEAR(body.cellSize, cell, 0.02 * cell);
    return body;
}

bool cracks(const FemBody& body, double impulse) {
    CrackableBody beam;
    beam.tets = &body.tets;
    beam.cellSize = body.cellSize;
    beam.material = findMaterial("concrete")->solid.elastic;
    beam.solver = body.solver.get();
    beam.strength = &body.strength;
    beam.distance = [&](const Vec3& point) { return body.grid.value(point); };
    CrackingOptions options;
    options.rounds = options.perRound = 1;
    options.growth.mostTets = 20;
    const ContactForce push{Vec3(0, kHeight / 2, 0), Vec3(0, -impulse / kContact, 0), kContactRadius, kContact};
    return crackBy(std::span(&push, 1), beam, options).cracks > 0;
}

/// The least impulse that cracks the beam, N s, by bisection.
double failureImpulse(int layers, ElementChoice elements) {
    const FemBody body = beamOf(layers, elements);
    // of a free beam that is pushed in the middle, M = F L / 8, sigma = 6 M / (b h^2)
    const double theory =
        findMaterial("concrete")->solid.strength.tensile * kContact * 8 / kLength * kWidth * kHeight * kHeight / 6;
    double bears = 0.5 * theory, breaks = 3 * theory;
    EXPECT_FALSE(cracks(body, bears));
    EXPECT_TRUE(cracks(body, breaks));
    while (breaks > 1.002 * bears) {
        const double middle = std::sqrt(bears * breaks);
        (cracks(body, middle) ? breaks : bears) = middle;
    }
    std::printf("%2d layers, %s, %zu tets: a beam cracks at %.3f N s, %.3f of what beams without width would take\n",
                layers, elements == ElementChoice::Linear ? "linear" : "quadratic", body.tets.tetCount(), bears,
                bears / theory);
    return bears;
}

double apart(double a, double b) { return std::abs(a - b) / b; }

TEST(FemResolution, ABeamsFailureImpulseConvergesWithLinearElements) {
    const double at4 = failureImpulse(4, ElementChoice::Linear), at8 = failureImpulse(8, ElementChoice::Linear),
                 at16 = failureImpulse(16, ElementChoice::Linear);
    EXPECT_LT(apart(at8, at16), 0.6 * apart(at4, at8));
    EXPECT_LT(apart(at8, at16), 0.02);
}

TEST(FemResolution, ABeamsFailureImpulseConvergesWithQuadraticElements) {
    const double at4 = failureImpulse(4, ElementChoice::Quadratic), at8 = failureImpulse(8, ElementChoice::Quadratic);
    EXPECT_LT(apart(at4, at8), 0.02);
    // both kinds come to the same
    EXPECT_LT(apart(at8, failureImpulse(16, ElementChoice::Linear)), 0.02);
}

}  // namespace

}  // namespace sunder::fracture
