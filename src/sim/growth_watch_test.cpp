#include "sim/growth_watch.h"

#include <vector>

#include <gtest/gtest.h>

namespace sunder::sim {

namespace {

/// How often a run of these numbers of bodies is complained of; `complaint`: the last one.
int complaintsOf(const std::vector<size_t>& bodies, std::string* complaint = nullptr) {
    GrowthWatch watch;
    int told = 0;
    for (size_t frame = 0; frame < bodies.size(); ++frame) {
        const std::string said = watch.after(frame, bodies[frame]);
        if (said.empty()) continue;
        ++told;
        if (complaint != nullptr) *complaint = said;
    }
    return told;
}

TEST(GrowthWatch, SeesBodiesThatDoubleAgainAndAgainAndSaysSoOnce) {
    std::string complaint;
    EXPECT_EQ(complaintsOf({2, 266, 2857, 6290, 9000, 19995}, &complaint), 1);
    EXPECT_NE(complaint.find("2, 266, 2857, 6290 in frames 0 to 3"), std::string::npos) << complaint;
}

TEST(GrowthWatch, LetsOneBlowIntoManyAndSteadyBreakingPass) {
    EXPECT_EQ(complaintsOf({2, 5000, 5000, 5010}), 0);
    EXPECT_EQ(complaintsOf({3, 60, 500, 900, 950}), 0) << "few";
    std::vector<size_t> rain{1000};  // a thousand balls that break one after the other
    while (rain.back() < 9000) rain.push_back(rain.back() + 300);
    EXPECT_EQ(complaintsOf(rain), 0);
}

}  // namespace

}  // namespace sunder::sim
