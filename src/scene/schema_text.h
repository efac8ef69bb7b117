#pragma once

#include <string>

namespace sunder::scene {

/// sunder.schema.json: JSON Schema, draft 2020-12, for editors and Studio.
std::string jsonSchemaText();
/// docs/scene.md
std::string schemaDocs();

}  // namespace sunder::scene
