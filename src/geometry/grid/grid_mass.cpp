#include "geometry/grid/grid_mass.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/assert.h"
#include "base/parallel.h"

namespace sunder {

namespace {

/// Volume integrals of 1, x and x x^T, in cells, about a fixed reference point.
struct Integrals {
    double volume = 0;
    Vec3 first = Vec3::Zero();
    Mat3 second = Mat3::Zero();

    Integrals& operator+=(const Integrals& other) {
        volume += other.volume;
        first += other.first;
        second += other.second;
        return *this;
    }
    void addTet(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, double sign = 1) {
        const double v = sign * std::abs((b - a).dot((c - a).cross(d - a))) / 6;
        const Vec3 s = a + b + c + d;
        volume += v;
        first += (v / 4) * s;
        second += (v / 20) *
                  (a * a.transpose() + b * b.transpose() + c * c.transpose() + d * d.transpose() + s * s.transpose());
    }
    /// A unit cell with its low corner at p.
    void addCell(const Vec3& p) {
        const Vec3 c = p.array() + 0.5;
        volume += 1;
        first += c;
        second += c * c.transpose() + Mat3::Identity() / 12;
    }
};

struct Corner {
    Vec3 place;  // cells
    double value;
};

/// Where the value is 0 between a corner inside and one outside.
Vec3 crossing(const Corner& inside, const Corner& outside) {
    const double t = inside.value / (inside.value - outside.value);
    return inside.place + t * (outside.place - inside.place);
}

/// The part of a tetrahedron where the linear interpolant is negative.
void addCutTet(Integrals& sum, std::array<Corner, 4> p) {
    // negative corners first, otherwise in the given order
    std::stable_partition(p.begin(), p.end(), [](const Corner& c) { return c.value < 0; });
    const auto inside = std::count_if(p.begin(), p.end(), [](const Corner& c) { return c.value < 0; });
    switch (inside) {
        case 1:
            sum.addTet(p[0].place, crossing(p[0], p[1]), crossing(p[0], p[2]), crossing(p[0], p[3]));
            break;
        case 2: {  // a prism: the triangle at corner 0, the triangle at corner 1
            const Vec3 a2 = crossing(p[0], p[2]), a3 = crossing(p[0], p[3]);
            const Vec3 b2 = crossing(p[1], p[2]), b3 = crossing(p[1], p[3]);
            sum.addTet(p[0].place, a2, a3, p[1].place);
            sum.addTet(a2, a3, p[1].place, b2);
            sum.addTet(a3, p[1].place, b2, b3);
            break;
        }
        case 3:
            // the whole less the corner that is outside
            sum.addTet(p[0].place, p[1].place, p[2].place, p[3].place);
            sum.addTet(p[3].place, crossing(p[0], p[3]), crossing(p[1], p[3]), crossing(p[2], p[3]), -1);
            break;
        case 4:
            sum.addTet(p[0].place, p[1].place, p[2].place, p[3].place);
            break;
        default:
            break;
    }
}

/// The six tetrahedra around the diagonal 0-7 of a cell; corner bits are x, y, z.
constexpr std::array<std::array<int, 4>, 6> kTets{
    {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}}};

/// Second derivatives of the values around a cell, in cells, from the 4x4x4 points about it where the lattice has them.
/// Zero where a neighbour lies across a crease or the medial axis: bends sharper than any surface the lattice can hold.
class CellCurvature {
public:
    CellCurvature(const DistanceGrid& grid, const Int3& cell, double perCell) {
        const Int3 n = grid.frame().points;
        const auto value = [&](int i, int j, int k) {
            return grid.at(std::clamp(cell[0] + i, 0, n[0] - 1), std::clamp(cell[1] + j, 0, n[1] - 1),
                           std::clamp(cell[2] + k, 0, n[2] - 1)) *
                   perCell;
        };
        // at the border there are no values beyond to take differences with
        for (int axis = 0; axis < 3; ++axis) {
            if (cell[axis] < 1 || cell[axis] + 2 >= n[axis]) return;
        }
        // along an axis: half the difference of the slopes one cell before and one after, mean of the four cell edges
        Mat3 hessian = Mat3::Zero();
        for (int u = 0; u < 2; ++u) {
            for (int v = 0; v < 2; ++v) {
                hessian(0, 0) += (value(-1, u, v) - value(0, u, v) - value(1, u, v) + value(2, u, v)) / 8;
                hessian(1, 1) += (value(u, -1, v) - value(u, 0, v) - value(u, 1, v) + value(u, 2, v)) / 8;
                hessian(2, 2) += (value(u, v, -1) - value(u, v, 0) - value(u, v, 1) + value(u, v, 2)) / 8;
            }
        }
        // across two axes: the difference of opposite edges' slopes
        for (int u = 0; u < 2; ++u) {
            hessian(0, 1) += (value(1, 1, u) - value(1, 0, u) - value(0, 1, u) + value(0, 0, u)) / 2;
            hessian(1, 2) += (value(u, 1, 1) - value(u, 1, 0) - value(u, 0, 1) + value(u, 0, 0)) / 2;
            hessian(2, 0) += (value(1, u, 1) - value(1, u, 0) - value(0, u, 1) + value(0, u, 0)) / 2;
        }
        hessian(1, 0) = hessian(0, 1);
        hessian(2, 1) = hessian(1, 2);
        hessian(0, 2) = hessian(2, 0);
        // sharper than that it is a crease, not a curvature
        constexpr double kSharpest = 0.5;  // 1/cells: a radius of two cells
        if (hessian.cwiseAbs().maxCoeff() <= kSharpest) hessian_ = hessian;
    }

    /// How much the linear interpolant over a tetrahedron exceeds a function with this Hessian, on average:
    ///     1/40 sum over edges e of e.H.e
    double meanExcess(const std::array<Corner, 4>& tet) const {
        double sum = 0;
        for (size_t a = 0; a < 4; ++a) {
            for (size_t b = a + 1; b < 4; ++b) {
                const Vec3 e = tet[b].place - tet[a].place;
                sum += e.dot(hessian_ * e);
            }
        }
        return sum / 40;
    }

private:
    Mat3 hessian_ = Mat3::Zero();
};

void addCutCell(Integrals& sum, const DistanceGrid& grid, const Int3& cell, const Vec3& place, double perCell) {
    std::array<Corner, 8> corner;
    for (int n = 0; n < 8; ++n) {
        const Int3 bit{n & 1, (n >> 1) & 1, n >> 2};
        corner[static_cast<size_t>(n)] = {place + Vec3(bit[0], bit[1], bit[2]),
                                          grid.at(cell[0] + bit[0], cell[1] + bit[1], cell[2] + bit[2]) * perCell};
    }
    const CellCurvature curvature(grid, cell, perCell);
    for (const auto& tet : kTets) {
        std::array<Corner, 4> p;
        for (size_t v = 0; v < 4; ++v) p[v] = corner[static_cast<size_t>(tet[v])];
        const double excess = curvature.meanExcess(p);
        for (Corner& c : p) c.value -= excess;
        addCutTet(sum, p);
    }
}

}  // namespace

/// Cells away from the surface count whole. A cut cell is six tetrahedra, each cut exactly where its linear interpolant
/// is zero; the interpolant is first lowered by its mean excess over the curved field, which takes the error of the
/// volume of a smooth body from second to higher order in the cell size.
MassProperties massProperties(const DistanceGrid& grid) {
    const GridFrame& frame = grid.frame();
    ASSERT(frame.cellSize > 0 || frame.pointCount() == 0);
    const Int3 n = frame.points;
    if (n[0] < 2 || n[1] < 2 || n[2] < 2) return {0, frame.origin, {}};
    const double perCell = 1 / frame.cellSize;
    const Vec3 reference = 0.5 * Vec3(n[0] - 1, n[1] - 1, n[2] - 1);  // cells

    const Integrals sum = parallelReduce(
        static_cast<size_t>(n[2] - 1), 1, Integrals{},
        [&](const BlockRange& block) {
            Integrals part;
            const int k = static_cast<int>(block.begin);
            for (int j = 0; j + 1 < n[1]; ++j) {
                for (int i = 0; i + 1 < n[0]; ++i) {
                    // cells whose corners are clear of the surface need no cutting
                    float low = grid.at(i, j, k), high = low;
                    for (int c = 1; c < 8; ++c) {
                        const float v = grid.at(i + (c & 1), j + ((c >> 1) & 1), k + (c >> 2));
                        low = std::min(low, v);
                        high = std::max(high, v);
                    }
                    // a cell next to the surface may be cut once the excess is taken off
                    const double margin = 0.5 * frame.cellSize;
                    const Vec3 place = Vec3(i, j, k) - reference;
                    if (high < -margin) {
                        part.addCell(place);
                    } else if (low < margin) {
                        addCutCell(part, grid, {i, j, k}, place, perCell);
                    }
                }
            }
            return part;
        },
        [](Integrals a, const Integrals& b) { return a += b; });

    // from cells back to metres: about the centre of mass
    if (!(sum.volume > 0)) return {0, frame.bounds().centre(), {}};
    const double h = frame.cellSize;
    const Vec3 offset = sum.first / sum.volume;
    const Mat3 central = sum.second - sum.volume * offset * offset.transpose();
    MassProperties result;
    result.volume = sum.volume * h * h * h;
    result.centre = frame.origin + h * (reference + offset);
    result.inertia = SymMat3::from((h * h * h * h * h) * (central.trace() * Mat3::Identity() - central));
    return result;
}

}  // namespace sunder
