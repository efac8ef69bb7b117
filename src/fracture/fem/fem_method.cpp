#include "fracture/fem/fem_method.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include "base/parallel.h"
#include "base/random.h"
#include "fracture/common/crack_pieces.h"
#include "fracture/common/finish.h"
#include "fracture/common/partial_cracks.h"
#include "fracture/common/squeeze.h"
#include "fracture/fem/crack_picture.h"
#include "fracture/fem/detail/fem_body.h"
#include "material/catalogue.h"

namespace sunder::fracture {

namespace {

constexpr double kLargestGain = 3e4;   // stress anywhere over force per (cube root of volume)^2: thin plates bend most
constexpr double kRestingForce = 20;   // times the weight: what rests does not break what it rests on, unless heavier
constexpr double kCrumbShare = 0.003;  // of a neighbour's volume: what is smaller stays with it
constexpr double kLeastToBreak = 25;   // times the smallest piece
constexpr double kStepsPerCell = 8;    // to which contacts are known
constexpr double kForceBits = 6;       // and forces
constexpr double kSlitDepth = 1;       // cells: what is deeper in a slit is not seen

std::string reasonFor(const WorstPlace& worst) {
    return fmt::format("tension {:.3g} MPa at ({:.4g}, {:.4g}, {:.4g}), strength {:.3g} MPa", 1e-6 * worst.tension,
                       worst.place.x(), worst.place.y(), worst.place.z(), 1e-6 * worst.strength);
}

/// Why nothing cracked, and how much harder a blow of this kind has to be.
std::string tooWeak(const WorstPlace& worst) {
    if (!(worst.ratio > 0)) return "nothing pulls at it anywhere";
    if (worst.ratio >= 1) return "no crack could begin in so small a body: " + reasonFor(worst);
    return fmt::format("nowhere is the tension more than {:.2g} of its strength; strike it {:.2g} times as hard",
                       worst.ratio, 1.05 / worst.ratio);
}

/// Contacts as well as they are known: on the surface, to a small part of a cell and of the force. What frames of
/// another length bring, which differs by less than that, then does the same.
std::vector<ContactForce> rounded(std::vector<ContactForce> forces, const FemBody& body) {
    const double step = body.cellSize / kStepsPerCell;
    const auto roundedTo = [](double value, double unit) { return unit * std::round(value / unit); };
    for (ContactForce& contact : forces) {
        const Vec3 inGrid = contact.point.cwiseProduct(body.stretch);
        const Vec3 slope = body.grid.gradient(inGrid);
        const double squared = slope.squaredNorm();
        if (squared > 0)
            contact.point = (inGrid - body.grid.value(inGrid) / squared * slope).cwiseQuotient(body.stretch);
        const double unit =
            contact.force.norm() > 0 ? std::exp2(std::round(std::log2(contact.force.norm())) - kForceBits) : 1;
        for (int axis = 0; axis < 3; ++axis) {
            contact.point[axis] = roundedTo(contact.point[axis], step);
            contact.force[axis] = roundedTo(contact.force[axis], unit);
        }
    }
    return forces;
}

/// For what does not ask how it turns.
StruckBody struckAsAPoint(const Solid& solid, const FemFractureOptions& options) {
    return {.material = options.elastic,
            .mass = solid.mass,
            .contactTime = options.contactTime,
            .blowForce = options.blowForce};
}

}  // namespace

void setMaterial(const SolidMaterial& material, FemFractureOptions& options) {
    options.elastic = material.elastic;
    options.strength = material.strength;
    options.roughness = material.roughness;
}

FemFractureOptions FemSettings::resolved(const SolidMaterial* ofBody) const {
    FemFractureOptions all = options;
    const MaterialEntry* named = material ? findMaterial(*material) : nullptr;
    setMaterial(named != nullptr ? named->solid : ofBody != nullptr ? *ofBody : usualMaterial().solid, all);
    if (ofBody != nullptr) all.elastic.density = ofBody->elastic.density;
    all.strength.tensile = strength.value_or(all.strength.tensile);
    all.strength.extension = extension.value_or(all.strength.extension);
    all.strength.acrossGrain = acrossGrain.value_or(all.strength.acrossGrain);
    all.strength.energy = crackEnergy.value_or(all.strength.energy);
    all.roughness = roughness.value_or(all.roughness);
    all.elastic.youngsModulus = youngsModulus.value_or(all.elastic.youngsModulus);
    all.elastic.poissonRatio = poissonRatio.value_or(all.elastic.poissonRatio);
    all.maxTets = std::max(all.tets, all.maxTets);
    return all;
}

const schema::Record<FemSettings>& recordFor(schema::Of<FemSettings>) {
    using namespace schema;
    using S = FemSettings;

    // the materials that a scene may name
    std::vector<std::pair<std::string, std::string>> named;
    for (const std::string& name : materialNames()) named.emplace_back(name, name);
    static const Record<S> record =
        Record<S>("fem", "Stress is solved for by finite elements; cracks begin and run where it is too much.")
            .tag("method", "fem")
            .field(
                "material", &S::material, choice<std::string>(named),
                "constants of another material than the body's; absent: those of the body's material, or of concrete "
                "where that has neither a base nor constants")
            // constants that stand in for the material's own
            .field("strength", &S::strength, number({1, 1e12}, "Pa"),
                   "a crack begins where more pulls; absent: the material's")
            .field("stiffness", &S::youngsModulus, number({1e3, 1e13}, "Pa"), "Young's modulus; absent: the material's")
            .field("poisson_ratio", &S::poissonRatio, number({0, 0.45}), "absent: the material's")
            .field("extension", &S::extension, number({0.01, 1}),
                   "share of the strength that is enough for a crack to go on; absent: the material's")
            .field("across_grain", &S::acrossGrain, number({0.001, 1}),
                   "strength across the grain, in parts of that along it; absent: the material's (1 but for wood)")
            .field("crack_energy", &S::crackEnergy, number({0, 1e7}, "J/m^2"),
                   "that a new crack takes from the motion of the bodies that met; absent: the material's")
            // how crack faces look, and how the material differs with direction and place
            .field("roughness", &S::roughness, number({0, 1}),
                   "of crack faces: height, in parts of the size of a tet; absent: the material's (glass 0.03, "
                   "concrete 0.35)")
            .field(
                "grain_direction", [](auto& s) -> auto& { return s.options.grainDirection; }, vector3("", {-1, 1}),
                "in the body, of a material with a grain")
            .field(
                "variation", [](auto& s) -> auto& { return s.options.variation; }, number({0, 1}),
                "how much strength differs from place to place, in parts of it")
            // from the impulse of a blow to a force
            .field(
                "contact_time", [](auto& s) -> auto& { return s.options.contactTime; }, number({0, 1}, "s"),
                "how long a blow lasts, whatever the frame's length; 0: by Hertz, from mass, stiffness and speed")
            .field(
                "blow_force", [](auto& s) -> auto& { return s.options.blowForce; },
                choice<BlowForce>({{BlowForce::OverContact, "contact"}, {BlowForce::OverFrame, "frame"}}),
                "impulse over the contact time, the same for any frame rate; frame: over the frame's length, to "
                "compare with: what breaks then depends on the frame rate")
            // the mesh that stress is solved for on
            .field(
                "tets", [](auto& s) -> auto& { return s.options.tets; }, whole(200, 300000),
                "about how many tets a body gets; thin ones get more")
            .field(
                "max_tets", [](auto& s) -> auto& { return s.options.maxTets; }, whole(200, 1000000),
                "but no more than this")
            .field(
                "elements", [](auto& s) -> auto& { return s.options.elements; },
                choice<ElementChoice>({{ElementChoice::Auto, "auto"},
                                       {ElementChoice::Linear, "linear"},
                                       {ElementChoice::Quadratic, "quadratic"}}),
                "auto: quadratic for thin bodies, which bend, linear for others")
            // how far a blow cracks a body, and how small pieces get
            .field(
                "cracks", [](auto& s) -> auto& { return s.options.cracking.cracks; }, whole(1, 1000),
                "that begin by one blow, at most")
            .field(
                "rounds", [](auto& s) -> auto& { return s.options.cracking.rounds; }, whole(1, 100),
                "of growing cracks and solving for the stress anew, at most")
            .field(
                "smallest_piece", [](auto& s) -> auto& { return s.options.smallestPiece; }, number({0, 0.5}),
                "volume, in parts of the whole body's: what is smaller stays with its neighbour")
            .field(
                "max_generations", [](auto& s) -> auto& { return s.options.maxGenerations; }, whole(1, 100),
                "how often a body and its fragments may break in a row")
            // what stays of a blow that parts nothing: open cracks and dents
            .field(
                "crack_opening", [](auto& s) -> auto& { return s.options.opening; }, number({0, 0.2}),
                "how far cracks that end inside gape at the surface, in parts of the size of a tet; 0: they are not "
                "seen")
            .field(
                "ductility", [](auto& s) -> auto& { return s.options.ductility; }, number({0, 1e6}),
                "dents: how many times the elastic displacement stays where strength is exceeded; 0: brittle")
            .field(
                "tearing", [](auto& s) -> auto& { return s.options.tearing; }, number({1, 1000}),
                "ductile: how many times the strength it takes to crack; less only dents")
            .field(
                "largest_dent", [](auto& s) -> auto& { return s.options.largestDent; }, number({0, 1}),
                "the most that stays of a blow, in parts of the body's size")
            // grains: where the material parts more easily
            .field(
                "grains", [](auto& s) -> auto& { return s.options.grains.count; }, whole(0, 100000),
                "that a whole body is made of; cracks run between them rather than through them; 0: none")
            .field(
                "grain_strength", [](auto& s) -> auto& { return s.options.grains.strength; }, number({0.01, 1}),
                "between grains, in parts of the material's")
            .field(
                "grain_bias", [](auto& s) -> auto& { return s.options.grains.bias; }, number({0, 1}),
                "how much cracks turn towards the walls between grains")
            .field(
                "grain_spread", [](auto& s) -> auto& { return s.options.grains.spread; }, number({0, 0.95}),
                "how much grains differ in size: their seeds' weights are 1 - spread to 1 + spread")
            .field(
                "grain_seed", [](auto& s) -> auto& { return s.options.grains.seed; }, whole(0, 1000000),
                "another one: other grains");
    return record;
}

MethodEntry femEntry() {
    return methodEntry<FemSettings>({.needsBlow = true, .showsStress = true, .showsRegions = true},
                                    [](const FemSettings& settings, const Making& making) -> MethodPtr {
                                        return std::make_shared<FemMethod>(settings.resolved(making.material));
                                    });
}

std::string problemWith(const FemFractureOptions& options) {
    if (!(options.elastic.density > 0))
        return fmt::format("density: must be positive (kg/m^3), found {:g}", options.elastic.density);
    if (options.maxTets < options.tets)
        return fmt::format("max_tets: must be at least tets, {}, found {}", options.tets, options.maxTets);
    // the ranges are those of the record
    FemSettings settings;
    settings.options = options;
    settings.strength = options.strength.tensile;
    settings.youngsModulus = options.elastic.youngsModulus;
    settings.poissonRatio = options.elastic.poissonRatio;
    settings.extension = options.strength.extension;
    settings.acrossGrain = options.strength.acrossGrain;
    settings.crackEnergy = options.strength.energy;
    settings.roughness = options.roughness;
    return schema::problemIn(settings);
}

FemMethod::FemMethod(FemFractureOptions options) : options_(std::move(options)) {
    if (const std::string problem = problemWith(options_); !problem.empty()) throw std::invalid_argument(problem);
}

FemMethod::~FemMethod() = default;

bool FemMethod::mayBreak(const Solid& solid, const Loads& loads) const {
    if (solid.generation >= options_.maxGenerations) return false;
    if (!(solid.mass > 0)) return false;
    const double part = solid.mass / options_.elastic.density;  // m^3, about
    if (solid.generation > 0 && part < kLeastToBreak * options_.smallestPiece * solid.wholeVolume) return false;
    double most = 0;
    for (const ContactForce& contact : contactForces(loads, struckAsAPoint(solid, options_))) {
        const double force = contact.force.norm();
        const bool rests = contact.rests && options_.blowForce == BlowForce::OverContact;
        if (!rests || force > kRestingForce * loads.gravity * solid.mass) most = std::max(most, force);
    }
    const double size = std::cbrt(part);
    return most * kLargestGain > options_.strength.tensile * size * size;
}

double FemMethod::lastsFor(const Solid& solid, const Load& push, double frame) const {
    const bool isOneBlow = options_.blowForce == BlowForce::OverContact && isBlow(push, frame);
    return isOneBlow && solid.mass > 0 ? contactTime(push, frame, struckAsAPoint(solid, options_)) : 0;
}

std::vector<uint32_t> FemMethod::regionsAt(const Solid& solid, std::span<const Vec3> points) const {
    if (options_.grains.count < 2) return {};
    const TetMesh tets = fillWithTets(solid, options_.filling()).tets;
    if (tets.tetCount() == 0) return {};
    const Grains grains(options_.grains, solid.seed, tets);
    std::vector<uint32_t> numbers(points.size());
    parallelFor(points.size(), 256, [&](const BlockRange& block) {
        for (size_t i = block.begin; i < block.end; ++i) numbers[i] = grains.at(points[i]);
    });
    return numbers;
}

namespace {

/// A solid filled with tets whose stress can be solved for.
class FilledSolid : public Breakable {
public:
    FilledSolid(const FemFractureOptions& options, const Solid& solid, const Context& context)
        : options_(options), solid_(solid), body_(makeFemBody(solid, options, context)) {}

    FracturePlan plan(const Loads& loads, const Context& context) const override {
        FracturePlan plan;
        if (!body_.usable()) return staysWhole("it cannot be filled with tets");

        // forces: what the blow does to the surface while it lasts
        const std::vector<ContactForce> forces = rounded(contactForces(loads, struck()), body_);

        // stress and cracks: solved for anew as long as cracks grow
        context.stage("solving for stress");
        const IndexedVector<TetIndex, double> strength = strengthToTear();
        const CrackableBody crackable = crackableBody(strength);
        const Cracking cracked = crackBy(forces, crackable, cracking(), context);
        const std::optional<Dent> dent = dentOf(cracked);
        if (cracked.cracks == 0 && !dent) return staysWhole(tooWeak(cracked.worst));
        plan.reason = reasonFor(cracked.worst);
        plan.stress = pictureOf(crackable, cracked, forces);
        if (cracked.cracks == 0) {
            changeInOnePiece(plan, body_.scars, dent);
            return plan;
        }

        // pieces: cut out of the surface along the cracks; those that end inside stay, with those there were before
        context.stage("cutting pieces");
        std::optional<Cut> cut = cutAlong(cracked, crackable, context);
        if (!cut) return staysWhole("its pieces could not be cut out: " + plan.reason);
        plan.energy = options_.strength.energy * cut->partial.area();
        if (cut->pieces.size() < 2) {
            if (!dent && !cut->partial.matter()) return staysWhole("its cracks end inside: " + plan.reason);
            changeInOnePiece(plan, cut->partial.all(), dent);
            return plan;
        }

        // finish: mass, energy, and what each piece inherits
        context.stage("finishing pieces");
        finishPieces(plan, *cut, dent);
        return plan;
    }

private:
    struct Cut {
        std::vector<CutPiece> pieces;
        PartialCracks partial;
    };

    StruckBody struck() const {
        return {options_.elastic, solid_.mass,          options_.contactTime,
                body_.centre,     body_.inverseInertia, options_.blowForce};
    }

    bool ductile() const { return options_.ductility > 0; }
    /// Pa, of each tet; what is ductile dents long before it tears.
    IndexedVector<TetIndex, double> strengthToTear() const {
        IndexedVector<TetIndex, double> strength = body_.strength;
        if (ductile()) {
            for (double& one : strength) one *= options_.tearing;
        }
        return strength;
    }
    CrackableBody crackableBody(const IndexedVector<TetIndex, double>& strength) const {
        CrackableBody crackable;
        crackable.tets = &body_.tets;
        crackable.cellSize = body_.cellSize;
        crackable.material = options_.elastic;
        crackable.solver = body_.solver.get();
        crackable.share = body_.share;
        crackable.strength = &strength;
        crackable.weakPlane = body_.weakPlane.empty() ? nullptr : &body_.weakPlane;
        crackable.extension = options_.strength.extension;
        if (options_.strength.acrossGrain < 1) crackable.grain = options_.grainDirection.normalized();
        crackable.acrossGrain = options_.strength.acrossGrain;
        crackable.distance = [this](const Vec3& point) { return body_.distance(point); };
        return crackable;
    }
    CrackingOptions cracking() const {
        CrackingOptions cracking = options_.cracking;
        cracking.leastVolume = 4 * options_.smallestPiece * solid_.wholeVolume;
        return cracking;
    }

    std::optional<Dent> dentOf(const Cracking& cracked) const {
        if (!ductile() || !(cracked.worst.ratio * options_.tearing > 1)) return std::nullopt;
        return std::optional<Dent>(std::in_place, body_.tets, cracked.displacement, options_.ductility,
                                   options_.largestDent * std::cbrt(solid_.wholeVolume));
    }

    /// None, after a warning, when the surface cannot be cut.
    std::optional<Cut> cutAlong(const Cracking& cracked, const CrackableBody& crackable, const Context& context) const {
        // all lengths go by the size of a tet: what is finer is not resolved
        const CrackRoughness roughness{options_.roughness * body_.cellSize, 2 * body_.cellSize,
                                       mixSeed(solid_.seed, 3)};
        const SlitOptions slits{.opening = options_.opening * body_.cellSize,
                                .depth = kSlitDepth * body_.cellSize,
                                .cell = body_.cellSize,
                                .roughness = roughness,
                                .distance = crackable.distance};

        // cracks that end inside do not depend on the pieces: both are made at one time
        std::vector<CutPiece> pieces;
        std::optional<PartialCracks> partial;
        std::string complaint;
        parallelFor(2, 1, [&](const BlockRange& block) {
            if (block.begin == 0) {
                partial.emplace(body_.scars, body_.tets, cracked.tets, slits);
                return;
            }
            try {
                pieces = crackPieces(body_.stretched, body_.grid, body_.tets, cracked.tets, body_.stretch, roughness);
            } catch (const std::runtime_error& error) {
                complaint = error.what();
            }
        });

        // a surface that cannot be cut leaves the body as it was
        if (!complaint.empty()) {
            context.warn(
                fmt::format("stays whole though it should have broken ({}): {}", reasonFor(cracked.worst), complaint));
            return std::nullopt;
        }

        // crumbs stay with a neighbour: they are no bodies of their own
        CrumbLimits limits;
        limits.share = kCrumbShare;
        limits.volume = options_.smallestPiece * solid_.wholeVolume * body_.stretch.prod();
        return Cut{withoutCrumbs(std::move(pieces), limits), std::move(*partial)};
    }

    void changeInOnePiece(FracturePlan& plan, Scars scars, const std::optional<Dent>& dent) const {
        plan.outcome = dent ? Outcome::Dented : Outcome::Cracked;
        plan.fragments.push_back({.geometry = solid_.geometry, .mass = solid_.mass});
        finish(plan.fragments.back(), std::move(scars), dent);
    }

    void finishPieces(FracturePlan& plan, Cut& cut, const std::optional<Dent>& dent) const {
        plan.outcome = Outcome::Broken;
        std::vector<TriMesh> meshes(cut.pieces.size());
        for (size_t i = 0; i < cut.pieces.size(); ++i) {
            meshes[i] = std::move(cut.pieces[i].mesh);
            stretchPositions(meshes[i], body_.stretch.cwiseInverse());
            if (body_.stretch != Vec3::Ones()) restoreCrackFaces(meshes[i]);
        }
        plan.fragments = fragmentsOf(std::move(meshes), solid_.mass);
        plan.energy += options_.strength.energy * newFaceArea(solid_.mesh(), plan.fragments);
        parallelFor(plan.fragments.size(), 1, [&](const BlockRange& block) {
            for (size_t i = block.begin; i < block.end; ++i) {
                Fragment& fragment = plan.fragments[i];
                finish(fragment, cut.partial.in(cut.pieces[i], fragment.mesh()), dent);
            }
        });
    }

    const FemFractureOptions& options_;  // of the method, which outlives this
    Solid solid_;
    FemBody body_;
};

}  // namespace

std::unique_ptr<const Breakable> FemMethod::prepare(const Solid& solid, const Context& context) const {
    return std::make_unique<FilledSolid>(options_, solid, context);
}

}  // namespace sunder::fracture
