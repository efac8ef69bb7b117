#include "math/sym_eigen.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sunder {

namespace {

// Squares and cubes of entries within these neither overflow nor lose bits, even after 16 digits cancel.
constexpr double kSmallestUnscaled = 1e-60;
constexpr double kLargestUnscaled = 1e60;

double largestEntry(const SymMat3& m) {
    return std::max({std::abs(m.xx), std::abs(m.yy), std::abs(m.zz), std::abs(m.xy), std::abs(m.yz), std::abs(m.zx)});
}

SymMat3 scaledByPowerOfTwo(const SymMat3& m, int exponent) {
    const auto s = [exponent](double x) { return std::ldexp(x, exponent); };
    return {s(m.xx), s(m.yy), s(m.zz), s(m.xy), s(m.yz), s(m.zx)};
}

/// Takes a third of the trace off the diagonal and returns it.
double removeMean(SymMat3& m) {
    const double mean = m.trace() / 3;
    m.xx -= mean;
    m.yy -= mean;
    m.zz -= mean;
    return mean;
}

double determinant(const SymMat3& m) {
    return m.xx * (m.yy * m.zz - m.yz * m.yz) - m.xy * (m.xy * m.zz - m.yz * m.zx) + m.zx * (m.xy * m.yz - m.yy * m.zx);
}

/// The root y in [sqrt(3), 2] of y^3 - 3 y = 2 r for r in [0, 1], that is 2 cos(acos(r) / 3), without trigonometry: a
/// polynomial good to 1.4e-6, then one step of Halley, which cubes that error (the slope 3 y^2 - 3 is at least 6 here).
double outerRoot(double r) {
    const double y =
        1.732052122 +
        r * (0.333237713 + r * (-0.095050028 + r * (0.043799255 + r * (-0.017932902 + r * (0.003894603)))));
    const double error = (y * y - 3) * y - 2 * r, slope = 3 * (y * y - 1);
    return y - error * slope / (slope * slope - 3 * y * error);
}

/// The unit vector that (m - value) sends to zero, for a simple eigenvalue far from the others: the best conditioned
/// cross product of two rows.
Vec3 nullVector(const SymMat3& m, double value) {
    const Vec3 x(m.xx - value, m.xy, m.zx), y(m.xy, m.yy - value, m.yz), z(m.zx, m.yz, m.zz - value);
    const Vec3 xy = x.cross(y), yz = y.cross(z), zx = z.cross(x);
    const double nxy = xy.squaredNorm(), nyz = yz.squaredNorm(), nzx = zx.squaredNorm();
    if (nxy >= nyz && nxy >= nzx) return xy / std::sqrt(nxy);
    return nyz >= nzx ? Vec3(yz / std::sqrt(nyz)) : Vec3(zx / std::sqrt(nzx));
}

/// Two unit vectors that make a right-handed frame with n [duff2017].
std::pair<Vec3, Vec3> frameAround(const Vec3& n) {
    const double sign = std::copysign(1.0, n.z());
    const double a = -1 / (sign + n.z());
    const double b = n.x() * n.y() * a;
    return {Vec3(1 + sign * n.x() * n.x() * a, sign * b, -sign * n.x()), Vec3(b, sign + n.y() * n.y() * a, -n.y())};
}

struct Rotation {
    double c, s;
    double t;  // s / c
};

/// The rotation that makes [[a, b], [b, d]] diagonal, by the smaller angle [golub2013, 8.5.2].
Rotation diagonalising(double a, double b, double d) {
    if (b == 0) return {1, 0, 0};
    const double half = 0.5 * (d - a);
    const double t = b / (half + std::copysign(std::sqrt(half * half + b * b), half));
    const double c = 1 / std::sqrt(1 + t * t);
    return {c, t * c, t};
}

struct EigenPair {
    double value;
    Vec3 vector;
};

/// Sorts by value and keeps the frame right-handed.
SymEigen ascending(EigenPair (&pairs)[3], double mean) {
    bool odd = false;
    const auto order = [&](EigenPair& a, EigenPair& b) {
        if (a.value <= b.value) return;
        std::swap(a, b);
        odd = !odd;
    };
    order(pairs[0], pairs[1]);
    order(pairs[1], pairs[2]);
    order(pairs[0], pairs[1]);
    SymEigen result;
    for (int i = 0; i < 3; ++i) {
        result.values[i] = pairs[i].value + mean;
        result.vectors.col(i) = pairs[i].vector;
    }
    if (odd) result.vectors.col(2) *= -1;
    return result;
}

/// For entries of moderate size. The eigenvalue that stands apart from the other two comes from the characteristic
/// cubic; its vector is well determined; what is left is a 2x2 problem, solved by one rotation. So no step divides by
/// the gap of a close pair.
SymEigen solveModerate(SymMat3 m) {
    // Twice: when the deviator is as small as the rounding of the mean, the first mean leaves a trace behind.
    double mean = removeMean(m);
    mean += removeMean(m);

    const double squares = m.xx * m.xx + m.yy * m.yy + m.zz * m.zz + 2 * (m.xy * m.xy + m.yz * m.yz + m.zx * m.zx);
    if (squares == 0) return {Vec3::Constant(mean), Mat3::Identity()};
    const double size = std::sqrt(squares / 6);

    // eigenvalues of m / size are y, with y^3 - 3 y = 2 r; turn the sign so that the lone one is the largest
    const double r = determinant((1 / size) * m) / 2;
    const double lone = std::copysign(outerRoot(std::min(std::abs(r), 1.0)), r) * size;
    // the two others in the plane across it
    const Vec3 n = nullVector(m, lone);
    const auto [u, w] = frameAround(n);
    const Vec3 mu = m * u, mw = m * w;
    const double a = u.dot(mu), b = u.dot(mw), d = w.dot(mw);
    const Rotation rotation = diagonalising(a, b, d);
    const double shift = b * rotation.t;
    EigenPair pairs[3] = {
        {n.dot(m * n), n}, {a - shift, rotation.c * u - rotation.s * w}, {d + shift, rotation.s * u + rotation.c * w}};
    return ascending(pairs, mean);
}

}  // namespace

SymEigen symmetricEigen(const SymMat3& m) {
    const double largest = largestEntry(m);
    if (largest == 0) return {};
    if (largest > kSmallestUnscaled && largest < kLargestUnscaled) return solveModerate(m);

    int exponent = 0;
    std::frexp(largest, &exponent);
    SymEigen result = solveModerate(scaledByPowerOfTwo(m, -exponent));
    for (double& value : result.values) value = std::ldexp(value, exponent);
    return result;
}

Vec3 symmetricEigenvalues(const SymMat3& m) { return symmetricEigen(m).values; }

}  // namespace sunder
