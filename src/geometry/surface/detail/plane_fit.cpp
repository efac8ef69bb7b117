#include "geometry/surface/detail/plane_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <Eigen/LU>

#include "math/sym_eigen.h"

namespace sunder::detail {

namespace {

/// Half of |d|^2_matrix - vector . d, with d counted from the centre: the error of a point over the directions that
/// the feature fixes.
struct Quadratic {
    Mat3 matrix = Mat3::Zero();
    Vec3 vector = Vec3::Zero();
    SymEigen eigen;  // of the full matrix, before open directions are dropped
};

Vec3 meanNormal(std::span<const TangentPlane> planes) {
    Vec3 sum = Vec3::Zero();
    for (const TangentPlane& plane : planes) sum += plane.weight * plane.normal;
    const double length = sum.norm();
    return length > 0 ? Vec3(sum / length) : planes.front().normal;
}

/// No two normals can then be further apart than twice that: the quick answer for most cells.
bool allNearMean(std::span<const TangentPlane> planes, double distance) {
    if (planes.empty()) return true;
    const Vec3 mean = meanNormal(planes);
    return std::all_of(planes.begin(), planes.end(), [&](const TangentPlane& plane) {
        return (plane.normal - mean).squaredNorm() <= distance * distance;
    });
}

/// Offset along the mean normal. A tangent plane passes outside a curved surface by half the curvature times the
/// squared distance from its point; the plane through the same point across the mean normal passes inside by as much.
/// The plane halfway between the two meets the surface over the centre to fourth order.
Vec3 smoothPoint(std::span<const TangentPlane> planes, const Vec3& normal, const Vec3& centre) {
    double offset = 0, weight = 0;
    for (const TangentPlane& plane : planes) {
        const Vec3 halfway = 0.5 * (plane.normal + normal);
        offset += plane.weight * halfway.dot(plane.point - centre);
        weight += plane.weight * halfway.dot(normal);
    }
    return weight > 0 ? Vec3(centre + offset / weight * normal) : centre;
}

Quadratic featureError(std::span<const TangentPlane> planes, int rank, const Vec3& centre) {
    SymMat3 full;
    Vec3 vector = Vec3::Zero();
    for (const TangentPlane& plane : planes) {
        const Vec3& n = plane.normal;
        const Vec3 w = plane.weight * n;
        full = full + SymMat3{w.x() * n.x(), w.y() * n.y(), w.z() * n.z(), w.x() * n.y(), w.y() * n.z(), w.z() * n.x()};
        vector += n.dot(plane.point - centre) * w;
    }
    Quadratic error;
    error.eigen = symmetricEigen(full);
    for (int i = 3 - rank; i < 3; ++i) {
        const Vec3 axis = error.eigen.vectors.col(i);
        error.matrix += error.eigen.values[i] * axis * axis.transpose();
        error.vector += axis.dot(vector) * axis;
    }
    return error;
}

/// Minimum over a box: the true minimiser is the best feasible one among the 27 choices of each coordinate being free,
/// at its lower or at its upper bound.
Vec3 minimiseInBox(const Mat3& matrix, const Vec3& vector, const Box3& box) {
    double bestError = std::numeric_limits<double>::infinity();
    Vec3 best = box.centre();
    for (int choice = 0; choice < 27; ++choice) {
        // rows of fixed coordinates are replaced by their bounds
        const std::array<int, 3> state{choice % 3, choice / 3 % 3, choice / 9};  // 0 free, 1 lower, 2 upper
        Mat3 system = matrix;
        Vec3 right = vector;
        for (int i = 0; i < 3; ++i) {
            if (state[static_cast<size_t>(i)] == 0) continue;
            system.row(i).setZero();
            system(i, i) = 1;
            right[i] = state[static_cast<size_t>(i)] == 1 ? box.min[i] : box.max[i];
        }
        // only what lies in the box, up to rounding, is feasible
        const Vec3 point = system.inverse() * right;
        const Vec3 kept = point.cwiseMax(box.min).cwiseMin(box.max);
        if (!((kept - point).norm() <= 1e-9)) continue;  // also drops what a singular system gives
        const double error = 0.5 * kept.dot(matrix * kept) - vector.dot(kept);
        if (error < bestError) {
            bestError = error;
            best = kept;
        }
    }
    return best;
}

}  // namespace

SurfaceFeature featureOf(std::span<const TangentPlane> planes, double creaseAngle) {
    constexpr double kLeastWeight = 0.1;
    const double chord = 2 * std::sin(0.5 * std::min(creaseAngle, 3.0));
    if (allNearMean(planes, 0.5 * chord)) return SurfaceFeature::Smooth;
    // the two planes that part the most, beyond what a smooth bend between their points would
    double widest = 0;
    Vec3 across = Vec3::Zero();
    for (size_t i = 0; i < planes.size(); ++i) {
        if (planes[i].weight < kLeastWeight) continue;
        for (size_t j = 0; j < i; ++j) {
            if (planes[j].weight < kLeastWeight) continue;
            const double apart = (planes[i].normal - planes[j].normal).squaredNorm();
            const double length = std::max(1.0, (planes[i].point - planes[j].point).squaredNorm());
            if (apart <= widest || apart <= chord * chord * length) continue;
            widest = apart;
            across = planes[i].normal.cross(planes[j].normal);
        }
    }
    // a third direction across that crease makes it a corner
    if (widest == 0) return SurfaceFeature::Smooth;
    const double length = across.norm();
    if (!(length > 0)) return SurfaceFeature::Crease;
    const double leastSine = std::sin(std::min(creaseAngle, 1.5)) * length;
    for (const TangentPlane& plane : planes) {
        if (plane.weight >= kLeastWeight && std::abs(across.dot(plane.normal)) > leastSine)
            return SurfaceFeature::Corner;
    }
    return SurfaceFeature::Crease;
}

Vec3 bestPoint(std::span<const TangentPlane> planes, SurfaceFeature feature, const Vec3& centre) {
    if (planes.empty()) return centre;
    if (feature == SurfaceFeature::Smooth) return smoothPoint(planes, meanNormal(planes), centre);
    const int rank = static_cast<int>(feature);
    const Quadratic error = featureError(planes, rank, centre);
    Vec3 step = Vec3::Zero();
    for (int i = 3 - rank; i < 3; ++i) {
        const Vec3 axis = error.eigen.vectors.col(i);
        // a direction fixed only by rounding errors stays open
        if (error.eigen.values[i] > 1e-6 * error.eigen.values[2]) {
            step += axis.dot(error.vector) / error.eigen.values[i] * axis;
        }
    }
    return centre + step;
}

Vec3 bestPointIn(const Box3& box, std::span<const TangentPlane> planes, SurfaceFeature feature, const Vec3& centre) {
    if (planes.empty()) return centre.cwiseMax(box.min).cwiseMin(box.max);
    Mat3 matrix;
    Vec3 vector;
    if (feature == SurfaceFeature::Smooth) {
        const Vec3 normal = meanNormal(planes);
        matrix = normal * normal.transpose();
        vector = matrix * (smoothPoint(planes, normal, centre) - centre);
    } else {
        const Quadratic error = featureError(planes, static_cast<int>(feature), centre);
        matrix = error.matrix;
        vector = error.vector;
    }
    matrix.diagonal().array() += 1e-3 * matrix.trace();  // open directions stay near the centre
    return centre + minimiseInBox(matrix, vector, {Vec3(box.min - centre), Vec3(box.max - centre)});
}

Vec3 axisOf(std::span<const TangentPlane> planes, SurfaceFeature feature) {
    if (planes.empty() || feature == SurfaceFeature::Corner) return Vec3::Zero();
    if (feature == SurfaceFeature::Smooth) return meanNormal(planes);
    return featureError(planes, 2, Vec3::Zero()).eigen.vectors.col(0);
}

}  // namespace sunder::detail
