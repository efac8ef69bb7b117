#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

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
#include "io/files/replaceable.h"
#include "io/mesh/mesh_io.h"
#include "material/catalogue.h"
#include "schema/json_text.h"

namespace sunder::cli {

namespace {

namespace fs = std::filesystem;
using namespace sunder::fracture;

struct FractureArguments {
    std::string input;
    std::string output;
    MethodFlags method;
    std::string material;
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

/// Straight into the surface, of 1 N s, unless the method asks how hard.
Load pushFor(const FractureArguments& arguments, const TriMesh& mesh) {
    // any place will do: it is moved to the nearest point of the surface
    const TriangleTree tree(mesh);
    const Vec3 wanted = arguments.at.empty() ? broadestSide(mesh, tree) : vectorFrom(arguments.at);
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

/// `exploded`: how far pieces go from `middle`, as a share of their distance from it.
std::vector<NamedMesh> namedPieces(const FracturePlan& plan, const Vec3& middle, double exploded) {
    std::vector<NamedMesh> pieces;
    for (const Fragment& fragment : plan.fragments) {
        NamedMesh piece{fmt::format("piece_{:03}", pieces.size()), fragment.shown ? *fragment.shown : fragment.mesh()};
        const Vec3 shift = exploded * (fragment.geometry->mass().centre - middle);
        if (exploded != 0) {
            for (Vec3& p : piece.mesh.positions) p += shift;
        }
        pieces.push_back(std::move(piece));
    }
    return pieces;
}

/// Surfaces that have no materials of their own are called after what they are made of: files then look like it.
void nameMaterial(const FractureArguments& arguments, TriMesh& mesh) {
    if (arguments.material.empty() || !mesh.materials.empty()) return;
    mesh.materialNames = {arguments.material};
    mesh.materials.assign(mesh.triangleCount(), 0);
}

/// One file for all, or a folder with one for each.
void writePieces(const FractureArguments& arguments, const std::vector<NamedMesh>& pieces) {
    if (!isFolder(arguments.output)) return writeMeshes(pieces, arguments.output);
    // all of them or none; an earlier break goes as a whole, or its pieces would look like pieces of this one
    OutputFolder folder(folderOf(arguments), arguments.force);
    for (const NamedMesh& piece : pieces) writeMesh(piece.mesh, folder.path() / (piece.name + ".obj"));
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
            const Load& push, const Summary& summary) {
    // for programs: everything, and each piece
    if (arguments.json) {
        const Json chosen = schema::jsonOf(settings.text());
        Json pieces = Json::array();
        for (size_t n = 0; n < plan.fragments.size(); ++n) {
            const TriMesh& mesh = plan.fragments[n].mesh();
            pieces.push_back({{"name", fmt::format("piece_{:03}", n)},
                              {"volume", volume(mesh)},
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
    print("{:<12} {:>12} {:>8} {:>10}\n", "piece", "volume", "share", "triangles");
    for (size_t n = 0; n < plan.fragments.size(); ++n) {
        const TriMesh& mesh = plan.fragments[n].mesh();
        print("piece_{:03}    {:>12.5g} {:>7.2f}% {:>10}{}\n", n, volume(mesh), 100 * volume(mesh) / summary.whole,
              mesh.triangleCount(), isClosedManifold(mesh) ? "" : "  not closed");
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

/// Ends with code 1 when a piece is not closed; the pieces are written all the same.
/// Without an impulse nobody asks whether it breaks, only into what.
FracturePlan planFor(const FractureArguments& arguments, const fracture::FractureMethod& method, const Solid& solid,
                     const Loads& loads, const Context& context) {
    if (!arguments.impulse.empty()) return planOnce(method, solid, loads, context);
    const CancelScope scope(context.progress);
    return method.prepare(solid, context)->plan(loads, context);
}

void runFracture(FractureArguments& arguments) {
    checkFractureOutput(arguments);
    const MethodSettings settings = arguments.method.settings();
    const MaterialEntry* material = chosenMaterial(arguments);
    const MethodPtr method = chosenMethod(arguments, settings, material);

    // the body, and the blow
    Solid solid;
    solid.geometry = makeSolid(readSolid(arguments.input));
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
    const FracturePlan plan = planFor(arguments, *method, solid, Loads{{push}}, {&progress, assets.get()});
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
    std::vector<NamedMesh> pieces = namedPieces(plan, solid.geometry->mass().centre, arguments.exploded);
    for (NamedMesh& piece : pieces) nameMaterial(arguments, piece.mesh);
    writePieces(arguments, pieces);
    report(arguments, settings, plan, push, summary);
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
            "a folder (piece_000.obj, ...) or one file with an object per piece (obj, glb, gltf; ply: connected "
            "parts)")
        ->required();
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
        ->add_option("--exploded", arguments->exploded,
                     "write the pieces moved apart, by this share of their distance from the centre")
        ->check(within(0, 100));
    arguments->cache.addTo(*command);
    command->add_flag("--force", arguments->force, "overwrite the output");
    command->add_flag("--json", arguments->json, "one JSON object on stdout");
    command->callback([arguments] { runFracture(*arguments); });
}

}  // namespace sunder::cli
