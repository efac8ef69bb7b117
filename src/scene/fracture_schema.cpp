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
