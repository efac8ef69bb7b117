#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>

namespace sunder::test {

/// A test with a folder of its own, which goes with it.
class ScratchTest : public testing::Test {
protected:
    void SetUp() override {
        const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
        std::string name = std::string(test->test_suite_name()) + "_" + test->name() + std::to_string(getpid());
        std::ranges::replace(name, '/', '_');  // of tests with parameters
        folder_ = std::filesystem::path(testing::TempDir()) / ("sunder_" + name);
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    const std::filesystem::path& folder() const { return folder_; }
    std::filesystem::path file(const std::string& name) const { return folder_ / name; }

private:
    std::filesystem::path folder_;
};

}  // namespace sunder::test
