#include "geometry/tet/detail/stuffing_stencils.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/tet/stuffing.h"
#include "geometry/tet/tet_mesh.h"

namespace sunder::detail {

namespace {

/// One way the corners of a lattice tet may have been moved and its edges cut.
struct Situation {
    std::array<int, 4> warpDirection{};          // of corners on the surface
    std::array<double, 4> warp{};                // 0..1 of what is allowed
    std::array<std::array<double, 4>, 4> cut{};  // 0..1 of what is allowed
};

class StencilCase {
public:
    StencilCase(size_t shape, const std::array<Side, 4>& sides)
        : shape_(kTetShapes[shape]),
          sides_(sides),
          stencil_(stencilTable()[shape][caseOf(sides[0], sides[1], sides[2], sides[3])]) {}

    bool empty() const { return stencil_.count == 0; }
    size_t cornersOnSurface() const { return static_cast<size_t>(std::count(sides_.begin(), sides_.end(), Side::On)); }

    /// There is one cut on an edge: it cannot pull both ends onto itself.
    bool possible(const Situation& s) const {
        for (size_t i = 0; i < 4; ++i) {
            for (size_t j = 0; j < i; ++j) {
                const bool facing =
                    s.warpDirection[i] == shape_.direction[i][j] && s.warpDirection[j] == shape_.direction[j][i];
                if (facing && sides_[i] == Side::On && sides_[j] == Side::On) return false;
            }
        }
        return true;
    }

    TetMesh tets(const Situation& s) const {
        const auto vec = [](const Int3& halfCells) {
            return Vec3(0.5 * Vec3(halfCells[0], halfCells[1], halfCells[2]));
        };
        TetMesh mesh;
        for (const StencilTet& stencilTet : stencil_.list()) {
            Tet tet;
            for (size_t c = 0; c < 4; ++c) {
                const auto [from, to] = stencilTet[c];
                Vec3 x = vec(shape_.corners[from]);
                if (from != to) {
                    const double alpha = alphaOf(shape_.direction[from][to]);
                    x += (alpha + (1 - 2 * alpha) * s.cut[from][to]) * (vec(shape_.corners[to]) - x);
                } else if (sides_[from] == Side::On) {
                    const int direction = s.warpDirection[from];
                    x += s.warp[from] * alphaOf(direction) * vec(stepOf(direction));
                }
                tet[c] = mesh.nodes.push_back(x);
            }
            mesh.tets.push_back(tet);
        }
        return mesh;
    }

    /// A corner of the t-th of those tets is a cut, or a lattice point moved onto one.
    bool onSurface(size_t t, size_t corner) const {
        const auto [from, to] = stencil_.tets[t][corner];
        return from != to || sides_[from] == Side::On;
    }

private:
    const TetShape& shape_;
    std::array<Side, 4> sides_;
    const Stencil& stencil_;
};

template <class Body>
void forEachCase(size_t shape, Body&& body) {
    for (size_t code = 0; code < 81; ++code) {
        std::array<Side, 4> sides;
        size_t rest = code;
        for (Side& side : sides) {
            side = static_cast<Side>(rest % 3);
            rest /= 3;
        }
        const StencilCase stencilCase(shape, sides);
        if (!stencilCase.empty()) body(stencilCase);
    }
}

double pickEndOften(Random& random) {
    return random.below(3) ? static_cast<double>(random.below(2)) : random.uniform();
}

Situation anySituation(Random& random) {
    Situation s;
    for (size_t i = 0; i < 4; ++i) {
        s.warpDirection[i] = static_cast<int>(random.below(kDirections));
        s.warp[i] = random.below(4) ? 1 : random.uniform();
        for (double& cut : s.cut[i]) cut = pickEndOften(random);
    }
    return s;
}

Situation changed(Situation s, Random& random) {
    const size_t i = random.below(4);
    switch (random.below(3)) {
        case 0:
            s.warp[i] = random.below(2) ? 1 : random.uniform();
            break;
        case 1:
            s.cut[i][random.below(4)] = pickEndOften(random);
            break;
        default:
            s.warpDirection[i] = static_cast<int>(random.below(kDirections));
    }
    return s;
}

/// The worst value found by a random search with descent; `badness` is larger when worse.
template <class Badness>
double searchWorst(const StencilCase& stencilCase, Random& random, Badness&& badness) {
    constexpr std::array<int, 4> kStarts{60, 150, 800, 4000};  // by how many corners can move
    double worst = -1e9;
    for (int start = 0; start < kStarts[stencilCase.cornersOnSurface()]; ++start) {
        Situation s = anySituation(random);
        if (!stencilCase.possible(s)) continue;
        double now = badness(stencilCase.tets(s));
        for (int step = 0; step < 40 && now > worst - 5; ++step) {
            const Situation next = changed(s, random);
            if (!stencilCase.possible(next)) continue;
            const double then = badness(stencilCase.tets(next));
            if (then > now) {
                now = then;
                s = next;
            }
        }
        worst = std::max(worst, now);
    }
    return worst;
}

/// How far a point of the triangle can be from the corner nearest to it.
double farthestFromCorners(const Vec3& a, const Vec3& b, const Vec3& c) {
    std::array<double, 3> side{(b - c).norm(), (c - a).norm(), (a - b).norm()};
    std::sort(side.begin(), side.end());
    const auto [p, q, longest] = side;
    // no obtuse angle: the middle of the circle through the corners
    if (p * p + q * q >= longest * longest) return p * q * longest / (2 * (b - a).cross(c - a).norm());
    // else on the longest side, as far from its end as from the obtuse corner
    const auto onLongest = [&](double s, double t) { return s * s * longest / (longest * longest + s * s - t * t); };
    return std::max(onLongest(p, q), onLongest(q, p));
}

/// Over the triangles of the stencil that are on the surface, cubes.
double farthestFromSurface(const StencilCase& stencilCase, const TetMesh& mesh) {
    double worst = 0;
    for (size_t t = 0; t < mesh.tetCount(); ++t) {
        const auto x = mesh.corners(static_cast<TetIndex>(t));
        for (const auto& [i, j, k] : kTetFaces) {
            if (!stencilCase.onSurface(t, i) || !stencilCase.onSurface(t, j) || !stencilCase.onSurface(t, k)) continue;
            worst = std::max(worst, farthestFromCorners(x[i], x[j], x[k]));
        }
    }
    return worst;
}

}  // namespace

TEST(StuffingStencils, LatticeTetsFillTheCubes) {
    double sum = 0;
    for (size_t shape = 0; shape < kTetShapes.size(); ++shape) {
        const StencilCase whole(shape, {Side::Inside, Side::Inside, Side::Inside, Side::Inside});
        const TetMesh mesh = whole.tets({});
        ASSERT_EQ(mesh.tetCount(), 1u);
        EXPECT_NEAR(volume(mesh), 1.0 / 12, 1e-15);
        EXPECT_NEAR(qualityOf(mesh).minDihedral, 60, 1e-9);
        EXPECT_NEAR(qualityOf(mesh).maxDihedral, 90, 1e-9);
        sum += volume(mesh);
    }
    EXPECT_NEAR(sum, 1, 1e-14);
}

TEST(StuffingStencils, OppositeDirectionsUndoEachOther) {
    for (int direction = 0; direction < kDirections; ++direction) {
        const Int3 there = stepOf(direction), back = stepOf(opposite(direction));
        for (size_t a = 0; a < 3; ++a) EXPECT_EQ(there[a], -back[a]);
        EXPECT_EQ(directionOf(there), direction);
    }
}

// Inside and outside parts of an unwarped tet must add up: exact volumes of the two stencils with the sides exchanged.
TEST(StuffingStencils, InsideAndOutsideMakeTheWholeTet) {
    Random random(3);
    for (size_t shape = 0; shape < kTetShapes.size(); ++shape) {
        for (unsigned code = 1; code < 15; ++code) {
            std::array<Side, 4> sides, exchanged;
            for (size_t i = 0; i < 4; ++i) {
                sides[i] = code >> i & 1 ? Side::Inside : Side::Outside;
                exchanged[i] = code >> i & 1 ? Side::Outside : Side::Inside;
            }
            Situation s = anySituation(random), mirrored = s;
            for (size_t i = 0; i < 4; ++i) {
                for (size_t j = 0; j < 4; ++j) mirrored.cut[j][i] = 1 - s.cut[i][j];
            }
            const double inside = volume(StencilCase(shape, sides).tets(s));
            const double outside = volume(StencilCase(shape, exchanged).tets(mirrored));
            // the surface between is two triangles either way, and may differ by the tet between its two foldings
            if (std::popcount(code) == 2) {
                EXPECT_NEAR(inside + outside, 1.0 / 12, 0.02);
            } else {
                EXPECT_NEAR(inside + outside, 1.0 / 12, 1e-14);
            }
        }
    }
}

// The promise of the method: whatever the surface does, no tet gets worse than this.
TEST(StuffingStencils, WorstAnglesStayWithinTheBounds) {
    Random random(1);
    double smallest = 180, largest = 0, smallestVolume = 1;
    for (const size_t shape : {size_t{0}, size_t{5}}) {
        forEachCase(shape, [&](const StencilCase& stencilCase) {
            smallest = std::min(smallest, -searchWorst(stencilCase, random, [&](const TetMesh& mesh) {
                                    const TetQuality quality = qualityOf(mesh);
                                    smallestVolume = std::min(smallestVolume, quality.minVolume);
                                    return -quality.minDihedral;
                                }));
            largest = std::max(largest, searchWorst(stencilCase, random,
                                                    [](const TetMesh& mesh) { return qualityOf(mesh).maxDihedral; }));
        });
    }
    RecordProperty("smallest", std::to_string(smallest));
    RecordProperty("largest", std::to_string(largest));
    std::printf("worst angles found: %.3f to %.3f degrees\n", smallest, largest);
    EXPECT_GT(smallestVolume, 0);
    EXPECT_GT(smallest, 10.5);
    EXPECT_LT(largest, 163.8);
}

// What kCubePerCell rests on: the corners of a boundary triangle are on the surface, so this is how far it can leave
// it.
TEST(StuffingStencils, BoundaryTrianglesStayNearTheirCorners) {
    EXPECT_DOUBLE_EQ(farthestFromCorners(Vec3(0, 0, 0), Vec3(3, 0, 0), Vec3(0, 4, 0)), 2.5);
    // by hand: the side from -2 to 2 is met by the bisector from (0, 1) at 0.75
    EXPECT_DOUBLE_EQ(farthestFromCorners(Vec3(-2, 0, 0), Vec3(2, 0, 0), Vec3(0, 1, 0)), 1.25);
    Random random(2);
    double worst = 0;
    for (const size_t shape : {size_t{0}, size_t{5}}) {
        forEachCase(shape, [&](const StencilCase& stencilCase) {
            worst = std::max(worst, searchWorst(stencilCase, random, [&](const TetMesh& mesh) {
                                 return farthestFromSurface(stencilCase, mesh);
                             }));
        });
    }
    std::printf("farthest from a corner: %.4f cubes\n", worst);
    EXPECT_LT(worst, 0.838);
    EXPECT_GT(worst, 0.8);  // the search looks where it matters
    EXPECT_LT(0.838 * kCubePerCell, 0.5);
}

}  // namespace sunder::detail
