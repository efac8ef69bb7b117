#include "scene/looks.h"

#include "scene/detail/records.h"
#include "schema/json_text.h"

namespace sunder::scene {

namespace {

template <class T>
Json jsonOf(const T& value) {
    const References none;
    const Json noParameters;
    Writer writer(none, noParameters, Writer::Defaults::Written);
    return recordOf<T>().write(value, writer);
}

template <class T>
T valueFrom(const Json& json) {
    Issues ignored;
    const Json noParameters;
    Reader reader(ignored, noParameters);
    T value;
    recordOf<T>().read(json, value, reader);
    return value;
}

Json lookJson(const Material& material) {
    const Json all = jsonOf(material);
    Json look = Json::object();
    for (const char* key : {"look", "colour", "inside_colour"}) {
        if (all.contains(key)) look[key] = all[key];
    }
    return look;
}

}  // namespace

std::string materialKey(const MaterialChoice& material, const std::string& pointer) {
    return material.own ? below(pointer, "material") : material.name;
}

Json looksJson(const Scene& scene) {
    Json looks{{"", lookJson(Material())}};
    for (const auto& [name, material] : scene.materials.items) looks[name] = lookJson(material);
    const auto addOwn = [&](const MaterialChoice& material, const std::string& pointer) {
        if (material.own) {
            looks[materialKey(material, pointer)] = lookJson(*material.own);
        } else if (const Material* ready = readyMaterial(material.name); ready && !looks.contains(material.name)) {
            looks[material.name] = lookJson(*ready);
        }
    };
    const auto addBodies = [&](const std::vector<Body>& bodies, const std::string& pointer) {
        for (size_t i = 0; i < bodies.size(); ++i)
            addOwn(bodies[i].material, below(below(pointer, "bodies"), std::to_string(i)));
    };
    if (scene.floor.present) addOwn(scene.floor.material, "/floor");
    for (const auto& [name, group] : scene.groups.items) addBodies(group.bodies, below("/groups", name));
    addBodies(scene.bodies, "");
    return looks;
}

std::map<std::string, Material> looksFrom(const Json& json) {
    std::map<std::string, Material> looks;
    if (!json.is_object()) return looks;
    for (const auto& item : json.items()) looks[item.key()] = valueFrom<Material>(item.value());
    return looks;
}

Json viewJson(const View& view) { return jsonOf(view); }
View viewFrom(const Json& json) { return valueFrom<View>(json); }

}  // namespace sunder::scene
