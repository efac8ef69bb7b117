#include "scene/parse.h"

#include "scene/check.h"
#include "scene/detail/records.h"
#include "scene/settings.h"
#include "schema/json_text.h"

namespace sunder::scene {

namespace {

void warnOfUnused(const Json& parameters, const Reader& reader, Issues& issues) {
    if (!parameters.is_object()) return;
    for (const auto& item : parameters.items()) {
        if (reader.usedParameters().contains(item.key())) continue;
        issues.add({.pointer = below("/parameters", item.key()),
                    .message = "nothing refers to this parameter; use it as \"$" + item.key() + "\" or remove it",
                    .found = shown(item.value()),
                    .allowed = "a parameter that is used",
                    .severity = Issue::Severity::Warning});
    }
}

}  // namespace

ParsedScene parseScene(std::string_view text, const std::string& file, const std::vector<std::string>& settings) {
    ParsedScene parsed{.scene = {}, .issues = Issues(file)};
    Json json = parseJson(text, parsed.issues);
    if (json.is_null() && parsed.issues.failed()) return parsed;
    for (const std::string& setting : settings) applySetting(setting, json, parsed.issues);

    const Json none;
    const bool given = json.is_object() && json.contains("parameters");
    const Json& parameters = given ? json["parameters"] : none;
    Reader reader(parsed.issues, parameters);
    recordOf<Scene>().read(json, parsed.scene, reader);
    parsed.scene.references = reader.references();
    warnOfUnused(parameters, reader, parsed.issues);
    checkScene(parsed.scene, parsed.issues);
    return parsed;
}

std::string sceneText(const Scene& scene) {
    Writer writer(scene.references, scene.parameters, Writer::Defaults::LeftOut);
    return printedJson(recordOf<Scene>().write(scene, writer));
}

Json sceneJson(const Scene& scene) {
    Writer writer(scene.references, scene.parameters, Writer::Defaults::Written);
    return recordOf<Scene>().write(scene, writer);
}

}  // namespace sunder::scene
