#include "bench/peers/blender_fracture.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace sunder::bench {

namespace {

/// Sites are the vertices of a child object; no margin, no noise, so that cells are those of the sites.
constexpr const char* kScript = R"PY(
try:
    import numpy as np; np.bool = bool
except Exception:
    pass
import time
import addon_utils, bmesh, bpy

bpy.ops.object.select_all(action='SELECT')
bpy.ops.object.delete()
bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=5, radius=1)
ball = bpy.context.object
cloud = bpy.data.meshes.new('sites')
cloud.from_pydata(SITES, [], [])
child = bpy.data.objects.new('sites', cloud)
bpy.context.collection.objects.link(child)
child.parent = ball

def measure(mesh):
    b = bmesh.new()
    b.from_mesh(mesh)
    closed = all(len(e.link_faces) == 2 for e in b.edges)
    volume = b.calc_volume(signed=True)
    b.free()
    return volume, closed

whole, _ = measure(ball.data)
addon_utils.enable('object_fracture_cell')
before = set(bpy.data.objects)
start = time.process_time()
bpy.ops.object.add_fracture_cell_objects(source={'VERT_CHILD'}, source_limit=0, source_noise=0, margin=0,
                                         use_smooth_faces=False, use_sharp_edges=False, use_recenter=False)
seconds = time.process_time() - start
pieces = [o for o in bpy.data.objects if o not in before and o.type == 'MESH']
measured = [measure(o.data) for o in pieces]
total = sum(v for v, _ in measured)
print('SUNDER', seconds, len(pieces), sum(not c for _, c in measured), abs(total / whole - 1))
)PY";

std::string sitesAsPython(std::span<const Vec3> sites) {
    std::string text = "SITES = [";
    for (const Vec3& p : sites) {
        char row[128];
        std::snprintf(row, sizeof row, "(%.17g, %.17g, %.17g),\n", p.x(), p.y(), p.z());
        text += row;
    }
    return text + "]\n";
}

}  // namespace

std::optional<BlenderFracture> blenderCellFracture(std::span<const Vec3> sites) {
    if (std::system("command -v blender >/dev/null 2>&1") != 0) return {};
    const auto script =
        std::filesystem::temp_directory_path() / ("sunder_cell_fracture_" + std::to_string(::getpid()) + ".py");
    std::ofstream(script) << sitesAsPython(sites) << kScript;
    const std::string command = "blender -b --factory-startup --python '" + script.string() + "' 2>/dev/null";
    std::optional<BlenderFracture> result;
    if (FILE* output = ::popen(command.c_str(), "r")) {
        std::array<char, 1024> line{};
        while (std::fgets(line.data(), line.size(), output) != nullptr) {
            BlenderFracture found;
            const int read = std::sscanf(line.data(), "SUNDER %lf %zu %zu %lf", &found.cpuSeconds, &found.pieces,
                                         &found.openPieces, &found.volumeError);
            if (read == 4) result = found;
        }
        ::pclose(output);
    }
    std::filesystem::remove(script);
    return result;
}

}  // namespace sunder::bench
