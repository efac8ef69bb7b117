// Files that somebody damaged, or made to do harm, as the program meets them: each command ends soon, within bounds of
// memory, with an answer or a sentence, and leaves alone what is not its own.
#include <csignal>
#include <fstream>
#include <functional>
#include <regex>
#include <sys/stat.h>

#include "base/error.h"
#include "child_process.h"
#include "io/files/file_access.h"
#include "io/files/sqlite.h"
#include "io/files/test_scratch.h"
#include "io/recording/recording_format.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr uint64_t kMostMemory = 0;  // they need terabytes of addresses
#else
constexpr uint64_t kMostMemory = uint64_t{1} << 30;  // bytes
#endif
constexpr double kLongest = 20;  // s

/// Two boxes that fall onto a floor, one of them breaks.
constexpr const char* kScene = R"({
  "version": 1,
  "materials": {"clay": {"look": "clay", "fracture": {"method": "prescored", "threshold": 1, "pieces": 4}}},
  "floor": true,
  "bodies": [{"name": "a", "shape": "box", "position": [0, 0.6, 0], "velocity": [0, -9, 0], "material": "clay"},
             {"name": "b", "shape": "box", "position": [0, 4, 0]}]
})";

struct Answer {
    int code = -1;
    std::string out, err;
};

class Hostile : public test::ScratchTest {
protected:
    void SetUp() override {
        test::ScratchTest::SetUp();
        write("scene.json", kScene);
        // a page that replays can be made of, without the web's build
        fs::create_directory(file("web"));
        write("web/replay.html", R"(<script id="sunder-recording" type="application/octet-stream"></script>)");
    }

    fs::path write(const std::string& name, const std::string& text) const {
        std::ofstream(file(name), std::ios::binary) << text;
        return file(name);
    }
    fs::path recorded() const {
        EXPECT_EQ(run({"run", "scene.json", "-o", "r.sunder", "--frames", "4"}).code, 0);
        return file("r.sunder");
    }
    fs::path pipe(const std::string& name) const {
        mkfifo(file(name).c_str(), 0600);
        return file(name);
    }

    /// In the scratch folder. Whatever it is asked, it ends by itself, in time, with a code of its own.
    Answer run(std::vector<std::string> arguments, tests::ChildOptions options = {}) const {
        std::string said;
        for (const std::string& argument : arguments) said += argument.substr(0, 80) + " ";
        arguments.insert(arguments.begin(), SUNDER_PROGRAM);
        options.environment = {{"SUNDER_CACHE", ""}, {"SUNDER_WEB", file("web").string()}};
        if (options.out.empty()) options.out = file("stdout");
        options.err = file("stderr");
        options.folder = folder();
        if (options.mostMemory == 0) options.mostMemory = kMostMemory;
        tests::ChildProcess child(arguments, options);
        if (!child.waitFor(kLongest)) {
            ADD_FAILURE() << said << "does not end";
            child.kill();
            return {};
        }
        EXPECT_FALSE(child.killed()) << said << "ended by a signal";
        const Answer answer{child.exitCode(), tests::contentsOf(file("stdout")), tests::contentsOf(file("stderr"))};
        EXPECT_TRUE(answer.code >= 0 && answer.code <= 2) << said << answer.code;
        // a failure is a sentence, not what a library says of itself
        EXPECT_TRUE(answer.code != 1 || !answer.err.empty()) << said;
        for (const char* internal : {"json.exception", "filesystem error", "vector::", "_M_", "std::", "basic_string"})
            EXPECT_EQ(answer.err.find(internal), std::string::npos) << said << answer.err;
        return answer;
    }
};

// ---- recordings

std::vector<std::byte> packed(const std::string& text) { return compressed(std::as_bytes(std::span(text))); }

/// Sixteen bytes that claim to hold eight gigabytes.
std::vector<std::byte> bomb() {
    const unsigned char bytes[] = {0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0};
    const auto all = std::as_bytes(std::span(bytes));
    return {all.begin(), all.end()};
}

/// Puts bytes into the place of the ? of a statement.
void change(SqlDatabase& database, const std::string& sql, const std::vector<std::byte>& bytes) {
    database.prepare(sql).bind(0, std::span<const std::byte>(bytes)).run();
}
void change(SqlDatabase& database, const std::string& sql, const std::string& text) {
    database.prepare(sql).bind(0, std::string_view(text)).run();
}

std::string deep() { return std::string(200'000, '[') + std::string(200'000, ']'); }

struct Damage {
    const char* name;
    std::function<void(SqlDatabase&)> make;
};

/// What was found in the wild of an attack, and its kin.
const std::vector<Damage>& damages() {
    static const std::vector<Damage> all{
        {"BodyIdFar",
         [](SqlDatabase& d) {
             d.execute(
                 "INSERT INTO body SELECT 1000000, name, parent, root, generation, mesh, mass, volume, cx, cy, cz, "
                 "kind, material, method, born, died FROM body WHERE id = 2");
         }},
        {"BodyIdNegative", [](SqlDatabase& d) { d.execute("UPDATE body SET id = -3 WHERE id = 2"); }},
        {"BodyMissing", [](SqlDatabase& d) { d.execute("DELETE FROM body WHERE id = 1"); }},
        {"ParentLater", [](SqlDatabase& d) { d.execute("UPDATE body SET parent = 2 WHERE id = 1"); }},
        {"RootFar", [](SqlDatabase& d) { d.execute("UPDATE body SET root = 99 WHERE id = 1"); }},
        {"DeadBeforeBorn", [](SqlDatabase& d) { d.execute("UPDATE body SET born = 3, died = 1 WHERE id = 1"); }},
        {"BornLater", [](SqlDatabase& d) { d.execute("UPDATE body SET born = 3 WHERE id = 1"); }},
        {"NeverDied", [](SqlDatabase& d) { d.execute("UPDATE body SET died = NULL"); }},
        {"PosesEmpty", [](SqlDatabase& d) { change(d, "UPDATE frame SET poses = ?", packed("")); }},
        {"PoseOfNobody",
         [](SqlDatabase& d) { change(d, "UPDATE frame SET poses = ?", packed("\xfc\xff\xff\xff\x0f\1\1\1\1\1\1")); }},
        {"PosesBomb", [](SqlDatabase& d) { change(d, "UPDATE frame SET poses = ? WHERE number = 2", bomb()); }},
        {"PosesLong",
         [](SqlDatabase& d) { change(d, "UPDATE frame SET poses = ?", packed(std::string(50'000'000, '\0'))); }},
        {"MeshBomb", [](SqlDatabase& d) { change(d, "UPDATE mesh SET data = ?", bomb()); }},
        {"MeshMissing", [](SqlDatabase& d) { d.execute("DELETE FROM mesh"); }},
        {"StateBomb", [](SqlDatabase& d) { change(d, "UPDATE checkpoint SET state = ?", bomb()); }},
        {"MassInfinite", [](SqlDatabase& d) { d.execute("UPDATE body SET mass = 9e999"); }},
        {"CentreFar", [](SqlDatabase& d) { d.execute("UPDATE body SET cx = 1e300"); }},
        {"QuantumHuge",
         [](SqlDatabase& d) { d.execute("UPDATE meta SET value = 1e305 WHERE key = 'position_quantum'"); }},
        {"TimeHuge", [](SqlDatabase& d) { d.execute("UPDATE meta SET value = 1e308 WHERE key = 'dt'"); }},
        {"TimeNone", [](SqlDatabase& d) { d.execute("UPDATE meta SET value = 'soon' WHERE key = 'dt'"); }},
        {"FrameFar", [](SqlDatabase& d) { d.execute("UPDATE frame SET number = 1099511627776 WHERE number = 4"); }},
        {"FrameMissing", [](SqlDatabase& d) { d.execute("DELETE FROM frame WHERE number = 2"); }},
        {"FirstFrameMissing", [](SqlDatabase& d) { d.execute("DELETE FROM frame WHERE number = 0"); }},
        {"ImpactNowhere",
         [](SqlDatabase& d) {
             std::string bytes(48, '\xff');
             bytes.replace(0, 8, std::string("\1\0\0\0\2\0\0\0", 8));
             change(d, "INSERT OR REPLACE INTO impact VALUES (1, 1, ?)", packed(bytes));
         }},
        {"ImpactOfNobody",
         [](SqlDatabase& d) {
             change(d, "INSERT OR REPLACE INTO impact VALUES (1, 1, ?)", packed(std::string(48, '\x7f')));
         }},
        {"EventOfNobody", [](SqlDatabase& d) { d.execute("UPDATE event SET body = 4000000000"); }},
        {"EventDeep",
         [](SqlDatabase& d) {
             change(d, "UPDATE event SET kind = 'fracture', data = ?", "{\"reason\":" + deep() + "}");
         }},
        {"EventOdd",
         [](SqlDatabase& d) {
             change(
                 d, "UPDATE event SET kind = 'fracture', data = ?",
                 R"({"point": [[1], "=x", null], "impulse": "\n", "energy": [], "mass": 3, "stress": {"worst": 1}})");
         }},
        {"FiguresDeep", [](SqlDatabase& d) { change(d, "UPDATE frame SET figures = ?", deep()); }},
        {"FiguresOdd", [](SqlDatabase& d) { change(d, "UPDATE frame SET figures = ?", R"([{"energy": []}])"); }},
        {"LooksDeep", [](SqlDatabase& d) { change(d, "UPDATE meta SET value = ? WHERE key = 'looks'", deep()); }},
        {"ViewOdd",
         [](SqlDatabase& d) {
             change(d, "UPDATE meta SET value = ? WHERE key = 'view'",
                    R"({"camera": {"position": [1, 1, 1], "target": [1, 1, 1]}, "light": [0, 0, 0]})");
         }},
        {"SettingsDeep",
         [](SqlDatabase& d) {
             change(d, "UPDATE meta SET value = ? WHERE key = 'settings'",
                    "{\"set\": [\"p=" + deep() + "\"], \"seed\": null}");
         }},
        {"Trigger",
         [](SqlDatabase& d) { d.execute("CREATE TRIGGER t AFTER INSERT ON frame BEGIN DELETE FROM meta; END"); }},
        {"ViewWithoutEnd",
         [](SqlDatabase& d) {
             d.execute(
                 "ALTER TABLE event RENAME TO e; CREATE VIEW event AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL "
                 "SELECT x + 1 FROM c) SELECT e.* FROM e, c");
         }},
        {"OtherColumns", [](SqlDatabase& d) { d.execute("DROP TABLE frame; CREATE TABLE frame(number, poses)"); }},
        {"ComputedColumn",
         [](SqlDatabase& d) {
             d.execute(
                 "ALTER TABLE body DROP COLUMN method; ALTER TABLE body ADD COLUMN method AS (zeroblob(1000000000))");
         }},
        {"TableMissing", [](SqlDatabase& d) { d.execute("DROP TABLE meta"); }},
        {"NamesOfAll",
         [](SqlDatabase& d) {
             change(d, "UPDATE body SET name = ? || id, kind = '=1+1', method = '\"', material = char(27)",
                    "=cmd\n\x1b[2J\"'<>&\xff\\..\\");
         }},
    };
    return all;
}

class DamagedRecording : public Hostile, public testing::WithParamInterface<size_t> {};

/// Text that an export wrote, whole.
void expectNoOddNumbers(const fs::path& folder) {
    static const std::regex kOdd("[ ,(\\[]-?(nan|inf)[ ,)\\]\n]");
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        const std::string extension = entry.path().extension().string();
        if (extension != ".csv" && extension != ".usda" && extension != ".obj") continue;
        const std::string text = tests::contentsOf(entry.path());
        EXPECT_FALSE(std::regex_search(text, kOdd)) << entry.path();
    }
}

TEST_P(DamagedRecording, GivesAnAnswerOrASentence) {
    {
        SqlDatabase database(recorded(), SqlDatabase::Mode::ReadWrite);
        damages()[GetParam()].make(database);
    }
    fs::create_directory(file("out"));
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"info", "r.sunder"},
          {"info", "--json", "r.sunder"},
          {"stats", "r.sunder"},
          {"stats", "--json", "r.sunder"},
          {"render", "r.sunder", "--width", "16", "--height", "16", "-o", "out/x.png"}})
        EXPECT_EQ(run(command).out.find('\x1b'), std::string::npos);
    for (const std::string output : {"x.glb", "x.usda", "x.pvd", "x.pov", "x.html", "x"}) {
        const Answer answer = run({"export", "r.sunder", "-o", "out/" + output});
        EXPECT_EQ(fs::exists(file("out/" + output)), answer.code == 0) << output << answer.err;
    }
    expectNoOddNumbers(file("out"));
    run({"run", "scene.json", "-o", "r.sunder", "--resume", "--frames", "5"});
}

INSTANTIATE_TEST_SUITE_P(All, DamagedRecording, testing::Range(size_t{0}, damages().size()),
                         [](const auto& chosen) { return damages()[chosen.param].name; });

TEST_F(Hostile, ARecordingRunsNoScriptWhenItIsRendered) {
    {
        SqlDatabase database(recorded(), SqlDatabase::Mode::ReadWrite);
        change(database, "UPDATE meta SET value = ? WHERE key = 'scene_name'",
               "x\n#fopen F \"written.txt\" write\n#write(F,\"by a recording\")\n#fclose F\n//");
    }
    run({"render", "r.sunder", "-o", "x.png", "--width", "16", "--height", "16"});
    EXPECT_EQ(run({"export", "r.sunder", "-o", "y.pov"}).code, 0);
    EXPECT_FALSE(fs::exists(file("written.txt")));
    EXPECT_EQ(tests::contentsOf(file("y.pov")).find("\n#fopen"), std::string::npos);
}

TEST_F(Hostile, MessagesOfARecordingForgeNothing) {
    {
        SqlDatabase database(recorded(), SqlDatabase::Mode::ReadWrite);
        change(database, "INSERT INTO event(frame, kind, data) VALUES (1, 'message', ?)",
               R"({"text": "\u001b]0;t\u0007\nstate hash    forged"})");
    }
    const Answer answer = run({"stats", "r.sunder"});
    EXPECT_EQ(answer.out.find('\x1b'), std::string::npos);
    EXPECT_EQ(answer.out.find("\nstate hash    forged"), std::string::npos);
    EXPECT_NE(answer.out.find("\\x1b]0;t\\x07\\x0astate hash"), std::string::npos) << answer.out;
}

TEST_F(Hostile, FiguresThatAreNotFiniteAreTold) {
    {
        SqlDatabase database(recorded(), SqlDatabase::Mode::ReadWrite);
        database.execute(
            "UPDATE frame SET figures = json_set(figures, '$.energy.potential', json('null')) WHERE number > 2");
    }
    EXPECT_NE(run({"stats", "r.sunder"}).out.find("figures of 2 frames and 0 events, from frame 3 on"),
              std::string::npos);
    EXPECT_NE(run({"stats", "r.sunder", "--json"}).out.find("\"first\": 3"), std::string::npos);
}

// ---- what is overwritten is ours

TEST_F(Hostile, ForceReplacesRecordingsAlone) {
    const auto forced = [&](const std::string& scene, const std::string& output) {
        std::vector<std::string> command{"run", scene, "--frames", "1", "--force"};
        if (!output.empty()) command.insert(command.end(), {"-o", output});
        return run(command);
    };
    // a scene, a letter, what a scene names, another program's database
    write("letter.txt", "precious");
    write("named.json", R"({"version": 1, "floor": true, "output": {"file": "letter.txt"}, "bodies": []})");
    SqlDatabase(file("songs.db"), SqlDatabase::Mode::Create).execute("CREATE TABLE songs(title)");
    for (const std::string output : {"scene.json", "letter.txt", "songs.db"}) {
        const std::string before = tests::contentsOf(file(output));
        const Answer answer = forced("scene.json", output);
        EXPECT_EQ(answer.code, 1) << output;
        EXPECT_NE(answer.err.find("only recordings are overwritten"), std::string::npos) << answer.err;
        EXPECT_EQ(tests::contentsOf(file(output)), before) << output;
    }
    EXPECT_EQ(forced("named.json", "").code, 1);
    EXPECT_EQ(tests::contentsOf(file("letter.txt")), "precious");
    // what is no file at all
    pipe("pipe");
    EXPECT_NE(forced("scene.json", "pipe").err.find("is a pipe"), std::string::npos);
    EXPECT_TRUE(fs::is_fifo(file("pipe")));
    // but a recording, a link to one, an empty file
    fs::create_symlink(recorded(), file("link.sunder"));
    EXPECT_EQ(forced("scene.json", "link.sunder").code, 0);
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(file("link.sunder"))));
    EXPECT_EQ(forced("scene.json", "r.sunder").code, 0);
    write("empty.sunder", "");
    EXPECT_EQ(forced("scene.json", "empty.sunder").code, 0);
}

TEST_F(Hostile, ForceOfOtherOutputsReplacesFilesAlone) {
    recorded();
    pipe("p.obj"), pipe("p.glb"), pipe("p.png"), pipe("p.msh");
    fs::create_symlink(file("nowhere.obj"), file("l.obj"));
    write("t.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    for (const std::vector<std::string>& command : {std::vector<std::string>{"shapes", "box", "-o", "p.obj"},
                                                    {"shapes", "box", "-o", "l.obj"},
                                                    {"repair", "t.obj", "-o", "p.obj"},
                                                    {"tets", "t.obj", "-o", "p.msh"},
                                                    {"picture", "t.obj", "-o", "p.png"},
                                                    {"picture", "t.obj", "-o", "scene.json"},
                                                    {"slices", "t.obj", "-o", "p.png"},
                                                    {"slices", "t.obj", "-o", "scene.json"},
                                                    {"export", "r.sunder", "-o", "p.glb"},
                                                    {"render", "r.sunder", "-o", "p.png"}}) {
        std::vector<std::string> forced = command;
        forced.push_back("--force");
        EXPECT_EQ(run(forced).code, 1) << command.back();
    }
    for (const char* name : {"p.obj", "p.glb", "p.png", "p.msh"}) EXPECT_TRUE(fs::is_fifo(file(name))) << name;
    EXPECT_EQ(tests::contentsOf(file("scene.json")), kScene);
    // nor is what stands beside an output, unless that was asked for
    write("b.mtl", "precious"), write("b.ini", "precious");
    EXPECT_EQ(run({"shapes", "box", "-o", "b.obj"}).code, 1);
    EXPECT_EQ(run({"export", "r.sunder", "-o", "b.pov"}).code, 1);
    EXPECT_EQ(tests::contentsOf(file("b.mtl")) + tests::contentsOf(file("b.ini")), "preciousprecious");
}

TEST_F(Hostile, RendersDeleteNothingOfOthers) {
    if (std::system("command -v povray >/dev/null && command -v ffmpeg >/dev/null") != 0)
        GTEST_SKIP() << "POV-Ray or ffmpeg is not installed";
    recorded();
    const std::vector<std::string> precious{"docs/unfinished/t", "x.png.unfinished/t",  "f.mp4.frames/t",
                                            "f.mp4.log",         "x.png.log",           "x.png.pov",
                                            "g.mp4.part.mp4",    "outside/unfinished/t"};
    for (const std::string& name : precious) {
        fs::create_directories(file(name).parent_path());
        write(name, "precious");
    }
    fs::create_directory_symlink(file("outside"), file("h.mp4.frames"));
    const auto render = [&](const std::string& output) {
        return run({"render", "r.sunder", "-o", output, "--width", "32", "--height", "24", "--quality", "draft"});
    };
    // what is of others is in nobody's way, unless it has the very name that is needed
    EXPECT_EQ(render("docs").code, 0);
    EXPECT_EQ(render("x.png").code, 0);
    EXPECT_EQ(render("g.mp4").code, 0);
    EXPECT_NE(render("f.mp4").err.find("no export made"), std::string::npos);
    EXPECT_NE(render("h.mp4").err.find("is a link to a folder"), std::string::npos);
    for (const std::string& name : precious) EXPECT_EQ(tests::contentsOf(file(name)), "precious") << name;
    EXPECT_EQ(std::distance(fs::directory_iterator(file("outside")), {}), 1);
    // and nothing of our own is left
    for (const auto& entry : fs::recursive_directory_iterator(folder()))
        EXPECT_EQ(entry.path().string().find(".part-"), std::string::npos) << entry.path();
    EXPECT_FALSE(fs::exists(file("g.mp4.frames")));
}

// ---- what is no file is not waited for, what is too deep is not read

TEST_F(Hostile, PipesAreRefused) {
    for (const char* name : {"p.json", "p.obj", "p.sunder", "p.msh", "p.glb"}) pipe(name);
    for (const std::vector<std::string>& command : {std::vector<std::string>{"validate", "p.json"},
                                                    {"run", "p.json"},
                                                    {"info", "p.json"},
                                                    {"info", "p.obj"},
                                                    {"info", "p.msh"},
                                                    {"info", "p.glb"},
                                                    {"info", "p.sunder"},
                                                    {"stats", "p.sunder"},
                                                    {"export", "p.sunder", "-o", "x.glb"},
                                                    {"render", "p.sunder", "-o", "x.png"},
                                                    {"repair", "p.obj", "-o", "q.obj"},
                                                    {"run", "scene.json", "-o", "p.sunder", "--resume"}}) {
        const Answer answer = run(command);
        EXPECT_EQ(answer.code, 1) << command[0];
        EXPECT_NE(answer.err.find("is a pipe"), std::string::npos) << command[0] << answer.err;
    }
}

TEST_F(Hostile, DeepValuesOfTheCommandLineAreRefused) {
    write("p.json", R"({"version": 1, "parameters": {"p": 1}, "floor": true, "world": {"seed": "$p"}, "bodies": []})");
    const std::string brackets = std::string(30'000, '[') + std::string(30'000, ']');
    std::string path;
    for (int i = 0; i < 30'000; ++i) path += "a.";
    EXPECT_EQ(run({"validate", "p.json", "--set", "p=" + brackets}).code, 1);
    EXPECT_EQ(run({"validate", "p.json", "--set", "world." + path + "b=1"}).code, 1);
    write("t.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    EXPECT_EQ(run({"fracture", "t.obj", "-o", "x.obj", "--pieces", brackets}).code, 1);
    write("deep.gltf", R"({"asset": {"version": "2.0"}, "extras": )" + brackets + "}");
    EXPECT_NE(run({"info", "deep.gltf"}).err.find("nested more than 64 deep"), std::string::npos);
}

// ---- numbers within bounds

TEST_F(Hostile, NumbersOfTheCommandLineHaveRanges) {
    recorded();
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"run", "scene.json", "-o", "n.sunder", "--frames", "-1"},
          {"run", "scene.json", "-o", "n.sunder", "--frames", "18446744073709551615"},
          {"run", "scene.json", "-o", "n.sunder", "--frames", "1", "--seed", "-1"},
          {"export", "r.sunder", "-o", "x.glb", "--from", "-1"},
          {"export", "r.sunder", "-o", "x.pvd", "--every", "0"},
          {"render", "r.sunder", "-o", "x.png", "--frame", "-1"},
          {"render", "r.sunder", "-o", "x.mp4", "--fps", "nan"},
          {"render", "r.sunder", "-o", "x.mp4", "--every", "0"},
          {"render", "r.sunder", "-o", "x.png", "--width", "0"},
          {"render", "r.sunder", "-o", "x.png", "--view", "nan", "0", "0"},
          {"render", "r.sunder", "-o", "x.png", "--eye", "inf", "0", "0", "--target", "0", "0", "0"}}) {
        const Answer answer = run(command);
        EXPECT_EQ(answer.code, 2) << command[command.size() - 2] << answer.err;
        EXPECT_NE(answer.err.find("allowed"), answer.err.find("is needed")) << answer.err;  // one of them
    }
    for (const std::vector<std::string>& view :
         {std::vector<std::string>{"--view", "0", "0", "0"}, {"--eye", "1", "1", "1", "--target", "1", "1", "1"}}) {
        std::vector<std::string> command{"render", "r.sunder", "-o", "x.png"};
        command.insert(command.end(), view.begin(), view.end());
        const Answer answer = run(command);
        EXPECT_EQ(answer.code, 1);
        EXPECT_NE(answer.err.find(view[0] + ": "), std::string::npos) << answer.err;
    }
    EXPECT_FALSE(fs::exists(file("n.sunder")) || fs::exists(file("x.png")) || fs::exists(file("x.mp4.frames")));
}

TEST_F(Hostile, ATerminalDoesNotObeyWhatWasTyped) {
    const Answer answer = run({"run", "scene.json", "--frames", "\x1b[2J"});
    EXPECT_EQ(answer.code, 2);
    EXPECT_EQ(answer.err.find('\x1b'), std::string::npos);
    EXPECT_NE(answer.err.find("\\x1b[2J"), std::string::npos) << answer.err;
}

// ---- every output says whether it got there

TEST_F(Hostile, AnAnswerThatIsLostIsAFailure) {
    recorded();
    for (const std::vector<std::string>& command : {std::vector<std::string>{"info", "r.sunder"},
                                                    {"stats", "r.sunder", "--json"},
                                                    {"validate", "scene.json"},
                                                    {"shapes"},
                                                    {"methods"},
                                                    {"materials"},
                                                    {"--help"},
                                                    {"validate", "--schema"}}) {
        // a file that may hold sixteen bytes, as a disk that is full
        const Answer full = run(command, {.environment = {}, .out = {}, .err = {}, .folder = {}, .largestFile = 16});
        EXPECT_EQ(full.code, 1) << command[0] << full.out;
        const Answer closed = run(command, {.environment = {}, .out = {}, .err = {}, .folder = {}, .outClosed = true});
        EXPECT_EQ(closed.code, 1) << command[0];
        EXPECT_NE(closed.err.find("could not be written"), std::string::npos) << closed.err;
    }
}

TEST_F(Hostile, OutputsThatDoNotFitLeaveNothingBehind) {
    recorded();
    fs::create_directory(file("out"));
    for (const std::string output : {"x.glb", "x.usda", "x.pvd", "x.pov", "x.html", "x", "x.png"}) {
        const std::string command = output == "x.png" ? "render" : "export";
        const Answer answer = run({command, "r.sunder", "-o", "out/" + output},
                                  {.environment = {}, .out = {}, .err = {}, .folder = {}, .largestFile = 400});
        EXPECT_EQ(answer.code, 1) << output;
        for (const auto& entry : fs::directory_iterator(file("out")))
            ADD_FAILURE() << output << " left " << entry.path();
    }
}

/// How many a recording has that is being made; none where there is none yet.
int64_t framesIn(const fs::path& path) {
    try {
        return SqlDatabase(path, SqlDatabase::Mode::ReadOnly).integer("SELECT count(*) FROM frame");
    } catch (const InputError&) {
        return 0;
    }
}

TEST_F(Hostile, AStopHasTheCodeOfItsSignal) {
    for (const auto& [signal, code] : {std::pair{SIGINT, 130}, {SIGTERM, 143}}) {
        const std::string name = std::to_string(code) + ".sunder";
        tests::ChildProcess child({SUNDER_PROGRAM, "run", "scene.json", "-o", name, "--frames", "1000000", "--force"},
                                  {.environment = {{"SUNDER_CACHE", ""}}, .out = {}, .err = {}, .folder = folder()});
        child.waitUntil([&] { return framesIn(file(name)) > 2; }, kLongest);
        child.signal(signal);
        ASSERT_TRUE(child.waitFor(kLongest));
        EXPECT_EQ(child.exitCode(), code);
    }
}

}  // namespace
}  // namespace sunder
