#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/shapes/detail/catalogue.h"
#include "geometry/shapes/detail/geodesic.h"
#include "geometry/shapes/detail/handle.h"
#include "geometry/shapes/detail/revolve.h"
#include "geometry/shapes/detail/ring_mesh.h"

namespace sunder::shapes {

namespace {

/// Rounds the top of a wall from the end of `outside` over to its inner side.
void addRim(Profile& profile, Profile::Piece outside, double wall) {
    const Vec2 outer = profile.end(), inner = profile.offsetEnd(outside, wall);
    const Vec2 middle = 0.5 * (outer + inner), outward = 0.5 * (outer - inner);
    profile.arcTo(middle, middle + Vec2(-outward.y(), outward.x()));
    profile.arcTo(middle, inner);
}

/// From the inner side of a wall down to the axis, level there.
void addFloor(Profile& profile, const Vec2& direction, double floorHeight) {
    const Vec2 from = profile.end();
    const double drop = from.y() - floorHeight;
    profile.curveTo(from + 1.1 * drop * direction, {0.55 * from.x(), floorHeight}, {0, floorHeight});
}

/// A round foot from the middle of its underside to a stem of the given radius, which it reaches upright.
void addFoot(Profile& profile, double radius, double edge, double stemRadius, double height) {
    profile.lineTo({radius - 0.5 * edge, 0});
    profile.arcTo({radius - 0.5 * edge, 0.5 * edge}, {radius, 0.5 * edge});
    profile.arcTo({radius - 0.5 * edge, 0.5 * edge}, {radius - 0.5 * edge, edge});
    const double span = radius - stemRadius, rise = height - edge;
    profile.curveTo({radius - 0.7 * span, edge + 0.04 * rise}, {stemRadius, edge + 0.25 * rise}, {stemRadius, height});
}

TriMesh makeWineGlass(const Arguments& a) {
    const double height = a["height"], bowl = a["bowl_radius"], rim = a["rim_radius"], wall = a["wall"];
    const double stem = a["stem_radius"], foot = a["foot_radius"], bowlHeight = a["bowl_height"];
    a.require("bowl_height", {.from = 1.2 * bowl, .to = std::min(5 * bowl, 0.75 * height)},
              "1.2 to 5 times bowl_radius, and at most 0.75 of height");
    a.require("rim_radius", {.from = 0.5 * bowl, .to = bowl}, "0.5 to 1 of bowl_radius");
    a.require("stem_radius", {.to = 0.3 * std::min(bowl, foot)}, "at most 0.3 of bowl_radius and of foot_radius");
    a.require("wall", {.to = 0.15 * bowl}, "at most 0.15 of bowl_radius");
    a.check();

    // the foot, and the stem up to the bowl
    const double bowlFrom = height - bowlHeight;
    Profile profile({0, 0});
    addFoot(profile, foot, std::min(1.6 * wall, 0.1 * foot), stem, 0.25 * bowlFrom);
    profile.lineTo({stem, 0.82 * bowlFrom});

    // the stem opens into the bowl
    const Vec2 start(0.52 * bowl, bowlFrom + 0.11 * bowlHeight), slope = Vec2(0.83, 0.56).normalized();
    profile.curveTo({stem, 0.97 * bowlFrom}, start - 0.34 * bowl * slope, start);
    // up to the widest place and in again to the rim
    const Vec2 widest(bowl, bowlFrom + 0.44 * bowlHeight);
    const auto belly = profile.curveTo(start + 0.3 * bowl * slope, {bowl, widest.y() - 0.17 * bowlHeight}, widest);
    const Vec2 end(rim, height - 0.5 * wall);
    const auto side =
        profile.curveTo({bowl, widest.y() + 0.2 * bowlHeight}, end + Vec2(0.35 * (bowl - rim), -0.2 * bowlHeight), end);
    // back down inside, a wall's thickness away
    addRim(profile, side, wall);
    profile.backAlong(side, wall);
    profile.backAlong(belly, wall);
    addFloor(profile, -slope, bowlFrom + std::max(1.5 * wall, 0.035 * bowlHeight));
    return revolve(profile, a.resolution());
}

TriMesh makeGoblet(const Arguments& a) {
    const double height = a["height"], cup = a["cup_radius"], wall = a["wall"], stem = a["stem_radius"];
    const double foot = a["foot_radius"], knop = a["knop_radius"], cupHeight = a["cup_height"];
    a.require("cup_height", {.from = cup, .to = std::min(5 * cup, 0.65 * height)},
              "1 to 5 times cup_radius, and at most 0.65 of height");
    a.require("stem_radius", {.to = 0.3 * std::min(cup, foot)}, "at most 0.3 of cup_radius and of foot_radius");
    a.require("knop_radius", {.from = 1.2 * stem, .to = 0.2 * (height - cupHeight)},
              "at least 1.2 stem_radius and at most 0.2 of height - cup_height");
    a.require("wall", {.to = 0.2 * cup}, "at most 0.2 of cup_radius");
    a.check();

    // the foot, and the stem up to the knop
    const double cupFrom = height - cupHeight, middle = 0.6 * cupFrom;
    Profile profile({0, 0});
    addFoot(profile, foot, std::min(1.4 * wall, 0.12 * foot), stem, 0.34 * cupFrom);

    // the knop: a ball on the stem, with a fillet on either side
    const double fillet = std::max(0.35 * knop, 0.5 * stem);
    const double reach = std::sqrt((knop + fillet) * (knop + fillet) - (stem + fillet) * (stem + fillet));
    const Vec2 centre(0, middle), below(stem + fillet, middle - reach), above(stem + fillet, middle + reach);
    const Vec2 meetBelow = (fillet * centre + knop * below) / (knop + fillet);
    const Vec2 meetAbove = (fillet * centre + knop * above) / (knop + fillet);
    profile.lineTo({stem, below.y()});
    profile.arcTo(below, meetBelow);
    profile.arcTo(centre, {knop, middle});
    profile.arcTo(centre, meetAbove);
    profile.arcTo(above, {stem, above.y()});

    // the cup, round below and opening upward
    const Vec2 start(0.55 * cup, cupFrom + 0.06 * cupHeight), slope = Vec2(0.93, 0.36).normalized();
    profile.curveTo({stem, 0.4 * above.y() + 0.6 * cupFrom}, start - 0.3 * cup * slope, start);
    const Vec2 shoulder(0.9 * cup, cupFrom + 0.4 * cupHeight), end(cup, height - 0.5 * wall);
    const Vec2 upward = Vec2(0.12 * cup, 0.6 * cupHeight).normalized();
    const auto belly = profile.curveTo(start + 0.28 * cup * slope, shoulder - 0.22 * cupHeight * upward, shoulder);
    const auto side = profile.curveTo(shoulder + 0.2 * cupHeight * upward,
                                      end - 0.2 * cupHeight * Vec2(0.25 * cup, cupHeight).normalized(), end);
    // back down inside, a wall's thickness away
    addRim(profile, side, wall);
    profile.backAlong(side, wall);
    profile.backAlong(belly, wall);
    addFloor(profile, -slope, cupFrom + std::max(0.6 * wall, 0.04 * cupHeight));
    return revolve(profile, a.resolution());
}

TriMesh makeVase(const Arguments& a) {
    const double height = a["height"], belly = a["belly_radius"], neck = a["neck_radius"], lip = a["lip_radius"];
    const double foot = a["foot_radius"], wall = a["wall"];
    a.require("belly_radius", {.from = std::max(foot, neck), .ends = Allowed::Ends::Excluded},
              "larger than foot_radius and neck_radius");
    a.require("lip_radius", {.from = neck, .to = 2.5 * neck}, "1 to 2.5 times neck_radius");
    a.require("height", {.from = 1.5 * belly, .to = 8 * belly}, "1.5 to 8 times belly_radius");
    a.require("wall", {.to = std::min({0.25 * neck, 0.25 * foot, 0.03 * height})},
              "at most 0.25 of neck_radius, 0.25 of foot_radius and 0.03 of height");
    a.check();

    // foot
    const double edge = 0.5 * wall;
    Profile profile({0, 0});
    profile.lineTo({foot - edge, 0});
    profile.arcTo({foot - edge, edge}, {foot, edge});
    const Vec2 start(foot + 0.03 * (belly - foot), 2.2 * wall);
    const Vec2 slope = Vec2(0.35 * (belly - foot), 0.25 * height).normalized();
    profile.curveTo({foot, 1.1 * wall}, start - 0.5 * wall * slope, start);
    // belly, shoulder and neck, lip
    const Vec2 widest(belly, 0.54 * height), narrow(neck, 0.86 * height), end(lip, height - 0.5 * wall);
    const auto body = profile.curveTo(start + 0.2 * height * slope, {belly, widest.y() - 0.19 * height}, widest);
    const auto shoulder =
        profile.curveTo({belly, widest.y() + 0.17 * height}, {neck, narrow.y() - 0.11 * height}, narrow);
    const Vec2 flare = Vec2(1.6 * (lip - neck), height - narrow.y()).normalized();
    const auto mouth = profile.curveTo({neck, narrow.y() + 0.05 * height}, end - 0.05 * height * flare, end);
    // back down inside, a wall's thickness away
    addRim(profile, mouth, wall);
    profile.backAlong(mouth, wall);
    profile.backAlong(shoulder, wall);
    profile.backAlong(body, wall);
    addFloor(profile, -slope, 1.2 * wall);
    return revolve(profile, a.resolution());
}

/// A low ring to stand on, from the middle of the underside out to the ring's outer edge, `lift` above the ground.
void addFootRing(Profile& profile, double radius, double width, double lift, double rise) {
    profile.lineTo({radius - width, lift});
    profile.lineTo({radius - 0.8 * width, 0});
    profile.lineTo({radius, 0});
    profile.lineTo({radius + 0.15 * width, rise});
}

TriMesh makeBowl(const Arguments& a) {
    const double radius = a["radius"], height = a["height"], wall = a["wall"], foot = a["foot_radius"];
    a.require("foot_radius", {.from = 0.2 * radius, .to = 0.7 * radius}, "0.2 to 0.7 of radius");
    a.require("height", {.from = 0.35 * radius, .to = 2 * radius}, "0.35 to 2 times radius");
    a.require("wall", {.to = 0.15 * std::min(foot, height)}, "at most 0.15 of foot_radius and of height");
    a.check();

    const double lift = 0.8 * wall, rise = 1.4 * wall;
    Profile profile({0, lift});
    addFootRing(profile, foot, 1.8 * wall, lift, rise);
    const Vec2 start = profile.end(), end(radius, height - 0.5 * wall);
    const Vec2 slope = Vec2(radius - start.x(), 0.45 * (height - rise)).normalized();
    const auto side = profile.curveTo(start + 0.5 * (radius - start.x()) * slope,
                                      {radius - 0.04 * radius, height - 0.55 * (height - rise)}, end);
    addRim(profile, side, wall);
    profile.backAlong(side, wall);
    const double floorHeight = std::min(lift + wall, profile.end().y() - 0.2 * wall);
    addFloor(profile, -slope, floorHeight);
    return revolve(profile, a.resolution());
}

/// A cup with an upright side, and a handle towards +x.
TriMesh makeMug(const Arguments& a) {
    const double height = a["height"], radius = a["radius"], wall = a["wall"], grip = a["handle_radius"];
    a.require("height", {.from = 1.2 * radius, .to = 6 * radius}, "1.2 to 6 times radius");
    a.require("wall", {.from = 0.02 * radius, .to = 0.2 * radius}, "0.02 to 0.2 of radius");
    a.require("handle_radius", {.from = 0.4 * wall, .to = std::min(0.08 * height, 0.25 * radius)},
              "at least 0.4 of wall, and at most 0.08 of height and 0.25 of radius");
    a.require("handle_reach", {.from = 4 * grip, .to = std::min(2 * radius, height)},
              "at least 4 times handle_radius, and at most twice radius and height");
    a.check();

    // the handle ends near both ends of the side
    const double heel = 1.5 * wall, top = height - 0.5 * wall;
    Handle handle{.grip = grip, .reach = a["handle_reach"], .sideRadius = radius, .wall = wall};
    const double margin = std::max(0.2 * (top - heel), 1.05 * handle.halfSeat());
    handle.lower = heel + margin;
    handle.upper = top - margin;
    // segments no wider than the handle is thick, nor so wide that its fillets would cut through the wall
    const double widest = std::min(4 * grip, std::sqrt(3 * wall * radius)), girth = 2 * std::numbers::pi * radius;
    const uint32_t around = halvableCount(std::max<double>(a.resolution(), girth / widest));
    const int rows = std::max(2, static_cast<int>(std::ceil(2 * handle.halfSeat() * around / girth)));

    // underside, heel, and a side with rows of points where the handle ends
    Profile profile({0, 0});
    profile.lineTo({radius - heel, 0});
    std::vector<Profile::Piece> outside{profile.arcTo({radius - heel, heel}, {radius, heel})};
    for (const double middle : {handle.lower, handle.upper}) {
        for (int row = 0; row <= rows; ++row) {
            const double offset = (2.0 * row / rows - 1) * handle.halfSeat();
            outside.push_back(profile.lineTo({radius, middle + offset}));
        }
    }
    outside.push_back(profile.lineTo({radius, top}));
    // back down inside, a wall's thickness away
    addRim(profile, outside.back(), wall);
    for (size_t i = outside.size(); i-- > 0;) profile.backAlong(outside[i], wall);
    profile.lineTo({0, wall});
    TriMesh mesh = revolve(profile, static_cast<int>(around));
    addHandle(mesh, handle, around);
    return mesh;
}

TriMesh makePlate(const Arguments& a) {
    const double radius = a["radius"], height = a["height"], wall = a["thickness"], well = a["well_radius"];
    a.require("well_radius", {.from = 0.3 * radius, .to = 0.75 * radius}, "0.3 to 0.75 of radius");
    a.require("height", {.to = 0.35 * radius}, "at most 0.35 of radius");
    a.require("thickness", {.to = std::min(0.3 * height, 0.1 * well)}, "at most 0.3 of height and 0.1 of well_radius");
    a.check();

    // seen from below: ring to stand on, curve up out of the well, flange, rounded edge; then back over the top
    const double lift = 0.5 * wall, under = 0.6 * wall;
    Profile profile({0, lift});
    addFootRing(profile, 0.88 * well, 0.1 * well, lift, under);
    profile.lineTo({well, under});
    const Vec2 end(radius, height - 0.5 * wall);
    const double brim = 0.35 * (radius - well);
    const Vec2 flangeFrom(well + brim, under + 0.62 * (end.y() - under));
    const Vec2 slope = (end - flangeFrom).normalized();
    const auto bend = profile.curveTo({well + 0.55 * brim, under}, flangeFrom - 0.5 * brim * slope, flangeFrom);
    const auto flange = profile.lineTo(end);
    // back over the top
    addRim(profile, flange, wall);
    profile.backAlong(flange, wall);
    profile.backAlong(bend, wall);
    profile.lineTo({0, profile.end().y()});
    return revolve(profile, a.resolution());
}

TriMesh makeBottle(const Arguments& a) {
    const double height = a["height"], radius = a["radius"], neck = a["neck_radius"], wall = a["wall"];
    const double neckHeight = a["neck_height"];
    a.require("neck_radius", {.from = 0.15 * radius, .to = 0.65 * radius}, "0.15 to 0.65 of radius");
    a.require("neck_height", {.from = 0.4 * neck, .to = 0.5 * height}, "0.4 of neck_radius to half of height");
    a.require("height", {.from = neckHeight + 2.2 * radius, .to = neckHeight + 10 * radius},
              "neck_height + 2.2 radius to neck_height + 10 radius");
    a.require("wall", {.to = std::min(0.1 * radius, 0.4 * neck)}, "at most 0.1 of radius and 0.4 of neck_radius");
    a.check();

    // underside, heel and body
    const double heel = 0.2 * radius, rise = 1.2 * (radius - neck), neckFrom = height - neckHeight;
    Profile profile({0, 0});
    profile.lineTo({radius - heel, 0});
    const auto edge = profile.arcTo({radius - heel, heel}, {radius, heel});
    const auto body = profile.lineTo({radius, neckFrom - rise});
    // shoulder and neck
    const auto shoulder =
        profile.curveTo({radius, neckFrom - 0.45 * rise}, {neck, neckFrom - 0.5 * rise}, {neck, neckFrom});
    const auto mouth = profile.lineTo({neck, height - 0.5 * wall});
    // back down inside, a wall's thickness away
    addRim(profile, mouth, wall);
    profile.backAlong(mouth, wall);
    profile.backAlong(shoulder, wall);
    profile.backAlong(body, wall);
    profile.backAlong(edge, wall);
    profile.lineTo({0, wall});
    return revolve(profile, a.resolution());
}

TriMesh makeHollowSphere(const Arguments& a) {
    const double radius = a["radius"], wall = a["wall"], opening = a["opening_radius"], neck = a["neck_height"];
    a.require("wall", {.to = 0.5 * radius}, "at most half of radius");
    // closed: a ball and, inside out, the cavity
    if (opening == 0) {
        a.check();
        TriMesh mesh, inner = geodesicSphere(std::max(2, static_cast<int>(std::round(a.resolution() / 5.0))));
        append(mesh, scaled(inner, radius));
        flipOrientation(inner);
        // its picture is looked at from the cavity
        for (auto& corners : inner.uvs) {
            for (Vec2& uv : corners) uv.x() = 1 - uv.x();
        }
        append(mesh, scaled(inner, radius - wall));
        return mesh;
    }
    a.require("opening_radius", {.from = 1.5 * wall, .to = 0.7 * radius},
              "0 (closed), or at least 1.5 wall and at most 0.7 radius");
    a.require("neck_height", {.from = 0.5 * wall}, "at least half of wall unless opening_radius is 0");
    a.check();

    // with a neck: outside from the bottom up, over the rim, and back inside
    const double inside = radius - wall, clear = opening - wall;
    const Vec2 shoulder(opening, std::sqrt(radius * radius - opening * opening));
    const Vec2 throat(clear, std::sqrt(inside * inside - clear * clear));
    Profile profile({0, -radius});
    const auto lower = profile.arcTo({0, 0}, {radius, 0});
    const auto upper = profile.arcTo({0, 0}, shoulder);
    const double top = std::max(shoulder.y(), throat.y()) + neck;
    const auto tube = profile.lineTo({opening, top});
    addRim(profile, tube, wall);
    profile.lineTo(throat);
    profile.arcTo({0, 0}, shoulder * (inside / radius));
    profile.backAlong(upper, wall);
    profile.backAlong(lower, wall);
    return revolve(profile, a.resolution());
}

}  // namespace

Catalogue vesselShapes() {
    const auto wall = [](double value, double max) {
        return length("wall", "thickness of the wall", value, 0.0003, max);
    };
    // name, what it is, whether open; its parameters with default, least and most; what it is mostly made of;
    // the function that makes it
    return {
        {{"plate",
          "a dinner plate with a foot ring",
          false,
          {length("radius", "radius", 0.135, 0.02, 5), length("height", "height of the rim", 0.024, 0.005, 1),
           length("thickness", "thickness", 0.005, 0.0005, 0.2),
           length("well_radius", "radius of the flat middle", 0.085, 0.01, 4)},
          "ceramic"},
         makePlate},
        {{"bowl",
          "a bowl on a foot ring",
          false,
          {length("radius", "radius of the rim", 0.12, 0.02, 5), length("height", "height", 0.085, 0.01, 5),
           wall(0.005, 0.2), length("foot_radius", "radius of the foot ring", 0.045, 0.005, 3)},
          "ceramic"},
         makeBowl},
        {{"mug",
          "a mug with a handle, open at the top",
          false,
          {length("height", "height", 0.095, 0.02, 5), length("radius", "radius without the handle", 0.041, 0.01, 3),
           wall(0.004, 0.2), length("handle_radius", "half of the handle's thickness", 0.005, 0.0005, 0.5),
           length("handle_reach", "how far the handle stands out along x", 0.03, 0.004, 5)},
          "ceramic"},
         makeMug},
        {{"goblet",
          "a chalice with a ball on its stem",
          false,
          {length("height", "height", 0.18, 0.03, 5), length("cup_height", "height of the cup", 0.095, 0.02, 3),
           length("cup_radius", "radius of the rim", 0.045, 0.01, 2), wall(0.004, 0.2),
           length("stem_radius", "radius of the stem", 0.008, 0.001, 0.5),
           length("knop_radius", "radius of the ball on the stem", 0.015, 0.0015, 0.8),
           length("foot_radius", "radius of the foot", 0.04, 0.005, 2)},
          "steel"},
         makeGoblet},
        {{"wine_glass",
          "a thin glass with a round bowl on a slender stem",
          false,
          {length("height", "height", 0.22, 0.03, 5), length("bowl_height", "height of the bowl", 0.11, 0.02, 3),
           length("bowl_radius", "largest radius of the bowl", 0.043, 0.01, 2),
           length("rim_radius", "radius of the rim", 0.033, 0.005, 2), wall(0.0018, 0.1),
           length("stem_radius", "radius of the stem", 0.004, 0.0005, 0.5),
           length("foot_radius", "radius of the foot", 0.037, 0.005, 2)},
          "glass"},
         makeWineGlass},
        {{"vase",
          "a vase with belly, neck and lip",
          false,
          {length("height", "height", 0.36, 0.03, 10), length("belly_radius", "largest radius", 0.11, 0.01, 5),
           length("neck_radius", "radius of the neck", 0.048, 0.005, 4),
           length("lip_radius", "radius of the lip", 0.072, 0.005, 8),
           length("foot_radius", "radius of the foot", 0.062, 0.005, 4), wall(0.007, 0.2)},
          "ceramic"},
         makeVase},
        {{"bottle",
          "a round bottle with a neck, open at the top",
          false,
          {length("height", "height", 0.3, 0.03, 10), length("radius", "radius of the body", 0.038, 0.005, 2),
           length("neck_radius", "outer radius of the neck", 0.015, 0.002, 1.5),
           length("neck_height", "height of the neck above the shoulder", 0.08, 0.002, 5), wall(0.0035, 0.2)},
          "glass"},
         makeBottle},
        {{"hollow_sphere",
          "a ball-shaped ornament: a shell around a cavity, closed or with a neck",
          false,
          {length("radius", "outer radius", 0.04, 0.005, 10), wall(0.002, 2),
           length("opening_radius", "outer radius of the neck; 0 = closed", 0, 0, 7),
           length("neck_height", "height of the neck above the ball", 0.006, 0, 2)},
          "glass"},
         makeHollowSphere},
    };
}

}  // namespace sunder::shapes
