include(GoogleTest)

# Headers that nearly every file reads are read once. One target per set of them; modules take the smallest that has
# what they include. -DSUNDER_PRECOMPILE=OFF builds without: every file must compile by its own includes.
option(SUNDER_PRECOMPILE "precompiled headers" ON)
function(sunder_precompiled name)
  cmake_parse_arguments(arg "" "" "HEADERS;LINK" ${ARGN})
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/${name}.cpp CONTENT "")
  add_library(sunder_${name} OBJECT EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/generated/${name}.cpp)
  target_link_libraries(sunder_${name} PRIVATE ${arg_LINK})
  target_precompile_headers(sunder_${name} PRIVATE ${arg_HEADERS})
endfunction()
set(std_headers <algorithm> <array> <functional> <map> <memory> <optional> <span> <string> <vector>)
if(SUNDER_PRECOMPILE)
  sunder_precompiled(pch_math HEADERS ${std_headers} <Eigen/Core> <Eigen/Geometry> <fmt/format.h> LINK Eigen3::Eigen fmt::fmt)
  sunder_precompiled(pch_json HEADERS ${std_headers} <Eigen/Core> <Eigen/Geometry> <fmt/format.h> <nlohmann/json.hpp>
                     LINK Eigen3::Eigen fmt::fmt nlohmann_json::nlohmann_json)
  sunder_precompiled(pch_test HEADERS ${std_headers} <Eigen/Core> <Eigen/Geometry> <fmt/format.h> <nlohmann/json.hpp> <gtest/gtest.h>
                     LINK Eigen3::Eigen fmt::fmt nlohmann_json::nlohmann_json GTest::gtest)
endif()
# use_precompiled(TARGET SET)
function(use_precompiled target set)
  if(SUNDER_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM sunder_${set})
  endif()
endfunction()

# sunder_module(NAME DEPENDS module... LINK package-target... [PRECOMPILED pch_math | pch_json] [TEST_LINK target...])
# One static library sunder_NAME from src/NAME/**.cpp, and one test program NAME_test from the *_test.cpp beside them.
function(sunder_module name)
  cmake_parse_arguments(arg "" "PRECOMPILED" "DEPENDS;LINK;TEST_LINK" ${ARGN})
  set(dir ${CMAKE_SOURCE_DIR}/src/${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${dir}/*.cpp)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")

  list(TRANSFORM arg_DEPENDS PREPEND sunder_)
  if(sources)
    add_library(sunder_${name} STATIC ${sources})
    target_include_directories(sunder_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
    target_link_libraries(sunder_${name} PUBLIC ${arg_DEPENDS} ${arg_LINK})
    if(arg_PRECOMPILED)
      use_precompiled(sunder_${name} ${arg_PRECOMPILED})
    endif()
  else()
    add_library(sunder_${name} INTERFACE)
    target_include_directories(sunder_${name} INTERFACE ${CMAKE_SOURCE_DIR}/src)
    target_link_libraries(sunder_${name} INTERFACE ${arg_DEPENDS} ${arg_LINK})
  endif()

  if(tests)
    sunder_test(${name}_test SOURCES ${tests} LINK ${arg_TEST_LINK} sunder_${name})
  endif()
endfunction()

# sunder_test(NAME SOURCES file... LINK target... [TIMEOUT seconds])
# A GoogleTest program whose tests ctest runs one by one. SUNDER_SHARED_DATA names the local test meshes; tests that
# want them skip with a message when the folder is absent.
function(sunder_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "SOURCES;LINK" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  if(SUNDER_SANITIZE)
    math(EXPR arg_TIMEOUT "10 * ${arg_TIMEOUT}")
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LINK} GTest::gtest_main nlohmann_json::nlohmann_json)
  if("${arg_LINK}" MATCHES "sunder_")  # others are compiled without the library's flags
    use_precompiled(${name} pch_test)
  endif()
  target_compile_definitions(${name} PRIVATE
    SUNDER_SHARED_DATA="${CMAKE_SOURCE_DIR}/../shared/data"
    SUNDER_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
    SUNDER_BINARY_DIR="${CMAKE_BINARY_DIR}")
  # two builds may be tested at once: each has scratch files of its own
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/scratch)
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST
    PROPERTIES TIMEOUT ${arg_TIMEOUT} ENVIRONMENT "TEST_TMPDIR=${CMAKE_BINARY_DIR}/scratch")
endfunction()
