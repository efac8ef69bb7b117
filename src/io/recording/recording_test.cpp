#include <fstream>
#include <functional>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/parallel.h"
#include "io/mesh/test_support.h"
#include "io/recording/recording_reader.h"
#include "io/recording/recording_stats.h"
#include "io/recording/recording_writer.h"
#include "io/recording/test_recordings.h"
#include "sim/run.h"
#include "sim/test_shatter.h"

namespace sunder {
namespace {

using sim::BodySerial;
using sim::Simulation;
using sim::test_shatter::ballThroughWall;
using sim::test_shatter::breakingRain;

using test::headerOf;
using test::record;

std::filesystem::path freshFile(const std::string& name) { return test::freshFile(name + ".sunder"); }

/// Goes on with a recording.
void goOn(const std::filesystem::path& path, const sim::SimulationSetup& setup, uint64_t frames) {
    RecordingWriter::Resumed resumed = RecordingWriter::resume(path);
    const RecordingReader reader(path);
    Simulation simulation = Simulation::load(setup, resumed.checkpoint.state,
                                             [&](BodySerial body) { return reader.geometryOf(raw(body)); });
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
        if (facts.mesh() == nullptr) continue;
        EXPECT_EQ(meshBytes(*reader.mesh(*body.mesh)), meshBytes(*facts.mesh()));
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

/// A ball flies into a thing that is held, without gravity and without bouncing.
sim::SimulationSetup ballAgainst(std::optional<double> anchor) {
    sim::SimulationSetup setup;
    setup.world.gravity.setZero();
    setup.bodies.push_back(sim::test_shatter::box("block", {1, 2, 2}, {2, 0, 0}));
    setup.bodies.back().options.anchor = anchor;
    setup.bodies.push_back(sim::test_shatter::ball("ball", 0.25, {0, 0, 0}, {6, 0, 0}));
    setup.bodies.back().options.mass = 3;
    return setup;
}

TEST(Recording, AnImpactIsWhatStoppedTheBall) {
    const auto path = freshFile("impact");
    record(path, ballAgainst(1e6), 12);
    const RecordingReader reader(path);
    double impulse = 0, fastest = 0;
    size_t count = 0;
    for (uint64_t frame = 0; frame <= 12; ++frame) {
        for (const RecordedImpact& impact : reader.impacts(frame)) {
            ++count;
            EXPECT_EQ(impact.a, 0u);
            EXPECT_EQ(impact.b, 1u);
            EXPECT_NEAR(impact.normal[0], -1, 1e-6) << "from the block to the ball";
            EXPECT_NEAR(impact.point[0], 1.5, 0.01) << "the face of the block";
            EXPECT_NEAR(impact.point[1], 0, 0.01);
            EXPECT_NEAR(impact.impulse[1], 0, 1e-5);
            impulse += impact.impulse[0];
            fastest = std::max<double>(fastest, impact.speed);
        }
    }
    EXPECT_NEAR(fastest, 6, 1e-5);
    EXPECT_NEAR(impulse, -3 * 6, 1e-4);  // N s: all the momentum it had
    EXPECT_EQ(reader.impactCount(), count);
    EXPECT_GE(count, 1u);
    const RecordingStats stats = statsOf(reader);
    EXPECT_EQ(stats.impacts, count);
    EXPECT_NEAR(stats.impactFastest, 6, 1e-5);
    EXPECT_NEAR(stats.impactHardest, 18, 1e-4);
    EXPECT_EQ(stats.releases, 0u);
}

TEST(Recording, AnAnchorThatGivesWayIsAnEvent) {
    for (const double anchor : {17.0, 19.0}) {  // N s; the ball brings 18
        const auto path = freshFile("release");
        record(path, ballAgainst(anchor), 12);
        const RecordingReader reader(path);
        std::vector<RecordedEvent> releases;
        for (const RecordedEvent& event : reader.events()) {
            if (event.kind == "release") releases.push_back(event);
        }
        ASSERT_EQ(releases.size(), anchor < 18 ? 1u : 0u) << anchor;
        EXPECT_EQ(statsOf(reader).releases, releases.size());
        if (releases.empty()) continue;
        EXPECT_EQ(releases[0].body, 0u);
        EXPECT_EQ(releases[0].frame, 7u) << "1.25 m at 6 m/s and 30 frames/s";
        EXPECT_NE(releases[0].data.find("\"centre\""), std::string::npos);
    }
}

TEST(Recording, CostsAboutThirtyBytesPerMovingBodyAllTogether) {
    const auto path = freshFile("all_together");
    record(path, breakingRain(12), 40);
    const auto size = [&] { return static_cast<double>(std::filesystem::file_size(path)); };
    SqlDatabase database(path, SqlDatabase::Mode::ReadWrite);
    const auto moved = static_cast<double>(database.integer("SELECT sum(moved) FROM frame"));
    ASSERT_GT(moved, 5000);
    // what stays when all motion goes: meshes, bodies, events, the checkpoint
    const double whole = size();
    database.execute("DELETE FROM impact; DELETE FROM frame; VACUUM");
    const double perBody = (whole - size()) / moved;
    std::printf("%.1f bytes per moving body and frame, figures, impacts and SQLite's own included\n", perBody);
    EXPECT_LE(perBody, 40);
    EXPECT_GE(perBody, 5) << "or nothing was measured";
}

TEST(Recording, OnlyOneWritesAtATime) {
    const auto path = freshFile("locked");
    const sim::SimulationSetup setup = ballThroughWall(10);
    const std::string sentence = "another run is writing into it";
    {
        RecordingWriter writer = RecordingWriter::create(path, headerOf(setup));
        EXPECT_NE(complaint([&] { RecordingWriter::create(path, {}); }).find(sentence), std::string::npos);
        Simulation simulation(setup);
        Progress silent;
        sim::run(simulation, writer, {.frames = 3}, silent);
        EXPECT_NE(complaint([&] { RecordingWriter::resume(path); }).find(sentence), std::string::npos);
        EXPECT_NE(complaint([&] { RecordingWriter::discard(path); }).find(sentence), std::string::npos);
    }
    EXPECT_EQ(RecordingReader(path).lastFrame(), 3u);
    EXPECT_EQ(complaint([&] { RecordingWriter::resume(path); }), "");
    EXPECT_EQ(RecordingReader(path).lastFrame(), 3u) << "resuming drops nothing before there is another frame";
    RecordingWriter::discard(path);
    EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(Recording, IsOneFileWhenNobodyWritesIt) {
    const auto path = freshFile("one_file");
    record(path, ballThroughWall(10), 3);
    RecordingReader(path).digest();
    EXPECT_FALSE(std::filesystem::exists(path.string() + "-wal"));
    EXPECT_FALSE(std::filesystem::exists(path.string() + "-shm"));
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

/// A ball that is thrown while the run is on.
sim::SimulationSetup rainAndBall() {
    sim::SimulationSetup setup = breakingRain();
    setup.bodies.push_back(sim::test_shatter::ball("late", 0.2, {0.7, 0.5, 3}, {0, 0, -15}));
    setup.bodies.back().appears = 0.41;
    setup.actions.push_back({"late", sim::PushAction{0.6, {0, 100, 0}, {}}});
    return setup;
}

RecordingHeader headerOf(const sim::SimulationSetup& setup, const std::string& scene) {
    RecordingHeader header = test::headerOf(setup);
    header.scene = scene;
    return header;
}

TEST(Recording, AThrownBallLeavesTheRecordingOfARunThatKnewOfIt) {
    const auto scratch = freshFile("knew"), live = freshFile("thrown");
    Progress silent;
    {
        RecordingWriter writer = RecordingWriter::create(scratch, headerOf(rainAndBall(), "with the ball"));
        Simulation simulation(rainAndBall());
        sim::run(simulation, writer, {.frames = 40}, silent);
    }
    {
        RecordingWriter writer = RecordingWriter::create(live, headerOf(breakingRain(), "without"));
        Simulation simulation(breakingRain());
        sim::run(simulation, writer, {.frames = 10}, silent);
        simulation.amend(rainAndBall());
        writer.changeHeader(headerOf(rainAndBall(), "with the ball"));
        sim::run(simulation, writer, {.frames = 40, .resumed = true}, silent);
    }
    RecordingReader reader(live);
    EXPECT_EQ(reader.digest(), RecordingReader(scratch).digest());
    const std::vector<RecordedBody> bodies = reader.bodies();
    const auto late = std::find_if(bodies.begin(), bodies.end(), [](auto& body) { return body.name == "late"; });
    ASSERT_NE(late, bodies.end());
    EXPECT_EQ(late->born, 13u);
    EXPECT_EQ(late->root, late->id);
    EXPECT_FALSE(late->parent.has_value());
    EXPECT_LE(statsOf(reader).energyMaxGain, 1e-6) << "energy that comes with a body is no gain";
}

TEST(Recording, GoesOnFromAnyFrameWhenAllCheckpointsAreKept) {
    const auto path = freshFile("all"), scratch = freshFile("other_end");
    Progress silent;
    {
        RecordingWriter writer =
            RecordingWriter::create(path, headerOf(breakingRain(), "without"), RecordingWriter::Checkpoints::All);
        Simulation simulation(breakingRain());
        sim::run(simulation, writer, {.frames = 40, .checkpointEvery = 5}, silent);
        EXPECT_EQ(writer.checkpoint(12).frame, 10u);
        EXPECT_EQ(writer.checkpoint(10).frame, 10u);
        EXPECT_EQ(writer.checkpoint(400).frame, 40u);
        EXPECT_EQ(writer.checkpoint(4).frame, 0u);
    }
    {
        RecordingWriter writer = RecordingWriter::create(scratch, headerOf(rainAndBall(), "with the ball"));
        Simulation simulation(rainAndBall());
        sim::run(simulation, writer, {.frames = 33}, silent);
    }
    {
        // frames 11 and 12 are good: they are stepped over, and stay in the file all the while
        RecordingWriter::Resumed resumed = RecordingWriter::resume(path, 12, RecordingWriter::Checkpoints::All);
        ASSERT_EQ(resumed.checkpoint.frame, 10u);
        RecordingReader reader(path);
        Simulation simulation = Simulation::load(rainAndBall(), resumed.checkpoint.state,
                                                 [&](sim::BodySerial body) { return reader.geometryOf(raw(body)); });
        simulation.step();
        simulation.step();
        resumed.writer.changeHeader(headerOf(rainAndBall(), "with the ball"));
        EXPECT_EQ(reader.lastFrame(), 40u) << "nothing is dropped before there is something new";
        sim::run(simulation, resumed.writer, {.frames = 13, .resumed = true}, silent);
        EXPECT_EQ(reader.lastFrame(), 13u);
        sim::run(simulation, resumed.writer, {.frames = 33, .checkpointEvery = 5, .resumed = true}, silent);
        EXPECT_EQ(resumed.writer.checkpoint(33).frame, 33u);
        EXPECT_EQ(resumed.writer.checkpoint(12).frame, 10u);
    }
    EXPECT_EQ(RecordingReader(path).digest(), RecordingReader(scratch).digest());
}

TEST(Recording, RewindsWithoutClosing) {
    const auto path = freshFile("rewound"), scratch = freshFile("straight");
    record(scratch, breakingRain(), 30);
    Progress silent;
    {
        RecordingWriter writer =
            RecordingWriter::create(path, test::headerOf(breakingRain()), RecordingWriter::Checkpoints::All);
        Simulation simulation(breakingRain());
        sim::run(simulation, writer, {.frames = 26, .checkpointEvery = 4}, silent);
        RecordingReader reader(path);
        simulation = Simulation::load(breakingRain(), writer.checkpoint(17).state,
                                      [&](sim::BodySerial body) { return reader.geometryOf(raw(body)); });
        EXPECT_EQ(simulation.frame(), 16u);
        sim::run(simulation, writer, {.frames = 30, .checkpointEvery = 4, .resumed = true}, silent);
    }
    EXPECT_EQ(RecordingReader(path).digest(), RecordingReader(scratch).digest());
}

TEST(Recording, AReaderNoticesThatFramesBecameOthers) {
    const auto path = freshFile("rewritten");
    Progress silent;
    RecordingWriter writer =
        RecordingWriter::create(path, test::headerOf(breakingRain()), RecordingWriter::Checkpoints::All);
    Simulation simulation(breakingRain());
    sim::run(simulation, writer, {.frames = 20, .checkpointEvery = 4}, silent);
    RecordingReader reader(path);
    const QuantisedPoses before = reader.quantisedPoses(20);
    sim::SimulationSetup pushed = breakingRain();
    pushed.actions.push_back({"box5", sim::PushAction{simulation.time() / 2, {80, 0, 0}, {}}});
    simulation = Simulation::load(pushed, writer.checkpoint(9).state,
                                  [&](BodySerial body) { return reader.geometryOf(raw(body)); });
    sim::run(simulation, writer, {.frames = 22, .checkpointEvery = 4, .resumed = true}, silent);
    RecordingReader fresh(path);
    EXPECT_EQ(reader.quantisedPoses(22), fresh.quantisedPoses(22));
    EXPECT_NE(fresh.quantisedPoses(20), before);
}

TEST(Recording, WithoutACheckpointOfAFrameItSaysSo) {
    const auto path = freshFile("last_only");
    record(path, ballThroughWall(10), 12);
    EXPECT_NE(complaint([&] { RecordingWriter::resume(path, 7); }).find("keeps no state of frame 7 or before"),
              std::string::npos);
}

TEST(Recording, WhatEveryFrameDependsOnCannotChange) {
    const sim::SimulationSetup setup = breakingRain();
    RecordingWriter writer = RecordingWriter::create(freshFile("changed"), test::headerOf(setup));
    RecordingHeader header = test::headerOf(setup);
    header.positionQuantum /= 2;
    EXPECT_THROW(writer.changeHeader(header), std::invalid_argument);
    header = test::headerOf(setup);
    header.dt = 0.01;
    EXPECT_THROW(writer.changeHeader(header), std::invalid_argument);
}

TEST(Recording, ALateBodyChangesTheQuantumOnlyWhenItIsMinute) {
    sim::SimulationSetup setup = breakingRain();
    const double quantum = positionQuantumFor(setup);
    setup.bodies.push_back(sim::test_shatter::ball("late", 0.01, {0, 9, 0}, {0, 0, 0}));
    setup.bodies.back().appears = 1;
    EXPECT_EQ(positionQuantumFor(setup), quantum);
    setup.bodies.back().options.shape = dynamics::makeSphere(1e-5);
    EXPECT_LT(positionQuantumFor(setup), 1.1e-11);
    std::erase_if(setup.bodies, [](const sim::BodySetup& body) { return body.appears == 0; });
    setup.bodies.back().options.shape = dynamics::makeSphere(0.1);
    EXPECT_EQ(positionQuantumFor(setup), 0x1p-20) << "a ball thrown into an empty scene changes nothing";
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
