#pragma once

#include <string>
#include <string_view>

namespace sunder {

/// "0.1.0"
std::string_view version();

/// The git commit that was built, "3f2a9c81d0b4"; with "+changes" when files differed from it, "unknown" without git.
std::string_view buildCommit();

/// Both, as the program prints them and recordings keep them: "0.1.0 (3f2a9c81d0b4)".
std::string buildName();

}  // namespace sunder
