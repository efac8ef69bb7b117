#pragma once

namespace sunder {

/// An isotropic solid that deforms in proportion to its loads.
struct ElasticMaterial {
    double density = 2400;        // kg/m^3
    double youngsModulus = 30e9;  // Pa
    double poissonRatio = 0.2;    // below 0.5

    // Lame's constants, Pa
    double lambda() const { return youngsModulus * poissonRatio / ((1 + poissonRatio) * (1 - 2 * poissonRatio)); }
    double mu() const { return youngsModulus / (2 * (1 + poissonRatio)); }

    friend bool operator==(const ElasticMaterial&, const ElasticMaterial&) = default;
};

}  // namespace sunder
