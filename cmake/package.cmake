# Debian packages by CPack: sunder (the program, its pages and scenes) and libsunder-dev. ./dev package makes both, and
# tools/try_package tries them in a clean system.

# the manual page and the completion are made of the program's own help
find_package(Python3 COMPONENTS Interpreter QUIET)
if(SUNDER_PROGRAM AND Python3_FOUND AND NOT CMAKE_CROSSCOMPILING)
  set(pages ${PROJECT_BINARY_DIR}/pages)
  add_custom_command(OUTPUT ${pages}/sunder.1 ${pages}/sunder
    COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/describe_program $<TARGET_FILE:sunder> ${pages}
    DEPENDS sunder ${PROJECT_SOURCE_DIR}/tools/describe_program COMMENT "Describing the program" VERBATIM)
  add_custom_target(sunder_pages ALL DEPENDS ${pages}/sunder.1 ${pages}/sunder)
  install(FILES ${pages}/sunder.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT runtime)
  install(FILES ${pages}/sunder DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT runtime)
elseif(SUNDER_PROGRAM)
  message(STATUS "Manual page and completion: not made (they need Python, and a program that runs here)")
endif()

set(CPACK_PACKAGE_NAME sunder)
set(CPACK_PACKAGE_VENDOR "Sunder developers")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL runtime development)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/package_files.cmake)
# what the script above is told
set(CPACK_SUNDER_SOURCE ${PROJECT_SOURCE_DIR})
set(CPACK_SUNDER_VERSION ${PROJECT_VERSION})

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "Sunder developers <developers@sunder.invalid>")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME sunder)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS "povray, ffmpeg")
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "physically based brittle fracture of solid bodies
 Sunder simulates rigid bodies that break when they are hit hard: by patterns
 that are moved to the impact, or from the stress that a finite element
 solution gives. It runs scenes into recordings, exports these to glTF, USD,
 ParaView and POV-Ray or as replays for any browser, breaks single meshes, and
 serves a studio in which scenes are built and broken.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libsunder-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libeigen3-dev (>= 3.4), libfmt-dev, libmeshoptimizer-dev, libspdlog-dev, libpng-dev, libsqlite3-dev, libzstd-dev, nlohmann-json3-dev, zlib1g-dev")
if(SUNDER_PARALLEL STREQUAL "tbb")
  string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS ", libtbb-dev")
endif()
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "sunder (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "cmake, libnglib-dev")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "physically based brittle fracture - development files
 Headers, static libraries and CMake files of Sunder: geometry (meshes, repair,
 distance grids, tetrahedra, exact cuts), rigid bodies at the frame rate, stress
 by finite elements, methods of fracture, the loop that joins them, and readers
 and writers of scenes, meshes and recordings. With examples.")
include(CPack)
