#pragma once

#include <cstdint>
#include <vector>

#include "geometry/convex/convex_polytope.h"
#include "math/rigid_transform.h"

/// Where the bodies of a scene start, in terms that any engine can take: the same scene is built in ours and in a peer.
namespace sunder::scenes {

struct PlacedBox {
    Vec3 size = Vec3::Ones();  // m
    RigidTransform pose;       // of its centre
};

/// An open box of side 2 cbrt(count / 1000) m, floor at y = 0, and pieces in columns above it, up to 16 m.
struct PileLayout {
    struct Piece {
        uint32_t shape = 0;   // into the shapes it was laid out for
        RigidTransform pose;  // of the shape's frame, whose origin is the centre of mass
    };
    std::vector<Piece> pieces;
    std::vector<PlacedBox> walls;  // static: the floor, then four sides reaching above the highest piece
    double side = 0;               // m, inside

    /// Not inside the box any more: through a wall, through the floor, or over the top.
    bool escaped(const Vec3& centre) const;
};

/// Pieces are dealt to columns, the shapes in turn, at random orientations and jittered places, none touching another.
/// A shape is given by points whose hull holds it, centre of mass at the origin.
PileLayout layOutPile(size_t count, const std::vector<std::vector<Vec3>>& shapes, uint64_t seed);

/// Convex fragments, a few shapes many times over.
struct ConvexPile {
    std::vector<ConvexPolytope> hulls;
    PileLayout layout;
};
ConvexPile convexPile(size_t count, uint64_t seed = 1, size_t distinctShapes = 256);

/// Boxes of one size.
struct BoxLayout {
    struct Box {
        Vec3 size = Vec3::Ones();  // m
        RigidTransform pose;
    };
    std::vector<Box> boxes;
};

/// One on the other, the first on y = 0.
BoxLayout layOutStack(size_t count, double side);
/// Rows of bricks 0.6 x 0.3 x 0.3 m in running bond: every second row is set off by half a brick and has a half brick
/// at either end, as masons lay it; a whole one there would stand with its centre over the edge.
BoxLayout layOutBrickWall(size_t rows, size_t perRow);

inline constexpr double kPileFriction = 0.6;
inline constexpr double kPileDensity = 2500;  // kg/m^3

}  // namespace sunder::scenes
