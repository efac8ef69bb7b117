#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "base/error.h"
#include "base/stopwatch.h"
#include "cli/asset_cache.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "fracture/fem/fem_method.h"
#include "fracture/prescored/prescored.h"
#include "geometry/mesh/topology.h"
#include "geometry/tree/triangle_tree.h"
#include "io/mesh/mesh_io.h"

namespace sunder::cli {

namespace {

namespace fs = std::filesystem;
using namespace sunder::fracture;

struct FractureArguments {
    std::string input;
    std::string output;
    std::string pattern = "uniform";
    std::string patternFiles;
    std::string alignment = "exact";
    PrescoredOptions options;
    std::string method = "prescored";
    std::string material = "concrete";
    FemFractureOptions fem;
    double strength = 0;  // Pa; 0: the material's
    std::vector<double> impulse;
    double speed = 10, otherMass = 0;
    std::vector<double> at, normal;
    uint64_t seed = 1;
    double exploded = 0;
    bool force = false;
    bool json = false;
    AssetCacheArguments cache;
};

/// Read and found fit to be broken, or refused with the defect and the cure.
TriMesh readSolid(const std::string& path) {
    MeshFile file = readMesh(path);
    const Diagnosis diagnosis = diagnose(file.mesh);
    if (!diagnosis.solid()) {
        const std::string defect =
            diagnosis.defects.empty()
                ? "it encloses nothing"
                : fmt::format("{} {} ({})", diagnosis.defects.front().count, nameOf(diagnosis.defects.front().kind),
                              diagnosis.defects.front().example);
        throw InputError(
            path, fmt::format("not a clean solid: {}; mend it with: sunder repair {} -o solid.obj", defect, path));
    }
    return std::move(file.mesh);
}

Vec3 vectorFrom(const std::vector<double>& values) { return {values[0], values[1], values[2]}; }

/// The middle of the broadest side: where a line through the centre of mass, along the shortest side of the box, meets
/// the surface first from +.
Vec3 broadestSide(const TriMesh& mesh, const TriangleTree& tree) {
    const Box3 box = boundsOf(mesh);
    int axis = 0;
    // of equal sides the last: a cube is struck on +z
    for (int other = 1; other < 3; ++other) {
        if (box.size()[other] <= box.size()[axis] * (1 + 1e-9)) axis = other;
    }
    Vec3 origin = massProperties(mesh).centre, direction = Vec3::Zero();
    origin[axis] = box.max[axis] + box.diagonal();
    direction[axis] = -1;
    const auto hit = tree.raycast(origin, direction);
    return hit ? Vec3(origin + hit->distance * direction) : tree.closestPoint(origin).point;
}

Load pushFor(const FractureArguments& arguments, const TriMesh& mesh) {
    const TriangleTree tree(mesh);
    const Vec3 wanted = arguments.at.empty() ? broadestSide(mesh, tree) : vectorFrom(arguments.at);
    const SurfacePoint nearest = tree.closestPoint(wanted);
    Load push;
    push.point = nearest.point;
    push.normal = arguments.normal.empty() ? Vec3(-mesh.areaVector(nearest.triangle)) : vectorFrom(arguments.normal);
    if (!(push.normal.norm() > 0 && push.normal.allFinite())) {
        throw InputError("--normal",
                         "must be a direction of three finite numbers, not all zero, as in --normal 0,0,-1");
    }
    push.normal.normalize();
    push.impulse = push.normal;  // N s; the threshold is 0
    if (arguments.method == "fem") {
        push.impulse = vectorFrom(arguments.impulse);
        if (!(push.impulse.norm() > 0 && push.impulse.allFinite()))
            throw InputError("--impulse", "must be three finite numbers, not all zero, in N s, as in --impulse 0,0,-5");
        push.normal = push.impulse.normalized();
        push.approachSpeed = arguments.speed;
        if (arguments.otherMass > 0) push.otherMass = arguments.otherMass;
    }
    return push;
}

/// All meshes of a folder, by name.
std::shared_ptr<const std::vector<TriMesh>> readPattern(const std::string& folder) {
    if (!fs::is_directory(folder)) {
        throw InputError(folder, "is no folder; give one with the closed meshes of an artist pattern");
    }
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        if (entry.is_regular_file() && entry.path().extension() != ".mtl") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    auto meshes = std::make_shared<std::vector<TriMesh>>();
    for (const fs::path& file : files) meshes->push_back(readSolid(file.string()));
    return meshes;
}

std::unique_ptr<FractureMethod> prescoredFor(FractureArguments& arguments, AssetStore* assets) {
    try {
        arguments.options.pattern.kind = patternNamed(arguments.pattern);
        arguments.options.alignment = alignmentNamed(arguments.alignment);
        if (arguments.options.pattern.kind == PatternKind::Artist) {
            if (arguments.patternFiles.empty()) {
                throw InputError("--pattern artist",
                                 "needs --pattern-files DIR, a folder of closed meshes filling a box");
            }
            arguments.options.pattern.meshes = readPattern(arguments.patternFiles);
        } else if (!arguments.patternFiles.empty()) {
            throw InputError("--pattern-files",
                             "goes with --pattern artist alone; the pattern is " + arguments.pattern);
        }
        arguments.options.smallestPiece = 0;
        return std::make_unique<PrescoredMethod>(arguments.options, assets);
    } catch (const std::invalid_argument& error) {
        throw InputError("sunder fracture", error.what());
    }
}

std::string materialNames() {
    std::string names;
    for (const ReadyMaterial& ready : readyMaterials()) names += (names.empty() ? "" : ", ") + std::string(ready.name);
    return names;
}

std::unique_ptr<FractureMethod> femFor(FractureArguments& arguments) {
    const ReadyMaterial* ready = findReadyMaterial(arguments.material);
    if (ready == nullptr)
        throw InputError("--material",
                         fmt::format("there is no material '{}'; there are {}", arguments.material, materialNames()));
    if (arguments.impulse.empty())
        throw InputError("--method fem", "needs --impulse X,Y,Z, how hard it is struck, in N s");
    setMaterial(*ready, arguments.fem);
    if (arguments.strength > 0) arguments.fem.strength.tensile = arguments.strength;
    arguments.fem.maxTets = std::max(arguments.fem.tets, arguments.fem.maxTets);
    try {
        return std::make_unique<FemMethod>(arguments.fem);
    } catch (const std::invalid_argument& error) {
        throw InputError("sunder fracture", error.what());
    }
}

/// The method asked for.
std::unique_ptr<FractureMethod> chosenMethod(FractureArguments& arguments, AssetStore* assets) {
    if (arguments.method == "fem") return femFor(arguments);
    if (arguments.method == "prescored") return prescoredFor(arguments, assets);
    throw InputError("--method", fmt::format("there is no method '{}'; there are prescored, fem", arguments.method));
}

bool isFolder(const std::string& output) { return fs::path(output).extension().empty() || fs::is_directory(output); }

void checkFractureOutput(const FractureArguments& arguments) {
    if (!isFolder(arguments.output)) {
        (void)meshFormatOf(arguments.output);
        return checkOutput(arguments.output, arguments.force);
    }
    if (!fs::exists(arguments.output) || fs::is_empty(arguments.output) || arguments.force) return;
    throw InputError(arguments.output,
                     "is a folder with something in it; choose another or add --force to write into it");
}

std::vector<NamedMesh> namedPieces(const FracturePlan& plan, const Vec3& middle, double exploded) {
    std::vector<NamedMesh> pieces;
    for (const Fragment& fragment : plan.fragments) {
        NamedMesh piece{fmt::format("piece_{:03}", pieces.size()), fragment.shown ? *fragment.shown : fragment.mesh};
        const Vec3 shift = exploded * (massProperties(fragment.mesh).centre - middle);
        if (exploded != 0) {
            for (Vec3& p : piece.mesh.positions) p += shift;
        }
        pieces.push_back(std::move(piece));
    }
    return pieces;
}

void writePieces(const FractureArguments& arguments, const std::vector<NamedMesh>& pieces) {
    if (!isFolder(arguments.output)) return writeMeshes(pieces, arguments.output);
    fs::create_directories(arguments.output);
    // pieces of an earlier, finer break would look like pieces of this one
    for (size_t n = pieces.size(); fs::remove(fs::path(arguments.output) / fmt::format("piece_{:03}.obj", n)); ++n) {
    }
    for (const NamedMesh& piece : pieces) writeMesh(piece.mesh, fs::path(arguments.output) / (piece.name + ".obj"));
}

struct Summary {
    double whole = 0, sum = 0;  // m^3
    size_t open = 0;
    double seconds = 0;
    double error() const { return std::abs(sum - whole) / whole; }
};

void report(const FractureArguments& arguments, const FracturePlan& plan, const Load& push, const Summary& summary) {
    if (arguments.json) {
        Json pieces = Json::array();
        for (size_t n = 0; n < plan.fragments.size(); ++n) {
            const TriMesh& mesh = plan.fragments[n].mesh;
            pieces.push_back({{"name", fmt::format("piece_{:03}", n)},
                              {"volume", volume(mesh)},
                              {"vertices", mesh.vertexCount()},
                              {"triangles", mesh.triangleCount()},
                              {"closed", isClosedManifold(mesh)}});
        }
        return printJson({{"file", arguments.input},
                          {"output", arguments.output},
                          {"method", arguments.method},
                          {"pattern", arguments.method == "fem" ? "" : arguments.pattern},
                          {"reason", plan.reason},
                          {"seed", arguments.seed},
                          {"at", toJson(push.point)},
                          {"normal", toJson(push.normal)},
                          {"pieces", plan.fragments.size()},
                          {"volume", summary.whole},
                          {"volume_sum", summary.sum},
                          {"volume_error", summary.error()},
                          {"open_pieces", summary.open},
                          {"seconds", summary.seconds},
                          {"list", pieces}});
    }
    fmt::print("{:<12} {:>12} {:>8} {:>10}\n", "piece", "volume", "share", "triangles");
    for (size_t n = 0; n < plan.fragments.size(); ++n) {
        const TriMesh& mesh = plan.fragments[n].mesh;
        fmt::print("piece_{:03}    {:>12.5g} {:>7.2f}% {:>10}{}\n", n, volume(mesh), 100 * volume(mesh) / summary.whole,
                   mesh.triangleCount(), isClosedManifold(mesh) ? "" : "  not closed");
    }
    fmt::print(
        "{} pieces, volume {:.6g} of {:.6g} (relative error {:.1e}), {} closed, struck at ({:.4g}, {:.4g}, {:.4g}), "
        "{:.1f} ms -> {}\n",
        plan.fragments.size(), summary.sum, summary.whole, summary.error(),
        summary.open == 0 ? "all" : fmt::format("{} NOT", summary.open), push.point.x(), push.point.y(), push.point.z(),
        1e3 * summary.seconds, arguments.output);
    if (arguments.method != "fem") return;
    fmt::print("why: {}\n", plan.reason);
    if (plan.fragments.size() == 1) fmt::print("it cracked but stayed in one piece; strike it harder to break it\n");
}

void runFracture(FractureArguments& arguments) {
    checkFractureOutput(arguments);
    const std::unique_ptr<AssetFolder> assets = arguments.cache.open();
    const std::unique_ptr<FractureMethod> method = chosenMethod(arguments, assets.get());
    Solid solid;
    solid.mesh = std::make_shared<const TriMesh>(readSolid(arguments.input));
    solid.wholeVolume = solid.mass = volume(*solid.mesh);
    if (arguments.method == "fem") solid.mass *= arguments.fem.elastic.density;
    solid.seed = arguments.seed;
    const Load push = pushFor(arguments, *solid.mesh);

    const Stopwatch watch;
    FracturePlan plan = method->plan(solid, *method->prepare(solid), Loads{{push}});
    Summary summary{solid.wholeVolume, 0, 0, watch.wallSeconds()};
    if (plan.changed) plan.fragments.push_back(std::move(*plan.changed));
    if (plan.fragments.empty() && arguments.method == "fem") {
        throw InputError(arguments.input,
                         "stayed whole: nowhere is the tension more than its strength; strike it harder");
    }
    if (plan.fragments.empty()) {
        throw InputError(arguments.input,
                         "stayed in one piece: the pattern has one region in it; ask for more --pieces");
    }
    for (const Fragment& f : plan.fragments) {
        summary.sum += volume(f.mesh);
        summary.open += isClosedManifold(f.mesh) ? 0 : 1;
    }
    writePieces(arguments, namedPieces(plan, massProperties(*solid.mesh).centre, arguments.exploded));
    report(arguments, plan, push, summary);
    if (summary.open > 0) throw CLI::RuntimeError(1);
}

}  // namespace

void addFracture(CLI::App& program) {
    auto arguments = std::make_shared<FractureArguments>();
    CLI::App* command = program.add_subcommand(
        "fracture",
        "Break a closed mesh once: along a pattern centred at the impact, or where the blow strains it too much.\n\n"
        "  sunder fracture bunny.obj --pattern radial --pieces 40 --at 0,0.1,0.05 -o pieces/\n"
        "  sunder fracture pane.obj --pattern glass --pieces 80 --exploded 0.2 -o shards.glb\n"
        "  sunder fracture bull.ply --pattern realistic --cells 96 --json -o bull_pieces.obj\n"
        "  sunder fracture wall.obj --pattern artist --pattern-files cells/ -o wall_pieces.glb\n"
        "  sunder fracture vase.obj --method fem --material ceramic --at 0,0,0.1 --impulse 0,0,-3 -o vase_pieces/\n\n"
        "Patterns: uniform, radial (fine at the impact), glass (rings and spokes), brick, splinter (along the grain),\n"
        "realistic (rough walls), artist (closed meshes that fill a box).\n");
    command->add_option("mesh", arguments->input, "a clean closed mesh (obj, ply, stl, off, gltf, glb)")->required();
    command
        ->add_option(
            "-o,--output", arguments->output,
            "a folder (piece_000.obj, ...) or one file with an object per piece (obj, glb, gltf; ply: connected "
            "parts)")
        ->required();
    command
        ->add_option("--method", arguments->method,
                     "prescored (along a pattern) or fem (stress by finite elements, cracks where it is too much)")
        ->capture_default_str();
    command->add_option("--material", arguments->material, "fem: one of " + materialNames())->capture_default_str();
    command->add_option("--strength", arguments->strength, "fem: in Pa, instead of the material's")
        ->check(CLI::Range(1.0, 1e12));
    command->add_option("--impulse", arguments->impulse, "fem: X,Y,Z of the blow, N s")->delimiter(',')->expected(3);
    command->add_option("--speed", arguments->speed, "fem: with which the blow comes, m/s: sets how long it lasts")
        ->check(CLI::Range(0.01, 1e5))
        ->capture_default_str();
    command->add_option("--striker-mass", arguments->otherMass, "fem: of what strikes, kg; default: it does not yield")
        ->check(CLI::Range(1e-9, 1e12));
    command->add_option("--tets", arguments->fem.tets, "fem: about how many tets it is filled with")
        ->capture_default_str();
    command->add_option("--grains", arguments->fem.grains.count, "fem: how many grains it is made of; 0: none");
    command->add_option("--pattern", arguments->pattern, "how it is scored")->capture_default_str();
    command->add_option("--pattern-files", arguments->patternFiles, "artist: the folder with the meshes");
    command->add_option("--pieces", arguments->options.pieces, "how many pieces are wanted")->capture_default_str();
    command
        ->add_option(
            "--at", arguments->at,
            "X,Y,Z: where it is struck, moved to the nearest surface point; default: the middle of its broadest "
            "side")
        ->delimiter(',')
        ->expected(3);
    command
        ->add_option("--normal", arguments->normal,
                     "X,Y,Z: the direction of the blow; default: straight into the surface")
        ->delimiter(',')
        ->expected(3);
    command->add_option("--seed", arguments->seed, "another seed, another break")->capture_default_str();
    command->add_option("--cells", arguments->options.cells, "realistic, artist: grid cells along the longest side")
        ->capture_default_str();
    command
        ->add_option("--alignment", arguments->alignment,
                     "realistic, artist: exact (rotated to the blow) or fast (moved by whole cells)")
        ->capture_default_str();
    command
        ->add_option("--exploded", arguments->exploded,
                     "write the pieces moved apart, by this share of their distance from the centre")
        ->check(CLI::Range(0.0, 100.0));
    PatternOptions& pattern = arguments->options.pattern;
    command
        ->add_option("--concentration", pattern.concentration,
                     "radial, realistic: 0 (even) to 0.99 (fine at the impact)")
        ->capture_default_str();
    command->add_option("--stretch", pattern.stretch, "splinter: length over width, a power of two")
        ->capture_default_str();
    command->add_option("--roughness", pattern.roughness, "realistic: of the walls, 0 to 2")->capture_default_str();
    arguments->cache.addTo(*command);
    command->add_flag("--force", arguments->force, "overwrite the output");
    command->add_flag("--json", arguments->json, "one JSON object on stdout");
    command->callback([arguments] { runFracture(*arguments); });
}

}  // namespace sunder::cli
