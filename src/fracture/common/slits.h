#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "fracture/common/crack_faces.h"
#include "fracture/common/crack_pieces.h"

namespace sunder::fracture {

/// How cracks that end inside are shown.
struct SlitOptions {
    double opening = 0;                           // m, how far they gape at the surface
    double depth = 0;                             // m, how far from the surface they can be seen
    double cell = 0;                              // m, about the size of a tet
    CrackRoughness roughness;                     // as that of the cracks which run through
    std::function<double(const Vec3&)> distance;  // m, from the solid's surface, negative inside
};

/// A crack that ends inside, where it comes to the surface: a thin closed body, as wide as it gapes, narrow at the
/// crack's front, that reaches out of the solid at its mouth. What is shown of a solid is the solid without it.
struct Slit {
    uint32_t component = 0;  // that it lies in
    TriMesh gap;             // closed, outward
};

/// Those of all cracks that end inside and come to the surface, or to a crack that runs through.
std::vector<Slit> slitsOf(const TetMesh& whole, const CrackedTets& tets, const TetComponents& components,
                          const SlitOptions& options);

/// A solid with slits in it. It is closed and 2-manifold, but may hang together by nothing. A slit that cannot be cut
/// is left out. Empty when none of them reaches it.
std::optional<TriMesh> opened(const TriMesh& solid, std::span<const TriMesh> gaps);

}  // namespace sunder::fracture
