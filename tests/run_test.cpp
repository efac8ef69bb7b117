// `sunder run` and what reads its recordings, as a user or a script meets them: what is told when something is wrong,
// two runs at once, Ctrl-C, a full disk, reading meanwhile, progress, JSON.
#include <array>
#include <filesystem>
#include <fstream>
#include <memory>
#include <pty.h>
#include <regex>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "child_process.h"
#include "geometry/shapes/shapes.h"
#include "io/files/sqlite.h"
#include "io/files/test_scratch.h"
#include "io/mesh/mesh_io.h"
#include "io/recording/recording_reader.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using tests::ChildOptions;
using tests::ChildProcess;
using tests::contentsOf;

const fs::path kScene = fs::path(SUNDER_SOURCE_DIR) / "tests" / "scenes" / "breaking.json";
constexpr double kPatience = 300;            // s, for what takes one or two
constexpr const char* kForever = "1000000";  // frames

struct Answer {
    int code = -1;
    std::string out, err;
    bool says(const std::string& words) const { return err.find(words) != std::string::npos; }
};

class Run : public test::ScratchTest {
protected:
    std::string file(const std::string& name) const { return ScratchTest::file(name).string(); }
    void write(const std::string& name, const std::string& text) const { std::ofstream(file(name)) << text; }

    Answer sunder(std::vector<std::string> arguments, ChildOptions options = {}) const {
        arguments.insert(arguments.begin(), SUNDER_PROGRAM);
        options.out = file("stdout");
        options.err = file("stderr");
        options.folder = folder();
        ChildProcess child(arguments, options);
        EXPECT_TRUE(child.waitFor(kPatience));
        return {child.exitCode(), contentsOf(options.out), contentsOf(options.err)};
    }
    /// A recording of a few frames.
    std::string recorded(const std::string& name, const std::string& frames = "6") const {
        const Answer answer = sunder({"run", kScene.string(), "-o", file(name), "--frames", frames});
        EXPECT_EQ(answer.code, 0) << answer.err;
        return file(name);
    }
    /// A run that is under way and would take for ever.
    std::unique_ptr<ChildProcess> started(const std::string& name) const {
        auto child = std::make_unique<ChildProcess>(
            std::vector<std::string>{SUNDER_PROGRAM, "run", kScene.string(), "-o", file(name), "--frames", kForever},
            ChildOptions{.err = file("started.err")});
        EXPECT_TRUE(child->waitUntil([&] { return frames(name) >= 2; }, kPatience));
        EXPECT_FALSE(child->ended()) << contentsOf(file("started.err"));
        return child;
    }
    /// The last frame there is; -1: none.
    int64_t frames(const std::string& name) const {
        try {
            return static_cast<int64_t>(RecordingReader(file(name)).lastFrame());
        } catch (const std::exception&) {
            return -1;
        }
    }
};

TEST_F(Run, ASecondRunIntoTheSameFileIsRefused) {
    const auto first = started("a.sunder");
    for (const std::string flag : {"--resume", "--force"}) {
        const Answer second = sunder({"run", kScene.string(), "-o", file("a.sunder"), flag});
        EXPECT_EQ(second.code, 1) << flag;
        EXPECT_TRUE(second.says("a.sunder: another run is writing into it")) << second.err;
    }
    EXPECT_EQ(sunder({"run", kScene.string(), "-o", file("a.sunder")}).code, 1);
    const int64_t before = frames("a.sunder");
    EXPECT_TRUE(first->waitUntil([&] { return frames("a.sunder") > before; }, kPatience));
    EXPECT_FALSE(first->ended()) << "the first run did not notice";
}

TEST_F(Run, CtrlCEndsAfterTheFrameAndTheRunGoesOn) {
    for (const int signal : {SIGINT, SIGTERM}) {
        const auto child = started("a.sunder");
        child->signal(signal);
        ASSERT_TRUE(child->waitFor(kPatience));
        EXPECT_EQ(child->exitCode(), 128 + signal);
        const std::string told = contentsOf(file("started.err"));
        const int64_t last = frames("a.sunder");
        EXPECT_NE(told.find("stopped after frame " + std::to_string(last)), std::string::npos) << told;
        EXPECT_NE(told.find("--resume"), std::string::npos) << told;
        EXPECT_FALSE(fs::exists(file("a.sunder-wal"))) << "what nobody writes is one file";
        EXPECT_EQ(SqlDatabase(file("a.sunder"), SqlDatabase::Mode::ReadOnly).integer("SELECT frame FROM checkpoint"),
                  last)
            << "nothing has to be done again";
        const std::string more = std::to_string(last + 5);
        ASSERT_EQ(sunder({"run", kScene.string(), "-o", file("a.sunder"), "--resume", "--frames", more}).code, 0);
        const std::string whole = recorded("whole.sunder", more);
        EXPECT_EQ(RecordingReader(file("a.sunder")).digest(), RecordingReader(whole).digest());
        for (const char* name : {"a.sunder", "whole.sunder"}) fs::remove(file(name));
    }
}

TEST_F(Run, ItsRecordingCanBeExportedMeanwhile) {
    const auto child = started("a.sunder");
    for (const char* output : {"a.glb", "a.usda", "a.pvd", "pieces"}) {
        const Answer answer = sunder({"export", "a.sunder", "-o", output});
        EXPECT_EQ(answer.code, 0) << output << answer.err;
        EXPECT_EQ(answer.out, std::string(output) + "\n");
        EXPECT_TRUE(fs::exists(file(output)));
    }
    EXPECT_FALSE(child->ended()) << contentsOf(file("started.err"));
}

TEST_F(Run, ExportsSayWhatIsWrongAndOverwriteNothingUnasked) {
    recorded("a.sunder", "3");
    const auto refused = [&](std::vector<std::string> arguments, const std::string& words, int code = 1) {
        arguments.insert(arguments.begin(), {"export", "a.sunder", "-o"});
        const Answer answer = sunder(arguments);
        EXPECT_EQ(answer.code, code) << answer.err;
        EXPECT_TRUE(answer.says(words)) << answer.err;
    };
    refused({"a.max"}, "cannot export to '.max'; there are ");
    refused({"a.glb", "--from", "4"}, "there is no frame 4; the recording's last one is 3");
    refused({"a.glb", "--from", "2", "--to", "1"}, "frame 2 comes after --to 1");
    refused({"a.glb", "--every", "2"}, "--every: is not for .glb; it is for .pvd");
    refused({"pieces", "--tolerance", "1"}, "--tolerance: is not for a folder; it is for .glb, .usda");
    refused({"a.glb", "--tolerance", "-1"}, "0 (every frame as it was) or more is allowed");
    refused({"no/a.glb"}, "the folder no does not exist; make it first");
    refused({"pieces", "--pieces-as", "stl"}, "stl", 2);
    EXPECT_FALSE(fs::exists(file("a.glb")));
    for (const char* output : {"a.glb", "a.usda", "a.pvd", "pieces"}) {
        EXPECT_EQ(sunder({"export", "a.sunder", "-o", output}).code, 0);
        refused({output}, "is there already");
        EXPECT_EQ(sunder({"export", "a.sunder", "-o", output, "--force"}).code, 0);
    }
    const Answer missing = sunder({"export", "b.sunder", "-o", "b.glb"});
    EXPECT_EQ(missing.code, 1);
    EXPECT_TRUE(missing.says("b.sunder")) << missing.err;
}

TEST_F(Run, AnExportThatFindsNoRoomSaysSoAndLeavesNothing) {
    recorded("a.sunder", "3");
    for (const char* output : {"a.glb", "a.usda", "a.pvd", "pieces"}) {
        // files of at most 4 kB: as on a full disk, writing goes wrong in the middle
        ChildProcess child({"/bin/sh", "-c", "trap '' XFSZ; ulimit -f 8; exec \"$0\" export a.sunder -o \"$1\"",
                            SUNDER_PROGRAM, output},
                           {.err = file("full.err"), .folder = folder()});
        ASSERT_TRUE(child.waitFor(kPatience));
        EXPECT_EQ(child.exitCode(), 1);
        const std::string told = contentsOf(file("full.err"));
        EXPECT_NE(told.find("cannot be written: File too large"), std::string::npos) << told;
        for (const auto& entry : fs::directory_iterator(folder()))
            EXPECT_TRUE(std::set<std::string>({"a.sunder", "stdout", "stderr", "full.err"})
                            .contains(entry.path().filename().string()))
                << entry.path();
    }
}

TEST_F(Run, ItsRecordingCanBeReadMeanwhile) {
    const auto child = started("a.sunder");
    RecordingReader reader(file("a.sunder"));
    std::set<uint64_t> seen;
    const bool enough = child->waitUntil(
        [&] {
            const uint64_t last = reader.lastFrame();
            EXPECT_GE(reader.poses(last).size(), 14u);
            for (const RecordedPose& pose : reader.poses(last)) EXPECT_TRUE(pose.worldFromMesh.translation.allFinite());
            EXPECT_EQ(reader.frame(last).number, last);
            seen.insert(last);
            return seen.size() >= 15;
        },
        kPatience);
    EXPECT_TRUE(enough);
    const Answer stats = sunder({"stats", "--json", file("a.sunder")});
    EXPECT_EQ(stats.code, 0) << stats.err;
    EXPECT_GE(json::parse(stats.out)["frames"].get<uint64_t>(), *seen.rbegin());
    EXPECT_FALSE(child->ended()) << contentsOf(file("started.err"));
    child->kill();
    // and after it was killed, before it is resumed
    EXPECT_EQ(sunder({"info", "--json", file("a.sunder")}).code, 0);
    EXPECT_GE(frames("a.sunder"), static_cast<int64_t>(*seen.rbegin()));
}

TEST_F(Run, AFullDiskIsToldAndWhatWasRecordedIsKept) {
    const std::string whole = recorded("whole.sunder", "40");
    const ChildOptions full{.environment = {{"LD_PRELOAD", SUNDER_FAIL_WRITES},
                                            {"ASAN_OPTIONS", "verify_asan_link_order=0"},
                                            {"SUNDER_FAIL_WRITE", "250"},
                                            {"SUNDER_FAIL_HOW", "full"}}};
    const Answer stopped = sunder({"run", kScene.string(), "-o", file("a.sunder")}, full);
    EXPECT_EQ(stopped.code, 1);
    EXPECT_TRUE(stopped.says("a.sunder: the disk is full; what was recorded so far is kept")) << stopped.err;
    EXPECT_GE(frames("a.sunder"), 1);
    EXPECT_LT(frames("a.sunder"), 40);
    ASSERT_EQ(sunder({"run", kScene.string(), "-o", file("a.sunder"), "--resume"}).code, 0);
    EXPECT_EQ(RecordingReader(file("a.sunder")).digest(), RecordingReader(whole).digest());
}

TEST_F(Run, PlacesThatCannotBeWrittenGetASentence) {
    const auto refusal = [&](const std::string& output) {
        const Answer answer = sunder({"run", kScene.string(), "-o", output, "--frames", "1"});
        EXPECT_EQ(answer.code, 1) << output;
        EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1) << answer.err;
        return answer.err;
    };
    EXPECT_NE(refusal(file("nowhere/a.sunder")).find("nowhere does not exist"), std::string::npos);
    EXPECT_NE(refusal("/proc/a.sunder").find("cannot be opened for writing"), std::string::npos);
    EXPECT_NE(refusal(folder().string()).find("is a folder"), std::string::npos);
    write("taken.sunder", "precious");
    EXPECT_NE(refusal(file("taken.sunder")).find("--force"), std::string::npos);
    EXPECT_EQ(contentsOf(file("taken.sunder")), "precious");
}

TEST_F(Run, ABadSceneDoesNotCostTheOldRecording) {
    const std::string old = recorded("a.sunder");
    const std::string digest = RecordingReader(old).digest();
    write("bad.json", R"({"version": 1, "bodies": [{"name": "x", "shape": "spere"}]})");
    const Answer answer = sunder({"run", file("bad.json"), "-o", old, "--force"});
    EXPECT_EQ(answer.code, 1);
    EXPECT_TRUE(answer.says("did you mean 'sphere'?")) << answer.err;
    EXPECT_EQ(RecordingReader(old).digest(), digest);
}

TEST_F(Run, WhatIsNoRecordingGetsASentence) {
    write("text.sunder", "this is no recording, but it is long enough to be taken for one by a careless reader");
    SqlDatabase(file("foreign.sunder"), SqlDatabase::Mode::Create).execute("CREATE TABLE songs(title TEXT)");
    const std::string good = contentsOf(recorded("good.sunder"));
    for (const size_t size : {50u, 2000u, 30000u})
        write("cut" + std::to_string(size) + ".sunder", good.substr(0, size));
    write("newer.sunder", good);
    SqlDatabase(file("newer.sunder"), SqlDatabase::Mode::ReadWrite).execute("PRAGMA user_version=99");
    write("older.sunder", good);
    SqlDatabase(file("older.sunder"), SqlDatabase::Mode::ReadWrite).execute("PRAGMA user_version=1");
    fs::create_directory(file("folder.sunder"));

    const std::vector<std::pair<std::string, std::string>> sentences{
        {"text.sunder", "is no recording: it is not an SQLite file"},
        {"foreign.sunder", "is an SQLite file, but no recording of Sunder"},
        {"cut50.sunder", ""},  // any sentence
        {"cut2000.sunder", "is damaged"},
        {"cut30000.sunder", "is damaged"},
        {"newer.sunder", "was made by a newer sunder (recordings of version 99)"},
        {"older.sunder", "is a recording of the old version 1"},
        {"folder.sunder", "folder"},
        {"missing.sunder", "cannot be opened"}};
    for (const auto& [name, sentence] : sentences) {
        std::vector<std::vector<std::string>> commands{{"stats", file(name)}, {"info", file(name)}};
        if (name != "missing.sunder") commands.push_back({"run", kScene.string(), "-o", file(name), "--resume"});
        for (const std::vector<std::string>& command : commands) {
            const Answer answer = sunder(command);
            EXPECT_EQ(answer.code, 1) << name << " " << command[0];
            EXPECT_EQ(answer.out, "") << name << " " << command[0];
            EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1) << answer.err;
            EXPECT_TRUE(answer.says(name)) << answer.err;
            EXPECT_TRUE(answer.says(sentence)) << name << " " << command[0] << ": " << answer.err;
        }
    }
}

TEST_F(Run, ResumingAChangedSceneSaysWhatChanged) {
    std::string text = contentsOf(kScene);
    const auto change = [&](const std::string& from, const std::string& to) {
        const size_t at = text.find(from);
        ASSERT_NE(at, std::string::npos) << from;
        text.replace(at, from.size(), to);
        write("scene.json", text);
    };
    write("scene.json", text);
    const std::vector<std::string> start{"run", "scene.json", "-o", "a.sunder", "--frames", "5"};
    std::vector<std::string> resume = start;
    resume.push_back("--resume");
    ASSERT_EQ(sunder(start).code, 0);
    const std::string digest = RecordingReader(file("a.sunder")).digest();

    change(R"("threshold": 500)", R"("threshold": 501)");
    Answer answer = sunder(resume);
    EXPECT_EQ(answer.code, 1);
    EXPECT_TRUE(answer.says("/materials/stone/fracture/threshold was 500, is 501")) << answer.err;
    change(R"("threshold": 501)", R"("threshold": 500)");
    change(R"("pieces": 6})", R"("pieces": 9})");
    answer = sunder(resume);
    EXPECT_TRUE(answer.says("/materials/stone/fracture/pieces was 6, is 9")) << answer.err;
    EXPECT_TRUE(answer.says("/materials/chalk/fracture/pieces was 6, is 9")) << answer.err;
    change(R"("pieces": 9})", R"("pieces": 6})");
    EXPECT_EQ(RecordingReader(file("a.sunder")).digest(), digest) << "nothing was touched";

    for (const std::vector<std::string>& flags :
         std::vector<std::vector<std::string>>{{"--seed", "7"}, {"--set", "pieces=7"}}) {
        std::vector<std::string> command = resume;
        command.insert(command.end(), flags.begin(), flags.end());
        answer = sunder(command);
        EXPECT_EQ(answer.code, 1);
        EXPECT_TRUE(answer.says(flags[0] == "--seed" ? "/world/seed was 1, is 7" : "pieces was 6, is 7")) << answer.err;
    }

    // what no frame depends on may change, and is in the recording from then on
    change(R"("title": "A bit of everything")", R"("title": "Another title", "view": {"background": "dark"})");
    change(R"("look": "metal")", R"("look": "metal", "colour": "#ff0000")");
    resume[5] = "7";
    answer = sunder(resume);
    EXPECT_EQ(answer.code, 0) << answer.err;
    RecordingReader changed(file("a.sunder"));
    EXPECT_EQ(changed.lastFrame(), 7u);
    EXPECT_EQ(json::parse(changed.meta("view"))["background"], "dark");
    EXPECT_EQ(json::parse(changed.meta("looks"))["steel"]["colour"], "#ff0000");
    EXPECT_NE(changed.meta("scene").find("Another title"), std::string::npos);
    ASSERT_EQ(sunder({"run", "scene.json", "-o", "b.sunder", "--frames", "7"}).code, 0);
    EXPECT_EQ(RecordingReader(file("b.sunder")).digest(), changed.digest());
}

TEST_F(Run, ARecordingOfAnotherBuildIsResumedOnlyWhenTold) {
    write("scene.json", R"({"version": 1, "floor": true, "bodies": [{"name": "x",
        "shape": "box", "position": [0, 2, 0]}]})");
    ASSERT_EQ(sunder({"run", "scene.json", "-o", "whole.sunder", "--frames", "6"}).code, 0);
    ASSERT_EQ(sunder({"run", "scene.json", "-o", "a.sunder", "--frames", "3"}).code, 0);
    const std::string build = RecordingReader(file("a.sunder")).meta("program");
    EXPECT_EQ(build + "\n", sunder({"--version"}).out);

    const std::string other = build.substr(0, build.find('(')) + "(0123456789ab)";
    SqlDatabase(file("a.sunder"), SqlDatabase::Mode::ReadWrite)
        .execute("UPDATE meta SET value = '" + other + "' WHERE key = 'program'");
    const Answer refused = sunder({"run", "scene.json", "-o", "a.sunder", "--frames", "6", "--resume"});
    EXPECT_EQ(refused.code, 1);
    EXPECT_TRUE(refused.says("was written by sunder " + other + "; this is " + build)) << refused.err;
    EXPECT_TRUE(refused.says("--resume-anyway")) << refused.err;
    EXPECT_EQ(RecordingReader(file("a.sunder")).lastFrame(), 3u);

    const Answer accepted = sunder({"run", "scene.json", "-o", "a.sunder", "--frames", "5", "--resume-anyway"});
    EXPECT_EQ(accepted.code, 0) << accepted.err;
    EXPECT_EQ(RecordingReader(file("a.sunder")).meta("program"), other + ", then " + build);

    // from now on it is this build's
    const Answer again = sunder({"run", "scene.json", "-o", "a.sunder", "--frames", "6", "--resume"});
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(RecordingReader(file("a.sunder")).digest(), RecordingReader(file("whole.sunder")).digest());
}

TEST_F(Run, ResumingWithChangedMeshFilesSaysSo) {
    const auto box = [&](const std::string& name, double width, double at) {
        TriMesh mesh = makeShape("box", {{"width", width}, {"height", 1}, {"depth", 1}});
        for (Vec3& position : mesh.positions) position.x() += at;
        writeMesh(mesh, file(name));
    };
    box("body.obj", 1, 0);
    box("left.obj", 1, -0.5);
    box("right.obj", 1, 0.5);
    write("scene.json", R"({"version": 1, "floor": true, "bodies": [{"name": "x", "mesh": "body.obj",
        "position": [0, 2, 0], "fracture": {"method": "prescored", "pattern": "artist", "threshold": 100,
        "pattern_files": ["left.obj", "right.obj"]}}]})");
    const std::vector<std::string> start{"run", "scene.json", "-o", "a.sunder", "--frames", "3"};
    std::vector<std::string> resume = start;
    resume.push_back("--resume");
    const Answer first = sunder(start);
    ASSERT_EQ(first.code, 0) << first.err;
    EXPECT_EQ(sunder(resume).code, 0);
    box("right.obj", 1.5, 0.75);
    Answer answer = sunder(resume);
    EXPECT_EQ(answer.code, 1);
    EXPECT_TRUE(answer.says("other are: fracture settings.")) << answer.err;
    box("right.obj", 1, 0.5);
    box("body.obj", 1.1, 0);
    answer = sunder(resume);
    EXPECT_TRUE(answer.says("shapes or meshes")) << answer.err;
    EXPECT_FALSE(answer.says("fracture settings")) << answer.err;
}

TEST_F(Run, AVolumeOfStrengthIsPartOfTheRun) {
    const auto volume = [&](const std::string& values) {
        write("weak.nrrd", "NRRD0004\ntype: float\ndimension: 3\nsizes: 3 1 1\nencoding: ascii\n\n" + values);
    };
    write("scene.json", R"({"version": 1, "world": {"frame_rate": 60}, "floor": true, "bodies": [
        {"name": "beam", "shape": {"name": "box", "width": 1, "height": 0.1, "depth": 0.1},
         "position": [0, 0.5, 0], "fracture": {"method": "fem", "tets": 1500},
         "strength_volume": {"file": "weak.nrrd"}},
        {"name": "ball", "shape": {"name": "sphere", "radius": 0.1}, "position": [0.05, 0.75, 0],
         "velocity": [0, -8, 0]}]})");
    const auto run = [&](const std::string& to, const std::string& frames, bool resume = false) {
        std::vector<std::string> arguments{"run", "scene.json", "-o", to, "--frames", frames};
        if (resume) arguments.push_back("--resume");
        return sunder(arguments);
    };
    volume("1 0.5 1");
    ASSERT_EQ(run("whole.sunder", "8").code, 0);
    ASSERT_EQ(run("parts.sunder", "4").code, 0);
    ASSERT_EQ(run("parts.sunder", "8", true).code, 0);
    RecordingReader whole(file("whole.sunder"));
    EXPECT_EQ(RecordingReader(file("parts.sunder")).digest(), whole.digest());
    volume("0.5 1 1");
    const Answer other = run("parts.sunder", "9", true);
    EXPECT_EQ(other.code, 1);
    EXPECT_TRUE(other.says("other are: fracture settings.")) << other.err;
    ASSERT_EQ(run("other.sunder", "8").code, 0);
    EXPECT_NE(RecordingReader(file("other.sunder")).digest(), whole.digest());

    volume("0.5 1 -1");
    const Answer bad = sunder({"validate", "scene.json"});
    EXPECT_EQ(bad.code, 1);
    EXPECT_NE((bad.out + bad.err).find("/bodies/0/strength_volume"), std::string::npos) << bad.out << bad.err;
    EXPECT_NE((bad.out + bad.err).find("the value of sample (2, 0, 0) is -1; allowed are 0 to 1000"), std::string::npos)
        << bad.out << bad.err;
    fs::remove(file("weak.nrrd"));
    const Answer gone = sunder({"validate", "scene.json"});
    EXPECT_NE((gone.out + gone.err).find("volume 'weak.nrrd': there is no such file"), std::string::npos)
        << gone.out << gone.err;
}

TEST_F(Run, TheSceneSaysWhereItsRecordingGoesAndWhatIsInIt) {
    fs::create_directories(file("scenes/out"));
    const auto scene = [&](const std::string& output) {
        return R"({"version": 1, "world": {"frames": 12}, "floor": true, "bodies": [
            {"name": "ball", "shape": "sphere", "position": [0, 1.2, 0], "velocity": [0, -5, 0]}], "output": )" +
               output + "}";
    };
    write("scenes/a.json", scene(R"({"file": "out/b.sunder"})"));
    const Answer answer = sunder({"run", "scenes/a.json"});
    ASSERT_EQ(answer.code, 0) << answer.err;
    EXPECT_EQ(answer.out, "scenes/out/b.sunder\n");
    RecordingReader all(file("scenes/out/b.sunder"));
    EXPECT_GE(all.impactCount(), 1u);
    EXPECT_LE(all.impactCount(), 4u) << "it lies on the floor from then on";

    const auto impactsWith = [&](const std::string& output) {
        write("scenes/c.json", scene(output));
        EXPECT_EQ(sunder({"run", "scenes/c.json", "--force"}).code, 0);
        return RecordingReader(file("c.sunder")).impactCount();
    };
    EXPECT_EQ(impactsWith(R"({"impacts": false})"), 0u);
    EXPECT_EQ(impactsWith(R"({"least_impulse": 1e9})"), 0u);
    EXPECT_EQ(impactsWith(R"({"least_speed": 50})"), 0u);
    EXPECT_GE(impactsWith(R"({"least_speed": 0})"), 8u) << "also what lies";
}

TEST_F(Run, JsonIsJson) {
    const Answer run = sunder({"run", kScene.string(), "-o", file("a.sunder"), "--frames", "12", "--json"});
    ASSERT_EQ(run.code, 0) << run.err;
    const Answer stats = sunder({"stats", file("a.sunder"), "--json"});
    json told = json::parse(run.out);
    EXPECT_EQ(told["recording"], file("a.sunder"));
    told.erase("recording");
    EXPECT_EQ(told, json::parse(stats.out));
    for (const char* key : {"frames", "breaks", "bodies", "conservation", "energy", "penetration", "open_pieces",
                            "impacts", "released", "seconds", "state_hash", "messages"})
        EXPECT_TRUE(told.contains(key)) << key;
    EXPECT_EQ(told["frames"], 12);
    EXPECT_GE(told["impacts"]["count"].get<int>(), 10);
    EXPECT_GT(told["impacts"]["hardest"].get<double>(), 100);
    EXPECT_GT(told["impacts"]["fastest"].get<double>(), 5);
    EXPECT_GE(told["released"].get<int>(), 5);

    const json recording = json::parse(sunder({"info", file("a.sunder"), "--json"}).out);
    EXPECT_EQ(recording["kind"], "recording");
    EXPECT_EQ(recording["event_kinds"]["release"], told["released"]);
    EXPECT_EQ(recording["event_kinds"]["fracture"], told["breaks"]);
    EXPECT_EQ(recording["impacts"], told["impacts"]["count"]);
    EXPECT_EQ(json::parse(sunder({"info", kScene.string(), "--json"}).out)["kind"], "scene");

    EXPECT_TRUE(json::parse(sunder({"validate", kScene.string(), "--json"}).out)["valid"]);
    write("bad.json", "{\"version\": 1, \"bodies\": [{\"name\": \"\xff\", \"shape\": \"box\", \"mass\": -1}]}");
    const Answer bad = sunder({"validate", file("bad.json"), "--json"});
    EXPECT_EQ(bad.code, 1);
    EXPECT_FALSE(json::parse(bad.out)["valid"]);
    EXPECT_FALSE(json::parse(bad.out)["issues"].empty());
}

/// What a person at a terminal sees.
std::string onTerminal(const std::vector<std::string>& command, unsigned short columns) {
    int terminal = -1;
    const winsize window{.ws_row = 24, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
    const pid_t child = forkpty(&terminal, nullptr, nullptr, &window);
    if (child == 0) {
        std::vector<char*> arguments;
        for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
        arguments.push_back(nullptr);
        execv(arguments[0], arguments.data());
        _exit(127);
    }
    std::string seen;
    std::array<char, 4096> part{};
    for (ssize_t got = 0; (got = read(terminal, part.data(), part.size())) > 0;)
        seen.append(part.data(), static_cast<size_t>(got));
    close(terminal);
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    return seen;
}

TEST_F(Run, ProgressIsOneLineOnATerminalAndNothingElsewhere) {
    const std::vector<std::string> command{SUNDER_PROGRAM,   "run",     kScene.string(), "-o",
                                           file("a.sunder"), "--force", "--frames",      "400"};
    const std::string seen = onTerminal(command, 100);
    EXPECT_NE(seen.find("run breaking.json 0 % (0/400)"), std::string::npos) << seen;
    EXPECT_NE(seen.find(" to go, "), std::string::npos) << seen;
    EXPECT_NE(seen.find("run breaking.json 100 % (400/400)"), std::string::npos) << seen;
    std::smatch summary;  // the line ends with the number of bodies that the summary has
    ASSERT_TRUE(std::regex_search(seen, summary, std::regex(R"(breaks, (\d+) bodies)"))) << seen;
    EXPECT_NE(seen.find(" frames/s, " + summary[1].str() + " bodies\r\n"), std::string::npos) << seen;

    const std::string narrow = onTerminal(command, 40);
    const std::string progress = narrow.substr(0, narrow.find("\r\n"));
    for (size_t at = progress.find('\r'); at != std::string::npos; at = progress.find('\r', at + 1)) {
        const size_t end = std::min(progress.find('\r', at + 1), progress.size());
        EXPECT_LE(end - at - std::string("\r\033[K").size(), 39u) << "a wrapped line is not rewritten in place";
    }
    const Answer quiet = sunder({"run", kScene.string(), "-o", file("a.sunder"), "--force"});
    EXPECT_EQ(quiet.err.find('\r'), std::string::npos);
    EXPECT_EQ(std::count(quiet.err.begin(), quiet.err.end(), '\n'), 1) << quiet.err;
}

}  // namespace
}  // namespace sunder
