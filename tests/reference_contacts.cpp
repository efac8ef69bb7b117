#include "tests/reference_contacts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace sunder::reference {
namespace {

/// The second derivative of n . (q - p) beyond the accelerations, for a point q of one body over a face of another
/// that carries the normal n (outward) along:
///     n . [w_q x (w_q x r_q) - w_f x (w_f x r_p) - 2 w_f x (v_q - v_p)]
/// r_q is zero for the middle of a sphere, whose surface point changes as it rolls.
double curvatureOverFace(const Body& pointBody, const Vec3& fromCentre, const Body& faceBody, const Vec3& point,
                         const Vec3& outward) {
    const Vec3 &wq = pointBody.angularVelocity, &wf = faceBody.angularVelocity;
    const Vec3 onFace = point - faceBody.pose.translation;
    const Vec3 slip = pointBody.velocity + wq.cross(fromCentre) - velocityAt(faceBody, point);
    return outward.dot(wq.cross(wq.cross(fromCentre)) - wf.cross(wf.cross(onFace)) - 2 * wf.cross(slip));
}

struct Finder {
    const std::vector<Body>& bodies;
    double reach;
    std::vector<ContactPoint> found;

    void add(const ContactPoint& contact) {
        if (contact.gap <= reach) found.push_back(contact);
    }
    void addFlipped(ContactPoint contact) {
        std::swap(contact.a, contact.b);
        contact.normal = -contact.normal;
        add(contact);
    }

    const Body& at(size_t i) const { return bodies[i]; }
    template <class Shape>
    const Shape* as(size_t i) const {
        return std::get_if<Shape>(&bodies[i].shape);
    }

    void pair(size_t a, size_t b) {
        if (as<Sphere>(a) && as<Sphere>(b)) return spheres(a, b);
        if (as<Sphere>(a) && as<Box>(b)) return sphereOnBox(a, b, true);
        if (as<Box>(a) && as<Sphere>(b)) return sphereOnBox(b, a, false);
        if (as<Box>(a) && as<Box>(b)) return boxes(a, b);
        if (as<HalfSpace>(b)) return onHalfSpace(a, b, true);
        if (as<HalfSpace>(a)) return onHalfSpace(b, a, false);
    }

    void spheres(size_t a, size_t b) {
        const Vec3 between = at(b).pose.translation - at(a).pose.translation;
        const double distance = between.norm(), ra = as<Sphere>(a)->radius, rb = as<Sphere>(b)->radius;
        const Vec3 normal = between / distance, velocity = at(b).velocity - at(a).velocity;
        const double gap = distance - ra - rb;
        const double sideways = velocity.squaredNorm() - std::pow(normal.dot(velocity), 2);
        add({a, b, at(a).pose.translation + (ra + 0.5 * gap) * normal, normal, gap, sideways / distance});
    }

    /// `first`: the moving body is a of the contact.
    void onHalfSpace(size_t moving, size_t plane, bool first) {
        const Vec3 up = at(plane).pose.rotation * Vec3::UnitY();
        const auto height = [&](const Vec3& p) { return up.dot(p - at(plane).pose.translation); };
        const auto put = [&](const Vec3& point, double gap, const Vec3& fromCentre) {
            const ContactPoint contact{plane, moving, point,
                                       up,    gap,    curvatureOverFace(at(moving), fromCentre, at(plane), point, up)};
            first ? addFlipped(contact) : add(contact);
        };
        if (const Sphere* sphere = as<Sphere>(moving)) {
            const Vec3& centre = at(moving).pose.translation;
            put(centre - height(centre) * up, height(centre) - sphere->radius, Vec3::Zero());
        } else if (as<Box>(moving)) {
            for (const Vec3& corner : cornersOf(moving)) {
                put(corner, height(corner), corner - at(moving).pose.translation);
            }
        }
    }

    void sphereOnBox(size_t sphere, size_t box, bool first) {
        const RigidTransform& pose = at(box).pose;
        const Vec3 half = 0.5 * as<Box>(box)->size, centre = pose.inverse() * at(sphere).pose.translation;
        Vec3 nearest = centre.cwiseMax(-half).cwiseMin(half), outward = centre - nearest;
        double distance = outward.norm();
        if (distance == 0) {
            // the middle is inside: leave through the nearest face
            int axis = 0;
            distance = -(half - centre.cwiseAbs()).minCoeff(&axis);
            outward = (centre[axis] < 0 ? -1.0 : 1.0) * Vec3::Unit(axis);
            nearest[axis] = outward[axis] * half[axis];
        } else {
            outward /= distance;
        }
        const Vec3 point = pose * nearest, normal = pose.rotation * outward;
        const ContactPoint contact{box,
                                   sphere,
                                   point,
                                   normal,
                                   distance - as<Sphere>(sphere)->radius,
                                   curvatureOverFace(at(sphere), Vec3::Zero(), at(box), point, normal)};
        first ? addFlipped(contact) : add(contact);
    }

    std::vector<Vec3> cornersOf(size_t box) const {
        std::vector<Vec3> corners;
        const Vec3 half = 0.5 * as<Box>(box)->size;
        for (int i = 0; i < 8; ++i) {
            const Vec3 sign((i & 1) ? 1 : -1, (i & 2) ? 1 : -1, (i & 4) ? 1 : -1);
            corners.push_back(at(box).pose * half.cwiseProduct(sign));
        }
        return corners;
    }

    // two boxes: the axis of least overlap, then the touching polygon or the crossing of two edges

    struct SeparatingAxis {
        double separation = -std::numeric_limits<double>::infinity();
        Vec3 direction = Vec3::Zero();   // from a to b
        int axisOfA = -1, axisOfB = -1;  // one of them for a face, both for edges
    };

    void boxes(size_t a, size_t b) {
        const Mat3 ra = at(a).pose.rotation.toRotationMatrix(), rb = at(b).pose.rotation.toRotationMatrix();
        const Vec3 ha = 0.5 * as<Box>(a)->size, hb = 0.5 * as<Box>(b)->size;
        const Vec3 between = at(b).pose.translation - at(a).pose.translation;
        const auto tryAxis = [&](Vec3 axis, int i, int j, double advantage, SeparatingAxis& best) {
            if (axis.dot(between) < 0) axis = -axis;
            const double extent =
                ha.dot((ra.transpose() * axis).cwiseAbs()) + hb.dot((rb.transpose() * axis).cwiseAbs());
            const double separation = axis.dot(between) - extent;
            if (separation > best.separation + advantage) best = {separation, axis, i, j};
        };
        SeparatingAxis best;
        for (int i = 0; i < 3; ++i) tryAxis(ra.col(i), i, -1, 0, best);
        for (int j = 0; j < 3; ++j) tryAxis(rb.col(j), -1, j, 1e-10, best);
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                const Vec3 cross = ra.col(i).cross(rb.col(j));
                if (cross.norm() > 1e-6) tryAxis(cross.normalized(), i, j, 1e-8, best);
            }
        }
        if (best.separation > reach) return;
        if (best.axisOfA >= 0 && best.axisOfB >= 0) return edges(a, b, best);
        best.axisOfA >= 0 ? face(a, b, best.axisOfA, best.direction, false)
                          : face(b, a, best.axisOfB, -best.direction, true);
    }

    void edges(size_t a, size_t b, const SeparatingAxis& axis) {
        const auto edgeMiddle = [&](size_t box, int along, const Vec3& towards) {
            const Mat3 r = at(box).pose.rotation.toRotationMatrix();
            Vec3 local = 0.5 * as<Box>(box)->size;
            for (int k = 0; k < 3; ++k) local[k] = k == along ? 0 : std::copysign(local[k], r.col(k).dot(towards));
            return Vec3(at(box).pose * local);
        };
        const Vec3 p = edgeMiddle(a, axis.axisOfA, axis.direction), q = edgeMiddle(b, axis.axisOfB, -axis.direction);
        const Vec3 u = at(a).pose.rotation * Vec3::Unit(axis.axisOfA),
                   v = at(b).pose.rotation * Vec3::Unit(axis.axisOfB);
        const Vec3 w = q - p;
        const double uv = u.dot(v), s = (w.dot(u) - uv * w.dot(v)) / (1 - uv * uv);
        const Vec3 onA = p + s * u;
        add({a, b, onA + 0.5 * axis.separation * axis.direction, axis.direction, axis.separation, 0});
    }

    /// The face of `reference` along +-axis against the other's most opposed face, cut by the reference's sides.
    void face(size_t reference, size_t other, int axis, const Vec3& outward, bool flipped) {
        const Mat3 r = at(other).pose.rotation.toRotationMatrix();
        int across = 0;
        (r.transpose() * outward).cwiseAbs().maxCoeff(&across);
        const double side = r.col(across).dot(outward) > 0 ? -1 : 1;
        const Vec3 half = 0.5 * as<Box>(other)->size;
        const int u = (across + 1) % 3, v = (across + 2) % 3;
        std::vector<Vec3> polygon;
        for (const auto& [su, sv] : {std::pair{1, 1}, {-1, 1}, {-1, -1}, {1, -1}}) {
            Vec3 local;
            local[across] = side * half[across];
            local[u] = su * half[u];
            local[v] = sv * half[v];
            polygon.push_back(at(reference).pose.inverse() * (at(other).pose * local));
        }
        const Vec3 limit = 0.5 * as<Box>(reference)->size;
        for (int k = 1; k < 3; ++k) {
            const int cut = (axis + k) % 3;
            for (const double sign : {1.0, -1.0}) polygon = clipped(polygon, cut, sign, limit[cut]);
        }
        const double outwardSign = (at(reference).pose.rotation * Vec3::Unit(axis)).dot(outward) > 0 ? 1 : -1;
        for (const Vec3& local : polygon) {
            const Vec3 point = at(reference).pose * local;
            const double gap = outwardSign * local[axis] - limit[axis];
            const ContactPoint contact{
                reference,
                other,
                point,
                outward,
                gap,
                curvatureOverFace(at(other), point - at(other).pose.translation, at(reference), point, outward)};
            flipped ? addFlipped(contact) : add(contact);
        }
    }

    static std::vector<Vec3> clipped(const std::vector<Vec3>& polygon, int axis, double sign, double limit) {
        std::vector<Vec3> result;
        for (size_t i = 0; i < polygon.size(); ++i) {
            const Vec3 &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
            const double hp = sign * p[axis] - limit, hq = sign * q[axis] - limit;
            if (hp <= 0) result.push_back(p);
            if ((hp < 0 && hq > 0) || (hp > 0 && hq < 0)) result.push_back(p + hp / (hp - hq) * (q - p));
        }
        return result;
    }
};

}  // namespace

std::vector<ContactPoint> contactPoints(const std::vector<Body>& bodies, double reach) {
    Finder finder{bodies, reach, {}};
    for (size_t a = 0; a < bodies.size(); ++a) {
        for (size_t b = a + 1; b < bodies.size(); ++b) {
            if (bodies[a].mass > 0 || bodies[b].mass > 0) finder.pair(a, b);
        }
    }
    return finder.found;
}

}  // namespace sunder::reference
