#include "base/progress.h"

#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/parallel.h"

namespace sunder {
namespace {

class Collector : public ProgressSink {
public:
    void show(const ProgressState& state) override { states.push_back(state); }
    std::vector<ProgressState> states;
};

TEST(Progress, CountsFromManyThreadsAndEndsFinished) {
    Collector sink;
    Progress progress(&sink);
    progress.start("count", 10'000);
    parallelFor(10'000, 10,
                [&](const BlockRange& block) { progress.advance(static_cast<double>(block.end - block.begin)); });
    progress.finish();
    ASSERT_FALSE(sink.states.empty());
    EXPECT_TRUE(sink.states.back().finished);
    EXPECT_EQ(sink.states.back().done, 10'000);
    EXPECT_EQ(sink.states.back().remainingSeconds, 0);
}

TEST(Progress, ShowsAtMostTenTimesASecond) {
    Collector sink;
    Progress progress(&sink);
    progress.start("many", 1e6);
    for (int i = 0; i < 100'000; ++i) progress.advance();
    EXPECT_LE(sink.states.size(), 2 + static_cast<size_t>(10 * progress.state().elapsedSeconds));
}

TEST(Progress, EstimatesTheTimeLeftFromTheTimeTaken) {
    Progress progress;
    progress.start("wait", 4);
    EXPECT_LT(progress.state().remainingSeconds, 0);  // nothing known yet
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    progress.advance(1);
    const ProgressState state = progress.state();
    EXPECT_NEAR(state.remainingSeconds, 3 * state.elapsedSeconds, 0.1 * state.elapsedSeconds);
}

TEST(Progress, CancelStopsTheJobAtItsNextAdvance) {
    Progress progress;
    progress.start("endless", 0);
    progress.cancel();
    EXPECT_THROW(progress.advance(), Cancelled);
}

TEST(Progress, ALineForAPersonNamesJobShareAndTime) {
    EXPECT_EQ(describe({"grid", 25, 100, 3.0, 9.0, false}), "grid 25 % (25/100), 3.0 s, 9.0 s to go");
    EXPECT_EQ(describe({"load", 7, 0, 200, -1, false}), "load, 3 min");
}

TEST(Progress, AFileGetsOneJsonObjectPerLine) {
    std::FILE* file = std::tmpfile();
    ASSERT_NE(file, nullptr);
    FileProgress sink(file);
    sink.show({"say \"hi\"", 1, 2, 0.5, 0.5, false});
    std::rewind(file);
    char line[256] = {};
    ASSERT_NE(std::fgets(line, sizeof line, file), nullptr);
    EXPECT_STREQ(line,
                 "{\"job\":\"say \\\"hi\\\"\",\"done\":1,\"total\":2,\"elapsed\":0.500,\"remaining\":0.500,"
                 "\"finished\":false}\n");
    std::fclose(file);
}

TEST(Progress, ATerminalSinkIsSilentInAFile) {
    std::FILE* file = std::tmpfile();
    ASSERT_NE(file, nullptr);
    TerminalProgress sink(file);
    sink.show({"x", 1, 2, 0.5, 0.5, true});
    EXPECT_EQ(std::ftell(file), 0);
    std::fclose(file);
}

TEST(InputError, KeepsItsPlaceApartFromItsMessage) {
    const InputError error("wall.json: /bodies/0", "density must be positive (kg/m^3), got -1");
    EXPECT_EQ(error.where(), "wall.json: /bodies/0");
    EXPECT_STREQ(error.what(), "wall.json: /bodies/0: density must be positive (kg/m^3), got -1");
}

}  // namespace
}  // namespace sunder
