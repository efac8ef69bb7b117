#include "base/version.h"

namespace sunder {

std::string buildName() { return std::string(version()) + " (" + std::string(buildCommit()) + ")"; }

}  // namespace sunder
