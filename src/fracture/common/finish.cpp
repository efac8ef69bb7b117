#include "fracture/common/finish.h"

#include <algorithm>

#include "base/assert.h"
#include "fracture/common/slits.h"
#include "geometry/mesh/mass_properties.h"

namespace sunder::fracture {

namespace {

double crackArea(const TriMesh& mesh) {
    double area = 0;
    for (const TriangleIndex t : mesh.triangles.indices()) {
        if (!mesh.inside.empty() && mesh.inside[t]) area += mesh.areaVector(t).norm();
    }
    return area;
}

}  // namespace

void shareMass(double mass, std::vector<Fragment>& fragments) {
    ASSERT(!fragments.empty());
    std::vector<double> volumes;
    double sum = 0;
    for (const Fragment& f : fragments) sum += volumes.emplace_back(volume(f.mesh));
    double given = 0;
    for (size_t f = 0; f + 1 < fragments.size(); ++f) given += fragments[f].mass = mass * (volumes[f] / sum);
    fragments.back().mass = mass - given;
}

double newFaceArea(const TriMesh& before, const std::vector<Fragment>& fragments) {
    double faces = -crackArea(before);
    for (const Fragment& fragment : fragments) faces += crackArea(fragment.mesh);
    return std::max(0.0, 0.5 * faces);
}

void finish(Fragment& fragment, Scars scars, const std::optional<Dent>& dent) {
    if (dent) {
        dent->apply(fragment.mesh);
        dent->apply(scars);
    }
    fragment.inherited = inheritanceOf(scars);
    fragment.shown = opened(fragment.mesh, scars.gaps);
}

}  // namespace sunder::fracture
