# Run by cpack between installing into its own folder and packing: what Debian asks of files that are in a package.
find_program(STRIP strip REQUIRED)
find_program(GZIP gzip REQUIRED)
find_program(GIT git)
set(root ${CPACK_TEMPORARY_INSTALL_DIRECTORY})

# the day of the last commit, so that the same sources give the same package
set(date "")
if(GIT)
  execute_process(COMMAND ${GIT} -C ${CPACK_SUNDER_SOURCE} log -1 --format=%cD
    OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT date)
  execute_process(COMMAND date -R OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()

# each package has its licence, and its own history in Debian's form
foreach(pair runtime:sunder development:libsunder-dev)
  string(REPLACE ":" ";" pair ${pair})
  list(GET pair 0 component)
  list(GET pair 1 package)
  set(docs ${root}/${component}/usr/share/doc/${package})
  file(MAKE_DIRECTORY ${docs})
  file(COPY ${CPACK_SUNDER_SOURCE}/cmake/debian/copyright DESTINATION ${docs}
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
  file(REMOVE ${docs}/LICENSE)  # named there
  file(WRITE ${docs}/changelog "${package} (${CPACK_SUNDER_VERSION}) unstable; urgency=medium

  * Built from the sources by ./dev package; what is new is in CHANGELOG.md.

 -- ${CPACK_DEBIAN_PACKAGE_MAINTAINER}  ${date}
")
  execute_process(COMMAND ${GZIP} -9n ${docs}/changelog COMMAND_ERROR_IS_FATAL ANY)
endforeach()

# manual pages are packed; static libraries keep their symbols and no more
file(GLOB manuals ${root}/*/usr/share/man/man*/*.[0-9])
foreach(manual IN LISTS manuals)
  execute_process(COMMAND ${GZIP} -9nf ${manual} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
file(GLOB_RECURSE archives ${root}/*/*.a)
foreach(archive IN LISTS archives)
  execute_process(COMMAND ${STRIP} --strip-debug --remove-section=.comment --remove-section=.note
    --enable-deterministic-archives ${archive} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
