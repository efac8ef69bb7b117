#include "fracture/common/crack_faces.h"

#include <algorithm>
#include <array>

#include "base/assert.h"

namespace sunder::fracture {

namespace {

/// Corners in a tet's barycentric coordinates.
using Outline = std::vector<Vec4>;

/// Where a cut is 0 in the tet, in order around it; empty when it does not pass through.
Outline outlineOf(const TetCut& cut) {
    std::vector<int> above, below;
    for (int i = 0; i < 4; ++i) (cut[i] > 0 ? above : below).push_back(i);
    const auto crossing = [&](int a, int b) -> Vec4 {
        return (cut[a] * Vec4::Unit(b) - cut[b] * Vec4::Unit(a)) / (cut[a] - cut[b]);
    };
    if (above.empty() || below.empty()) return {};
    if (above.size() == 2)
        return {crossing(above[0], below[0]), crossing(above[0], below[1]), crossing(above[1], below[1]),
                crossing(above[1], below[0])};
    const std::vector<int>&one = above.size() == 1 ? above : below, &three = above.size() == 1 ? below : above;
    return {crossing(one[0], three[0]), crossing(one[0], three[1]), crossing(one[0], three[2])};
}

Outline clipped(const Outline& outline, const TetCut& cut) {
    Outline kept;
    for (size_t i = 0; i < outline.size(); ++i) {
        const Vec4 &a = outline[i], &b = outline[(i + 1) % outline.size()];
        const double atA = cut.dot(a), atB = cut.dot(b);
        if (atA > 0) kept.push_back(a);
        if ((atA > 0) != (atB > 0)) kept.push_back((atA * b - atB * a) / (atA - atB));
    }
    return kept;
}

/// The face between two copies of one tet: empty when they do not meet.
Outline outlineBetween(const std::vector<TetCut>& first, const std::vector<TetCut>& second) {
    const size_t common = std::min(first.size(), second.size());
    size_t differs = 0;
    while (differs < common && first[differs] == second[differs]) ++differs;
    if (differs == common || first[differs] != -second[differs]) return {};
    Outline outline = outlineOf(first[differs]);
    for (size_t k = 0; k < first.size() && !outline.empty(); ++k) {
        if (k != differs) outline = clipped(outline, first[k]);
    }
    for (size_t k = differs + 1; k < second.size() && !outline.empty(); ++k) outline = clipped(outline, second[k]);
    return outline;
}

std::vector<Vec3> placesOf(const Outline& outline, const std::array<Vec3, 4>& corner) {
    std::vector<Vec3> places;
    for (const Vec4& w : outline)
        places.push_back(w[0] * corner[0] + w[1] * corner[1] + w[2] * corner[2] + w[3] * corner[3]);
    return places;
}

/// Corners on a face of the tet have exactly 0 for the corner opposite to it, also where other cracks clipped them.
std::vector<uint8_t> facesAlong(const Outline& outline) {
    std::vector<uint8_t> faces;
    for (size_t i = 0; i < outline.size(); ++i) {
        const Vec4 &a = outline[i], &b = outline[(i + 1) % outline.size()];
        uint8_t face = kInNoFace;
        for (uint8_t k = 0; k < 4; ++k) {
            if (a[k] == 0 && b[k] == 0) face = k;
        }
        faces.push_back(face);
    }
    return faces;
}

}  // namespace

Vec3 areaOf(const std::vector<Vec3>& outline) {
    Vec3 sum = Vec3::Zero();
    for (size_t i = 2; i < outline.size(); ++i) sum += (outline[i - 1] - outline[0]).cross(outline[i] - outline[0]);
    return 0.5 * sum;
}

std::vector<CrackFace> crackFaces(const CrackedTets& tets, const TetComponents& components, CrackKind kind) {
    ASSERT(components.of.size() == tets.mesh.tetCount());
    size_t wholeCount = 0;
    for (const TetIndex whole : tets.wholeTet) wholeCount = std::max<size_t>(wholeCount, raw(whole) + 1);
    const CopiesOfTets all(tets, wholeCount);
    std::vector<CrackFace> faces;
    for (size_t whole = 0; whole < wholeCount; ++whole) {
        const auto copies = all.of(TetIndex(whole));
        for (size_t i = 0; i < copies.size(); ++i) {
            for (size_t j = i + 1; j < copies.size(); ++j) {
                const uint32_t a = components.of[copies[i]], b = components.of[copies[j]];
                if ((a == b) != (kind == CrackKind::Partial)) continue;
                const auto &first = tets.cuts[copies[i]], &second = tets.cuts[copies[j]];
                // two copies of one tet meet in a face where one cut parts them
                Outline outline = outlineBetween(first, second);
                if (outline.size() < 3) continue;
                const auto corner = tets.mesh.corners(copies[i]);
                const Vec3 area = areaOf(placesOf(outline, corner));
                if (!(area.norm() > 0)) continue;
                // counter-clockwise seen from the higher component, or from the second copy where both are one
                size_t differs = 0;
                while (first[differs] == second[differs]) ++differs;
                const Vec3 toFirst = gradientOf(tets.mesh, copies[i], first[differs]);  // the side it is on
                const bool pointsToFirst = area.dot(toFirst) > 0;
                if (pointsToFirst == (a <= b)) std::reverse(outline.begin(), outline.end());
                faces.push_back(
                    {std::min(a, b), std::max(a, b), TetIndex(whole), placesOf(outline, corner), facesAlong(outline)});
            }
        }
    }
    return faces;
}

}  // namespace sunder::fracture
