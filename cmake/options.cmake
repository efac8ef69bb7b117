# What is built, and how it is compiled. Presets choose the build type, warnings and the sanitizer; see
# CMakePresets.json. All of this ends at this directory: a project that takes this one in by add_subdirectory() keeps
# its own flags.
option(SUNDER_PROGRAM "build the program sunder, with Studio" ${PROJECT_IS_TOP_LEVEL})
option(SUNDER_TESTS "build the tests (needs GoogleTest and the program)" ${PROJECT_IS_TOP_LEVEL})
option(SUNDER_INSTALL "install the library and, when it is built, the program" ${PROJECT_IS_TOP_LEVEL})
option(SUNDER_BENCH "build the benchmarks" OFF)
option(SUNDER_FUZZ "build the libFuzzer targets (needs clang)" OFF)
option(SUNDER_WARNINGS "the warnings of the house" OFF)
option(SUNDER_WARNINGS_AS_ERRORS "a warning ends the build" OFF)
set(SUNDER_SANITIZE "" CACHE STRING "sanitizers, as in -fsanitize=...")
set(SUNDER_PARALLEL "tbb" CACHE STRING "backend of base/parallel: tbb, or threads (plain std::thread, for TSan)")
if(SUNDER_TESTS AND NOT SUNDER_PROGRAM)
  message(FATAL_ERROR "SUNDER_TESTS is on and SUNDER_PROGRAM is off, but tests run the program: "
    "turn both on, or configure with -DSUNDER_TESTS=OFF.")
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug, ..." FORCE)
endif()

find_program(SUNDER_CCACHE ccache)
if(SUNDER_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # files that use a precompiled header are kept only when told that its macros are trusted
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${SUNDER_CCACHE})
endif()

# Inside the house headers are "base/log.h"; those that others include are made of them (cmake/headers.cmake).
include_directories(${PROJECT_SOURCE_DIR}/src)

# Position independent, so that the libraries can go into a shared one, a plugin of Blender or Python say. Programs
# too: they read the same precompiled headers. Nobody replaces single functions of ours, so calls are inlined as ever.
add_compile_options(-fPIC -fno-semantic-interposition)
# The sources' place on this machine is nobody's business.
add_compile_options(-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
if(SUNDER_WARNINGS)
  add_compile_options(-Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wconversion -Wno-sign-conversion -Wno-missing-field-initializers)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-maybe-uninitialized -Wno-array-bounds -Wno-stringop-overflow)  # false positives inside Eigen at -O2
  endif()
endif()
if(SUNDER_WARNINGS_AS_ERRORS)
  add_compile_options(-Werror)
endif()
if(SUNDER_SANITIZE)
  add_compile_options(-fsanitize=${SUNDER_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${SUNDER_SANITIZE})
  if(SUNDER_SANITIZE MATCHES thread AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-tsan)  # fences inside Boost.Asio
  endif()
endif()

include(GNUInstallDirs)
find_package(Threads REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(PNG REQUIRED)
find_package(ZLIB REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(meshoptimizer REQUIRED)
include(${CMAKE_CURRENT_LIST_DIR}/zstd.cmake)
if(SUNDER_PARALLEL STREQUAL "tbb")
  find_package(TBB REQUIRED)
endif()
if(SUNDER_PROGRAM)
  find_package(CLI11 REQUIRED)
  find_package(Boost 1.74 REQUIRED)  # Beast and Asio, headers only
endif()
if(SUNDER_TESTS)
  find_package(GTest REQUIRED)
endif()
