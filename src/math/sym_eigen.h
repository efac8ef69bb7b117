#pragma once

#include "math/sym_mat3.h"

namespace sunder {

/// A tensor by its axes: m = vectors * diagonal(values) * vectors^T.
struct SymEigen {
    Vec3 values = Vec3::Zero();       // ascending
    Mat3 vectors = Mat3::Identity();  // columns, orthonormal, right-handed; column i belongs to values[i]
};

/// Eigenvalues and vectors of a symmetric tensor. Exact to a few ulps of the largest entry for any input: zero,
/// repeated or nearly repeated values, entries of 1e-300 or 1e300.
SymEigen symmetricEigen(const SymMat3& m);

/// Eigenvalues only, ascending.
Vec3 symmetricEigenvalues(const SymMat3& m);

}  // namespace sunder
