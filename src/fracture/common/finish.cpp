#include "fracture/common/finish.h"

#include <algorithm>

#include "base/assert.h"
#include "base/parallel.h"
#include "fracture/common/slits.h"

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

std::vector<Fragment> fragmentsOf(std::vector<TriMesh> pieces, double mass) {
    ASSERT(!pieces.empty());
    // what follows from each piece's form
    std::vector<Fragment> fragments(pieces.size());
    parallelFor(pieces.size(), 1, [&](const BlockRange& block) {
        for (size_t i = block.begin; i < block.end; ++i) fragments[i].geometry = makeSolid(std::move(pieces[i]));
    });
    // shares of the mass, in the order of the pieces
    double sum = 0, given = 0;
    for (const Fragment& f : fragments) sum += f.geometry->volume();
    for (size_t f = 0; f + 1 < fragments.size(); ++f)
        given += fragments[f].mass = mass * (fragments[f].geometry->volume() / sum);
    fragments.back().mass = mass - given;
    return fragments;
}

double newFaceArea(const TriMesh& before, const std::vector<Fragment>& fragments) {
    double faces = -crackArea(before);
    for (const Fragment& fragment : fragments) faces += crackArea(fragment.mesh());
    return std::max(0.0, 0.5 * faces);
}

void finish(Fragment& fragment, Scars scars, const std::optional<Dent>& dent) {
    if (dent) {
        TriMesh dented = fragment.mesh();
        dent->apply(dented);
        dent->apply(scars);
        fragment.geometry = makeSolid(std::move(dented));
    }
    fragment.inherited = inheritanceOf(scars);
    fragment.shown = opened(fragment.mesh(), scars.gaps);
}

}  // namespace sunder::fracture
