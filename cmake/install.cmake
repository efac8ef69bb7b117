# What `cmake --install` puts where. Two components: runtime (the program and what it reads), development (the library).
include(CMakePackageConfigHelpers)

# The tables of sunderConfig.cmake: which modules and packages a component needs, in the order in which they stand on
# each other.
set(components geometry dynamics fracture sim io)
set(packages Threads TBB Eigen3 fmt spdlog nlohmann_json ZLIB PNG SQLite3 meshoptimizer zstd)
set(packages_of_base Threads fmt spdlog)
if(SUNDER_PARALLEL STREQUAL "tbb")
  list(APPEND packages_of_base TBB)
endif()
set(packages_of_math Eigen3)
set(packages_of_schema nlohmann_json)
set(packages_of_scene ZLIB)
set(packages_of_io PNG SQLite3 ZLIB meshoptimizer zstd)

set(tables "set(sunder_components ${components})\nset(sunder_modules ${SUNDER_MODULES})\nset(sunder_packages ${packages})\n")
foreach(component IN LISTS components)
  get_property(modules GLOBAL PROPERTY SUNDER_${component}_DEPENDS)
  list(APPEND modules ${component})
  set(needed "")
  foreach(module IN LISTS modules)
    list(APPEND needed ${packages_of_${module}})
  endforeach()
  list(REMOVE_DUPLICATES needed)
  string(APPEND tables "set(sunder_modules_of_${component} ${modules})\n")
  string(APPEND tables "set(sunder_packages_of_${component} ${needed})\n")
endforeach()
string(REPLACE ";" " " SUNDER_COMPONENT_TABLES "${tables}")
set(SUNDER_WITH_NETGEN FALSE)
if(TARGET sunder::nglib)
  set(SUNDER_WITH_NETGEN TRUE)
endif()

# the library: one file of targets for each module, so that a component asks for no more than it needs
set(cmake_folder ${CMAKE_INSTALL_LIBDIR}/cmake/sunder)
foreach(module IN LISTS SUNDER_MODULES)
  set(targets sunder_${module})
  if(module STREQUAL "base")
    list(APPEND targets sunder_numerics)
    set_target_properties(sunder_numerics PROPERTIES EXPORT_NAME numerics)
  endif()
  install(TARGETS ${targets} EXPORT sunder-${module} ARCHIVE COMPONENT development INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT sunder-${module} NAMESPACE sunder:: DESTINATION ${cmake_folder} COMPONENT development)
endforeach()
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/sunderConfig.cmake.in ${PROJECT_BINARY_DIR}/generated/sunderConfig.cmake
  INSTALL_DESTINATION ${cmake_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/generated/sunderConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/generated/sunderConfig.cmake ${PROJECT_BINARY_DIR}/generated/sunderConfigVersion.cmake
    ${CMAKE_CURRENT_LIST_DIR}/zstd.cmake ${CMAKE_CURRENT_LIST_DIR}/netgen.cmake
  DESTINATION ${cmake_folder} COMPONENT development)
install(DIRECTORY ${PROJECT_BINARY_DIR}/include/sunder DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libsunder-dev COMPONENT development)

# the program, the pages it serves and writes, and scenes to begin with
if(SUNDER_PROGRAM)
  set(data ${CMAKE_INSTALL_DATADIR}/sunder)
  install(TARGETS sunder RUNTIME COMPONENT runtime)
  install(DIRECTORY web/dist/ DESTINATION ${data}/web COMPONENT runtime OPTIONAL)
  install(DIRECTORY scenes DESTINATION ${data} COMPONENT runtime)
  install(FILES sunder.schema.json DESTINATION ${data} COMPONENT runtime)
  install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)
endif()
