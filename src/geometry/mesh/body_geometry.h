#pragma once

#include <memory>
#include <optional>

#include "geometry/mesh/mass_properties.h"
#include "geometry/mesh/tri_mesh.h"

namespace sunder {

/// A body without an inside: its material lies along its surface, to both sides alike.
struct Shell {
    double thickness = 0;  // m
    friend bool operator==(const Shell&, const Shell&) = default;
};

/// The form of a body, and what follows from it: a solid, which fills its closed surface, or a shell. Made once when a
/// body or a fragment is made, then carried along; it never changes. All in the body's given frame.
class BodyGeometry {
public:
    /// A solid.
    explicit BodyGeometry(TriMesh surface);
    /// A shell; the surface may be open. Throws std::invalid_argument for a thickness that is not positive and finite.
    BodyGeometry(TriMesh surface, const Shell& shell);

    const TriMesh& mesh() const { return mesh_; }                       // a solid's surface; a shell's middle
    const MassProperties& mass() const { return mass_; }                // of density 1
    double volume() const { return mass_.volume; }                      // m^3, of the material
    const Shell* shell() const { return shell_ ? &*shell_ : nullptr; }  // null: a solid

private:
    TriMesh mesh_;
    MassProperties mass_;
    std::optional<Shell> shell_;
};

/// Geometry never changes, so all who speak of a body share it.
using GeometryPtr = std::shared_ptr<const BodyGeometry>;

/// The surface has to be closed and turned outward.
GeometryPtr makeSolid(TriMesh surface);
/// The surface may be open. Throws std::invalid_argument for a thickness that is not positive and finite.
GeometryPtr makeShell(TriMesh surface, const Shell& shell);

}  // namespace sunder
