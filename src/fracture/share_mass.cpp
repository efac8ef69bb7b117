#include "fracture/share_mass.h"

#include "geometry/mesh/mass_properties.h"

namespace sunder::fracture {

void shareMass(double mass, std::vector<Fragment>& fragments) {
    std::vector<double> volumes;
    double sum = 0;
    for (const Fragment& f : fragments) sum += volumes.emplace_back(volume(f.mesh));
    double given = 0;
    for (size_t f = 0; f + 1 < fragments.size(); ++f) given += fragments[f].mass = mass * (volumes[f] / sum);
    fragments.back().mass = mass - given;
}

}  // namespace sunder::fracture
