#pragma once

#include <nlohmann/json.hpp>

namespace sunder::schema {

/// Keys stay in the order they were written.
using Json = nlohmann::ordered_json;

}  // namespace sunder::schema
