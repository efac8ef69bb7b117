#pragma once

#include "math/vec.h"

namespace sunder {

/// A symmetric 3x3 tensor: stress, strain, inertia.
struct SymMat3 {
    double xx = 0, yy = 0, zz = 0;  // on the diagonal
    double xy = 0, yz = 0, zx = 0;  // off the diagonal, on either side

    static SymMat3 identity() { return {1, 1, 1, 0, 0, 0}; }  // ones on the diagonal
    /// The symmetric part of a matrix.
    static SymMat3 from(const Mat3& m) {
        return {
            m(0, 0), m(1, 1), m(2, 2), 0.5 * (m(0, 1) + m(1, 0)), 0.5 * (m(1, 2) + m(2, 1)), 0.5 * (m(2, 0) + m(0, 2))};
    }
    /// The same as nine numbers, for Eigen.
    Mat3 matrix() const {
        Mat3 m;
        m << xx, xy, zx, xy, yy, yz, zx, yz, zz;
        return m;
    }
    double trace() const { return xx + yy + zz; }  // the same in every frame

    /// Where the tensor is a stress: the traction on a plane with normal v, Pa.
    Vec3 operator*(const Vec3& v) const {
        return {xx * v.x() + xy * v.y() + zx * v.z(), xy * v.x() + yy * v.y() + yz * v.z(),
                zx * v.x() + yz * v.y() + zz * v.z()};
    }
    friend SymMat3 operator+(const SymMat3& a, const SymMat3& b) {
        return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.yz + b.yz, a.zx + b.zx};
    }
    friend SymMat3 operator-(const SymMat3& a, const SymMat3& b) {
        return {a.xx - b.xx, a.yy - b.yy, a.zz - b.zz, a.xy - b.xy, a.yz - b.yz, a.zx - b.zx};
    }
    friend SymMat3 operator*(double s, const SymMat3& a) {
        return {s * a.xx, s * a.yy, s * a.zz, s * a.xy, s * a.yz, s * a.zx};
    }
    friend bool operator==(const SymMat3&, const SymMat3&) = default;
};

}  // namespace sunder
