#include "scene/detail/records.h"

namespace sunder::scene {

const Record<Material>& recordFor(Of<Material>) {
    using M = Material;
    static const Record<M> record =
        Record<M>("material", "What bodies are made of.")
            // mass, and how it meets others
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
            // how it breaks and how it looks
            .field("fracture", &M::fracture, fracture::methodSettings(), "how it breaks; absent: never")
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
