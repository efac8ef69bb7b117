#include "math/sym_eigen.h"

#include <Eigen/Eigenvalues>

namespace sunder {

SymEigen symmetricEigen(const SymMat3& m) {
    const Eigen::SelfAdjointEigenSolver<Mat3> solver(m.matrix());
    SymEigen result{solver.eigenvalues(), solver.eigenvectors()};
    if (result.vectors.determinant() < 0) result.vectors.col(2) *= -1;
    return result;
}

Vec3 symmetricEigenvalues(const SymMat3& m) { return symmetricEigen(m).values; }

}  // namespace sunder
