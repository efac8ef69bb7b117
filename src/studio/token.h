#pragma once

#include <string>
#include <string_view>

namespace sunder::studio {

/// 192 random bits from the system, fit for URLs.
std::string newToken();

/// Takes the same time wherever they differ.
bool equalTokens(std::string_view given, std::string_view token);

}  // namespace sunder::studio
