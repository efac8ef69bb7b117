#include "material/hertz.h"

#include <cmath>

namespace sunder {

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
