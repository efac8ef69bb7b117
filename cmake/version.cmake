# The version and the git commit become part of the library (base/version.h). Included, this file adds the target that
# looks at every build; run by that target (cmake -P), it writes the source, only when it says something new.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(version_source ${PROJECT_BINARY_DIR}/generated/version_of_build.cpp)
  find_package(Git QUIET)
  add_custom_target(sunder_version_source
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${version_source} -DVERSION=${PROJECT_VERSION} -DSOURCE=${PROJECT_SOURCE_DIR}
      -DGIT=${GIT_EXECUTABLE} -P ${CMAKE_CURRENT_LIST_FILE}
    BYPRODUCTS ${version_source} VERBATIM)
  add_dependencies(sunder_base sunder_version_source)
  target_sources(sunder_base PRIVATE ${version_source})
  return()
endif()

# A tree that was unpacked inside somebody else's repository is not the top of one.
set(commit "")
if(GIT)
  execute_process(COMMAND ${GIT} -C ${SOURCE} rev-parse --show-prefix
    RESULT_VARIABLE failed OUTPUT_VARIABLE above OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT failed AND above STREQUAL "")
    execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --exclude=* --abbrev=12 --dirty=+changes
      OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
endif()
if(NOT commit)
  set(commit "unknown")
endif()

set(text "#include \"base/version.h\"

namespace sunder {

std::string_view version() { return \"${VERSION}\"; }
std::string_view buildCommit() { return \"${commit}\"; }

}  // namespace sunder
")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} before)
endif()
if(NOT "${before}" STREQUAL "${text}")
  file(WRITE ${OUTPUT} "${text}")
endif()
