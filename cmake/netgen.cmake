# NETGEN, the optional conforming tet mesher (LGPL: linked as a shared library). Debian's drags in MPI, OpenCASCADE and
# Python, so only programs that call meshWithNetgen() load it (the object that needs it comes out of the archive only
# then, and --as-needed drops the library otherwise). Its libraries leak at exit: not under sanitizers.
# Installed beside sunderConfig.cmake: who links the library without NETGEN at hand can do all but call it.
find_path(NGLIB_INCLUDE nglib.h PATH_SUFFIXES netgen)
find_library(NGLIB_LIBRARY nglib PATH_SUFFIXES netgen ${CMAKE_LIBRARY_ARCHITECTURE}/netgen)
mark_as_advanced(NGLIB_INCLUDE NGLIB_LIBRARY)
if(NGLIB_INCLUDE AND NGLIB_LIBRARY AND NOT TARGET sunder::nglib)
  add_library(sunder::nglib INTERFACE IMPORTED GLOBAL)
  set_target_properties(sunder::nglib PROPERTIES
    INTERFACE_LINK_LIBRARIES "-Wl,--push-state,--as-needed;${NGLIB_LIBRARY};-Wl,--pop-state")
endif()
