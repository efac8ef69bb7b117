#pragma once

#include <cmath>

#include <fmt/format.h>

#include "base/random.h"
#include "fracture/interface/test_methods.h"
#include "geometry/convex/convex_hull.h"
#include "geometry/convex/voronoi.h"
#include "geometry/mesh/mass_properties.h"
#include "sim/simulation.h"

/// A small honest way to break convex bodies, and small scenes, for tests of the loop and of recordings.
namespace sunder::sim::test_shatter {

/// Breaks what gets more than `threshold` N s at once into Voronoi cells around seeded sites.
struct Shatter : fracture::test::UnpreparedMethod {
    double threshold = 1;  // N s, of a whole body; falls with the volume of fragments
    size_t pieces = 8;
    int generations = 1;  // older fragments never break
    double energy = 0;    // J per break

    Shatter() = default;
    Shatter(double limit, size_t count, int oldest = 1, double cost = 0)
        : threshold(limit), pieces(count), generations(oldest), energy(cost) {}

    std::string_view name() const override { return "shatter"; }
    double limitOf(const fracture::Solid& solid) const { return threshold * solid.volume() / solid.wholeVolume; }
    bool mayBreak(const fracture::Solid& solid, const fracture::Loads& loads) const override {
        const fracture::Load* load = fracture::hardest(loads);
        return load != nullptr && solid.generation < generations && load->impulse.norm() > limitOf(solid);
    }
    fracture::FracturePlan planOf(const fracture::Solid& solid, const fracture::Loads& loads) const override {
        // sites anywhere in the box; each piece is the part of the hull that is nearest to its site
        const Box3 box = boundsOf(solid.mesh());
        Random random(solid.seed);
        std::vector<Vec3> sites;
        for (size_t i = 0; i < pieces; ++i) {
            const Vec3 share(random.uniform(), random.uniform(), random.uniform());
            sites.push_back(box.min + share.cwiseProduct(box.size()));
        }
        const ConvexPolytope hull =
            convexHull(std::vector<Vec3>(solid.mesh().positions.begin(), solid.mesh().positions.end())).polytope;
        const VoronoiDiagram cells = voronoi(sites, hull);
        fracture::FracturePlan plan;
        double sum = 0;  // m^3
        for (uint32_t i = 0; i < sites.size(); ++i) {
            fracture::Fragment fragment;
            TriMesh mesh = toTriMesh(cells.cell(SiteIndex{i}));
            if (mesh.empty()) continue;
            mesh.inside.resize(mesh.triangleCount(), 1);
            fragment.geometry = makeSolid(std::move(mesh));
            fragment.mass = fragment.geometry->volume();
            sum += fragment.mass;
            fragment.inherited.assign(3, std::byte(i));
            plan.fragments.push_back(std::move(fragment));
        }
        if (plan.fragments.size() < 2) return {};
        plan.outcome = fracture::Outcome::Broken;
        for (fracture::Fragment& fragment : plan.fragments) fragment.mass *= solid.mass / sum;
        plan.energy = energy;
        plan.reason = fmt::format("impulse {:.3g} N s, threshold {:.3g} N s", fracture::hardest(loads)->impulse.norm(),
                                  limitOf(solid));
        return plan;
    }
};

inline GeometryPtr boxGeometry(const Vec3& size) {
    Box3 box;
    box.add(-0.5 * size);
    box.add(0.5 * size);
    return makeSolid(toTriMesh(polytopeOf(box)));
}

inline BodySetup box(const std::string& name, const Vec3& size, const Vec3& at) {
    BodySetup body;
    body.name = name;
    body.geometry = boxGeometry(size);
    body.options.shape = dynamics::makeBox(size);
    body.options.pose.translation = at;
    return body;
}

inline BodySetup ball(const std::string& name, double radius, const Vec3& at, const Vec3& velocity) {
    BodySetup body;
    body.name = name;
    body.options.shape = dynamics::makeSphere(radius);
    body.geometry = makeSolid(body.options.shape->mesh());
    body.options.pose.translation = at;
    body.options.velocity = velocity;
    return body;
}

inline BodySetup ground() {
    BodySetup body;
    body.name = "ground";
    body.options.shape = dynamics::makeHalfSpace();
    body.options.kind = dynamics::BodyKind::Static;
    return body;
}

/// A ball flies into a wall that stands on the ground.
inline SimulationSetup ballThroughWall(size_t pieces = 40) {
    SimulationSetup setup;
    setup.bodies.push_back(ground());
    BodySetup wall = box("wall", {3, 2, 0.2}, {0, 1, 0});
    wall.method = std::make_shared<Shatter>(50, pieces);
    setup.bodies.push_back(wall);
    BodySetup cannonball = ball("ball", 0.2, {0.2, 1.1, 1.2}, {0, 0, -20});
    cannonball.options.density = 7000;
    setup.bodies.push_back(cannonball);
    return setup;
}

/// Boxes rain on the ground, break, and break again.
inline SimulationSetup breakingRain(size_t boxes = 6) {
    SimulationSetup setup;
    setup.seed = 7;
    setup.bodies.push_back(ground());
    Random random(3);
    for (size_t i = 0; i < boxes; ++i) {
        const double x = 0.7 * static_cast<double>(i % 3), z = 0.7 * static_cast<double>(i / 3 % 3);
        BodySetup body = box(fmt::format("box{}", i), {0.4, 0.5, 0.3},
                             {x + 0.1 * random.uniform(), 0.6 + 0.35 * static_cast<double>(i), z});
        body.options.velocity = {0, -3, 0};
        body.options.angularVelocity = {random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)};
        body.method = std::make_shared<Shatter>(100, 5, 2, 5);
        setup.bodies.push_back(body);
    }
    return setup;
}

}  // namespace sunder::sim::test_shatter
