#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/error.h"
#include "base/stopwatch.h"
#include "base/suggest.h"
#include "cli/asset_cache.h"
#include "cli/commands.h"
#include "cli/method_flags.h"
#include "cli/output.h"
#include "cli/ranges.h"
#include "geometry/mesh/topology.h"
#include "geometry/tree/triangle_tree.h"
#include "io/exports/output_folder.h"
#include "io/exports/ready_pieces.h"
#include "io/files/replaceable.h"
#include "io/mesh/mesh_io.h"
#include "material/catalogue.h"
#include "scene/geometry.h"
#include "schema/json_text.h"

namespace sunder::cli {

namespace {

namespace fs = std::filesystem;
using namespace sunder::fracture;

const std::map<std::string, scene::LengthUnit> kUnits{{"m", scene::LengthUnit::Metre},
                                                      {"cm", scene::LengthUnit::Centimetre},
                                                      {"mm", scene::LengthUnit::Millimetre},
                                                      {"in", scene::LengthUnit::Inch},
                                                      {"ft", scene::LengthUnit::Foot}};
const std::map<std::string, scene::UpAxis> kUpAxes{
    {"x", scene::UpAxis::X}, {"y", scene::UpAxis::Y}, {"z", scene::UpAxis::Z}};
const std::map<std::string, Pivot> kPivots{{"mass", Pivot::Mass}, {"base", Pivot::Base}, {"body", Pivot::Body}};
const std::map<std::string, MeshFormat> kPieceFormats{
    {"obj", MeshFormat::Obj}, {"ply", MeshFormat::Ply}, {"stl", MeshFormat::Stl}, {"glb", MeshFormat::Glb}};

/// An option whose value is one of some words.
template <class Value, class Target>
CLI::Option* addWord(CLI::App& command, const char* name, Target& target, const std::map<std::string, Value>& words,
                     const char* help) {
    std::string allowed;
    for (const auto& [word, value] : words) allowed += (allowed.empty() ? "" : ", ") + word;
    const auto read = [&target, words, allowed, name](const std::string& text) {
        const auto found = words.find(text);
        if (found == words.end()) throw CLI::ValidationError(name, "'" + text + "' is not one of " + allowed);
        target = found->second;
    };
    return command.add_option_function<std::string>(name, read, help)->type_name("WORD");
}

/// The word that stands for a value.
template <class Value>
std::string wordOf(const Value& value, const std::map<std::string, Value>& words) {
    for (const auto& [word, one] : words) {
        if (one == value) return word;
    }
    return "";
}

struct FractureArguments {
    std::string input;
    std::string output;
    MethodFlags method;
    std::string material;
    std::vector<double> impulse;
    double speed = 10, otherMass = 0;
    std::vector<double> at, normal;
    uint64_t seed = 1;
    scene::LengthUnit unit = scene::LengthUnit::Metre;
    scene::UpAxis up = scene::UpAxis::Y;
    std::optional<Pivot> pivot;          // without: by the format
    std::optional<MeshFormat> piecesAs;  // without: obj
    ReadyOptions ready;
    bool force = false;
    bool json = false;
    AssetCacheArguments cache;
};

/// What people break is between a grain and a house.
constexpr double kSmallest = 1e-3, kLargest = 20;  // m

/// A file says nothing of its unit; a bunny of 150 m is most likely one of 150 mm.
void warnOfUnit(const FractureArguments& arguments, const TriMesh& mesh) {
    const double size = boundsOf(mesh).size().maxCoeff();
    if (size >= kSmallest && size <= kLargest) return;
    print(
        stderr,
        "warning: {} is {:.3g} m across, as --unit {} says; if its numbers are of another unit, give that: m, cm, mm, "
        "in or ft\n",
        arguments.input, size, wordOf(arguments.unit, kUnits));
}

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

/// Straight into the surface, of 1 N s, unless the method asks how hard.
Load pushFor(const FractureArguments& arguments, const TriMesh& mesh) {
    constexpr double kFarthest = 1e6;  // times the size of the body
    // any place will do: it is moved to the nearest point of the surface
    const TriangleTree tree(mesh);
    const Vec3 wanted = arguments.at.empty() ? broadestSide(mesh, tree) : vectorFrom(arguments.at);
    const Box3 box = boundsOf(mesh);
    if (!wanted.allFinite() || !((wanted - box.centre()).cwiseAbs().maxCoeff() <= kFarthest * box.diagonal()))
        throw InputError("--at", "must be three finite numbers, a place at the body or near it, as in --at 0,0.1,0.05");
    const SurfacePoint nearest = tree.closestPoint(wanted);
    Load push;
    push.point = nearest.point;
    push.normal = arguments.normal.empty() ? Vec3(-mesh.areaVector(nearest.triangle)) : vectorFrom(arguments.normal);
    // a direction, whatever its length
    if (!(push.normal.norm() > 0 && push.normal.allFinite())) {
        throw InputError("--normal",
                         "must be a direction of three finite numbers, not all zero, as in --normal 0,0,-1");
    }
    push.normal.normalize();
    push.impulse = push.normal;
    // a pattern may be asked only where; a method of stress must be told how hard, too
    if (arguments.impulse.empty()) return push;
    push.impulse = vectorFrom(arguments.impulse);
    if (!(push.impulse.norm() > 0 && push.impulse.allFinite()))
        throw InputError("--impulse", "must be three finite numbers, not all zero, in N s, as in --impulse 0,0,-5");
    if (arguments.normal.empty()) push.normal = push.impulse.normalized();
    push.approachSpeed = arguments.speed;
    if (arguments.otherMass > 0) push.otherMass = arguments.otherMass;
    return push;
}

/// Files that settings name.
struct ReadSolids : MethodFiles {
    TriMesh solid(const std::string& file, const std::string& /*pointer*/) override { return readSolid(file); }
};

/// Null: none is named.
const MaterialEntry* chosenMaterial(const FractureArguments& arguments) {
    if (arguments.material.empty()) return nullptr;
    const MaterialEntry* material = findMaterial(arguments.material);
    if (material == nullptr)
        throw InputError("--material",
                         fmt::format("there is no material '{}'{}; sunder materials lists them", arguments.material,
                                     suggestion(arguments.material, materialNames())));
    return material;
}

/// The method asked for, ready to be asked.
MethodPtr chosenMethod(const FractureArguments& arguments, const MethodSettings& settings,
                       const MaterialEntry* material) {
    if (settings.entry().traits.needsBlow && arguments.impulse.empty())
        throw InputError("--method " + settings.entry().name(), "needs --impulse X,Y,Z, how hard it is struck, in N s");
    ReadSolids files;
    try {
        return settings.make({files, material != nullptr ? &material->solid : nullptr});
    } catch (const std::invalid_argument& error) {
        throw InputError("sunder fracture", error.what());
    }
}

bool isFolder(const std::string& output) { return fs::path(output).extension().empty() || fs::is_directory(output); }

/// The folder for the pieces, "pieces" also when it was given as "pieces/".
fs::path folderOf(const FractureArguments& arguments) {
    const fs::path path = arguments.output;
    return path.has_filename() ? path : path.parent_path();
}

/// A file must not be there; a folder may be, when it is empty.
void checkFractureOutput(const FractureArguments& arguments) {
    if (!isFolder(arguments.output)) {
        (void)meshFormatOf(arguments.output);
        return checkOutput(arguments.output, arguments.force);
    }
    checkReplaceableFolder(folderOf(arguments), arguments.force ? Overwrite::Yes : Overwrite::No);
}

/// What the user asked for, and what the format can say.
ReadyOptions readyOptions(const FractureArguments& arguments) {
    ReadyOptions options = arguments.ready;
    options.source = fs::path(arguments.input).stem().string();
    options.material = arguments.material;
    const bool folder = isFolder(arguments.output);
    const MeshFormat format = folder ? arguments.piecesAs.value_or(MeshFormat::Obj) : meshFormatOf(arguments.output);
    const bool hasPlaces = format == MeshFormat::Glb || format == MeshFormat::Gltf;
    const bool hasObjects = hasPlaces || format == MeshFormat::Obj;
    if (options.hulls && !hasObjects)
        throw InputError("--hulls", fmt::format("is not for .{}, in which a hull cannot be told from its piece; write "
                                                ".obj or .glb",
                                                nameOf(format)));
    if (!folder && arguments.piecesAs)
        throw InputError("--pieces-as", "is for a folder; the ending of one file says its format");
    if (!hasPlaces && !folder && arguments.pivot.value_or(Pivot::Body) != Pivot::Body)
        throw InputError("--pivot", fmt::format("is not for one .{} file, which knows no places of objects; write a "
                                                ".glb, or a folder",
                                                nameOf(format)));
    options.pivot = arguments.pivot.value_or(hasPlaces ? Pivot::Mass : Pivot::Body);
    return options;
}

/// One file for all, or a folder with one for each.
void write(const FractureArguments& arguments, const std::vector<ReadyPiece>& pieces) {
    if (!isFolder(arguments.output)) return writePieces(pieces, arguments.output);
    // all of them or none; an earlier break goes as a whole, or its pieces would look like pieces of this one
    OutputFolder folder(folderOf(arguments), arguments.force);
    writePieceFolder(pieces, folder.path(), arguments.piecesAs.value_or(MeshFormat::Obj));
    folder.commit();
}

/// Whether what was broken is still all there.
struct Summary {
    double whole = 0, sum = 0;  // m^3
    size_t open = 0;
    double seconds = 0;
    double error() const { return std::abs(sum - whole) / whole; }
};

/// To stdout, for programs or for people.
void report(const FractureArguments& arguments, const MethodSettings& settings, const FracturePlan& plan,
            const std::vector<ReadyPiece>& ready, const Load& push, const Summary& summary) {
    ASSERT(ready.size() == plan.fragments.size());
    // for programs: everything, and each piece
    if (arguments.json) {
        const Json chosen = schema::jsonOf(settings.text());
        Json pieces = Json::array();
        for (size_t n = 0; n < plan.fragments.size(); ++n) {
            const TriMesh& mesh = plan.fragments[n].mesh();
            pieces.push_back({{"name", ready[n].surface.name},
                              {"volume", ready[n].volume},
                              {"mass", ready[n].mass},
                              {"centre", toJson(ready[n].centre)},
                              {"vertices", mesh.vertexCount()},
                              {"triangles", mesh.triangleCount()},
                              {"closed", isClosedManifold(mesh)}});
        }
        return printJson({{"file", arguments.input},
                          {"output", arguments.output},
                          {"method", settings.entry().name()},
                          {"pattern", chosen.value("pattern", "")},
                          {"material", arguments.material.empty() ? Json(nullptr) : Json(arguments.material)},
                          {"settings", chosen},
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
    // for people: a table, and whether what was broken is still all there
    const size_t width = std::max<size_t>(12, ready.back().surface.name.size());
    print("{:<{}} {:>12} {:>8} {:>10}\n", "piece", width, "volume", "share", "triangles");
    for (size_t n = 0; n < plan.fragments.size(); ++n) {
        const TriMesh& mesh = plan.fragments[n].mesh();
        print("{:<{}} {:>12.5g} {:>7.2f}% {:>10}{}\n", ready[n].surface.name, width, ready[n].volume,
              100 * ready[n].volume / summary.whole, ready[n].surface.mesh.triangleCount(),
              isClosedManifold(mesh) ? "" : "  not closed");
    }
    print(
        "{} pieces, volume {:.6g} of {:.6g} (relative error {:.1e}), {} closed, struck at ({:.4g}, {:.4g}, {:.4g}), "
        "{:.1f} ms -> {}\n",
        plan.fragments.size(), summary.sum, summary.whole, summary.error(),
        summary.open == 0 ? "all" : fmt::format("{} NOT", summary.open), push.point.x(), push.point.y(), push.point.z(),
        1e3 * summary.seconds, arguments.output);
    if (!settings.entry().traits.needsBlow) return;
    print("why: {}\n", plan.reason);
    if (plan.fragments.size() == 1) print("it cracked but stayed in one piece; strike it harder to break it\n");
}

/// Without an impulse nobody asks whether it breaks, only into what.
FracturePlan planFor(const FractureArguments& arguments, const fracture::FractureMethod& method, const Solid& solid,
                     const Loads& loads, const Context& context) {
    if (!arguments.impulse.empty()) return planOnce(method, solid, loads, context);
    const CancelScope scope(context.progress);
    return method.prepare(solid, context)->plan(loads, context);
}

/// How many pieces are asked for; none: the method, or its pattern, decides.
std::optional<size_t> piecesWanted(const MethodSettings& settings) {
    const Json chosen = schema::jsonOf(settings.text());
    const auto count = chosen.find("pieces");
    const bool decides = count != chosen.end() && count->is_number_integer() && chosen.value("pattern", "") != "artist";
    return decides ? std::optional(count->get<size_t>()) : std::nullopt;
}

/// Regions of a pattern fall apart where a body is hollow, and others miss it: asks for fewer or more of them until
/// about as many pieces come as were wanted, and says so where they do not.
FracturePlan planOfSoMany(const FractureArguments& arguments, const MethodSettings& settings,
                          const MaterialEntry* material, const Solid& solid, const Loads& loads,
                          const Context& context) {
    constexpr double kAccepted = 0.1;  // of the number that was asked for
    constexpr int kTries = 8;
    const auto planWith = [&](const MethodSettings& chosen) {
        return planFor(arguments, *chosenMethod(arguments, chosen, material), solid, loads, context);
    };
    FracturePlan best = planWith(settings);
    const std::optional<size_t> wanted = piecesWanted(settings);
    if (!wanted || best.fragments.size() < 2) return best;
    const auto off = [&](size_t count) {
        return std::abs(static_cast<double>(count) - static_cast<double>(*wanted)) / static_cast<double>(*wanted);
    };
    // by proportion from the last try; the nearest so far is kept
    double asked = static_cast<double>(*wanted);
    size_t got = best.fragments.size();
    for (int i = 1; i < kTries && off(best.fragments.size()) > kAccepted; ++i) {
        asked = std::clamp(std::round(asked * static_cast<double>(*wanted) / static_cast<double>(got)), 2.0, 1e5);
        FracturePlan plan = planWith(arguments.method.settings({{"pieces", static_cast<size_t>(asked)}}));
        got = std::max<size_t>(1, plan.fragments.size());
        if (plan.fragments.size() > 1 && off(got) < off(best.fragments.size())) best = std::move(plan);
    }
    if (off(best.fragments.size()) > kAccepted)
        print(stderr,
              "{} pieces were asked for and {} are the nearest that this pattern makes of this body; another seed or "
              "pattern may come nearer\n",
              *wanted, best.fragments.size());
    return best;
}

/// Ends with code 1 when a piece is not closed; the pieces are written all the same.
void runFracture(FractureArguments& arguments) {
    checkFractureOutput(arguments);
    const ReadyOptions ready = readyOptions(arguments);
    const MethodSettings settings = arguments.method.settings();
    const MaterialEntry* material = chosenMaterial(arguments);
    const MethodPtr method = chosenMethod(arguments, settings, material);

    // the body, and the blow
    TriMesh mesh = readSolid(arguments.input);
    scene::place(mesh, arguments.up, Vec3::Constant(scene::metres(arguments.unit)));
    warnOfUnit(arguments, mesh);
    Solid solid;
    solid.geometry = makeSolid(std::move(mesh));
    solid.wholeVolume = solid.volume();
    const double density = material != nullptr ? material->solid.elastic.density
                                               : method->density().value_or(usualMaterial().solid.elastic.density);
    solid.mass = solid.wholeVolume * density;
    solid.seed = arguments.seed;
    const Load push = pushFor(arguments, solid.mesh());

    // what the method says of it; Ctrl-C stops it, and nothing is written then
    const std::unique_ptr<AssetFolder> assets = arguments.cache.open();
    Progress& progress = terminalProgress();
    progress.start("fracture " + fs::path(arguments.input).filename().string(), 0);
    const Stopwatch watch;
    const FracturePlan plan =
        planOfSoMany(arguments, settings, material, solid, Loads{{push}}, {&progress, assets.get()});
    Summary summary{solid.wholeVolume, 0, 0, watch.wallSeconds()};
    progress.finish();
    // one piece is no break, and nothing is written
    if (plan.fragments.empty())
        throw InputError(arguments.input, "stayed whole" + (plan.reason.empty() ? "" : ": " + plan.reason));
    // pieces must be closed and add up to the whole
    for (const Fragment& f : plan.fragments) {
        summary.sum += f.geometry->volume();
        summary.open += isClosedManifold(f.mesh()) ? 0 : 1;
    }
    const std::vector<ReadyPiece> pieces = readyPieces(plan, solid.geometry->mass().centre, ready);
    write(arguments, pieces);
    size_t triangles = 0;
    for (const ReadyPiece& piece : pieces) triangles += piece.surface.mesh.triangleCount();
    if (ready.maxTriangles && triangles > *ready.maxTriangles)
        print(stderr,
              "the pieces have {} triangles, more than the {} of --max-triangles: fewer would not hold their form\n",
              triangles, *ready.maxTriangles);
    report(arguments, settings, plan, pieces, push, summary);
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
        "Methods and their settings: sunder methods. Every setting is a flag too: --smallest-piece is "
        "smallest_piece.\n");
    // what breaks, and where its pieces go
    command->add_option("mesh", arguments->input, "a clean closed mesh (obj, ply, stl, off, gltf, glb)")->required();
    command
        ->add_option(
            "-o,--output", arguments->output,
            "a folder (NAME_p00.obj, ..., pieces.csv and pieces.json) or one file with an object per piece (obj, glb, "
            "gltf; ply: connected parts)")
        ->required();
    addWord(*command, "--unit", arguments->unit, kUnits, "of the file's numbers: m, cm, mm, in, ft; pieces are in m")
        ->default_str("m");
    addWord(*command, "--up", arguments->up, kUpAxes, "the axis that is up in the file: x, y, z; pieces have y up")
        ->default_str("y");
    // how it breaks, and what strikes it
    arguments->method.addTo(*command, {"material"});
    command->add_option("--material", arguments->material,
                        "what it is made of: density, and constants for methods that ask for them (sunder materials "
                        "lists them)");
    command
        ->add_option("--impulse", arguments->impulse, "X,Y,Z of the blow, N s; methods that solve for stress need it")
        ->delimiter(',')
        ->expected(3);
    command->add_option("--speed", arguments->speed, "with which the blow comes, m/s: sets how long it lasts")
        ->check(within(0.01, 1e5))
        ->capture_default_str();
    command->add_option("--striker-mass", arguments->otherMass, "of what strikes, kg; default: it cannot be moved")
        ->check(within(1e-9, 1e12));
    // where it is struck
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
    // what else changes the outcome or how it is shown
    command->add_option("--seed", arguments->seed, "another seed, another break")
        ->check(wholeWithin(0, kLargestWhole))
        ->capture_default_str();
    command
        ->add_option("--exploded", arguments->ready.exploded,
                     "write the pieces moved apart, by this share of their distance from the centre")
        ->check(within(0, 100));
    // how pieces are handed over
    addWord(*command, "--pivot", arguments->pivot, kPivots,
            "the origin of each piece: mass (its centre of mass), base (the middle of its bottom) or body (that of the "
            "whole); default: mass in gltf and glb, which know places, else body");
    command->add_flag("--hulls", arguments->ready.hulls,
                      "with a convex hull for each piece, UCX_NAME_p00, of at most 32 corners, as Unreal wants it");
    command
        ->add_option("--max-triangles", arguments->ready.maxTriangles,
                     "of all pieces together: surfaces are thinned as far as their form allows")
        ->check(wholeWithin(100, kLargestWhole));
    addWord(*command, "--pieces-as", arguments->piecesAs, kPieceFormats,
            "format of the pieces in a folder: obj, ply, stl, glb; default: obj");
    arguments->cache.addTo(*command);
    command->add_flag("--force", arguments->force, "overwrite the output");
    command->add_flag("--json", arguments->json, "one JSON object on stdout");
    command->callback([arguments] { runFracture(*arguments); });
}

}  // namespace sunder::cli
