#include "io/pov.h"

#include <algorithm>
#include <cmath>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/error.h"

extern char** environ;

namespace sunder {

namespace {

std::string text(const Vec3& v) { return fmt::format("<{:.9g},{:.9g},{:.9g}>", v.x(), v.y(), v.z()); }

std::string texture(const Look& look) {
    const std::string finish =
        fmt::format("finish{{ambient 0.12 diffuse {:.3g} specular {:.3g} roughness {:.3g} reflection{{{:.3g}}} {}}}",
                    0.78 * (1 - look.reflection), look.specular, std::max(1e-4, look.roughness), look.reflection,
                    look.transparency > 0 ? "conserve_energy" : "");
    const auto shade = [&](double factor) {
        const Vec3 c = (factor * look.colour).cwiseMin(1);
        return fmt::format("rgbt <{:.4g},{:.4g},{:.4g},{:.3g}>", c.x(), c.y(), c.z(), look.transparency);
    };
    // granite's spots are a third as large as its unit
    const std::string size = fmt::format("scale {:.4g}", 3 * look.grain);
    const std::string pigment = look.mottle > 0
                                    ? fmt::format("granite color_map{{[0 {}][0.5 {}][1 {}]}} {}",
                                                  shade(1 - look.mottle), shade(1), shade(1 + look.mottle), size)
                                    : shade(1);
    const std::string normal =
        look.bumps > 0 ? fmt::format("normal{{granite {:.3g} {}}} ", look.bumps, size) : std::string();
    return fmt::format("texture{{pigment{{{}}} {}{}}}", pigment, normal, finish);
}

/// The looks an object uses and the one each triangle has.
struct LookTable {
    std::vector<Look> looks;
    IndexedVector<TriangleIndex, size_t> ofTriangle;
};

LookTable looksOf(const PovObject& object) {
    LookTable table;
    table.looks = object.byMaterial.empty() ? std::vector<Look>{object.outside} : object.byMaterial;
    const size_t insideLook = table.looks.size();
    table.looks.push_back(object.inside);
    table.ofTriangle.reserve(object.mesh.triangleCount());
    for (const TriangleIndex t : object.mesh.triangles.indices()) {
        const size_t material = object.mesh.materials.empty() ? 0 : object.mesh.materials[t];
        const bool inside = !object.mesh.inside.empty() && object.mesh.inside[t] != 0;
        table.ofTriangle.push_back(inside ? insideLook : std::min(material, insideLook - 1));
    }
    return table;
}

/// Corner normals with equal ones at a vertex shared, as POV-Ray wants them.
struct SharedNormals {
    std::vector<Vec3> normals;
    IndexedVector<TriangleIndex, std::array<size_t, 3>> ofCorner;
};

SharedNormals shareNormals(const TriMesh& mesh) {
    SharedNormals result;
    IndexedVector<VertexIndex, std::vector<size_t>> atVertex(mesh.vertexCount());
    result.ofCorner.resize(mesh.triangleCount());
    for (const TriangleIndex t : mesh.triangles.indices()) {
        for (size_t corner = 0; corner < 3; ++corner) {
            const Vec3& normal = mesh.normals[t][corner];
            std::vector<size_t>& known = atVertex[mesh.triangles[t][corner]];
            const auto same = std::find_if(known.begin(), known.end(), [&](size_t n) {
                return (result.normals[n] - normal).squaredNorm() < 1e-10;
            });
            if (same != known.end()) {
                result.ofCorner[t][corner] = *same;
            } else {
                known.push_back(result.normals.size());
                result.ofCorner[t][corner] = result.normals.size();
                result.normals.push_back(normal);
            }
        }
    }
    return result;
}

/// As rows of images of the axes; nothing for a mesh that is already in place.
std::string placing(const RigidTransform& worldFromMesh) {
    const Mat3 m = worldFromMesh.rotation.toRotationMatrix();
    const Vec3& t = worldFromMesh.translation;
    if (m == Mat3::Identity() && t == Vec3::Zero()) return "";
    std::string s = "matrix<";
    for (int axis = 0; axis < 3; ++axis) s += fmt::format("{:.9g},{:.9g},{:.9g},", m(0, axis), m(1, axis), m(2, axis));
    return s + fmt::format("{:.9g},{:.9g},{:.9g}>\n", t.x(), t.y(), t.z());
}

void writeObject(std::ofstream& out, const PovObject& object) {
    const TriMesh& mesh = object.mesh;
    if (mesh.empty()) return;
    const LookTable looks = looksOf(object);
    std::string s = "mesh2{\n";
    auto to = std::back_inserter(s);

    fmt::format_to(to, "vertex_vectors{{{}", mesh.vertexCount());
    for (const Vec3& p : mesh.positions) s += ",\n" + text(p);
    s += "}\n";

    SharedNormals shared;
    if (!mesh.normals.empty()) {
        shared = shareNormals(mesh);
        fmt::format_to(to, "normal_vectors{{{}", shared.normals.size());
        for (const Vec3& n : shared.normals) fmt::format_to(to, ",\n<{:.5f},{:.5f},{:.5f}>", n.x(), n.y(), n.z());
        s += "}\n";
    }

    fmt::format_to(to, "texture_list{{{}", looks.looks.size());
    for (const Look& look : looks.looks) s += ",\n" + texture(look);
    s += "}\n";

    fmt::format_to(to, "face_indices{{{}", mesh.triangleCount());
    for (const TriangleIndex t : mesh.triangles.indices()) {
        const Triangle& v = mesh.triangles[t];
        fmt::format_to(to, ",\n<{},{},{}>,{}", raw(v[0]), raw(v[1]), raw(v[2]), looks.ofTriangle[t]);
    }
    s += "}\n";

    if (!mesh.normals.empty()) {
        fmt::format_to(to, "normal_indices{{{}", mesh.triangleCount());
        for (const auto& n : shared.ofCorner) fmt::format_to(to, ",\n<{},{},{}>", n[0], n[1], n[2]);
        s += "}\n";
    }
    // a solid that light passes through needs an inside direction and a refraction index
    if (object.outside.transparency > 0)
        fmt::format_to(to, "inside_vector y interior{{ior {:.3g}}}\n", object.outside.ior);
    s += placing(object.worldFromMesh) + "}\n";
    out << s;
}

Box3 boundsOf(const PovScene& scene) {
    Box3 box;
    for (const PovObject& object : scene.objects) {
        for (const Vec3& p : object.mesh.positions) box.add(object.worldFromMesh * p);
    }
    if (box.empty()) box = {Vec3::Constant(-1), Vec3::Constant(1)};
    return box;
}

void writeCamera(std::ofstream& out, const PovCamera& camera, const PictureSize& size) {
    const ViewAxes axes = axesAlong(camera.target - camera.position);
    // POV-Ray is left-handed; a mirrored right vector makes it right-handed like everything else here
    out << fmt::format("camera{{location {} right x*{:.6g}*-1 up y sky {} angle {:.4g} look_at {}}}\n",
                       text(camera.position), double(size.width) / size.height, text(axes.up), camera.fieldOfView,
                       text(camera.target));
}

/// A soft key light and a weak fill without shadow. Without a direction they are placed by what there is to see; with
/// one by the camera, so that frames of one film are lit alike.
void writeLights(std::ofstream& out, const PovScene& scene, const PovCamera& camera) {
    const Box3 box = boundsOf(scene);
    const ViewAxes axes = axesAlong(camera.target - camera.position);
    const Vec3 middle = scene.light ? camera.target : box.centre();
    const double reach = std::max(scene.light ? (camera.target - camera.position).norm() : box.diagonal(), 1e-12);
    const Vec3 towardsKey = scene.light ? Vec3(3.4 * scene.light->normalized())
                                        : Vec3(-1.6 * axes.right + 2.6 * Vec3(0, 1, 0) - 1.5 * axes.forward);
    const double side = towardsKey.dot(axes.right) > 0 ? -2.2 : 2.2;  // the fill comes from the other one
    const Vec3 key = middle + reach * towardsKey;
    const Vec3 fill = middle + reach * (side * axes.right + 0.8 * Vec3(0, 1, 0) - 1.8 * axes.forward);
    out << fmt::format("light_source{{{} rgb 0.95 area_light {} {} 7 7 adaptive 1 jitter circular orient}}\n",
                       text(key), text(0.8 * reach * Vec3(1, 0, 0)), text(0.8 * reach * Vec3(0, 0, 1)));
    out << fmt::format("light_source{{{} rgb 0.35 shadowless}}\n", text(fill));
}

void writePlanes(std::ofstream& out, const PovScene& scene, const PovCamera& camera) {
    for (const PovPlane& plane : scene.planes) {
        if (plane.normal.dot(camera.position - plane.point) <= 0) continue;  // from below it would hide everything
        out << fmt::format("plane{{{},{:.9g} {}}}\n", text(plane.normal), plane.normal.dot(plane.point),
                           texture(plane.look));
    }
    // far away a floor goes over into the background
    if (!scene.planes.empty())
        out << fmt::format("fog{{distance {:.6g} rgb {}}}\n", 14 * (camera.target - camera.position).norm(),
                           text(scene.background));

    const Box3 box = boundsOf(scene);
    const double groundHeight = box.min.y() - 1e-4 * std::max(box.diagonal(), 1e-12);
    if (scene.ground && camera.position.y() > groundHeight) {
        out << fmt::format("plane{{y,{:.9g} texture{{pigment{{rgb {}}} finish{{ambient 0.2 diffuse 0.75}}}}}}\n",
                           groundHeight, text(0.8 * scene.background));
    }
}

/// Runs POV-Ray and returns its exit code; its output goes to `log`.
int runPovray(const std::vector<std::string>& arguments, const std::filesystem::path& log) {
    std::vector<char*> argv;
    argv.reserve(arguments.size() + 1);
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);

    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
    pid_t child = 0;
    const int failed = posix_spawnp(&child, argv[0], &files, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    if (failed != 0) return 127;
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/// The line of POV-Ray's log that tells what went wrong.
std::string complaintIn(const std::filesystem::path& log) {
    std::ifstream in(log);
    std::string line, complaint = "no reason given";
    while (std::getline(in, line)) {
        if (line.find("rror") != std::string::npos) complaint = line;
    }
    return complaint;
}

}  // namespace

Look pieceLook(size_t number) {
    // golden-angle steps around a muted colour circle: neighbours in number are far apart in hue
    const double hue = std::fmod(0.08 + 0.61803398875 * static_cast<double>(number), 1.0);
    const auto channel = [&](double shift) {
        const double x = std::abs(std::fmod(hue + shift, 1.0) * 6 - 3) - 1;
        return 0.25 + 0.5 * std::clamp(x, 0.0, 1.0);
    };
    return {{channel(0), channel(2.0 / 3), channel(1.0 / 3)}, 0.1, 0.05, 0, 0, 1};
}

ViewAxes axesAlong(const Vec3& direction) {
    const Vec3 forward = direction.normalized();
    const Vec3 worldUp = std::abs(forward.y()) < 0.999 ? Vec3(0, 1, 0) : Vec3(0, 0, -1);
    const Vec3 right = forward.cross(worldUp).normalized();
    return {right, right.cross(forward), forward};
}

PovCamera framedCamera(const PovScene& scene, const PictureSize& size) {
    PovCamera camera;
    const ViewAxes axes = axesAlong(scene.viewDirection);
    const double tanX = std::tan(camera.fieldOfView * M_PI / 360), tanY = tanX * size.height / size.width;

    // For every point: how far back must the eye be, along the view, to see it? The tightest pair on each picture axis
    // also says how to shift the eye sideways.
    const Vec3 pivot = boundsOf(scene).centre();
    double rightMost = -INFINITY, leftMost = -INFINITY, topMost = -INFINITY, bottomMost = -INFINITY;
    for (const PovObject& object : scene.objects) {
        for (const Vec3& p : object.mesh.positions) {
            const Vec3 d = object.worldFromMesh * p - pivot;
            const double x = d.dot(axes.right), y = d.dot(axes.up), z = d.dot(axes.forward);
            rightMost = std::max(rightMost, x / tanX - z);
            leftMost = std::max(leftMost, -x / tanX - z);
            topMost = std::max(topMost, y / tanY - z);
            bottomMost = std::max(bottomMost, -y / tanY - z);
        }
    }
    if (!std::isfinite(rightMost)) rightMost = leftMost = topMost = bottomMost = 1;
    const double back = 1.06 * std::max(0.5 * (rightMost + leftMost), 0.5 * (topMost + bottomMost));
    const double shiftX = 0.5 * (rightMost - leftMost) * tanX, shiftY = 0.5 * (topMost - bottomMost) * tanY;
    camera.target = pivot + shiftX * axes.right + shiftY * axes.up;
    camera.position = camera.target - std::max(back, 1e-12) * axes.forward;
    return camera;
}

void writePov(const PovScene& scene, const std::filesystem::path& path, const PictureSize& size) {
    const PovCamera camera = scene.camera.value_or(framedCamera(scene, size));
    std::ofstream out(path);
    // light that has lost 95 % is dropped: between pieces of glass it would split for ever
    out << "#version 3.7;\nglobal_settings{assumed_gamma 1.0 max_trace_level 12 adc_bailout 0.05}\n";
    out << "background{rgb " << text(scene.background) << "}\n";
    if (scene.zenith)
        out << fmt::format("sky_sphere{{pigment{{gradient y color_map{{[0 rgb {}][0.6 rgb {}]}}}}}}\n",
                           text(scene.background), text(*scene.zenith));
    writeCamera(out, camera, size);
    writeLights(out, scene, camera);
    writePlanes(out, scene, camera);
    for (const PovObject& object : scene.objects) writeObject(out, object);
    out.close();
    if (!out) throw InputError(path.string(), "cannot write the POV-Ray scene; is the folder there and writable?");
}

void renderPicture(const PovScene& scene, const std::filesystem::path& png, const PictureSize& size) {
    std::filesystem::path pov = png, log = png;
    pov += ".pov";
    log += ".log";
    writePov(scene, pov, size);
    const int code = runPovray({"povray", "+I" + pov.string(), "+O" + png.string(), fmt::format("+W{}", size.width),
                                fmt::format("+H{}", size.height), "+A0.1", "+AM2", "+R3", "-D", "+FN8"},
                               log);
    const std::string complaint = code == 0 ? "" : complaintIn(log);
    std::filesystem::remove(pov);
    std::filesystem::remove(log);
    if (code == 127) throw InputError(png.string(), "POV-Ray is not installed; get it with: apt-get install povray");
    if (code != 0) throw InputError(png.string(), "POV-Ray failed: " + complaint);
}

}  // namespace sunder
