#include "io/exports/pose_tracks.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/error.h"

namespace sunder {

namespace {

constexpr size_t kPoseBytes = sizeof(Vec3) + sizeof(Quat);

/// The bodies from `at` on whose tracks fit into the budget, at least one.
size_t batchEnd(const ExportContent& content, size_t at, size_t budget) {
    size_t bytes = 0;
    size_t end = at;
    for (; end < content.bodies().size(); ++end) {
        const Life life = content.lifeOf(content.bodies()[end]);
        bytes += (life.until - life.from) * kPoseBytes;
        if (bytes > budget && end > at) break;
    }
    return end;
}

/// One pose for each frame of its life: keys are counted by that.
void checkWhole(const ExportContent& content, const PoseTrack& track) {
    const Life life = content.lifeOf(*track.body);
    if (track.positions.size() == life.until - life.from) return;
    throw InputError("recording", fmt::format("is damaged: body {} lives from frame {} to {}, but has {} poses",
                                              track.body->id, life.from, life.until - 1, track.positions.size()));
}

Quat withSignOf(const Quat& rotation, const Quat& neighbour) {
    return rotation.dot(neighbour) < 0 ? Quat(-rotation.coeffs()) : rotation;
}

/// Ramer, Douglas, Peucker: the frame that two keys miss most becomes a key, until none is missed by too much.
/// `miss(a, b, i)`: how far frame i is from what keys at a and b say.
template <class Miss>
std::vector<uint32_t> sparseKeys(size_t count, double tolerance, const Miss& miss) {
    constexpr uint32_t kLongestSpan = 256;  // frames: the search would otherwise grow with the square of the length
    std::vector<uint32_t> keys{0};
    std::vector<uint32_t> ends;  // of spans to look at, nearest last
    const uint32_t last = static_cast<uint32_t>(count - 1);
    // spans of bounded length to begin with
    if (last > 0) ends.push_back(last);
    for (uint32_t end = (last - std::min(last, 1u)) / kLongestSpan * kLongestSpan; end > 0; end -= kLongestSpan)
        ends.push_back(end);
    // the worst frame of the nearest span splits it; a span without one is done
    while (!ends.empty()) {
        const uint32_t begin = keys.back(), end = ends.back();
        ASSERT(begin < end);
        double worst = tolerance;
        uint32_t at = begin;
        for (uint32_t i = begin + 1; i < end; ++i) {
            const double here = miss(begin, end, i);
            if (here > worst) worst = here, at = i;
        }
        if (at != begin) {
            ends.push_back(at);
        } else {
            keys.push_back(end);
            ends.pop_back();
        }
    }
    return keys;
}

/// What does not change after its last key needs no key at the end.
template <class Value>
void dropRest(std::vector<uint32_t>& keys, std::span<const Value> values) {
    while (keys.size() > 1) {
        const Value& last = values[keys[keys.size() - 2]];
        const auto same = [&](const Value& value) { return value == last; };
        if (!std::all_of(values.begin() + keys[keys.size() - 2], values.end(), same)) return;
        keys.pop_back();
    }
}

double share(uint32_t begin, uint32_t end, uint32_t i) { return double(i - begin) / (end - begin); }

}  // namespace

void forEachTracks(const ExportContent& content, const std::function<void(std::span<const PoseTrack>)>& use,
                   Progress& progress, size_t budget) {
    const std::vector<RecordedBody>& bodies = content.bodies();
    // as many bodies at a time as the budget of memory allows, for whole films do not fit
    for (size_t at = 0; at < bodies.size();) {
        const size_t end = batchEnd(content, at, budget);
        ASSERT(end > at && end <= bodies.size());
        std::vector<PoseTrack> tracks(end - at);
        for (size_t i = at; i < end; ++i) {
            const Life life = content.lifeOf(bodies[i]);
            tracks[i - at].body = &bodies[i];
            tracks[i - at].first = life.from;
            tracks[i - at].positions.reserve(life.until - life.from);
            tracks[i - at].rotations.reserve(life.until - life.from);
        }
        // frames outside, bodies inside: each frame is decoded once for the whole batch
        for (uint64_t frame = content.frames().first; frame <= content.frames().last; ++frame) {
            const std::vector<RecordedPose> poses = content.poses(frame);
            for (PoseTrack& track : tracks) {
                const RecordedPose* pose = poseOf(poses, track.body->id);
                if (pose == nullptr) continue;
                track.positions.push_back(pose->centre);
                track.rotations.push_back(pose->rotation());
            }
            progress.advance(double(end - at) / double(bodies.size() * content.frames().count()));
        }
        for (const PoseTrack& track : tracks) checkWhole(content, track);
        use(tracks);
        at = end;
    }
}

std::vector<uint32_t> positionKeys(std::span<const Vec3> positions, double tolerance) {
    std::vector<uint32_t> keys = sparseKeys(positions.size(), tolerance, [&](uint32_t a, uint32_t b, uint32_t i) {
        const double s = share(a, b, i);
        return ((1 - s) * positions[a] + s * positions[b] - positions[i]).norm();
    });
    dropRest(keys, positions);
    return keys;
}

std::vector<uint32_t> rotationKeys(std::span<const Quat> rotations, double tolerance) {
    std::vector<uint32_t> keys = sparseKeys(rotations.size(), tolerance, [&](uint32_t a, uint32_t b, uint32_t i) {
        const double s = share(a, b, i);
        const Quat end = withSignOf(rotations[b], rotations[a]);
        const Quat straight(((1 - s) * rotations[a].coeffs() + s * end.coeffs()).normalized());
        return std::max(rotations[a].slerp(s, end).angularDistance(rotations[i]),
                        straight.angularDistance(rotations[i]));
    });
    dropRest(keys, rotations);
    return keys;
}

std::vector<Quat> rotationsAt(const PoseTrack& track, std::span<const uint32_t> keys) {
    std::vector<Quat> rotations;
    for (const uint32_t key : keys)
        rotations.push_back(rotations.empty() ? track.rotations[key]
                                              : withSignOf(track.rotations[key], rotations.back()));
    return rotations;
}

TrackKeys keysOf(const PoseTrack& track, double tolerance, double radius) {
    constexpr double kMostTurn = 0.02;  // rad, about a degree: of pieces so small that any would do
    const double turn = radius > 0 ? std::min(0.5 * tolerance / radius, kMostTurn) : kMostTurn;
    return {positionKeys(track.positions, 0.5 * tolerance), rotationKeys(track.rotations, turn)};
}

}  // namespace sunder
