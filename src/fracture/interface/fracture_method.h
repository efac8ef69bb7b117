#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fracture/interface/context.h"
#include "fracture/interface/loads.h"
#include "fracture/interface/stress_picture.h"
#include "geometry/mesh/body_geometry.h"

/// What breaks, and into what: loads in, a plan of fragments out, by methods that are rows of one table.
namespace sunder::fracture {

class StrengthField;

/// What a method gives a fragment so that it can break again: plain bytes, whose meaning only the method knows. They
/// are part of a recording's checkpoint.
using Inheritance = std::vector<std::byte>;

/// What a method is told of a body that may break. All coordinates, here and in the answers, are those of its mesh.
struct Solid {
    GeometryPtr geometry;    // never null
    double mass = 0;         // kg
    double wholeVolume = 0;  // m^3, of the body the scene described, however often it broke since
    int generation = 0;      // how often it broke since; 0: whole
    uint64_t seed = 0;       // of this body alone
    Inheritance inherited;   // from the plan it came of; empty for a whole body
    std::shared_ptr<const StrengthField> strength;  // of the whole body; null: the same everywhere

    const TriMesh& mesh() const { return geometry->mesh(); }  // of a solid: closed, outward
    double volume() const { return geometry->volume(); }      // m^3
};

/// A body to be: what is left of a solid, or a part of it, in the solid's coordinates.
struct Fragment {
    /// New faces are marked `inside`; neighbours share crack faces vertex for vertex.
    GeometryPtr geometry;
    double mass = 0;        // kg; those of all fragments sum to the solid's
    Inheritance inherited;  // Solid::inherited, once it is asked about as a body
    /// What is seen of it, where that is not the mesh: cracks that end inside gape. Closed; nothing else depends on it.
    std::optional<TriMesh> shown;

    const TriMesh& mesh() const { return geometry->mesh(); }         // closed, outward
    const TriMesh& seen() const { return shown ? *shown : mesh(); }  // as people see it
};

/// What loads do to a solid.
enum class Outcome {
    None,     // it stays as it is
    Cracked,  // in one piece, with cracks that end inside: the one fragment takes the solid's place
    Dented,   // in one piece of another shape, maybe with cracks: the same
    Broken    // in two fragments or more
};

/// What would happen. Nothing has changed yet.
struct FracturePlan {
    Outcome outcome = Outcome::None;      // tells how to read the fragments
    std::vector<Fragment> fragments;      // none, one or more, as the outcome says
    double energy = 0;                    // J that breaking takes from the motion
    std::string reason;                   // for people, why it broke, or why it did not: "impulse 12.3 N s at (0.1,
                                          // 0.5, 0), threshold 8 N s"
    std::optional<StressPicture> stress;  // what the solid felt, from methods that know

    bool empty() const { return outcome == Outcome::None; }  // nothing happens
};

/// A plan in which nothing happens; `reason`: why, for people, as the end of a sentence after "stayed whole: ".
[[nodiscard]] FracturePlan staysWhole(std::string reason);

/// A solid that a method has made ready: it knows its grids, tets, factors, and answers any number of questions. It
/// never changes and depends on the solid and the method's options alone, so a run that is resumed has the same.
class Breakable {
public:
    virtual ~Breakable() = default;
    /// What loads would do that the method's mayBreak() did not rule out. May be asked from several threads at once.
    /// Throws Cancelled, and has changed nothing, when the context asks to stop.
    [[nodiscard]] virtual FracturePlan plan(const Loads& loads, const Context& context) const = 0;
};

/// One way to break things. Every question is const and may be asked from several threads at once.
class FractureMethod {
public:
    virtual ~FractureMethod() = default;
    virtual std::string_view name() const = 0;  // as in scenes: "prescored", "fem", ...
    /// Cheap: could these loads do anything? Most frames end here, before anything is prepared.
    virtual bool mayBreak(const Solid& solid, const Loads& loads) const = 0;
    /// How long a load lasts, s: what comes within this time, in whatever frame, is one load with it.
    virtual double lastsFor(const Solid& /*solid*/, const Load& /*load*/, double /*frame*/) const { return 0; }
    /// What comes back must not outlive the method.
    virtual std::unique_ptr<const Breakable> prepare(const Solid& solid, const Context& context) const = 0;
    /// Density of the material that the settings describe, kg/m^3; none: they do not say.
    virtual std::optional<double> density() const { return std::nullopt; }
    /// Shows along what a whole body will part, before it does: the number of the region that each point belongs to.
    /// Empty from methods that do not know beforehand.
    virtual std::vector<uint32_t> regionsAt(const Solid& /*solid*/, std::span<const Vec3> /*points*/) const {
        return {};
    }
};

/// For a single question: looks whether the loads could do anything, prepares the solid, asks, forgets.
[[nodiscard]] FracturePlan planOnce(const FractureMethod& method, const Solid& solid, const Loads& loads,
                                    const Context& context = {});

}  // namespace sunder::fracture
