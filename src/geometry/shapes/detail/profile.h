#pragma once

#include <functional>
#include <vector>

#include "math/vec.h"

namespace sunder::shapes {

/// A point of a profile in the half plane (distance from the axis, height), m.
struct ProfileSample {
    Vec2 point;
    // unit, to the right of the direction of travel (outward); they differ at a crease
    Vec2 normalBefore;
    Vec2 normalAfter;
    double along = 0;  // length travelled from the start, m
};

/// How densely to sample.
struct ProfileSpacing {
    std::function<double(double)> lengthAt;  // wanted segment length at a distance from the axis, m
    double turn = 0.3;                       // largest change of direction per segment, rad
};

/// A path drawn with the pen: lines, arcs, cubic curves, and pieces drawn again at an offset in the other direction
/// (the inner side of a wall). Travel so that the solid lies to the left: up along the outside, down along the inside.
/// Pieces that meet at less than `kCrease` join smoothly.
class Profile {
public:
    /// Number of a piece, for drawing its other side.
    using Piece = size_t;

    explicit Profile(const Vec2& start) : start_(start), end_(start) {}

    Piece lineTo(const Vec2& end);
    /// Cubic Bezier curve.
    Piece curveTo(const Vec2& control1, const Vec2& control2, const Vec2& end);
    /// Circle about `centre` from here to `end`, the short way; `end` must be as far from the centre as the pen is.
    Piece arcTo(const Vec2& centre, const Vec2& end);
    /// Draws `piece` backwards at a distance to its left. Both sides are sampled at the same places, so that a wall's
    /// sides never cross however coarse the sampling. Starts where the pen is, which must be the offset end.
    Piece backAlong(Piece piece, double distance);

    Vec2 end() const { return end_; }
    double length() const;
    double largestRadius() const;
    /// Where the left offset of a piece begins and ends (as drawn, not backwards).
    Vec2 offsetStart(Piece piece, double distance) const;
    Vec2 offsetEnd(Piece piece, double distance) const;

    /// Points along the whole path, both ends included.
    std::vector<ProfileSample> sampled(const ProfileSpacing& spacing) const;

private:
    enum class Kind { Line, Curve, Arc, Offset };
    struct Segment {
        Kind kind = Kind::Line;
        Vec2 control[4];        // ends first and last; for an arc, [1] is the centre
        double startTurns = 0;  // of an arc
        double sweepTurns = 0;  // of an arc, positive counter-clockwise
        Piece mate = 0;         // of an offset
        double distance = 0;    // of an offset, m
    };
    struct PointAndTangent {
        Vec2 point;
        Vec2 tangent;  // unit
    };

    Piece add(const Segment& segment, const Vec2& end);
    PointAndTangent at(const Segment& segment, double t) const;
    std::vector<double> parametersOf(const Segment& segment, const ProfileSpacing& spacing) const;

    Vec2 start_;
    Vec2 end_;
    std::vector<Segment> segments_;
};

}  // namespace sunder::shapes
