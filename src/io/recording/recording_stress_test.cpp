#include "io/recording/recording_stress.h"

#include <fstream>

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "io/recording/recording_reader.h"
#include "io/recording/recording_stats.h"
#include "io/recording/recording_writer.h"
#include "io/recording/test_recordings.h"
#include "io/recording/test_stress.h"

namespace sunder {
namespace {

using Json = nlohmann::ordered_json;
using fracture::StressAt;
using sim::Simulation;
using test::ballThroughConcrete;
using test::breakIn;
using test::freshFile;

fracture::StressPicture somePicture() {
    fracture::StressPicture picture;
    for (int i = 0; i < 100; ++i) {
        const double t = 0.1 * i;
        picture.points.push_back({Vec3(std::sin(t), 0.1 * t, -3 + std::cos(t)), 1e6 * std::sin(3 * t), -4e5 * t,
                                  2e6 + t, Vec3(std::cos(t), std::sin(t), 0)});
    }
    for (uint32_t i = 0; i < 90; ++i) picture.cells.push_back({i, i + 9, i + 3, 99 - i});
    return picture;
}

}  // namespace

TEST(RecordedStress, ComesBackWithinItsPrecision) {
    const fracture::StressPicture picture = somePicture();
    const fracture::StressPicture back = stressFromBytes(stressBytes(picture));
    ASSERT_EQ(back.points.size(), picture.points.size());
    for (size_t i = 0; i < back.points.size(); ++i) {
        const StressAt &was = picture.points[i], &is = back.points[i];
        EXPECT_LT((was.place - is.place).norm(), 2 * 2.0 / 65535);
        EXPECT_NEAR(is.tension, was.tension, 4e6 / 32767);
        EXPECT_NEAR(is.least, was.least, 4e6 / 32767);
        EXPECT_NEAR(is.strength, was.strength, 2e6 / 65535);
        EXPECT_GT(is.direction.normalized().dot(was.direction), std::cos(0.01));  // rad
    }
    EXPECT_EQ(back.cells, picture.cells);
    EXPECT_TRUE(stressFromBytes(stressBytes({})).points.empty());
}

TEST(RecordedStress, SaysSoWhenItIsDamaged) {
    const std::vector<std::byte> good = stressBytes(somePicture());
    for (size_t size = 0; size < good.size(); size += 7)
        EXPECT_THROW(stressFromBytes(std::span(good).first(size)), std::runtime_error) << size;
    std::vector<std::byte> longer = good;
    longer.push_back(std::byte{0});
    EXPECT_THROW(stressFromBytes(longer), std::runtime_error);
    fracture::StressPicture wrong = somePicture();
    wrong.cells.push_back({0, 1, 2, 100});
    EXPECT_THROW(stressFromBytes(stressBytes(wrong)), std::runtime_error);
}

TEST(RecordedStress, IsKeptBesideTheBreak) {
    const auto path = freshFile("stress.sunder");
    test::record(path, ballThroughConcrete(), 6);
    RecordingReader reader(path);
    const auto [number, event] = breakIn(reader);
    const Json& stress = event.at("stress");
    const fracture::StressPicture picture = stressFromBytes(reader.streamBytes(stressStream(), number).value());
    EXPECT_EQ(picture.points.size(), stress.at("points").get<size_t>());
    EXPECT_EQ(picture.cells.size(), stress.at("elements").get<size_t>());
    const double ratio = stress["worst"]["tension"].get<double>() / stress["worst"]["strength"].get<double>();
    EXPECT_GT(ratio, 1);
    EXPECT_GT(stress["strain_energy"].get<double>(), 0);
    EXPECT_FALSE(stress["contacts"].empty());
    EXPECT_LT(std::filesystem::file_size(path), 2'000'000u);
    EXPECT_FALSE(reader.streamBytes(stressStream(), number + 1));
    EXPECT_NE(describeStress(stress).find("times; hardest push"), std::string::npos) << describeStress(stress);
    const RecordingStats stats = statsOf(reader);
    EXPECT_EQ(stats.breaksFromStress, 1u);
    EXPECT_EQ(stats.stressRatioWorst, ratio);
}

TEST(RecordedStress, IsPartOfTheDigestOnAnyThreadsAndWhenResumed) {
    std::vector<std::string> digests;
    for (const int threads : {1, 2}) {
        const ThreadLimit limit(threads);
        const auto path = freshFile("stress-threads.sunder");
        test::record(path, ballThroughConcrete(), 6);
        digests.push_back(RecordingReader(path).digest());
    }
    EXPECT_EQ(digests[0], digests[1]);

    // frames that are there are made again: those of the break too
    const auto path = freshFile("stress-resumed.sunder");
    const sim::SimulationSetup setup = ballThroughConcrete();
    {
        RecordingWriter writer =
            RecordingWriter::create(path, test::headerOf(setup), RecordingWriter::Checkpoints::All);
        Simulation simulation(setup);
        Progress silent;
        sim::run(simulation, writer, {.frames = 6, .checkpointEvery = 1}, silent);
    }
    const std::string whole = RecordingReader(path).digest();
    {
        RecordingWriter::Resumed resumed = RecordingWriter::resume(path, 1);
        Simulation simulation = Simulation::load(setup, resumed.checkpoint.state, [&](sim::BodySerial body) {
            return RecordingReader(path).geometryOf(raw(body));
        });
        Progress silent;
        sim::run(simulation, resumed.writer, {.frames = 6, .resumed = true}, silent);
    }
    EXPECT_EQ(RecordingReader(path).digest(), whole);
    EXPECT_EQ(whole, digests[0]);
    SqlDatabase database(path, SqlDatabase::Mode::ReadWrite);
    EXPECT_EQ(database.integer("SELECT count(*) FROM stress"), 1);
    database.execute("UPDATE stress SET data = (SELECT data FROM mesh LIMIT 1)");
    EXPECT_NE(RecordingReader(path).digest(), whole);
}

TEST(RecordedStress, OfTheFirstRecordingsIsNotThereAndTheyOpenAndGoOn) {
    const auto path = freshFile("stress-old.sunder");
    const sim::SimulationSetup setup = ballThroughConcrete();
    test::record(path, setup, 1);
    SqlDatabase(path, SqlDatabase::Mode::ReadWrite).execute("DROP TABLE stress");
    EXPECT_FALSE(RecordingReader(path).streamBytes(stressStream(), 0));
    EXPECT_FALSE(RecordingReader(path).digest().empty());
    {
        RecordingWriter::Resumed resumed = RecordingWriter::resume(path);
        Simulation simulation = Simulation::load(setup, resumed.checkpoint.state, [&](sim::BodySerial body) {
            return RecordingReader(path).geometryOf(raw(body));
        });
        Progress silent;
        sim::run(simulation, resumed.writer, {.frames = 6, .resumed = true}, silent);
    }
    const RecordingReader reader(path);
    EXPECT_TRUE(reader.streamBytes(stressStream(), breakIn(reader).first));
}

}  // namespace sunder
