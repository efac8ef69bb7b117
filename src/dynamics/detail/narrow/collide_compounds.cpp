#include "dynamics/detail/narrow/collide_compounds.h"

#include <algorithm>
#include <limits>
#include <span>

#include "base/assert.h"
#include "dynamics/detail/narrow/manifold_reduction.h"

namespace sunder::dynamics::detail {

namespace {

/// One part of a body, seen from the body; a body that is no compound has one.
struct PlacedPart {
    const Shape* shape = nullptr;
    Mat3 rotation = Mat3::Identity();  // world from part
    Vec3 centre = Vec3::Zero();        // of the part from the body's centre, m, world axes
};

void placeParts(const Shape& shape, const Mat3& rotation, std::vector<PlacedPart>& parts) {
    parts.clear();
    if (shape.compound() == nullptr) {
        parts.push_back({&shape, rotation, Vec3::Zero()});
        return;
    }
    for (const CompoundPart& part : shape.compound()->parts) {
        parts.push_back({part.shape.get(), rotation * part.bodyFromPart.rotation.toRotationMatrix(),
                         rotation * part.bodyFromPart.translation});
    }
}

/// Mixes the numbers of the parts into a key: a bijection of the key for each pair of parts, so points of one pair
/// never fall together, and those of different pairs as seldom as random numbers.
uint32_t partKey(uint32_t key, size_t partA, size_t partB) {
    uint32_t h =
        static_cast<uint32_t>(partA) * 0x9E3779B1u ^ (static_cast<uint32_t>(partB) * 0x85EBCA77u + 0x165667B1u);
    h = (h ^ (h >> 15)) * 0x2C1B3C6Du;
    h ^= h >> 13;
    return (key ^ h) * 0x297A2D39u;
}

}  // namespace

void collideCompounds(const Shape& a, const Shape& b, const PairPose& pose, float reach, PairMemory& memory,
                      std::vector<Manifold>& manifolds) {
    ASSERT(a.compound() != nullptr || b.compound() != nullptr);
    thread_local std::vector<PlacedPart> partsA, partsB;
    thread_local std::vector<Manifold> found;
    thread_local std::vector<Candidate> candidates;
    placeParts(a, pose.rotationA, partsA);
    placeParts(b, pose.rotationB, partsB);
    candidates.clear();
    memory = {};
    memory.separation = std::numeric_limits<float>::max();
    for (size_t i = 0; i < partsA.size(); ++i) {
        const PlacedPart& partA = partsA[i];
        for (size_t j = 0; j < partsB.size(); ++j) {
            const PlacedPart& partB = partsB[j];
            const Vec3 offset = pose.offset + partB.centre - partA.centre;
            const double apart = offset.norm() - partA.shape->radius() - partB.shape->radius();
            if (apart > double{reach}) {
                memory.separation = std::min(memory.separation, static_cast<float>(apart));
                continue;
            }
            PairMemory own;
            found.clear();
            collide(*partA.shape, *partB.shape, {partA.rotation, partB.rotation, offset}, reach, own, found);
            memory.separation = std::min(memory.separation, own.separation);
            const Vec3f centre = partA.centre.cast<float>();
            for (const Manifold& m : found) {
                for (const Manifold::Point& p : std::span(m.points).first(static_cast<size_t>(m.count)))
                    candidates.push_back({centre + p.fromA, p.separation, partKey(p.key, i, j), m.normal});
            }
        }
    }
    reduceToManifolds(candidates, manifolds);
}

}  // namespace sunder::dynamics::detail
