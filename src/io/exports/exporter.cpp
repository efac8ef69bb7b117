#include "io/exports/exporter.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/error.h"
#include "io/exports/replay.h"

namespace sunder {

std::span<const Exporter> exporters() {
    static const std::array all{
        Exporter{".html", "a replay: one file that any browser opens from disk", writeReplay},
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
