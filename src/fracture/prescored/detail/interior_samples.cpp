#include "fracture/prescored/detail/interior_samples.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/assert.h"
#include "base/random.h"
#include "fracture/prescored/detail/portable.h"
#include "geometry/mesh/mass_properties.h"

namespace sunder::fracture {

namespace {

struct Crossing {
    uint32_t line = 0;
    double height = 0;  // m, along the lines
    friend bool operator<(const Crossing& a, const Crossing& b) {
        return a.line != b.line ? a.line < b.line : a.height < b.height;
    }
};

/// Lines along the longest axis, on a lattice across it.
struct Lines {
    int along = 0, u = 1, v = 2;  // axes
    Vec2 spacing = Vec2::Ones();  // m, along u and v
    Vec2 origin = Vec2::Zero();   // of line (0, 0), m
    int countU = 0, countV = 0;
};

Lines linesThrough(const Box3& box, double spacing, Random& random) {
    constexpr int kFewest = 2, kMost = 512;  // however thin or long the body is
    Lines lines;
    box.size().maxCoeff(&lines.along);
    lines.u = (lines.along + 1) % 3;
    lines.v = (lines.along + 2) % 3;
    const auto countAlong = [&](int axis) {
        return static_cast<int>(std::clamp(std::ceil(box.size()[axis] / spacing), double{kFewest}, double{kMost}));
    };
    lines.countU = countAlong(lines.u);
    lines.countV = countAlong(lines.v);
    lines.spacing = Vec2(box.size()[lines.u] / lines.countU, box.size()[lines.v] / lines.countV);
    // a random start: a line through a vertex or an edge of the model is then not to be expected
    lines.origin = Vec2(box.min[lines.u] + random.uniform(0.2, 0.8) * lines.spacing.x(),
                        box.min[lines.v] + random.uniform(0.2, 0.8) * lines.spacing.y());
    return lines;
}

double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

void crossTriangle(const std::array<Vec3, 3>& corners, const Lines& lines, std::vector<Crossing>& crossings) {
    // the triangle as the lines see it; one seen edge-on is not crossed
    std::array<Vec2, 3> flat;
    for (size_t c = 0; c < 3; ++c) flat[c] = Vec2(corners[c][lines.u], corners[c][lines.v]);
    const double area = cross(flat[1] - flat[0], flat[2] - flat[0]);
    if (area == 0) return;

    // lines of the lattice within its box
    const Vec2 low = flat[0].cwiseMin(flat[1]).cwiseMin(flat[2]), high = flat[0].cwiseMax(flat[1]).cwiseMax(flat[2]);
    const auto first = [&](int axis) {
        return std::max(0, static_cast<int>(std::ceil((low[axis] - lines.origin[axis]) / lines.spacing[axis])));
    };
    const auto last = [&](int axis, int count) {
        return std::min(count - 1,
                        static_cast<int>(std::floor((high[axis] - lines.origin[axis]) / lines.spacing[axis])));
    };

    // where a line is inside, barycentric coordinates give the height at which it crosses
    for (int j = first(1); j <= last(1, lines.countV); ++j) {
        for (int i = first(0); i <= last(0, lines.countU); ++i) {
            const Vec2 p = lines.origin + lines.spacing.cwiseProduct(Vec2(i, j));
            const double a = cross(flat[1] - p, flat[2] - p) / area;
            const double b = cross(flat[2] - p, flat[0] - p) / area;
            const double c = cross(flat[0] - p, flat[1] - p) / area;
            if (!(a >= 0 && b >= 0 && c >= 0)) continue;
            const double height =
                a * corners[0][lines.along] + b * corners[1][lines.along] + c * corners[2][lines.along];
            crossings.push_back({static_cast<uint32_t>(j * lines.countU + i), height});
        }
    }
}

}  // namespace

InteriorSamples sampleInterior(const TriMesh& solid, size_t count, uint64_t seed) {
    ASSERT(count > 0);
    InteriorSamples samples;
    samples.bounds = boundsOf(solid);
    Random random(seed);
    const double diagonal = samples.bounds.diagonal();
    const double solidVolume = std::max(volume(solid), 1e-9 * diagonal * diagonal * diagonal);
    samples.spacing = cubeRoot(solidVolume / static_cast<double>(count));

    // where the surface cuts the lines, line by line, from below
    const Lines lines = linesThrough(samples.bounds, samples.spacing, random);
    std::vector<Crossing> crossings;
    for (const TriangleIndex t : solid.triangles.indices()) crossTriangle(solid.corners(t), lines, crossings);
    std::sort(crossings.begin(), crossings.end());

    // between each two crossings a line is inside: dots there, each line's from a start of its own
    for (size_t begin = 0; begin < crossings.size();) {
        size_t end = begin;
        while (end < crossings.size() && crossings[end].line == crossings[begin].line) ++end;
        const uint32_t line = crossings[begin].line, countU = static_cast<uint32_t>(lines.countU);
        const uint32_t column = line % countU, row = line / countU;
        const double phase = random.uniform();
        // an odd number: the line met an edge exactly; the others are enough
        for (size_t c = begin; (end - begin) % 2 == 0 && c < end; c += 2) {
            for (double k = std::ceil(crossings[c].height / samples.spacing - phase);
                 (k + phase) * samples.spacing < crossings[c + 1].height; ++k) {
                Vec3 point;
                point[lines.along] = (k + phase) * samples.spacing;
                point[lines.u] = lines.origin.x() + lines.spacing.x() * column;
                point[lines.v] = lines.origin.y() + lines.spacing.y() * row;
                samples.points.push_back(point);
            }
        }
        begin = end;
    }

    // a body that all lines miss is sampled at its centre of mass
    if (samples.points.empty()) samples.points.push_back(massProperties(solid).centre);
    samples.spacing = cubeRoot(solidVolume / static_cast<double>(samples.points.size()));
    return samples;
}

std::vector<Vec3> thinned(const std::vector<Vec3>& points, size_t count) {
    const size_t stride = std::max<size_t>(1, points.size() / std::max<size_t>(1, count));
    std::vector<Vec3> kept;
    for (size_t p = 0; p < points.size(); p += stride) kept.push_back(points[p]);
    return kept;
}

}  // namespace sunder::fracture
