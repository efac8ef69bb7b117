#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fracture/loads.h"
#include "fracture/stress_picture.h"
#include "geometry/mesh/tri_mesh.h"

namespace sunder::fracture {

class StrengthField;

/// What a method gives a fragment so that it can break again: plain bytes, whose meaning only the method knows. They
/// are part of a recording's checkpoint.
using Inheritance = std::vector<std::byte>;

/// What a method is told of a body that may break. All coordinates, here and in the answers, are those of its mesh.
struct Solid {
    std::shared_ptr<const TriMesh> mesh;  // closed, outward
    double mass = 0;                      // kg
    double wholeVolume = 0;               // m^3, of the body the scene described, however often it broke since
    int generation = 0;                   // how often it broke since; 0: whole
    uint64_t seed = 0;                    // of this body alone
    Inheritance inherited;                // from the plan it came of; empty for a whole body
    std::shared_ptr<const StrengthField> strength;  // of the whole body; null: the same everywhere
};

/// What a method works out of a solid once: grids, tets, factors. It never changes and depends on the Solid alone, so a
/// run that is resumed has the same.
class Prepared {
public:
    virtual ~Prepared() = default;
};

struct Fragment {
    TriMesh mesh;     // closed, outward; new faces are marked `inside`; neighbours share crack faces vertex for vertex
    double mass = 0;  // kg; those of all fragments sum to the solid's
    Inheritance inherited;
    /// What is seen of it, where that is not the mesh: cracks that end inside gape. Closed; nothing else depends on it.
    std::optional<TriMesh> shown;
};

/// What would happen. Nothing has changed yet.
struct FracturePlan {
    std::vector<Fragment> fragments;      // two or more, or none: it stays in one piece
    std::optional<Fragment> changed;      // in one piece, but dented or cracked: takes the solid's place
    double energy = 0;                    // J that breaking takes from the motion
    std::string reason;                   // for people: "impulse 12.3 N s at (0.1, 0.5, 0), threshold 8 N s"
    std::optional<StressPicture> stress;  // what it felt, from methods that know

    bool empty() const { return fragments.empty() && !changed; }
};

/// One way to break things. Every question is const and may be asked from several threads at once.
class FractureMethod {
public:
    virtual ~FractureMethod() = default;
    virtual std::string_view name() const = 0;  // as in scenes: "prescored", "fem", ...
    /// Cheap: could these loads do anything? Most frames end here, before anything is prepared.
    virtual bool mayBreak(const Solid& solid, const Loads& loads) const = 0;
    /// How long a push is felt, s: what comes within this time, in whatever frame, is one load with it.
    virtual double feltFor(const Solid& /*solid*/, const Load& /*push*/, double /*frame*/) const { return 0; }
    virtual std::unique_ptr<const Prepared> prepare(const Solid& solid) const = 0;
    /// `prepared` is what prepare() made of the same solid.
    virtual FracturePlan plan(const Solid& solid, const Prepared& prepared, const Loads& loads) const = 0;
};

}  // namespace sunder::fracture
