#pragma once

#include "material/elastic_material.h"

namespace sunder {

/// How long two elastic bodies touch when they meet, s [hertz1882]:
///
///     t = 2.87 (m^2 / (R E^2 v))^(1/5)
///
///     m  reduced mass, kg              1/m = 1/m1 + 1/m2
///     R  reduced radius, m             1/R = 1/R1 + 1/R2
///     E  reduced stiffness, Pa         1/E = (1 - nu1^2)/E1 + (1 - nu2^2)/E2
///     v  speed of approach, m/s
double hertzContactTime(double reducedMass, double reducedRadius, double reducedStiffness, double speed);

/// The reduced stiffness above; the second body may be rigid (null).
double reducedStiffness(const ElasticMaterial& a, const ElasticMaterial* b);

}  // namespace sunder
