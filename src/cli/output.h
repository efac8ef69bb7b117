#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

#include "base/progress.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/repair/diagnose.h"
#include "io/mesh/reports.h"
#include "math/box.h"

namespace sunder::cli {

/// Keys stay in the order they were written.
using Json = nlohmann::ordered_json;

/// Refuses to overwrite unless forced, and to write into a folder that is not there.
void checkOutput(const std::filesystem::path& path, bool force);

void printJson(const Json& json);

using sunder::toJson;  // besides those of this folder

/// "12.3 MB"
std::string describeBytes(size_t bytes);
/// "0.156 x 0.154 x 0.121"
std::string describeSize(const Vec3& size);

/// Shows progress on stderr when that is a terminal; Ctrl-C, or SIGTERM, asks the job to stop in good order;
/// the second one ends the program.
Progress& terminalProgress();

}  // namespace sunder::cli
