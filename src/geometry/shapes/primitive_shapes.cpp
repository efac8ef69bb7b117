#include <cmath>
#include <numbers>

#include "geometry/shapes/detail/angles.h"
#include "geometry/shapes/detail/catalogue.h"
#include "geometry/shapes/detail/extrude.h"
#include "geometry/shapes/detail/geodesic.h"
#include "geometry/shapes/detail/lattice.h"
#include "geometry/shapes/detail/revolve.h"

namespace sunder::shapes {

namespace {

TriMesh makeBox(const Arguments& a) {
    const Vec3 size(a["width"], a["height"], a["depth"]);
    return boxMesh(size, 0, boxSpacing(size, a.resolution()));
}

TriMesh makeRoundedBox(const Arguments& a) {
    const Vec3 size(a["width"], a["height"], a["depth"]);
    const double rounding = a["rounding"];
    a.require("rounding", {.to = 0.5 * size.minCoeff()}, "at most half of the least of width, height and depth");
    a.check();
    return boxMesh(size, rounding, boxSpacing(size, a.resolution()));
}

/// The icosahedron has five edges around.
int sphereFrequency(int resolution) { return std::max(2, static_cast<int>(std::round(resolution / 5.0))); }

/// At the rim of a flat body, rounder than the triangles can follow, the surface's normal may point past a face: bent
/// the shortest way back to the face's side.
Vec3 onSideOf(const Vec3& face, const Vec3& normal) {
    constexpr double kLeast = 0.05;
    const double along = normal.dot(face);
    return along >= kLeast ? normal : Vec3((normal + (kLeast * 1.1 - along) * face).normalized());
}

TriMesh makeEllipsoidOf(const Vec3& radii, int resolution) {
    TriMesh mesh = geodesicSphere(sphereFrequency(resolution));
    for (Vec3& p : mesh.positions) p = p.cwiseProduct(radii);
    for (const TriangleIndex t : mesh.triangles.indices()) {
        const Vec3 face = mesh.areaVector(t).normalized();
        for (Vec3& n : mesh.normals[t]) n = onSideOf(face, n.cwiseQuotient(radii).normalized());
    }
    return mesh;
}

TriMesh makeSphere(const Arguments& a) { return makeEllipsoidOf(Vec3::Constant(a["radius"]), a.resolution()); }

TriMesh makeEllipsoid(const Arguments& a) {
    return makeEllipsoidOf(0.5 * Vec3(a["width"], a["height"], a["depth"]), a.resolution());
}

TriMesh makeCylinder(const Arguments& a) {
    const double radius = a["radius"], half = 0.5 * a["height"];
    Profile profile({0, -half});
    profile.lineTo({radius, -half});
    profile.lineTo({radius, half});
    profile.lineTo({0, half});
    return revolve(profile, a.resolution());
}

TriMesh makeCone(const Arguments& a) {
    const double radius = a["radius"], top = a["top_radius"], half = 0.5 * a["height"];
    a.require("top_radius", {.to = radius, .ends = Allowed::Ends::Excluded}, "smaller than radius");
    a.check();
    Profile profile({0, -half});
    profile.lineTo({radius, -half});
    profile.lineTo({top, half});
    if (top > 0) profile.lineTo({0, half});
    return revolve(profile, a.resolution());
}

TriMesh makeCapsule(const Arguments& a) {
    const double radius = a["radius"], half = 0.5 * a["height"] - radius;
    a.require("height", {.from = 2 * radius, .ends = Allowed::Ends::Excluded}, "more than twice radius");
    a.check();
    Profile profile({0, -half - radius});
    profile.arcTo({0, -half}, {radius, -half});
    profile.lineTo({radius, half});
    profile.arcTo({0, half}, {0, half + radius});
    return revolve(profile, a.resolution());
}

TriMesh makeTorus(const Arguments& a) {
    const double ring = a["radius"], tube = a["tube_radius"];
    a.require("tube_radius", {.to = 0.95 * ring}, "at most 0.95 of radius, or the hole closes");
    a.check();
    Profile profile({ring + tube, 0});
    profile.arcTo({ring, 0}, {ring, tube});
    profile.arcTo({ring, 0}, {ring - tube, 0});
    profile.arcTo({ring, 0}, {ring, -tube});
    profile.arcTo({ring, 0}, {ring + tube, 0});
    return revolve(profile, a.resolution(), RingCounts::Equal);
}

TriMesh makePrism(const Arguments& a) {
    const int sides = a.whole("sides");
    const double radius = a["radius"];
    std::vector<Vec2> outline;
    // a side, not a corner, to the front
    for (int i = 0; i < sides; ++i) outline.push_back(radius * onUnitCircle((i + 0.5) / sides - 0.25));
    const double around = 2 * sides * radius * onUnitCircle(0.5 / sides).y();
    const double spacing = std::max(around, 0.5 * a["height"]) / a.resolution();
    return extruded({.outline = outline, .height = a["height"], .spacing = spacing});
}

}  // namespace

Catalogue primitiveShapes() {
    const auto side = [](const char* name, const char* what, double value) {
        return length(name, what, value, 0.001, 100);
    };
    // name, what it is, whether open; its parameters with default, least and most; what it is mostly made of;
    // the function that makes it
    return {
        {{"box",
          "a box with sharp edges",
          false,
          {side("width", "size along x", 1), side("height", "size along y", 1), side("depth", "size along z", 1)},
          "stone"},
         makeBox},
        {{"rounded_box",
          "a box with round edges and corners",
          false,
          {side("width", "size along x", 1), side("height", "size along y", 1), side("depth", "size along z", 1),
           length("rounding", "radius of edges and corners", 0.12, 0.0001, 50)},
          "stone"},
         makeRoundedBox},
        {{"sphere", "a ball of nearly equal triangles", false, {side("radius", "radius", 0.5)}, "stone"}, makeSphere},
        {{"ellipsoid",
          "a ball stretched along the axes",
          false,
          {side("width", "size along x", 1.2), side("height", "size along y", 0.7), side("depth", "size along z", 0.9)},
          "stone"},
         makeEllipsoid},
        {{"cylinder",
          "a round bar with flat ends",
          false,
          {side("radius", "radius", 0.4), side("height", "length along y", 1)},
          "stone"},
         makeCylinder},
        {{"cone",
          "a cone, or a frustum when it has a top",
          false,
          {side("radius", "radius of the base", 0.5), length("top_radius", "radius of the top; 0 = a tip", 0, 0, 100),
           side("height", "height", 1)},
          "stone"},
         makeCone},
        {{"capsule",
          "a round bar with half spheres for ends",
          false,
          {side("radius", "radius", 0.25), side("height", "whole length along y", 1.2)},
          "stone"},
         makeCapsule},
        {{"torus",
          "a ring lying flat",
          false,
          {side("radius", "from the middle to the middle of the tube", 0.4),
           side("tube_radius", "radius of the tube", 0.15)},
          "ceramic"},
         makeTorus},
        {{"prism",
          "a straight bar over a regular polygon",
          false,
          {count("sides", "number of sides", 6, 3, 24), side("radius", "from the axis to a corner", 0.5),
           side("height", "length along y", 1)},
          "ice"},
         makePrism},
    };
}

}  // namespace sunder::shapes
