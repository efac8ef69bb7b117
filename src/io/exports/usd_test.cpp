#include "io/exports/usd.h"

#include <map>
#include <regex>

#include <nlohmann/json.hpp>

#include "io/exports/test_exports.h"
#include "io/files/file_access.h"

namespace sunder {
namespace {

/// The text between the braces that follow a place.
std::string blockAt(const std::string& text, size_t at) {
    const size_t begin = text.find("{\n", text.find("\n    )\n    {", at));
    int depth = 0;
    for (size_t i = begin; i < text.size(); ++i) {
        depth += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
        if (depth == 0) return text.substr(begin, i - begin);
    }
    return "";
}

/// The samples of `name.timeSamples = {1: (2, 3), ...}` or `name = (2, 3)`, which counts from the start.
std::map<double, std::vector<double>> samplesOf(const std::string& block, const std::string& name, double start) {
    std::map<double, std::vector<double>> samples;
    std::smatch match;
    const std::regex number(R"([-+0-9.e]+)");
    const auto numbersIn = [&](const std::string& text) {
        std::vector<double> numbers;
        for (std::sregex_iterator it(text.begin(), text.end(), number), end; it != end; ++it)
            numbers.push_back(std::stod(it->str()));
        return numbers;
    };
    if (std::regex_search(block, match, std::regex(name + R"( = \(([^)]*)\))"))) samples[start] = numbersIn(match[1]);
    if (std::regex_search(block, match, std::regex(name + R"(\.timeSamples = \{([^}]*)\})"))) {
        const std::string all = match[1];
        const std::regex item(R"((\d+): \(([^)]*)\))");
        for (std::sregex_iterator it(all.begin(), all.end(), item), end; it != end; ++it)
            samples[std::stod((*it)[1])] = numbersIn((*it)[2]);
    }
    return samples;
}

std::vector<double> valueAt(const std::map<double, std::vector<double>>& samples, double time) {
    auto after = samples.lower_bound(time);
    if (after == samples.end()) return std::prev(after)->second;
    if (after == samples.begin()) return after->second;
    const auto before = std::prev(after);
    const double s = (time - before->first) / (after->first - before->first);
    std::vector<double> value;
    for (size_t i = 0; i < before->second.size(); ++i)
        value.push_back((1 - s) * before->second[i] + s * after->second[i]);
    return value;
}

class Usd : public test::Exports {};

TEST_F(Usd, BodiesAreWhereTheyWereAndSeenWhenTheyWere) {
    RecordingReader recording = breaking(30);
    ExportOptions options;
    options.tolerance = 1e-3;
    options.firstFrame = 4;
    exportTo(recording, "a.usda", options);
    const std::string text = readWholeFile(file("a.usda"));
    const std::vector<RecordedBody> bodies = recording.bodies();
    size_t compared = 0;
    for (const uint64_t frame : {4, 11, 22, 30}) {
        std::map<uint32_t, RigidTransform> there;
        for (const RecordedPose& pose : recording.poses(frame)) there[pose.body] = pose.worldFromMesh;
        for (const RecordedBody& body : bodies) {
            if (body.died && (*body.died == body.born || *body.died <= 4)) continue;
            const size_t at = text.find("string name = \"" + body.name + "\"\n");
            ASSERT_NE(at, std::string::npos) << body.name;
            const std::string block = blockAt(text, at);
            // visibility holds until the next sample
            std::smatch match;
            bool visible = true;
            if (std::regex_search(block, match, std::regex(R"(token visibility\.timeSamples = \{([^}]*)\})"))) {
                const std::string all = match[1];
                const std::regex item("(\\d+): \"(\\w+)\"");
                for (std::sregex_iterator it(all.begin(), all.end(), item), end; it != end; ++it)
                    if (std::stoull((*it)[1]) <= frame) visible = (*it)[2] == "inherited";
            }
            ASSERT_EQ(visible, there.contains(body.id)) << body.name << " in frame " << frame;
            if (!visible) continue;
            const auto t = valueAt(samplesOf(block, "xformOp:translate", 4), double(frame));
            const auto r = valueAt(samplesOf(block, "xformOp:orient", 4), double(frame));
            EXPECT_LE((Vec3(t[0], t[1], t[2]) - there[body.id] * body.centre).norm(), 0.5e-3 + 1e-9) << body.name;
            EXPECT_LE(Quat(r[0], r[1], r[2], r[3]).normalized().angularDistance(there[body.id].rotation), 0.021);
            ++compared;
        }
    }
    EXPECT_GT(compared, 100u);
}

TEST_F(Usd, HeaderSaysUnitsAxisAndTime) {
    RecordingReader recording = breaking(6);
    ExportOptions options;
    options.firstFrame = 2;
    exportTo(recording, "a.usda", options);
    const std::string text = readWholeFile(file("a.usda"));
    EXPECT_TRUE(text.starts_with("#usda 1.0\n"));
    for (const char* fact : {"metersPerUnit = 1\n", "upAxis = \"Y\"\n", "timeCodesPerSecond = 30\n",
                             "startTimeCode = 2\n", "endTimeCode = 6\n", "defaultPrim = \"World\"\n"})
        EXPECT_NE(text.find(fact), std::string::npos) << fact;
    EXPECT_EQ(std::count(text.begin(), text.end(), '{'), std::count(text.begin(), text.end(), '}'));
    EXPECT_EQ(std::count(text.begin(), text.end(), '['), std::count(text.begin(), text.end(), ']'));
}

TEST_F(Usd, SurfacesOfSeveralBodiesStandInTheFileOnce) {
    RecordingReader recording = breaking(2);
    exportTo(recording, "a.usda");
    const std::string text = readWholeFile(file("a.usda"));
    const auto count = [&](const std::string& what) {
        size_t n = 0;
        for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
        return n;
    };
    EXPECT_EQ(count("references = </Shapes/"), 6u) << "six bricks";
    EXPECT_EQ(count("def Mesh \"shape_"), 1u);
    EXPECT_EQ(count("point3f[] points"), 8u + 1u) << "seven others, a floor, and the bricks' one";
}

TEST_F(Usd, NamesThatAreNoIdentifiersAreKeptBesideOnesThatAre) {
    RecordingReader recording = recorded(R"({"version": 1, "bodies": [
      {"name": "2 \"old\" pots", "shape": {"name": "box"}, "position": [0, 2, 0]},
      {"name": "camera", "shape": {"name": "box"}, "position": [3, 2, 0]},
      {"name": "Gr\u00fcn-1", "shape": {"name": "box"}, "position": [6, 2, 0]},
      {"name": "Gr__n_1", "shape": {"name": "box"}, "position": [9, 2, 0]}]})",
                                         1);
    exportTo(recording, "a.usda");
    const std::string text = readWholeFile(file("a.usda"));
    const std::regex prim("def \\w+ \"([^\"]*)\"");
    std::map<std::string, int> atTop;
    for (std::sregex_iterator it(text.begin(), text.end(), prim), end; it != end; ++it)
        EXPECT_TRUE(std::regex_match((*it)[1].str(), std::regex("[A-Za-z_][A-Za-z0-9_]*"))) << (*it)[1];
    EXPECT_NE(text.find(R"(string name = "2 \"old\" pots")"), std::string::npos);
    EXPECT_NE(text.find("def Xform \"camera_2\""), std::string::npos);
    EXPECT_NE(text.find("def Xform \"Gr__n_1_2\""), std::string::npos);
}

TEST_F(Usd, TheSameRecordingGivesTheSameBytes) {
    RecordingReader recording = breaking(10);
    exportTo(recording, "a.usda");
    exportTo(recording, "b.usda");
    EXPECT_EQ(readWholeFile(file("a.usda")), readWholeFile(file("b.usda")));
}

}  // namespace
}  // namespace sunder
