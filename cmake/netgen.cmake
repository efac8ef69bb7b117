# NETGEN, the optional conforming tet mesher (LGPL: linked as a shared library). Debian's drags in MPI, OpenCASCADE and
# Python, so only programs that call meshWithNetgen() load it (the object that needs it comes out of the archive only
# then, and --as-needed drops the library otherwise). Its libraries leak at exit: not under sanitizers.
option(SUNDER_NETGEN "use NETGEN when it is installed" ON)
find_path(NGLIB_INCLUDE nglib.h PATH_SUFFIXES netgen)
find_library(NGLIB_LIBRARY nglib PATH_SUFFIXES netgen ${CMAKE_LIBRARY_ARCHITECTURE}/netgen)
if(SUNDER_NETGEN AND NGLIB_INCLUDE AND NGLIB_LIBRARY AND NOT SUNDER_SANITIZE)
  message(STATUS "NETGEN: ${NGLIB_LIBRARY}")
  target_compile_definitions(sunder_geometry PRIVATE SUNDER_NETGEN)
  target_include_directories(sunder_geometry SYSTEM PRIVATE ${NGLIB_INCLUDE})
  target_link_libraries(sunder_geometry PUBLIC -Wl,--push-state,--as-needed ${NGLIB_LIBRARY} -Wl,--pop-state)
else()
  message(STATUS "NETGEN: not used")
endif()
