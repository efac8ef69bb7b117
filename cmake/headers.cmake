# The headers that others include, in BUILD/include/sunder: those of the library's modules but for their detail/ and
# their tests' own. Inside the house one reads "base/log.h"; outside it is <sunder/base/log.h>, so that nothing of ours
# stands in the way of a stranger's base/log.h. Included, this file adds the target sunder_headers; run by that target
# (cmake -P), it writes those that changed.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(public_headers "")
  foreach(module IN LISTS SUNDER_MODULES)
    file(GLOB_RECURSE found RELATIVE ${PROJECT_SOURCE_DIR}/src CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${module}/*.h)
    list(APPEND public_headers ${found})
  endforeach()
  list(FILTER public_headers EXCLUDE REGEX "(^|/)(detail/|test_)")

  # Of io the doors, and what they include: single formats are reached by their tables (readMesh, exporterFor).
  set(open_headers
    io/mesh/mesh_io.h io/mesh/reports.h io/tet/tet_io.h io/scene/scene_io.h io/scene/asset_folder.h
    io/recording/record_stream.h io/recording/recording_reader.h io/recording/recording_run.h
    io/recording/recording_stats.h io/recording/recording_view.h io/recording/recording_writer.h
    io/exports/exporter.h io/exports/export_content.h io/exports/pose_tracks.h io/exports/replay.h
    io/render/render.h io/render/film.h io/render/image.h io/render/povray.h)
  list(FILTER public_headers EXCLUDE REGEX "^io/")
  while(open_headers)
    list(POP_FRONT open_headers header)
    list(APPEND public_headers ${header})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${header})
    file(STRINGS ${PROJECT_SOURCE_DIR}/src/${header} includes REGEX "#include \"io/")
    list(TRANSFORM includes REPLACE "#include \"(.*)\"" "\\1")
    list(APPEND open_headers ${includes})
    list(REMOVE_ITEM open_headers ${public_headers})
    list(REMOVE_DUPLICATES open_headers)
  endwhile()
  list(TRANSFORM public_headers PREPEND ${PROJECT_SOURCE_DIR}/src/ OUTPUT_VARIABLE header_files)

  set(list ${PROJECT_BINARY_DIR}/generated/public_headers.txt)
  string(JOIN "\n" text ${public_headers})
  file(CONFIGURE OUTPUT ${list} CONTENT "${text}\n" @ONLY)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/version.h.in ${PROJECT_BINARY_DIR}/include/sunder/version.h @ONLY)

  set(stamp ${PROJECT_BINARY_DIR}/generated/public_headers.stamp)
  add_custom_command(OUTPUT ${stamp}
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR}/src -DOUTPUT=${PROJECT_BINARY_DIR}/include/sunder
      -DLIST=${list} -P ${CMAKE_CURRENT_LIST_FILE}
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
    DEPENDS ${header_files} ${list} ${CMAKE_CURRENT_LIST_FILE} COMMENT "Writing include/sunder" VERBATIM)
  add_custom_target(sunder_headers DEPENDS ${stamp})
  return()
endif()

# what is no longer a header goes
file(STRINGS ${LIST} headers)
file(GLOB_RECURSE old RELATIVE ${OUTPUT} ${OUTPUT}/*.h)
list(REMOVE_ITEM old ${headers} version.h)
list(TRANSFORM old PREPEND ${OUTPUT}/)
if(old)
  file(REMOVE ${old})
endif()

# written only when they say something new, so that nobody compiles again for nothing
foreach(header IN LISTS headers)
  file(READ ${SOURCE}/${header} text)
  string(REGEX REPLACE "#include \"([^\"]+)\"" "#include <sunder/\\1>" text "${text}")
  if(text MATCHES "#include <sunder/([^>]*detail/[^>]*|[^>]*test_[^>/]*)>")
    message(FATAL_ERROR "${header} includes ${CMAKE_MATCH_1}, which is not installed: what others include must not "
      "need what is private.")
  endif()
  set(before "")
  if(EXISTS ${OUTPUT}/${header})
    file(READ ${OUTPUT}/${header} before)
  endif()
  if(NOT "${before}" STREQUAL "${text}")
    file(WRITE ${OUTPUT}/${header} "${text}")
  endif()
endforeach()
