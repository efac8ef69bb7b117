#include <fstream>
#include <functional>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/parallel.h"
#include "io/recording_reader.h"
#include "io/recording_stats.h"
#include "io/recording_writer.h"
#include "io/test_support.h"
#include "sim/run.h"
#include "sim/test_shatter.h"

namespace sunder {
namespace {

using sim::BodySerial;
using sim::Simulation;
using sim::test_shatter::ballThroughWall;
using sim::test_shatter::breakingRain;

std::filesystem::path freshFile(const std::string& name) {
    const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / (name + ".sunder");
    for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(path.string() + end);
    return path;
}

RecordingHeader headerOf(const sim::SimulationSetup& setup) {
    RecordingHeader header;
    header.dt = setup.dt;
    header.seed = setup.seed;
    header.positionQuantum = positionQuantumFor(setup);
    return header;
}

/// Runs until a frame and writes what happens.
void record(const std::filesystem::path& path, const sim::SimulationSetup& setup, uint64_t frames) {
    RecordingWriter writer = RecordingWriter::create(path, headerOf(setup));
    Simulation simulation(setup);
    Progress silent;
    sim::run(simulation, writer, {.frames = frames}, silent);
}

/// Goes on with a recording.
void goOn(const std::filesystem::path& path, const sim::SimulationSetup& setup, uint64_t frames) {
    RecordingWriter::Resumed resumed = RecordingWriter::resume(path);
    const RecordingReader reader(path);
    Simulation simulation =
        Simulation::load(setup, resumed.checkpoint.state, [&](BodySerial body) { return reader.meshOf(raw(body)); });
    Progress silent;
    sim::run(simulation, resumed.writer, {.frames = frames, .resumed = true}, silent);
}

/// Keeps the true places of all frames beside what it writes.
struct Witness : sim::FrameSink {
    explicit Witness(RecordingWriter& into) : writer(into) {}
    void record(const Simulation& simulation, const sim::FrameRecord& frame) override {
        places.push_back(frame.places);
        for (const sim::BodyFacts& born : frame.report->born) facts[raw(born.serial)] = born;
        writer.record(simulation, frame);
    }
    RecordingWriter& writer;
    std::vector<std::vector<sim::BodyPlace>> places;
    std::map<uint32_t, sim::BodyFacts> facts;
};

std::string complaint(const std::function<void()>& action) {
    try {
        action();
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(Recording, GivesBackPosesWithinItsPrecision) {
    const auto path = freshFile("round_trip");
    const sim::SimulationSetup setup = breakingRain();
    RecordingWriter writer = RecordingWriter::create(path, headerOf(setup));
    Witness witness(writer);
    Simulation simulation(setup);
    Progress silent;
    ASSERT_TRUE(sim::run(simulation, witness, {.frames = 80}, silent));

    RecordingReader reader(path);
    ASSERT_EQ(reader.lastFrame(), 80u);
    // forwards, backwards, and at random
    std::vector<uint64_t> order;
    for (uint64_t f = 0; f <= 80; ++f) order.push_back(f);
    for (uint64_t f = 80; f > 0; f -= 8) order.push_back(f);
    for (const uint64_t f : {63, 64, 65, 3, 77, 0}) order.push_back(f);
    for (const uint64_t f : order) {
        const std::vector<RecordedPose> poses = reader.poses(f);
        ASSERT_EQ(poses.size(), witness.places[f].size()) << "frame " << f;
        for (size_t i = 0; i < poses.size(); ++i) {
            const sim::BodyPlace& truth = witness.places[f][i];
            ASSERT_EQ(poses[i].body, raw(truth.body));
            const Vec3 centre = poses[i].worldFromMesh * witness.facts.at(poses[i].body).centre;
            EXPECT_LE((centre - truth.centre).cwiseAbs().maxCoeff(), 0.51 * reader.positionQuantum());
            EXPECT_LE(poses[i].worldFromMesh.rotation.angularDistance(truth.rotation), 4e-6);
        }
    }
}

TEST(Recording, KeepsMeshesExactlyAndOnce) {
    const auto path = freshFile("meshes");
    sim::SimulationSetup setup = breakingRain();
    RecordingWriter writer = RecordingWriter::create(path, headerOf(setup));
    Witness witness(writer);
    Simulation simulation(setup);
    Progress silent;
    sim::run(simulation, witness, {.frames = 20}, silent);
    const RecordingReader reader(path);
    std::set<int64_t> boxes;
    size_t fragments = 0;
    for (const RecordedBody& body : reader.bodies()) {
        const sim::BodyFacts& facts = witness.facts.at(body.id);
        EXPECT_EQ(body.name, facts.name);
        EXPECT_EQ(body.mass, facts.mass);
        EXPECT_EQ(body.born, facts.born);
        if (facts.mesh == nullptr) continue;
        EXPECT_EQ(meshBytes(*reader.mesh(*body.mesh)), meshBytes(*facts.mesh));
        if (body.generation == 0) boxes.insert(*body.mesh);
        fragments += body.generation > 0;
    }
    EXPECT_EQ(boxes.size(), 1u) << "six equal boxes have one mesh";
    EXPECT_GE(fragments, 20u);
}

TEST(Recording, CostsAboutThirtyBytesPerMovingBodyAndNothingForSleepers) {
    const auto path = freshFile("size");
    record(path, breakingRain(), 50);
    const RecordingReader reader(path);
    size_t bytes = 0, moved = 0;
    for (const RecordedFrame& frame : reader.frames()) {
        if (frame.key) continue;
        bytes += frame.poseBytes;
        moved += frame.moved;
    }
    ASSERT_GT(moved, 500u);
    EXPECT_LE(static_cast<double>(bytes) / static_cast<double>(moved), 30);

    const auto still = freshFile("still");
    sim::SimulationSetup setup;
    setup.bodies.push_back(sim::test_shatter::ground());
    for (int i = 0; i < 50; ++i) {
        setup.bodies.push_back(sim::test_shatter::box(fmt::format("box{}", i), {1, 1, 1}, {1.5 * i, 0.5, 0}));
        setup.bodies.back().options.asleep = true;
    }
    record(still, setup, 20);
    for (const RecordedFrame& frame : RecordingReader(still).frames()) {
        if (frame.key) continue;
        EXPECT_EQ(frame.moved, 0u);
        EXPECT_LE(frame.poseBytes, 16u);
    }
}

TEST(Recording, ResumedAnywhereHasTheDigestOfTheUnbrokenRun) {
    const sim::SimulationSetup setup = breakingRain();
    const auto whole = freshFile("whole");
    record(whole, setup, 70);
    const std::string digest = RecordingReader(whole).digest();
    for (const uint64_t stop : {0, 7, 10, 33}) {
        const auto path = freshFile("parts" + std::to_string(stop));
        {
            // ends without a checkpoint of its last frame, as a kill would
            RecordingWriter writer = RecordingWriter::create(path, headerOf(setup));
            Simulation simulation(setup);
            Progress silent;
            struct Cut : sim::FrameSink {
                void record(const Simulation& simulation, const sim::FrameRecord& frame) override {
                    sim::FrameRecord kept = frame;
                    if (frame.report->frame % 10 != 0) kept.checkpoint.reset();
                    into->record(simulation, kept);
                }
                RecordingWriter* into = nullptr;
            } cut;
            cut.into = &writer;
            sim::run(simulation, cut, {.frames = stop}, silent);
        }
        EXPECT_NE(RecordingReader(path).digest(), digest);
        goOn(path, setup, 45);
        goOn(path, setup, 70);
        EXPECT_EQ(RecordingReader(path).digest(), digest) << "stopped after " << stop;
    }
}

TEST(Recording, HasTheSameDigestOnOneAndTwoThreads) {
    std::vector<std::string> digests;
    for (const int threads : {1, 2}) {
        const ThreadLimit limit(threads);
        const auto path = freshFile("threads" + std::to_string(threads));
        record(path, breakingRain(), 30);
        digests.push_back(RecordingReader(path).digest());
    }
    EXPECT_EQ(digests[0], digests[1]);
    const auto path = freshFile("seed");
    sim::SimulationSetup other = breakingRain();
    other.seed = 8;
    record(path, other, 30);
    EXPECT_NE(RecordingReader(path).digest(), digests[0]);
}

TEST(Recording, CanBeReadWhileItIsWritten) {
    const auto path = freshFile("live");
    const sim::SimulationSetup setup = ballThroughWall(10);
    RecordingWriter writer = RecordingWriter::create(path, headerOf(setup));
    Simulation simulation(setup);
    Progress silent;
    sim::run(simulation, writer, {.frames = 3}, silent);
    RecordingReader reader(path);
    EXPECT_EQ(reader.lastFrame(), 3u);
    sim::run(simulation, writer, {.frames = 9, .resumed = true}, silent);
    EXPECT_EQ(reader.lastFrame(), 9u);
    EXPECT_EQ(reader.poses(9).size(), simulation.bodies().size());
}

TEST(Recording, StatsTellWhatHappened) {
    const auto path = freshFile("stats");
    const sim::SimulationSetup setup = ballThroughWall(10);
    record(path, setup, 30);
    const RecordingStats stats = statsOf(RecordingReader(path));
    EXPECT_EQ(stats.frames, 30u);
    EXPECT_EQ(stats.breaks, 1u);
    EXPECT_EQ(stats.bodiesAtStart, 3u);
    EXPECT_EQ(stats.bodiesAtEnd, 12u);
    EXPECT_EQ(stats.pieces, 10u);
    EXPECT_LE(stats.mass, 1e-12);
    EXPECT_LE(stats.momentum, 1e-12);
    EXPECT_LE(stats.angularMomentum, 1e-12);
    EXPECT_LE(stats.volume, 1e-9);
    EXPECT_LE(stats.energyMaxGain, 1e-6);
    EXPECT_LT(stats.energyAtEnd, stats.energyAtStart);
    EXPECT_EQ(stats.openPieces, 0u);
    EXPECT_GT(stats.secondsTotal, 0);
    EXPECT_EQ(stats.stateHash.size(), 16u);
}

TEST(Recording, ForeignAndDamagedFilesGetASentence) {
    const auto text = freshFile("text");
    std::ofstream(text) << "this is no recording, but it is long enough to be looked at by somebody who expects one";
    EXPECT_NE(complaint([&] { RecordingReader reader(text); }).find("not an SQLite file"), std::string::npos);
    EXPECT_FALSE(isRecording(text));

    const auto missing = freshFile("missing");
    EXPECT_NE(complaint([&] { RecordingReader reader(missing); }).find("cannot be opened"), std::string::npos);

    const auto foreign = freshFile("foreign");
    SqlDatabase(foreign, SqlDatabase::Mode::Create).execute("CREATE TABLE songs(title TEXT)");
    EXPECT_NE(complaint([&] { RecordingReader reader(foreign); }).find("no recording of Sunder"), std::string::npos);
    EXPECT_NE(complaint([&] { RecordingWriter::resume(foreign); }).find("no recording of Sunder"), std::string::npos);

    const auto path = freshFile("damaged");
    record(path, ballThroughWall(10), 12);
    EXPECT_NE(complaint([&] { RecordingWriter::create(path, {}); }).find("is there already"), std::string::npos);
    EXPECT_NE(complaint([&] { RecordingReader(path).frame(99); }).find("its last one is 12"), std::string::npos);
    SqlDatabase(path, SqlDatabase::Mode::ReadWrite)
        .execute("UPDATE frame SET poses = x'0102030405' WHERE number = 6; UPDATE mesh SET data = x'00' WHERE id = 2");
    RecordingReader reader(path);
    EXPECT_EQ(reader.poses(5).size(), 12u);
    EXPECT_NE(complaint([&] { reader.poses(7); }).find("frame 6 is damaged"), std::string::npos);
    EXPECT_NE(complaint([&] { reader.mesh(2); }).find("mesh 2 is damaged"), std::string::npos);
}

/// Any bytes at all give a recording or a sentence.
TEST(Recording, SurvivesFlippedBytes) {
    const auto path = freshFile("flipped");
    record(path, ballThroughWall(10), 6);
    std::ifstream in(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    Random random(5);
    for (int i = 0; i < 60; ++i) {
        std::string bad = bytes;
        for (int k = 0; k < 20; ++k) bad[random.below(bad.size())] ^= static_cast<char>(1 << random.below(8));
        const auto victim = freshFile("victim");
        std::ofstream(victim, std::ios::binary) << bad;
        complaint([&] {
            RecordingReader reader(victim);
            statsOf(reader);
            reader.poses(reader.lastFrame());
            reader.digest();
        });
    }
}

}  // namespace
}  // namespace sunder
