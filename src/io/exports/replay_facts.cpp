#include "io/exports/replay_facts.h"

#include <cmath>
#include <utility>

#include "material/catalogue.h"
#include "scene/looks.h"
#include "schema/json.h"
#include "schema/json_text.h"

namespace sunder {

namespace {

using schema::Json;
using schema::toJson;

Json parsed(const std::string& text) { return schema::jsonIfGood(text).value_or(Json()); }

Json shineJson(const Look& look) {
    return {{"roughness", look.roughness},
            {"metallic", look.metallic},
            {"opacity", look.veil.opacity},
            {"glow", look.veil.glow}};
}

Json lookJson(const std::string& name, const std::string& kind, const Looks& looks) {
    const Look& look = looks.outside;
    Json json = {{"name", name}, {"look", kind}};
    // what shaders paint on, and how much of it
    json["family"] = nameOf(look.family);
    json["mottle"] = look.mottle;
    json["bumps"] = look.bumps;
    json["flecks"] = look.flecks;
    json["pores"] = look.pores;
    json["speckle"] = look.speckle;
    json["warmth"] = look.warmth;
    // light: of the outside, and of crack faces
    json["colour"] = toJson(look.colour);
    json["shine"] = shineJson(look);
    json["inside_colour"] = toJson(looks.inside.colour);
    json["inside_shine"] = shineJson(looks.inside);
    return json;
}

/// What no float holds is drawn as nothing.
float finiteFloat(double value) {
    const auto narrow = static_cast<float>(value);
    return std::isfinite(narrow) ? narrow : 0.0f;
}

struct Series {
    const char* name;
    const char* pointer;  // into a frame's figures
};
constexpr Series kSeries[] = {{"linear", "/energy/linear"},
                              {"rotational", "/energy/rotational"},
                              {"potential", "/energy/potential"},
                              {"breaking", "/energy/breaking"},
                              {"contact", "/energy/contact"},
                              {"friction", "/energy/friction"},
                              {"momentum_x", "/momentum/0"},
                              {"momentum_y", "/momentum/1"},
                              {"momentum_z", "/momentum/2"},
                              {"angular_x", "/angular_momentum/0"},
                              {"angular_y", "/angular_momentum/1"},
                              {"angular_z", "/angular_momentum/2"},
                              {"awake", "/awake"},
                              {"contacts", "/contacts"},
                              {"penetration", "/penetration/worst"}};

}  // namespace

void ReplayLooks::add(const std::string& looks) {
    const Json json = parsed(looks);
    for (const auto& [name, material] : scene::looksFrom(json)) {
        const Json entry = json.value(name, Json::object());
        const Json kind = entry.is_object() ? entry.value("look", Json("stone")) : Json("stone");
        const auto [known, fresh] = indexOf_.try_emplace(name, looks_.size());
        if (fresh) looks_.push_back(nullptr);
        looks_[known->second] = lookJson(name, kind.is_string() ? kind.get<std::string>() : "stone", looksOf(material));
    }
}

size_t ReplayLooks::of(const RecordedBody& body) {
    if (const auto found = indexOf_.find(body.material); found != indexOf_.end()) return found->second;
    const auto [entry, fresh] = ofRoot_.try_emplace(body.root, looks_.size());
    if (fresh) looks_.push_back(lookJson(body.material, "plain", looksWithoutMaterial(body.root)));
    return entry->second;
}

Json replayEvent(const RecordedEvent& event, std::span<const RecordStream> streams) {
    const Json data = parsed(event.data);
    Json json{
        {"frame", event.frame}, {"kind", event.kind}, {"body", event.body ? static_cast<int64_t>(*event.body) : -1}};
    if (!data.is_object()) return json;
    for (const char* key : {"method", "reason", "point", "impulse", "text", "centre", "velocity"})
        if (data.contains(key)) json[key] = data[key];
    for (const RecordStream& stream : streams)
        if (stream.facts != nullptr && data.contains(stream.name)) json[stream.name] = data[stream.name];
    if (const auto fragments = data.find("fragments"); fragments != data.end()) json["pieces"] = fragments->size();
    for (const auto& [name, pointer] :
         {std::pair{"energy", "/energy/taken"}, std::pair{"mass", "/mass/before"},
          std::pair{"mass_error", "/mass/error"}, std::pair{"momentum_error", "/momentum/error"},
          std::pair{"angular_momentum_error", "/angular_momentum/error"}}) {
        if (const Json value = schema::valueAt(data, pointer); !value.is_null()) json[name] = value;
    }
    return json;
}

std::vector<std::string> replaySeries() {
    std::vector<std::string> names;
    for (const Series& series : kSeries) names.emplace_back(series.name);
    return names;
}

std::vector<float> replayFigures(const RecordedFrame& frame) {
    const Json figures = parsed(frame.figures);
    std::vector<float> values;
    for (const Series& series : kSeries) {
        const Json value = schema::valueAt(figures, series.pointer);
        values.push_back(value.is_number() ? finiteFloat(value.get<double>()) : 0.0f);
    }
    return values;
}

}  // namespace sunder
