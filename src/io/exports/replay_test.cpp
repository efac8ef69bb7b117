#include "io/exports/replay.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <zlib.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/base64.h"
#include "base/error.h"
#include "io/exports/replay_meshes.h"
#include "io/exports/replay_payload.h"
#include "io/exports/replay_tracks.h"
#include "io/files/byte_order.h"
#include "io/files/file_access.h"
#include "io/files/packed_numbers.h"
#include "io/recording/recording_stress.h"
#include "io/recording/test_recordings.h"
#include "io/recording/test_stress.h"
#include "sim/test_shatter.h"

namespace sunder {
namespace {

using Json = nlohmann::json;

using test::freshFile;

RecordingReader recorded(const std::string& name, const sim::SimulationSetup& setup, uint64_t frames) {
    const std::filesystem::path path = freshFile(name + ".sunder");
    test::record(path, setup, frames);
    return RecordingReader(path);
}

/// A payload taken apart as the page does it.
struct Opened {
    Json header;
    std::string blobs;

    explicit Opened(const std::string& payload) {
        EXPECT_TRUE(payload.starts_with(kReplayMagic));
        EXPECT_EQ(loadAs<uint32_t>(payload, 8), kReplayVersion);
        const size_t size = loadAs<uint32_t>(payload, 12);
        header = Json::parse(payload.substr(16, size));
        blobs = payload.substr(16 + size);
    }
    std::string blob(const char* name) const {
        return blobs.substr(header["blobs"][name][0].get<size_t>(), header["blobs"][name][1].get<size_t>());
    }
};

NumberReader numbersIn(const std::string& bytes) {
    return NumberReader(std::as_bytes(std::span(bytes.data(), bytes.size())));
}

using Samples = std::vector<ReplayTrack::Sample>;

Samples readTrack(NumberReader& reader, size_t count) {
    Samples samples(count);
    for (size_t channel = 0; channel < ReplayTrack::kChannels; ++channel) {
        int64_t last = 0, before = 0;
        for (size_t n = 0; n < count; ++n) {
            const int64_t straightOn = n < 2 ? last : 2 * last - before;
            before = last;
            last = samples[n][channel] = straightOn + reader.signedNumber();
        }
    }
    return samples;
}

std::vector<Samples> tracksOf(const Opened& opened) {
    const std::string bytes = opened.blob("tracks");
    NumberReader reader = numbersIn(bytes);
    std::vector<Samples> tracks;
    for (const size_t count : opened.header["bodies"]["samples"]) tracks.push_back(readTrack(reader, count));
    EXPECT_TRUE(reader.empty());
    return tracks;
}

std::string payloadOf(RecordingReader& recording, const ExportOptions& options = {}) {
    Progress silent;
    return replayPayload(recording, options, silent);
}

/// Every pose of every frame, to the quanta that the page is told.
void expectPosesOf(RecordingReader& recording, const Opened& opened) {
    const std::vector<RecordedBody> bodies = recording.bodies();
    const std::vector<Samples> tracks = tracksOf(opened);
    const double quantum = opened.header["quanta"]["position"], turn = opened.header["quanta"]["rotation"];
    const uint64_t first = opened.header["first_frame"], count = opened.header["frames"];
    size_t poses = 0;
    for (uint64_t frame = first; frame < first + count; ++frame) {
        for (const RecordedPose& pose : recording.poses(frame)) {
            const Samples& track = tracks.at(pose.body);
            const uint64_t from = std::max(bodies[pose.body].born, first);
            ASSERT_FALSE(track.empty());
            const ReplayTrack::Sample& sample = track[std::min<size_t>(frame - from, track.size() - 1)];
            const Vec3 centre = pose.worldFromMesh * bodies[pose.body].centre;
            const Vec3 got = quantum * Vec3(double(sample[0]), double(sample[1]), double(sample[2]));
            EXPECT_LE((got - centre).cwiseAbs().maxCoeff(), 0.5001 * quantum) << "body " << pose.body;
            const Quat rotation{double(sample[6]), double(sample[3]), double(sample[4]), double(sample[5])};
            EXPECT_LE(rotation.normalized().angularDistance(pose.worldFromMesh.rotation), 2.5 * turn);
            ++poses;
        }
    }
    EXPECT_GT(poses, count);
}

TEST(Replay, KeepsEveryPoseWithinItsQuantum) {
    RecordingReader recording = recorded("replay_poses", sim::test_shatter::breakingRain(), 80);
    const Opened opened(payloadOf(recording));
    EXPECT_EQ(opened.header["frames"], 81);
    expectPosesOf(recording, opened);
}

TEST(Replay, PartOfARecordingHasItsOwnFramesOnly) {
    RecordingReader recording = recorded("replay_part", sim::test_shatter::breakingRain(), 60);
    const Opened opened(payloadOf(recording, {.firstFrame = 30, .lastFrame = 45}));
    EXPECT_EQ(opened.header["first_frame"], 30);
    EXPECT_EQ(opened.header["frames"], 16);
    EXPECT_EQ(opened.header["times"].size(), 16u);
    EXPECT_EQ(opened.blob("series").size(), 16 * opened.header["series"].size() * sizeof(float));
    for (const Json& event : opened.header["events"]) {
        EXPECT_GE(event["frame"], 30);
        EXPECT_LE(event["frame"], 45);
    }
    expectPosesOf(recording, opened);
}

TEST(Replay, FramesThatAreNotThereAreRefused) {
    RecordingReader recording = recorded("replay_refused", sim::test_shatter::ballThroughWall(4), 3);
    try {
        payloadOf(recording, {.firstFrame = 9});
        FAIL() << "accepted";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("last one is 3"), std::string::npos) << error.what();
    }
}

using Point = std::array<int64_t, 3>;

/// Vertices on the lattice and triangles, by mesh.
struct ReadMesh {
    std::vector<Point> points;
    std::vector<std::array<size_t, 3>> triangles;
};

std::vector<ReadMesh> meshesOf(const Opened& opened) {
    const std::string vertexBytes = opened.blob("vertices"), triangleBytes = opened.blob("triangles");
    NumberReader vertices = numbersIn(vertexBytes), triangles = numbersIn(triangleBytes);
    const Json& columns = opened.header["meshes"];
    std::vector<ReadMesh> all;
    for (size_t m = 0; m < columns["vertices"].size(); ++m) {
        ReadMesh mesh;
        Point point{};
        for (size_t v = 0; v < columns["vertices"][m].get<size_t>(); ++v) {
            for (int64_t& x : point) x += vertices.signedNumber();
            mesh.points.push_back(point);
        }
        int64_t index = 0;
        for (size_t t = 0; t < columns["triangles"][m].get<size_t>(); ++t) {
            std::array<size_t, 3> triangle{};
            for (size_t& corner : triangle) corner = static_cast<size_t>(index += triangles.signedNumber());
            mesh.triangles.push_back(triangle);
        }
        all.push_back(mesh);
    }
    EXPECT_TRUE(vertices.empty() && triangles.empty());
    return all;
}

TEST(Replay, MeshesKeepTheirPlaceToHalfAStep) {
    RecordingReader recording = recorded("replay_meshes", sim::test_shatter::ballThroughWall(12), 20);
    const std::vector<RecordedBody> bodies = recording.bodies();
    const ReplayMeshes made = replayMeshes(recording, bodies);
    const std::vector<ReadMesh> read = meshesOf(Opened(payloadOf(recording)));
    ASSERT_EQ(read.size(), made.meshes.size());
    for (size_t m = 0; m < read.size(); ++m) {
        const ReplayLattice& lattice = made.lattices[made.meshes[m].lattice];
        const TriMesh truth = *recording.mesh(made.meshes[m].id);
        ASSERT_EQ(read[m].triangles.size(), truth.triangleCount());
        for (const Point& point : read[m].points) {
            const Vec3 p = lattice.origin + lattice.step * Vec3(double(point[0]), double(point[1]), double(point[2]));
            double nearest = INFINITY;
            for (const Vec3& v : truth.positions) nearest = std::min(nearest, (v - p).cwiseAbs().maxCoeff());
            EXPECT_LE(nearest, 0.5001 * lattice.step);
        }
    }
}

/// The corners of a triangle, whichever comes first, so that neighbours' triangles can be compared.
std::set<Point> cornersOf(const ReadMesh& mesh, const std::array<size_t, 3>& triangle) {
    return {mesh.points[triangle[0]], mesh.points[triangle[1]], mesh.points[triangle[2]]};
}

TEST(Replay, NeighboursMeetInTheSamePointsOfTheLattice) {
    RecordingReader recording = recorded("replay_neighbours", sim::test_shatter::ballThroughWall(12), 20);
    const Opened opened(payloadOf(recording));
    const Json& columns = opened.header["meshes"];
    const std::vector<ReadMesh> meshes = meshesOf(opened);
    // each point of the inside of a piece is a corner of another piece too, or of the wall
    std::map<std::pair<size_t, Point>, int> pieces;
    size_t inner = 0, met = 0;
    for (size_t m = 0; m < meshes.size(); ++m)
        for (const Point& point : meshes[m].points) ++pieces[{columns["lattice"][m].get<size_t>(), point}];
    for (size_t m = 0; m < meshes.size(); ++m) {
        std::set<Point> corners;
        for (size_t t = columns["outside"][m]; t < meshes[m].triangles.size(); ++t)
            corners.merge(cornersOf(meshes[m], meshes[m].triangles[t]));
        for (const Point& point : corners) {
            ++inner;
            met += pieces[{columns["lattice"][m].get<size_t>(), point}] > 1;
        }
    }
    EXPECT_GT(inner, 60u);
    EXPECT_EQ(met, inner);
}

std::string gunzipped(const std::string& bytes) {
    z_stream stream{};
    EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
    std::string out, block(1 << 16, '\0');
    std::string input = bytes;
    stream.next_in = reinterpret_cast<Bytef*>(input.data());
    stream.avail_in = static_cast<uInt>(input.size());
    int status = Z_OK;
    while (status == Z_OK) {
        stream.next_out = reinterpret_cast<Bytef*>(block.data());
        stream.avail_out = static_cast<uInt>(block.size());
        status = inflate(&stream, Z_NO_FLUSH);
        out.append(block.data(), block.size() - stream.avail_out);
    }
    EXPECT_EQ(status, Z_STREAM_END);
    inflateEnd(&stream);
    return out;
}

constexpr const char* kPage = R"(<html><script id="sunder-recording" type="application/octet-stream"></script></html>)";

TEST(Replay, ThePageHoldsThePayload) {
    const std::string payload = std::string(300000, 'x') + "end";
    const std::string page = pageWith(kPage, payload, "page");
    const size_t from = page.find("octet-stream\">") + 14;
    const auto bytes = decodeBase64(page.substr(from, page.find("</script>") - from));
    ASSERT_TRUE(bytes);
    EXPECT_EQ(gunzipped(*bytes), payload);
    EXPECT_THROW(pageWith("<html></html>", payload, "page"), InputError);
    EXPECT_EQ(gunzipped(gzipped("")), "");
}

/// Sets a variable of the environment for as long as it lives.
struct Environment {
    Environment(const char* variable, const std::string& value) : name(variable) {
        ::setenv(variable, value.c_str(), 1);
    }
    ~Environment() { ::unsetenv(name); }
    const char* name;
};

TEST(Replay, IsWrittenWithThePageThatIsFound) {
    RecordingReader recording = recorded("replay_whole", sim::test_shatter::ballThroughWall(4), 5);
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "replay_web";
    std::filesystem::create_directories(folder);
    std::filesystem::remove(folder / "replay.html");
    const Environment web("SUNDER_WEB", folder.string());
    const std::filesystem::path output = freshFile("replay_whole.html");
    Progress silent;
    try {
        writeReplay(recording, output, {}, silent);
        FAIL() << "written without a page";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("./dev build web"), std::string::npos) << error.what();
    }
    std::ofstream(folder / "replay.html") << kPage;
    exporterFor(output).write(recording, output, {}, silent);
    EXPECT_GT(std::filesystem::file_size(output), 1000u);
}

TEST(Replay, BringsTheStressOfBreaksUnlessItIsLeftOut) {
    RecordingReader reader = recorded("stress-replay", test::ballThroughConcrete(), 6);
    Progress silent;
    const size_t number = test::breakIn(reader).first;
    const Opened with(replayPayload(reader, {}, silent));
    const Json& stress = with.header["events"][number]["stress"];
    const auto place = stress.at("bytes").get<std::array<size_t, 2>>();
    const std::string bytes = with.blob("stress").substr(place[0], place[1]);
    const fracture::StressPicture picture = stressFromBytes(std::as_bytes(std::span(bytes.data(), bytes.size())));
    EXPECT_EQ(picture.points.size(), stress["points"].get<size_t>());
    const Opened without(replayPayload(reader, {.withoutStreams = {"stress"}}, silent));
    EXPECT_FALSE(without.header["events"][number]["stress"].contains("bytes"));
    EXPECT_TRUE(without.blob("stress").empty());
}

TEST(Replay, BringsStreamsOfFramesUpToWhatAPageHolds) {
    RecordStream told = impactStream();
    const std::string path = (freshFile("impact-replay.sunder")).string();
    test::record(path, sim::test_shatter::ballThroughWall(4), 10);
    Progress silent;
    const auto opened = [&](size_t most, std::set<std::string> without) {
        told.mostReplayBytes = most;
        RecordingReader reader(path, std::span(&told, 1));
        return Opened(replayPayload(reader, {.withoutStreams = std::move(without)}, silent));
    };
    const Opened whole = opened(1'000'000, {});
    const Json& stream = whole.header.at("streams").at("impact");
    const RecordingReader reader(path);
    size_t frames = 0;
    for (uint64_t frame = 0; frame <= reader.lastFrame(); ++frame) {
        const auto bytes = reader.streamBytes(told, frame);
        if (!bytes) continue;
        ASSERT_EQ(stream["frames"].at(frames), frame);
        const auto place = stream["bytes"].at(frames).get<std::array<size_t, 2>>();
        const std::string found = whole.blob("impact").substr(place[0], place[1]);
        EXPECT_TRUE(std::ranges::equal(std::as_bytes(std::span(found)), *bytes)) << frame;
        ++frames;
    }
    ASSERT_GE(frames, 2u);
    EXPECT_EQ(stream["frames"].size(), frames);
    const size_t all = whole.blob("impact").size();
    EXPECT_EQ(opened(all - 1, {}).header["streams"]["impact"]["frames"].size(), frames - 1);
    EXPECT_FALSE(opened(all, {"impact"}).header.contains("streams"));
}

TEST(ReplayTrack, RestCostsNothing) {
    ReplayTrack track;
    for (int frame = 0; frame < 500; ++frame)
        track.add(Vec3(0, std::max(0.0, 1 - 0.1 * frame), 0), Quat::Identity(), 0x1p-10);
    EXPECT_EQ(track.samples(), 11u);
}

TEST(ReplayTrack, QuaternionsDoNotJumpBetweenSigns) {
    ReplayTrack track;
    const size_t frames = 200;
    for (size_t frame = 0; frame < frames; ++frame) {
        Quat turn(Eigen::AngleAxisd(0.1 * static_cast<double>(frame), Vec3(1, 2, 2) / 3));
        if (frame % 3 == 0) turn.coeffs() *= -1;
        track.add(Vec3::Zero(), turn, 1);
    }
    std::vector<std::byte> bytes;
    track.appendTo(bytes);
    NumberReader reader(bytes);
    const Samples samples = readTrack(reader, frames);
    for (size_t n = 1; n < frames; ++n)
        for (size_t k = 3; k < 7; ++k)
            EXPECT_LT(std::abs(samples[n][k] - samples[n - 1][k]), 0.06 / kReplayRotationQuantum);
}

}  // namespace
}  // namespace sunder
