#include "fracture/common/detail/patch.h"

#include <algorithm>
#include <iterator>

#include "base/assert.h"
#include "base/disjoint_sets.h"
#include "base/indexed_vector.h"

namespace sunder::fracture {

namespace {

constexpr int kMostPasses = 12;
constexpr double kLeastTurn = 0.3;  // cosine: a triangle may turn that far when one of its corners moves

}  // namespace

Vec3 Patch::areaOf(const Corners& t) const { return (places[t[1]] - places[t[0]]).cross(places[t[2]] - places[t[0]]); }

void Patch::takeOutShortEdges(double shortest) {
    for (int pass = 0; pass < kMostPasses; ++pass) {
        if (!takeOutSome(shortest)) return;
    }
}

void Patch::leaveOut(const std::vector<uint8_t>& chosen) {
    ASSERT(chosen.size() == triangles.size());
    std::vector<Corners> kept;
    for (size_t t = 0; t < triangles.size(); ++t) {
        if (!chosen[t]) kept.push_back(triangles[t]);
    }
    triangles = std::move(kept);

    // corners are one vertex where triangles hang together by an edge inside the patch
    struct Side {
        uint32_t triangle, corner;
    };
    std::map<EdgeKey, std::vector<Side>> sides;
    for (uint32_t t = 0; t < triangles.size(); ++t) {
        for (uint32_t i = 0; i < 3; ++i) sides[keyOf(triangles[t][i], triangles[t][(i + 1) % 3])].push_back({t, i});
    }
    DisjointSets sets(3 * triangles.size());
    for (const auto& [edge, pair] : sides) {
        if (pair.size() != 2 || rim.contains(edge)) continue;
        const auto &one = pair[0], &two = pair[1];
        const auto joinCorners = [&](uint32_t i, uint32_t j) {
            sets.join(3 * one.triangle + i % 3, 3 * two.triangle + j % 3);
        };
        if (triangles[one.triangle][one.corner] == triangles[two.triangle][two.corner]) continue;
        joinCorners(one.corner, two.corner + 1);
        joinCorners(one.corner + 1, two.corner);
    }

    // one vertex for each set of corners: what only touches comes apart
    std::map<EdgeKey, Beyond> rimNow;
    std::vector<Vec3> placesNow;
    std::vector<uint32_t> numbers(3 * triangles.size(), kInvalidIndex);
    std::vector<Corners> now(triangles.size());
    for (uint32_t t = 0; t < triangles.size(); ++t) {
        for (uint32_t i = 0; i < 3; ++i) {
            uint32_t& number = numbers[sets.root(3 * t + i)];
            if (number == kInvalidIndex) {
                number = static_cast<uint32_t>(placesNow.size());
                placesNow.push_back(places[triangles[t][i]]);
            }
            now[t][i] = number;
        }
    }

    // the rim as it was, and unbroken material where triangles were left out
    for (const auto& [edge, all] : sides) {
        const auto found = rim.find(edge);
        if (all.size() == 2 && found == rim.end()) continue;
        for (const Side& side : all) {
            const Corners& t = now[side.triangle];
            rimNow[keyOf(t[side.corner], t[(side.corner + 1) % 3])] =
                found == rim.end() ? Beyond::Front : found->second;
        }
    }
    places = std::move(placesNow);
    triangles = std::move(now);
    rim = std::move(rimNow);
}

void Patch::leaveOutWhatIsHidden() {
    DisjointSets parts(places.size());
    for (const auto& [a, b, c] : triangles) {
        parts.join(a, b);
        parts.join(b, c);
    }
    std::vector<uint8_t> seen(places.size(), 0);
    for (const auto& [edge, beyond] : rim) {
        if (isMouth(beyond)) seen[parts.root(edge[0])] = 1;
    }
    std::erase_if(triangles, [&](const Corners& t) { return !seen[parts.root(t[0])]; });
    std::erase_if(rim, [&](const auto& item) { return !seen[parts.root(item.first[0])]; });
}

Patch::Surroundings Patch::surroundings() const {
    Surroundings all;
    all.trianglesAt.resize(places.size());
    all.rimKinds.resize(places.size(), 0);
    for (uint32_t t = 0; t < triangles.size(); ++t) {
        for (const uint32_t v : triangles[t]) all.trianglesAt[v].push_back(t);
    }
    for (const auto& [edge, beyond] : rim) {
        for (const uint32_t v : edge) all.rimKinds[v] |= 1u << static_cast<unsigned>(beyond);
    }
    return all;
}

/// Those of a pass are far enough from each other.
bool Patch::takeOutSome(double shortest) {
    // short edges, the shortest first; equal ones go by their ends, so that every run takes the same
    const Surroundings around = surroundings();
    std::vector<std::pair<double, EdgeKey>> candidates;
    for (const Corners& t : triangles) {
        for (size_t i = 0; i < 3; ++i) {
            const EdgeKey key = keyOf(t[i], t[(i + 1) % 3]);
            const double length = (places[key[1]] - places[key[0]]).norm();
            if (length < shortest) candidates.emplace_back(length, key);
        }
    }
    std::sort(candidates.begin(), candidates.end());
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());

    // an edge that goes changes the triangles at its ends: no other that touches them goes in this pass
    std::vector<uint8_t> touched(places.size(), 0);
    std::vector<uint32_t> movesTo(places.size(), kInvalidIndex);
    bool any = false;
    for (const auto& [length, key] : candidates) {
        const auto ends = keptAndGone(key, around);
        if (!ends) continue;
        const auto [kept, gone] = *ends;
        if (touched[gone] || touched[kept] || !mayGo(gone, kept, around)) continue;
        movesTo[gone] = kept;
        for (const uint32_t v : {kept, gone}) {
            for (const uint32_t t : around.trianglesAt[v]) {
                for (const uint32_t corner : triangles[t]) touched[corner] = 1;
            }
        }
        any = true;
    }
    if (any) replace(movesTo);
    return any;
}

/// Which end of an edge stays: the rim's, and on the rim one where it changes its kind.
std::optional<EdgeKey> Patch::keptAndGone(const EdgeKey& edge, const Surroundings& around) const {
    const uint32_t first = around.rimKinds[edge[0]], second = around.rimKinds[edge[1]];
    const auto changes = [](uint32_t kinds) { return (kinds & (kinds - 1)) != 0; };
    const EdgeKey reversed{edge[1], edge[0]};
    if (second == 0) return edge;
    if (first == 0) return reversed;
    if (!rim.contains(edge) || (changes(first) && changes(second))) return std::nullopt;
    return changes(second) ? reversed : edge;
}

std::vector<uint32_t> Patch::neighboursOf(uint32_t vertex, const Surroundings& around) const {
    std::vector<uint32_t> all;
    for (const uint32_t t : around.trianglesAt[vertex]) {
        for (const uint32_t corner : triangles[t]) {
            if (corner != vertex) all.push_back(corner);
        }
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

/// No two triangles fall together, none turns over, and something is left.
bool Patch::mayGo(uint32_t gone, uint32_t kept, const Surroundings& around) const {
    const std::vector<uint32_t> ofGone = neighboursOf(gone, around), ofKept = neighboursOf(kept, around);
    std::vector<uint32_t> common;
    std::set_intersection(ofGone.begin(), ofGone.end(), ofKept.begin(), ofKept.end(), std::back_inserter(common));
    size_t between = 0;
    for (const uint32_t t : around.trianglesAt[gone]) {
        const Corners& before = triangles[t];
        if (std::find(before.begin(), before.end(), kept) != before.end()) {
            ++between;
            continue;
        }
        Corners after = before;
        std::replace(after.begin(), after.end(), gone, kept);
        const Vec3 was = areaOf(before), is = areaOf(after);
        if (!(is.norm() > 0) || is.dot(was) < kLeastTurn * is.norm() * was.norm()) return false;
    }
    return common.size() == between && around.trianglesAt[gone].size() > between;
}

void Patch::replace(const std::vector<uint32_t>& movesTo) {
    ASSERT(movesTo.size() == places.size());
    const auto moved = [&](uint32_t v) { return movesTo[v] == kInvalidIndex ? v : movesTo[v]; };
    std::vector<Corners> kept;
    for (const Corners& t : triangles) {
        const Corners now{moved(t[0]), moved(t[1]), moved(t[2])};
        if (now[0] != now[1] && now[1] != now[2] && now[2] != now[0]) kept.push_back(now);
    }
    triangles = std::move(kept);
    std::map<EdgeKey, Beyond> now;
    for (const auto& [edge, beyond] : rim) {
        const uint32_t a = moved(edge[0]), b = moved(edge[1]);
        if (a != b) now.emplace(keyOf(a, b), beyond);
    }
    rim = std::move(now);
}

}  // namespace sunder::fracture
