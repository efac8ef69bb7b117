#pragma once

#include <memory>

#include "fracture/prescored/prescored.h"
#include "geometry/convex/voronoi.h"
#include "geometry/mesh/mass_properties.h"

namespace sunder::fracture::test {

inline constexpr double kMass = 3;  // kg

/// What an artist might have made: lumps that fill a box; here the cells of a crooked lattice.
inline std::shared_ptr<const std::vector<TriMesh>> lumps(int side = 5) {
    std::vector<Vec3> sites;
    for (int k = 0; k < side; ++k) {
        for (int j = 0; j < side; ++j) {
            for (int i = 0; i < side; ++i) {
                sites.push_back(Vec3(i + 0.3 * (j % 2), j + 0.4 * (k % 2), k + 0.2 * (i % 3)));
            }
        }
    }
    const VoronoiDiagram cells = voronoi(sites, Box3{Vec3::Constant(-0.5), Vec3::Constant(side)});
    std::vector<TriMesh> meshes;
    for (uint32_t s = 0; s < cells.cellCount(); ++s) meshes.push_back(toTriMesh(cells.cell(static_cast<SiteIndex>(s))));
    return std::make_shared<const std::vector<TriMesh>>(std::move(meshes));
}

inline PrescoredOptions optionsFor(PatternKind kind, int pieces) {
    PrescoredOptions options;
    options.threshold = 0;  // any blow
    options.pattern.kind = kind;
    options.pieces = pieces;
    options.cells = 32;
    if (kind == patternNamed("artist")) options.pattern.meshes = lumps();
    return options;
}

inline Solid solidOf(TriMesh mesh, uint64_t seed) {
    Solid solid;
    solid.wholeVolume = volume(mesh);
    solid.geometry = makeSolid(std::move(mesh));
    solid.mass = kMass;
    solid.seed = seed;
    return solid;
}

inline Loads push(const Vec3& point, const Vec3& normal, double impulse = 1) {
    Loads loads;
    loads.list.push_back(
        {.point = point, .normal = normal.normalized(), .impulse = impulse * normal.normalized(), .approachSpeed = 10});
    return loads;
}

/// Struck on the side of +z, aslant; any blow breaks it.
inline FracturePlan breakOnce(const TriMesh& mesh, const PrescoredOptions& options, uint64_t seed) {
    PrescoredOptions any = options;
    any.threshold = 0;
    const PrescoredMethod method(any);
    const Solid solid = solidOf(mesh, seed);
    const Box3 box = boundsOf(mesh);
    const Vec3 point(box.centre().x(), box.centre().y(), box.max.z());
    return planOnce(method, solid, push(point, Vec3(0.3, -0.2, -1)));
}

}  // namespace sunder::fracture::test
