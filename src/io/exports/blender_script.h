#pragma once

#include <filesystem>
#include <string_view>

namespace sunder {

inline constexpr const char* kBlenderScriptName = "import_blender.py";

/// import_blender.py, which lies beside this file and is part of the program.
std::string_view blenderScript();

/// Writes it into a folder. Throws InputError when it is there already, with other contents, and is not to be
/// overwritten.
void writeBlenderScript(const std::filesystem::path& folder, bool overwrite);

}  // namespace sunder
