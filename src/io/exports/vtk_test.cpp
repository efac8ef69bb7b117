#include "io/exports/vtk.h"

#include <regex>
#include <zlib.h>

#include "io/exports/test_exports.h"
#include "io/files/byte_order.h"
#include "io/files/file_access.h"

namespace sunder {
namespace {

/// A .vtu as VTK's description of the format says.
class Vtu {
public:
    explicit Vtu(const std::filesystem::path& path) : bytes_(readWholeFile(path)) {
        start_ = bytes_.find("<AppendedData encoding=\"raw\">\n_") + 31;
        std::smatch match;
        const std::string xml = bytes_.substr(0, start_);
        EXPECT_TRUE(std::regex_search(xml, match, std::regex("NumberOfPoints=\"(\\d+)\" NumberOfCells=\"(\\d+)\"")));
        points = std::stoul(match[1]);
        cells = std::stoul(match[2]);
    }
    template <class T>
    std::vector<T> array(const std::string& name) const {
        std::smatch match;
        const std::string xml = bytes_.substr(0, start_);
        if (!std::regex_search(xml, match, std::regex("Name=\"" + name + "\"[^>]*offset=\"(\\d+)\""))) return {};
        size_t at = start_ + std::stoul(match[1]);
        const auto next = [&] { return loadAs<uint64_t>(bytes_, (at += 8) - 8); };
        const uint64_t blocks = next(), size = next(), last = next();
        std::vector<uint64_t> packed;
        for (uint64_t b = 0; b < blocks; ++b) packed.push_back(next());
        std::vector<T> values;
        for (uint64_t b = 0; b < blocks; ++b) {
            std::string block(b + 1 == blocks && last > 0 ? last : size, '\0');
            uLongf length = block.size();
            EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(block.data()), &length,
                                 reinterpret_cast<const Bytef*>(bytes_.data() + at), packed[b]),
                      Z_OK);
            EXPECT_EQ(length, block.size());
            for (size_t i = 0; i < block.size(); i += sizeof(T)) values.push_back(loadAs<T>(block, i));
            at += packed[b];
        }
        return values;
    }
    size_t points = 0, cells = 0;

private:
    std::string bytes_;
    size_t start_ = 0;
};

class Vtk : public test::Exports {};

TEST_F(Vtk, FramesHaveTheTrianglesOfThoseWhoLive) {
    RecordingReader recording = breaking(12);
    exportTo(recording, "a.pvd");
    const std::vector<RecordedBody> bodies = recording.bodies();
    for (const uint64_t frame : {0, 7, 12}) {
        const Vtu vtu(file("a_frames") /
                      ("frame_000" + std::string(frame < 10 ? "0" : "") + std::to_string(frame) + ".vtu"));
        const std::vector<float> points = vtu.array<float>("points");
        const std::vector<uint32_t> piece = vtu.array<uint32_t>("piece");
        const std::vector<uint8_t> inside = vtu.array<uint8_t>("inside");
        const std::vector<float> age = vtu.array<float>("age");
        const std::vector<int64_t> corners = vtu.array<int64_t>("connectivity"), ends = vtu.array<int64_t>("offsets");
        ASSERT_EQ(points.size(), 3 * vtu.points);
        ASSERT_EQ(piece.size(), vtu.cells);
        ASSERT_EQ(corners.size(), 3 * vtu.cells);
        size_t point = 0, cell = 0;
        for (const RecordedPose& pose : recording.poses(frame)) {
            const std::shared_ptr<const TriMesh> mesh = recording.meshOf(pose.body);
            if (!mesh) continue;
            for (const TriangleIndex t : mesh->triangles.indices()) {
                EXPECT_EQ(ends[cell], static_cast<int64_t>(3 * cell + 3));
                EXPECT_EQ(corners[3 * cell], static_cast<int64_t>(point + raw(mesh->triangles[t][0])));
                EXPECT_EQ(inside[cell], mesh->inside.empty() ? 0 : mesh->inside[t]);
                EXPECT_FLOAT_EQ(age[cell], float(double(frame - bodies[pose.body].born) * recording.dt()));
                ASSERT_EQ(piece[cell++], pose.body);
            }
            for (const Vec3& p : mesh->positions) {
                const Vec3 world = pose.worldFromMesh * p;
                for (int axis = 0; axis < 3; ++axis)
                    ASSERT_NEAR(points[3 * point + static_cast<size_t>(axis)], world[axis], 1e-5);
                ++point;
            }
        }
        EXPECT_EQ(point, vtu.points);
        EXPECT_EQ(cell, vtu.cells);
    }
}

TEST_F(Vtk, SpeedIsThatOfTheMotion) {
    RecordingReader recording = breaking(4);
    exportTo(recording, "a.pvd");
    const Vtu vtu(file("a_frames") / "frame_00002.vtu");
    const std::vector<uint32_t> piece = vtu.array<uint32_t>("piece");
    const std::vector<float> speed = vtu.array<float>("speed");
    const std::vector<RecordedBody> bodies = recording.bodies();
    float ball = 0, brick = 1;
    for (size_t i = 0; i < piece.size(); ++i) {
        if (bodies[piece[i]].name == "ball") ball = speed[i];
        if (bodies[piece[i]].name == "brick/r0c0") brick = speed[i];
    }
    EXPECT_NEAR(ball, 14, 0.5);
    EXPECT_EQ(brick, 0) << "asleep";
}

TEST_F(Vtk, EachNthFrameFromTheFirst) {
    RecordingReader recording = breaking(11);
    ExportOptions options;
    options.firstFrame = 2;
    options.every = 4;
    exportTo(recording, "a.pvd", options);
    const std::string pvd = readWholeFile(file("a.pvd"));
    std::vector<std::string> files;
    const std::regex item("timestep=\"([^\"]*)\" part=\"0\" file=\"([^\"]*)\"");
    for (std::sregex_iterator it(pvd.begin(), pvd.end(), item), end; it != end; ++it) {
        files.push_back((*it)[2]);
        EXPECT_TRUE(std::filesystem::exists(file((*it)[2])));
    }
    EXPECT_EQ(files, (std::vector<std::string>{"a_frames/frame_00002.vtu", "a_frames/frame_00006.vtu",
                                               "a_frames/frame_00010.vtu"}));
}

TEST_F(Vtk, TheFolderBesideIsNotOverwrittenUnasked) {
    RecordingReader recording = breaking(1);
    std::filesystem::create_directory(file("a_frames"));
    std::ofstream(file("a_frames") / "thesis.txt") << "do not lose";
    for (const bool overwrite : {false, true}) {
        ExportOptions options;
        options.overwrite = overwrite;
        EXPECT_NE(complaint([&] { exportTo(recording, "a.pvd", options); }).find("no export made"), std::string::npos);
        EXPECT_TRUE(std::filesystem::exists(file("a_frames") / "thesis.txt"));
        EXPECT_FALSE(std::filesystem::exists(file("a.pvd")));
    }
    exportTo(recording, "b.pvd");
    EXPECT_NE(complaint([&] { exportTo(recording, "b.pvd"); }).find("--force"), std::string::npos);
    ExportOptions force;
    force.overwrite = true;
    force.lastFrame = 0;
    exportTo(recording, "b.pvd", force);
    EXPECT_FALSE(std::filesystem::exists(file("b_frames") / "frame_00001.vtu")) << "nothing old stays";
}

}  // namespace
}  // namespace sunder
