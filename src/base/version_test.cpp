#include "base/version.h"

#include <algorithm>
#include <cctype>

#include <gtest/gtest.h>

namespace sunder {

TEST(Version, IsThreeNumbersAndACommit) {
    EXPECT_EQ(std::count(version().begin(), version().end(), '.'), 2);
    std::string_view commit = buildCommit();
    if (commit.ends_with("+changes")) commit.remove_suffix(8);
    const auto isHex = [](unsigned char c) { return std::isxdigit(c) != 0; };
    EXPECT_TRUE(commit == "unknown" || (commit.size() >= 12 && std::all_of(commit.begin(), commit.end(), isHex)))
        << commit;
    EXPECT_EQ(buildName(), std::string(version()) + " (" + std::string(buildCommit()) + ")");
}

}  // namespace sunder
