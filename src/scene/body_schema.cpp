#include <fmt/format.h>

#include "scene/detail/records.h"
#include "scene/limits.h"
#include "scene/shape_names.h"
#include "scene/strength_paint.h"
#include "schema/json_text.h"

namespace sunder::scene {

const Record<AxisAngle>& recordFor(Of<AxisAngle>) {
    using R = AxisAngle;
    static const Record<R> record =
        Record<R>("axis_angle", "A turn about an axis.")
            .field("axis", &R::axis, vector3(""), "direction; the length does not count")
            .field("degrees", &R::degrees, number({-1e6, 1e6}, "degrees"), "counter-clockwise seen from the axis' tip")
            .check([](const Json&, const R& turn, Reader& reader) { checkAxis(turn.axis, reader); });
    return record;
}

namespace {

constexpr const char* kRotationForms =
    "a rotation: [x, y, z] in degrees about the fixed axes, in that order, or {\"axis\": [x, y, z], \"degrees\": d}, "
    "or "
    "{\"quaternion\": [w, x, y, z]}";

class RotationType : public Type<Rotation> {
public:
    void read(const Json& json, Rotation& value, Reader& reader) const override {
        if (json.is_array()) {
            EulerAngles euler;
            euler_->read(json, euler.degrees, reader);
            value.given = euler;
        } else if (json.is_object() && json.size() == 1 && json.contains("quaternion")) {
            const Reader::Below below(reader, "quaternion");
            readQuaternion(json["quaternion"], value, reader);
        } else if (json.is_object() && (json.contains("axis") || json.contains("degrees"))) {
            AxisAngle turn;
            turn_->read(json, turn, reader);
            value.given = turn;
        } else {
            reader.fail(json, kRotationForms);
        }
    }
    Json write(const Rotation& value, Writer& writer) const override {
        if (const auto* turn = std::get_if<AxisAngle>(&value.given)) {
            Json json = turn_->write(*turn, writer);
            if (!json.contains("degrees")) json["degrees"] = 0;  // its form must stay recognisable
            return json;
        }
        if (const auto* q = std::get_if<QuaternionParts>(&value.given)) {
            return {
                {"quaternion", Json::array({numberJson(q->w), numberJson(q->x), numberJson(q->y), numberJson(q->z)})}};
        }
        return euler_->write(std::get<EulerAngles>(value.given).degrees, writer);
    }
    TypeInfo info() const override {
        const TypeInfo turn = turn_->info();
        const Json quaternion{
            {"type", "object"},
            {"properties",
             {{"quaternion", {{"type", "array"}, {"items", {{"type", "number"}}}, {"minItems", 4}, {"maxItems", 4}}}}},
            {"required", Json::array({"quaternion"})},
            {"additionalProperties", false}};
        return {{{"anyOf", Json::array({euler_->info().schema, turn.schema, quaternion})}, {"x-type", "rotation"}},
                "[x, y, z], degrees, or " + turn.words + " or {\"quaternion\": [w, x, y, z]}",
                {},
                turn.records};
    }

private:
    static void readQuaternion(const Json& json, Rotation& value, Reader& reader) {
        constexpr const char* kAllowed = "four numbers [w, x, y, z], not all zero";
        if (!json.is_array() || json.size() != 4) return reader.fail(json, kAllowed);
        std::array<double, 4> parts{};
        double squared = 0;
        for (size_t i = 0; i < 4; ++i) {
            const std::optional<double> part = readNumber(json[i], kAllowed, reader);
            if (!part) return;
            parts[i] = *part;
            squared += *part * *part;
        }
        if (!(squared > 1e-200 && squared < 1e200)) return reader.fail(json, kAllowed);
        value.given = QuaternionParts{parts[0], parts[1], parts[2], parts[3]};
    }

    TypePtr<Vec3> euler_ = vector3("degrees", {-1e6, 1e6});
    TypePtr<AxisAngle> turn_ = record<AxisAngle>();
};

/// Is there exactly one geometry, and does it go with the rest?
void checkBody(const Json& json, const Body& body, Reader& reader) {
    // one geometry, not two and not none
    const bool shape = json.contains("shape"), mesh = json.contains("mesh");
    if (shape == mesh) {
        reader.say(shape ? "the body has both \"shape\" and \"mesh\"; keep one"
                         : "the body has neither \"shape\" nor \"mesh\"; give one, as \"shape\": \"sphere\"",
                   nullptr, "one of \"shape\" and \"mesh\"");
    }
    // what only some kinds of bodies can have
    const bool isDynamic = body.kind == dynamics::BodyKind::Dynamic;
    const auto onlyFor = [&](const char* key, bool allowed, const char* kind) {
        if (allowed || !json.contains(key)) return;
        const Reader::Below below(reader, key);
        reader.say(fmt::format("only {} bodies have \"{}\"; remove it or set \"kind\": \"{}\"", kind, key, kind),
                   nullptr, fmt::format("absent, or \"kind\": \"{}\"", kind));
    };
    onlyFor("motion", body.kind == dynamics::BodyKind::Kinematic, "kinematic");
    onlyFor("velocity", isDynamic, "dynamic");
    onlyFor("angular_velocity", isDynamic, "dynamic");
    onlyFor("mass", isDynamic, "dynamic");
    onlyFor("anchored", isDynamic, "dynamic");
    onlyFor("fragments_anchored", isDynamic, "dynamic");
    // a plane has no end: it cannot move, break or be weaker inside
    if (body.shape && body.shape->name == kPlane) {
        if (body.kind != dynamics::BodyKind::Static) {
            const Reader::Below below(reader, "shape");
            reader.say("a plane has no end and cannot move; set \"kind\": \"static\"", nullptr,
                       "another shape, or \"kind\": \"static\"");
        }
        if (body.fracture && body.fracture->breaks()) {
            const Reader::Below below(reader, "fracture");
            reader.say("a plane has no end and cannot break; use a box", nullptr, "absent");
        }
        if (body.strengthVolume) {
            const Reader::Below below(reader, "strength_volume");
            reader.say("a plane has no end and no inside that a volume could be for; remove it or use a box", nullptr,
                       "absent");
        }
    }
}

void checkArray(const Json& json, const Array& array, Reader& reader) {
    const double members = memberCount(array);
    if (members > kMaxMembers) {
        const Reader::Below below(reader, "count");
        reader.say(fmt::format("the array would have {:.0f} members; at most {:.0f} are allowed", members, kMaxMembers),
                   json.contains("count") ? json["count"] : Json(), fmt::format("at most {:.0f} members", kMaxMembers));
    }
    if (array.halfEnds && array.offsetEveryOther.x() != 0) {
        const Reader::Below below(reader, "offset_every_other");
        reader.say("half_ends sets every second row off along x by itself; give 0 there", nullptr, "[0, y, z]");
    }
}

}  // namespace

TypePtr<Rotation> rotation() { return std::make_shared<RotationType>(); }

const Record<MeshSettings>& recordFor(Of<MeshSettings>) {
    using M = MeshSettings;
    static const Record<M> record =
        // which file, and how its numbers and axes are meant
        Record<M>("mesh", "A mesh file.")
            .field("file", &M::file, path(), "relative to the scene (obj, ply, stl, off, gltf, glb)")
            .required()
            .field("unit", &M::unit,
                   choice<LengthUnit>({{LengthUnit::Metre, "m"},
                                       {LengthUnit::Centimetre, "cm"},
                                       {LengthUnit::Millimetre, "mm"},
                                       {LengthUnit::Inch, "in"},
                                       {LengthUnit::Foot, "ft"}}),
                   "what a 1 in the file is")
            .field("up", &M::up, choice<UpAxis>({{UpAxis::X, "x"}, {UpAxis::Y, "y"}, {UpAxis::Z, "z"}}),
                   "which axis of the file points up")
            // where it goes and how large it becomes
            .field("centre", &M::centre,
                   choice<Centring>({{Centring::Keep, "keep"},
                                     {Centring::Box, "box"},
                                     {Centring::Base, "base"},
                                     {Centring::Mass, "mass"}}),
                   "where the origin goes: as in the file, the middle of the bounding box, below its middle at the "
                   "lowest point, the centre of mass")
            .field("scale", &M::scale, vector3("", {1e-9, 1e9}, Single::Allowed), "stretches the mesh")
            .field("repair", &M::repair, boolean(), "mend open and crossing surfaces instead of refusing them")
            .shorthand("file");
    return record;
}

const Record<CollisionSettings>& recordFor(Of<CollisionSettings>) {
    using C = CollisionSettings;
    static const Record<C> record =
        Record<C>("collision", "How the body meets others.")
            .field("form", &C::form,
                   choice<CollisionForm>(
                       {{CollisionForm::Auto, "auto"}, {CollisionForm::Hull, "hull"}, {CollisionForm::Field, "field"}}),
                   "auto: exact for boxes, spheres, cylinders and what is convex with few corners, a distance field "
                   "for all else; hull: the "
                   "convex hull")
            .field("cells", &C::cells, whole(0, 256), "of a distance field, along the longest side; 0: chosen")
            .field("layer", &C::layer, name(),
                   "the body belongs to it; at most 31 in a scene; the floor is in none and meets all")
            .field("ignores", &C::ignores, listOf(name()), "layers it passes through");
    return record;
}

const Record<Array>& recordFor(Of<Array>) {
    using A = Array;
    static const Record<A> record =
        Record<A>("array",
                  "The same thing many times. Members are called name/r3c7: row (y) 3, column (x) 7, counted from 0; "
                  "with several layers (z) name/l2r3c7; directions with a count of 1 are left out.")
            // how many, and how far apart
            .field("count", &A::count, whole3(1, 1000000), "columns, rows and layers")
            .required()
            .field("step", &A::step, vector3("m"), "from one to the next")
            .field("offset_every_other", &A::offsetEveryOther, vector3("m"), "of every second row")
            // how masons lay bricks
            .field(
                "half_ends", &A::halfEnds, boolean(),
                "every second row is set off by half a step along x and closed by a half at either end, as masons lay "
                "bricks")
            // the whole, and how regular it is
            .field("centred", &A::centred, boolean(),
                   "the position is the middle of the members (x and z) instead of the first")
            .field("jitter", &A::jitter, vector3("m", {0, 1e6}, Single::Allowed),
                   "every member is moved by up to this much, either way")
            .field("limit", &A::limit, whole(0, 1000000),
                   "at most this many, filled column by column, layer by layer, row by row; 0: all")
            .check(checkArray);
    return record;
}

const Record<StrengthPaint>& recordFor(Of<StrengthPaint>) {
    using P = StrengthPaint;
    static const Record<P> record =
        Record<P>(
            "strength_paint",
            "Strength painted on a body, vertex by vertex. A load counts with the strength of the nearest vertex; "
            "fragments keep what was painted on the whole.")
            .field("vertices", &P::vertices, whole(1, 100000000),
                   "of the body's mesh: as many as it has, or as many as it has after edges longer than 1/32 of its "
                   "diagonal were halved (what Studio paints on)")
            .required()
            .field("values", &P::values, text(kMaxPaintText),
                   "a byte per vertex, percent of the material's strength (100: as it is, 0: breaks at a touch, up to "
                   "255), compressed with zlib, in base64")
            .required()
            // what cannot be unpacked is told now, not when the body is built
            .check([](const Json& json, const P& paint, Reader& reader) {
                const auto given = json.find("values");
                const bool read = given != json.end() && (given->is_string() || referenceIn(*given));
                if (paint.vertices == 0 || !read) return;  // told already
                const PaintValues values = paintValues(paint);
                const Reader::Below below(reader, "values");
                if (!values.problem.empty()) reader.say(values.problem, nullptr, kPaintForm);
            });
    return record;
}

const Record<StrengthVolumeSettings>& recordFor(Of<StrengthVolumeSettings>) {
    using V = StrengthVolumeSettings;
    static const Record<V> record =
        Record<V>("strength_volume",
                  "Strength from a volume texture: weak layers, inclusions, a scan. Between samples it is "
                  "interpolated, beyond "
                  "them it stays as at the nearest; fragments keep what is in them. Paint and volume are multiplied.")
            .field(
                "file", &V::file, path(),
                "relative to the scene: NRRD of three axes, raw, gzip or ascii, up to 512^3 samples. float and double: "
                "1 as the material says, 0.5 half as strong, up to 1000; uint8 and uint16: percent, 100 as the "
                "material says. It is where its \"space directions\" (or \"spacings\") and \"space origin\" say in "
                "the body's coordinates, in m; without them it spans the body's bounding box, its axes along x, y, z")
            .required();
    return record;
}

const Record<Body>& recordFor(Of<Body>) {
    using B = Body;
    static const Record<B> record =
        Record<B>("body", "A thing.")
            // what it is and where
            .field("name", &B::name, name(), "unique among its siblings")
            .required()
            .field("shape", &B::shape, shapeOfCatalogue(), "a ready-made model, or \"plane\"")
            .field("mesh", &B::mesh, scene::record<MeshSettings>(), "a mesh file instead")
            .field("position", &B::position, vector3("m", {-1e6, 1e6}), "of the model's origin")
            .field("rotation", &B::rotation, rotation(), "about the model's origin")
            // how it moves, or what keeps it from moving
            .field("velocity", &B::velocity, vector3("m/s", {-1e5, 1e5}), "of the centre of mass, at the start")
            .field("angular_velocity", &B::angularVelocity, vector3("rad/s", {-1e4, 1e4}), "at the start")
            .field("kind", &B::kind,
                   choice<dynamics::BodyKind>({{dynamics::BodyKind::Dynamic, "dynamic"},
                                               {dynamics::BodyKind::Static, "static"},
                                               {dynamics::BodyKind::Kinematic, "kinematic"}}),
                   "dynamic: moves freely; static: never; kinematic: as its motion says, and yields to nothing")
            .field("mass", &B::mass, number(positive(1e12), "kg"), "instead of the material's density")
            .field("anchored", &B::anchor, number({0, 1e12}, "N s"),
                   "stays where it is until pushed harder than this within a frame")
            .field("fragments_anchored", &B::fragmentAnchor, number({0, 1e12}, "N s"),
                   "the same for the pieces it breaks into")
            .field("asleep", &B::asleep, boolean(), "starts at rest, waiting to be touched")
            // what it is made of and how it breaks
            .field("material", &B::material, materialChoice(), "one of the scene's, or one of its own")
            .field("fracture", &B::fracture, fracture::methodSettings(), "instead of the material's")
            .field("collision", &B::collision, scene::record<CollisionSettings>(), "how it meets others")
            // when and where it is there, and what was painted on it
            .field("motion", &B::motion, variantOf<MotionSettings>(), "of a kinematic body")
            .field("appears", &B::appears, number({0, 1e6}, "s"),
                   "0: there from the start; else it comes when the first frame begins that ends after this time, with "
                   "the place and velocity given here")
            .field("strength_paint", &B::strengthPaint, scene::record<StrengthPaint>(),
                   "where a brush made it weaker or stronger")
            .field("strength_volume", &B::strengthVolume, scene::record<StrengthVolumeSettings>(),
                   "where a volume texture makes it weaker or stronger")
            .field("array", &B::array, scene::record<Array>(), "many of them")
            .check(checkBody);
    return record;
}

const Record<Instance>& recordFor(Of<Instance>) {
    using I = Instance;
    static const Record<I> record =
        Record<I>("instance", "A group, placed. Its members are called name/member.")
            .field("name", &I::name, name(), "unique among its siblings")
            .required()
            .field("group", &I::group, name(), "which one")
            .required()
            .field("position", &I::position, vector3("m", {-1e6, 1e6}), "of the group's origin")
            .field("rotation", &I::rotation, rotation(), "of the group about its origin")
            .field("velocity", &I::velocity, vector3("m/s", {-1e5, 1e5}), "added to that of its dynamic members")
            .field("array", &I::array, scene::record<Array>(), "many of them")
            .check([](const Json&, const I& instance, Reader& reader) {
                if (!instance.array || !instance.array->halfEnds) return;
                const Reader::Below array(reader, "array"), below(reader, "half_ends");
                reader.say("a group cannot be halved; use half_ends on a body", nullptr, "false");
            });
    return record;
}

}  // namespace sunder::scene
