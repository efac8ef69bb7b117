#include "fracture/prescored/pattern.h"

#include <bit>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "base/random.h"

namespace sunder::fracture {

const char* nameOf(PatternKind kind) {
    switch (kind) {
        case PatternKind::Uniform:
            return "uniform";
        case PatternKind::Radial:
            return "radial";
        case PatternKind::Glass:
            return "glass";
        case PatternKind::Brick:
            return "brick";
        case PatternKind::Splinter:
            return "splinter";
        case PatternKind::Realistic:
            return "realistic";
        case PatternKind::Artist:
            return "artist";
    }
    return "unknown";
}

PatternKind patternNamed(std::string_view name) {
    std::string names;
    for (const PatternKind kind : kAllPatterns) {
        if (name == nameOf(kind)) return kind;
        names += (names.empty() ? "" : ", ") + std::string(nameOf(kind));
    }
    throw std::invalid_argument(fmt::format("there is no pattern '{}'; there are {}", name, names));
}

bool isCurved(PatternKind kind) { return kind == PatternKind::Realistic || kind == PatternKind::Artist; }

std::string problemWith(const PatternOptions& options) {
    if (!(options.concentration >= 0 && options.concentration <= 0.99)) {
        return fmt::format("concentration must lie in 0 .. 0.99, got {:g}", options.concentration);
    }
    if (options.spokes != 0 && (options.spokes < 3 || options.spokes > 200)) {
        return fmt::format("spokes must lie in 3 .. 200, or be 0 to have them chosen; got {}", options.spokes);
    }
    if (!(options.brick.minCoeff() > 0 && options.brick.maxCoeff() <= 100 * options.brick.minCoeff())) {
        return fmt::format("brick sides must be positive and within 100 times of each other, got ({:g}, {:g}, {:g})",
                           options.brick.x(), options.brick.y(), options.brick.z());
    }
    if (options.stretch < 1 || options.stretch > 64 || !std::has_single_bit(static_cast<unsigned>(options.stretch))) {
        return fmt::format("stretch must be 1, 2, 4, 8, 16, 32 or 64, got {}", options.stretch);
    }
    if (!options.grain.allFinite()) return "grain must be a direction of three finite numbers";
    if (!(options.roughness >= 0 && options.roughness <= 2)) {
        return fmt::format("roughness must lie in 0 .. 2, got {:g}", options.roughness);
    }
    if (options.kind == PatternKind::Artist && (options.meshes == nullptr || options.meshes->size() < 2)) {
        return "the artist pattern needs two or more closed meshes that fill a box between them, got " +
               std::to_string(options.meshes == nullptr ? 0 : options.meshes->size());
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
