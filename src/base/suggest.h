#pragma once

#include <string>
#include <vector>

namespace sunder {

/// "; did you mean 'x'?" when something known is near, else "; known: a, b, c". Of a long list only the beginning is
/// shown.
std::string suggestion(const std::string& word, const std::vector<std::string>& known);

}  // namespace sunder
