# src/io/exports/import_blender.py becomes part of the program, so that exports can bring it along.
set(script ${PROJECT_SOURCE_DIR}/src/io/exports/import_blender.py)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${script})
file(READ ${script} SUNDER_BLENDER_SCRIPT)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/blender_script_text.cpp @ONLY CONTENT
[[#include "io/exports/blender_script.h"

namespace sunder {

std::string_view blenderScript() {
    return R"script(@SUNDER_BLENDER_SCRIPT@)script";
}

}  // namespace sunder
]])
target_sources(sunder_io PRIVATE ${PROJECT_BINARY_DIR}/generated/blender_script_text.cpp)
