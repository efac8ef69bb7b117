#include <algorithm>
#include <cmath>

#include "geometry/shapes/detail/angles.h"
#include "geometry/shapes/detail/catalogue.h"
#include "geometry/shapes/detail/lattice.h"
#include "geometry/shapes/detail/revolve.h"

namespace sunder::shapes {

namespace {

TriMesh makeHemisphere(const Arguments& a) {
    Profile profile({a["radius"], 0});
    profile.arcTo({0, 0}, {0, a["radius"]});
    return revolve(profile, a.resolution());
}

TriMesh makeBowlShell(const Arguments& a) {
    const double radius = a["radius"], height = a["height"], base = a["base_radius"];
    a.require("base_radius", {.to = 0.8 * radius}, "at most 0.8 of radius");
    a.check();
    Profile profile({0, 0});
    profile.lineTo({base, 0});
    profile.curveTo({base + 0.55 * (radius - base), 0.02 * height}, {radius - 0.03 * (radius - base), 0.5 * height},
                    {radius, height});
    return revolve(profile, a.resolution());
}

TriMesh makeSheet(const Arguments& a) {
    // a grid of points, bulging as the product of two parabolas
    const double width = a["width"], height = a["height"], bulge = a["bulge"];
    const double spacing = std::max(2 * (width + height) / a.resolution(), std::max(width, height) / a.resolution());
    const std::vector<double> xs = subdivided({-0.5 * width, 0.5 * width}, spacing);
    const std::vector<double> ys = subdivided({-0.5 * height, 0.5 * height}, spacing);
    TriMesh mesh;
    for (const double y : ys) {
        for (const double x : xs) {
            const double p = 2 * x / width, q = 2 * y / height;
            mesh.positions.push_back({x, y, bulge * (1 - p * p) * (1 - q * q)});
        }
    }
    // diagonals turn from square to square
    const auto at = [&](size_t i, size_t j) { return static_cast<VertexIndex>(j * xs.size() + i); };
    for (size_t j = 0; j + 1 < ys.size(); ++j) {
        for (size_t i = 0; i + 1 < xs.size(); ++i) {
            const VertexIndex p = at(i, j), q = at(i + 1, j), r = at(i + 1, j + 1), s = at(i, j + 1);
            if ((i + j) % 2 == 0) {
                mesh.triangles.push_back({p, q, r});
                mesh.triangles.push_back({p, r, s});
            } else {
                mesh.triangles.push_back({p, q, s});
                mesh.triangles.push_back({q, r, s});
            }
        }
    }
    // normals and pictures from the same formula, so they are exact
    for (const Triangle& triangle : mesh.triangles) {
        std::array<Vec3, 3> normals;
        std::array<Vec2, 3> uvs;
        for (size_t i = 0; i < 3; ++i) {
            const Vec3& v = mesh.positions[triangle[i]];
            const double p = 2 * v.x() / width, q = 2 * v.y() / height;
            normals[i] =
                Vec3(4 * bulge * p * (1 - q * q) / width, 4 * bulge * q * (1 - p * p) / height, 1).normalized();
            uvs[i] = Vec2(0.5 * (p + 1), 0.5 * (q + 1));
        }
        mesh.normals.push_back(normals);
        mesh.uvs.push_back(uvs);
    }
    return mesh;
}

/// A hull pointed at both ends, bow towards +x. `along` runs from stern (-1) to bow (+1), `girth` from the port rail
/// (-1) over the keel (0) to the starboard rail (+1).
struct Hull {
    double length = 0, beam = 0, depth = 0, sheer = 0;  // m

    Vec3 at(double along, double girth) const {
        const double s2 = along * along, s4 = s2 * s2;
        const double halfBeam = 0.5 * beam * (1 - s2) * (1 + 0.35 * s2);
        const double keel = 0.55 * depth * s4 * s4 * s2;
        const double rail = depth + sheer * s2 * (along > 0 ? 1 : 0.7);
        // a round bilge amidships, straighter flanks towards the ends
        const double t = std::abs(girth);
        const Vec2 quarter = onUnitCircle(0.25 * t);
        const double straight = 0.15 + 0.7 * s2;
        const double outward = (1 - straight) * quarter.y() + straight * t;
        const double up = (1 - straight) * (1 - quarter.x()) + straight * t * (0.4 + 0.6 * t);
        // the stems lean outward
        const double reach = 0.5 * length * (1 - 0.1 * s4 * (1 - t) * (1 - t));
        return {reach * along, keel + (rail - keel) * up, (girth < 0 ? -1 : 1) * halfBeam * outward};
    }
};

TriMesh makeBoat(const Arguments& a) {
    // fewer than these steps would not show the hull's shape
    const Hull hull{a["length"], a["beam"], a["depth"], a["sheer"]};
    a.require("length", {.from = 1.5 * hull.beam}, "at least 1.5 times beam");
    a.check();
    const double spacing = 2.2 * (hull.length + hull.beam) / a.resolution();
    const int lengthwise = std::max(6, static_cast<int>(std::round(hull.length / spacing)));
    const int half = std::max(3, static_cast<int>(std::round((0.5 * hull.beam + hull.depth) * 0.85 / spacing)));

    // at the two ends port and starboard are one line, the stem
    TriMesh mesh;
    std::vector<std::vector<VertexIndex>> sections;
    for (int i = 0; i <= lengthwise; ++i) {
        const double along = 2.0 * i / lengthwise - 1;
        std::vector<VertexIndex> section(static_cast<size_t>(2 * half + 1));
        const bool stem = i == 0 || i == lengthwise;
        for (int j = 0; j <= 2 * half; ++j) {
            const double girth = static_cast<double>(j - half) / half;
            const size_t at = static_cast<size_t>(j);
            section[at] = stem && j > half ? section[static_cast<size_t>(2 * half - j)]
                                           : mesh.positions.push_back(hull.at(along, girth));
        }
        sections.push_back(section);
    }
    // a triangle and its picture: along the boat and around its girth
    const auto addTriangle = [&](const std::array<std::array<int, 2>, 3>& corners) {
        Triangle triangle;
        std::array<Vec2, 3> uvs;
        for (size_t k = 0; k < 3; ++k) {
            const auto [i, j] = corners[k];
            triangle[k] = sections[static_cast<size_t>(i)][static_cast<size_t>(j)];
            uvs[k] = Vec2(static_cast<double>(i) / lengthwise, 0.5 * j / half);
        }
        mesh.triangles.push_back(triangle);
        mesh.uvs.push_back(uvs);
    };
    for (int i = 0; i < lengthwise; ++i) {
        for (int j = 0; j < 2 * half; ++j) {
            // diagonals mirrored between the halves and between bow and stern, so that none joins keel and stem
            if ((j < half) != (2 * i < lengthwise)) {
                addTriangle({{{i, j}, {i + 1, j}, {i + 1, j + 1}}});
                addTriangle({{{i, j}, {i + 1, j + 1}, {i, j + 1}}});
            } else {
                addTriangle({{{i, j}, {i + 1, j}, {i, j + 1}}});
                addTriangle({{{i + 1, j}, {i + 1, j + 1}, {i, j + 1}}});
            }
        }
    }
    computeNormals(mesh, 0.9);
    return mesh;
}

}  // namespace

Catalogue openShapes() {
    // name, what it is, whether open; its parameters with default, least and most; what it is mostly made of;
    // the function that makes it
    return {
        {{"boat",
          "the hull of an open boat pointed at both ends, bow towards +x",
          true,
          {length("length", "length along x", 4, 0.1, 100), length("beam", "width along z", 1.3, 0.05, 50),
           length("depth", "height of the rail amidships", 0.5, 0.02, 30),
           length("sheer", "how much higher the rail is at the bow", 0.3, 0, 10)},
          "wood"},
         makeBoat},
        {{"bowl_shell",
          "a bowl without thickness",
          true,
          {length("radius", "radius of the rim", 0.12, 0.01, 10), length("height", "height", 0.075, 0.005, 10),
           length("base_radius", "radius of the flat base", 0.045, 0.001, 8)},
          "ceramic"},
         makeBowlShell},
        {{"hemisphere",
          "half a sphere without thickness, dome up",
          true,
          {length("radius", "radius", 0.5, 0.001, 100)},
          "ceramic"},
         makeHemisphere},
        {{"sheet",
          "an upright rectangle without thickness, facing +z, flat or bulging",
          true,
          {length("width", "width along x", 1, 0.001, 100), length("height", "height along y", 1, 0.001, 100),
           length("bulge", "how far the middle stands out", 0, 0, 20)},
          "glass"},
         makeSheet},
    };
}

}  // namespace sunder::shapes
