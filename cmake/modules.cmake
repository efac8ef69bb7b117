# The modules that others may link, in the order in which they stand on each other.
set(SUNDER_MODULES base math schema geometry material dynamics stress fracture sim scene io)

# What everybody compiles with who includes the library's headers, also outside: inline functions must be the same
# everywhere, and Eigen's types as large and aligned as they were when the library was compiled, whatever -march says.
add_library(sunder_numerics INTERFACE)
target_compile_features(sunder_numerics INTERFACE cxx_std_20)
target_compile_options(sunder_numerics INTERFACE -ffp-contract=off)  # same run, same content: no fused multiply-add
target_compile_definitions(sunder_numerics INTERFACE EIGEN_MAX_ALIGN_BYTES=16)

# Headers that nearly every file reads are read once. One target per set of them; modules take the smallest that has
# what they include. -DSUNDER_PRECOMPILE=OFF builds without: every file must compile by its own includes.
option(SUNDER_PRECOMPILE "precompiled headers" ON)
function(sunder_precompiled name)
  cmake_parse_arguments(arg "" "" "HEADERS;LINK" ${ARGN})
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/${name}.cpp CONTENT "")
  add_library(sunder_${name} OBJECT EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/generated/${name}.cpp)
  target_link_libraries(sunder_${name} PRIVATE sunder_numerics ${arg_LINK})
  target_precompile_headers(sunder_${name} PRIVATE ${arg_HEADERS})
endfunction()
set(std_headers <algorithm> <array> <functional> <map> <memory> <optional> <span> <string> <vector>)
if(SUNDER_PRECOMPILE)
  sunder_precompiled(pch_math HEADERS ${std_headers} <Eigen/Core> <Eigen/Geometry> <fmt/format.h> LINK Eigen3::Eigen fmt::fmt)
  sunder_precompiled(pch_json HEADERS ${std_headers} <Eigen/Core> <Eigen/Geometry> <fmt/format.h> <nlohmann/json.hpp>
                     LINK Eigen3::Eigen fmt::fmt nlohmann_json::nlohmann_json)
endif()
if(SUNDER_PRECOMPILE AND SUNDER_TESTS)
  sunder_precompiled(pch_test HEADERS ${std_headers} <Eigen/Core> <Eigen/Geometry> <fmt/format.h> <nlohmann/json.hpp> <gtest/gtest.h>
                     LINK Eigen3::Eigen fmt::fmt nlohmann_json::nlohmann_json GTest::gtest)
endif()
# use_precompiled(TARGET SET)
function(use_precompiled target set)
  if(SUNDER_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM sunder_${set})
  endif()
endfunction()

# The files of a folder are compiled some at a time, as one: most of a file's cost is what it includes, and a cold build
# takes half as long. So names in unnamed namespaces are unique in a folder. -DSUNDER_TOGETHER=1 compiles every file by
# itself, as the debug preset does: each file must stand by its own includes, and one that is changed again and again is
# compiled sooner.
set(SUNDER_TOGETHER 10 CACHE STRING "how many files of one folder are compiled together; 1: each by itself")
# compiled_together(TARGET DIR file...)
function(compiled_together target dir)
  if(SUNDER_TOGETHER LESS 2)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)  # about headers, and these are none
  set(rooms)
  foreach(file ${ARGN})
    cmake_path(GET file PARENT_PATH room)
    file(RELATIVE_PATH room ${dir}/.. ${room})
    string(REGEX REPLACE "/detail$" "" room ${room})  # a folder and its private part are one
    string(MAKE_C_IDENTIFIER ${room} room)
    list(APPEND rooms ${room})
    list(APPEND files_of_${room} ${file})
  endforeach()
  list(REMOVE_DUPLICATES rooms)
  foreach(room ${rooms})
    list(LENGTH files_of_${room} count)
    math(EXPR parts "(${count} + ${SUNDER_TOGETHER} - 1) / ${SUNDER_TOGETHER}")
    set(i 0)
    foreach(file ${files_of_${room}})
      math(EXPR part "${i} * ${parts} / ${count}")
      set_source_files_properties(${file} PROPERTIES UNITY_GROUP ${room}_${part})
      math(EXPR i "${i} + 1")
    endforeach()
  endforeach()
endfunction()

# sunder_module(NAME DEPENDS module... LINK package-target... [PRECOMPILED pch_math | pch_json] [TEST_LINK target...])
# One static library sunder_NAME (outside: sunder::NAME) from src/NAME/**.cpp, and one test program NAME_test from the
# *_test.cpp beside them. What a module depends on is kept for cmake/install.cmake.
function(sunder_module name)
  cmake_parse_arguments(arg "" "PRECOMPILED" "DEPENDS;LINK;TEST_LINK" ${ARGN})
  set(dir ${PROJECT_SOURCE_DIR}/src/${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${dir}/*.cpp)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")

  set_property(GLOBAL PROPERTY SUNDER_${name}_DEPENDS ${arg_DEPENDS})
  list(TRANSFORM arg_DEPENDS PREPEND sunder_)
  add_library(sunder_${name} STATIC ${sources})
  add_library(sunder::${name} ALIAS sunder_${name})
  set_target_properties(sunder_${name} PROPERTIES EXPORT_NAME ${name})
  add_dependencies(sunder_${name} sunder_headers)
  # others include <sunder/base/log.h>; their warnings end at our headers
  target_include_directories(sunder_${name} SYSTEM INTERFACE $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>)
  target_link_libraries(sunder_${name} PUBLIC sunder_numerics ${arg_DEPENDS} ${arg_LINK})
  if(arg_PRECOMPILED)
    use_precompiled(sunder_${name} ${arg_PRECOMPILED})
  endif()
  compiled_together(sunder_${name} ${dir} ${sources})

  if(tests AND SUNDER_TESTS)
    sunder_test(${name}_test SOURCES ${tests} LINK ${arg_TEST_LINK} sunder_${name})
  endif()
endfunction()

# sunder_test(NAME SOURCES file... LINK target... [TIMEOUT seconds])
# A GoogleTest program whose tests ctest runs one by one. SUNDER_SHARED_DATA names the local test meshes; tests that
# want them skip with a message when the folder is absent.
if(SUNDER_TESTS)
  include(GoogleTest)
endif()
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
    SUNDER_SHARED_DATA="${PROJECT_SOURCE_DIR}/../shared/data"
    SUNDER_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
    SUNDER_BINARY_DIR="${PROJECT_BINARY_DIR}")
  # two builds may be tested at once: each has scratch files of its own
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/scratch)
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST
    PROPERTIES TIMEOUT ${arg_TIMEOUT} ENVIRONMENT "TEST_TMPDIR=${PROJECT_BINARY_DIR}/scratch")
endfunction()
