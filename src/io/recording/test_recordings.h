#pragma once

#include <algorithm>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "io/recording/recording_run.h"
#include "sim/run.h"

namespace sunder::test {

/// Nothing there, nor what SQLite leaves beside a database.
inline std::filesystem::path freshFile(const std::string& name) {
    // tests run beside each other: each has files of its own
    const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
    std::string own = std::string(test.test_suite_name()) + "_" + test.name() + "_" + name;
    std::replace(own.begin(), own.end(), '/', '_');
    const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / own;
    for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(path.string() + end);
    return path;
}

inline RecordingHeader headerOf(const sim::SimulationSetup& setup) {
    RecordingHeader header;
    header.dt = setup.dt;
    header.seed = setup.seed;
    header.positionQuantum = positionQuantumFor(setup);
    return header;
}

/// Runs until a frame and writes what happens; no scene goes with it.
inline void record(const std::filesystem::path& path, const sim::SimulationSetup& setup, uint64_t frames) {
    RecordingWriter writer = RecordingWriter::create(path, headerOf(setup));
    sim::Simulation simulation(setup);
    Progress silent;
    sim::run(simulation, writer, {.frames = frames}, silent);
}

}  // namespace sunder::test
