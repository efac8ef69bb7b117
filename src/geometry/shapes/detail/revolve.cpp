#include "geometry/shapes/detail/revolve.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/assert.h"
#include "geometry/shapes/detail/angles.h"
#include "geometry/shapes/detail/ring_mesh.h"

namespace sunder::shapes {

namespace {

/// How often the full count is halved on each ring.
class Halvings {
public:
    Halvings(const std::vector<ProfileSample>& samples, uint32_t fullCount, double largestRadius)
        : samples_(samples), fullCount_(fullCount), halvings_(samples.size()) {
        int most = 0;
        while ((fullCount >> most) >= 10 && (fullCount >> most) % 2 == 0) ++most;
        for (size_t i = 0; i < samples.size(); ++i) {
            // as often as leaves the segments at least 0.7 of the longest
            while (halvings_[i] < most && samples[i].point.x() * std::ldexp(1.0, halvings_[i]) < 0.71 * largestRadius) {
                ++halvings_[i];
            }
        }
        bool changed = true;
        while (changed) {
            changed = evenOutNeighbours();
            changed = evenOutWalls() || changed;
        }
    }

    uint32_t countAt(size_t i) const { return samples_[i].point.x() > 0 ? fullCount_ >> halvings_[i] : 1; }

private:
    /// Sewing takes one halving per band.
    bool evenOutNeighbours() {
        bool changed = false;
        for (size_t i = 0; i + 1 < samples_.size(); ++i) {
            if (samples_[i].point.x() == 0 || samples_[i + 1].point.x() == 0) continue;
            int &a = halvings_[i], &b = halvings_[i + 1];
            if (a > b + 1) a = b + 1, changed = true;
            if (b > a + 1) b = a + 1, changed = true;
        }
        return changed;
    }

    bool evenOutWalls() {
        bool changed = false;
        for (size_t i = 0; i < samples_.size(); ++i) {
            for (size_t j = i + 1; j < samples_.size(); ++j) {
                if (halvings_[i] == halvings_[j] || !tooClose(i, j)) continue;
                halvings_[i] = halvings_[j] = std::min(halvings_[i], halvings_[j]);
                changed = true;
            }
        }
        return changed;
    }

    /// Across a wall, not along it, and nearer than the chords could stray.
    bool tooClose(size_t i, size_t j) const {
        const double apart = (samples_[i].point - samples_[j].point).norm();
        const double along = samples_[j].along - samples_[i].along;
        return apart < 0.6 * along && apart < 4 * (stray(i) + stray(j));
    }

    /// How far the middle of a chord lies from the surface, with some reserve where the surface is level.
    double stray(size_t i) const {
        const double count = fullCount_ >> halvings_[i];
        const double sagitta = samples_[i].point.x() * std::numbers::pi * std::numbers::pi / (2 * count * count);
        const double tilt = std::max(std::abs(samples_[i].normalBefore.x()), std::abs(samples_[i].normalAfter.x()));
        return sagitta * std::min(1.0, tilt + 0.3);
    }

    const std::vector<ProfileSample>& samples_;
    uint32_t fullCount_;
    std::vector<int> halvings_;
};

ProfileSpacing spacingFor(const Profile& profile, uint32_t count) {
    uint32_t fewest = count;
    while (fewest >= 10 && fewest % 2 == 0) fewest /= 2;
    // long thin things get longer segments, so that the number of triangles stays bounded
    const double longest =
        std::max(2 * std::numbers::pi * profile.largestRadius() / count, profile.length() / (5 * count));
    return {.lengthAt =
                [=](double radius) {
                    // stems: not much longer than the segments around them
                    return std::clamp(8 * std::numbers::pi * radius / fewest, longest / 4, longest);
                },
            .turn = std::clamp(6 * std::numbers::pi / count, 0.2, 0.8)};
}

/// Bands of a level disc around the axis, which get a flat picture instead of a polar one.
std::vector<bool> discBands(const std::vector<ProfileSample>& samples) {
    std::vector<bool> disc(samples.size(), false);
    const auto level = [&](size_t band) { return samples[band].point.y() == samples[band + 1].point.y(); };
    const size_t bands = samples.size() - 1;
    if (samples.front().point.x() == 0) {
        for (size_t band = 0; band < bands && level(band); ++band) disc[band] = true;
    }
    if (samples.back().point.x() == 0) {
        for (size_t band = bands; band-- > 0 && level(band);) disc[band] = true;
    }
    return disc;
}

}  // namespace

TriMesh revolve(const Profile& profile, int resolution, RingCounts counts) {
    // the outline as it is sampled
    const uint32_t fullCount = halvableCount(resolution);
    const double largestRadius = profile.largestRadius();
    std::vector<ProfileSample> samples = profile.sampled(spacingFor(profile, fullCount));
    ASSERT(samples.size() >= 2);
    const double length = samples.back().along;
    const bool closed = samples.front().point == samples.back().point && samples.front().point.x() > 0;
    const std::vector<bool> disc = discBands(samples);

    // rings
    const Halvings halvings(samples, fullCount, counts == RingCounts::Adapted ? largestRadius : 0);
    std::vector<Ring> rings(samples.size() - (closed ? 1 : 0));
    for (size_t i = 0; i < rings.size(); ++i) {
        const uint32_t count = halvings.countAt(i);
        for (uint32_t j = 0; j < count; ++j) {
            const Vec2 around = onUnitCircle(static_cast<double>(j) / count);
            rings[i].points.push_back(
                {samples[i].point.x() * around.x(), samples[i].point.y(), -samples[i].point.x() * around.y()});
        }
    }
    // a closed outline is smooth at its joint if both ends agree there
    if (closed && samples.back().normalBefore.dot(samples.front().normalAfter) > 0.94) {
        samples.back().normalBefore = samples.front().normalAfter;
    }

    // surface
    return sewRings(rings, closed, [&](const RingCorner& corner) {
        const ProfileSample& sample = samples[corner.band + corner.upper];
        const Vec2 normal = corner.upper ? sample.normalBefore : sample.normalAfter;
        const Vec2 around = onUnitCircle(corner.turns);
        CornerAttributes attributes{{normal.x() * around.x(), normal.y(), -normal.x() * around.y()},
                                    {corner.turns, sample.along / length}};
        if (disc[corner.band]) {
            // seen from its own side, above or below: never mirrored
            const Vec2 seen(around.x(), normal.y() > 0 ? around.y() : -around.y());
            attributes.uv = Vec2(0.5, 0.5) + 0.5 * sample.point.x() / largestRadius * seen;
        }
        return attributes;
    });
}

}  // namespace sunder::shapes
