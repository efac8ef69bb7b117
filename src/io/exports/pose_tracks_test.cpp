#include "io/exports/pose_tracks.h"

#include <cmath>

#include "io/exports/test_exports.h"

namespace sunder {
namespace {

using Keys = std::vector<uint32_t>;

Quat about(const Vec3& axis, double angle) { return Quat(Eigen::AngleAxisd(angle, axis.normalized())); }

/// How far frames are from what a player makes of the keys: slerp if asked for, else components.
double worstTurn(const std::vector<Quat>& rotations, const Keys& keys, bool slerp) {
    const PoseTrack track{nullptr, 0, {}, rotations};
    const std::vector<Quat> values = rotationsAt(track, keys);
    double worst = 0;
    for (uint32_t i = 0; i < rotations.size(); ++i) {
        size_t k = 0;
        while (k + 1 < keys.size() && keys[k + 1] <= i) ++k;
        Quat played = values[k];
        if (k + 1 < keys.size()) {
            const double s = double(i - keys[k]) / (keys[k + 1] - keys[k]);
            played = slerp ? values[k].slerp(s, values[k + 1])
                           : Quat(((1 - s) * values[k].coeffs() + s * values[k + 1].coeffs()).normalized());
        }
        worst = std::max(worst, played.angularDistance(rotations[i]));
    }
    return worst;
}

TEST(PoseTracks, WhatSleepsHasOneKey) {
    EXPECT_EQ(positionKeys(std::vector<Vec3>(100, Vec3(1, 2, 3)), 1e-9), Keys{0});
    EXPECT_EQ(rotationKeys(std::vector<Quat>(100, about({1, 2, 3}, 1)), 1e-9), Keys{0});
}

TEST(PoseTracks, StraightMotionNeedsItsEnds) {
    std::vector<Vec3> line;
    for (int i = 0; i < 50; ++i) line.push_back(Vec3(1, -2, 0.5) * i);
    EXPECT_EQ(positionKeys(line, 1e-9), (Keys{0, 49}));
}

TEST(PoseTracks, LongTracksAreDoneInPartsAndSleepAsWell) {
    std::vector<Vec3> line;
    for (int i = 0; i <= 600; ++i) line.push_back(Vec3(1, -2, 0.5) * i);
    EXPECT_EQ(positionKeys(line, 1e-9), (Keys{0, 256, 512, 600}));
    line.resize(513);
    EXPECT_EQ(positionKeys(line, 1e-9), (Keys{0, 256, 512}));
    line.resize(5000, line.back());
    EXPECT_EQ(positionKeys(line, 1e-9), (Keys{0, 256, 512})) << "no key after it has come to rest";
    EXPECT_EQ(positionKeys(std::vector<Vec3>(1, Vec3(1, 2, 3)), 0), Keys{0});
}

TEST(PoseTracks, KeysAreWhereMotionTurnsAndNoneWhereItRests) {
    std::vector<Vec3> bounce;  // down, up, and lying there
    for (int i = 0; i <= 10; ++i) bounce.push_back({0, 10.0 - i, 0});
    for (int i = 1; i <= 5; ++i) bounce.push_back({0, double(i), 0});
    for (int i = 0; i < 80; ++i) bounce.push_back({0, 5, 0});
    EXPECT_EQ(positionKeys(bounce, 1e-9), (Keys{0, 10, 15}));
}

TEST(PoseTracks, FallingIsMissedByNoMoreThanTheTolerance) {
    std::vector<Vec3> fall;
    for (int i = 0; i < 240; ++i) {
        const double t = i / 30.0;
        fall.push_back({t, 100 - 4.9 * t * t, 0.1 * std::sin(3 * t)});
    }
    size_t before = fall.size() + 1;
    // a chord over n frames misses free fall by g (n dt)^2 / 8: 5.4 mm over two, 22 mm over four
    EXPECT_EQ(positionKeys(fall, 1e-3).size(), fall.size());
    EXPECT_LT(positionKeys(fall, 0.025).size(), 80u);
    for (const double tolerance : {1e-4, 1e-2, 1e-1}) {
        const Keys keys = positionKeys(fall, tolerance);
        EXPECT_LT(keys.size(), before) << "a larger tolerance needs fewer keys";
        before = keys.size();
        ASSERT_EQ(keys.front(), 0u);
        ASSERT_EQ(keys.back(), 239u);
        for (size_t k = 0; k + 1 < keys.size(); ++k) {
            for (uint32_t i = keys[k]; i < keys[k + 1]; ++i) {
                const double s = double(i - keys[k]) / (keys[k + 1] - keys[k]);
                EXPECT_LE((fall[keys[k]] + s * (fall[keys[k + 1]] - fall[keys[k]]) - fall[i]).norm(), tolerance);
            }
        }
    }
}

TEST(PoseTracks, TurnsAreTheSameForBothWaysToInterpolate) {
    std::vector<Quat> spin;  // several times around, faster and faster, about an axis that changes
    for (int i = 0; i < 200; ++i) spin.push_back(about({1, 0.01 * i, 0.3}, 0.0012 * i * i));
    for (int i = 0; i < 200; i += 7) spin[static_cast<size_t>(i)].coeffs() *= -1;  // the same rotations
    for (const double tolerance : {0.003, 0.02}) {
        const Keys keys = rotationKeys(spin, tolerance);
        EXPECT_LT(keys.size(), spin.size());
        EXPECT_LE(worstTurn(spin, keys, true), tolerance);
        EXPECT_LE(worstTurn(spin, keys, false), tolerance);
    }
}

TEST(PoseTracks, NoVertexIsFurtherAwayThanTheTolerance) {
    PoseTrack track;
    for (int i = 0; i < 90; ++i) {
        const double t = i / 30.0;
        track.positions.push_back({3 * t, 2 - 4.9 * t * t, 0});
        track.rotations.push_back(about({0.2, 1, 0.1}, 4 * t + 0.3 * std::sin(9 * t)));
    }
    const double tolerance = 2e-2, radius = 0.4;
    const TrackKeys keys = keysOf(track, tolerance, radius);
    EXPECT_LT(keys.positions.size() + keys.rotations.size(), 120u);
    EXPECT_LE(radius * worstTurn(track.rotations, keys.rotations, true), 0.5 * tolerance);
    EXPECT_EQ(keysOf(track, 0, radius).positions.size(), 90u) << "without tolerance every frame is kept";
}

class PoseTracksOfRecordings : public test::Exports {};

TEST_F(PoseTracksOfRecordings, AreTheSameForAnyAmountOfMemory) {
    RecordingReader recording = breaking(20);
    ExportOptions options;
    options.firstFrame = 3;
    const ExportContent content(recording, options);
    std::vector<PoseTrack> all;
    size_t batches = 0;
    Progress silent;
    for (const size_t budget : {size_t{1} << 30, size_t{4000}}) {
        size_t next = 0;
        forEachTracks(
            content,
            [&](std::span<const PoseTrack> tracks) {
                if (budget > 4000) {
                    all.assign(tracks.begin(), tracks.end());
                    return;
                }
                ++batches;
                for (const PoseTrack& track : tracks) {
                    ASSERT_LT(next, all.size());
                    EXPECT_EQ(track.body->id, all[next].body->id);
                    EXPECT_EQ(track.positions, all[next].positions);
                    EXPECT_EQ(track.first, all[next].first);
                    ++next;
                }
            },
            silent, budget);
        if (budget == 4000) {
            EXPECT_EQ(next, all.size());
        }
    }
    EXPECT_GT(batches, 5u);
    ASSERT_EQ(all.size(), content.bodies().size());
    for (const PoseTrack& track : all) {
        const Life life = content.lifeOf(*track.body);
        EXPECT_EQ(track.first, life.from);
        EXPECT_EQ(track.positions.size(), life.until - life.from) << "a pose in every frame of its life";
    }
}

}  // namespace
}  // namespace sunder
