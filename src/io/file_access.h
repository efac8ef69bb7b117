#pragma once

#include <filesystem>
#include <limits>
#include <string>
#include <string_view>

namespace sunder {

/// The whole file, in one go. Throws InputError.
std::string readWholeFile(const std::filesystem::path& path, uint64_t atMost = std::numeric_limits<uint64_t>::max());

/// Writes beside the file, then renames: the path holds the old contents or the new, never half of them. Throws
/// InputError.
void writeFileAtomically(const std::filesystem::path& path, std::string_view bytes);

}  // namespace sunder
