#include "material/ready_materials.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sunder {

namespace {

constexpr std::array<ReadyMaterial, 9> kMaterials{{
    // density, stiffness, Poisson's ratio; tensile strength, extension, across the grain, energy of cracks; roughness
    // where each is from: docs/methods/fem.md, "Ready materials"
    {"glass", {2500, 70e9, 0.22}, {45e6, 0.4, 1, 10}, 0.03},     // soda-lime, annealed
    {"ceramic", {2400, 70e9, 0.20}, {50e6, 0.45, 1, 10}, 0.08},  // porcelain, glazed
    {"concrete", {2400, 30e9, 0.20}, {3e6, 0.6, 1, 80}, 0.35},
    {"brick", {1900, 15e9, 0.15}, {2.5e6, 0.6, 1, 50}, 0.3},
    {"marble", {2700, 55e9, 0.25}, {9e6, 0.55, 1, 20}, 0.2},
    {"ice", {917, 9.3e9, 0.33}, {1.4e6, 0.4, 1, 1.5}, 0.05},
    {"cast_iron", {7200, 110e9, 0.26}, {200e6, 0.6, 1, 1000}, 0.12},  // grey
    {"plaster", {1100, 4.5e9, 0.20}, {2e6, 0.5, 1, 4.4}, 0.15},
    // pine: along the grain 80, across 3 MPa; cracks along it
    {"wood", {500, 10e9, 0.30}, {80e6, 0.6, 0.04, 500}, 0.3},
}};

}  // namespace

std::span<const ReadyMaterial> readyMaterials() { return kMaterials; }

const ReadyMaterial* findReadyMaterial(std::string_view name) {
    const auto found = std::find_if(kMaterials.begin(), kMaterials.end(),
                                    [&](const ReadyMaterial& material) { return material.name == name; });
    return found == kMaterials.end() ? nullptr : &*found;
}

double hertzContactTime(double reducedMass, double reducedRadius, double reducedStiffness, double speed) {
    return 2.87 *
           std::pow(reducedMass * reducedMass / (reducedRadius * reducedStiffness * reducedStiffness * speed), 0.2);
}

double reducedStiffness(const ElasticMaterial& a, const ElasticMaterial* b) {
    const auto yielding = [](const ElasticMaterial& m) {
        return (1 - m.poissonRatio * m.poissonRatio) / m.youngsModulus;
    };
    return 1 / (yielding(a) + (b ? yielding(*b) : 0));
}

}  // namespace sunder
