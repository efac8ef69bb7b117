// What is shown of a body, and what moves and breaks, in a recording.
#include <filesystem>

#include <gtest/gtest.h>

#include "geometry/mesh/mass_properties.h"
#include "io/recording/recording_reader.h"
#include "io/recording/recording_writer.h"
#include "io/recording/test_recordings.h"
#include "sim/test_shatter.h"

namespace sunder {

namespace {

using sim::BodySerial;
using sim::Simulation;
using sim::test_shatter::ballThroughWall;
using test::freshFile;
using test::headerOf;
using test::record;

/// Shows of each fragment a little less than there is.
struct ShownShatter : sim::test_shatter::Shatter {
    using Shatter::Shatter;
    fracture::FracturePlan planOf(const fracture::Solid& solid, const fracture::Loads& loads) const override {
        fracture::FracturePlan plan = Shatter::planOf(solid, loads);
        for (fracture::Fragment& fragment : plan.fragments) {
            fragment.shown = fragment.mesh();
            const Vec3 middle = boundsOf(fragment.mesh()).centre();
            for (Vec3& p : fragment.shown->positions) p = middle + 0.9 * (p - middle);
        }
        return plan;
    }
};

sim::SimulationSetup ballThroughShownWall() {
    sim::SimulationSetup setup = ballThroughWall();
    for (sim::BodySetup& body : setup.bodies) {
        if (const auto* method = dynamic_cast<const sim::test_shatter::Shatter*>(body.method.get()))
            body.method = std::make_shared<ShownShatter>(method->threshold, method->pieces, method->generations);
    }
    return setup;
}

}  // namespace

TEST(RecordedSolids, AreBesideWhatIsShownWhereTheseDiffer) {
    const auto path = freshFile("shown.sunder");
    record(path, ballThroughShownWall(), 30);
    RecordingReader reader(path);
    size_t pieces = 0;
    for (const RecordedBody& body : reader.bodies()) {
        if (!body.parent) {
            if (body.mesh) {
                EXPECT_EQ(reader.geometryOf(body.id)->volume(), volume(*reader.meshOf(body.id)));
            }
            continue;
        }
        ++pieces;
        EXPECT_NEAR(reader.geometryOf(body.id)->volume(), body.volume, 1e-12 * body.volume);
        EXPECT_NEAR(volume(*reader.meshOf(body.id)), 0.729 * body.volume, 1e-9 * body.volume);
    }
    EXPECT_GT(pieces, 3u);
    // whatever is shown, the same happens
    const auto plain = freshFile("shown-not.sunder");
    record(plain, ballThroughWall(), 30);
    EXPECT_EQ(reader.frame(30).stateHash, RecordingReader(plain).frame(30).stateHash);
    EXPECT_NE(reader.digest(), RecordingReader(plain).digest());
}

TEST(RecordedSolids, GoOnFromAnyFrame) {
    const auto path = freshFile("shown-resumed.sunder");
    const sim::SimulationSetup setup = ballThroughShownWall();
    for (const uint64_t from : {uint64_t{25}, uint64_t{1}}) {  // after the break; and before it
        std::filesystem::remove(path);
        {
            RecordingWriter writer = RecordingWriter::create(path, headerOf(setup), RecordingWriter::Checkpoints::All);
            Simulation simulation(setup);
            Progress silent;
            sim::run(simulation, writer, {.frames = 30, .checkpointEvery = 1}, silent);
        }
        const std::string whole = RecordingReader(path).digest();
        {
            RecordingWriter::Resumed resumed = RecordingWriter::resume(path, from);
            Simulation simulation = Simulation::load(setup, resumed.checkpoint.state, [&](BodySerial body) {
                return RecordingReader(path).geometryOf(raw(body));
            });
            Progress silent;
            sim::run(simulation, resumed.writer, {.frames = 30, .resumed = true}, silent);
        }
        EXPECT_EQ(RecordingReader(path).digest(), whole) << from;
    }
}

}  // namespace sunder
