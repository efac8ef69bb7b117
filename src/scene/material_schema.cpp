#include "material/catalogue.h"
#include "scene/detail/records.h"

namespace sunder::scene {

namespace {

TypePtr<std::string> nameOfLook() {
    std::vector<std::pair<std::string, std::string>> names;
    for (const LookEntry& look : looks()) names.emplace_back(look.name, look.name);
    return choice<std::string>(std::move(names));
}

TypePtr<std::string> nameOfReadyMaterial() {
    std::vector<std::pair<std::string, std::string>> names;
    for (const std::string& name : materialNames()) names.emplace_back(name, name);
    return choice<std::string>(std::move(names));
}

/// What a material has besides its base where nothing else is said.
Material onBase(const Material& given) {
    const Material* ready = readyMaterial(given.base);
    return ready != nullptr ? *ready : Material();
}

}  // namespace

const Record<Material>& recordFor(Of<Material>) {
    using M = Material;
    static const Record<M> record =
        Record<M>("material", "What bodies are made of.")
            .field("base", &M::base, nameOfReadyMaterial(),
                   "a ready material: all that is absent below is as it has it; absent: no ready one")
            .basis(onBase)
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
            // constants for methods that solve for stress; their ranges are those of the methods
            .field(
                "stiffness", [](auto& m) -> auto& { return m.solid.youngsModulus; }, number({1e3, 1e13}, "Pa"),
                "Young's modulus; absent, here and below: the base's, or concrete's")
            .field(
                "poisson_ratio", [](auto& m) -> auto& { return m.solid.poissonRatio; }, number({0, 0.45}),
                "how much narrower it gets when it is pulled")
            .field(
                "strength", [](auto& m) -> auto& { return m.solid.strength; }, number({1, 1e12}, "Pa"),
                "a crack begins where more pulls")
            .field(
                "extension", [](auto& m) -> auto& { return m.solid.extension; }, number({0.01, 1}),
                "share of the strength that is enough for a crack to go on")
            .field(
                "across_grain", [](auto& m) -> auto& { return m.solid.acrossGrain; }, number({0.001, 1}),
                "strength across the grain, in parts of that along it")
            .field(
                "crack_energy", [](auto& m) -> auto& { return m.solid.crackEnergy; }, number({0, 1e7}, "J/m^2"),
                "that a new crack takes from the motion of the bodies that met")
            .field(
                "breaking_speed", [](auto& m) -> auto& { return m.solid.breakingSpeed; }, number(positive(1e6), "m/s"),
                "what falls on a hard floor breaks from here on; for methods without stress (prescored)")
            .field(
                "crack_roughness", [](auto& m) -> auto& { return m.solid.crackRoughness; }, number({0, 1}),
                "of crack faces: height, in parts of the size of a tet")
            // how it breaks and how it looks
            .field("fracture", &M::fracture, fracture::methodSettings(),
                   "how bodies of it break, unless a body says so itself; absent: never")
            .field("look", &M::look, nameOfLook(), "how it is drawn")
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
