# The target sunder::zstd. Debian's libzstd has no CMake files of its own. Installed beside sunderConfig.cmake.
if(NOT TARGET sunder::zstd)
  find_library(SUNDER_ZSTD_LIBRARY zstd)
  find_path(SUNDER_ZSTD_INCLUDE zstd.h)
  mark_as_advanced(SUNDER_ZSTD_LIBRARY SUNDER_ZSTD_INCLUDE)
  if(SUNDER_ZSTD_LIBRARY AND SUNDER_ZSTD_INCLUDE)
    add_library(sunder::zstd UNKNOWN IMPORTED)
    set_target_properties(sunder::zstd PROPERTIES IMPORTED_LOCATION ${SUNDER_ZSTD_LIBRARY}
      INTERFACE_INCLUDE_DIRECTORIES ${SUNDER_ZSTD_INCLUDE})
  elseif(NOT CMAKE_FIND_PACKAGE_NAME)
    message(FATAL_ERROR "zstd was not found: install libzstd-dev, or name it with SUNDER_ZSTD_LIBRARY and "
      "SUNDER_ZSTD_INCLUDE.")
  endif()
endif()
