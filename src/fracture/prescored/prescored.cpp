#include "fracture/prescored/prescored.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/random.h"
#include "fracture/common/finish.h"
#include "fracture/common/strength_field.h"
#include "fracture/prescored/detail/curved_assets.h"
#include "fracture/prescored/detail/curved_break.h"
#include "fracture/prescored/detail/patterns.h"
#include "fracture/prescored/detail/planar_break.h"
#include "fracture/prescored/detail/portable.h"
#include "fracture/prescored/detail/prepared_solid.h"
#include "geometry/mesh/mass_properties.h"

namespace sunder::fracture {

namespace {

double volumeOf(const Solid& solid) { return solid.generation == 0 ? solid.wholeVolume : solid.volume(); }

/// m^3: of a body that is larger no more counts, when nobody says how hard a blow must be. What lies further from the
/// blow than half a metre hardly feels it.
constexpr double kFelt = 0.1;

/// J, that a load brings.
double energyOf(const Load& load) { return 0.5 * load.impulse.norm() * load.approachSpeed; }

std::string reasonFor(const Load& push, const Hardness& hardness, bool byThreshold) {
    const std::string place = fmt::format("({:.4g}, {:.4g}, {:.4g})", push.point.x(), push.point.y(), push.point.z());
    if (byThreshold)
        return fmt::format("impulse {:.4g} N s at {}, threshold {:.4g} N s", hardness.brought, place, hardness.borne);
    return fmt::format("a blow of {:.4g} J at {}, of which it bears {:.4g} J", hardness.brought, place, hardness.borne);
}

/// A push without a normal acts along its impulse.
ImpactPlace placeOf(const Load& push) {
    for (const Vec3& direction : {push.normal, push.impulse}) {
        const double length = direction.norm();
        if (length > 0 && std::isfinite(length)) return {push.point, direction / length};
    }
    return {push.point, Vec3(0, 0, 1)};
}

}  // namespace

const schema::Record<PrescoredOptions>& recordFor(schema::Of<PrescoredOptions>) {
    using namespace schema;
    using O = PrescoredOptions;

    // the patterns there are, and what each is for
    std::vector<std::pair<PatternKind, std::string>> names;
    std::string help = "how space is scored";
    for (const Pattern& pattern : patterns()) {
        names.emplace_back(&pattern, pattern.name);
        help += fmt::format("{} {}: {}", names.size() == 1 ? ";" : ",", pattern.name, pattern.help);
    }
    static const Record<O> record =
        Record<O>("prescored", "Space is scored once; the scores are moved to the impact and cut the body.")
            .tag("method", "prescored")
            // what breaks a body, and into how many pieces
            .field(
                "threshold", &O::threshold, number({0, 1e9}, "N s"),
                "a whole body breaks when a blow within a frame is harder; absent: when a blow has more energy than "
                "the body at the breaking speed of its material (of a large body 0.1 m^3 count). Bodies that rest on "
                "it break nothing")
            .field("threshold_exponent", &O::thresholdExponent, number({0, 4}),
                   "a fragment's threshold is the whole's times (its part of the volume)^this")
            .field("pieces", &O::pieces, whole(2, 100000), "of a body that breaks")
            // how space is scored: one pattern, and what only some of them ask for
            .field(
                "pattern", [](auto& o) -> auto& { return o.pattern.kind; }, choice<PatternKind>(names), help)
            .field(
                "concentration", [](auto& o) -> auto& { return o.pattern.concentration; }, number({0, 0.99}),
                "radial, realistic: 0 = as fine far away as at the impact")
            .field(
                "spokes", [](auto& o) -> auto& { return o.pattern.spokes; }, whole(0, 200),
                "glass: cracks that run outwards; 0: chosen")
            .field(
                "brick", [](auto& o) -> auto& { return o.pattern.brick; }, vector3("", positive(1000)),
                "brick: length, height, depth; only their ratios count")
            .field(
                "stretch", [](auto& o) -> auto& { return o.pattern.stretch; }, whole(1, 64),
                "splinter: how much longer along the grain than across; a power of two")
            .field(
                "grain", [](auto& o) -> auto& { return o.pattern.grain; }, vector3("", {-1, 1}),
                "splinter: direction in the body; [0, 0, 0]: its longest side")
            .field(
                "roughness", [](auto& o) -> auto& { return o.pattern.roughness; }, number({0, 2}),
                "realistic: how far walls stray from planes, in parts of a piece's size")
            .field("pattern_files", &O::patternFiles, listOf(path()),
                   "artist: closed meshes that fill a box between them, relative to the scene")
            // curved patterns: how exactly they are laid over a body
            .field("alignment", &O::alignment,
                   choice<PatternAlignment>({{PatternAlignment::Exact, "exact"}, {PatternAlignment::Fast, "fast"}}),
                   "curved patterns; exact: turned to the impact; fast: moved by whole cells only")
            .field("cells", &O::cells, whole(8, 256), "curved patterns: grid cells along the longest side of a body")
            .field("pattern_seed", &O::patternSeed, seedNumber(), "fast: of the space that is scored beforehand")
            // what does not break again
            .field("smallest_piece", &O::smallestPiece, number({0, 1}),
                   "volume, in parts of the whole body's: what is smaller does not break again")
            .field("max_generations", &O::maxGenerations, whole(1, 100),
                   "how often a body and its fragments may break in a row")
            // files are asked for by the artist pattern, and by that alone
            .check([](const Json& json, const O& options, Reader& reader) {
                if (const std::string problem = problemWith(options.pattern); !problem.empty()) reader.say(problem);
                const bool artist = needsMeshes(options.pattern.kind);
                const Reader::Below below(reader, "pattern_files");
                if (artist && options.pattern.meshes == nullptr && options.patternFiles.size() < 2) {
                    reader.say("the artist pattern needs its meshes: give two \"pattern_files\" or more", nullptr,
                               "a list of two files or more");
                } else if (!artist && !options.patternFiles.empty() && json.contains("pattern_files")) {
                    reader.say("only the artist pattern has files; set \"pattern\": \"artist\" or remove them", nullptr,
                               "absent, or \"pattern\": \"artist\"");
                }
            });
    return record;
}

MethodEntry prescoredEntry() {
    return methodEntry<PrescoredOptions>({}, [](const PrescoredOptions& settings, const Making& making) -> MethodPtr {
        PrescoredOptions options = settings;
        if (making.material != nullptr) options.breakingSpeed = making.material->breakingSpeed;
        if (!options.patternFiles.empty()) {
            auto regions = std::make_shared<std::vector<TriMesh>>();
            for (size_t i = 0; i < options.patternFiles.size(); ++i)
                regions->push_back(making.files.solid(options.patternFiles[i], fmt::format("/pattern_files/{}", i)));
            options.pattern.meshes = std::move(regions);
        }
        return std::make_shared<PrescoredMethod>(std::move(options));
    });
}

PrescoredMethod::PrescoredMethod(PrescoredOptions options)
    : options_(std::move(options)), assets_(std::make_unique<CurvedAssets>()) {
    if (const std::string problem = schema::problemIn(options_); !problem.empty()) throw std::invalid_argument(problem);
}

PrescoredMethod::~PrescoredMethod() = default;

Hardness PrescoredMethod::hardness(const Solid& solid, const Load& load) const {
    // what a fragment bears as a part of the whole, and what is painted where it is hit
    double share = 1;
    if (solid.generation > 0 && options_.thresholdExponent > 0 && solid.wholeVolume > 0) {
        const double part = std::clamp(volumeOf(solid) / solid.wholeVolume, 1e-30, 1.0);
        share = power(part, options_.thresholdExponent);
    }
    const double painted = solid.strength ? solid.strength->at(load.point) : 1;
    if (options_.threshold) return {load.impulse.norm(), painted * share * *options_.threshold};

    // energies: the smaller a fragment, the more it bears for its size, and never less than a body of that size
    const double density = solid.mass / solid.volume(), v = options_.breakingSpeed;
    const auto usual = [&](double volume) { return 0.5 * density * std::min(volume, kFelt) * v * v; };
    return {energyOf(load), painted * std::max(usual(volumeOf(solid)), share * usual(solid.wholeVolume))};
}

const Load* PrescoredMethod::hardestBlow(const Solid& solid, const Loads& loads) const {
    const Load* best = nullptr;
    double most = 0;
    for (const Load& load : loads.list) {
        const double size = rests(load, loads) ? 0 : hardness(solid, load).ratio();
        if (!(size > most)) continue;
        best = &load;
        most = size;
    }
    return best;
}

bool PrescoredMethod::mayBreak(const Solid& solid, const Loads& loads) const {
    if (solid.generation >= options_.maxGenerations) return false;
    if (solid.generation > 0 && volumeOf(solid) < options_.smallestPiece * solid.wholeVolume) return false;
    const Load* blow = hardestBlow(solid, loads);
    return blow != nullptr && hardness(solid, *blow).ratio() > 1;
}

namespace {

/// A solid whose inside is known: where pieces may lie, and, for curved patterns, how far its surface is.
class ScoredSolid : public Breakable {
public:
    ScoredSolid(const PrescoredMethod& method, CurvedAssets& assets, const Solid& solid, const Context& context)
        : method_(method), assets_(assets), solid_(solid), body_(prepareSolid(solid, method.options(), context)) {}

    FracturePlan plan(const Loads& loads, const Context& context) const override {
        // whoever asks for pieces without a blow only says where
        const Load* blow = method_.hardestBlow(solid_, loads);
        const Load& push = blow != nullptr ? *blow : *hardest(loads);
        const Hardness hardness = method_.hardness(solid_, push);

        // the pattern, moved to the impact, cuts the body
        context.stage("cutting along the pattern");
        FracturePlan plan;
        std::vector<TriMesh> pieces;
        try {
            pieces = piecesAt(placeOf(push), context.assets);
        } catch (const std::runtime_error& error) {
            context.warn(fmt::format("stays whole though it should have broken ({}): {}",
                                     reasonFor(push, hardness, method_.options().threshold.has_value()), error.what()));
            return plan;
        }
        if (pieces.size() < 2) return staysWhole("the pattern has one region in it; ask for more pieces");

        // each piece has its share of the mass
        plan.outcome = Outcome::Broken;
        plan.fragments = fragmentsOf(std::move(pieces), solid_.mass);
        plan.reason = reasonFor(push, hardness, method_.options().threshold.has_value());
        return plan;
    }

private:
    std::vector<TriMesh> piecesAt(const ImpactPlace& place, AssetStore* store) const {
        const PrescoredOptions& options = method_.options();
        const PatternKind kind = options.pattern.kind;
        const uint64_t seed = mixSeed(solid_.seed, 2);
        if (isCurved(kind)) return breakAlongSurfaces(solid_, body_, options, place, seed, {assets_, store});
        const SitePattern sites = kind->sites({options.pattern, body_.samples, options.pieces, place, seed});
        return breakAlongPlanes(solid_.mesh(), sites, options.pieces, kind);
    }

    const PrescoredMethod& method_;
    CurvedAssets& assets_;
    Solid solid_;
    PreparedSolid body_;
};

}  // namespace

std::unique_ptr<const Breakable> PrescoredMethod::prepare(const Solid& solid, const Context& context) const {
    return std::make_unique<ScoredSolid>(*this, *assets_, solid, context);
}

}  // namespace sunder::fracture
