#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sunder {

/// Plain alphabet, padded, on one line.
std::string encodeBase64(std::string_view bytes);
/// Takes the alphabet of URLs as well; nothing when a character is of neither.
std::optional<std::string> decodeBase64(std::string_view text);

}  // namespace sunder
