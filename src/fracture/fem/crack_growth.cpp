#include "fracture/fem/crack_growth.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <queue>

#include <Eigen/Geometry>

#include "base/assert.h"
#include "math/sym_eigen.h"

namespace sunder::fracture {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr double kMostConcentration = 2.5;  // of stress at a front that runs; longer cracks fork
constexpr double kLeastCosine = 0.7;        // of the angle between a surface's normals in neighbouring tets
constexpr double kLeastDistance = 0.08;     // of a tet's size: nodes are kept so far from the surface

Vec3 largestPrincipal(const SymMat3& stress) { return symmetricEigen(stress).vectors.col(2); }

double sizeOf(const TetMesh& mesh, TetIndex t) { return std::cbrt(6 * volume(mesh, t)); }

/// Away from the surface, so that no cut is a sliver.
double kept(double side, double size) {
    const double least = kLeastDistance * size;
    return std::abs(side) >= least ? side : (side < 0 ? -least : least);
}

/// A tet that the crack could go to, through a face that it crosses.
struct Candidate {
    double tension = 0;
    TetIndex tet{}, from{};
    bool operator<(const Candidate& other) const {  // the queue's top is the largest
        if (tension != other.tension) return tension < other.tension;
        return tet > other.tet || (tet == other.tet && from > other.from);
    }
};

class Growth {
public:
    Growth(const CrackedTets& tets, const CrackDrive& drive, const CrackGrowthOptions& options, CrackSurface surface)
        : tets_(tets), drive_(drive), options_(options), surface_(std::move(surface)) {}

    void begin(TetIndex start) {
        const auto corner = tets_.mesh.corners(start);
        const Vec3 middle = middleOf(tets_.mesh, start);
        const Vec3 normal = wantedNormal(start);
        for (size_t i = 0; i < 4; ++i) {
            surface_.side[tets_.mesh.tets[start][i]] = normal.dot(corner[i] - middle);
        }
        take(start);
        run();
    }

    /// From the tets it already goes through.
    void goOn(const IndexedVector<TetIndex, uint8_t>& through) {
        for (const TetIndex t : through.indices()) {
            if (through[t]) offerNeighbours(t, &through);
        }
        run();
    }

    /// Nodes are moved away from the surface only now: while it grows, that would bend it more and more.
    CrackSurface result() && {
        for (const TetIndex t : tets_.mesh.tets.indices()) {
            if (!surface_.through[t]) continue;
            const double size = sizeOf(tets_.mesh, t);
            for (const NodeIndex n : tets_.mesh.tets[t]) surface_.side[n] = kept(surface_.side[n], size);
        }
        return std::move(surface_);
    }

private:
    Vec4 valuesOf(TetIndex t) const {
        Vec4 values;
        for (size_t i = 0; i < 4; ++i) values[i] = surface_.side[tets_.mesh.tets[t][i]];
        return values;
    }

    /// Where the surface runs.
    Vec3 normalIn(TetIndex t) const { return gradientOf(tets_.mesh, t, valuesOf(t)).normalized(); }

    void take(TetIndex t) {
        surface_.through[t] = 1;
        ++surface_.tets;
        offerNeighbours(t, nullptr);
    }

    void offerNeighbours(TetIndex t, const IndexedVector<TetIndex, uint8_t>* alsoThrough) {
        forJointsOf(tets_, t, [&](const auto& corners, TetIndex other, const auto&) {
            if (surface_.through[other] || (alsoThrough && (*alsoThrough)[other])) return;
            double least = std::numeric_limits<double>::infinity(), most = -least;
            for (const uint8_t c : corners) {
                const double side = surface_.side[tets_.mesh.tets[t][c]];
                least = std::min(least, side);
                most = std::max(most, side);
            }
            if (least < 0 && most >= 0) queue_.push({largestTension(drive_, other), other, t});
        });
    }

    void run() {
        while (!queue_.empty() && surface_.tets < options_.mostTets) {
            const Candidate next = queue_.top();
            queue_.pop();
            if (!surface_.through[next.tet]) visit(next);
        }
    }

    void visit(const Candidate& next) {
        Vec4 values = valuesOf(next.tet);
        size_t open = 4;
        for (size_t i = 0; i < 4; ++i) {
            if (!std::isnan(values[i])) continue;
            if (open != 4) return;  // not next to a whole face: comes again from another side
            open = i;
        }
        if (open != 4) values[open] = continued(next, values, open, directionIn(next));
        const Vec3 normal = gradientOf(tets_.mesh, next.tet, values).normalized();
        if (normal.dot(normalIn(next.from)) < kLeastCosine) return;  // it would fold
        if (tensionAcross(drive_, next.tet, normal) * concentration() < drive_.extension) {
            if (!drive_.endsSoon || !breaksThrough(next)) return;
            if (open != 4) values[open] = continued(next, values, open, normalIn(next.from));
        }
        if (open != 4) surface_.side[tets_.mesh.tets[next.tet][open]] = values[open];
        take(next.tet);
    }

    /// The value at the fourth corner that turns the surface towards the stress, as far as the three others let it:
    /// these fix how it crosses their face; how steeply it leaves the face is open.
    double continued(const Candidate& next, const Vec4& values, size_t open, const Vec3& direction) const {
        const auto corner = tets_.mesh.corners(next.tet);
        const auto& face = kTetFaces[open];
        const Vec3 &a = corner[face[0]], &b = corner[face[1]], &c = corner[face[2]];
        const Vec3 across = (b - a).cross(c - a).normalized();
        Mat3 edges;
        edges << (b - a).transpose(), (c - a).transpose(), across.transpose();
        const Vec3 along =
            edges.inverse() * Vec3(values[face[1]] - values[face[0]], values[face[2]] - values[face[0]], 0);
        const double rise = direction.dot(across);  // `side` grows by 1 per metre
        const Vec3 reach = corner[open] - a;
        return values[face[0]] + along.dot(reach) + rise * across.dot(reach);
    }

    /// How much more there is at the front than the stress tells, which was solved for before the crack came so far.
    ///
    ///     sigma at the distance r of a crack of length a = sigma * sqrt(a / (2 r))        [irwin1957]
    ///
    /// a is taken from the area since then, r as half the size of a tet: at tets, not at points, is stress known.
    double concentration() const {
        const double tetsAcross = std::sqrt(kAreaOfCut * static_cast<double>(surface_.tets));
        return std::clamp(std::sqrt(tetsAcross), 1.0, kMostConcentration);
    }

    /// Is the front so near the end of the material, the way it goes, that the rest breaks with it?
    bool breaksThrough(const Candidate& next) const {
        const Vec3 normal = normalIn(next.from), place = middleOf(tets_.mesh, next.tet);
        Vec3 along = place - middleOf(tets_.mesh, next.from);
        along -= normal.dot(along) * normal;
        const double length = along.norm();
        return length > 0 && drive_.endsSoon(place, along / length);
    }

    /// Across the largest tension, turned towards the plane where the material would rather part.
    Vec3 wantedNormal(TetIndex t) const {
        const Vec3 tension = largestPrincipal((*drive_.stress)[t]);
        if (drive_.weakPlane == nullptr) return tension;
        const Vec3& weak = (*drive_.weakPlane)[t];
        const double counts = weak.norm();
        if (counts == 0) return tension;
        return ((1 - counts) * tension + (weak.dot(tension) < 0 ? -weak : weak)).normalized();
    }

    /// The surface's normal in a tet: between the one before and the largest tension there.
    Vec3 directionIn(const Candidate& next) const {
        const Vec3 before = normalIn(next.from);
        Vec3 wanted = wantedNormal(next.tet);
        if (wanted.dot(before) < 0) wanted = -wanted;
        // where two principal stresses are alike, their directions say nothing
        const Vec3 principal = symmetricEigenvalues((*drive_.stress)[next.tet]);
        const double distinct = principal[2] > 0 ? std::clamp(1 - principal[1] / principal[2], 0.0, 1.0) : 0;
        const double follows = (1 - options_.smoothing) * distinct;
        const Vec3 between = ((1 - follows) * before + follows * wanted).normalized();
        const double most = options_.largestTurn * std::numbers::pi / 180;
        const double turn = std::acos(std::clamp(between.dot(before), -1.0, 1.0));
        if (turn <= most) return between;
        return Quat::Identity().slerp(most / turn, Quat::FromTwoVectors(before, between)) * before;
    }

    const CrackedTets& tets_;
    const CrackDrive& drive_;
    const CrackGrowthOptions& options_;
    CrackSurface surface_;
    std::priority_queue<Candidate> queue_;
};

}  // namespace

double tensionAcross(const CrackDrive& drive, TetIndex tet, const Vec3& normal) {
    ASSERT(drive.stress != nullptr && drive.strength != nullptr);
    return normal.dot((*drive.stress)[tet] * normal) / (*drive.strength)[tet];
}

double largestTension(const CrackDrive& drive, TetIndex tet) {
    return symmetricEigenvalues((*drive.stress)[tet])[2] / (*drive.strength)[tet];
}

CrackSurface beginCrack(const CrackedTets& tets, const CrackDrive& drive, TetIndex start,
                        const CrackGrowthOptions& options) {
    ASSERT(raw(start) < tets.mesh.tetCount());
    CrackSurface surface;
    surface.side.assign(tets.mesh.nodeCount(), kUnknown);
    surface.through.assign(tets.mesh.tetCount(), 0);
    Growth growth(tets, drive, options, std::move(surface));
    growth.begin(start);
    return std::move(growth).result();
}

CrackSurface extendCrack(const CrackedTets& tets, const CrackDrive& drive, const CrackSurface& before,
                         const CrackGrowthOptions& options) {
    ASSERT(before.side.size() == tets.mesh.nodeCount() && before.through.size() == tets.mesh.tetCount());
    CrackSurface surface;
    surface.side = before.side;
    surface.through.assign(tets.mesh.tetCount(), 0);
    Growth growth(tets, drive, options, std::move(surface));
    growth.goOn(before.through);
    return std::move(growth).result();
}

void carryOver(CrackSurface& surface, const CrackedFurther& further) {
    sunder::carryOver(surface.side, further.nodes);
    sunder::carryOver(surface.through, further.tets);
}

}  // namespace sunder::fracture
