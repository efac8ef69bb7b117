#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/shapes/detail/angles.h"
#include "geometry/shapes/detail/catalogue.h"
#include "geometry/shapes/detail/extrude.h"
#include "geometry/shapes/detail/implicit.h"
#include "geometry/shapes/detail/lattice.h"
#include "geometry/shapes/detail/revolve.h"

namespace sunder::shapes {

namespace {

TriMesh makeMushroom(const Arguments& a) {
    const double height = a["height"], cap = a["cap_radius"], stem = a["stem_radius"];
    a.require("cap_radius", {.from = 0.25 * height, .to = 0.9 * height}, "0.25 to 0.9 of height");
    a.require("stem_radius", {.to = 0.45 * cap}, "at most 0.45 of cap_radius");
    a.check();

    // foot and stem: a bulb that narrows upward
    const double bulb = 1.45 * stem, lip = 0.6 * height, gill = 0.72 * height;
    Profile profile({0, 0});
    profile.lineTo({0.6 * bulb, 0});
    profile.curveTo({0.9 * bulb, 0}, {bulb, 0.04 * height}, {bulb, 0.09 * height});
    profile.curveTo({bulb, 0.2 * height}, {stem, 0.24 * height}, {stem, 0.42 * height});
    profile.curveTo({stem, 0.56 * height}, {stem, 0.6 * height}, {stem, 0.64 * height});
    // under the cap, over its lip, and up the dome
    profile.curveTo({stem, gill}, {stem + 0.2 * (cap - stem), gill},
                    {stem + 0.42 * (cap - stem), gill - 0.02 * height});
    profile.curveTo({stem + 0.64 * (cap - stem), gill - 0.04 * height}, {0.93 * cap, lip - 0.02 * height},
                    {0.965 * cap, lip - 0.012 * height});
    profile.curveTo({cap, lip - 0.004 * height}, {cap, lip + 0.02 * height}, {cap, lip + 0.04 * height});
    profile.curveTo({cap, 0.84 * height}, {0.62 * cap, height}, {0, height});
    TriMesh mesh = revolve(profile, a.resolution());

    // lean: sheared more the higher, so every level stays round
    const double lean = a["lean"];
    for (Vec3& p : mesh.positions) p.x() += lean * height * (p.y() / height) * (p.y() / height);
    for (const TriangleIndex t : mesh.triangles.indices()) {
        for (size_t i = 0; i < 3; ++i) {
            Vec3& n = mesh.normals[t][i];
            const double slope = 2 * lean * mesh.positions[mesh.triangles[t][i]].y() / height;
            n = Vec3(n.x(), n.y() - slope * n.x(), n.z()).normalized();
        }
    }
    return mesh;
}

TriMesh makeStar(const Arguments& a) {
    const int points = a.whole("points");
    const double radius = a["radius"], inner = a["inner_radius"], thickness = a["thickness"], ridge = a["ridge"];
    // at cos(pi / points) of the radius, a notch lies on the line between its two tips
    a.require("inner_radius", {.from = 0.15 * radius, .to = 0.95 * radius * onUnitCircle(0.5 / points).x()},
              "0.15 to 0.95 cos(pi / points) of radius, for the points to stand out");
    a.check();
    // tips and notches in turn, with edges of one length
    std::vector<Vec2> outline;
    for (int i = 0; i < 2 * points; ++i) {
        outline.push_back((i % 2 == 0 ? radius : inner) * onUnitCircle(0.25 + 0.5 * i / points));
    }
    double around = 0;
    for (size_t i = 0; i < outline.size(); ++i) around += (outline[(i + 1) % outline.size()] - outline[i]).norm();
    const double spacing = std::max(around, 0.5 * thickness) / a.resolution();
    TriMesh mesh = extruded({.outline = outline, .height = thickness, .ridge = ridge, .spacing = spacing});
    // stand it up: first point upward, facing +z
    RigidTransform upright;
    upright.rotation = Quat(std::sqrt(0.5), std::sqrt(0.5), 0, 0);
    mesh = transformed(mesh, upright);
    projectUvs(mesh, boundsOf(mesh).size().maxCoeff());
    return mesh;
}

/// A rectangle carried around a circle while it turns about the circle's tangent.
class TwistedBand {
public:
    TwistedBand(double radius, double width, double thickness, int halfTwists, int resolution)
        : radius_(radius), halfTwists_(halfTwists) {
        rings_ = static_cast<uint32_t>(std::max(resolution, 12 * halfTwists));
        const double spacing = 2 * std::numbers::pi * radius / rings_;
        const int across = std::max(2, static_cast<int>(std::round(width / spacing)));
        const int through = std::max(1, static_cast<int>(std::round(thickness / spacing)));
        // around the rectangle clockwise; the second half is the first turned by half a turn
        addSide({0.5 * width, 0.5 * thickness}, {0.5 * width, -0.5 * thickness}, through);
        addSide({0.5 * width, -0.5 * thickness}, {-0.5 * width, -0.5 * thickness}, across);
        addSide({-0.5 * width, -0.5 * thickness}, {-0.5 * width, 0.5 * thickness}, through);
        addSide({-0.5 * width, 0.5 * thickness}, {0.5 * width, 0.5 * thickness}, across);
    }

    TriMesh build() {
        for (uint32_t ring = 0; ring < rings_; ++ring) {
            for (const SectionPoint& p : section_) mesh_.positions.push_back(frameAt(ring).place(p.at));
        }
        const uint32_t count = static_cast<uint32_t>(section_.size());
        for (uint32_t ring = 0; ring < rings_; ++ring) {
            for (uint32_t slot = 0; slot < count; ++slot) {
                // the same diagonal on both faces of the band: its two sides stay parallel where it is twisted
                if (section_[slot].side < 2) {
                    addTriangle(slot, {{{ring, slot}, {ring, slot + 1}, {ring + 1, slot + 1}}});
                    addTriangle(slot, {{{ring, slot}, {ring + 1, slot + 1}, {ring + 1, slot}}});
                } else {
                    addTriangle(slot, {{{ring, slot}, {ring, slot + 1}, {ring + 1, slot}}});
                    addTriangle(slot, {{{ring, slot + 1}, {ring + 1, slot + 1}, {ring + 1, slot}}});
                }
            }
        }
        return std::move(mesh_);
    }

private:
    struct SectionPoint {
        Vec2 at;
        int side = 0;  // of the segment that begins here
    };
    struct Corner {
        uint32_t ring = 0, slot = 0;
    };
    /// The circle's point and directions there; `u` and `v` are the rectangle's axes.
    struct Frame {
        Vec3 centre, tangent, u, v;
        double twistRate = 0, radius = 0;  // turning per angle around, and of the circle
        Vec2 twist;                        // cosine and sine

        Vec3 place(const Vec2& p) const { return centre + p.x() * u + p.y() * v; }
        /// Derivative by the angle around.
        Vec3 along(const Vec2& p) const {
            return (radius + p.x() * twist.x() - p.y() * twist.y()) * tangent + twistRate * (p.x() * v - p.y() * u);
        }
    };

    void addSide(const Vec2& from, const Vec2& to, int steps) {
        for (int i = 0; i < steps; ++i) {
            section_.push_back({from + (to - from) * i / steps, sides_});
            along_.push_back(along_.back() + (to - from).norm() / steps);
        }
        ++sides_;
    }

    Frame frameAt(uint32_t ring) const {
        const double turns = static_cast<double>(ring) / rings_;
        const Vec2 around = onUnitCircle(turns), twist = onUnitCircle(0.5 * halfTwists_ * turns);
        const Vec3 outward(around.x(), 0, -around.y()), up(0, 1, 0);
        return {.centre = radius_ * outward,
                .tangent = {-around.y(), 0, -around.x()},
                .u = twist.x() * outward + twist.y() * up,
                .v = -twist.y() * outward + twist.x() * up,
                .twistRate = 0.5 * halfTwists_,
                .radius = radius_,
                .twist = twist};
    }

    /// After one round an odd number of half twists has turned the rectangle over.
    VertexIndex vertex(Corner c) const {
        const uint32_t count = static_cast<uint32_t>(section_.size());
        if (c.ring == rings_ && halfTwists_ % 2 == 1) c.slot += count / 2;
        return static_cast<VertexIndex>(c.ring % rings_ * count + c.slot % count);
    }

    void addTriangle(uint32_t segment, const std::array<Corner, 3>& corners) {
        // normals across the band at each corner, as the strip of the section there runs
        const size_t count = section_.size();
        const Vec2 direction = (section_[(segment + 1) % count].at - section_[segment].at).normalized();
        Triangle triangle;
        std::array<Vec3, 3> normals;
        std::array<Vec2, 3> uvs;
        for (size_t i = 0; i < 3; ++i) {
            triangle[i] = vertex(corners[i]);
            const Frame frame = frameAt(corners[i].ring);
            const Vec2 at = section_[corners[i].slot % count].at;
            const Vec3 across = direction.x() * frame.u + direction.y() * frame.v;
            normals[i] = across.cross(frame.along(at)).normalized();
            // across by length, so that the narrow sides are not blown up; downwards, for the section is drawn
            // clockwise
            uvs[i] = {static_cast<double>(corners[i].ring) / rings_, 1 - along_[corners[i].slot] / along_.back()};
        }
        mesh_.triangles.push_back(triangle);
        mesh_.normals.push_back(normals);
        mesh_.uvs.push_back(uvs);
    }

    double radius_;
    int halfTwists_;
    uint32_t rings_ = 0;
    int sides_ = 0;
    std::vector<SectionPoint> section_;
    std::vector<double> along_{0};  // m around the section to each of its points, and to the first again
    TriMesh mesh_;
};

TriMesh makeMoebiusBand(const Arguments& a) {
    const double radius = a["radius"], width = a["width"], thickness = a["thickness"];
    a.require("width", {.to = 1.4 * radius}, "at most 1.4 times radius");
    a.require("thickness", {.to = width}, "at most width");
    a.check();
    return TwistedBand(radius, width, thickness, a.whole("half_twists"), a.resolution()).build();
}

/// Schoen's gyroid, sin x cos y + sin y cos z + sin z cos x = 0, thickened and cut by a box. With a whole number of
/// periods the walls nowhere touch the box at a grazing angle.
TriMesh makeGyroidBlock(const Arguments& a) {
    const double size = a["size"], periods = a["periods"], thickness = a["thickness"];
    const double period = size / periods;
    a.require("thickness", {.from = 0.06 * period, .to = 0.3 * period}, "0.06 to 0.3 of size / periods");
    a.check();

    const auto gyroid = [=](const Vec3& p) {
        const Vec2 x = onUnitCircle(p.x() / period), y = onUnitCircle(p.y() / period), z = onUnitCircle(p.z() / period);
        const double value = x.y() * y.x() + y.y() * z.x() + z.y() * x.x();
        const Vec3 slope(x.x() * y.x() - z.y() * x.y(), y.x() * z.x() - x.y() * y.y(), z.x() * x.x() - y.y() * z.y());
        // its size near the surface is about the distance; the floor tames the places where the slope vanishes
        return std::abs(value) / std::max(slope.norm(), 0.6) * period / (2 * std::numbers::pi) - 0.5 * thickness;
    };
    // a wall takes at least two cells
    const double cells = std::max({0.5 * a.resolution(), 12 * periods, 2.2 * size / thickness});
    return implicitMeshInCube(gyroid, 0.5 * size, static_cast<int>(std::round(cells)));
}

}  // namespace

Catalogue ornamentShapes() {
    // name, what it is, whether open; its parameters with default, least and most; what it is mostly made of;
    // the function that makes it
    return {
        {{"mushroom",
          "a toadstool, leaning a little",
          false,
          {length("height", "height", 0.12, 0.01, 10), length("cap_radius", "radius of the cap", 0.06, 0.005, 8),
           length("stem_radius", "radius of the stem", 0.015, 0.001, 3),
           ratio("lean", "how far the top leans towards +x, as a part of the height", 0.08, 0, 0.3)},
          "ceramic"},
         makeMushroom},
        {{"star",
          "an upright star, facing +z",
          false,
          {count("points", "number of points", 5, 3, 16), length("radius", "from the middle to a tip", 0.5, 0.01, 50),
           length("inner_radius", "from the middle to a notch", 0.21, 0.001, 50),
           length("thickness", "thickness at the rim", 0.12, 0.002, 20),
           length("ridge", "how much each face rises towards the middle", 0.06, 0, 10)},
          "ceramic"},
         makeStar},
        {{"moebius_band",
          "a thick band with a half twist, one solid",
          false,
          {length("radius", "from the middle to the middle of the band", 0.4, 0.01, 50),
           length("width", "width of the band", 0.3, 0.01, 50),
           length("thickness", "thickness of the band", 0.05, 0.001, 10),
           count("half_twists", "number of half twists", 1, 1, 5)},
          "ceramic"},
         makeMoebiusBand},
        {{"gyroid_block",
          "a cube of gyroid walls",
          false,
          {length("size", "side of the cube", 1, 0.01, 50),
           count("periods", "periods of the gyroid along a side", 2, 1, 4),
           length("thickness", "thickness of the walls", 0.08, 0.0005, 10)},
          "ceramic"},
         makeGyroidBlock},
    };
}

}  // namespace sunder::shapes
