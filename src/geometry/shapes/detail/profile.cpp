#include "geometry/shapes/detail/profile.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "geometry/shapes/detail/angles.h"

namespace sunder::shapes {

namespace {

constexpr int kDense = 128;             // steps that measure a piece
constexpr double kSmoothCosine = 0.94;  // pieces whose directions agree better than this (20 degrees) join smoothly

Vec2 rightOf(const Vec2& tangent) { return {tangent.y(), -tangent.x()}; }

}  // namespace

Profile::Piece Profile::add(const Segment& segment, const Vec2& end) {
    segments_.push_back(segment);
    end_ = end;
    return segments_.size() - 1;
}

Profile::Piece Profile::lineTo(const Vec2& end) {
    return add({.kind = Kind::Line, .control = {end_, end_, end, end}}, end);
}

Profile::Piece Profile::curveTo(const Vec2& control1, const Vec2& control2, const Vec2& end) {
    return add({.kind = Kind::Curve, .control = {end_, control1, control2, end}}, end);
}

Profile::Piece Profile::arcTo(const Vec2& centre, const Vec2& end) {
    const double from = turnsOf(end_ - centre), to = turnsOf(end - centre);
    double sweep = to - from;
    sweep -= std::round(sweep);
    return add({.kind = Kind::Arc, .control = {end_, centre, end, end}, .startTurns = from, .sweepTurns = sweep}, end);
}

Profile::Piece Profile::backAlong(Piece piece, double distance) {
    ASSERT(segments_[piece].kind != Kind::Offset);
    ASSERT((offsetEnd(piece, distance) - end_).norm() <= 1e-9 * (distance + end_.norm()));
    const Vec2 end = offsetStart(piece, distance);
    return add({.kind = Kind::Offset, .control = {end_, end_, end, end}, .mate = piece, .distance = distance}, end);
}

Vec2 Profile::offsetStart(Piece piece, double distance) const {
    const PointAndTangent start = at(segments_[piece], 0);
    return start.point - distance * rightOf(start.tangent);
}

Vec2 Profile::offsetEnd(Piece piece, double distance) const {
    const PointAndTangent end = at(segments_[piece], 1);
    return end.point - distance * rightOf(end.tangent);
}

Profile::PointAndTangent Profile::at(const Segment& s, double t) const {
    // point and direction of each kind of segment; t runs from 0 to 1
    switch (s.kind) {
        case Kind::Line:
            return {s.control[0] + t * (s.control[3] - s.control[0]), (s.control[3] - s.control[0]).normalized()};
        // Bezier's cubic; a control point on an end leaves the slope there to the chord
        case Kind::Curve: {
            const double u = 1 - t;
            const Vec2 point = u * u * u * s.control[0] + 3 * u * u * t * s.control[1] + 3 * u * t * t * s.control[2] +
                               t * t * t * s.control[3];
            Vec2 slope = u * u * (s.control[1] - s.control[0]) + 2 * u * t * (s.control[2] - s.control[1]) +
                         t * t * (s.control[3] - s.control[2]);
            if (!(slope.squaredNorm() > 0)) slope = s.control[3] - s.control[0];
            return {point, slope.normalized()};
        }
        case Kind::Arc: {
            const Vec2 direction = onUnitCircle(s.startTurns + t * s.sweepTurns);
            const Vec2 left(-direction.y(), direction.x());
            return {s.control[1] + (s.control[0] - s.control[1]).norm() * direction,
                    s.sweepTurns > 0 ? left : Vec2(-left)};
        }
        // beside its mate, and the other way
        case Kind::Offset: {
            const PointAndTangent mate = at(segments_[s.mate], 1 - t);
            return {mate.point - s.distance * rightOf(mate.tangent), -mate.tangent};
        }
    }
    return {};
}

std::vector<double> Profile::parametersOf(const Segment& segment, const ProfileSpacing& spacing) const {
    // what runs back along another segment has its samples, so that wall and face match
    if (segment.kind == Kind::Offset) {
        std::vector<double> mirrored = parametersOf(segments_[segment.mate], spacing);
        std::reverse(mirrored.begin(), mirrored.end());
        for (double& t : mirrored) t = 1 - t;
        return mirrored;
    }
    // how many segments the stretch up to each dense step wants, by length and by turning
    std::vector<double> wanted{0};
    PointAndTangent last = at(segment, 0);
    for (int i = 1; i <= kDense; ++i) {
        const PointAndTangent next = at(segment, static_cast<double>(i) / kDense);
        const double radius = 0.5 * (last.point.x() + next.point.x());
        const double byLength = (next.point - last.point).norm() / spacing.lengthAt(radius);
        const double byTurning = (next.tangent - last.tangent).norm() / spacing.turn;
        wanted.push_back(wanted.back() + std::max(byLength, byTurning));
        last = next;
    }
    // equal shares of it; a stretch a little too long is better than one segment more
    const int count = std::max(1, static_cast<int>(std::ceil(wanted.back() - 0.2)));
    std::vector<double> parameters{0};
    size_t step = 1;
    for (int i = 1; i < count; ++i) {
        const double share = wanted.back() * i / count;
        while (wanted[step] < share) ++step;
        const double within = (share - wanted[step - 1]) / (wanted[step] - wanted[step - 1]);
        parameters.push_back((static_cast<double>(step - 1) + within) / kDense);
    }
    parameters.push_back(1);
    return parameters;
}

double Profile::length() const {
    double sum = 0;
    for (const Segment& segment : segments_) {
        for (int i = 0; i < kDense; ++i) {
            sum += (at(segment, (i + 1.0) / kDense).point - at(segment, static_cast<double>(i) / kDense).point).norm();
        }
    }
    return sum;
}

double Profile::largestRadius() const {
    double radius = start_.x();
    for (const Segment& segment : segments_) {
        for (int i = 1; i <= kDense; ++i) {
            radius = std::max(radius, at(segment, static_cast<double>(i) / kDense).point.x());
        }
    }
    return radius;
}

std::vector<ProfileSample> Profile::sampled(const ProfileSpacing& spacing) const {
    std::vector<ProfileSample> samples;
    for (const Segment& segment : segments_) {
        for (const double t : parametersOf(segment, spacing)) {
            const PointAndTangent here = at(segment, t);
            const Vec2 normal = rightOf(here.tangent);
            if (t == 0 && !samples.empty()) {
                // the joint: where two pieces go on in nearly one direction, share the normal
                ProfileSample& joint = samples.back();
                joint.normalAfter = normal;
                if (joint.normalBefore.dot(normal) > kSmoothCosine) {
                    joint.normalAfter = joint.normalBefore = (joint.normalBefore + normal).normalized();
                }
                continue;
            }
            // ends exactly as drawn, so that the axis is at exactly zero and pieces meet
            const Vec2 point = t == 0 ? segment.control[0] : t == 1 ? segment.control[3] : here.point;
            const double step = samples.empty() ? 0 : (point - samples.back().point).norm();
            samples.push_back({point, normal, normal, samples.empty() ? 0 : samples.back().along + step});
        }
    }
    return samples;
}

}  // namespace sunder::shapes
