#include "io/exports/blender_script.h"

#include "base/error.h"
#include "io/files/file_access.h"
#include "io/files/replaceable.h"

namespace sunder {

void writeBlenderScript(const std::filesystem::path& folder, bool overwrite) {
    const std::filesystem::path path = folder / kBlenderScriptName;
    checkReplaceable(path, Overwrite::Yes);
    if (std::filesystem::exists(path) && !overwrite && readWholeFile(path) != blenderScript())
        throw InputError(path.string(), "is there already and differs; move it or add --force to overwrite it");
    writeFileAtomically(path, blenderScript());
}

}  // namespace sunder
