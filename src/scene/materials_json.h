#pragma once

#include "schema/json.h"

// The catalogue of materials and looks, for programs and for the browser.
namespace sunder::scene {

/// [{name, help, density, friction, ..., strength, look, habit: {pattern, pieces} or null}, ...], by the keys that
/// materials of scenes have.
schema::Json materialsJson();
/// [{name, help}, ...]
schema::Json looksListJson();

}  // namespace sunder::scene
