#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scene/scene.h"
#include "schema/issues.h"

namespace sunder::scene {

/// What was read, and all that is wrong with it. The scene is only to be used when nothing is.
struct ParsedScene {
    Scene scene;            // only as far as it could be read
    schema::Issues issues;  // in the order of the file; empty: all is well
};

/// Reads a scene from the text of a file. `settings` are changes from the command line, "wall.pieces=60": see
/// settings.h. Never throws for what the text says.
ParsedScene parseScene(std::string_view text, const std::string& file, const std::vector<std::string>& settings = {});

/// As a file: defaults left out, keys in the order of the schema, parameters kept where their values still hold.
std::string sceneText(const Scene& scene);

/// Every field with its value, parameters filled in: equal for equal scenes.
schema::Json sceneJson(const Scene& scene);

}  // namespace sunder::scene
