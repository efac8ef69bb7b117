#include "fracture/fem/fem_method.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include "base/log.h"
#include "base/parallel.h"
#include "base/random.h"
#include "fracture/fem/crack_picture.h"
#include "fracture/fem/crack_pieces.h"
#include "fracture/fem/detail/fem_body.h"
#include "fracture/fem/slits.h"
#include "fracture/share_mass.h"
#include "fracture/squeeze.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/tet/embedding.h"
#include "geometry/tree/winding_number.h"

namespace sunder::fracture {

namespace {

constexpr double kLargestGain = 3e4;   // stress anywhere over force per (cube root of volume)^2: thin plates bend most
constexpr double kRestingForce = 20;   // times the weight: what rests does not break what it rests on, unless heavier
constexpr double kGravity = 9.81;      // m/s^2
constexpr double kCrumbShare = 0.003;  // of a neighbour's volume: what is smaller stays with it
constexpr double kLeastToBreak = 25;   // times the smallest piece
constexpr double kMoreCracks = 1.5;    // times those there were: what cracks less is not changed
constexpr double kStepsPerCell = 8;    // to which contacts are known
constexpr double kForceBits = 6;       // and forces
constexpr size_t kMostSpots = 20000, kMostGaps = 200;
constexpr double kSlitDepth = 1;  // cells: what is deeper in a slit is not seen

std::string reasonFor(const WorstPlace& worst) {
    return fmt::format("tension {:.3g} MPa at ({:.4g}, {:.4g}, {:.4g}), strength {:.3g} MPa", 1e-6 * worst.tension,
                       worst.place.x(), worst.place.y(), worst.place.z(), 1e-6 * worst.strength);
}

double crackArea(const TriMesh& mesh) {
    double area = 0;
    for (const TriangleIndex t : mesh.triangles.indices()) {
        if (!mesh.inside.empty() && mesh.inside[t]) area += mesh.areaVector(t).norm();
    }
    return area;
}

/// m^2, of faces between fragments that were not there before, each once.
double newFaceArea(const TriMesh& before, const std::vector<Fragment>& fragments) {
    double faces = -crackArea(before);
    for (const Fragment& fragment : fragments) faces += crackArea(fragment.mesh);
    return std::max(0.0, 0.5 * faces);
}

/// What stays of the displacements that a blow brings, at any place.
///
///     x <- x + alpha u        [bao2007]
///
/// One and the same at one place, so what fitted still does.
class Dent {
public:
    Dent(const TetMesh& tets, const IndexedVector<NodeIndex, Vec3>& displacement, double ductility, double most)
        : tets_(tets), displacement_(displacement), locator_(tets) {
        double largest = 0;
        for (const Vec3& u : displacement) largest = std::max(largest, u.norm());
        scale_ = largest > 0 ? std::min(ductility, most / largest) : 0;
    }
    void apply(TriMesh& mesh) const {
        for (Vec3& p : mesh.positions) p += at(p);
        mesh.normals.clear();
    }
    void apply(Scars& scars) const {
        for (WeakSpot& spot : scars.spots) spot.place += at(spot.place);
        for (TriMesh& gap : scars.gaps) apply(gap);
    }

private:
    Vec3 at(const Vec3& point) const {
        const TetPoint in = locator_.locate(point);
        const Vec4 weights = in.weights.cwiseMax(0.0) / in.weights.cwiseMax(0.0).sum();
        Vec3 u = Vec3::Zero();
        for (size_t k = 0; k < 4; ++k) u += weights[static_cast<int>(k)] * displacement_[tets_.tets[in.tet][k]];
        return scale_ * u;
    }
    const TetMesh& tets_;
    const IndexedVector<NodeIndex, Vec3>& displacement_;
    TetLocator locator_;
    double scale_ = 0;
};

/// Cracks that end inside, of one blow.
class PartialCracks {
public:
    PartialCracks(const FemBody& body, const CrackedTets& tets, const SlitOptions& slits)
        : old_(body.scars), components_(componentsOf(tets)) {
        for (const CrackFace& face : crackFaces(tets, components_, CrackKind::Partial)) {
            const Vec3 area = areaOf(face.outline);
            area_ += area.norm();
            WeakSpot spot;
            for (const Vec3& p : face.outline) spot.place += p / static_cast<double>(face.outline.size());
            spot.normal = area.normalized();
            spot.size = std::sqrt(area.norm() / std::numbers::pi);
            if (spot.normal.allFinite()) spots_.emplace_back(face.first, spot);
        }
        slits_ = slitsOf(body.tets, tets, components_, slits);
    }

    double area() const { return area_; }  // m^2
    bool matter() const {
        return static_cast<double>(spots_.size()) > (kMoreCracks - 1) * static_cast<double>(old_.spots.size());
    }

    /// What there was and is now, in the whole body.
    Scars all() const { return with(old_, {}); }
    /// In a piece of it.
    Scars in(const CutPiece& piece, const TriMesh& mesh) const {
        Scars kept;
        if (!old_.empty()) {
            const WindingNumber winding(mesh);
            for (const WeakSpot& spot : old_.spots) {
                if (winding(spot.place) > 0.5) kept.spots.push_back(spot);
            }
            const Box3 bounds = boundsOf(mesh);
            for (const TriMesh& gap : old_.gaps) {
                if (bounds.overlaps(boundsOf(gap))) kept.gaps.push_back(gap);
            }
        }
        return with(std::move(kept), piece.cell);
    }

private:
    Scars with(Scars scars, std::optional<uint32_t> component) const {
        for (const auto& [in, spot] : spots_) {
            if (scars.spots.size() < kMostSpots && in == component.value_or(in)) scars.spots.push_back(spot);
        }
        for (const Slit& slit : slits_) {
            if (scars.gaps.size() < kMostGaps && slit.component == component.value_or(slit.component))
                scars.gaps.push_back(slit.gap);
        }
        return scars;
    }

    const Scars& old_;
    TetComponents components_;
    std::vector<std::pair<uint32_t, WeakSpot>> spots_;  // with their components
    std::vector<Slit> slits_;
    double area_ = 0;
};

/// Dents it, and opens its cracks for the eye.
void finish(Fragment& fragment, Scars scars, const Dent* dent) {
    if (dent != nullptr) {
        dent->apply(fragment.mesh);
        dent->apply(scars);
    }
    fragment.inherited = inheritanceOf(scars);
    fragment.shown = opened(fragment.mesh, scars.gaps);
}

/// Contacts as well as they are known: on the surface, to a small part of a cell and of the force. What frames of
/// another length bring, which differs by less than that, then does the same.
std::vector<ContactForce> rounded(std::vector<ContactForce> forces, const FemBody& body) {
    const double step = body.cellSize / kStepsPerCell;
    const auto roundedTo = [](double value, double unit) { return unit * std::round(value / unit); };
    for (ContactForce& contact : forces) {
        const Vec3 inGrid = contact.point.cwiseProduct(body.unit);
        const Vec3 slope = body.grid.gradient(inGrid);
        const double squared = slope.squaredNorm();
        if (squared > 0) contact.point = (inGrid - body.grid.value(inGrid) / squared * slope).cwiseQuotient(body.unit);
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

void setMaterial(const ReadyMaterial& material, FemFractureOptions& options) {
    options.elastic = material.elastic;
    options.strength = material.strength;
    options.roughness = material.roughness;
}

std::string problemWith(const FemFractureOptions& o) {
    const auto outside = [](const char* what, double low, double high, double got) {
        return fmt::format("{} must lie in {:g} .. {:g}, got {:g}", what, low, high, got);
    };
    if (!(o.elastic.density > 0)) return outside("density (kg/m^3)", 1e-9, 1e6, o.elastic.density);
    if (!(o.elastic.stiffness > 0)) return outside("stiffness (Pa)", 1, 1e13, o.elastic.stiffness);
    if (!(o.elastic.poissonRatio >= 0 && o.elastic.poissonRatio <= 0.45))
        return outside("Poisson's ratio", 0, 0.45, o.elastic.poissonRatio);
    if (!(o.strength.tensile > 0)) return outside("strength (Pa)", 1, 1e12, o.strength.tensile);
    if (!(o.strength.extension > 0 && o.strength.extension <= 1))
        return outside("extension", 0.01, 1, o.strength.extension);
    if (!(o.strength.acrossGrain > 0 && o.strength.acrossGrain <= 1))
        return outside("strength across the grain", 0.001, 1, o.strength.acrossGrain);
    if (!(o.strength.energy >= 0 && o.strength.energy <= 1e7))
        return outside("energy of cracks (J/m^2)", 0, 1e7, o.strength.energy);
    if (o.tets < 200 || o.tets > 1'000'000) return outside("tets", 200, 1e6, o.tets);
    if (o.maxTets < o.tets || o.maxTets > 1'000'000) return outside("most tets", o.tets, 1e6, o.maxTets);
    if (!(o.contactTime >= 0 && o.contactTime <= 1)) return outside("contact time (s)", 0, 1, o.contactTime);
    if (o.cracking.rounds < 1 || o.cracking.rounds > 100) return outside("rounds", 1, 100, o.cracking.rounds);
    if (o.cracking.cracks < 1 || o.cracking.cracks > 1000) return outside("cracks", 1, 1000, o.cracking.cracks);
    if (!(o.smallestPiece >= 0 && o.smallestPiece <= 0.5)) return outside("smallest piece", 0, 0.5, o.smallestPiece);
    if (o.maxGenerations < 1 || o.maxGenerations > 100) return outside("generations", 1, 100, o.maxGenerations);
    if (!(o.variation >= 0 && o.variation <= 1)) return outside("variation", 0, 1, o.variation);
    if (!(o.grains.bias >= 0 && o.grains.bias <= 1)) return outside("bias of grains", 0, 1, o.grains.bias);
    if (!(o.grains.spread >= 0 && o.grains.spread <= 0.95))
        return outside("spread of grains", 0, 0.95, o.grains.spread);
    if (o.grains.count < 0 || o.grains.count > 100'000) return outside("grains", 0, 1e5, o.grains.count);
    if (!(o.ductility >= 0 && o.ductility <= 1e6)) return outside("ductility", 0, 1e6, o.ductility);
    if (!(o.tearing >= 1 && o.tearing <= 1000)) return outside("tearing", 1, 1000, o.tearing);
    if (!(o.largestDent >= 0 && o.largestDent <= 1)) return outside("largest dent", 0, 1, o.largestDent);
    if (!(o.opening >= 0 && o.opening <= 0.2)) return outside("opening", 0, 0.2, o.opening);
    if (!(o.roughness >= 0 && o.roughness <= 1)) return outside("roughness", 0, 1, o.roughness);
    return {};
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
        if (!rests || force > kRestingForce * kGravity * solid.mass) most = std::max(most, force);
    }
    const double size = std::cbrt(part);
    return most * kLargestGain > options_.strength.tensile * size * size;
}

double FemMethod::feltFor(const Solid& solid, const Load& push, double frame) const {
    const bool isOneBlow = options_.blowForce == BlowForce::OverContact && isBlow(push, frame);
    return isOneBlow && solid.mass > 0 ? contactTime(push, frame, struckAsAPoint(solid, options_)) : 0;
}

std::unique_ptr<const Prepared> FemMethod::prepare(const Solid& solid) const {
    return std::make_unique<FemBody>(makeFemBody(solid, options_));
}

std::vector<uint32_t> FemMethod::grainsAt(const Solid& solid, std::span<const Vec3> points) const {
    if (options_.grains.count < 2) return {};
    const TetMesh tets = fillWithTets(solid, options_).tets;
    if (tets.tetCount() == 0) return {};
    const Grains grains(options_.grains, solid.seed, tets);
    std::vector<uint32_t> numbers(points.size());
    parallelFor(points.size(), 256, [&](const BlockRange& block) {
        for (size_t i = block.begin; i < block.end; ++i) numbers[i] = grains.at(points[i]);
    });
    return numbers;
}

FracturePlan FemMethod::plan(const Solid& solid, const Prepared& prepared, const Loads& loads) const {
    FracturePlan plan;
    const auto& body = dynamic_cast<const FemBody&>(prepared);
    if (!body.usable() || !mayBreak(solid, loads)) return plan;

    // what the blow does to the tets
    CrackableBody crackable;
    crackable.tets = &body.tets;
    crackable.cellSize = body.cellSize;
    crackable.material = options_.elastic;
    crackable.solver = body.solver.get();
    crackable.share = body.share;
    const bool ductile = options_.ductility > 0;
    IndexedVector<TetIndex, double> tearing = body.strength;
    if (ductile) {
        for (double& strength : tearing) strength *= options_.tearing;
    }
    crackable.strength = &tearing;
    crackable.weakPlane = body.weakPlane.empty() ? nullptr : &body.weakPlane;
    crackable.extension = options_.strength.extension;
    if (options_.strength.acrossGrain < 1) crackable.grain = options_.grainDirection.normalized();
    crackable.acrossGrain = options_.strength.acrossGrain;
    crackable.distance = [&](const Vec3& point) { return body.grid.value(point.cwiseProduct(body.unit)); };
    CrackingOptions cracking = options_.cracking;
    cracking.leastVolume = 4 * options_.smallestPiece * solid.wholeVolume;
    const StruckBody struck{options_.elastic, solid.mass,          options_.contactTime,
                            body.centre,      body.inverseInertia, options_.blowForce};
    const std::vector<ContactForce> forces = rounded(contactForces(loads, struck), body);
    const Cracking cracked = crackBy(forces, crackable, cracking);
    std::optional<Dent> dent;
    if (ductile && cracked.worst.ratio * options_.tearing > 1) {
        dent.emplace(body.tets, cracked.displacement, options_.ductility,
                     options_.largestDent * std::cbrt(solid.wholeVolume));
    }
    const Dent* dentOrNone = dent ? &*dent : nullptr;
    if (cracked.cracks == 0) {
        if (!dent) return plan;
        plan.reason = reasonFor(cracked.worst);
        plan.stress = pictureOf(crackable, cracked, forces);
        plan.changed = Fragment{.mesh = *solid.mesh, .mass = solid.mass};
        finish(*plan.changed, body.scars, dentOrNone);
        return plan;
    }

    // what that does to the surface
    const CrackRoughness roughness{options_.roughness * body.cellSize, 2 * body.cellSize, mixSeed(solid.seed, 3)};
    const SlitOptions slits{.opening = options_.opening * body.cellSize,
                            .depth = kSlitDepth * body.cellSize,
                            .cell = body.cellSize,
                            .roughness = roughness,
                            .distance = crackable.distance};
    std::vector<CutPiece> pieces;
    std::optional<PartialCracks> partialCracks;  // they stay, with those there were before
    std::string complaint;
    parallelFor(2, 1, [&](const BlockRange& block) {
        if (block.begin == 0) {
            partialCracks.emplace(body, cracked.tets, slits);
            return;
        }
        try {
            pieces = crackPieces(body.stretched, body.grid, body.tets, cracked.tets, body.unit, roughness);
        } catch (const std::runtime_error& error) {
            complaint = error.what();
        }
    });
    if (!complaint.empty()) {
        logWarning("a body stays whole that should have broken ({}): {}", reasonFor(cracked.worst), complaint);
        return plan;
    }
    const PartialCracks& partial = *partialCracks;
    CrumbLimits limits;
    limits.share = kCrumbShare;
    limits.volume = options_.smallestPiece * solid.wholeVolume * body.unit.prod();
    pieces = withoutCrumbs(std::move(pieces), limits);
    plan.reason = reasonFor(cracked.worst);
    plan.stress = pictureOf(crackable, cracked, forces);
    plan.energy = options_.strength.energy * partial.area();
    if (pieces.size() < 2) {
        if (!dent && !partial.matter()) {
            plan.energy = 0;
            return plan;
        }
        plan.changed = Fragment{.mesh = *solid.mesh, .mass = solid.mass};
        finish(*plan.changed, partial.all(), dentOrNone);
        return plan;
    }
    plan.fragments.resize(pieces.size());
    for (size_t i = 0; i < pieces.size(); ++i) {
        stretchPositions(pieces[i].mesh, body.unit.cwiseInverse());
        if (body.unit != Vec3::Ones()) restoreCrackFaces(pieces[i].mesh);
        plan.fragments[i].mesh = std::move(pieces[i].mesh);
    }
    shareMass(solid.mass, plan.fragments);
    plan.energy += options_.strength.energy * newFaceArea(*solid.mesh, plan.fragments);
    parallelFor(pieces.size(), 1, [&](const BlockRange& block) {
        for (size_t i = block.begin; i < block.end; ++i) {
            Fragment& fragment = plan.fragments[i];
            finish(fragment, partial.in(pieces[i], fragment.mesh), dentOrNone);
        }
    });
    return plan;
}

}  // namespace sunder::fracture
