# How everything is compiled. Presets choose the build type and the sanitizer; see CMakePresets.json.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

set(SUNDER_SANITIZE "" CACHE STRING "sanitizers, as in -fsanitize=...")
set(SUNDER_PARALLEL "tbb" CACHE STRING "backend of base/parallel: tbb, or threads (plain std::thread, for TSan)")
option(SUNDER_BENCH "build the benchmarks" OFF)
option(SUNDER_FUZZ "build the libFuzzer targets (needs clang)" OFF)

find_program(SUNDER_CCACHE ccache)
if(SUNDER_CCACHE)
  # files that use a precompiled header are kept only when told that its macros are trusted
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${SUNDER_CCACHE})
endif()

# Same run, same content: no fused multiply-add unless written, no reassociation.
add_compile_options(-Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wconversion -Wno-sign-conversion -Wno-missing-field-initializers -Werror -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-Wno-maybe-uninitialized -Wno-array-bounds -Wno-stringop-overflow)  # false positives inside Eigen at -O2
endif()
if(SUNDER_SANITIZE)
  add_compile_options(-fsanitize=${SUNDER_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${SUNDER_SANITIZE})
  if(SUNDER_SANITIZE MATCHES thread AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-tsan)  # fences inside Boost.Asio
  endif()
endif()

find_package(Threads REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(PNG REQUIRED)
find_package(ZLIB REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(ZLIB REQUIRED)
find_library(ZSTD_LIBRARY zstd REQUIRED)
find_package(Boost 1.74 REQUIRED)  # Beast and Asio, headers only
find_package(GTest REQUIRED)
if(SUNDER_PARALLEL STREQUAL "tbb")
  find_package(TBB REQUIRED)
endif()
