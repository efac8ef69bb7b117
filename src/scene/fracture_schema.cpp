#include <algorithm>

#include "scene/detail/records.h"

namespace sunder::scene {

template <>
const Record<Unbreakable>& recordOf<Unbreakable>() {
    static const Record<Unbreakable> record =
        Record<Unbreakable>("unbreakable", "Never breaks, whatever its material says.").tag("method", "none");
    return record;
}

template <>
const Record<PrescoredSettings>& recordOf<PrescoredSettings>() {
    using S = PrescoredSettings;
    static const Record<S> record =
        Record<S>("prescored", "Space is scored once; the scores are moved to the impact and cut the body.")
            .tag("method", "prescored")
            .field(
                "threshold", [](auto& s) -> auto& { return s.options.threshold; }, number({0, 1e9}, "N s"),
                "a whole body breaks when a push within a frame is harder")
            .field(
                "threshold_exponent", [](auto& s) -> auto& { return s.options.thresholdExponent; }, number({0, 4}),
                "a fragment's threshold is the whole's times (its part of the volume)^this")
            .field(
                "pieces", [](auto& s) -> auto& { return s.options.pieces; }, whole(2, 100000), "of a body that breaks")
            .field(
                "pattern", [](auto& s) -> auto& { return s.options.pattern.kind; },
                choice<fracture::PatternKind>({{fracture::PatternKind::Uniform, "uniform"},
                                               {fracture::PatternKind::Radial, "radial"},
                                               {fracture::PatternKind::Glass, "glass"},
                                               {fracture::PatternKind::Brick, "brick"},
                                               {fracture::PatternKind::Splinter, "splinter"},
                                               {fracture::PatternKind::Realistic, "realistic"},
                                               {fracture::PatternKind::Artist, "artist"}}),
                "how space is scored")
            .field(
                "concentration", [](auto& s) -> auto& { return s.options.pattern.concentration; }, number({0, 0.99}),
                "radial, realistic: 0 = as fine far away as at the impact")
            .field(
                "spokes", [](auto& s) -> auto& { return s.options.pattern.spokes; }, whole(0, 200),
                "glass: cracks that run outwards; 0: chosen")
            .field(
                "brick", [](auto& s) -> auto& { return s.options.pattern.brick; }, vector3("", positive(1000)),
                "brick: length, height, depth; only their ratios count")
            .field(
                "stretch", [](auto& s) -> auto& { return s.options.pattern.stretch; }, whole(1, 64),
                "splinter: how much longer along the grain than across; a power of two")
            .field(
                "grain", [](auto& s) -> auto& { return s.options.pattern.grain; }, vector3("", {-1, 1}),
                "splinter: direction in the body; [0, 0, 0]: its longest side")
            .field(
                "roughness", [](auto& s) -> auto& { return s.options.pattern.roughness; }, number({0, 2}),
                "realistic: how far walls stray from planes, in parts of a piece's size")
            .field("pattern_files", &S::patternFiles, listOf(path()),
                   "artist: closed meshes that fill a box between them, relative to the scene")
            .field(
                "alignment", [](auto& s) -> auto& { return s.options.alignment; },
                choice<fracture::PatternAlignment>(
                    {{fracture::PatternAlignment::Exact, "exact"}, {fracture::PatternAlignment::Fast, "fast"}}),
                "curved patterns; exact: turned to the impact; fast: moved by whole cells only")
            .field(
                "cells", [](auto& s) -> auto& { return s.options.cells; }, whole(8, 512),
                "curved patterns: grid cells along the longest side of a body")
            .field(
                "pattern_seed", [](auto& s) -> auto& { return s.options.patternSeed; }, seedNumber(),
                "fast: of the space that is scored beforehand")
            .field(
                "smallest_piece", [](auto& s) -> auto& { return s.options.smallestPiece; }, number({0, 1}),
                "volume, in parts of the whole body's: what is smaller does not break again")
            .field(
                "max_generations", [](auto& s) -> auto& { return s.options.maxGenerations; }, whole(1, 100),
                "how often a body and its fragments may break in a row")
            .check([](const Json& json, const S& settings, Reader& reader) {
                const bool artist = settings.options.pattern.kind == fracture::PatternKind::Artist;
                const std::string problem = artist ? "" : fracture::problemWith(settings.options);
                if (!problem.empty()) reader.say(problem);
                const Reader::Below below(reader, "pattern_files");
                if (artist && settings.patternFiles.size() < 2) {
                    reader.say("the artist pattern needs its meshes: give two \"pattern_files\" or more", nullptr,
                               "a list of two files or more");
                } else if (!artist && json.contains("pattern_files")) {
                    reader.say("only the artist pattern has files; set \"pattern\": \"artist\" or remove them", nullptr,
                               "absent, or \"pattern\": \"artist\"");
                }
            });
    return record;
}

fracture::FemFractureOptions FemSettings::resolved() const {
    fracture::FemFractureOptions all = options;
    if (const ReadyMaterial* ready = findReadyMaterial(material)) setMaterial(*ready, all);
    all.strength.tensile = strength.value_or(all.strength.tensile);
    all.strength.extension = extension.value_or(all.strength.extension);
    all.strength.acrossGrain = acrossGrain.value_or(all.strength.acrossGrain);
    all.strength.energy = crackEnergy.value_or(all.strength.energy);
    all.roughness = roughness.value_or(all.roughness);
    all.elastic.stiffness = stiffness.value_or(all.elastic.stiffness);
    all.elastic.poissonRatio = poissonRatio.value_or(all.elastic.poissonRatio);
    all.maxTets = std::max(all.tets, all.maxTets);
    return all;
}

template <>
const Record<FemSettings>& recordOf<FemSettings>() {
    using S = FemSettings;
    std::vector<std::pair<std::string, std::string>> materials;
    for (const ReadyMaterial& ready : readyMaterials()) materials.emplace_back(ready.name, ready.name);
    static const Record<S> record =
        Record<S>("fem", "Stress is solved for by finite elements; cracks begin and run where it is too much.")
            .tag("method", "fem")
            .field("material", &S::material, choice<std::string>(materials),
                   "constants as handbooks have them; each may be set by itself below")
            .field("strength", &S::strength, number({1, 1e12}, "Pa"),
                   "a crack begins where more pulls; absent: the material's")
            .field("stiffness", &S::stiffness, number({1e3, 1e13}, "Pa"), "Young's modulus; absent: the material's")
            .field("poisson_ratio", &S::poissonRatio, number({0, 0.45}), "absent: the material's")
            .field("extension", &S::extension, number({0.01, 1}),
                   "share of the strength that is enough for a crack to go on; absent: the material's")
            .field("across_grain", &S::acrossGrain, number({0.001, 1}),
                   "strength across the grain, in parts of that along it; absent: the material's (1 but for wood)")
            .field("crack_energy", &S::crackEnergy, number({0, 1e7}, "J/m^2"),
                   "that a new crack takes from the motion of whoever met; absent: the material's")
            .field("roughness", &S::roughness, number({0, 1}),
                   "of crack faces: height, in parts of the size of a tet; absent: the material's (glass 0.03, "
                   "concrete 0.35)")
            .field(
                "grain_direction", [](auto& s) -> auto& { return s.options.grainDirection; }, vector3("", {-1, 1}),
                "in the body, of a material with a grain")
            .field(
                "variation", [](auto& s) -> auto& { return s.options.variation; }, number({0, 1}),
                "how much strength differs from place to place, in parts of it")
            .field(
                "contact_time", [](auto& s) -> auto& { return s.options.contactTime; }, number({0, 1}, "s"),
                "how long a blow lasts, whatever the frame's length; 0: by Hertz, from mass, stiffness and speed")
            .field(
                "blow_force", [](auto& s) -> auto& { return s.options.blowForce; },
                choice<fracture::BlowForce>(
                    {{fracture::BlowForce::OverContact, "contact"}, {fracture::BlowForce::OverFrame, "frame"}}),
                "impulse over the contact time, the same for any frame rate; frame: over the frame's length, to "
                "compare with: what breaks then depends on the frame rate")
            .field(
                "tets", [](auto& s) -> auto& { return s.options.tets; }, whole(200, 1000000),
                "about how many tets a body gets; thin ones get more")
            .field(
                "max_tets", [](auto& s) -> auto& { return s.options.maxTets; }, whole(200, 1000000),
                "but no more than this")
            .field(
                "elements", [](auto& s) -> auto& { return s.options.elements; },
                choice<fracture::ElementChoice>({{fracture::ElementChoice::Auto, "auto"},
                                                 {fracture::ElementChoice::Linear, "linear"},
                                                 {fracture::ElementChoice::Quadratic, "quadratic"}}),
                "auto: quadratic for thin bodies, which bend, linear for others")
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
                "another one: other grains")
            .check([](const Json&, const S& settings, Reader& reader) {
                const std::string problem = fracture::problemWith(settings.resolved());
                if (!problem.empty()) reader.say(problem);
            });
    return record;
}

template <>
const Record<Material>& recordOf<Material>() {
    using M = Material;
    static const Record<M> record =
        Record<M>("material", "What bodies are made of.")
            .field("density", &M::density, number(positive(1e6), "kg/m^3"), "mass per volume")
            .field(
                "friction", [](auto& m) -> auto& { return m.contact.friction; }, number({0, 100}),
                "Coulomb coefficient; of two bodies the geometric mean counts")
            .field(
                "restitution", [](auto& m) -> auto& { return m.contact.restitution; }, number({0, 1}),
                "0 = no bounce, 1 = elastic; of two bodies the larger counts")
            .field(
                "rolling_friction", [](auto& m) -> auto& { return m.contact.rollingFriction; }, number({0, 1000}, "m"),
                "lever arm of the torque that resists rolling")
            .field("fracture", &M::fracture, variantOf<FractureSettings>(), "how it breaks; absent: never")
            .field("look", &M::look,
                   choice<Look>({{Look::Plain, "plain"},
                                 {Look::Stone, "stone"},
                                 {Look::Concrete, "concrete"},
                                 {Look::Brick, "brick"},
                                 {Look::Clay, "clay"},
                                 {Look::Glass, "glass"},
                                 {Look::Ceramic, "ceramic"},
                                 {Look::Wood, "wood"},
                                 {Look::Metal, "metal"},
                                 {Look::Ice, "ice"}}),
                   "how it is drawn")
            .field("colour", &M::colour, colour(), "absent: the look's own")
            .field("inside_colour", &M::insideColour, colour(),
                   "of crack faces; absent: that of a fresh break, lighter than the outside");
    return record;
}

namespace {

/// "brick", or {...}.
class MaterialChoiceType : public Type<MaterialChoice> {
public:
    void read(const Json& json, MaterialChoice& value, Reader& reader) const override {
        if (json.is_string()) return name_->read(json, value.name, reader);
        if (!json.is_object())
            return reader.fail(json, "the name of a material, or an object {...} that describes one");
        value.own.emplace();
        own_->read(json, *value.own, reader);
    }
    Json write(const MaterialChoice& value, Writer& writer) const override {
        if (value.own) return own_->write(*value.own, writer);
        return value.name.empty() ? Json(nullptr) : name_->write(value.name, writer);
    }
    TypeInfo info() const override {
        const TypeInfo own = own_->info();
        return {{{"anyOf", Json::array({{{"type", "string"}}, own.schema})}}, "name or " + own.words, {}, own.records};
    }

private:
    TypePtr<std::string> name_ = name();
    TypePtr<Material> own_ = record<Material>();
};

}  // namespace

TypePtr<MaterialChoice> materialChoice() { return std::make_shared<MaterialChoiceType>(); }

}  // namespace sunder::scene
