#include <algorithm>
#include <cmath>

#include "geometry/shapes/detail/catalogue.h"
#include "geometry/shapes/detail/lattice.h"

namespace sunder::shapes {

namespace {

void moveBy(TriMesh& mesh, const Vec3& offset) {
    for (Vec3& p : mesh.positions) p += offset;
}

/// An upright slab standing on the ground.
TriMesh makeSlab(const Arguments& a) {
    const Vec3 size(a["width"], a["height"], a["thickness"]);
    TriMesh mesh = boxMesh(size, 0, boxSpacing(size, a.resolution()));
    moveBy(mesh, {0, 0.5 * size.y(), 0});
    return mesh;
}

/// Left ends and lengths of the bricks of one course, in running bond: every other course begins with half a brick.
struct Stretch {
    double from = 0;
    double length = 0;
};
std::vector<Stretch> courseOf(int bricks, double brickLength, double mortar, bool shifted) {
    const double half = 0.5 * (brickLength - mortar), total = bricks * (brickLength + mortar) - mortar;
    std::vector<Stretch> course;
    double x = -0.5 * total;
    if (shifted) course.push_back({x, half}), x += half + mortar;
    for (int i = 0; i < bricks - (shifted ? 1 : 0); ++i) {
        course.push_back({x, brickLength});
        x += brickLength + mortar;
    }
    if (shifted) course.push_back({x, half});
    return course;
}

TriMesh makeBrickWall(const Arguments& a) {
    // room for the mortar and for the rounding within every brick
    const Vec3 brick(a["brick_length"], a["brick_height"], a["thickness"]);
    const int bricks = a.whole("bricks"), courses = a.whole("courses");
    const double mortar = a["mortar"], rounding = a["rounding"];
    a.require("mortar", {.to = 0.5 * brick.x(), .ends = Allowed::Ends::Excluded}, "less than half of brick_length");
    const double halfBrick = 0.5 * (brick.x() - mortar);
    a.require("rounding", {.to = 0.4 * std::min({brick.y(), brick.z(), halfBrick})},
              "at most 0.4 of the least of brick_height, thickness and half of brick_length - mortar");
    a.check();

    // the whole wall's edge length, but at most some hundred along a brick
    const Vec3 wall(bricks * brick.x(), courses * brick.y(), brick.z());
    const double spacing = std::max(boxSpacing(wall, a.resolution()), brick.maxCoeff() / 100);
    // a brick is a body of its own: they are neighbours, never joined
    TriMesh mesh;
    for (int course = 0; course < courses; ++course) {
        for (const Stretch& stretch : courseOf(bricks, brick.x(), mortar, course % 2 == 1)) {
            TriMesh block = boxMesh({stretch.length, brick.y(), brick.z()}, rounding, spacing);
            moveBy(block, {stretch.from + 0.5 * stretch.length, course * (brick.y() + mortar) + 0.5 * brick.y(), 0});
            append(mesh, block);
        }
    }
    return mesh;
}

/// Two upright sides and boards between them, top and bottom among these; one solid, cut out of a lattice of boxes.
TriMesh makeShelf(const Arguments& a) {
    const double width = a["width"], height = a["height"], depth = a["depth"], board = a["board"];
    const int boards = a.whole("boards");
    a.require("width", {.from = 4 * board}, "at least 4 times board");
    a.require("height", {.from = 2 * boards * board},
              "at least 2 times boards times board, or the gaps are lower than the boards");
    a.require("depth", {.from = board}, "at least board");
    a.check();

    // planes at both faces of every board
    std::vector<double> levels;
    for (int i = 0; i < boards; ++i) {
        const double from = i * (height - board) / (boards - 1);
        levels.push_back(from);
        levels.push_back(from + board);
    }
    const double half = 0.5 * width, spacing = boxSpacing({width, height, depth}, a.resolution());
    const LatticePlanes planes{subdivided({-half, board - half, half - board, half}, spacing),
                               subdivided(levels, spacing), subdivided({-0.5 * depth, 0.5 * depth}, spacing)};
    const auto middle = [&](size_t axis, int i) {
        const std::vector<double>& p = planes[axis];
        return 0.5 * (p[static_cast<size_t>(i)] + p[static_cast<size_t>(i) + 1]);
    };
    return latticeSurface(planes, [&](int i, int j, int) {
        if (std::abs(middle(0, i)) > half - board) return true;
        const double pitch = (height - board) / (boards - 1), y = middle(1, j);
        return y - pitch * std::floor(y / pitch) < board;
    });
}

/// Top, apron under it, and four legs that taper below the apron; one solid, cut out of a lattice of boxes.
TriMesh makeTable(const Arguments& a) {
    const double halfWidth = 0.5 * a["width"], halfDepth = 0.5 * a["depth"], height = a["height"];
    const double topThickness = a["top_thickness"], leg = a["leg"], overhang = a["overhang"], apron = a["apron"];
    for (const char* side : {"width", "depth"}) {
        a.require(side, {.from = 2 * overhang + 3 * leg, .ends = Allowed::Ends::Excluded},
                  "more than 2 overhang + 3 leg");
    }
    a.require("height", {.from = topThickness + apron + leg, .ends = Allowed::Ends::Excluded},
              "more than top_thickness + apron + leg");
    a.check();

    // planes: on each horizontal axis the edge of the top, and both sides of the legs and of the apron's boards
    const double board = 0.4 * leg, recess = 0.2 * leg;
    const auto across = [&](double half) {
        const double outer = half - overhang, inner = outer - leg;
        std::vector<double> places{half, outer, inner};
        if (apron > 0) places.push_back(outer - recess), places.push_back(outer - recess - board);
        const size_t oneSide = places.size();
        for (size_t i = 0; i < oneSide; ++i) places.push_back(-places[i]);
        return places;
    };
    const double topFrom = height - topThickness, apronFrom = topFrom - apron;
    const double spacing = boxSpacing({2 * halfWidth, height, 2 * halfDepth}, a.resolution());
    const LatticePlanes planes{subdivided(across(halfWidth), spacing),
                               subdivided({0, apronFrom, topFrom, height}, spacing),
                               subdivided(across(halfDepth), spacing)};

    // a box of the lattice is part of the table by where its middle lies
    const auto middle = [&](size_t axis, int i) {
        const std::vector<double>& p = planes[axis];
        return 0.5 * (p[static_cast<size_t>(i)] + p[static_cast<size_t>(i) + 1]);
    };
    // both sides of the table are alike: distances from a leg's outer corner, inward negative
    TriMesh mesh = latticeSurface(planes, [&](int i, int j, int k) {
        const double x = std::abs(middle(0, i)) - (halfWidth - overhang), y = middle(1, j);
        const double z = std::abs(middle(2, k)) - (halfDepth - overhang);
        if (y > topFrom) return true;
        const bool inLeg = x < 0 && x > -leg && z < 0 && z > -leg;
        if (y < apronFrom || inLeg) return inLeg;
        const bool inBoardX = z < -recess && z > -recess - board && x < 0;
        const bool inBoardZ = x < -recess && x > -recess - board && z < 0;
        return inBoardX || inBoardZ;
    });

    // taper
    // every leg about its own axis, so that it stays upright
    const double narrowing = 1 - a["taper"];
    const Vec2 legMiddle(halfWidth - overhang - 0.5 * leg, halfDepth - overhang - 0.5 * leg);
    for (Vec3& p : mesh.positions) {
        if (p.y() >= apronFrom) continue;
        const double scale = 1 - narrowing * (1 - p.y() / apronFrom);
        const double cx = std::copysign(legMiddle.x(), p.x()), cz = std::copysign(legMiddle.y(), p.z());
        p = {cx + scale * (p.x() - cx), p.y(), cz + scale * (p.z() - cz)};
    }
    setFlatNormals(mesh);
    return mesh;
}

}  // namespace

Catalogue blockShapes() {
    // name, what it is, whether open; its parameters with default, least and most; what it is mostly made of;
    // the function that makes it
    return {
        {{"wall",
          "an upright slab in one block",
          false,
          {length("width", "width along x", 3, 0.01, 100), length("height", "height", 2, 0.01, 100),
           length("thickness", "thickness along z", 0.2, 0.002, 10)},
          "stone"},
         makeSlab},
        {{"brick_wall",
          "bricks in running bond, each one a body of its own",
          false,
          {count("bricks", "bricks per course", 6, 1, 60), count("courses", "number of courses", 10, 1, 60),
           length("brick_length", "length of a brick", 0.215, 0.01, 2),
           length("brick_height", "height of a brick", 0.065, 0.01, 2),
           length("thickness", "thickness of the wall along z", 0.1025, 0.01, 2),
           length("mortar", "gap between bricks; 0 = they touch", 0.01, 0, 0.2),
           length("rounding", "radius of the bricks' edges; 0 = sharp", 0.004, 0, 0.2)},
          "brick"},
         makeBrickWall},
        {{"pane",
          "an upright sheet of glass, gridded",
          false,
          {length("width", "width along x", 0.8, 0.01, 20), length("height", "height", 1.2, 0.01, 20),
           length("thickness", "thickness along z", 0.008, 0.0005, 0.5)},
          "glass"},
         makeSlab},
        {{"table",
          "a table of one piece: top, apron and four tapering legs",
          false,
          {length("width", "width of the top along x", 1.4, 0.1, 20),
           length("depth", "depth of the top along z", 0.8, 0.1, 20), length("height", "height", 0.75, 0.1, 20),
           length("top_thickness", "thickness of the top", 0.035, 0.005, 1),
           length("leg", "side of a leg where it meets the top", 0.08, 0.01, 2),
           length("overhang", "how far the top reaches beyond the legs", 0.04, 0, 2),
           length("apron", "height of the boards between the legs; 0 = none", 0.08, 0, 2),
           ratio("taper", "side of a leg at the ground, as a part of that above", 0.6, 0.2, 1)},
          "wood"},
         makeTable},
        {{"shelf",
          "a shelf of one piece: two sides and boards between them, open at front and back",
          false,
          {length("width", "width along x", 0.8, 0.05, 20), length("height", "height", 1.8, 0.05, 20),
           length("depth", "depth along z", 0.3, 0.02, 10),
           count("boards", "boards between the sides, top and bottom among them", 5, 2, 40),
           length("board", "thickness of boards and sides", 0.022, 0.002, 0.5)},
          "wood"},
         makeShelf},
    };
}

}  // namespace sunder::shapes
