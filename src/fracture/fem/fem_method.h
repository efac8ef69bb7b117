#pragma once

#include <memory>
#include <optional>
#include <string>

#include "fracture/common/grains.h"
#include "fracture/common/tet_filling.h"
#include "fracture/fem/cracking.h"
#include "fracture/interface/method_entry.h"
#include "material/solid_material.h"

namespace sunder::fracture {

/// All that the method depends on, the body's material filled in.
struct FemFractureOptions {
    ElasticMaterial elastic{2400, 30e9, 0.2};  // kg/m^3, Pa
    Strength strength;                         // when cracks begin, go on, and what they cost
    /// About how many tets a body gets; more where that is too coarse for its thickness, as many as maxTets.
    int tets = 8000;
    int maxTets = 60000;                           // an upper bound for thin bodies, too
    ElementChoice elements = ElementChoice::Auto;  // see FillingOptions
    double contactTime = 0;                        // s, of a blow; 0: Hertz's
    BlowForce blowForce = BlowForce::OverContact;  // how long the impulse of a blow is taken to act
    CrackingOptions cracking;                      // how much one blow may crack
    double smallestPiece = 2e-4;   // volume, in parts of the whole body: what is smaller stays with its neighbour
    int maxGenerations = 3;        // how often a body and its fragments may break in a row
    double variation = 0.15;       // of the strength from place to place, in parts of it
    GrainOptions grains;           // whose walls are weaker; none unless asked for
    Vec3 grainDirection{0, 1, 0};  // along which a material with a grain is strong
    double roughness = 0.25;       // of crack faces: height, in cells of the lattice they are made on
    double opening = 0.04;         // of cracks that end inside: how far they gape at the surface, in such cells
    double ductility = 0;      // how many times the elastic displacement stays where strength is exceeded; 0: brittle
    double tearing = 3;        // ductile: times the strength that cracks take, less only dents
    double largestDent = 0.1;  // the most that stays, in parts of the body's size

    FillingOptions filling() const { return {tets, maxTets, elements}; }  // what fillWithTets() asks for
};

/// All that a material says is set, the rest stays.
void setMaterial(const SolidMaterial& material, FemFractureOptions& options);

/// As scenes and flags give them: what is other than the body's own material says.
struct FemSettings {
    std::optional<std::string> material;  // by name, instead of the body's own
    std::optional<double> strength;       // Pa
    std::optional<double> youngsModulus;  // Pa
    std::optional<double> poissonRatio;   // 0 to 0.45
    std::optional<double> extension;      // share of the strength
    std::optional<double> acrossGrain;    // share of the strength
    std::optional<double> crackEnergy;    // J/m^2
    std::optional<double> roughness;      // in parts of the size of a tet
    FemFractureOptions options;           // but for what the material says

    /// All of it. A material that the settings name stands in for that of the body, but for its density.
    FemFractureOptions resolved(const SolidMaterial* ofBody) const;
};
/// How the settings look in scenes, flags and panels.
const schema::Record<FemSettings>& recordFor(schema::Of<FemSettings>);
/// The row of this method in methods.cpp.
MethodEntry femEntry();

/// What is wrong with them, for people; empty when nothing is.
std::string problemWith(const FemFractureOptions& options);

/// Fracture from stress [bao2007]: what a blow does inside a body is solved for by finite elements; cracks begin where
/// tension exceeds strength and run through the tets; what comes apart is cut out of the surface.
/// docs/methods/fem.md
class FemMethod : public FractureMethod {
public:
    /// Throws std::invalid_argument with problemWith(options).
    explicit FemMethod(FemFractureOptions options);
    ~FemMethod() override;

    std::string_view name() const override { return "fem"; }
    bool mayBreak(const Solid& solid, const Loads& loads) const override;
    double lastsFor(const Solid& solid, const Load& push, double frame) const override;
    std::unique_ptr<const Breakable> prepare(const Solid& solid, const Context& context) const override;
    std::optional<double> density() const override { return options_.elastic.density; }
    /// Grains.
    std::vector<uint32_t> regionsAt(const Solid& solid, std::span<const Vec3> points) const override;

    const FemFractureOptions& options() const { return options_; }  // as they were given

private:
    FemFractureOptions options_;
};

}  // namespace sunder::fracture
