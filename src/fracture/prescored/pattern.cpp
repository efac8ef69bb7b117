#include "fracture/prescored/pattern.h"

#include <bit>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "base/random.h"
#include "fracture/prescored/detail/patterns.h"

namespace sunder::fracture {

std::vector<PatternKind> allPatterns() {
    std::vector<PatternKind> all;
    for (const Pattern& pattern : patterns()) all.push_back(&pattern);
    return all;
}

const char* nameOf(PatternKind kind) { return kind->name; }

PatternKind patternNamed(std::string_view name) {
    std::string names;
    for (const Pattern& pattern : patterns()) {
        if (name == pattern.name) return &pattern;
        names += (names.empty() ? "" : ", ") + std::string(pattern.name);
    }
    throw std::invalid_argument(fmt::format("there is no pattern '{}'; there are {}", name, names));
}

bool isCurved(PatternKind kind) { return kind->exact != nullptr; }

bool needsMeshes(PatternKind kind) { return kind->needsMeshes; }

std::string problemWith(const PatternOptions& options) {
    if (options.spokes != 0 && options.spokes < 3) {
        return fmt::format("spokes must lie in 3 .. 200, or be 0 to have them chosen; got {}", options.spokes);
    }
    if (!(options.brick.minCoeff() > 0 && options.brick.maxCoeff() <= 100 * options.brick.minCoeff())) {
        return fmt::format("brick sides must be positive and within 100 times of each other, got ({:g}, {:g}, {:g})",
                           options.brick.x(), options.brick.y(), options.brick.z());
    }
    if (!std::has_single_bit(static_cast<unsigned>(options.stretch))) {
        return fmt::format("stretch must be 1, 2, 4, 8, 16, 32 or 64, got {}", options.stretch);
    }
    return {};
}

Quat rotationFromZ(const Vec3& unit) {
    // half-way quaternion; for the lower half turn z to -z about x first, which keeps the sum far from zero
    if (unit.z() >= 0) return Quat(1 + unit.z(), -unit.y(), unit.x(), 0).normalized();
    const Quat fromDown = Quat(1 - unit.z(), unit.y(), -unit.x(), 0).normalized();
    return fromDown * Quat(0, 1, 0, 0);
}

RigidTransform bodyFromPattern(const ImpactPlace& place, uint64_t seed) {
    Random random(seed, 1);
    double w = 0, z = 0;
    do {  // a half angle, evenly, without libm
        w = random.uniform(-1, 1);
        z = random.uniform(-1, 1);
    } while (w * w + z * z > 1 || w * w + z * z < 1e-4);
    const Quat roll = Quat(w, 0, 0, z).normalized();
    return {rotationFromZ(place.normal) * roll, place.point};
}

}  // namespace sunder::fracture
