// The sunder program as a user or a script meets it: exit codes, what goes to stdout and stderr, JSON contracts.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <sys/wait.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace {

namespace fs = std::filesystem;

struct Answer {
    int code = -1;
    std::string out;
    std::string err;
};

std::string contentsOf(const fs::path& path) {
    std::ifstream in(path);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

class Cli : public testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::path(testing::TempDir()) /
                  ("sunder_cli_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }

    fs::path file(const std::string& name) const { return folder_ / name; }

    Answer run(const std::string& arguments) const {
        // what the user's cache holds must not matter
        const std::string command = std::string("SUNDER_CACHE= '") + SUNDER_PROGRAM + "' " + arguments + " >'" +
                                    file("stdout").string() + "' 2>'" + file("stderr").string() + "' </dev/null";
        const int status = std::system(command.c_str());
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contentsOf(file("stdout")), contentsOf(file("stderr"))};
    }

    std::string quoted(const std::string& name) const { return "'" + file(name).string() + "'"; }

private:
    fs::path folder_;
};

constexpr const char* kTetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
constexpr const char* kTurnedTetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n";

TEST_F(Cli, HelpLeadsWithExamplesAndSucceeds) {
    const Answer answer = run("--help");
    EXPECT_EQ(answer.code, 0);
    EXPECT_NE(answer.out.find("sunder shapes goblet -o goblet.obj"), std::string::npos);
    for (const std::string command : {"info", "repair", "shapes", "tets", "slices", "picture", "fracture"}) {
        const Answer help = run(command + " --help");
        EXPECT_EQ(help.code, 0) << command;
        EXPECT_NE(help.out.find("  sunder " + command), std::string::npos) << command;
    }
}

TEST_F(Cli, WrongUseIsExitTwoAndTalksOnStderr) {
    for (const std::string arguments : {"", "nonsense", "info", "info a.obj --nonsense", "shapes box --resolution 3"}) {
        const Answer answer = run(arguments);
        EXPECT_EQ(answer.code, 2) << arguments;
        EXPECT_EQ(answer.out, "") << arguments;
        EXPECT_NE(answer.err, "") << arguments;
    }
}

TEST_F(Cli, AMissingFileIsOneSentenceAndExitOne) {
    const Answer answer = run("info " + quoted("nowhere.obj"));
    EXPECT_EQ(answer.code, 1);
    EXPECT_NE(answer.err.find("nowhere.obj"), std::string::npos);
    EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1);
}

TEST_F(Cli, AnUnknownFormatNamesTheOnesThereAre) {
    std::ofstream(file("x.docx")) << "hello";
    const Answer answer = run("info " + quoted("x.docx"));
    EXPECT_EQ(answer.code, 1);
    EXPECT_NE(answer.err.find("obj"), std::string::npos) << answer.err;
}

TEST_F(Cli, InfoGivesTheContractAsJson) {
    std::ofstream(file("t.obj")) << kTetrahedron;
    const Answer answer = run("info --json " + quoted("t.obj"));
    ASSERT_EQ(answer.code, 0) << answer.err;
    const auto json = nlohmann::json::parse(answer.out);
    EXPECT_EQ(json["kind"], "mesh");
    EXPECT_EQ(json["vertices"], 4);
    EXPECT_EQ(json["triangles"], 4);
    EXPECT_EQ(json["bodies"], 1);
    EXPECT_TRUE(json["closed"]);
    EXPECT_TRUE(json["solid"]);
    EXPECT_NEAR(json["volume"].get<double>(), 1.0 / 6, 1e-15);
    EXPECT_EQ(json["bounds"]["max"], nlohmann::json::array({1.0, 1.0, 1.0}));
    EXPECT_TRUE(json["defects"].is_array());
    EXPECT_GT(json["grid"]["memory_bytes"].get<size_t>(), 0u);
}

TEST_F(Cli, InfoNamesADefectWithCountAndPlace) {
    std::ofstream(file("open.obj")) << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    const auto json = nlohmann::json::parse(run("info --json " + quoted("open.obj")).out);
    EXPECT_FALSE(json["closed"]);
    EXPECT_TRUE(json["volume"].is_null());
    bool found = false;
    for (const auto& defect : json["defects"]) {
        if (defect["kind"] != "open_edges") continue;
        found = true;
        EXPECT_EQ(defect["count"], 3);
        EXPECT_NE(defect["example"], "");
    }
    EXPECT_TRUE(found);
}

TEST_F(Cli, RepairWritesTheSolidAndSaysWhatItDid) {
    std::ofstream(file("in.obj")) << kTurnedTetrahedron;
    const Answer answer = run("repair --json " + quoted("in.obj") + " -o " + quoted("out.ply"));
    ASSERT_EQ(answer.code, 0) << answer.err;
    const auto json = nlohmann::json::parse(answer.out);
    EXPECT_EQ(json["verdict"], "repaired");
    EXPECT_NEAR(json["volume"].get<double>(), 1.0 / 6, 1e-12);
    EXPECT_FALSE(json["actions"].empty());
    const auto info = nlohmann::json::parse(run("info --json " + quoted("out.ply")).out);
    EXPECT_TRUE(info["solid"]);
    EXPECT_NEAR(info["volume"].get<double>(), 1.0 / 6, 1e-6);
}

TEST_F(Cli, RepairRefusesAShellAndWritesNothing) {
    std::ofstream(file("in.obj")) << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    const Answer answer = run("repair " + quoted("in.obj") + " -o " + quoted("out.ply"));
    EXPECT_EQ(answer.code, 1);
    EXPECT_NE(answer.err.find("in.obj"), std::string::npos);
    EXPECT_FALSE(fs::exists(file("out.ply")));
}

TEST_F(Cli, NothingIsOverwrittenUnlessForced) {
    std::ofstream(file("box.obj")) << "precious";
    const Answer refused = run("shapes box -o " + quoted("box.obj"));
    EXPECT_EQ(refused.code, 1);
    EXPECT_NE(refused.err.find("--force"), std::string::npos);
    EXPECT_EQ(contentsOf(file("box.obj")), "precious");
    EXPECT_EQ(run("shapes box --force -o " + quoted("box.obj")).code, 0);
    EXPECT_NE(contentsOf(file("box.obj")), "precious");
}

TEST_F(Cli, EveryListedShapeCanBeMadeAndIsASolid) {
    const Answer list = run("shapes --json");
    ASSERT_EQ(list.code, 0);
    size_t count = 0;
    for (const auto& shape : nlohmann::json::parse(list.out)) {
        const std::string name = shape["name"];
        const Answer made = run("shapes " + name + " --resolution 16 -o " + quoted(name + ".glb"));
        EXPECT_EQ(made.code, 0) << name << ": " << made.err;
        const auto info = nlohmann::json::parse(run("info --json " + quoted(name + ".glb")).out);
        EXPECT_EQ(info["closed"].get<bool>(), !shape["open"].get<bool>()) << name;
        EXPECT_TRUE(info["uvs"].get<bool>()) << name;
        ++count;
    }
    EXPECT_GE(count, 30u);
}

TEST_F(Cli, ABadShapeNameOrValueGetsASentence) {
    const Answer name = run("shapes goblin -o " + quoted("x.obj"));
    EXPECT_EQ(name.code, 1);
    EXPECT_NE(name.err.find("goblet"), std::string::npos) << name.err;
    const Answer value = run("shapes box --set width=-1 -o " + quoted("x.obj"));
    EXPECT_EQ(value.code, 1);
    EXPECT_NE(value.err.find("width"), std::string::npos) << value.err;
    const Answer together = run("shapes torus --set tube_radius=0.4 -o " + quoted("x.obj"));
    EXPECT_EQ(together.code, 1);
    EXPECT_NE(together.err.find("got 0.4; with radius = 0.4 give 0.001 to 0.38"), std::string::npos) << together.err;
    for (const std::string arguments : {"--set width -o ", "--set width=1 --set width=2 -o "}) {
        EXPECT_EQ(run("shapes box " + arguments + quoted("x.obj")).code, 1) << arguments;
    }
    EXPECT_EQ(run("shapes box --set width=2").code, 1);
    EXPECT_FALSE(fs::exists(file("x.obj")));
}

TEST_F(Cli, TetsSayWhatTheCellIsAndWhatTheLatticeIs) {
    ASSERT_EQ(run("shapes sphere -o " + quoted("ball.ply")).code, 0);
    const Answer answer = run("tets " + quoted("ball.ply") + " --cell 0.1 --json -o " + quoted("ball.msh"));
    ASSERT_EQ(answer.code, 0) << answer.err;
    const auto json = nlohmann::json::parse(answer.out);
    EXPECT_EQ(json["cell_size"].get<double>(), 0.1);
    EXPECT_DOUBLE_EQ(json["lattice_size"].get<double>(), 0.059);
}

TEST_F(Cli, TetsFillASphereAndInfoReadsThem) {
    ASSERT_EQ(run("shapes sphere -o " + quoted("ball.ply")).code, 0);
    for (const std::string name : {"ball.msh", "ball.vol", "ball.node"}) {
        const Answer answer = run("tets " + quoted("ball.ply") + " --count 20000 --json -o " + quoted(name));
        ASSERT_EQ(answer.code, 0) << answer.err;
        const auto json = nlohmann::json::parse(answer.out);
        EXPECT_NEAR(json["tets"].get<double>(), 20000, 1000);
        const Answer facts = run("info --json " + quoted(name));
        ASSERT_EQ(facts.code, 0) << facts.err;
        const auto info = nlohmann::json::parse(facts.out);
        EXPECT_EQ(info["kind"], "tets");
        EXPECT_EQ(info["tets"], json["tets"]);
        EXPECT_TRUE(info["closed"]);
        EXPECT_NEAR(info["volume"].get<double>(), json["volume_of_mesh"].get<double>(),
                    0.01 * json["volume_of_mesh"].get<double>());
        EXPECT_GE(info["dihedral_degrees"]["min"].get<double>(), 8);
        EXPECT_LE(info["dihedral_degrees"]["max"].get<double>(), 165);
    }
}

TEST_F(Cli, TetsOfAnOpenMeshPointToRepair) {
    std::ofstream(file("open.obj")) << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    const Answer answer = run("tets " + quoted("open.obj") + " -o " + quoted("x.msh"));
    EXPECT_EQ(answer.code, 1);
    EXPECT_NE(answer.err.find("sunder repair"), std::string::npos);
}

TEST_F(Cli, SlicesWriteAPicture) {
    ASSERT_EQ(run("shapes torus -o " + quoted("t.obj")).code, 0);
    const Answer answer = run("slices " + quoted("t.obj") + " --cells 32 --count 2 --width 64 -o " + quoted("s.png"));
    ASSERT_EQ(answer.code, 0) << answer.err;
    EXPECT_GT(fs::file_size(file("s.png")), 200u);
}

TEST_F(Cli, TheSameCommandGivesTheSameBytes) {
    for (const std::string name : {"a.glb", "b.glb"})
        ASSERT_EQ(run("shapes animal --resolution 32 -o " + quoted(name)).code, 0);
    EXPECT_EQ(contentsOf(file("a.glb")), contentsOf(file("b.glb")));
}

TEST_F(Cli, FractureWritesPiecesThatFillTheBody) {
    ASSERT_EQ(run("shapes box --resolution 8 -o " + quoted("box.obj")).code, 0);
    const std::string command = "fracture " + quoted("box.obj") + " --pieces 12 --json ";
    const Answer answer = run(command + "--pattern radial --at 0.1,0.2,0.5 --normal 0,0,-1 -o " + quoted("pieces"));
    ASSERT_EQ(answer.code, 0) << answer.err;
    const auto json = nlohmann::json::parse(answer.out);
    EXPECT_EQ(json["pieces"], 12);
    EXPECT_EQ(json["open_pieces"], 0);
    EXPECT_LT(json["volume_error"].get<double>(), 1e-9);
    EXPECT_NEAR(json["at"][0].get<double>(), 0.1, 1e-12);
    EXPECT_NEAR(json["at"][2].get<double>(), 0.5, 1e-12);
    double sum = 0;
    for (int n = 0; n < 12; ++n) {
        const std::string name = "pieces/box_p" + std::string(n < 10 ? "0" : "") + std::to_string(n) + ".obj";
        const auto info = nlohmann::json::parse(run("info --json " + quoted(name)).out);
        EXPECT_TRUE(info["solid"]) << name;
        sum += info["volume"].get<double>();
    }
    EXPECT_NEAR(sum, 1, 1e-9);
    EXPECT_FALSE(fs::exists(file("pieces/box_p12.obj")));
    EXPECT_EQ(run(command + "-o " + quoted("pieces")).code, 1);                     // there is something in it
    EXPECT_EQ(run(command + "--pieces 5 --force -o " + quoted("pieces")).code, 2);  // twice
    EXPECT_EQ(run("fracture " + quoted("box.obj") + " --pieces 5 --force -o " + quoted("pieces")).code, 0);
    EXPECT_FALSE(fs::exists(file("pieces/box_p05.obj")));
}

TEST_F(Cli, FractureWritesOneFileWithAnObjectPerPiece) {
    ASSERT_EQ(run("shapes box --resolution 8 -o " + quoted("box.obj")).code, 0);
    for (const std::string name : {"all.obj", "all.glb", "all.ply"}) {
        const Answer answer =
            run("fracture " + quoted("box.obj") + " --pieces 7 --exploded 0.5 --seed 3 -o " + quoted(name));
        ASSERT_EQ(answer.code, 0) << answer.err;
        EXPECT_NE(answer.out.find("7 pieces"), std::string::npos) << answer.out;
        const auto info = nlohmann::json::parse(run("info --json " + quoted(name)).out);
        EXPECT_EQ(info["bodies"], 7) << name;
        EXPECT_NEAR(info["volume"].get<double>(), 1, 1e-5) << name;
    }
    const std::string text = contentsOf(file("all.obj"));
    EXPECT_NE(text.find("o box_p06\n"), std::string::npos);
    EXPECT_NE(contentsOf(file("all.glb")).find("\"name\":\"box_p06\""), std::string::npos);
}

/// The JSON of a .glb.
nlohmann::json glbJson(const std::string& bytes) {
    uint32_t length = 0;
    std::memcpy(&length, bytes.data() + 12, 4);
    return nlohmann::json::parse(bytes.substr(20, length));
}

TEST_F(Cli, FracturedPiecesAreReadyForOtherPrograms) {
    // a source without UVs, normals or materials
    std::ofstream(file("rock.obj")) << kTetrahedron;
    const std::string command = "fracture " + quoted("rock.obj") + " --pieces 6 --force -o ";
    ASSERT_EQ(run(command + quoted("rock.glb") + " --hulls --json").code, 0);
    const auto glb = glbJson(contentsOf(file("rock.glb")));
    const auto listed = nlohmann::json::parse(run(command + quoted("rock.glb") + " --hulls --json").out)["list"];
    ASSERT_EQ(listed.size(), 6u);
    ASSERT_EQ(glb["nodes"].size(), 12u) << "a hull for each";
    std::set<std::string> names, materials;
    for (const auto& node : glb["nodes"]) names.insert(node["name"]);
    for (const auto& material : glb["materials"]) materials.insert(material["name"]);
    EXPECT_EQ(materials, (std::set<std::string>{"rock", "rock_inside"}));
    for (size_t i = 0; i < listed.size(); ++i) {
        const auto& node = glb["nodes"][2 * i];
        EXPECT_EQ(node["name"], listed[i]["name"]);
        EXPECT_TRUE(names.contains("UCX_" + node["name"].get<std::string>()));
        EXPECT_EQ(node["translation"], listed[i]["centre"]) << "the pivot is the centre of mass";
        EXPECT_EQ(node["extras"]["mass"], listed[i]["mass"]);
        for (const auto& primitive : glb["meshes"][node["mesh"].get<size_t>()]["primitives"]) {
            EXPECT_TRUE(primitive["attributes"].contains("TEXCOORD_0"));
            EXPECT_TRUE(primitive["attributes"].contains("NORMAL"));
        }
    }

    // a folder of files that know no places: where they belong stands beside
    ASSERT_EQ(run(command + quoted("rocks") + " --pivot mass").code, 0);
    const std::string obj = contentsOf(file("rocks/rock_p03.obj"));
    for (const char* part : {"usemtl rock\n", "usemtl rock_inside\n", "\nvt ", "o rock_p03\n"})
        EXPECT_NE(obj.find(part), std::string::npos) << part;
    const auto table = nlohmann::json::parse(contentsOf(file("rocks/pieces.json")));
    EXPECT_EQ(table["pieces"][3]["file"], "rock_p03.obj");
    EXPECT_EQ(table["pieces"][3]["pivot"], table["pieces"][3]["centre"]);
    const auto info = nlohmann::json::parse(run("info --json " + quoted("rocks/rock_p03.obj")).out);
    for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(info["centre"][axis].get<double>(), 0, 1e-12);
    EXPECT_EQ(run(command + quoted("rocks.obj") + " --pivot mass").code, 1) << "one .obj has one origin";
}

TEST_F(Cli, AsManyPiecesComeAsAreAskedFor) {
    ASSERT_EQ(run("shapes vase --resolution 48 -o " + quoted("vase.obj")).code, 0);
    for (const std::string pattern : {"uniform", "radial", "glass", "brick", "splinter"}) {
        const Answer answer = run("fracture " + quoted("vase.obj") + " --json --force --pieces 50 --pattern " +
                                  pattern + " -o " + quoted("pieces.glb"));
        ASSERT_EQ(answer.code, 0) << answer.err;
        EXPECT_NEAR(nlohmann::json::parse(answer.out)["pieces"].get<int>(), 50, 5) << pattern;
    }
}

TEST_F(Cli, FractureReadsOtherUnitsAndWarnsOfGiants) {
    std::ofstream(file("mm.obj")) << "v 0 0 0\nv 120 0 0\nv 0 300 0\nv 0 0 80\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
    const std::string command = "fracture " + quoted("mm.obj") + " --pieces 4 --force --json -o " + quoted("x.glb");
    const Answer wrong = run(command), right = run(command + " --unit mm --up x");
    EXPECT_NE(wrong.err.find("is 300 m across, as --unit m says"), std::string::npos) << wrong.err;
    EXPECT_EQ(right.err.find("across"), std::string::npos) << right.err;
    EXPECT_NEAR(nlohmann::json::parse(right.out)["volume"].get<double>(), 0.12 * 0.3 * 0.08 / 6, 1e-9);
    // 120 along x are up now
    const auto info = nlohmann::json::parse(run("info --json " + quoted("x.glb")).out);
    EXPECT_NEAR(info["bounds"]["size"][1].get<double>(), 0.12, 1e-6);
    const Answer unknown = run(command + " --unit parsec");
    EXPECT_EQ(unknown.code, 2);
    EXPECT_NE(unknown.err.find("'parsec' is not one of cm, ft, in, m, mm"), std::string::npos) << unknown.err;
}

TEST_F(Cli, FracturedPiecesKeepToABudgetOfTriangles) {
    ASSERT_EQ(run("shapes sphere --resolution 64 -o " + quoted("ball.obj")).code, 0);
    const std::string command =
        "fracture " + quoted("ball.obj") + " --pieces 10 --force --pattern realistic --cells 48 -o " + quoted("x.obj");
    ASSERT_EQ(run(command).code, 0);
    const auto all = nlohmann::json::parse(run("info --json " + quoted("x.obj")).out);
    ASSERT_GT(all["triangles"].get<int>(), 4000);
    ASSERT_EQ(run(command + " --max-triangles 2500").code, 0);
    const auto few = nlohmann::json::parse(run("info --json " + quoted("x.obj")).out);
    EXPECT_LT(few["triangles"].get<int>(), 2700);
}

TEST_F(Cli, FractureKeepsPatternAssetsInAFolderAndDoesNotDependOnThem) {
    ASSERT_EQ(run("shapes box -o " + quoted("box.obj")).code, 0);
    // the pieces of one break are the artist's pattern of the next
    ASSERT_EQ(run("fracture " + quoted("box.obj") + " --pieces 5 -o " + quoted("pattern")).code, 0);
    const std::string command = "fracture " + quoted("box.obj") + " --pattern artist --pattern-files " +
                                quoted("pattern") + " --pieces 5 --cells 16 --force -o " + quoted("pieces.obj");
    ASSERT_EQ(run(command + " --no-cache").code, 0);
    const std::string pieces = contentsOf(file("pieces.obj"));
    for (int round = 0; round < 3; ++round) {
        const Answer answer = run(command + " --cache " + quoted("cache"));
        ASSERT_EQ(answer.code, 0) << answer.err;
        EXPECT_EQ(contentsOf(file("pieces.obj")), pieces);
        std::vector<fs::path> kept;
        for (const auto& entry : fs::directory_iterator(file("cache"))) kept.push_back(entry.path());
        ASSERT_EQ(kept.size(), 5u);
        EXPECT_EQ(answer.err.find("made again") != std::string::npos, round == 2) << answer.err;
        if (round == 1) fs::resize_file(kept.front(), 77);
    }
    EXPECT_EQ(run(command + " --cache x --no-cache").code, 2);
}

TEST_F(Cli, MethodsAndTheirSettingsAreListedAndEverySettingIsAFlag) {
    using Json = nlohmann::ordered_json;
    const Json methods = Json::parse(run("methods --json").out);
    const std::string help = run("fracture --help").out;
    std::set<std::string> names;
    for (const Json& method : methods) {
        names.insert(method["name"]);
        for (const Json& setting : method["settings"]) {
            std::string flag = setting["key"];
            std::replace(flag.begin(), flag.end(), '_', '-');
            EXPECT_NE(help.find("--" + flag), std::string::npos) << flag;
        }
    }
    EXPECT_EQ(names, (std::set<std::string>{"none", "prescored", "fem"}));
    EXPECT_NE(run("methods fem").out.find("max_tets"), std::string::npos);
    EXPECT_EQ(run("methods prescore").code, 1);

    // a flag and --set say the same
    ASSERT_EQ(run("shapes box -o " + quoted("b.obj")).code, 0);
    const std::string command = "fracture " + quoted("b.obj") + " --json -o ";
    const Json byFlag = Json::parse(run(command + quoted("f.obj") + " --pieces 9 --pattern radial").out);
    const Json bySet = Json::parse(run(command + quoted("s.obj") + " --set pieces=9 --set pattern=radial").out);
    EXPECT_EQ(byFlag["list"], bySet["list"]);
    EXPECT_EQ(byFlag["settings"]["pieces"], 9);
}

TEST_F(Cli, MaterialsAreListedAndFractureTakesThem) {
    using Json = nlohmann::ordered_json;
    const Json catalogue = Json::parse(run("materials --json").out);
    const std::string table = run("materials").out;
    std::map<std::string, double> densities;
    for (const Json& material : catalogue["materials"]) {
        const std::string name = material["name"];
        densities[name] = material["density"];
        EXPECT_NE(table.find("\n" + name + " "), std::string::npos) << name;
    }
    for (const Json& look : catalogue["looks"])
        EXPECT_NE(table.find(look["name"].get<std::string>()), std::string::npos);
    EXPECT_GT(densities.at("steel"), densities.at("glass"));

    // for every method; a method of stress breaks other materials otherwise
    ASSERT_EQ(run("shapes wall -o " + quoted("b.obj")).code, 0);
    const auto broken = [&](const std::string& flags) {
        return Json::parse(
            run("fracture " + quoted("b.obj") + " --force --json -o " + quoted("p.obj") + " " + flags).out);
    };
    EXPECT_EQ(broken("--pieces 5 --material ice")["material"], "ice");
    EXPECT_TRUE(broken("--pieces 5")["material"].is_null());
    const std::string fem = "--method fem --tets 1000 --impulse 0,0,-3000 --at 0,0,0.2 --speed 5 ";
    EXPECT_EQ(broken(fem)["reason"], broken(fem + "--material concrete")["reason"]);
    EXPECT_NE(broken(fem)["reason"], broken(fem + "--material ice")["reason"]);
    const Answer unknown = run("fracture " + quoted("b.obj") + " --material conrete -o " + quoted("q.obj"));
    EXPECT_EQ(unknown.code, 1);
    EXPECT_NE(unknown.err.find("did you mean 'concrete'"), std::string::npos) << unknown.err;
}

TEST_F(Cli, FractureSaysWhyItStayedWhole) {
    ASSERT_EQ(run("shapes wall -o " + quoted("w.obj")).code, 0);
    const auto complaint = [&](const std::string& flags) {
        const Answer answer = run("fracture " + quoted("w.obj") + " -o " + quoted("none.obj") + " " + flags);
        EXPECT_EQ(answer.code, 1) << flags;
        return answer.err;
    };
    // a method of stress knows how much harder it has to be
    const std::string fem = "--method fem --tets 1000 --at 0,0,0.2 --speed 5 --impulse 0,0,";
    const std::string weak = complaint(fem + "-30");
    EXPECT_NE(weak.find("times as hard"), std::string::npos) << weak;
    const double harder = std::stod(weak.substr(weak.find("strike it ") + 10));
    EXPECT_GT(harder, 1);
    EXPECT_EQ(
        run("fracture " + quoted("w.obj") + " -o " + quoted("p.obj") + " " + fem + std::to_string(-30 * 1.2 * harder))
            .code,
        0);

    // a pattern has a threshold, which the impulse must exceed
    const std::string below = complaint("--threshold 20 --impulse 0,0,-10");
    EXPECT_NE(below.find("10 N s is too weak"), std::string::npos) << below;
    EXPECT_EQ(run("fracture " + quoted("w.obj") + " -o " + quoted("q.obj") + " --threshold 20 --impulse 0,0,-21").code,
              0);
}

TEST_F(Cli, FractureSaysWhatIsWrong) {
    std::ofstream(file("open.obj")) << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    const Answer open = run("fracture " + quoted("open.obj") + " -o " + quoted("x.obj"));
    EXPECT_EQ(open.code, 1);
    EXPECT_NE(open.err.find("3 open_edges"), std::string::npos) << open.err;
    EXPECT_NE(open.err.find("sunder repair"), std::string::npos) << open.err;
    std::ofstream(file("t.obj")) << kTetrahedron;
    const auto refusal = [&](const std::string& arguments) {
        const Answer answer = run("fracture " + quoted("t.obj") + " -o " + quoted("x.obj") + " " + arguments);
        EXPECT_EQ(answer.code, 1) << arguments;
        return answer.err;
    };
    EXPECT_NE(refusal("--pattern marble").find("uniform, radial"), std::string::npos);
    EXPECT_NE(refusal("--pieces 1000000000").find("from 2 to 100000"), std::string::npos);
    EXPECT_NE(refusal("--normal 0,0,0").find("--normal"), std::string::npos);
    for (const char* place : {"0,nan,0", "nan,nan,nan", "0,inf,0", "1e300,0,0"})
        EXPECT_NE(refusal(std::string("--at ") + place).find("three finite numbers"), std::string::npos) << place;
    EXPECT_NE(refusal("--pieces-as ply").find("is for a folder"), std::string::npos);
    EXPECT_NE(refusal("--pattern artist").find("--pattern-files"), std::string::npos);
    EXPECT_NE(refusal("--pattern artist --pattern-files nowhere").find("no folder"), std::string::npos);
    EXPECT_NE(refusal("--method fme").find("did you mean 'fem'"), std::string::npos);
    EXPECT_NE(refusal("--method fem --impulse 1,0,0 --pieces 4").find("setting of prescored"), std::string::npos);
    EXPECT_NE(refusal("--method fem").find("--impulse"), std::string::npos);
    EXPECT_NE(refusal("--set piece=4").find("did you mean 'pieces'"), std::string::npos);
    EXPECT_NE(refusal("--set pieces").find("--set pieces=40"), std::string::npos);
    EXPECT_FALSE(fs::exists(file("x.obj")));
}

}  // namespace
