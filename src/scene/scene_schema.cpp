#include "scene/detail/records.h"
#include "schema/json_text.h"

namespace sunder::scene {

const Record<Floor>& recordFor(Of<Floor>) {
    using F = Floor;
    static const Record<F> record =
        Record<F>("floor", "A plane to fall on. Its body is called floor.")
            .field("height", &F::height, number({-1e6, 1e6}, "m"), "of its surface")
            .field("material", &F::material, materialChoice(), "one of the scene's, or one of its own");
    return record;
}

namespace {

/// true, or {...}.
class FloorType : public Type<Floor> {
public:
    void read(const Json& json, Floor& value, Reader& reader) const override {
        if (json.is_boolean()) {
            value.present = json.get<bool>();
        } else if (json.is_object()) {
            value.present = true;
            recordOf<Floor>().read(json, value, reader);
        } else {
            reader.fail(json, "true, false or an object {\"height\": ..., \"material\": ...}");
        }
    }
    Json write(const Floor& value, Writer& writer) const override {
        if (!value.present) return false;
        const Json json = recordOf<Floor>().write(value, writer);
        return json.empty() ? Json(true) : json;
    }
    TypeInfo info() const override {
        const TypeInfo record = recordOf<Floor>().info();
        return {{{"anyOf", Json::array({{{"type", "boolean"}}, record.schema})}},
                "true or " + record.words,
                {},
                record.records};
    }
};

bool isScalar(const Json& json) { return json.is_number() || json.is_string() || json.is_boolean(); }

/// Any names with plain values.
class ParametersType : public Type<Json> {
public:
    void read(const Json& json, Json& value, Reader& reader) const override {
        constexpr const char* kAllowed = "a number, text, true, false, or a list of these";
        if (!json.is_object()) return reader.fail(json, "an object {\"name\": value, ...}");
        for (const auto& item : json.items()) {
            const Reader::Below below(reader, item.key());
            if (!readName(item.key(), reader)) continue;
            bool plain = isScalar(item.value()) || item.value().is_array();
            if (item.value().is_array()) {
                for (const Json& part : item.value()) plain = plain && isScalar(part);
            }
            if (!plain) reader.fail(item.value(), kAllowed);
        }
        value = json;
    }
    Json write(const Json& value, Writer&) const override { return value; }
    TypeInfo info() const override {
        return {{{"type", "object"},
                 {"additionalProperties", {{"type", Json::array({"number", "string", "boolean", "array"})}}}},
                "values by name",
                {},
                {}};
    }
};

}  // namespace

const Record<Group>& recordFor(Of<Group>) {
    using G = Group;
    static const Record<G> record =
        Record<G>("group", "Bodies that are placed together, by instances.")
            .field("bodies", &G::bodies, listOf(scene::record<Body>()), "its own")
            .field("instances", &G::instances, listOf(scene::record<Instance>()), "of other groups");
    return record;
}

const Record<Limits>& recordFor(Of<Limits>) {
    using L = Limits;
    static const Record<L> record =
        Record<L>("limits", "Where breaking ends.")
            .field("max_bodies", &L::maxBodies, whole(1, 1000000), "breaking stops when there would be more")
            .field("reprocess_rounds", &L::reprocessRounds, whole(0, 16),
                   "how often a frame is done again with the fragments it made");
    return record;
}

const Record<Output>& recordFor(Of<Output>) {
    using O = Output;
    static const Record<O> record =
        Record<O>("output", "Where the recording goes, and what is in it besides the motion.")
            .field("file", &O::file, text(4096),
                   "relative to the scene; without: the scene's name with .sunder, where the program runs; -o goes "
                   "before both")
            .field("impacts", &O::impacts, boolean(), "who hit whom, where and how hard")
            .field("least_impulse", &O::leastImpulse, number({0, 1e12}, "N s"), "weaker impacts are left out")
            .field("least_speed", &O::leastSpeed, number({0, 1e6}, "m/s"),
                   "impacts of bodies that approach each other more slowly are left out; absent: twice what gravity "
                   "gives in a frame, so that what lies and slides has none")
            .field("checkpoint_every", &O::checkpointEvery, whole(1, 1000000), "frames; a run resumes from the last");
    return record;
}

const Record<Camera>& recordFor(Of<Camera>) {
    using C = Camera;
    static const Record<C> record =
        Record<C>("camera", "From where the scene is seen.")
            .field("position", &C::position, vector3("m"), "of the eye")
            .field("target", &C::target, vector3("m"), "what is in the middle of the picture")
            .field("field_of_view", &C::fieldOfView, number({1, 150}, "degrees"), "across the width of the picture")
            .check([](const Json&, const C& camera, Reader& reader) {
                if (camera.position != camera.target) return;
                reader.say("position and target are the same point; move one of them", nullptr, "two points");
            });
    return record;
}

const Record<View>& recordFor(Of<View>) {
    using V = View;
    static const Record<V> record =
        Record<V>("view", "How pictures are made; no result depends on it.")
            .field("camera", &V::camera, scene::record<Camera>(), "from where it is seen; absent: so that all is seen")
            .field("light", &V::light, vector3(""), "direction towards the main light")
            .field("background", &V::background,
                   choice<Background>({{Background::Studio, "studio"},
                                       {Background::Sky, "sky"},
                                       {Background::Dark, "dark"},
                                       {Background::White, "white"}}),
                   "what is behind")
            .check([](const Json&, const V& view, Reader& reader) { checkAxis(view.light, reader, "light"); });
    return record;
}

const Record<Scene>& recordFor(Of<Scene>) {
    using S = Scene;
    static const Record<S> record =
        Record<S>("scene", "The whole file.")
            // about the file
            .field("$schema", &S::schema, text(), "where editors find sunder.schema.json")
            .field("version", &S::version, whole(1, kSceneVersion), "of the format")
            .required()
            .field("title", &S::title, text(), "one line")
            .field("description", &S::description, text(), "what there is to see")
            // what the rest refers to
            .field("parameters", &S::parameters, TypePtr<Json>(std::make_shared<ParametersType>()),
                   "values that others refer to as \"$name\" or {\"$\": \"name\"}, and --set name=value changes")
            .field("world", &S::world, scene::record<WorldSettings>(), "time, gravity and the solver")
            .field("materials", &S::materials, namedListOf(scene::record<Material>()), "what bodies are made of")
            .field("groups", &S::groups, namedListOf(scene::record<Group>()), "bodies that instances place")
            // what is there and what happens to it
            .field("floor", &S::floor, TypePtr<Floor>(std::make_shared<FloorType>()), "a plane to fall on")
            .field("bodies", &S::bodies, listOf(scene::record<Body>()), "things")
            .field("instances", &S::instances, listOf(scene::record<Instance>()), "groups, placed")
            .field("fields", &S::fields, listOf(variantOf<dynamics::ForceField>()), "forces at a distance")
            .field("explosions", &S::explosions, listOf(scene::record<Blast>()), "blasts")
            .field("actions", &S::actions, listOf(variantOf<Action>()), "what hands do to bodies")
            // how far it goes and what is kept of it
            .field("limits", &S::limits, scene::record<Limits>(), "where breaking ends")
            .field("output", &S::output, scene::record<Output>(), "what is recorded")
            .field("view", &S::view, scene::record<View>(), "how pictures are made");
    return record;
}

}  // namespace sunder::scene
