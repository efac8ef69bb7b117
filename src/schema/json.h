#pragma once

#include <nlohmann/json.hpp>

#include "math/vec.h"

namespace sunder::schema {

/// Keys stay in the order they were written.
using Json = nlohmann::ordered_json;

/// [x, y, z], as all files and messages have vectors.
Json toJson(const Vec3& vector);

}  // namespace sunder::schema
