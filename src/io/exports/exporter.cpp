#include "io/exports/exporter.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/error.h"
#include "io/exports/gltf_animation.h"
#include "io/exports/pieces.h"
#include "io/exports/pov_export.h"
#include "io/exports/replay.h"
#include "io/exports/usd.h"
#include "io/exports/vtk.h"

namespace sunder {

std::span<const Exporter> exporters() {
    static const std::array all{
        Exporter{".html", "a replay: one file that any browser opens from disk", writeReplay, "--without-stress"},
        Exporter{".glb", "glTF: Blender, Unreal, Unity, browsers", exportGlb, "--tolerance --blender-script"},
        Exporter{".usda", "USD as text: Houdini, Unreal, Maya", exportUsd, "--tolerance"},
        Exporter{".pvd", "VTK: ParaView; one .vtu per frame in a folder beside", exportVtk, "--every"},
        Exporter{".pov", "POV-Ray; meshes and frames in a folder beside", exportPov},
        Exporter{"", "each piece as OBJ or PLY, tables (CSV, JSON) of bodies, transforms, impacts", exportPieces,
                 "--pieces-as"},
    };
    return all;
}

const Exporter& exporterFor(const std::filesystem::path& output) {
    const std::string extension = output.extension().string();
    const auto found =
        std::ranges::find_if(exporters(), [&](const Exporter& exporter) { return extension == exporter.extension; });
    if (found != exporters().end()) return *found;
    std::string allowed;
    for (const Exporter& exporter : exporters())
        allowed +=
            fmt::format("{}{}", allowed.empty() ? "" : ", ", *exporter.extension ? exporter.extension : "a folder");
    throw InputError(output.string(), fmt::format("cannot export to '{}'; there are {}", extension, allowed));
}

}  // namespace sunder
