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
        Exporter{.extension = ".html",
                 .label = "Replay",
                 .description = "one file that any browser opens from disk",
                 .write = writeReplay,
                 .options = "--without-stress"},
        Exporter{.extension = ".glb",
                 .label = "glTF",
                 .description = "Blender, Unreal, Unity, browsers",
                 .write = exportGlb,
                 .options = "--tolerance --blender-script"},
        Exporter{.extension = ".usda",
                 .label = "USD",
                 .description = "Houdini, Unreal, Maya; as text",
                 .write = exportUsd,
                 .options = "--tolerance"},
        Exporter{.extension = ".pvd",
                 .label = "VTK",
                 .description = "ParaView; one .vtu per frame in a folder beside",
                 .write = exportVtk,
                 .oneFile = false,
                 .options = "--every"},
        Exporter{.extension = ".pov",
                 .label = "POV-Ray",
                 .description = "ray-tracing with a set-up of one's own; meshes and frames in a folder beside",
                 .write = exportPov,
                 .oneFile = false},
        Exporter{.extension = "",
                 .label = "Folder of pieces",
                 .description = "each piece as OBJ or PLY, tables (CSV, JSON) of bodies, transforms, impacts",
                 .write = exportPieces,
                 .oneFile = false,
                 .options = "--pieces-as"},
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
