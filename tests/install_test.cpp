// The library as others meet it: installed, or as a part of their project.
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "child_process.h"

namespace {

namespace fs = std::filesystem;
using sunder::tests::ChildProcess;
using sunder::tests::contentsOf;

const fs::path kSource = SUNDER_SOURCE_DIR;

struct Answer {
    int code = -1;
    std::string out, err;
};

/// Each test has a folder of its own. What it compiles is found again by ccache, if that is there.
class Install : public testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::path(testing::TempDir()) /
                  ("sunder_install_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    void TearDown() override {
        if (!HasFailure()) fs::remove_all(folder_);  // else it is left to be looked at
    }
    fs::path file(const std::string& name) const { return folder_ / name; }
    fs::path prefix() const { return file("prefix"); }

    Answer run(const std::vector<std::string>& command) const {
        ChildProcess child(command, {.environment = {{"SUNDER_WEB", ""}, {"SUNDER_CACHE", ""}},
                                     .out = file("stdout"),
                                     .err = file("stderr"),
                                     .folder = folder_});
        child.wait();
        return {child.exitCode(), contentsOf(file("stdout")), contentsOf(file("stderr"))};
    }
    /// ... that must go well; what it says.
    std::string runs(const std::vector<std::string>& command) const {
        const Answer answer = run(command);
        EXPECT_EQ(answer.code, 0) << command[0] << " " << command[1] << "\n" << answer.out << answer.err;
        return answer.out;
    }
    void install() const { runs({SUNDER_CMAKE, "--install", SUNDER_BINARY_DIR, "--prefix", prefix().string()}); }
    Answer configure(const fs::path& project, const std::vector<std::string>& more = {}) const {
        std::vector<std::string> command{SUNDER_CMAKE,
                                         "-S",
                                         project.string(),
                                         "-B",
                                         file("build").string(),
                                         "-G",
                                         SUNDER_GENERATOR,
                                         "-DCMAKE_PREFIX_PATH=" + prefix().string(),
                                         "-DCMAKE_CXX_COMPILER=" SUNDER_COMPILER,
                                         "-DCMAKE_CXX_COMPILER_LAUNCHER=" SUNDER_LAUNCHER,
                                         "-DCMAKE_CXX_FLAGS=" + flags()};
        command.insert(command.end(), more.begin(), more.end());
        return run(command);
    }
    std::string build(const std::vector<std::string>& more = {}) const {
        std::vector<std::string> command{SUNDER_CMAKE, "--build", file("build").string(), "--parallel", "2"};
        command.insert(command.end(), more.begin(), more.end());
        return runs(command);
    }
    /// A library that was built for sanitizers is used by programs that are.
    static std::string flags() {
        const std::string sanitize = SUNDER_SANITIZE;
        return sanitize.empty() ? "" : "-fsanitize=" + sanitize;
    }

private:
    fs::path folder_;
};

size_t count(const std::string& text, const std::string& word) {
    size_t found = 0;
    for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
    return found;
}

TEST_F(Install, ExamplesBuildAgainstItAndRun) {
    install();
    const fs::path examples = prefix() / "share" / "doc" / "libsunder-dev" / "examples";
    ASSERT_EQ(configure(examples).code, 0) << contentsOf(file("stderr"));
    build();

    // a vase in pieces that are closed and have its volume
    const std::string broken = runs({file("build/break_mesh/break_mesh"), file("pieces.obj")});
    std::smatch figures;
    ASSERT_TRUE(std::regex_search(broken, figures,
                                  std::regex(R"((\d+) pieces, (\d+) of them closed, volume (\S+) of (\S+) m)")))
        << broken;
    EXPECT_GE(std::stoi(figures[1]), 10);
    EXPECT_EQ(figures[1], figures[2]);
    EXPECT_NEAR(std::stod(figures[3]) / std::stod(figures[4]), 1, 1e-7);
    EXPECT_EQ(count(contentsOf(file("pieces.obj")), "\no "), static_cast<size_t>(std::stoi(figures[1])));
    // its own pieces are meshes that it reads
    EXPECT_EQ(run({file("build/break_mesh/break_mesh"), file("again.obj"), file("missing.obj")}).code, 1);
    EXPECT_NE(contentsOf(file("stderr")).find("missing.obj"), std::string::npos);

    // a wall that a ball breaks, told of by a sink
    const std::string table = runs({file("build/own_loop/own_loop"), "table"});
    EXPECT_EQ(count(table, "wall breaks into "), 1u) << table;
    ASSERT_TRUE(std::regex_search(table, figures, std::regex(R"((\d+) bodies after 1\.5 s)"))) << table;
    EXPECT_GE(std::stoi(figures[1]), 20);

    // a beam that a method of the stranger's parts in two, and these again
    const std::string halves =
        runs({file("build/own_method/own_method"), examples / "own_method" / "beam.json", file("beam.sunder")});
    EXPECT_EQ(count(halves, "beam "), 1u) << halves;
    EXPECT_GE(count(halves, "beam/p"), 2u) << halves;
    // which the program, that has never heard of it, can read
    const auto stats =
        nlohmann::json::parse(runs({prefix() / "bin" / "sunder", "stats", "--json", file("beam.sunder")}));
    EXPECT_GE(stats.at("breaks").get<int>(), 1);
}

TEST_F(Install, HasThePublicHeadersAndNoOthers) {
    install();
    std::set<std::string> headers;
    for (const auto& entry : fs::recursive_directory_iterator(prefix() / "include")) {
        if (!entry.is_regular_file()) continue;
        const std::string name = fs::relative(entry.path(), prefix() / "include").string();
        headers.insert(name);
        EXPECT_TRUE(name.starts_with("sunder/") && name.ends_with(".h")) << name;
        EXPECT_EQ(name.find("detail/"), std::string::npos) << name;
        EXPECT_EQ(name.find("/test_"), std::string::npos) << name;
    }
    EXPECT_TRUE(headers.contains("sunder/version.h"));
    EXPECT_TRUE(headers.contains("sunder/fracture/methods.h"));
    EXPECT_TRUE(headers.contains("sunder/sim/frame_sink.h"));
    // whatever they include of ours is there
    const std::regex include(R"(#\s*include\s*[<"](sunder/[^>"]+)[>"])");
    for (const std::string& header : headers) {
        const std::string text = contentsOf(prefix() / "include" / header);
        EXPECT_EQ(text.find("#include \""), std::string::npos) << header;
        for (std::sregex_iterator i(text.begin(), text.end(), include), end; i != end; ++i)
            EXPECT_TRUE(headers.contains((*i)[1])) << header << " includes " << (*i)[1];
    }
    // nothing that is installed to be read names this machine's folders
    for (const auto& entry : fs::recursive_directory_iterator(prefix())) {
        const std::string type = entry.path().extension().string();
        if (!entry.is_regular_file() || (type != ".cmake" && type != ".h" && type != ".1")) continue;
        EXPECT_EQ(contentsOf(entry.path()).find(kSource.string()), std::string::npos) << entry.path();
    }
}

TEST_F(Install, ComponentsBringWhatTheyNeedAndOthersGetASentence) {
    install();
    const fs::path project = file("project");
    fs::create_directories(project);
    const auto asking = [&](const std::string& lines) {
        std::ofstream(project / "CMakeLists.txt")
            << "cmake_minimum_required(VERSION 3.25)\nproject(asking LANGUAGES CXX)\n"
            << lines;
        fs::remove_all(file("build"));
        return configure(project);
    };
    // geometry alone asks for no JSON, SQLite or PNG
    const Answer geometry = asking(
        "find_package(sunder REQUIRED COMPONENTS geometry)\n"
        "if(TARGET sunder::io OR TARGET SQLite::SQLite3 OR TARGET nlohmann_json::nlohmann_json)\n"
        "  message(FATAL_ERROR \"too much\")\nendif()\n"
        "get_target_property(links sunder::geometry INTERFACE_LINK_LIBRARIES)\n"
        "message(STATUS \"version ${sunder_VERSION}, links ${links}\")\n");
    EXPECT_EQ(geometry.code, 0) << geometry.err;
    EXPECT_NE(geometry.out.find("version " SUNDER_VERSION), std::string::npos) << geometry.out;
    // everything, when nothing is said
    const Answer all = asking(
        "find_package(sunder 0.1 REQUIRED)\nforeach(name geometry dynamics fracture sim io)\n"
        "  if(NOT TARGET sunder::${name})\n    message(FATAL_ERROR \"no ${name}\")\n  endif()\nendforeach()\n");
    EXPECT_EQ(all.code, 0) << all.err;
    // what there is not
    const Answer unknown = asking("find_package(sunder REQUIRED COMPONENTS glass)\n");
    EXPECT_NE(unknown.code, 0);
    const std::string words = std::regex_replace(unknown.err, std::regex(R"(\s+)"), " ");
    EXPECT_NE(words.find("sunder has no component 'glass'; there are geometry, dynamics, fracture, sim, io."),
              std::string::npos)
        << unknown.err;
    EXPECT_EQ(asking("find_package(sunder QUIET OPTIONAL_COMPONENTS glass COMPONENTS sim)\n"
                     "if(NOT sunder_FOUND OR sunder_glass_FOUND)\n  message(FATAL_ERROR \"wrong\")\nendif()\n")
                  .code,
              0);
    EXPECT_NE(asking("find_package(sunder 7 REQUIRED)\n").code, 0);
}

TEST_F(Install, ProgramFindsItsPagesBesideItself) {
    if (!fs::exists(kSource / "web" / "dist" / "replay.html")) GTEST_SKIP() << "web/dist is not built: ./dev build web";
    install();
    const std::string sunder = prefix() / "bin" / "sunder";
    runs({sunder, "run", kSource / "tests" / "scenes" / "breaking.json", "-o", file("a.sunder"), "--frames", "5"});
    runs({sunder, "export", file("a.sunder"), "-o", file("a.html")});
    EXPECT_GT(fs::file_size(file("a.html")), fs::file_size(prefix() / "share" / "sunder" / "web" / "replay.html"));
    EXPECT_TRUE(fs::exists(prefix() / "share" / "sunder" / "web" / "studio" / "index.html"));
}

TEST_F(Install, SubprojectKeepsItsOwnFlagsAndNames) {
    const Answer configured = configure(kSource / "tests" / "subproject",
                                        {"-DSUNDER_SOURCE_DIR=" + kSource.string(), "-DCMAKE_BUILD_TYPE=Debug"});
    ASSERT_EQ(configured.code, 0) << configured.err;
    // files of the stranger that do not use us are compiled as they were before we came
    const auto commands = nlohmann::json::parse(contentsOf(file("build/compile_commands.json")));
    size_t bystanders = 0;
    for (const auto& entry : commands) {
        if (!entry.at("file").get<std::string>().ends_with("bystander.cpp")) continue;
        ++bystanders;
        const std::string command = entry.at("command");
        for (const char* ours : {" -W", "-fPIC", "ffp-contract", "EIGEN", "sunder", "-std="})
            EXPECT_EQ(command.substr(0, command.find(" -o ")).find(ours), std::string::npos)
                << ours << " in " << command;
    }
    EXPECT_EQ(bystanders, 2u);
    build({"--target", "guest", "bystander", "reader"});
    EXPECT_TRUE(runs({file("build/guest"), "guest"}).starts_with("same 3 "));
}

}  // namespace
