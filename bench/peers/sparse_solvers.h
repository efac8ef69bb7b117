#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace sunder::bench {

/// The lower triangle of a symmetric positive definite matrix by columns, rows ascending, and a right-hand side.
struct PeerSystem {
    std::vector<int> first, row;  // entries of column c are [first[c], first[c + 1])
    std::vector<double> value, right;
};

struct PeerTimes {
    double factor = 0;  // s, wall: order, analyse, factor
    double solve = 0;   // s, wall: one more right-hand side
    std::vector<double> answer;
};

/// Eigen's SimplicialLDLT with its approximate minimum degree.
PeerTimes eigenDirect(const PeerSystem& system);

/// CHOLMOD's supernodal Cholesky, ordered by METIS or AMD, whichever it finds better; nothing when it is not installed.
std::optional<PeerTimes> cholmodDirect(const PeerSystem& system);

struct PeerIterations {
    double seconds = 0;  // wall, of the iterations alone
    int iterations = 0;
};
/// Eigen's conjugate gradients with its incomplete Cholesky.
PeerIterations eigenIterative(const PeerSystem& system, double tolerance);

}  // namespace sunder::bench
