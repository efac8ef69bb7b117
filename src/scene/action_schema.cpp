#include "scene/detail/records.h"
#include "schema/json_text.h"

namespace sunder::scene {

namespace {

constexpr const char* kWhen = "since the start; it is done when the first frame begins that ends after it";

/// [time, x, y, z].
class PathPointType : public Type<sim::PullAction::PathPoint> {
public:
    void read(const Json& json, sim::PullAction::PathPoint& value, Reader& reader) const override {
        if (!json.is_array() || json.size() != 4) return reader.fail(json, "four numbers [time, x, y, z] (s, m)");
        for (size_t i = 0; i < 4; ++i) {
            const Reader::Below below(reader, i);
            readValue(i == 0 ? *time_ : *metres_, json[i],
                      i == 0 ? value.time : value.position[static_cast<int>(i) - 1], reader);
        }
    }
    Json write(const sim::PullAction::PathPoint& value, Writer& writer) const override {
        Json json = Json::array();
        for (size_t i = 0; i < 4; ++i) {
            const Writer::Below below(writer, std::to_string(i));
            json.push_back(writeValue(i == 0 ? *time_ : *metres_,
                                      i == 0 ? value.time : value.position[static_cast<int>(i) - 1], writer));
        }
        return json;
    }
    TypeInfo info() const override {
        const Json metres = metres_->info().schema;
        return {{{"type", "array"},
                 {"prefixItems", Json::array({time_->info().schema, metres, metres, metres})},
                 {"minItems", 4},
                 {"maxItems", 4},
                 {"x-unit", "s, m"}},
                "[time, x, y, z], s and m",
                {},
                {}};
    }

private:
    TypePtr<double> time_ = number({0, 1e6}, "s"), metres_ = number({-1e6, 1e6}, "m");
};

void checkPath(const Json&, const Pulling& pull, Reader& reader) {
    for (size_t i = 1; i < pull.path.size(); ++i) {
        if (pull.path[i].time > pull.path[i - 1].time) continue;
        const Reader::Below path(reader, "path"), point(reader, i), time(reader, size_t{0});
        reader.fail(numberJson(pull.path[i].time),
                    "later than the point before it (" + numberJson(pull.path[i - 1].time).dump() + " s)");
    }
}

}  // namespace

const Record<Placing>& recordFor(Of<Placing>) {
    using P = Placing;
    static const Record<P> record =
        Record<P>("place",
                  "Puts a body elsewhere or gives it another motion; what is absent stays as it is. Places are "
                  "those of the model's own coordinates, as in a body; a fragment has its parent's.")
            .tag("type", "place")
            .field("time", &P::time, number({0, 1e6}, "s"), kWhen)
            .field("body", &P::body, bodyPath(), "which one; if there is none by then, a message says so")
            .required()
            .field("position", &P::position, vector3("m", {-1e6, 1e6}), "of the model's origin")
            .field("rotation", &P::rotation, rotation(), "about the model's origin")
            .field("velocity", &P::velocity, vector3("m/s", {-1e5, 1e5}),
                   "of the centre of mass; what is anchored comes loose")
            .field("angular_velocity", &P::angularVelocity, vector3("rad/s", {-1e4, 1e4}), "about the centre of mass");
    return record;
}

const Record<Pushing>& recordFor(Of<Pushing>) {
    using P = Pushing;
    static const Record<P> record =
        Record<P>("push", "Gives a body an impulse. It does not break by that; what it then meets may.")
            .tag("type", "push")
            .field("time", &P::time, number({0, 1e6}, "s"), kWhen)
            .field("body", &P::body, bodyPath(), "which one; if there is none by then, a message says so")
            .required()
            .field("impulse", &P::impulse, vector3("N s", {-1e12, 1e12}), "mass times the change of velocity")
            .required()
            .field("point", &P::point, vector3("m", {-1e6, 1e6}), "where, in the world; absent: at the centre of mass");
    return record;
}

const Record<Pulling>& recordFor(Of<Pulling>) {
    using P = Pulling;
    static const Record<P> record =
        Record<P>(
            "pull",
            "A hand that holds a point of a body and takes it along a path, then lets go. If the body breaks, the "
            "hand keeps the fragment it holds.")
            .tag("type", "pull")
            .field("body", &P::body, bodyPath(), "which one; if there is none by then, a message says so")
            .required()
            .field("point", &P::point, vector3("m", {-1e6, 1e6}), "that is held, in the model's coordinates")
            .field("path", &P::path, listOf(TypePtr<sim::PullAction::PathPoint>(std::make_shared<PathPointType>()), 1),
                   "where the point is at which time, in the world; straight in between; times must ascend; it is let "
                   "go with "
                   "the last frame that the path reaches the end of")
            .required()
            .check(checkPath);
    return record;
}

}  // namespace sunder::scene
