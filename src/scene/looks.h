#pragma once

#include <map>
#include <string>

#include "scene/scene.h"
#include "schema/json.h"

// What pictures need of a scene, in the form that recordings keep.
namespace sunder::scene {

/// What a body's material goes by: the name it has in the scene, or where it stands in the file ("/bodies/3/material")
/// when it is the body's own. Empty: the default material. `pointer`: of the body.
std::string materialKey(const MaterialChoice& material, const std::string& pointer);

/// Every material of the scene by its key: {"stone": {"look": "stone", "colour": "#aabbcc"}, ...}.
schema::Json looksJson(const Scene& scene);
/// Materials read back; only how they look counts. What cannot be understood has the default look.
std::map<std::string, Material> looksFrom(const schema::Json& json);

/// As a scene has it, every field written.
schema::Json viewJson(const View& view);
/// Read back. What cannot be understood has its default.
View viewFrom(const schema::Json& json);

}  // namespace sunder::scene
