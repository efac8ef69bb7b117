#include "io/recording/record_stream.h"

#include <array>
#include <csignal>
#include <cstring>
#include <stdexcept>

#include <gtest/gtest.h>

#include "base/error.h"
#include "io/recording/recording_reader.h"
#include "io/recording/recording_stress.h"
#include "io/recording/recording_writer.h"
#include "io/recording/test_recordings.h"
#include "sim/test_shatter.h"

namespace sunder {
namespace {

using sim::Simulation;
using sim::test_shatter::breakingRain;
using test::freshFile;
using test::headerOf;

// ---- two streams as somebody else would add them: a codec, a descriptor and a row each

std::vector<std::byte> bytesOf(std::span<const uint32_t> numbers) {
    const auto bytes = std::as_bytes(numbers);
    return {bytes.begin(), bytes.end()};
}

std::vector<uint32_t> numbersIn(std::span<const std::byte> bytes) {
    if (bytes.size() % sizeof(uint32_t) != 0) throw std::runtime_error("numbers end early");
    std::vector<uint32_t> numbers(bytes.size() / sizeof(uint32_t));
    std::memcpy(numbers.data(), bytes.data(), bytes.size());
    return numbers;
}

void checkNumbers(std::span<const std::byte> bytes) { (void)numbersIn(bytes); }

/// Keeps for each frame which bodies were born in it.
RecordStream births() {
    return {.name = "births",
            .items = "bodies",
            .encode = +[](const sim::FrameRecord& frame) -> std::optional<StreamEntry> {
                std::vector<uint32_t> born;
                for (const sim::BodyFacts& body : frame.report->born) born.push_back(raw(body.serial));
                if (born.empty()) return {};
                return StreamEntry{born.size(), bytesOf(born)};
            },
            .check = &checkNumbers,
            .mostReplayBytes = 1000};
}

/// Keeps the fragments of each break. The event tells how many there are.
RecordStream heirs() {
    return {.name = "heirs",
            .items = "bodies",
            .encode = +[](const sim::BreakReport& report) -> std::optional<StreamEntry> {
                std::vector<uint32_t> bodies;
                for (const sim::BodySerial body : report.fragments) bodies.push_back(raw(body));
                return StreamEntry{bodies.size(), bytesOf(bodies)};
            },
            .check = &checkNumbers,
            .facts =
                [](const sim::BreakReport& report) {
                    return nlohmann::ordered_json{{"count", report.fragments.size()}};
                },
            .mostReplayBytes = 1000};
}

std::span<const RecordStream> streams() {
    static const std::array all{births(), impactStream(), stressStream(), heirs()};
    return all;
}

// ---- recordings with them

constexpr uint64_t kFrames = 20;

/// Runs on; `last`: the frame after which it is killed.
struct Killed : sim::FrameSink {
    Killed(RecordingWriter& into, uint64_t frame) : writer(into), last(frame) {}
    void record(const Simulation& simulation, const sim::FrameRecord& frame) override {
        writer.record(simulation, frame);
        if (frame.report->frame == last) std::raise(SIGKILL);
    }
    RecordingWriter& writer;
    uint64_t last;
};

void runAndDie(const std::filesystem::path& path, uint64_t last) {
    const sim::SimulationSetup setup = breakingRain();
    RecordingWriter writer =
        RecordingWriter::create(path, headerOf(setup), RecordingWriter::Checkpoints::All, streams());
    Simulation simulation(setup);
    Killed killed(writer, last);
    Progress silent;
    sim::run(simulation, killed, {.frames = kFrames, .checkpointEvery = 1}, silent);
}

void runWhole(const std::filesystem::path& path, std::span<const RecordStream> with = streams()) {
    const sim::SimulationSetup setup = breakingRain();
    RecordingWriter writer = RecordingWriter::create(path, headerOf(setup), RecordingWriter::Checkpoints::All, with);
    Simulation simulation(setup);
    Progress silent;
    sim::run(simulation, writer, {.frames = kFrames, .checkpointEvery = 1}, silent);
}

/// Goes on from a frame, to the end; what came after it is made anew.
void goOnFrom(const std::filesystem::path& path, std::optional<uint64_t> frame, uint64_t to = kFrames) {
    const sim::SimulationSetup setup = breakingRain();
    RecordingWriter::Resumed resumed =
        RecordingWriter::resume(path, frame, RecordingWriter::Checkpoints::All, streams());
    Simulation simulation = Simulation::load(setup, resumed.checkpoint.state, [&](sim::BodySerial body) {
        return RecordingReader(path).geometryOf(raw(body));
    });
    Progress silent;
    sim::run(simulation, resumed.writer, {.frames = to, .resumed = true}, silent);
}

/// The first frame in which something breaks.
uint64_t firstBreak(const RecordingReader& reader) {
    for (const RecordedEvent& event : reader.events())
        if (event.kind == "fracture") return event.frame;
    ADD_FAILURE() << "nothing broke";
    return 0;
}

int64_t rows(const std::filesystem::path& path, const std::string& table) {
    return SqlDatabase(path, SqlDatabase::Mode::ReadOnly).integer("SELECT count(*) FROM " + table);
}

/// The run that is killed is a process of its own, which comes here anew: one kill in each test.
void killAndGoOn(int64_t framesAfterBreak) {
    const auto whole = freshFile("streams-whole.sunder"), path = freshFile("streams-killed.sunder");
    runWhole(whole);
    const auto last =
        static_cast<uint64_t>(static_cast<int64_t>(firstBreak(RecordingReader(whole, streams()))) + framesAfterBreak);
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    ASSERT_EXIT(runAndDie(path, last), testing::KilledBySignal(SIGKILL), "");
    ASSERT_EQ(RecordingReader(path, streams()).lastFrame(), last);
    EXPECT_EQ(rows(path, "heirs") > 0, framesAfterBreak >= 0);
    goOnFrom(path, {});
    EXPECT_EQ(RecordingReader(path, streams()).digest(), RecordingReader(whole, streams()).digest());
    EXPECT_EQ(rows(path, "heirs"), rows(whole, "heirs"));
}

}  // namespace

TEST(RecordStream, IsReadBackByFrameAndByBreak) {
    const auto path = freshFile("streams.sunder");
    runWhole(path);
    const RecordingReader reader(path, streams());
    std::map<uint64_t, std::vector<uint32_t>> born;
    for (const RecordedBody& body : reader.bodies()) born[body.born].push_back(body.id);
    for (uint64_t frame = 0; frame <= kFrames; ++frame) {
        const auto bytes = reader.streamBytes(births(), frame);
        ASSERT_EQ(bytes.has_value(), born.contains(frame)) << frame;
        if (!bytes) continue;
        EXPECT_EQ(numbersIn(*bytes), born[frame]) << frame;
    }
    size_t breaks = 0;
    const std::vector<RecordedEvent> events = reader.events();
    for (size_t i = 0; i < events.size(); ++i) {
        const auto bytes = reader.streamBytes(heirs(), i);
        ASSERT_EQ(bytes.has_value(), events[i].kind == "fracture") << i;
        if (!bytes) continue;
        const auto data = nlohmann::json::parse(events[i].data);
        EXPECT_EQ(numbersIn(*bytes), data["fragments"].get<std::vector<uint32_t>>());
        EXPECT_EQ(data["heirs"]["count"], data["fragments"].size());
        ++breaks;
    }
    EXPECT_GE(breaks, 2u);
    EXPECT_FALSE(reader.streamBytes(heirs(), events.size()));
}

TEST(RecordStream, GoesWithTheFramesItIsOf) {
    const auto path = freshFile("streams-dropped.sunder");
    runWhole(path);
    const uint64_t before = firstBreak(RecordingReader(path, streams())) - 1;
    ASSERT_GT(rows(path, "heirs"), 0);
    ASSERT_GT(rows(path, "births"), 1);
    goOnFrom(path, before > 0 ? before - 1 : 0, before);  // makes that frame again, and nothing after it
    const RecordingReader reader(path, streams());
    EXPECT_EQ(reader.lastFrame(), before);
    EXPECT_EQ(rows(path, "heirs"), 0);
    EXPECT_EQ(rows(path, "births"), 1) << "those of the start";
}

TEST(RecordStream, IsPartOfTheDigestOnlyWhereItHasSomething) {
    const auto with = freshFile("streams-with.sunder"), without = freshFile("streams-without.sunder");
    runWhole(with);
    runWhole(without, recordStreams());
    EXPECT_EQ(RecordingReader(without).digest(), RecordingReader(without, streams()).digest());
    const std::string digest = RecordingReader(with, streams()).digest();
    EXPECT_NE(digest, RecordingReader(without).digest());
    for (const char* change :
         {"UPDATE births SET data = (SELECT data FROM births ORDER BY frame DESC LIMIT 1) WHERE frame = 0",
          "UPDATE births SET frame = 5000 WHERE frame = 0", "DELETE FROM heirs WHERE event = 1"}) {
        const auto changed = freshFile("streams-changed.sunder");
        std::filesystem::copy_file(with, changed);
        SqlDatabase(changed, SqlDatabase::Mode::ReadWrite).execute(change);
        EXPECT_NE(RecordingReader(changed, streams()).digest(), digest) << change;
    }
}

TEST(RecordStream, SurvivesAKillBeforeTheBreakAndIsGoneOnWith) { killAndGoOn(-1); }
TEST(RecordStream, SurvivesAKillAfterTheBreakAndIsGoneOnWith) { killAndGoOn(0); }

TEST(RecordStream, OfLaterProgramsComesIntoRecordingsThatWereBegunWithoutIt) {
    const auto path = freshFile("streams-later.sunder");
    runWhole(path, recordStreams());
    EXPECT_FALSE(RecordingReader(path, streams()).streamBytes(births(), 0));
    const uint64_t broken = firstBreak(RecordingReader(path));
    goOnFrom(path, broken - 1);
    const RecordingReader reader(path, streams());
    EXPECT_FALSE(reader.streamBytes(births(), 0)) << "that frame was made without";
    EXPECT_TRUE(reader.streamBytes(births(), broken));
    // and whoever does not know it passes it over
    EXPECT_EQ(RecordingReader(path).bodyCount(), reader.bodyCount());
}

TEST(RecordStream, SaysWhatIsDamaged) {
    const auto path = freshFile("streams-damaged.sunder");
    runWhole(path);
    SqlDatabase(path, SqlDatabase::Mode::ReadWrite).execute("UPDATE births SET data = x'00112233' WHERE frame = 0");
    try {
        (void)RecordingReader(path, streams()).streamBytes(births(), 0);
        FAIL() << "it is damaged";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("births of frame 0 is damaged"), std::string::npos) << error.what();
    }
    EXPECT_THROW((void)streamNamed(streams(), "deaths"), InputError);
    EXPECT_EQ(streamNamed(streams(), "heirs").name, std::string("heirs"));
}

}  // namespace sunder
