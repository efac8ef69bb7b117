#pragma once

#include <string>

#include "schema/issues.h"
#include "schema/json.h"

namespace sunder::scene {

/// Changes one value of a scene from the command line, before it is read:
///
///     wall.pieces=60              a parameter of that name
///     world.frames=10             else a path through the file; entries of lists by number or by "name"
///     /bodies/0/position/1=2      or a JSON pointer
///
/// What is not there may be added where the schema knows it; reading tells otherwise. The value is JSON, or text when
/// it is none.
void applySetting(const std::string& setting, schema::Json& scene, schema::Issues& issues);

}  // namespace sunder::scene
